"""OpenFst, through pywrapfst: relaxation as in Figure 2 of Tromble & Eisner (2006), and brute force.

Rule automata are built once, sorted, over an alphabet that all sequences share; lattices are read from bytes. That is
the fastest we know how to use it. Its tropical semiring has 32-bit weights only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pywrapfst

import lawful
from benchmarks.peers.fst_bytes import acceptor, labels_of
from benchmarks.peers.symbols import Reading, Symbols
from benchmarks.peers.worker import Answer, Solve, serve
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.modes import count_once, obeyed
from lawful.automata.operations.trimming import live
from lawful.rules.compiled_rules import price_of

__all__ = ["setup_brute_force", "setup_relaxation"]


class Automaton(NamedTuple):
    """A rule as OpenFst sees it: the sequences that obey it, and what it does to a lattice."""

    obeying: pywrapfst.Fst
    entering: pywrapfst.Fst


class Machines:
    """The machines of a workload: its rules' once and for all, its lattices' when asked for."""

    def __init__(self, rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> None:
        self._rules = rules
        self._symbols = Symbols(rules, lattices)
        known: dict[tuple[int, int, int], Automaton] = {}
        self._automata: dict[int, list[Automaton]] = {}
        for lattice in lattices:
            automata = self._automata[id(lattice)] = []
            for reading in self._symbols.readings(lattice):
                key = (reading.column, id(reading.bound.machine), id(reading.bound.table))
                if key not in known:
                    known[key] = self._automaton(reading)
                automata.append(known[key])

    def automata(self, lattice: lawful.Lattice) -> list[Automaton]:
        """The automata of a sequence's rules, in order."""
        return self._automata[id(lattice)]

    def lattice(self, lattice: lawful.Lattice) -> pywrapfst.Fst:
        """The lattice as an acceptor; costs are scores turned round."""
        symbols, scores = self._symbols.of(lattice), lattice.emissions
        length, size = scores.shape
        if lattice.transitions is None:
            arcs = np.arange(length)[:, None] + np.zeros(size, dtype=np.int64)
            final = np.full(length + 1, math.inf)
            final[-1] = 0
            return acceptor(
                final, arcs.ravel(), symbols.ravel(), -scores.ravel(), arcs.ravel() + 1, acyclic=True
            )
        steps = (lattice.transitions[None] + scores[1:, None, :]).reshape(-1)
        sources = np.repeat(np.arange(1 + (length - 1) * size), size)
        targets = 1 + np.arange(length * size).reshape(length, size)
        final = np.full(1 + length * size, math.inf)
        final[-size:] = 0
        return acceptor(
            final,
            sources,
            np.concatenate([symbols[0], np.repeat(symbols[1:], size, axis=0).ravel()]),
            -np.concatenate([scores[0], steps]),
            np.concatenate([targets[0], np.repeat(targets[1:], size, axis=0).ravel()]),
            acyclic=True,
        )

    def answer(self, path: pywrapfst.Fst) -> Answer:
        """What the best path says."""
        score = -float(pywrapfst.shortestdistance(path, reverse=True)[path.start()])
        return Answer([(symbol - 1) % self._symbols.size for symbol in labels_of(path)], score)

    def _automaton(self, reading: Reading) -> Automaton:
        rule, machine = self._rules[reading.place], reading.bound.machine
        price = price_of(rule)
        obeying = self._obeying(reading)
        if math.isinf(price):
            return Automaton(obeying, obeying)
        if rule.per == "sequence":
            machine = count_once(machine)
        return Automaton(obeying, self._counting(reading, machine, price))

    def _obeying(self, reading: Reading) -> pywrapfst.Fst:
        dfa = obeyed(reading.bound.machine)
        classes, alive = self._symbols.classes(reading), live(dfa)
        number = np.cumsum(alive) - 1
        sources, symbols = np.nonzero(alive[:, None] & alive[dfa.delta[:, classes]])
        targets = dfa.delta[sources, classes[symbols]]
        final = np.where(dfa.accepting[alive], 0.0, math.inf)
        return acceptor(final, number[sources], symbols + 1, np.zeros(len(sources)), number[targets])

    def _counting(self, reading: Reading, machine: CountingMachine, price: float) -> pywrapfst.Fst:
        classes = self._symbols.classes(reading)
        sources, symbols = np.indices((machine.states, len(classes))).reshape(2, -1)
        read = classes[symbols]
        costs = price * machine.violations[sources, read]
        return acceptor(price * machine.final, sources, symbols + 1, costs, machine.delta[sources, read])


def setup_relaxation(rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> Solve:
    """Figure 2: the first rule that the best path breaks enters the lattice, until none is broken."""
    machines = Machines(rules, lattices)

    def solve(lattice: lawful.Lattice) -> Answer:
        machine = machines.lattice(lattice)
        waiting = list(machines.automata(lattice))
        while True:
            path = pywrapfst.shortestpath(machine)
            broken = next((rule for rule in waiting if _breaks(path, rule)), None)
            if broken is None:
                return machines.answer(path)
            waiting.remove(broken)
            machine = pywrapfst.intersect(machine, broken.entering)

    return solve


def setup_brute_force(rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> Solve:
    """All rules enter the lattice, one after another; then its best path is taken."""
    machines = Machines(rules, lattices)

    def solve(lattice: lawful.Lattice) -> Answer:
        machine = machines.lattice(lattice)
        for rule in machines.automata(lattice):
            machine = pywrapfst.intersect(machine, rule.entering)
        return machines.answer(pywrapfst.shortestpath(machine))

    return solve


def _breaks(path: pywrapfst.Fst, rule: Automaton) -> bool:
    return bool(pywrapfst.intersect(path, rule.obeying).start() == pywrapfst.NO_STATE_ID)


if __name__ == "__main__":
    serve({"relaxation": setup_relaxation, "brute-force": setup_brute_force}[sys.argv[4]], version("pynini"))
