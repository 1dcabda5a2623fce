from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.pytorch_crf import from_pytorch_crf

SMALL = SimpleNamespace(
    transitions=np.zeros((2, 2)), start_transitions=np.zeros(2), end_transitions=np.zeros(2), batch_first=True
)


def random_layer(labels: int, *, batch_first: bool, seed: int):
    torch = pytest.importorskip("torch")
    torchcrf = pytest.importorskip("torchcrf")
    torch.manual_seed(seed)
    layer = torchcrf.CRF(labels, batch_first=batch_first)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=1.5)
    return layer


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize(("precision", "apart"), [("float32", 1e-6), ("float64", 1e-12)])
@pytest.mark.parametrize("seed", range(4))
def test_decoding_and_normaliser_are_the_layers_own(
    batch_first: bool, precision: str, apart: float, seed: int
) -> None:
    layer = random_layer(7, batch_first=batch_first, seed=seed)
    import torch

    layer = layer.to(getattr(torch, precision))

    lengths = torch.tensor([25, 1, 13, 2, 25, 8])
    emissions = 2 * torch.randn(6, 25, 7, dtype=getattr(torch, precision))
    mask = torch.arange(25)[None] < lengths[:, None]
    given, given_mask = (emissions, mask) if batch_first else (emissions.transpose(0, 1), mask.T)
    lattices = from_pytorch_crf(layer, given, given_mask)
    expected = layer.decode(given, given_mask)
    assert [[int(name) for name in lawful.decode(one).labels] for one in lattices] == expected
    with torch.no_grad():
        normaliser = layer._compute_normalizer(emissions.transpose(0, 1), mask.T)
    assert [lawful.decoding.log_partition(one) for one in lattices] == pytest.approx(
        normaliser.tolist(), rel=apart
    )


def test_the_score_of_labels_is_the_layers_own() -> None:
    layer = random_layer(4, batch_first=True, seed=9)
    import torch

    emissions, tags = torch.randn(1, 6, 4), torch.tensor([[3, 0, 0, 2, 1, 3]])
    [lattice] = from_pytorch_crf(layer, emissions, labels=list("ABCD"))
    mask = torch.ones(1, 6, dtype=torch.bool)  # the layer's own default is of a deprecated type
    likelihood = float(layer(emissions, tags, mask).detach())
    ours = lawful.lattice.path_score(lattice, list("DAACBD")) - lawful.decoding.log_partition(lattice)
    assert ours == pytest.approx(likelihood, abs=1e-5)


def test_rules_over_the_layers_scores() -> None:
    layer = random_layer(3, batch_first=True, seed=2)
    import torch

    emissions = torch.randn(4, 9, 3)
    tokens = [list("abcdefghi")] * 4
    lattices = from_pytorch_crf(layer, emissions, labels={0: "O", 1: "B", 2: "I"}, tokens=tokens)
    decoder = lawful.Decoder(
        [lawful.exactly_segments(1, "B"), lawful.when(lawful.token.is_in(["c"])).then("B")],
        labels=["O", "B", "I"],
    )
    for answer in decoder.decode_batch(lattices):
        assert answer.labels[2] == "B"
        assert answer.status == "optimal"


@pytest.mark.parametrize(
    ("emissions", "mask", "says"),
    [
        (np.zeros((2, 2)), None, r"\(T, B, K\)"),
        (np.zeros((1, 3, 2)), [[1, 0, 1]], "sequence 1 is 0 at 1 and 1 again at 2"),
        (np.zeros((1, 3, 2)), [[0, 0, 0]], r"logits\[0\]"),
        (np.zeros((1, 3, 4)), None, "2 labels"),
    ],
)
def test_mistakes_say_what_was_expected(emissions, mask, says: str) -> None:
    with pytest.raises(errors.InputError, match=says):
        from_pytorch_crf(SMALL, emissions, mask)
