"""Regular expressions from strangers: matched in time linear in the text, whatever they say.

Python's own matcher tries one way after another, and some expressions have it try for ever: `(a+)+b` on a row of
a's. This one follows all ways at once (Thompson, 1968). It reads the expression with Python's own parser and
asks `re` about single characters, so that it says yes and no where `re` does. What does not fit a finite
automaton (look-around, references to groups, atomic groups) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as codes, _parser  # type: ignore[attr-defined]  # private, but there is no other parser
from typing import Any

from lawful.errors import RuleError
from lawful.rules.tokens.tests import Contains, Matches
from lawful.support.regex import without_warnings

__all__ = ["LinearRegex", "make_linear"]

MOST_STEPS = 2000  # instructions of one expression, its repeats written out

CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}
PLACES = {
    codes.AT_BEGINNING: "^",
    codes.AT_BEGINNING_STRING: r"\A",
    codes.AT_BOUNDARY: r"\b",
    codes.AT_NON_BOUNDARY: r"\B",
    codes.AT_END: "$",
    codes.AT_END_STRING: r"\Z",
}
REFUSED = {
    codes.ASSERT: "look-around",
    codes.ASSERT_NOT: "look-around",
    codes.ATOMIC_GROUP: "an atomic group",
    codes.GROUPREF: "a reference to a group",
    codes.GROUPREF_EXISTS: "a choice by group",
    codes.POSSESSIVE_REPEAT: "a possessive repeat",
}

# An instruction is what it asks of the next character, or of the place, and the instructions that may follow.
CHARACTER, PLACE, JUMP = range(3)


def make_linear(test: Matches | Contains) -> Matches | Contains:
    """The test, its expression matched by `LinearRegex`; an expression outside the subset is refused.

    Examples
    --------
    >>> slow = make_linear(Matches("(a+)+b"))
    >>> slow("a" * 60), slow("a" * 60 + "b")
    (False, True)
    """
    object.__setattr__(test, "_compiled", LinearRegex(test.regex))
    return test


class LinearRegex:
    """A regular expression that takes no more than (its size) times (the text's length) steps.

    Examples
    --------
    >>> LinearRegex("[0-9]{2,3}").fullmatch("123"), LinearRegex("b|c$").search("abd")
    (True, True)
    """

    def __init__(self, regex: str) -> None:
        self.regex = regex
        self.steps: list[tuple[int, re.Pattern[str] | None, list[int]]] = []
        with without_warnings():
            tree = _parser.parse(regex)
        last = self._sequence(tree, self._step(JUMP), tree.state.flags)
        self.end = self._step(JUMP)
        self.steps[last][2].append(self.end)

    def fullmatch(self, text: str) -> bool | None:
        """Whether the whole text matches; None for no, as in `re`."""
        here = self._closure([0], text, 0)
        for place, sign in enumerate(text):
            here = self._closure(self._read(here, sign), text, place + 1)
            if not here:
                return None
        return True if self.end in here else None

    def search(self, text: str) -> bool | None:
        """Whether some part of the text matches; None for no, as in `re`."""
        here = self._closure([0], text, 0)
        for place, sign in enumerate(text):
            if self.end in here:
                return True
            here = self._closure([*self._read(here, sign), 0], text, place + 1)
        return True if self.end in here else None

    # --- following all ways at once -----------------------------------------------------------------------

    def _read(self, here: Iterable[int], sign: str) -> Iterator[int]:
        for number in here:
            kind, asks, following = self.steps[number]
            if kind == CHARACTER and asks is not None and asks.match(sign):
                yield from following

    def _closure(self, starts: Iterable[int], text: str, place: int) -> set[int]:
        """All that can be reached without reading a character."""
        found: set[int] = set()
        waiting = list(starts)
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found.add(number)
            kind, asks, following = self.steps[number]
            if kind == JUMP or (kind == PLACE and asks is not None and asks.match(text, place)):
                waiting.extend(following)
        return found

    # --- building: each takes the instruction to go on from, and gives the last one ----------------------

    def _step(self, kind: int, asks: re.Pattern[str] | None = None, after: int | None = None) -> int:
        if len(self.steps) >= MOST_STEPS:
            raise RuleError(
                f"regular expression {self.regex!r} is too large: its repeats, written out, take more than "
                f"{MOST_STEPS} steps"
            )
        self.steps.append((kind, asks, []))
        if after is not None:
            self.steps[after][2].append(len(self.steps) - 1)
        return len(self.steps) - 1

    def _sequence(self, nodes: Iterable[tuple[Any, Any]], last: int, flags: int) -> int:
        for code, content in nodes:
            last = self._node(code, content, last, flags)
        return last

    def _node(self, code: Any, content: Any, last: int, flags: int) -> int:
        if code is codes.BRANCH:
            ends = [self._sequence(branch, self._step(JUMP, after=last), flags) for branch in content[1]]
            meeting = self._step(JUMP)
            for end in ends:
                self.steps[end][2].append(meeting)
            return meeting
        if code is codes.SUBPATTERN:
            _, added, removed, inner = content
            return self._sequence(inner, last, (flags | added) & ~removed)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            least, most, inner = content
            return self._repeat(least, most, inner, last, flags)
        if code is codes.AT:
            return self._step(PLACE, re.compile(PLACES[content], flags & re.MULTILINE), last)
        if code in REFUSED:
            raise RuleError(
                f"regular expression {self.regex!r} has {REFUSED[code]}, which is not allowed in a rule file from "
                "outside; combine simpler tests with all, any and not"
            )
        return self._step(CHARACTER, re.compile(_one_character(code, content), _local(flags)), last)

    def _repeat(self, least: int, most: Any, inner: Any, last: int, flags: int) -> int:
        for _ in range(least):
            last = self._sequence(inner, last, flags)
        if most is codes.MAXREPEAT:
            loop = self._step(JUMP, after=last)
            back = self._sequence(inner, self._step(JUMP, after=loop), flags)
            self.steps[back][2].append(loop)
            return loop
        optional = []
        for _ in range(most - least):
            optional.append(last)
            last = self._sequence(inner, self._step(JUMP, after=last), flags)
        meeting = self._step(JUMP, after=last)
        for start in optional:
            self.steps[start][2].append(meeting)
        return meeting


def _local(flags: int) -> int:
    """The flags that matter to one character."""
    return flags & (re.IGNORECASE | re.ASCII | re.DOTALL)


def _one_character(code: Any, content: Any) -> str:
    """The expression of a single character."""
    if code is codes.LITERAL:
        return re.escape(chr(content))
    if code is codes.NOT_LITERAL:
        return f"[^{re.escape(chr(content))}]"
    if code is codes.ANY:
        return "."
    if code is codes.IN:
        return f"[{''.join(_member(*item) for item in content)}]"
    raise RuleError(f"a regular expression has {str(code).lower()}, which is not supported")


def _member(code: Any, content: Any) -> str:
    if code is codes.NEGATE:
        return "^"
    if code is codes.RANGE:
        return f"{_coded(content[0])}-{_coded(content[1])}"
    return CATEGORIES[content] if code is codes.CATEGORY else _coded(content)


def _coded(character: int) -> str:
    return f"\\U{character:08x}"
