"""The experiment on votes, from files to its page, on a small corpus of the same format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

SENTENCES = [
    "The/DT/I cat/NN/I saw/VBD/O a/DT/I dog/NN/I ././O",
    "Dogs/NNS/I see/VBP/O the/DT/I cat/NN/I the/DT/B man/NN/I fed/VBD/O",
    "He/PRP/I ran/VBD/O yesterday/NN/I the/DT/B man/NN/I said/VBD/O",
]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    from experiments.encodings import data
    from experiments.voting import voters

    folder = tmp_path / "rm95_basenp"
    folder.mkdir()
    text = "".join("\n".join(_rows(sentence)) + "\n\n" for sentence in SENTENCES * 7)
    for split in ("train", "test"):
        (folder / f"{split}.dat").write_text(text)
    monkeypatch.setenv("LAWFUL_DATA", str(tmp_path))
    monkeypatch.setattr(voters, "MODELS", tmp_path / "models")
    kept = (data.part, data.start, data.second_order)
    for function in kept:
        function.cache_clear()
    yield tmp_path
    for function in kept:
        function.cache_clear()


def test_members_weights_votes_and_the_page(corpus: Path) -> None:
    from experiments.shared.journal import Journal
    from experiments.voting import voters, votes
    from experiments.voting.page import make_page

    journal = Journal(corpus / "voting.jsonl")
    assert votes.test_run("orders", journal.find) is None
    for member in votes.members_of("orders"):
        settings = voters.member_run(member)
        journal.add(settings, votes.work(settings))
        chosen = journal.result(settings)
        assert chosen["f1"] == max(chosen["held"].values()) == chosen["held"][f"{chosen['c2']:g}"]
    for search in votes.searches_of("orders"):
        wanted = votes.weights_run("orders", *search, journal.find)
        assert wanted is not None
        journal.add(wanted, votes.work(wanted))
        assert sum(journal.result(wanted)["weights"]) == pytest.approx(1)
    tested = votes.test_run("orders", journal.find)
    assert tested is not None
    journal.add(tested, votes.work(tested))
    result = journal.result(tested)
    assert result["scores"]["log-linear, grid"][2] == result["scores"]["order 2"][2] == 1.0
    assert result["paths"]["unproved"] == 0 and result["sentences"] == 21
    asked = votes.errors_run("orders", journal.find)
    assert asked is not None
    errors = votes.work(asked)
    assert errors["best"] == "IOB1" and errors["missed"] == errors["wrong of most alone"] == 0
    assert errors["found"] > 0 == errors["found, not by most"]
    page = make_page(journal.find)
    assert "| order 2 | 0." in page and "| 100.00 | 100.00 | 100.00 |" in page
    assert "every sentence proved" in page and "## Not run here" in page


def test_a_member_without_weight_is_left_out(corpus: Path) -> None:
    """0 times the -inf of what a model forbids would be no number."""
    from experiments.encodings.data import part
    from experiments.voting import voters, votes

    models = [voters.voter(member, "train", 0.3) for member in votes.members_of("orders")]
    counted = votes._Counted(models, {"linear, grid": [0.5, 0.5], "log-linear, coordinates": [0.0, 1.0]})
    outputs = counted.outputs(part("np", "test").tokens[:3], ("IOB1", "order 2"))
    assert outputs["log-linear, coordinates"] == outputs["order 2"]


def _rows(sentence: str) -> list[str]:
    return [" ".join(word.split("/")) if word[0] != "." else ". . O" for word in sentence.split()]
