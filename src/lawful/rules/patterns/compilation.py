"""From the tree of a pattern to its smallest machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa, Nfa
from lawful.automata.operations import boolean, build, rational
from lawful.automata.operations.determinization import determinize
from lawful.automata.operations.minimization import minimize
from lawful.automata.operations.modes import from_dfa
from lawful.errors import InternalError, MachineError, RuleTooLargeError
from lawful.labels import LabelSet
from lawful.rules.compiled.forms import MAX_STATES, StaticRule, tighten
from lawful.rules.example import BoundMachine, CompiledRule
from lawful.rules.patterns.tree import Choice, Complement, Empty, Intersection, Node, Repeat, Series, Symbol
from lawful.rules.tokens.kinds import TokenKinds, TokenRule
from lawful.rules.tokens.tests import TokenTest

__all__ = ["compile_pattern", "symbols_of"]

MOST_TESTS = 10  # a token has one kind for each set of tests that it may pass


def compile_pattern(tree: Node, tests: Mapping[str, TokenTest], labels: LabelSet, rule: str) -> CompiledRule:
    """The machine of a pattern: 1 at the end of a sequence that does not match.

    Examples
    --------
    >>> from lawful.rules.patterns.parser import parse
    >>> from lawful.rules.example import Example
    >>> compiled = compile_pattern(parse("A B*"), {}, LabelSet(["A", "B"]), "a rule")
    >>> (bound,) = compiled.bind(Example(2))
    >>> bound.machine.states, bound.machine.count([0, 1]), bound.machine.count([1, 0])
    (3, 0, 1)
    """
    symbols = tuple(dict.fromkeys(symbols_of(tree)))
    for symbol in symbols:
        labels.present(symbol.labels, where=rule)
    used = [name for name in tests if any(name in dict(symbol.tests) for symbol in symbols)]
    if len(used) > MOST_TESTS:
        raise RuleTooLargeError(rule, 2 ** len(used), 2**MOST_TESTS)
    table, members = _classes(symbols, used, labels)
    if _size(tree) > MAX_STATES:
        raise RuleTooLargeError(rule, _size(tree), MAX_STATES)
    try:
        dfa = _Builder(members, int(table.max()) + 1).dfa(tree)
    except MachineError:
        raise RuleTooLargeError(rule, MAX_STATES + 1, MAX_STATES) from None
    machine, table = tighten(from_dfa(dfa), table)
    if not used:
        return StaticRule(BoundMachine(machine, table))
    return TokenRule(machine, table, TokenKinds(tuple(tests[name] for name in used), rule))


def symbols_of(node: Node) -> Iterator[Symbol]:
    """The symbols of a pattern's tree, from left to right.

    Examples
    --------
    >>> from lawful.rules.patterns.parser import parse
    >>> [symbol.labels for symbol in symbols_of(parse("A (B | C)*"))]
    [('A',), ('B',), ('C',)]
    """
    match node:
        case Symbol():
            yield node
        case Series(parts) | Choice(parts) | Intersection(parts):
            for part in parts:
                yield from symbols_of(part)
        case Complement(inner) | Repeat(inner):
            yield from symbols_of(inner)


def _size(node: Node) -> int:
    """How many symbols there are once every repeat is written out."""
    match node:
        case Series(parts) | Choice(parts) | Intersection(parts):
            return sum(map(_size, parts))
        case Complement(inner):
            return _size(inner)
        case Repeat(inner, least, most):
            return _size(inner) * max(1, least if most is None else most)
    return 1


def _classes(
    symbols: tuple[Symbol, ...], tests: list[str], labels: LabelSet
) -> tuple[npt.NDArray[np.uint16], dict[Symbol, list[int]]]:
    """Merge the (kind of token, label) that fit the same symbols into one class.

    Returns the table (U, K) of classes, and for each symbol the classes that fit it.
    """
    kinds = 2 ** len(tests)
    number: dict[tuple[bool, ...], int] = {}
    table = np.zeros((kinds, len(labels)), dtype=np.uint16)
    for kind in range(kinds):
        passed = {name: bool(kind >> bit & 1) for bit, name in enumerate(tests)}
        for k, label in enumerate(labels):
            fitting = tuple(symbol.fits(label, passed) for symbol in symbols)
            table[kind, k] = number.setdefault(fitting, len(number))
    members = {symbol: [c for fitting, c in number.items() if fitting[i]] for i, symbol in enumerate(symbols)}
    return table, members


class _Builder:
    def __init__(self, members: dict[Symbol, list[int]], classes: int) -> None:
        self.members, self.classes = members, classes

    def dfa(self, node: Node) -> Dfa:
        """A minimal machine. Only `&` and `!` need their operands to be deterministic."""
        match node:
            case Intersection(parts):
                dfa = boolean.intersection(*map(self.dfa, parts), limit=MAX_STATES)
            case Complement(inner):
                dfa = boolean.complement(self.dfa(inner))
            case _:
                dfa = determinize(self.nfa(node), limit=MAX_STATES)
        return minimize(dfa)

    def nfa(self, node: Node) -> Nfa:
        match node:
            case Symbol():
                return build.symbols(self.members[node], self.classes)
            case Empty():
                return build.epsilon(self.classes)
            case Series(parts):
                return rational.concatenate(*map(self.nfa, parts))
            case Choice(parts):
                return rational.union(*map(self.nfa, parts))
            case Repeat(inner, least, most):
                return rational.repeat(self.nfa(inner), least, most)
            case Intersection() | Complement():
                return self.dfa(node).to_nfa()
        raise InternalError(f"unknown pattern node {node!r}")
