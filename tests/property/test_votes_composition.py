"""Log-linear votes by merged trellises and by merged graphs are those by composed transducers (Loper 6.4.3 and 6.4.4)."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.automata import Transducer, TransducerArc
from lawful.automata.transducers.composition import compose
from lawful.automata.transducers.transducer import Ending
from lawful.encodings import ComposedLattices, Encoding, history_encoding, identity_encoding, scheme_encoding
from lawful.errors import InfeasibleError
from lawful.lattice import TagLattice
from lawful.testing import random_lattice
from lawful.voting import LogLinear, canonical_states, merge_states

FAMILIES = [
    [scheme_encoding("IOB1", target) for target in ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")],
    [identity_encoding(["A", "B"]), history_encoding(["A", "B"], 2), history_encoding(["A", "B"], 3)],
]


def as_transducer(lattice: lawful.Lattice) -> Transducer:
    """A Viterbi graph: it reads tags, and weighs them."""
    count = len(lattice.labels)
    arcs: list[TransducerArc] = []
    for t in range(lattice.length):
        for before in range(count if t else 1):
            for after, tag in enumerate(lattice.labels):
                weight = lattice.emissions[t, after]
                if t == 0:
                    weight += 0.0 if lattice.start is None else lattice.start[after]
                elif lattice.transitions is not None:
                    steps = lattice.transitions
                    weight += steps[before, after] if steps.ndim == 2 else steps[t - 1, before, after]
                source = 0 if t == 0 else 1 + (t - 1) * count + before
                if weight > -np.inf:
                    arcs.append(TransducerArc(source, tag, 1 + t * count + after, (tag,), float(weight)))
    first = 1 + (lattice.length - 1) * count
    ends = np.zeros(count) if lattice.end is None else lattice.end
    endings = [Ending(first + k, (), float(end)) for k, end in enumerate(ends) if end > -np.inf]
    return Transducer(arcs, endings)


def composed_acceptor(encoding: Encoding, tags: lawful.Lattice, weight: float) -> Transducer:
    """From canonical labels to themselves, with the weighted scores of their tags."""
    both = compose(encoding.transducer, as_transducer(tags))
    return Transducer(
        [arc._replace(output=(arc.input,), weight=weight * arc.weight) for arc in both.arcs],
        [ending._replace(output=(), weight=weight * ending.weight) for ending in both.endings],
    )


@pytest.mark.parametrize("family", range(len(FAMILIES)))
def test_merged_graphs_and_composed_transducers_agree(family: int) -> None:
    rng = np.random.default_rng([64, family])
    labels = FAMILIES[family][0].labels
    on_compiled_path = 0
    for _ in range(25):
        length = int(rng.integers(1, 5))
        chosen = [FAMILIES[family][index] for index in rng.integers(len(FAMILIES[family]), size=3)]
        weights = rng.dirichlet(np.ones(3)).tolist()
        tags = [random_lattice(rng, length=length, labels=encoding.tags, forbid=0.02) for encoding in chosen]
        said = [
            ComposedLattices(encoding, encoding.tags)(one) for encoding, one in zip(chosen, tags, strict=True)
        ]
        merged = LogLinear(weights, labels)(said)
        as_graph = merge_states([canonical_states(lattice, labels) for lattice in said]).to_lattice(weights)
        assert isinstance(merged, TagLattice | lawful.GraphLattice)
        on_compiled_path += isinstance(merged, TagLattice)
        product = None
        for encoding, one, weight in zip(chosen, tags, weights, strict=True):
            acceptor = composed_acceptor(encoding, one, weight)
            product = acceptor if product is None else compose(product, acceptor)
        assert product is not None
        try:
            best = lawful.decode(merged)
        except InfeasibleError:
            assert not product.endings
            continue
        graph = lawful.GraphLattice.from_arcs(
            [(arc.source, arc.target, str(arc.input), arc.weight) for arc in product.arcs],
            labels=labels,
            finals={ending.state: ending.weight for ending in product.endings},
        )
        assert lawful.decode(graph).score == pytest.approx(best.score, abs=1e-9)
        assert lawful.decode(as_graph).score == pytest.approx(best.score, abs=1e-9)
        for composed, ours in zip(lawful.nbest(graph, n=5), lawful.nbest(merged, n=5), strict=True):
            assert composed.score == pytest.approx(ours.score, abs=1e-9)
        partition = lawful.decoding.log_partition
        assert partition(graph) == pytest.approx(partition(merged), abs=1e-9)
    assert on_compiled_path > 20  # the others have no label sequence in common
