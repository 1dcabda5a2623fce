"""`lawful convert`, `lawful train --encoding` and `lawful search`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lawful
from lawful.automata.transducers.openfst_text import write_transducer
from lawful.cli.main import run
from lawful.encodings import Encoded, read_encoding, scheme_encoding

GOLD = """\
Ann B-PER
Lee I-PER
Bo B-PER
saw O
Bath B-LOC

it O
rains O

Bo B-PER
"""
TAGS = ["B-PER", "L-PER", "U-PER", "O", "U-LOC", "O", "O", "U-PER"]


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("gold.conll").write_text(GOLD)
    return "gold.conll"


def labels_in(path: str) -> list[str]:
    return [line.split()[1] for line in Path(path).read_text().splitlines() if line]


def test_labels_go_to_another_scheme_and_back(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", gold, "--to", "BILOU", "-o", "bilou.conll"]) == 0
    assert labels_in("bilou.conll") == TAGS
    assert "8 labels of 3 sequences converted\nall of them were valid" in capsys.readouterr().out
    assert run(["convert", "bilou.conll", "--to", "IOB2"]) == 0
    shown = capsys.readouterr()
    assert [line.split() for line in shown.out.splitlines() if line] == [
        line.split() for line in GOLD.splitlines() if line
    ]
    assert run(["convert", gold, "--to", "order2", "-o", "second.jsonl"]) == 0
    assert json.loads(Path("second.jsonl").read_text().splitlines()[2])["labels"] == ["B-PER.^"]


def test_what_is_not_valid_is_repaired_and_counted(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.conll").write_text("a O\nb I-PER\nc I-PER\n\nd O\n\ne I-LOC\nf O\n")
    assert run(["convert", "bad.conll", "--from", "IOB2", "--to", "IOBES", "-o", "good.conll", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["repaired_sequences"], told["repaired_labels"]) == (2, 2)
    assert [repair["line"] for repair in told["repairs"]] == [1, 7]
    assert labels_in("good.conll") == ["O", "B-PER", "E-PER", "O", "S-LOC", "O"]
    assert run(["convert", "bad.conll", "--from", "IOB2", "--to", "IOBES", "--strict"]) == 2
    assert "bad.conll, line 1: 1 label of this sequence would have to be changed" in capsys.readouterr().err


def test_encodings_in_files_work_both_ways(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_transducer(scheme_encoding("IOB2", "BILOU", ["LOC", "PER"]).transducer, "bilou.txt")
    assert run(["convert", gold, "--to", "bilou.txt", "-o", "tags.conll"]) == 0
    assert labels_in("tags.conll") == TAGS
    assert run(["convert", "tags.conll", "--to", "bilou.txt", "--back", "-o", "again.conll"]) == 0
    assert Path("again.conll").read_text().split() == GOLD.split()
    Path("foreign.txt").write_text("no transducer at all, but words\n")
    assert run(["convert", gold, "--to", "foreign.txt"]) == 2
    assert "foreign.txt is no encoding" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "IOBX"], "unknown encoding 'IOBX'; the encodings are canonical, IO, IOB1"),
        (["--to", "IOB1", "--from", "XYZ"], "--from: unknown scheme 'XYZ'"),
        (["--to", "IOB1", "--from", "BILOU", "--tag-separator", ""], "--tag-separator must not be empty"),
        (["--to", "IOB1", "--json"], "would both be written to stdout"),
        (["--to", "IOB1", "--from", "IOE1"], "is none of IOE1, whose tags are"),
        (["--to", "BILOU", "--tag-separator", "_"], "no chunks of any scheme"),
        (["--to", "BILOU", "--back"], "--back is for encodings in a file"),
        (["--to", "."], "is a folder, not an encoding"),
        (["--to", "BILOU", "-o", "gold.conll"], "would overwrite the input"),
    ],
)
def test_what_is_wrong_with_converting_is_said(
    gold: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["convert", gold, *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["crf", "hmm"])
def test_a_model_is_trained_in_an_encoding(gold: str, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    assert (
        run(["train", gold, "-o", "m.lawful", "--kind", kind, "--encoding", "IOBES", "--dev", gold, "--json"])
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["model"], told["encoding"], told["tags"], told["labels"]) == (kind, "IOBES of IOB2", 5, 5)
    model = lawful.load_model("m.lawful")
    assert isinstance(model, Encoded) and "I-LOC" in model.labels
    Path("rules.toml").write_text('[[rule]]\nkind = "at_most"\nn = 1\nlabels = "B-PER"\n')
    assert (
        run(
            [
                "decode",
                gold,
                "-m",
                "m.lawful",
                "-r",
                "rules.toml",
                "--label-column",
                "replace",
                "-o",
                "out.conll",
            ]
        )
        == 0
    )
    found = labels_in("out.conll")
    assert set(found) <= set(model.labels) and found[:5].count("B-PER") <= 1
    Path("tags.toml").write_text('[[rule]]\nkind = "at_most"\nn = 1\nlabels = "S-PER"\n')
    assert (
        run(["decode", gold, "-m", "m.lawful", "-r", "tags.toml"]) == 2
    )  # rules are about labels, not about tags
    assert "'S-PER'" in capsys.readouterr().err
    assert run(["train", gold, "-o", "m.lawful", "--encoding", "nothing"]) == 2
    assert "unknown encoding 'nothing'" in capsys.readouterr().err


def test_a_search_is_saved_drawn_told_and_resumed(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["search", gold, "--dev", gold, "-o", "best.json", "--kind", "hmm", "--seed", "3"]
    assert run([*base, "--max-trials", "4", "--picture", "best.svg", "--plot", "history.svg"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("span f1 on the held-out data: ") and " in 4 trials\n" in shown
    assert "5 labels as" in shown and "saved in best.json" in shown
    assert Path("best.svg").read_text().startswith("<svg") and "<svg" in Path("history.svg").read_text()
    assert run([*base, "--max-trials", "6", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["trials"], told["tried_now"]) == (6, 2) and told["gain"] >= 0
    assert read_encoding("best.json").encode(["B-PER"])
    assert run(["train", gold, "--encoding", "best.json", "-o", "m.lawful", "--kind", "hmm"]) == 0
    assert run([*base, "--max-trials", "6", "--beam", "2"]) == 2
    assert "the journal of a search over other data or with other settings" in capsys.readouterr().err


def test_a_search_may_look_at_tokens_and_use_codes(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["search", gold, "--dev", gold, "--max-trials", "3", "--json"]
    looking = [
        *base,
        "-o",
        "a.json",
        "--look-at-tokens",
        "--kind",
        "hmm",
        "--metric",
        "accuracy",
        "--jobs",
        "2",
    ]
    assert run(looking) == 0
    assert json.loads(capsys.readouterr().out)["metric"] == "accuracy"
    assert run([*base, "-o", "b.json", "--kind", "coded-crf", "--max-iterations", "5"]) == 0
    assert list(Path("b.json.models").glob("*.lawful"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kind", "memm"], "--kind must be crf, hmm or coded-crf, got 'memm'"),
        (["--metric", "speed"], "--metric must be accuracy or span-f1"),
        (["--kind", "hmm", "--max-iterations", "3"], "--max-iterations is for CRFs"),
        (["-o", "-"], "the best encoding goes to a file"),
        (["--encoding", "IO"], "IO of IOB2 is no encoding"),
        (["--journal", "gold.conll"], "would overwrite the input"),
    ],
)
def test_what_is_wrong_with_searching_is_said(
    gold: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    output = [] if "-o" in arguments else ["-o", "best.json"]
    assert run(["search", gold, "--dev", gold, *output, *arguments]) == 2
    assert message in capsys.readouterr().err
