"""From the text of a pattern to its tree, by recursive descent.

choice       = intersection { "|" intersection }
intersection = series { "&" series }
series       = repeat { repeat }
repeat       = atom [ "*" | "+" | "?" | "{m}" | "{m,}" | "{m,n}" ]
atom         = symbol | "(" choice ")" | "()" | "!" "(" choice ")"
symbol       = ( label | "." | "[" label ... "]" | "[^" label ... "]" ) { "/name" | "/!name" }
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NoReturn

from lawful.errors import PatternError
from lawful.rules.patterns.lexer import Lexeme, read_lexemes
from lawful.rules.patterns.tree import Choice, Complement, Empty, Intersection, Node, Repeat, Series, Symbol

__all__ = ["MOST_REPEATS", "parse"]

MOST_REPEATS = 1000
DEEPEST = 100  # parentheses within parentheses

REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parse(pattern: str, tests: Collection[str] = ()) -> Node:
    """The tree of a pattern.

    Parameters
    ----------
    pattern : str
    tests : collection of str
        The names of token tests that the pattern may use.

    Examples
    --------
    >>> parse("A . B*")  # doctest: +NORMALIZE_WHITESPACE
    Series(parts=(Symbol(labels=('A',), negated=False, tests=()), Symbol(labels=(), negated=True, tests=()),
    Repeat(inner=Symbol(labels=('B',), negated=False, tests=()), least=0, most=None)))
    """
    return _Parser(pattern, tests).whole()


class _Parser:
    def __init__(self, pattern: str, tests: Collection[str]) -> None:
        self.pattern, self.tests = pattern, tests
        self.lexemes = read_lexemes(pattern)
        self.index = 0
        self.depth = 0

    @property
    def next(self) -> Lexeme:
        return self.lexemes[self.index]

    def take(self) -> Lexeme:
        self.index += 1
        return self.lexemes[self.index - 1]

    def fail(self, message: str, at: Lexeme | None = None) -> NoReturn:
        raise PatternError(self.pattern, (at or self.next).position, message)

    def whole(self) -> Node:
        tree = self.choice()
        if self.next.kind == ")":
            self.fail("this ) closes nothing")
        if self.next.kind != "end":
            self.fail(f"unexpected {self.next.text!r}")
        return tree

    def choice(self) -> Node:
        return self.separated("|", self.intersection, Choice)

    def intersection(self) -> Node:
        return self.separated("&", self.series, Intersection)

    def separated(self, sign: str, part: Callable[[], Node], kind: type[Choice | Intersection]) -> Node:
        parts = [part()]
        while self.next.kind == sign:
            self.take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def series(self) -> Node:
        parts = []
        while self.next.kind in ("label", ".", "[", "(", "!"):
            parts.append(self.repeat())
        if not parts:
            self.nothing_here()
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def nothing_here(self) -> NoReturn:
        if self.next.kind in (*REPEATS, "count"):
            self.fail("there is nothing to repeat")
        if self.next.kind == "test":
            self.fail("a token test belongs after a label, '.', or a set")
        if self.next.kind in ("]", "^"):
            self.fail(f"unexpected {self.next.text!r} outside a set")
        self.fail("expected a label, '.', '[', '(' or '!(' here; the empty sequence is written ()")

    def repeat(self) -> Node:
        atom = self.atom()
        if self.next.kind not in (*REPEATS, "count"):
            return atom
        sign = self.take()
        least, most = REPEATS[sign.kind] if sign.kind in REPEATS else self.bounds(sign)
        if self.next.kind in (*REPEATS, "count"):
            self.fail("this repeats a repeat; put parentheses around the first one")
        return Repeat(atom, least, most)

    def bounds(self, count: Lexeme) -> tuple[int, int | None]:
        first, comma, second = count.text.partition(",")
        if max(len(first), len(second)) > 9 or max(int(first), int(second or 0)) > MOST_REPEATS:
            self.fail(f"repeats are limited to {MOST_REPEATS}", count)
        least = int(first)
        most = least if not comma else int(second) if second else None
        if most is not None and most < least:
            self.fail(f"{{{least},{most}}} has its bounds the wrong way round", count)
        return least, most

    def atom(self) -> Node:
        opening = self.next
        if opening.kind == "!":
            self.take()
            if self.next.kind != "(":
                self.fail("'!' must be followed by '('")
            return Complement(self.group())
        if opening.kind == "(":
            return self.group()
        return self.symbol()

    def group(self) -> Node:
        opening = self.take()
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"parentheses are nested deeper than {DEEPEST}", opening)
        inner = Empty() if self.next.kind == ")" else self.choice()
        if self.next.kind == "end":
            self.fail("this ( is never closed", opening)
        if self.next.kind != ")":
            self.nothing_here()
        self.take()
        self.depth -= 1
        if self.next.kind == "test":
            self.fail("a token test belongs to one symbol, not to a group")
        return inner

    def symbol(self) -> Symbol:
        first = self.take()
        labels: tuple[str, ...] = (first.text,) if first.kind == "label" else ()
        negated = first.kind == "."
        if first.kind == "[":
            labels, negated = self.label_set(first)
        tests = []
        while self.next.kind == "test":
            test = self.take()
            name = test.text.removeprefix("!")
            if name not in self.tests:
                known = f"the tests are {', '.join(self.tests)}" if self.tests else "pass tests={name: test}"
                self.fail(f"unknown token test {name!r}; {known}", test)
            tests.append((name, not test.text.startswith("!")))
        return Symbol(labels, negated, tuple(tests))

    def label_set(self, opening: Lexeme) -> tuple[tuple[str, ...], bool]:
        negated = self.next.kind == "^"
        if negated:
            self.take()
        labels = []
        while self.next.kind == "label":
            labels.append(self.take().text)
        if self.next.kind == "end":
            self.fail("this [ is never closed", opening)
        if self.next.kind != "]":
            self.fail("a set contains only labels, separated by spaces; quote this if it is part of a label")
        if not labels:
            self.fail("this set has no labels; write . for any label", opening)
        self.take()
        return tuple(labels), negated
