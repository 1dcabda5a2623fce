"""The experiment on votes, from files to its page, on a small corpus of the same format."""

from __future__ import annotations

from pathlib import Path

import pytest

SENTENCES = [
    "The/DT/I cat/NN/I saw/VBD/O a/DT/I dog/NN/I ././O",
    "Dogs/NNS/I see/VBP/O the/DT/I cat/NN/I the/DT/B man/NN/I fed/VBD/O",
    "He/PRP/I ran/VBD/O yesterday/NN/I the/DT/B man/NN/I said/VBD/O",
]


def test_weights_votes_and_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments.voting import voters, votes
    from experiments.voting.page import make_page

    folder = tmp_path / "rm95_basenp"
    folder.mkdir()
    text = "".join("\n".join(_rows(sentence)) + "\n\n" for sentence in SENTENCES * 7)
    for split in ("train", "test"):
        (folder / f"{split}.dat").write_text(text)
    monkeypatch.setenv("LAWFUL_DATA", str(tmp_path))
    monkeypatch.setattr(voters, "MODELS", tmp_path / "models")
    weights = {}
    chosen = {}
    for method in ("log-linear", "linear"):
        chosen[method] = votes.work(votes.weights_run("orders", method))
        weights[method] = chosen[method]["weights"]
        assert sum(weights[method]) == pytest.approx(1) and chosen[method]["tried"] == 11
    result = votes.work(votes.test_run("orders", weights))
    assert result["scores"]["log-linear"][2] == result["scores"]["order 2"][2] == 1.0
    assert result["paths"]["unproved"] == 0 and result["sentences"] == 21
    page = make_page({"orders": (result, chosen)})
    assert "| order 2 | 100.00 | 100.00 | 100.00 |" in page
    assert "every sentence proved" in page


def _rows(sentence: str) -> list[str]:
    return [" ".join(word.split("/")) if word[0] != "." else ". . O" for word in sentence.split()]
