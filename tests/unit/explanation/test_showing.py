"""What people see: aligned, cut where nothing happens, safe in a terminal, coloured only on request."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import lawful
from lawful.support.styled_text import StyledRun, columns, figures, times

LATTICE = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"], tokens=["x", "y", "z"])
RULE = lawful.at_most_segments(1, "A").named("one A")


def plain(lines) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def test_columns_are_aligned_and_lines_end_without_blanks() -> None:
    rows = [
        [StyledRun("a"), StyledRun(""), StyledRun("1"), StyledRun("first")],
        [StyledRun("bb"), StyledRun(""), StyledRun("10")],
    ]
    assert plain(columns(rows, right=[2])) == ["  a    1  first", "  bb  10"]


def test_wide_letters_take_two_places_and_accents_none() -> None:
    rows = [
        [StyledRun("東京"), StyledRun("|")],
        [StyledRun("abcd"), StyledRun("|")],
        [StyledRun("e\u0301bcd"), StyledRun("|")],
    ]
    assert plain(columns(rows, indent=0)) == ["東京  |", "abcd  |", "e\u0301bcd  |"]


def test_tokens_cannot_move_the_cursor() -> None:
    lattice = lawful.Lattice(LATTICE.emissions, labels=["A", "B"], tokens=["\x1b[2J", "a\nb", "\t"])
    why = lawful.explain(lattice, RULE)
    for text in (str(why), str(why.why_not(["B", "B", "B"]))):
        assert "\x1b" not in text and "\t" not in text and "a\\nb" in text


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1.0, 2.0], ["1", "2"]),
        ([1.0, 0.1 + 0.2], ["1.0", "0.3"]),
        ([1 / 3, -2.0], ["0.333", "-2.000"]),
        ([float("-inf"), 1.25], ["-inf", "1.25"]),
        ([], []),
    ],
)
def test_numbers_get_the_decimals_that_they_need(values, shown) -> None:
    assert figures(values) == shown


def test_how_often() -> None:
    assert [times(n) for n in (1, 2, 3)] == ["once", "twice", "3 times"]


def test_colours_are_only_in_coloured_text() -> None:
    for shown in (
        lawful.explain(LATTICE, RULE),
        lawful.why_not(LATTICE, RULE, ["A", "B", "A"]),
        lawful.verify(lawful.decode(LATTICE, RULE)),
    ):
        coloured = shown.text(color=True)
        assert "\x1b[" not in shown.text() and "\x1b[" in coloured
        console = Console(file=io.StringIO(), force_terminal=False, width=40)
        console.print(shown, soft_wrap=True)
        assert console.file.getvalue() == str(shown) + "\n"


def test_printing_to_a_file_is_plain() -> None:
    file = io.StringIO()
    why = lawful.explain(LATTICE, RULE)
    why.print(file=file)
    assert file.getvalue() == f"{why}\n"


def test_brackets_in_names_are_not_markup() -> None:
    why = lawful.explain(LATTICE, RULE.named("[bold]one A[/bold]"))
    file = io.StringIO()
    why.print(file=file)
    assert "[bold]one A[/bold]" in file.getvalue()


def test_long_stretches_without_changes_are_cut_out() -> None:
    length = 40
    lattice = lawful.Lattice([[1.0, 0.0]] * length, labels=["A", "B"])
    rules = [lawful.label_at(10, "B"), lawful.label_at(14, "B"), lawful.label_at(30, "B")]
    text = str(lawful.explain(lattice, rules, runners_up=0))
    table = text.split("\n\n")[1].splitlines()[1:]
    starts = [line.split()[0] for line in table]
    assert starts == ["..", *map(str, range(8, 17)), "..", *map(str, range(28, 33)), ".."]


def test_long_tokens_and_many_differences_are_cut() -> None:
    lattice = lawful.Lattice(
        [[1.0, 0.0]] * 12, labels=["A", "B"], tokens=["Donaudampfschifffahrtsgesellschaft"] * 12
    )
    pairs = lawful.uniform([(t, t + 1) for t in range(12)])
    alternate = lawful.pattern("(A B)+ | (A A)+").named("in step")
    text = str(lawful.explain(lattice, [pairs, alternate], runners_up=1))
    assert "and 2 more" in text and "Donaudampfschifffahrts.." in text
    assert "Donaudampfschifffahrtsgesellschaft" not in text


def test_the_whole_text_of_an_explanation() -> None:
    lattice = lawful.Lattice(
        [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
        labels=["A", "B", "O"],
        tokens=["x", "y", "z", "!"],
    )
    rules = lawful.Rules(
        RULE, lawful.forbid("O").soft(0.5, name="no O"), lawful.before("A", "O").named("A before O")
    )
    assert str(lawful.explain(lattice, rules, runners_up=2)) == (
        "1 of 4 tokens changed; the score fell by 1.5, from 7.0 to 5.5; proved best\n"
        "\n"
        "     token  before      after\n"
        "  0  x      A\n"
        "  1  y      B       ->  A      because of one A\n"
        "  2  z      A\n"
        "  3  !      O\n"
        "\n"
        "dropping one rule would regain\n"
        "  1.0  one A\n"
        "  0.5  no O\n"
        "    0  A before O\n"
        "\n"
        "paid for rules that stay broken\n"
        "  0.5  no O  broken once\n"
        "\n"
        "runners-up\n"
        "  0.5 behind  3 '!' O -> A\n"
        "  0.5 behind  3 '!' O -> B"
    )
