"""OpenFst is the judge: our transducers beside its own, on random machines and all short sequences."""

from __future__ import annotations

import io
from itertools import product

import pynini
import pytest
from hypothesis import given, settings, strategies as st

from lawful.automata import (
    Ending,
    Transducer,
    TransducerArc,
    compose,
    determinize_transducer,
    equivalent_transducers,
    find_ambiguity,
    find_difference,
    invert,
    minimize_transducer,
    read_transducer,
    trim_transducer,
    write_transducer,
)
from lawful.automata.transducers.transducer import String
from lawful.errors import MachineError

READ, WRITTEN, LATER = "ab", "xyz", "pq"
many = settings(max_examples=100, deadline=None)


@st.composite
def transducers(
    draw: st.DrawFn,
    *,
    read: str = READ,
    written: str = WRITTEN,
    deterministic: bool = False,
    weights: int = 0,
    least: int = 0,
    states: int = 4,
) -> Transducer:
    state = st.integers(0, states - 1)
    output = st.lists(st.sampled_from(written), min_size=least, max_size=2).map(tuple)
    weight = st.integers(0, weights).map(float)
    arc = st.builds(TransducerArc, state, st.sampled_from(read), state, output, weight)
    ending = st.builds(Ending, state, st.lists(st.sampled_from(written), max_size=2).map(tuple), weight)
    arcs = draw(
        st.lists(arc, max_size=9, unique_by=(lambda a: (a.source, a.input)) if deterministic else None)
    )
    endings = draw(
        st.lists(ending, min_size=1, max_size=3, unique_by=(lambda e: e.state) if deterministic else None)
    )
    return Transducer(arcs, endings)


def strings(symbols: str, longest: int) -> list[String]:
    return [word for length in range(longest + 1) for word in product(symbols, repeat=length)]


def openfst(transducer: Transducer) -> pynini.Fst:
    """The machine in OpenFst's hands; symbols are their code points."""
    fst = pynini.Fst()
    for _ in range(transducer.states):
        fst.add_state()
    fst.set_start(0)

    def add(source: int, read: int, output: String, weight: float, target: int) -> None:
        for index in range(max(1, len(output))):
            last = index >= len(output) - 1
            to = target if last else fst.add_state()
            label = ord(str(output[index])) if output else 0
            fst.add_arc(
                source, pynini.Arc(read if index == 0 else 0, label, weight if index == 0 else 0.0, to)
            )
            source = to

    for arc in transducer.arcs:
        add(arc.source, ord(str(arc.input)), arc.output, arc.weight, arc.target)
    for ending in transducer.endings:
        end = fst.add_state()
        fst.set_final(end)
        add(ending.state, 0, ending.output, ending.weight, end)
    return fst


def answers(fst: pynini.Fst, word: String) -> dict[str, float]:
    """All that OpenFst rewrites a word to, each at its lowest weight."""
    acceptor = pynini.Fst()
    state = acceptor.add_state()
    acceptor.set_start(state)
    for symbol in word:
        to = acceptor.add_state()
        acceptor.add_arc(state, pynini.Arc(ord(str(symbol)), ord(str(symbol)), 0.0, to))
        state = to
    acceptor.set_final(state)
    paths = pynini.compose(acceptor, fst.copy().arcsort()).paths()
    best: dict[str, float] = {}
    while not paths.done():
        text, weight = "".join(chr(label) for label in paths.olabels() if label), float(paths.weight())
        best[text] = min(weight, best.get(text, weight))
        paths.next()
    return best


def ours(transducer: Transducer, word: String) -> dict[str, float]:
    return {"".join(map(str, way.output)): way.weight for way in transducer.rewritings(word)}


@many
@given(transducers(weights=2))
def test_rewritings_are_those_of_openfst(transducer: Transducer) -> None:
    fst = openfst(transducer)
    for word in strings(READ, 3):
        assert ours(transducer, word) == answers(fst, word)
        assert ours(trim_transducer(transducer), word) == answers(fst, word)


@many
@given(transducers(weights=2))
def test_a_file_holds_the_whole_machine(transducer: Transducer) -> None:
    write_transducer(transducer, text := io.StringIO())
    text.seek(0)
    again = read_transducer(text)
    for word in strings(READ, 3):
        assert ours(again, word) == ours(transducer, word)


