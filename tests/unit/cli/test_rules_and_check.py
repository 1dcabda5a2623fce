"""`lawful rules` and `lawful check`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from lawful.cli.main import run

RULES = r"""
labels = ["O", "Street", "City", "Zip"]

[tests]
five-digits = { matches = '\d{5}' }

[[rule]]
name = "one street"
kind = "at_most_segments"
n = 1
labels = "Street"

[[rule]]
kind = "when"
test = "five-digits"
then = "Zip"
price = 2
per = "violation"

[[rule]]
name = "<spans> & more"
kind = "uniform"
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "rules.toml"
    path.write_text(RULES)
    return str(path)


def test_rules_are_told_in_english_and_drawn(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", file]) == 0
    assert capsys.readouterr().out.startswith(TOLD)


TOLD = r"""one street
  There is at most one segment of Street; this must hold.
  automaton: 3 states, 2 classes
    0: O, City, Zip -> 0 | Street -> 1
    1: O, City, Zip -> 2 | Street -> 1
    2: O, City, Zip -> 2 | Street +1 -> 1

when(token.matches('\\d{5}')).then('Zip')
  A token that matches '\d{5}' is labelled Zip; each violation costs 2.
  automaton: 1 state, 2 classes
    0: any/fails; Zip/passes -> 0 | O, Street, City/passes +1 -> 0

<spans> & more
  All tokens of a span have the same label (spans: context 'spans'); this must hold.
  automaton: 5 states, 9 classes
    0: any/outside -> 0 | O/first, O/inside -> 1 | Street/first, Street/inside -> 2 |"""


def test_plain_and_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", file, "--plain"]) == 0
    assert "automaton" not in capsys.readouterr().out
    assert run(["rules", file, "--json"]) == 0
    first, second, _ = json.loads(capsys.readouterr().out)
    assert first["meaning"] == "There is at most one segment of Street; this must hold."
    assert (first["source"], first["line"], first["states"]) == (file, 7, 3)
    assert (second["price"], second["per"]) == (2.0, "violation")


def test_pictures(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", file, "--svg", str(tmp_path / "pictures")]) == 0
    names = sorted(one.name for one in (tmp_path / "pictures").iterdir())
    assert names == ["01-one-street.svg", "02-when-token-matches-d-5-then-Zip.svg", "03-spans-more.svg"]
    for name in names:
        ElementTree.fromstring((tmp_path / "pictures" / name).read_text())  # noqa: S314 - our own picture
    capsys.readouterr()
    assert run(["rules", file, "--dot"]) == 0
    assert capsys.readouterr().out.count("digraph {") == 3


def test_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--schema"]) == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


def test_without_labels_there_is_english_but_no_automaton(tmp_path: Path, capsys) -> None:
    path = tmp_path / "r.toml"
    path.write_text('[[rule]]\nkind = "forbid"\nlabels = "A"\n')
    assert run(["rules", str(path)]) == 0
    assert capsys.readouterr().out == "forbid('A')\n  No token is labelled A; this must hold.\n"
    assert run(["check", str(path)]) == 2
    assert "does not declare its labels" in capsys.readouterr().err
    assert run(["check", str(path), "--labels", "A, B"]) == 0
    assert run(["check", str(path), "--labels", "A"]) == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "contradiction: \"forbid('A')\" cannot hold, whatever the sequence",
        "sizes: 1 rules; the largest machine has 1 states",
    ]


def test_rules_from_stdin(file: str, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(RULES))
    assert run(["rules", "-"]) == 0
    assert capsys.readouterr().out.startswith(TOLD)
    monkeypatch.setattr(sys, "stdin", io.StringIO(RULES))
    assert run(["check", "-"]) == 0
    printed = capsys.readouterr().out
    assert run(["check", file]) == 0
    assert capsys.readouterr().out == printed


def test_mistakes_on_stdin(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(RULES.replace("at_most_segments", "at_most_segment")))
    assert run(["check", "-"]) == 2
    assert capsys.readouterr().err == (
        "lawful: <stdin>, line 9, rule 'one street', key 'kind': unknown kind of rule 'at_most_segment'; "
        "did you mean 'at_most_segments'?\n"
    )


def test_a_rule_file_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 2
    assert "needs a rule file" in capsys.readouterr().err
    assert run(["rules", "nowhere.toml"]) == 2
    assert capsys.readouterr().err == "lawful: nowhere.toml: cannot be read: No such file or directory\n"


def test_checking_within_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nkind = "at_least"\nn = 1\nlabels = "A"\n')
    assert run(["check", str(rules), "--labels", "A,B", "--timeout", "0.000001"]) == 0
    expected = "not checked: whether the hard rules can all hold: it was not answered in 1e-06 seconds"
    assert expected in capsys.readouterr().out
    assert run(["check", str(rules), "--labels", "A,B", "--timeout", "60"]) == 0
    assert "not checked" not in capsys.readouterr().out
