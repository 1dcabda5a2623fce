"""Manners of the command line: help everywhere, one style of error, one name for one thing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lawful
from lawful.cli.main import COMMANDS, run


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_there_however_it_is_asked_for(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = set()
    for arguments in ([command, "-h"], [command, "--help"], ["help", command]):
        assert run(arguments) == 0
        shown.add(capsys.readouterr().out)
    assert len(shown) == 1
    assert "-h, --help" in shown.pop()


def test_wrong_options_are_told_as_all_else_is(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["decode", "--modle", "x"],
        ["train"],
        ["decode", "--model"],
        ["evaluate", "x", "--folds", "one"],
    ):
        assert run(arguments) == 2
        told = capsys.readouterr().err
        assert told.startswith("lawful: ") and told.count("\n") == 1
        assert f"`lawful {arguments[0]} -h` shows the options" in told
    for arguments, wording in (
        (["mine", "x", "--jobs", "two"], "invalid value for '--jobs' / '-j': expected a whole number;"),
        (["mine", "x", "--held-out", "half"], "invalid value for '--held-out': expected a number;"),
        (["mine", "x", "--hard-support", "0"], "expected a number greater than or equal to 1;"),
    ):
        assert run(arguments) == 2
        assert wording in capsys.readouterr().err
    assert run(["help", "tran"]) == 2
    assert "did you mean 'train'" in capsys.readouterr().err


def test_an_empty_file_is_no_model(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.lawful").touch()
    assert run(["decode", made.test, "-m", str(tmp_path / "empty.lawful")]) == 2
    assert "empty.lawful: the file is empty; expected a model" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_completes_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command in script for command in COMMANDS)
    assert "confidence-column" in script
    assert run(["completion", "tcsh"]) == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_takes_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == 0
    script = tmp_path / "lawful.bash"
    script.write_text(capsys.readouterr().out)
    ask = f"source {script}; COMP_WORDS=(lawful decode --conf); COMP_CWORD=2; _lawful; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--confidence", "--confidence-column"]


def test_rules_are_named_by_r_everywhere(made, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["check"], ["rules", "--plain"], ["lint", made.gold, "--json"]):
        given = [arguments[0], made.rules, *arguments[1:]]
        assert run(given) == 0
        by_position = capsys.readouterr().out
        assert run([*arguments, "-r", made.rules]) == 0
        assert capsys.readouterr().out == by_position != ""
        assert run([*given, "-r", made.rules]) == 2
        assert "takes one rule file" in capsys.readouterr().err
    assert run(["lint", made.rules]) == 2


def test_check_takes_the_labels_of_a_model(made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "r.toml"
    rules.write_text('[[rule]]\nname = "no notes"\nkind = "forbid"\nlabels = "note"\n')
    assert run(["check", str(rules)]) == 2
    assert "does not declare its labels" in capsys.readouterr().err
    assert run(["check", str(rules), "--model", made.model]) == 0
    assert "note" in capsys.readouterr().out


def test_explain_shows_the_labels_of_a_text_that_rules_leave_alone(
    made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", "-m", made.model, "--text", "Lee, A. On rules."]) == 0
    printed = capsys.readouterr().out
    assert "  Lee    author\n" in printed


def test_rules_may_be_the_path_of_a_file(made) -> None:
    model, test = lawful.load_model(made.model), lawful.read_corpus(made.test)
    rules = lawful.read_rules(made.rules)
    assert model.predict(test, made.rules) == model.predict(test, rules)
    lattice = model.lattice(test[0].tokens)
    assert lawful.decode(lattice, Path(made.rules)).labels == lawful.decode(lattice, rules).labels
    assert lawful.Decoder(made.rules, tagger=model).rules == rules


def test_rules_about_tokens_can_be_counted_with_lists_of_labels() -> None:
    rule = lawful.when(lawful.token.matches(r"\d+")).then("date").named("digits")
    found = lawful.evaluate([["date"]], [["title"]], rules=rule, tokens=[["1999"]])
    assert found.violations["digits"].predicted == 1
    with pytest.raises(lawful.InputError, match="has 1 labels, but 2 tokens"):
        lawful.evaluate([["date"]], [["title"]], rules=rule, tokens=[["a", "b"]])


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell")
def test_closed_streams_are_as_dev_null(made, tmp_path: Path) -> None:
    decode = f"{sys.executable} -m lawful decode {made.test} -m {made.model}"
    where = {**os.environ, "PYTHONPATH": str(Path(lawful.__file__).parents[1])}

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path, env=where
        )

    assert (run_closed := shell(f"{decode} >&-")).returncode == 0 and run_closed.stderr == ""
    assert shell(f"{decode.replace(made.test, '-')} <&-").returncode == 0
    told = shell(f"{decode} --timeout 0 2>&-")  # what is for stderr does not go to stdout
    assert told.returncode == 2 and told.stdout == ""
    assert shell(f"{decode} -o out.conll <&- >&- 2>&-").returncode == 0
    assert (tmp_path / "out.conll").read_text() == shell(decode).stdout
