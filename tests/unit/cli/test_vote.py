"""`lawful vote`: files of any taggers, n-best lists, models; rules hold, and files that do not fit together are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.cli.main import run
from lawful.encodings import Encoded, scheme_encoding

A = "My P\nfather N\nflies V\njets N\n\na P\ndog N\n"
B = "My P\nfather V\nflies N\njets N\n\na P\ndog N\n"
C = "My P\nfather N\nflies N\njets V\n\na P\ndog V\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": A, "b": B, "c": C}.items():
        Path(f"{name}.conll").write_text(text)


def labels_in(text: str) -> list[str]:
    return ["".join(line.split()[-1] for line in block.splitlines()) for block in text.strip().split("\n\n")]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["PNNN", "PN"]),
        (["--method", "repaired"], ["PNVN", "PN"]),
        (["--method", "linear"], ["PNVN", "PN"]),
        (["--weights", "1,3,1"], ["PVNN", "PN"]),
    ],
)
def test_files_vote(options: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vote", "a.conll", "b.conll", "c.conll", *options]) == 0
    assert labels_in(capsys.readouterr().out) == expected


@pytest.mark.parametrize("method", ["local", "repaired", "linear"])
def test_rules_hold(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    lawful.write_rules(lawful.Rules(lawful.exactly(1, "V"), lawful.ends_with("V")), "rules.toml")
    arguments = ["vote", "a.conll", "b.conll", "c.conll", "--rules", "rules.toml", "--method", method]
    assert run(arguments) == 0
    assert labels_in(capsys.readouterr().out) == ["PNNV", "PV"]


def test_a_vote_is_explained_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vote", "a.conll", "b.conll", "c.conll", "--method", "linear", "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["vote"]["winners"] == ["a.conll"] and first["vote"]["disputed"] == [1, 2, 3]
    assert [tagger["name"] for tagger in second["vote"]["taggers"]] == ["a.conll", "b.conll", "c.conll"]
    assert second["vote"]["taggers"][2]["labels"] == ["P", "V"]


def test_a_vote_is_explained_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vote", "a.conll", "b.conll", "c.conll", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "sequence 1 (a.conll, line 1)\na compromise won the local vote of 3 taggers" in out
    assert "sequence 2 (a.conll, line 6)\na.conll and b.conll won" in out
    assert run(["vote", "a.conll", "a.conll", "--explain"]) == 0
    told = capsys.readouterr()
    assert not told.out and "all taggers agree" in told.err


def test_files_in_other_schemes_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bio.conll").write_text("the B-NP\ncat I-NP\nran O\n")
    Path("bioes.conll").write_text("the B-NP\ncat E-NP\nran O\n")
    assert run(["vote", "bio.conll", "bioes.conll"]) == 0
    assert "bioes.conll has the tags E, and bio.conll has none of the kind" in capsys.readouterr().err
    assert run(["vote", "a.conll", "b.conll"]) == 0  # no chunks
    assert not capsys.readouterr().err


def test_lists_with_nothing_in_common(capsys: pytest.CaptureFixture[str]) -> None:
    for name, labels in (("first", ["A", "B"]), ("second", ["A", "A"])):
        lists = [{"labels": labels, "score": -0.1}, {"labels": [name[0].upper()] * 2, "score": -3}]
        Path(f"{name}.jsonl").write_text(json.dumps({"tokens": ["x", "y"], "nbest": lists}) + "\n")
    assert run(["vote", "first.jsonl", "second.jsonl", "--method", "log-linear"]) == 1
    assert "the taggers have no label sequence in common" in capsys.readouterr().err


def test_other_schemes_are_converted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bio.conll").write_text("the B-NP\ncat I-NP\nran O\n")
    Path("bioes.conll").write_text("the B-NP\ncat E-NP\nran O\n")
    arguments = ["vote", "bio.conll", "bioes.conll", "--scheme", "IOB2", "--schemes", "IOB2,IOBES"]
    assert run(arguments) == 0
    assert capsys.readouterr().out.split() == ["the", "B-NP", "cat", "I-NP", "ran", "O"]


def test_lists_vote_with_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    first = {
        "tokens": ["x", "y"],
        "nbest": [{"labels": ["A", "B"], "score": -0.7}, {"labels": ["B", "B"], "score": -0.8}],
    }
    second = {"tokens": ["x", "y"], "decoding": {"nbest": [{"labels": ["B", "B"], "score": -0.1}]}}
    Path("first.jsonl").write_text(json.dumps(first) + "\n")
    Path("second.jsonl").write_text(json.dumps(second) + "\n")
    for method in ("linear", "log-linear"):
        assert run(["vote", "first.jsonl", "second.jsonl", "--method", method]) == 0
        assert json.loads(capsys.readouterr().out)["labels"] == ["B", "B"]


def test_models_vote(capsys: pytest.CaptureFixture[str]) -> None:
    X = [["the", "big", "cat", "the", "dog", "ran"], ["a", "cat", "saw", "a", "dog"], ["dogs", "ran"]] * 3
    y = [["I", "I", "I", "B", "I", "O"], ["I", "I", "O", "I", "I"], ["I", "O"]] * 3
    lawful.HMM().fit(X, y).save("hmm.lawful")
    Encoded(lawful.CRF(), scheme_encoding("IOB1", "IOE2")).fit(X, y).save("ioe2.lawful")
    Path("text.conll").write_text("the\ncat\nran\n\n")
    arguments = ["vote", "text.conll", "-m", "hmm.lawful", "-m", "ioe2.lawful", "--label", "none"]
    for method in ("log-linear", "linear", "local"):
        assert run([*arguments, "--method", method]) == 0
        assert capsys.readouterr().out.split() == ["the", "I", "cat", "I", "ran", "O"]
    lawful.models.Perceptron().fit(X, y).save("perceptron.lawful")
    assert run([*arguments, "-m", "perceptron.lawful", "--method", "linear"]) == 2
    assert "the scores of perceptron.lawful are none" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["log-linear", "linear", "local", "repaired"])
def test_a_saved_ensemble_votes_as_it_was_made(method: Any, capsys: pytest.CaptureFixture[str]) -> None:
    X, y = [["the", "cat", "ran"], ["dogs", "ran"]] * 3, [["I", "I", "O"], ["I", "O"]] * 3
    models = [lawful.HMM(), Encoded(lawful.CRF(), scheme_encoding("IOB1", "IOE2"))]
    lawful.Ensemble(models, [1, 3], method=method, names=["plain", "ends"]).fit(X, y).save("both.lawful")
    Path("text.conll").write_text("the\ncat\nran\n\n")
    arguments = ["vote", "text.conll", "-m", "both.lawful", "--label", "none"]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labels"] == ["I", "I", "O"] and told["vote"]["method"] == method
    voters = [(tagger["name"], tagger["weight"]) for tagger in told["vote"]["taggers"]]
    assert voters == [("plain", 0.25), ("ends", 0.75)]
    assert run([*arguments, "--json", "--method", "linear", "--weights", "1,1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["vote"]["method"] == "linear" and told["vote"]["taggers"][0]["weight"] == 0.5
    assert run([*arguments, "--weights", "1"]) == 2
    assert "--weights has 1 numbers, but there are 2 taggers" in capsys.readouterr().err
    if method != "log-linear":
        lawful.write_rules(lawful.Rules(lawful.at_most(1, "I")), "rules.toml")
        arguments = ["decode", "text.conll", "-m", "both.lawful", "--label", "none", "--rules", "rules.toml"]
        assert run(arguments) == 2
        assert "`lawful vote FILE --model ENSEMBLE`" in capsys.readouterr().err
        for command in (["serve"], ["report", "text.conll", "-o", "report.html", "-r", "rules.toml"]):
            assert run([*command, "-m", "both.lawful"]) == 2
            assert f"both.lawful is a {method} vote, and only log-linear ones" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            A.replace("jets", "get"),
            "b.conll, line 4: sequence 1 has the token 'get' where a.conll has 'jets'",
        ),
        (A.replace("jets N\n", ""), "b.conll, line 1: sequence 1 has 3 tokens, but 4 in a.conll"),
        (A.split("\n\n")[0] + "\n", "b.conll has 1 sequences, but a.conll has 2"),
    ],
)
def test_files_that_do_not_fit_together(
    changed: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("b.conll").write_text(changed)
    assert run(["vote", "a.conll", "b.conll"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.conll"], "at least two taggers"),
        (["a.conll", "b.conll", "--weights", "1"], "--weights has 1 numbers, but there are 2 taggers"),
        (["a.conll", "b.conll", "--weights", "1,x"], "--weights must be numbers"),
        (["a.conll", "b.conll", "--weights", "0,0"], "at least one weight must be above 0"),
        (["a.conll", "b.conll", "--method", "log-linear"], "these files give one answer each"),
        (["a.conll", "b.conll", "--method", "mean"], "--method must be"),
        (["a.conll", "b.conll", "--scheme", "IOB2"], "pass both, or none"),
        (["a.conll", "b.conll", "--scheme", "X", "--schemes", "IOB2,IOB2"], "unknown chunk scheme 'X'"),
        (["a.conll", "b.conll", "--scheme", "IOB2", "--schemes", "IOB2"], "--schemes has 1 names"),
        (["a.conll", "b.conll", "--method", "linear", "--tolerance", "2"], "tolerance must be a number"),
        (["a.conll", "missing.conll"], "missing.conll"),
        (["-", "-"], "only one of the files can be stdin"),
        (["a.conll", "b.conll", "-m", "x.lawful"], "with --model there is one file to label"),
        (["a.conll", "b.conll", "-o", "./b.conll"], "would overwrite the input b.conll"),
        (
            ["a.conll", "b.conll", "--max-paths", "3"],
            "--max-paths is for linear votes, and this one is local",
        ),
        (["a.conll", "b.conll", "--tolerance", "0.1", "--method", "repaired"], "--tolerance is for linear"),
        (["a.conll", "b.conll", "--explain", "--json"], "--explain prints text in place of labels"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vote", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("nbest", "message"),
    [
        ("x", "'nbest' must be a list of candidates"),
        ([], "'nbest' must be a list of candidates"),
        ([{"labels": ["A"]}], "candidate 1 of 'nbest' must be"),
        ([{"labels": ["A", "B"], "score": 0}], "has 2 labels for 1 tokens"),
        ([{"labels": ["A"], "score": "0"}], "its score must be a finite number"),
        ([{"labels": ["A"], "score": float("-inf")}], "its score must be a finite number, got -inf"),
        ([{"labels": ["A"], "score": -1e303}], "its score must be a log-probability, at most 1e+302 in size"),
        ([{"labels": "A", "score": 0}], "must have a list of labels"),
    ],
)
def test_damaged_lists_are_refused(nbest: object, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    good = {"tokens": ["x"], "nbest": [{"labels": ["A"], "score": 0}]}
    Path("good.jsonl").write_text(json.dumps(good) + "\n")
    Path("bad.jsonl").write_text(json.dumps({"tokens": ["x"], "nbest": nbest}) + "\n")
    assert run(["vote", "good.jsonl", "bad.jsonl"]) == 2
    error = capsys.readouterr().err
    assert message in error and "bad.jsonl, line 1" in error


def test_rules_that_cannot_hold_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    lawful.write_rules(lawful.Rules(lawful.at_least(3, "V"), lawful.at_most(2, "V")), "rules.toml")
    assert run(["vote", "a.conll", "b.conll", "--rules", "rules.toml"]) == 1
    error = capsys.readouterr().err
    assert "cannot all hold" in error and "a.conll, line 1" in error
