"""Every error class is raised through the public API, keeps its fields, and names the place."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lawful import errors


class Case(NamedTuple):
    """What raises an error, the fields that it must keep, and what its message must say."""

    error: type[Exception]
    cause: Callable[[], Any]
    fields: dict[str, Any]
    says: list[str]


CASES = [
    Case(*case)
    for path in sorted(Path(__file__).parent.glob("cases_of_*.py"))
    for case in runpy.run_path(str(path))["CASES"]
]


def error_classes() -> set[type[Exception]]:
    """All classes of the module but `RuleProblem`, which an error holds, and warnings."""
    classes = {getattr(errors, name) for name in errors.__all__} - {errors.RuleProblem}
    return {kind for kind in classes if not issubclass(kind, Warning)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.error.__name__)
def test_an_error_is_raised_with_its_fields_and_names_the_place(case: Case) -> None:
    with pytest.raises(errors.LawfulError) as caught:
        case.cause()
    error = caught.value
    assert type(error) is case.error
    assert {name: getattr(error, name) for name in case.fields} == case.fields
    assert [part for part in case.says if part not in str(error)] == []


def test_a_mistake_of_the_caller_is_also_a_value_error() -> None:
    ours = {errors.LawfulError, errors.InternalError}
    found_while_decoding = {
        errors.InfeasibleError,
        errors.LimitError,
        errors.LossError,
        errors.NoLabelsError,
        errors.ProductTooLargeError,
        errors.SearchError,
        errors.UnprovedError,
    }
    for kind in error_classes():
        assert issubclass(kind, errors.LawfulError)
        assert issubclass(kind, ValueError) == (kind not in ours | found_while_decoding)


def test_every_error_class_is_raised_above() -> None:
    assert {case.error for case in CASES} == error_classes() - {errors.LawfulError, errors.SearchError}


def test_every_error_class_is_exported() -> None:
    def below(kind: type[Exception]) -> set[type[Exception]]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    error_classes()  # imported when asked for
    assert below(errors.LawfulError) == error_classes()


def test_an_error_about_one_of_many_sequences_keeps_its_class_fields_and_words() -> None:
    alone = errors.ProductTooLargeError("max_states", 5, 21, "the lattice alone")
    error = alone.in_sequence(1)
    assert type(error) is errors.ProductTooLargeError and error.states == 21 and error.sequence == 1
    assert str(error) == f"sequence 2: {alone}" and alone.sequence is None
    assert str(errors.UnprovedError("ilp", "it ended").in_sequence(0)).startswith("sequence 1: solver='ilp'")


def test_an_error_that_is_worded_anew_has_notes_of_its_own() -> None:
    first = errors.LossError(2.5, 1.0)
    first.add_note("one")
    first.in_sequence(3).add_note("two")
    assert first.__notes__ == ["one"]
