"""Token classifiers of Hugging Face's transformers as taggers of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from lawful.adapters.arrays import as_floats, as_labels, refuse_bad_scores
from lawful.adapters.torch import device_of, evaluating
from lawful.adapters.transformers.ruled_pipeline import RuledTokenClassificationPipeline
from lawful.adapters.transformers.subwords import STRATEGIES, Alignment, Missing, Strategy, align_word_ids
from lawful.adapters.transformers.windows import join_windows
from lawful.errors import EmptySequenceError, InputError
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.rules.tokens.values import text_of

__all__ = ["RuledTokenClassificationPipeline", "TransformersTagger", "from_transformers"]

NO_LIMIT = 1_000_000  # tokenizers without a limit report 1e30


class TransformersTagger:
    """A tagger of words whose scores come from a token classifier. Made by `from_transformers`."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        strategy: Strategy,
        missing: Missing,
        stride: int | None,
        max_length: int | None,
        batch_size: int,
    ) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("only a fast tokenizer can trace sub-words to words, and this tokenizer is slow")
        if strategy not in STRATEGIES:
            raise InputError(f"strategy must be one of {', '.join(map(repr, STRATEGIES))}, got {strategy!r}")
        if batch_size < 1:
            raise InputError(f"batch_size must be 1 or more, got {batch_size}")
        self.model, self.tokenizer, self.labels = model, tokenizer, as_labels(dict(model.config.id2label))
        self.strategy, self.missing, self.batch_size = strategy, missing, batch_size
        self.max_length = _longest(model, tokenizer) if max_length is None else max_length
        self.stride = stride
        room = None if self.max_length is None else self.max_length - tokenizer.num_special_tokens_to_add()
        if room is not None and (room < 1 or not 0 <= (stride or 0) < room):
            raise InputError(
                f"a window of {self.max_length} sub-words has room for {room} besides special ones; "
                f"stride must be less than that, got {stride}"
            )

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence of words."""
        return next(self.lattices([tokens]))

    def lattices(self, sequences: Iterable[Sequence[Any]], /) -> Iterator[Lattice]:
        """The scores of many sequences of words, read in batches of windows."""
        rest = iter(sequences)
        while batch := [list(tokens) for tokens in islice(rest, self.batch_size)]:
            yield from self._batch(batch)

    def _batch(self, token_lists: list[list[Any]]) -> Iterator[Lattice]:
        if not all(token_lists):
            raise EmptySequenceError("a token sequence")
        encoding = self._encode([[text_of(token) for token in tokens] for tokens in token_lists])
        owners = encoding.pop("overflow_to_sample_mapping", range(len(token_lists)))
        windows: list[list[int]] = [[] for _ in token_lists]
        for window, owner in enumerate(owners):
            windows[int(owner)].append(window)
        scores = self._scores(encoding)
        for tokens, own in zip(token_lists, windows, strict=True):
            rows, word_ids = _joined(encoding, scores, own)
            alignment = align_word_ids(word_ids, words=len(tokens))
            yield self._lattice(tokens, rows, alignment)

    def _encode(self, texts: list[list[str]]) -> Any:
        options: dict[str, Any] = {}
        if self.max_length is not None:
            options = {"truncation": True, "max_length": self.max_length}
            if self.stride is not None:
                options |= {"return_overflowing_tokens": True, "stride": self.stride}
        return self.tokenizer(
            texts,
            is_split_into_words=True,
            padding=True,
            return_offsets_mapping=True,
            return_tensors="pt",
            **options,
        )

    def _scores(self, encoding: Any) -> Floats:
        device = device_of(self.model)
        inputs = {
            name: encoding[name].to(device) for name in self.tokenizer.model_input_names if name in encoding
        }
        rows: list[Floats] = []
        with evaluating(self.model):
            for start in range(0, len(inputs["input_ids"]), self.batch_size):
                window = slice(start, start + self.batch_size)
                answer = self.model(**{name: tensor[window] for name, tensor in inputs.items()})
                rows.append(as_floats(answer["logits"], "logits"))
        return np.concatenate(rows)

    def _lattice(self, tokens: list[Any], rows: Floats, alignment: Alignment) -> Lattice:
        if not (rows < np.inf).all():
            words = alignment.gather(rows, "sum", log_softmax=False, missing="uniform")
            refuse_bad_scores(words, "logits of words", self.labels)
        scores = alignment.gather(rows, self.strategy, missing=self.missing, words=tokens)
        return Lattice(scores, labels=self.labels, tokens=tokens)


def from_transformers(
    model: Any,
    tokenizer: Any,
    *,
    strategy: Strategy = "first",
    missing: Missing = "raise",
    stride: int | None = None,
    max_length: int | None = None,
    batch_size: int = 8,
) -> TransformersTagger:
    """A tagger of words from a token classifier.

    For running text, which comes with character offsets, see `RuledTokenClassificationPipeline`.

    Parameters
    ----------
    model : a `...ForTokenClassification` model
        Its labels are `model.config.id2label`. It is used on its own device, without gradients and dropout.
    tokenizer : fast tokenizer
    strategy : "first", "last", "mean", "max" or "sum"
        How the scores of a word come from those of its sub-words; see `Alignment.gather`. "first" is right for
        models that were trained on first sub-words, as most are.
    missing : "raise" or "uniform"
        For words that were truncated or have no sub-word: raise an error that names them, or give equal scores.
    stride : int, optional
        Read long sequences in windows that overlap by this many sub-words, instead of truncating them. Each sub-word
        counts where it has more context, and rules see the whole sequence.
    max_length : int, optional
        The maximum length of a window in sub-words; by default that of the tokenizer or the model.
    batch_size : int
        Number of sequences, and of windows, that go into the model at once.

    Examples
    --------
    >>> import lawful
    >>> from lawful.testing.tiny_models import tiny_token_classifier
    >>> model, tokenizer = tiny_token_classifier(["O", "B-PER", "I-PER"], ["Ann", "saw", "Bo"])
    >>> decoder = lawful.Decoder(lawful.valid_tags("BIO"), tagger=from_transformers(model, tokenizer))
    >>> [len(labels) for labels in decoder.predict([["Ann", "saw", "Bo"], ["Bo"]])]
    [3, 1]
    """
    return TransformersTagger(
        model,
        tokenizer,
        strategy=strategy,
        missing=missing,
        stride=stride,
        max_length=max_length,
        batch_size=batch_size,
    )


def _joined(encoding: Any, scores: Floats, own: list[int]) -> tuple[Floats, list[int]]:
    """The rows of one sequence without special tokens, and the word of each, over all its windows."""
    keys: list[list[tuple[int, ...]]] = []
    positions: list[list[int]] = []
    words: list[list[int]] = []
    for window in own:
        numbers = encoding.word_ids(window)
        kept = [position for position, number in enumerate(numbers) if number is not None]
        ids, offsets = encoding["input_ids"][window], encoding["offset_mapping"][window]
        keys.append([(numbers[p], int(ids[p]), int(offsets[p][0]), int(offsets[p][1])) for p in kept])
        positions.append(kept)
        words.append([numbers[p] for p in kept])
    order = join_windows(keys)
    rows = [scores[own[window], positions[window][index]] for window, index in order]
    table: Floats = np.array(rows).reshape(len(rows), scores.shape[2])
    return table, [words[window][index] for window, index in order]


def _longest(model: Any, tokenizer: Any) -> int | None:
    limit = int(min(tokenizer.model_max_length, NO_LIMIT))
    if limit < NO_LIMIT:
        return limit
    known = getattr(model.config, "max_position_embeddings", None)
    return int(known) if isinstance(known, int) and known > 0 else None
