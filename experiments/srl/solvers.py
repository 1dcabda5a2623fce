"""The run times of Tromble & Eisner's Table 2, and Figure 6: all solvers on the same lattices in one process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

import lawful
from experiments.srl.learners import lattices
from experiments.srl.tables import RULES
from lawful.decoding.options import DecoderOptions

__all__ = ["SOLVERS", "run_solvers"]

SOLVERS: dict[str, DecoderOptions] = {
    "brute force": {"solver": "brute_force"},
    "ILP": {"solver": "ilp"},
    "ILP, pruned": {"solver": "ilp", "prune": True},
    "relaxation, random order": {"solver": "relaxation", "order": "random"},
    "relaxation, most violated first": {"solver": "relaxation", "order": "most_violated"},
    "relaxation, smallest first": {"solver": "relaxation", "order": "smallest"},
    "relaxation, learned order": {"solver": "relaxation", "order": "given"},
    "A*": {"solver": "a_star"},
    "auto": {"solver": "auto"},
}
"""In the order in which they run."""

LEARNING = 300  # propositions on which the order is learned


def run_solvers(settings: dict[str, Any]) -> dict[str, Any]:
    """CPU milliseconds per proposition of each solver, after one warm-up; the sizes of lattices over intersections."""
    scored = lattices(settings)
    result: dict[str, Any] = {"propositions": len(scored), "solvers": {}}
    reference: list[float] = []
    paths: dict[str, list[lawful.Decoding]] = {}
    for name, options in SOLVERS.items():
        rules = learned_order(settings) if name.endswith("learned order") else RULES
        options = {**options, "on_infeasible": "least_bad"}
        decoder = lawful.Decoder(rules, labels=scored[0].labels, **options)
        decoder.decode(scored[0])
        began = time.process_time()
        found = [decoder.decode(lattice) for lattice in scored]
        seconds = time.process_time() - began
        scores = [one.score for one in found]
        reference = reference or scores
        apart = float(np.abs(np.array(scores) - np.array(reference)).max())
        entered = [sum(len(turn.rules) for turn in one.rounds) for one in found]
        result["solvers"][name] = {
            "ms": 1000 * seconds / len(scored),
            "apart": apart,
            "entered": float(np.mean(entered)),
        }
        if name in ("brute force", "relaxation, random order"):
            paths[name] = found
    began = time.process_time()
    lawful.Decoder(RULES, labels=scored[0].labels, on_infeasible="least_bad").decode_batch(scored, jobs=1)
    result["solvers"]["auto, in one batch"] = {
        "ms": 1000 * (time.process_time() - began) / len(scored),
        "apart": 0.0,
        "entered": None,
    }
    result["sizes"] = sizes(paths["relaxation, random order"], paths["brute force"])
    return result


def sizes(relaxed: Sequence[lawful.Decoding], brute: Sequence[lawful.Decoding]) -> list[dict[str, Any]]:
    """Figure 6: for propositions with k intersections, the mean arcs after 0 to k of them, and of the brute-force lattice."""
    by_count: dict[int, list[tuple[list[int], int]]] = {}
    for one, other in zip(relaxed, brute, strict=True):
        arcs = [turn.arcs for turn in one.rounds]
        by_count.setdefault(len(arcs) - 1, []).append((arcs, other.rounds[-1].arcs))
    return [
        {
            "intersections": count,
            "propositions": len(by_count[count]),
            "arcs": np.mean([arcs for arcs, _ in by_count[count]], axis=0).tolist(),
            "brute force": float(np.mean([size for _, size in by_count[count]])),
        }
        for count in sorted(by_count)
    ]


def learned_order(settings: dict[str, Any]) -> lawful.Rules:
    """The rules in the order that makes fewest arcs on propositions of the training data (section 7 of the paper).

    The kinds of rules are permuted; rules of one kind stay together, in the order of the roles' numbers.
    """
    sample = lattices({**settings, "test": "held"})[:LEARNING]
    kinds = {
        "duplicates": [name for name in RULES.names if name.startswith("NO DUPLICATE")],
        **{name: [name] for name in RULES.names if not name.startswith("NO DUPLICATE")},
    }
    best: tuple[float, lawful.Rules] | None = None
    rarely = ("KNOWN VERB POSITION", "DISALLOW ARGUMENTS")  # local and rarely broken: always first
    for order in permutations([kind for kind in kinds if kind not in rarely]):
        rules = lawful.Rules(RULES[name] for kind in (*rarely, *order) for name in kinds[kind])
        decoder = lawful.Decoder(
            rules,
            labels=sample[0].labels,
            solver="relaxation",
            order="given",
            on_infeasible="least_bad",
        )
        arcs = sum(turn.arcs for lattice in sample for turn in decoder.decode(lattice).rounds)
        if best is None or arcs < best[0]:
            best = (arcs, rules)
    assert best is not None
    return best[1]
