"""Any torch module that scores the tokens of a padded batch, as a tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lawful.adapters.arrays import as_floats, as_labels
from lawful.adapters.logits import Labels, from_logits_batch, shared_transitions
from lawful.errors import EmptySequenceError, InputError
from lawful.lattice import Lattice
from lawful.support.extras import require

__all__ = ["TorchTagger", "evaluating", "from_torch"]


class TorchTagger:
    """A tagger whose scores come from a torch module. Made by `from_torch`."""

    def __init__(
        self,
        module: Any,
        encode: Callable[[Sequence[Any]], Any],
        labels: Labels,
        *,
        crf: Any,
        pad: float,
        with_mask: bool,
        batch_size: int,
        log_softmax: bool,
    ) -> None:
        if batch_size < 1:
            raise InputError(f"batch_size must be 1 or more, got {batch_size}")
        self.module, self.encode, self.labels = module, encode, as_labels(labels)
        self.batch_size = batch_size
        self._pad, self._with_mask = pad, with_mask
        self._scores: dict[str, Any] = {"log_softmax": log_softmax and crf is None}
        if crf is not None:
            self._scores["transitions"] = shared_transitions(crf.transitions, self.labels)
            self._scores["start"] = as_floats(crf.start_transitions, "crf.start_transitions")
            self._scores["end"] = as_floats(crf.end_transitions, "crf.end_transitions")

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence."""
        return next(self.lattices([tokens]))

    def lattices(self, sequences: Iterable[Sequence[Any]], /) -> Iterator[Lattice]:
        """The scores of many sequences, in padded batches."""
        token_lists = [list(tokens) for tokens in sequences]
        for start in range(0, len(token_lists), self.batch_size):
            yield from self._batch(token_lists[start : start + self.batch_size])

    def _batch(self, token_lists: list[list[Any]]) -> list[Lattice]:
        torch = require("a torch module", "torch", "torch")
        encoded = []
        for tokens in token_lists:
            if not tokens:
                raise EmptySequenceError("a token sequence")
            ids = torch.as_tensor(self.encode(tokens))
            if len(ids) != len(tokens):
                raise InputError(f"encode must give one row per token: {len(tokens)} tokens, {len(ids)} rows")
            encoded.append(ids)
        lengths = torch.tensor([len(ids) for ids in encoded])
        batch = torch.nn.utils.rnn.pad_sequence(encoded, batch_first=True, padding_value=self._pad)
        mask = torch.arange(batch.shape[1])[None, :] < lengths[:, None]
        device = device_of(self.module)
        inputs = (batch.to(device), mask.to(device)) if self._with_mask else (batch.to(device),)
        with evaluating(self.module):
            logits = self.module(*inputs)
        return from_logits_batch(logits, self.labels, mask=mask, tokens=token_lists, **self._scores)


@contextmanager
def evaluating(module: Any) -> Iterator[None]:
    """Evaluate a module without gradients and dropout; afterwards it is in the mode it was in before.

    Examples
    --------
    >>> import torch
    >>> layer = torch.nn.Dropout(0.5)
    >>> with evaluating(layer):
    ...     layer.training
    False
    >>> layer.training
    True
    """
    torch = require("a torch module", "torch", "torch")
    was_training = getattr(module, "training", False)
    try:
        if was_training:
            module.eval()
        with torch.inference_mode():
            yield
    finally:
        if was_training:
            module.train()


def device_of(module: Any) -> Any:
    """The device of a module's first parameter; the CPU if it has none."""
    parameters = getattr(module, "parameters", None)
    first = None if parameters is None else next(iter(parameters()), None)
    return "cpu" if first is None else first.device


def from_torch(
    module: Any,
    encode: Callable[[Sequence[Any]], Any],
    labels: Labels,
    *,
    crf: Any = None,
    pad: float = 0,
    with_mask: bool = False,
    batch_size: int = 32,
    log_softmax: bool = True,
) -> TorchTagger:
    """A tagger from a torch module that gives logits (B, T, K) for a padded batch.

    Parameters
    ----------
    module : torch.nn.Module, or a callable
        Called with a batch (B, T, ...) on the module's own device, in evaluation mode and without gradients.
    encode : callable, tokens -> tensor or array (T, ...)
        One row per token: ids, or feature vectors.
    labels : LabelSet, iterable of str, or mapping from number to name
    crf : torchcrf.CRF, optional
        A CRF layer whose transition scores belong to the logits.
    pad : number
        The value that pads shorter sequences.
    with_mask : bool
        Call the module with (batch, mask) instead of (batch); the mask (B, T) is True for tokens.
    batch_size : int
    log_softmax : bool
        Turn logits into log-probabilities; never done with a CRF, whose scores are used as they are.

    Examples
    --------
    >>> import lawful, torch
    >>> module = torch.nn.Embedding.from_pretrained(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))  # ids to logits
    >>> tagger = from_torch(module, lambda tokens: [t.istitle() + 0 for t in tokens], ["O", "Name"])
    >>> lawful.Decoder(lawful.at_most(1, "Name"), tagger=tagger).predict([["Ann", "saw", "Bo"], ["Bo"]])
    [['Name', 'O', 'O'], ['Name']]
    """
    return TorchTagger(
        module,
        encode,
        labels,
        crf=crf,
        pad=pad,
        with_mask=with_mask,
        batch_size=batch_size,
        log_softmax=log_softmax,
    )
