"""Whether a sequence matches a pattern, straight from the meaning of its tree and without any automaton."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lawful.errors import InternalError
from lawful.rules.patterns.tree import Choice, Complement, Empty, Intersection, Node, Repeat, Series, Symbol

__all__ = ["matches_tree"]


def matches_tree(tree: Node, labels: Sequence[str], passed: Mapping[str, Sequence[bool]]) -> bool:
    """Whether the whole sequence matches.

    Parameters
    ----------
    tree : Node
    labels : sequence of T label names
    passed : mapping of test names to sequences of T bool
        Which tokens pass each test.

    Examples
    --------
    >>> from lawful.rules.patterns.parser import parse
    >>> matches_tree(parse("A B*"), ["A", "B", "B"], {})
    True
    """
    return len(labels) in _Matcher(labels, passed).ends(tree, 0)


class _Matcher:
    """For every node of a pattern and every start, the positions at which a match may end."""

    def __init__(self, labels: Sequence[str], passed: Mapping[str, Sequence[bool]]) -> None:
        self.labels, self.passed = labels, passed
        self.known: dict[tuple[Node, int], frozenset[int]] = {}

    def ends(self, node: Node, start: int) -> frozenset[int]:
        key = (node, start)
        if key not in self.known:
            self.known[key] = frozenset(self.find(node, start))
        return self.known[key]

    def ends_of_all(self, node: Node, starts: frozenset[int]) -> frozenset[int]:
        return frozenset().union(*(self.ends(node, start) for start in starts))

    def find(self, node: Node, start: int) -> frozenset[int]:
        match node:
            case Symbol():
                return frozenset({start + 1}) if self.fits(node, start) else frozenset()
            case Empty():
                return frozenset({start})
            case Series(parts):
                ends_so_far = frozenset({start})
                for part in parts:
                    ends_so_far = self.ends_of_all(part, ends_so_far)
                return ends_so_far
            case Choice(parts):
                return frozenset().union(*(self.ends(part, start) for part in parts))
            case Intersection(parts):
                return frozenset.intersection(*(self.ends(part, start) for part in parts))
            case Complement(inner):
                return frozenset(range(start, len(self.labels) + 1)) - self.ends(inner, start)
            case Repeat(inner, least, most):
                return self.repeated(inner, start, least, most)
        raise InternalError(f"unknown pattern node {node!r}")

    def fits(self, symbol: Symbol, position: int) -> bool:
        if position >= len(self.labels):
            return False
        answers = {name: bool(self.passed[name][position]) for name, _ in symbol.tests}
        return symbol.fits(self.labels[position], answers)

    def repeated(self, inner: Node, start: int, least: int, most: int | None) -> frozenset[int]:
        ends_so_far = frozenset({start})
        for _ in range(least):
            ends_so_far = self.ends_of_all(inner, ends_so_far)
        reached = ends_so_far
        times = least
        while ends_so_far and (most is None or times < most):
            # A position that was reached before leads nowhere new.
            ends_so_far = self.ends_of_all(inner, ends_so_far) - reached
            reached |= ends_so_far
            times += 1
        return reached
