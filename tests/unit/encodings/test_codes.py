"""Output codes: one binary model per bit, added up; and models that are trained once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful.encodings import Coded, Encoded, ModelStore, history_encoding, prefix_code
from lawful.errors import InputError, NotFittedError
from lawful.lattice import path_score

X = [["a", "b", "c", "a"], ["b", "a"], ["c", "c", "b"]]
Y = [["I.1", "I.2.1", "O", "I.2.2"], ["O", "I.1"], ["B", "O", "I.2.1"]]


def test_the_code_of_the_figure() -> None:
    """Figure 4.11: 9 bits for 6 labels, one for each label and each prefix that several share."""
    labels = ["I.1", "I.2.1", "I.2.2", "O.1", "O.2", "B"]
    code = prefix_code(labels)
    columns = {tuple(code[label][bit] for label in labels) for bit in range(9)}
    assert len(code["B"]) == 9
    assert columns == {
        (1, 1, 1, 0, 0, 0),
        (0, 1, 1, 0, 0, 0),
        (0, 0, 0, 1, 1, 0),
        *(tuple(int(i == j) for i in range(6)) for j in range(6)),
    }


def test_the_score_is_the_product_of_all_bits() -> None:
    model = Coded(lawful.CRF(c2=0.1, start=True, end=True)).fit(X, Y)
    assert model.predict(X) == Y
    rng = np.random.default_rng(0)
    for tokens in X:
        lattice = model.lattice(tokens)
        for _ in range(20):
            labels = [model.labels[int(k)] for k in rng.integers(len(model.labels), size=len(tokens))]
            bits = [
                path_score(binary.lattice(tokens), ["01"[model.code_[label][bit]] for label in labels])
                for bit, binary in enumerate(model.models_)
            ]
            assert path_score(lattice, labels) == pytest.approx(sum(bits))


def test_models_are_trained_once(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "models")
    first = Coded(lawful.HMM(), store=store).fit(X, Y)
    trained = store.trained
    again = Coded(lawful.HMM(), store=store).fit(X, Y)
    assert store.trained == trained and store.reused == len(again.models_)
    assert again.predict(X) == first.predict(X)
    # A tag is split: the bits of the others are the same data, so they are not trained again.
    split = [["I.1", "I.2.1", "O.1", "I.2.2"], *Y[1:]]
    Coded(lawful.HMM(), store=store).fit(X, split)
    assert 0 < store.trained - trained <= 3
    # Other tokens or parameters are other models.
    before = store.trained
    Coded(lawful.HMM(emission_smoothing=2.0), store=store).fit(X, Y)
    assert store.trained == before + len(first.models_)


def test_a_store_keeps_what_was_used_last(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "models", max_bytes=20_000)
    for number in range(30):
        store.model(f"settings {number}", ["1"], lambda: lawful.HMM().fit([["a"]], [["1"]]))
    sizes = [path.stat().st_size for path in (tmp_path / "models").iterdir()]
    assert 0 < sum(sizes) <= 20_000
    trained = store.trained
    store.model("settings 29", ["1"], lambda: lawful.HMM().fit([["a"]], [["1"]]))
    assert store.trained == trained


def test_equal_fingerprints_and_damaged_files_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ModelStore(tmp_path / "models")
    monkeypatch.setattr("lawful.encodings.model_store.digest_of", lambda *_: "same")
    first = store.model("s", ["10"], lambda: lawful.HMM().fit([["a", "b"]], [["1", "0"]]))
    second = store.model("s", ["01"], lambda: lawful.HMM().fit([["a", "b"]], [["0", "1"]]))
    assert first.predict([["a", "b"]]) == [["1", "0"]] and second.predict([["a", "b"]]) == [["0", "1"]]
    assert store.trained == 2
    (tmp_path / "models" / "same.lawful").write_bytes(b"damaged")
    store.model("s", ["01"], lambda: lawful.HMM().fit([["a", "b"]], [["0", "1"]]))
    assert store.trained == 3


def test_a_coded_model_in_an_encoding_is_saved_and_ruled(tmp_path: Path) -> None:
    words, labels = [["x"] * 6] * 2, [list("AABAAB")] * 2
    model = Encoded(Coded(lawful.CRF(c2=0.01)), history_encoding(["A", "B"], 3)).fit(words, labels)
    assert model.predict(words) == labels
    model.save(tmp_path / "coded.lawful")
    again = lawful.load_model(tmp_path / "coded.lawful")
    rules = lawful.at_most(1, "B").soft(1.0)
    assert again.predict(words, rules=rules) == model.predict(words, rules=rules)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        Coded(lawful.HMM()).lattice(["a"])
    with pytest.raises(InputError, match="max_bytes must be a whole number of 1 or more"):
        ModelStore(tmp_path, max_bytes=0)