@many
@given(transducers(weights=1, least=1))
def test_inverses_are_those_of_openfst(transducer: Transducer) -> None:
    fst, inverse = pynini.invert(openfst(transducer)), invert(transducer)
    for word in strings(WRITTEN, 3):
        assert ours(inverse, word) == answers(fst, word)


@many
@given(transducers(deterministic=True))
def test_an_inverse_reads_what_was_written_however_late(transducer: Transducer) -> None:
    try:
        inverse = invert(transducer)
    except MachineError as error:
        assert "without reading anything" in str(error)
        return
    for word in strings(READ, 4):
        for written in transducer.rewritings(word):
            assert word in [way.output for way in inverse.rewritings(written.output)]


@many
@given(transducers(weights=1), transducers(read=WRITTEN, written=LATER, weights=1))
def test_compositions_are_those_of_openfst(first: Transducer, second: Transducer) -> None:
    both = compose(first, second)
    fst = pynini.compose(openfst(first), openfst(second).arcsort())
    for word in strings(READ, 3):
        assert ours(both, word) == answers(fst, word)


@many
@given(transducers(weights=2))
def test_a_deterministic_machine_keeps_the_best_rewriting(transducer: Transducer) -> None:
    try:
        machine = determinize_transducer(transducer, limit=300)
    except MachineError as error:
        assert "more than 300 states" in str(error) or "in two ways" in str(error)
        return
    assert machine.deterministic
    for word in strings(READ, 4):
        ways = transducer.rewritings(word)
        best = [way for way in ways if way.weight == ways[0].weight]
        assert machine.rewritings(word) in ([[way] for way in best] or [[]])


@many
@given(transducers(deterministic=True))
def test_the_smallest_machine_rewrites_alike(transducer: Transducer) -> None:
    smallest = minimize_transducer(transducer)
    assert smallest.deterministic
    assert smallest.states <= trim_transducer(transducer).states + 1
    for word in strings(READ, 4):
        assert smallest.rewritings(word) == transducer.rewritings(word)
    again = minimize_transducer(smallest)
    assert (again.arcs, again.endings) == (smallest.arcs, smallest.endings)


@many
@given(transducers(deterministic=True, written="x"), transducers(deterministic=True, written="x"))
def test_a_difference_is_found_where_there_is_one(left: Transducer, right: Transducer) -> None:
    word = find_difference(left, right)
    if word is None:
        assert all(ours(left, word) == ours(right, word) for word in strings(READ, 5))
        forms = [minimize_transducer(machine) for machine in (left, right)]
        assert forms[0].arcs == forms[1].arcs and forms[0].endings == forms[1].endings
    else:
        assert ours(left, word) != ours(right, word)


@many
@given(transducers(deterministic=True), st.data())
def test_splitting_a_state_or_writing_later_changes_nothing(
    transducer: Transducer, data: st.DataObject
) -> None:
    split = data.draw(st.integers(0, transducer.states - 1))
    fresh = transducer.states
    arcs = [
        arc._replace(target=fresh) if arc.target == split and data.draw(st.booleans()) else arc
        for arc in transducer.arcs
    ]
    arcs += [arc._replace(source=fresh) for arc in transducer.arcs if arc.source == split]
    endings = [*transducer.endings]
    endings += [ending._replace(state=fresh) for ending in transducer.endings if ending.state == split]
    assert equivalent_transducers(transducer, Transducer(arcs, endings))


def test_what_reads_nothing_forever_is_refused() -> None:
    with pytest.raises(MachineError, match="comes back to itself without reading anything"):
        invert(Transducer([(0, "a", 0)], [(0,)]))


def test_two_outputs_for_one_input_are_refused() -> None:
    with pytest.raises(MachineError, match="in two ways, which end in 'x' and 'y'"):
        determinize_transducer(Transducer([(0, "a", 0, "x"), (0, "a", 0, "y")], [(0,)]))


@many
@given(transducers(states=3))
def test_an_ambiguity_is_found_where_there_is_one(transducer: Transducer) -> None:
    ambiguity = find_ambiguity(transducer)
    if ambiguity is None:
        assert all(len(ours(transducer, word)) <= 1 for word in strings(READ, 6))
    else:
        answers_of_openfst = answers(openfst(transducer), ambiguity.symbols)
        assert ambiguity.first != ambiguity.second
        assert {"".join(map(str, way)) for way in ambiguity[1:]} <= answers_of_openfst.keys()
