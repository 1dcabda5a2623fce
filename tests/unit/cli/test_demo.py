from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import lawful
from lawful.cli.demo.addresses import ADDRESSES
from lawful.cli.demo.tour import COMMANDS
from lawful.cli.main import run


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("demo") / "tour"
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as printed:
        patch.delenv("LAWFUL_DATA", raising=False)
        patch.delenv("COLUMNS", raising=False)  # xdist sets it; lines would be broken there
        assert run(["demo", "--folder", str(folder)]) == 0
    return printed.getvalue(), folder


def test_the_demo_shows_before_after_reasons_and_prices(shown: tuple[str, Path]) -> None:
    text, _ = shown
    assert "'Washington' became street because of 'one city' or of 'street before city'" in text
    assert "dropping 'fields in order' alone would regain 0.50" in text
    assert "4 of 4 answers are proved best" in text


def test_every_rule_free_answer_of_the_demo_breaks_a_rule() -> None:
    for sentence in ADDRESSES.sentences:
        lattice = ADDRESSES.lattice(sentence)
        plain = lawful.decode(lattice).labels
        assert any(ADDRESSES.rules.violations(plain, lattice.tokens, lattice.context).values())


def test_the_tour_shows_every_step_with_its_command(shown: tuple[str, Path]) -> None:
    text, folder = shown
    for step, commands in COMMANDS.items():
        shown_commands = "".join(f"$ {command}\n" for command in commands)
        assert f"== {step} ==\n{shown_commands}" in text
    assert text.splitlines()[-1] == f"The report is {folder / 'report.html'}; open it in a browser."
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_the_rules_of_the_tour_help(shown: tuple[str, Path]) -> None:
    compared = re.search(r"^span F1: ([\d.]+) against ([\d.]+)", shown[0], re.MULTILINE)
    assert compared is not None
    assert float(compared[2]) > float(compared[1]) + 0.1
    assert "answers are proved best; all of them took" in shown[0]


def test_the_files_of_the_tour_can_be_used(shown: tuple[str, Path]) -> None:
    _, folder = shown
    model, rules = lawful.load_model(folder / "citations.lawful"), lawful.read_rules(folder / "rules.toml")
    fresh, ruled = lawful.read_corpus(folder / "fresh.conll"), lawful.read_corpus(folder / "ruled.conll")
    decoder = lawful.Decoder(rules, tagger=model, on_infeasible="least_bad")
    assert decoder.predict([one.tokens for one in fresh[:20]]) == [
        list(one.labels or ()) for one in ruled[:20]
    ]


def test_the_commands_of_the_tour_do_the_same(
    shown: tuple[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text, folder = shown
    for name in ("labelled.conll", "fresh.conll"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    for step, commands in COMMANDS.items():
        for command in commands:
            assert run(command.split()[1:]) == 0, command
        printed = capsys.readouterr()
        assert printed.err == ""
        if step == "evaluate":  # shown as the command prints it
            assert f"make a difference?\n\n{printed.out}" in text
    assert (tmp_path / "rules.toml").read_text() == (folder / "rules.toml").read_text()
    for name in ("plain.conll", "ruled.conll"):
        theirs, ours = (lawful.read_corpus(one / name) for one in (tmp_path, folder))
        assert [one.labels for one in theirs] == [one.labels for one in ours]


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    assert run(["demo", "--folder", str(tmp_path / "file")]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "",
        f"lawful: {tmp_path / 'file'}: cannot be created: there is a file with that name\n",
    )
    assert (tmp_path / "file").read_text() == "mine"


def test_piped_output_is_plain_and_has_no_endless_lines(shown: tuple[str, Path]) -> None:
    assert "\x1b" not in shown[0]
    assert max(map(len, shown[0].splitlines())) < 400
