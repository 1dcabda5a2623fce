"""Where errors become messages and exit codes."""

from __future__ import annotations

import sys
import warnings
from types import SimpleNamespace
from typing import Any

import pytest

from lawful.cli import boundary
from lawful.cli.boundary import Failure, guarded, keep_interrupts, stop_if_interrupted
from lawful.errors import (
    InfeasibleError,
    InputError,
    InternalError,
    LawfulWarning,
    LimitError,
    NoLabelsError,
    ProductTooLargeError,
)


def raising(error: BaseException) -> Any:
    def work() -> int:
        raise error

    return work


@pytest.fixture(autouse=True)
def no_debug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAWFUL_DEBUG", raising=False)


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_code_of_the_work(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: code) == code
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InputError("so not"), 2, "lawful: so not\n"),
        (InfeasibleError((), None), 1, "lawful: the lattice has no path"),
        (LimitError("timeout", 1.5), 1, "pass --on-limit bounded for"),
        (InputError("pass on_infeasible='least_bad', encoding='utf-8' or shape='x'"), 2,
         "lawful: pass --on-infeasible least-bad, --text-encoding utf-8 or shape='x'\n"),
        (NoLabelsError("timeout", "a.conll, line 3: "), 1, "obey the rules: raise --timeout\n"),
        (ProductTooLargeError("max_states", 5, 21, "the lattice alone"), 1, "; raise --max-states, or leave out rules"),
        (Failure("3 lines failed"), 1, "lawful: 3 lines failed\n"),
        (Failure(), 1, ""),
        (KeyboardInterrupt(), 130, "lawful: interrupted\n"),
        (FileNotFoundError(2, "No such file", "x.toml"), 2, "lawful: x.toml: No such file\n"),
        (OSError("disk on fire"), 2, "lawful: disk on fire\n"),
        (OSError(5, "input/output error"), 2, "lawful: input/output error\n"),
        (InternalError("two\n  lines"), 1, "lawful: this is a bug in lawful, not in your data: InternalError: two lines\n"),
        (ZeroDivisionError("oh"), 1, "lawful: this is a bug in lawful, not in your data: ZeroDivisionError: oh\n"),
    ],
)  # fmt: skip
def test_every_kind_of_error(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err and (bool(err) == bool(said))
    assert err.count("lawful: ") == bool(said)


@pytest.mark.parametrize(
    "error", [InputError("x"), LimitError("timeout", 1.0), OSError("x"), InternalError("x"), KeyError("x")]
)
def test_with_debug_there_is_a_traceback(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_DEBUG", "1")
    with pytest.raises(type(error)):
        guarded(raising(error))


def test_debug_is_not_for_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_DEBUG", "1")
    assert guarded(raising(Failure("no"))) == 1
    assert guarded(raising(KeyboardInterrupt())) == 130


def test_warnings_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        for _ in range(2):
            warnings.warn(LawfulWarning("mind on_limit='bounded'"), stacklevel=1)
        return 0

    assert guarded(work) == 0
    assert capsys.readouterr().err == "lawful: mind --on-limit bounded\n"  # once


def test_output_that_nobody_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert guarded(raising(BrokenPipeError())) == 1
        print("into the void")
    assert (tmp_path / "out").read_text() == ""


def test_output_is_complete_before_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def flush() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", SimpleNamespace(flush=flush, write=lambda text: None))
    assert guarded(lambda: 0) == 2
    assert capsys.readouterr().err == "lawful: No space left on device\n"


def test_messages_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(text: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=write, flush=lambda: None))
    assert guarded(raising(InputError("x"))) == 2


def test_an_interrupt_that_python_ignored_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    others: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", others.append)
    monkeypatch.setattr(boundary, "_lost", [])
    keep_interrupts()
    other = SimpleNamespace(exc_type=ValueError)
    sys.unraisablehook(other)  # type: ignore[arg-type]
    assert others == [other]
    stop_if_interrupted()
    sys.unraisablehook(SimpleNamespace(exc_type=KeyboardInterrupt))  # type: ignore[arg-type]
    assert others == [other]
    assert guarded(lambda: 0) == 130
    assert guarded(lambda: 0) == 0  # once
