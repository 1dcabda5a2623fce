from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.logits import from_logits, from_logits_batch
from lawful.adapters.torch import from_torch

torch = pytest.importorskip("torch")
LABELS = ["O", "Name"]


class Scorer(torch.nn.Module):
    """Ids to logits, by way of an LSTM, so that padding would show if it leaked in."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embedding = torch.nn.Embedding(10, 4)
        self.reader = torch.nn.LSTM(4, 4, batch_first=True)
        self.dropout = torch.nn.Dropout(dropout)
        self.output = torch.nn.Linear(4, 2)

    def forward(self, ids, mask=None):
        if mask is not None:
            assert mask.dtype == torch.bool
        return self.output(self.dropout(self.reader(self.embedding(ids))[0]))


def encode(tokens):
    return [len(token) for token in tokens]


SENTENCES = [["Ann", "saw", "Bo"], ["Bo"], ["she", "left", "again", "today"]]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_tensors_of_any_float_type_with_gradients(dtype) -> None:
    tensor = torch.tensor([[0.5, -1.25], [2.0, 0.0]], dtype=dtype, requires_grad=True)
    lattice = from_logits(tensor * 1, LABELS, log_softmax=False)
    assert lattice.emissions.tolist() == [[0.5, -1.25], [2.0, 0.0]]
    assert tensor.requires_grad


def test_normalised_as_torch_does_it() -> None:
    tensor = torch.randn(4, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ours = from_logits(tensor, LABELS).emissions
    assert ours == pytest.approx(torch.log_softmax(tensor, dim=-1).numpy(), abs=1e-12)


def test_masks_lengths_and_lists_of_tensors() -> None:
    batch = torch.zeros(2, 3, 2)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    assert [one.length for one in from_logits_batch(batch, LABELS, mask=mask)] == [3, 1]
    assert [one.length for one in from_logits_batch(batch, LABELS, lengths=mask.sum(1))] == [3, 1]
    assert [one.length for one in from_logits_batch([batch[0], batch[1, :2]], LABELS)] == [3, 2]


def test_a_bad_score_is_named() -> None:
    tensor = torch.zeros(3, 2, dtype=torch.bfloat16)
    tensor[2, 1] = float("nan")
    with pytest.raises(errors.ScoreError, match=r"logits\[2, 1\] \(label 'Name'\) is nan"):
        from_logits(tensor, LABELS)


@pytest.mark.parametrize("with_mask", [False, True])
def test_batches_score_as_single_sequences_do(with_mask: bool) -> None:
    module = Scorer()
    tagger = from_torch(module, encode, LABELS, batch_size=2, with_mask=with_mask)
    assert isinstance(tagger, lawful.Tagger)
    for tokens, lattice in zip(SENTENCES, tagger.lattices(SENTENCES), strict=True):
        with torch.no_grad():
            logits = module(torch.tensor([encode(tokens)]))[0]
        assert lattice.emissions == pytest.approx(torch.log_softmax(logits, -1).double().numpy(), abs=1e-6)
        assert np.allclose(tagger.lattice(tokens).emissions, lattice.emissions, atol=1e-6)
        assert lattice.tokens == tuple(tokens)


def test_dropout_is_off_while_scoring_and_back_afterwards() -> None:
    module = Scorer(dropout=0.5).train()
    tagger = from_torch(module, encode, LABELS)
    first, second = (tagger.lattice(SENTENCES[0]).emissions for _ in range(2))
    assert np.array_equal(first, second)
    assert module.training


def test_rules_through_a_decoder() -> None:
    decoder = lawful.Decoder(lawful.exactly(1, "Name"), tagger=from_torch(Scorer(), encode, LABELS))
    assert [labels.count("Name") for labels in decoder.predict(SENTENCES)] == [1, 1, 1]


def test_one_row_a_token() -> None:
    tagger = from_torch(Scorer(), lambda tokens: [1], LABELS)
    with pytest.raises(errors.InputError, match="3 tokens, 1 rows"):
        tagger.lattice(SENTENCES[0])
    with pytest.raises(errors.EmptySequenceError):
        tagger.lattice([])
