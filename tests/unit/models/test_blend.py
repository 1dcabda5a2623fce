"""Blends of models: averages of scores or of probabilities, and their files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful import HMM
from lawful.errors import DamagedFileError, InputError, LabelSetError
from lawful.models import Blend
from lawful.models.saving import read_model, write_model

X = [["a", "b"], ["b", "c", "a"], ["c"]]
ONE = HMM().fit(X, [["P", "Q"], ["P", "P", "Q"], ["Q"]])
OTHER = HMM(end=False).fit([["c", "a"], ["d"]], [["P", "Q"], ["P"]])


def arrays(model: lawful.models.SequenceModel, tokens: list[str]) -> list[np.ndarray]:
    lattice = model.lattice(tokens)
    assert isinstance(lattice, lawful.Lattice)
    nothing = np.zeros(2)
    found = (lattice.emissions, lattice.transitions, lattice.start, lattice.end)
    return [nothing if one is None else one for one in found]


@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_scores_are_averaged(weight: float) -> None:
    blend = Blend([ONE, OTHER], [weight, 1 - weight])
    for tokens in (["a", "d"], ["zzz"]):
        for mixed, a, b in zip(
            arrays(blend, tokens), arrays(ONE, tokens), arrays(OTHER, tokens), strict=True
        ):
            assert mixed == pytest.approx(weight * a + (1 - weight) * b)


def test_probabilities_are_averaged() -> None:
    blend = Blend([ONE, OTHER], [0.3, 0.7], how="probabilities")
    for mixed, a, b in zip(
        arrays(blend, ["a", "d"]), arrays(ONE, ["a", "d"]), arrays(OTHER, ["a", "d"]), strict=True
    ):
        assert np.exp(mixed) == pytest.approx(0.3 * np.exp(a) + 0.7 * np.exp(b))


def test_a_forbidden_label_stays_forbidden_in_scores_only() -> None:
    never = HMM(emission_smoothing=0.0, transition_smoothing=0.0, rare=0).fit([["a", "b"]], [["P", "Q"]])
    tokens = ["a"]
    assert arrays(Blend([ONE, never], [0.5, 0.5]), tokens)[0][0, 1] == -np.inf
    assert np.isfinite(arrays(Blend([ONE, never], [0.5, 0.5], how="probabilities"), tokens)[0][0, 1])
    assert np.isfinite(arrays(Blend([ONE, never], [1.0, 0.0]), tokens)[0][0, 1])


def test_a_blend_is_fitted_and_saved(tmp_path: Path) -> None:
    blend = Blend([HMM(), HMM(end=False)], [0.5, 0.5]).fit(X, [["P", "Q"], ["P", "P", "Q"], ["Q"]])
    blend.save(tmp_path / "m")
    loaded = lawful.load_model(tmp_path / "m")
    assert isinstance(loaded, Blend)
    assert loaded.get_params(deep=False)["weights"] == [0.5, 0.5]
    for mine, theirs in zip(arrays(blend, ["a", "?"]), arrays(loaded, ["a", "?"]), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_a_file_with_half_a_blend_is_damaged(tmp_path: Path) -> None:
    Blend([ONE, OTHER], [0.5, 0.5]).save(tmp_path / "m")
    saved = read_model(tmp_path / "m")
    kept = {name: array for name, array in saved.arrays.items() if not name.startswith("1.")}
    write_model(tmp_path / "half", saved.kind, saved.meta, kept)
    with pytest.raises(DamagedFileError, match="KeyError"):
        lawful.load_model(tmp_path / "half")


@pytest.mark.parametrize(
    ("models", "weights", "how", "says"),
    [
        ([ONE], [0.5, 0.5], "scores", "1 models but 2 weights"),
        ([ONE, OTHER], [0.5, 0.4], "scores", "sum 1"),
        ([ONE, OTHER], [1.5, -0.5], "scores", "sum 1"),
        ([ONE, OTHER], [0.5, 0.5], "hope", "'hope'"),
    ],
)
def test_what_makes_no_sense_is_told(models: list, weights: list, how: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Blend(models, weights, how=how)


def test_labels_must_agree() -> None:
    with pytest.raises(LabelSetError):
        Blend([ONE, HMM().fit([["a"]], [["Z"]])], [0.5, 0.5])
