"""Regular expressions from untrusted sources, matched in time linear in the text.

Python's own matcher backtracks, and some expressions take it exponential time: `(a+)+b` on a long row of a's. This
one follows all alternatives at once (Thompson, 1968). It reads the expression with Python's own parser and matches
single characters with `re`, so that the two agree. What is not a finite automaton (look-around, references to
groups, atomic groups) is refused.
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

MOST_STEPS = 2000  # instructions of one expression, with its repeats expanded

CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}
ANCHORS = {
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

# An instruction is what it requires of the next character, or of the position in the text, and what may follow it.
CHARACTER, ANCHOR, JUMP = range(3)


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
    """A regular expression that takes at most (its size) times (the text's length) steps.

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
        for index, character in enumerate(text):
            here = self._closure(self._read(here, character), text, index + 1)
            if not here:
                return None
        return True if self.end in here else None

    def search(self, text: str) -> bool | None:
        """Whether some part of the text matches; None for no, as in `re`."""
        here = self._closure([0], text, 0)
        for index, character in enumerate(text):
            if self.end in here:
                return True
            here = self._closure([*self._read(here, character), 0], text, index + 1)
        return True if self.end in here else None

    # --- following all alternatives at once -----------------------------------------------------------------------

    def _read(self, here: Iterable[int], character: str) -> Iterator[int]:
        for number in here:
            kind, required, following = self.steps[number]
            if kind == CHARACTER and required is not None and required.match(character):
                yield from following

    def _closure(self, starts: Iterable[int], text: str, index: int) -> set[int]:
        """The instructions that can be reached without reading a character."""
        reached: set[int] = set()
        waiting = list(starts)
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            kind, required, following = self.steps[number]
            if kind == JUMP or (kind == ANCHOR and required is not None and required.match(text, index)):
                waiting.extend(following)
        return reached

    # --- building: each method takes the instruction to continue from, and returns the last one ---------------------

    def _step(self, kind: int, required: re.Pattern[str] | None = None, after: int | None = None) -> int:
        if len(self.steps) >= MOST_STEPS:
            raise RuleError(
                f"regular expression {self.regex!r} is too large: with its repeats expanded it takes more than "
                f"{MOST_STEPS} steps"
            )
        self.steps.append((kind, required, []))
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
            return self._step(ANCHOR, re.compile(ANCHORS[content], flags & re.MULTILINE), last)
        if code in REFUSED:
            raise RuleError(
                f"regular expression {self.regex!r} has {REFUSED[code]}, which is not allowed in an untrusted rule "
                "file; combine simpler tests with all, any and not"
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
