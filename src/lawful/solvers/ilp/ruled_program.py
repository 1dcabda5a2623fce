"""A problem as a linear program."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from lawful import _core
from lawful.lattice.graph import GraphLattice, as_graph
from lawful.lattice.trellis import Lattice, as_trellis
from lawful.rules.bound_rules import Kinds
from lawful.rules.rule import Rule
from lawful.solvers.ilp.automaton import Reading, add_flow, graph_readings, trellis_readings
from lawful.solvers.ilp.network import Network, add_network, graph_network
from lawful.solvers.ilp.program import Charge, Program, plain_names
from lawful.solvers.ilp.rules import has_form, obey
from lawful.solvers.ilp.trellis import linear_trellis
from lawful.solvers.problem import Problem

__all__ = ["RuledProgram", "ruled_program"]


class RuledProgram(NamedTuple):
    """A program, and the network that its first columns are the arcs of.

    Attributes
    ----------
    program : Program
    network : Network
    forms, flows : int
        How many rules have a linear form of their own, and how many came as the flow of their automata.
    """

    program: Program
    network: Network
    forms: int
    flows: int

    @property
    def pure(self) -> bool:
        """Whether it is a plain linear program: without rules, its solutions are whole numbers by themselves."""
        return not self.forms + self.flows


def ruled_program(problem: Problem) -> RuledProgram:
    """The program whose best solution is the best path.

    Examples
    --------
    >>> model = ruled_program(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]])))
    >>> model.program.columns, model.program.rows, model.pure
    (4, 2, True)

    Raises `LimitError` where building it takes more than the limits allow.
    """
    program, lattice = Program(problem.limits), problem.lattice
    trellis = as_trellis(lattice)
    writer: _Writer = (
        _OnTrellis(program, trellis) if trellis is not None else _OnGraph(program, as_graph(lattice))
    )
    names = plain_names(["flow", *problem.rules.names])[1:]
    sources = problem.rules.rules
    forms = flows = 0
    for rule in problem.rules.in_force:
        parts = problem.rules.parts_of(rule)
        first = parts[0][0]
        if first.price == 0:
            continue
        program.begin(
            names[rule], f"{_one_line(problem.rules.names[rule])} ({_terms(first.mode, first.price)})"
        )
        charge = Charge(program, first.mode, first.price)
        if rule < len(sources) and writer.write_form(sources[rule], charge):
            forms += 1
            continue
        flows += 1
        for part, kinds in parts:
            add_flow(program, part, writer.readings(part, kinds), writer.nodes)
    return RuledProgram(program, writer.network, forms, flows)


class _Writer(Protocol):
    network: Network
    nodes: int

    def write_form(self, rule: Rule, charge: Charge) -> bool: ...

    def readings(self, part: _core.Part, kinds: Kinds) -> list[Reading]: ...


class _OnTrellis:
    def __init__(self, program: Program, lattice: Lattice) -> None:
        self.trellis = linear_trellis(program, lattice)
        self.network, self.nodes = self.trellis.network, lattice.length + 1

    def write_form(self, rule: Rule, charge: Charge) -> bool:
        """Write the rule's own form, if it has one."""
        if not has_form(rule, self.trellis):
            return False
        obey(rule, self.trellis, charge)
        return True

    def readings(self, part: _core.Part, kinds: Kinds) -> list[Reading]:
        return trellis_readings(self.trellis, part, kinds)


class _OnGraph:
    def __init__(self, program: Program, graph: GraphLattice) -> None:
        self.network, states = graph_network(graph)
        self.nodes = self.network.nodes
        names = [*plain_names(graph.labels), "epsilon"]
        own = [graph.states[state] for state in states.tolist()]
        source, target, label = self.network.source, self.network.target, self.network.label

        def name(arc: int) -> str:
            if target[arc] == self.nodes - 1:
                return f"final.{own[source[arc]]}"
            return f"x{arc}.{own[source[arc]]}.{own[target[arc]]}.{names[label[arc]]}"

        comment = "what comes into a state goes out of it; x7.1.2.A is arc 7, from state 1 to 2 with label A"
        self.columns = add_network(program, self.network, arc_name=name, comment=comment)

    def write_form(self, rule: Rule, charge: Charge) -> bool:
        """Never: the forms speak of tokens and their neighbours, and the arcs of a graph of neither."""
        return False

    def readings(self, part: _core.Part, kinds: Kinds) -> list[Reading]:
        return graph_readings(self.network, self.columns, part, kinds)


def _terms(mode: str, price: float) -> str:
    return {"hard": "hard", "once": f"{price:g} if broken", "counted": f"{price:g} a violation"}[mode]


def _one_line(name: str) -> str:
    return re.sub(r"\s+", " ", name)
