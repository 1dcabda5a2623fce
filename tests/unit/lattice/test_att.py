import io

import numpy as np
import pytest

from lawful.errors import AttFormatError, GraphError
from lawful.lattice import GraphLattice, path_score, read_att, write_att
from lawful.lattice.openfst_text import read_symbols


def read(text, **options):
    return read_att(io.StringIO(text), **options)


def written(graph, **options):
    write_att(graph, text := io.StringIO(), **options)
    return text.getvalue()


def test_an_acceptor():
    graph = read("3 1 a 0.5\n3 1 b\n\n1 0 a Infinity\n1 2 <eps> 1\n2 2.5\n1 Infinity\n")
    assert list(graph.labels) == ["a", "b"]
    assert path_score(graph, "a") == -4.0
    assert path_score(graph, "b") == -3.5
    assert path_score(graph, "aa") == -np.inf


def test_scores_instead_of_costs():
    assert path_score(read("0 1 a 0.5\n1 2\n", negate=False), "a") == 2.5
    with pytest.raises(AttFormatError, match=r"weight Infinity is no score"):
        read("0 1 a Infinity\n1\n", negate=False)


def test_transducers():
    text = "0 1 a b 1\n1 2 b b\n2\n"
    assert path_score(read(text, transducer=True, side="output"), "bb") == -1.0
    assert path_score(read(text, transducer=True, side="input"), "ab") == -1.0
    with pytest.raises(AttFormatError, match="line 1: input 'a' differs from output 'b'"):
        read(text, transducer=True)
    assert path_score(read("0 1 a a\n1\n", transducer=True), "a") == 0.0


def test_symbol_tables(tmp_path):
    table = tmp_path / "labels.syms"
    table.write_text("<eps>\t0\nb\t2\na\t1\n")
    text = "0 1 1\n1 2 0 0.5\n2 3 2\n3\n"
    for symbols in (table, str(table), {0: "<eps>", 1: "a", 2: "b"}, {1: "a", 2: "b"}):
        graph = read(text, symbols=symbols)
        assert list(graph.labels) == ["a", "b"]
        assert path_score(graph, "ab") == -0.5
    with pytest.raises(AttFormatError, match="line 1: '7' is not a number of the symbol table"):
        read("0 1 7\n1\n", symbols=table)
    with pytest.raises(AttFormatError, match="number 1 stands for 'a' already"):
        read_symbols(io.StringIO("a 1\nb 1\n"))
    with pytest.raises(AttFormatError, match="expected 'name number'"):
        read_symbols(io.StringIO("a b 1\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file is empty"),
        ("0 1 a\nx 1 a\n", "line 2: expected a number >= 0, got 'x'"),
        ("0 1 a 0 0\n1\n", "line 1: an arc has 3 or 4 fields, got 5; pass transducer=True"),
        ("0 1 a b 0 0\n1\n", "line 1: an arc has 3 or 4 fields, got 6"),
        ("0 1 a x\n1\n", "line 1: expected a weight, got 'x'"),
        ("0 1 a nan\n1\n", "line 1: weight nan is no cost"),
        ("0 1 a -Infinity\n1\n", "line 1: weight -Infinity is no cost"),
        ("0 1 a\n1 nan\n", "line 2: weight nan"),
        ("-1 1 a\n", "line 1: expected a number >= 0, got '-1'"),
    ],
)
def test_the_line_is_named(text, message):
    with pytest.raises(AttFormatError, match="the text, ") as caught:
        read(text)
    assert message in str(caught.value)


def test_the_file_is_named(tmp_path):
    path = tmp_path / "lattice.txt"
    path.write_bytes(b"0 1 \xff\n")
    with pytest.raises(AttFormatError, match=r"lattice\.txt, line 1: the file is not UTF-8"):
        read_att(path)


def test_large_files_are_refused():
    with pytest.raises(AttFormatError, match="line 2: the file is longer than max_bytes=10"):
        read("0 1 a\n1 2 b\n2\n", max_bytes=10)
    with pytest.raises(AttFormatError, match="longer"):
        read("0" * 1000, max_bytes=10)


def test_states_on_no_path_do_no_harm():
    assert path_score(read("0 1 a\n1\n9 3\n"), "a") == 0.0
    assert read("0 1 a\n").core.states == 0


def test_names_that_cannot_be_written():
    for name in ("two words", "", "<eps>"):
        with pytest.raises(GraphError, match="cannot be written"):
            written(GraphLattice.from_arcs([], labels=[name], finals=[0]))


def test_a_start_without_arcs_comes_back():
    graph = GraphLattice.from_arcs([(1, 2, "a", 0.0), (2, 0, "a", 0.0)], labels=["a"], finals=[0], start=0)
    again = read(written(graph))
    assert again.states[again.start] == 0
    assert path_score(again, "") == 0.0


def random_graph(rng):
    names = ["a", "b", "c"]
    states = rng.permutation(20)[:6].tolist()
    arcs = [(states[0], states[-1], "a", -9.0)]
    for _ in range(15):
        source, target = sorted(rng.choice(6, 2, replace=False))
        label = None if rng.random() < 0.1 else names[rng.integers(3)]
        weight = -np.inf if rng.random() < 0.1 else float(np.float32(rng.normal()))
        arcs.append((states[source], states[target], label, weight))
    arcs.append((states[2], states[1], "b", -8.0))  # a cycle, which loses
    known = {state for arc in arcs for state in arc[:2]}
    finals = {s: float(np.float32(rng.normal())) for s in states[3:] if s in known}
    return GraphLattice.from_arcs(arcs, labels=names, start=states[0], finals=finals)


@pytest.mark.parametrize("seed", range(30))
def test_round_trip_through_openfst(seed, tmp_path):
    fst = pytest.importorskip("pywrapfst")
    graph = random_graph(np.random.default_rng(seed))
    write_att(graph, tmp_path / "ours.txt")

    symbols = fst.SymbolTable()
    for name in ("<eps>", *graph.labels):
        symbols.add_symbol(name)
    compiler = fst.Compiler(isymbols=symbols, osymbols=symbols, acceptor=True)
    compiler.write((tmp_path / "ours.txt").read_text())
    compiled = compiler.compile()

    again = read(compiled.print(isymbols=symbols, osymbols=symbols, acceptor=True), labels=graph.labels)
    numbered = read(compiled.print(acceptor=True), symbols={0: "<eps>", 1: "a", 2: "b", 3: "c"})
    both_sides = read(
        compiled.print(isymbols=symbols, osymbols=symbols), labels=graph.labels, transducer=True
    )
    ours = graph.core.best_path()
    for other in (again, numbered, both_sides):
        assert other.core.best_path().score == pytest.approx(ours.score, abs=1e-5)
        assert path_score(other, ours.labels) == pytest.approx(ours.score, abs=1e-5)

    # OpenFst's own best path.
    shortest = fst.shortestpath(compiled)
    total, state, spelled = 0.0, shortest.start(), []
    while arcs := list(shortest.arcs(state)):
        total += float(arcs[0].weight)
        spelled += [graph.labels[arcs[0].ilabel - 1]] if arcs[0].ilabel else []
        state = arcs[0].nextstate
    assert -(total + float(shortest.final(state))) == pytest.approx(ours.score, abs=1e-5)
    assert path_score(graph, spelled) == pytest.approx(ours.score, abs=1e-5)
