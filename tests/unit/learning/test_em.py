"""EM against a reference that sums over every labelling, and the promise that its objective never falls."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest

import lawful
from lawful import HMM
from lawful.errors import InputError, NotFittedError
from lawful.learning import EM
from lawful.models import Emission
from lawful.models.hmm.sums import expected_counts

PLAIN = {"emissions": [Emission(normalise=(), unknown=None)], "rare": 0}
LABELLED = [["a", "b", "c"], ["b", "c"]], [["P", "Q", "Q"], ["P", "P"]]
POOL = [["a", "c", "c"], ["d", "a"], ["b"], ["c", "d", "b", "a"]]


class Enumerated:
    """EM for an HMM, from dictionaries and sums over all labellings."""

    def __init__(self, alpha: float, beta: float, *, end: bool) -> None:
        self.alpha, self.beta, self.end = alpha, beta, end
        self.labels = sorted({label for one in LABELLED[1] for label in one})
        self.words = sorted({word for one in [*LABELLED[0], *POOL] for word in one})
        self.known = self.events_of(zip(*LABELLED, [1.0, 1.0], strict=True))
        self.estimate(self.known)

    def events_of(self, weighted) -> dict:
        counts: dict = {}
        for tokens, labels, weight in weighted:
            events = [("start", labels[0]), *(("emit", *pair) for pair in zip(labels, tokens, strict=True))]
            events += [("step", labels[t - 1], labels[t]) for t in range(1, len(labels))]
            events += [("step", labels[-1], None)] if self.end else []
            for event in events:
                counts[event] = counts.get(event, 0.0) + weight
        return counts

    def estimate(self, counts: dict) -> None:
        self.p: dict = {}
        targets = [*self.labels, None] if self.end else self.labels
        self._share(counts, [("start", label) for label in self.labels], self.beta)
        for label in self.labels:
            self._share(counts, [("step", label, target) for target in targets], self.beta)
            # one more symbol than there are words: the unknown one
            self._share(counts, [("emit", label, word) for word in [*self.words, "unknown word"]], self.alpha)

    def _share(self, counts: dict, events: list, added: float) -> None:
        total = sum(counts.get(event, 0.0) + added for event in events)
        self.p |= {event: (counts.get(event, 0.0) + added) / total for event in events}

    def probability(self, tokens, labels) -> float:
        events = self.events_of([(tokens, labels, 1.0)])
        return math.prod(self.p[event] ** count for event, count in events.items())

    def step(self) -> float:
        weighted, likelihood = [], 0.0
        for tokens in POOL:
            joint = {
                labels: self.probability(tokens, labels)
                for labels in product(self.labels, repeat=len(tokens))
            }
            total = sum(joint.values())
            likelihood += math.log(total)
            weighted += [(tokens, labels, p / total) for labels, p in joint.items()]
        prior = sum((self.alpha if e[0] == "emit" else self.beta) * math.log(p) for e, p in self.p.items())
        objective = likelihood + prior
        objective += sum(count * math.log(self.p[event]) for event, count in self.known.items())
        counts = self.events_of(weighted)
        self.estimate({e: counts.get(e, 0.0) + self.known.get(e, 0.0) for e in {**counts, **self.known}})
        return objective


@pytest.mark.parametrize("end", [False, True])
def test_em_is_the_enumerated_em(end: bool) -> None:
    alpha, beta = 0.3, 0.2
    reference = Enumerated(alpha, beta, end=end)
    base = HMM(**PLAIN, emission_smoothing=alpha, transition_smoothing=beta, end=end)
    rounds = 6
    learner = EM(base, rounds=rounds).fit(*LABELLED, unlabelled=POOL)
    objectives = [reference.step() for _ in range(rounds)]
    assert [one.objective for one in learner.history_[1:]] == pytest.approx(objectives, rel=1e-10)
    for tokens in POOL:
        for labels in product(reference.labels, repeat=len(tokens)):
            got = math.exp(lawful.lattice.path_score(learner.lattice(tokens), labels))
            assert got == pytest.approx(reference.probability(tokens, labels), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_never_falls(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words, labels = list("abcdefgh"), ["P", "Q", "R"]
    X = [rng.choice(words, size=rng.integers(1, 7)).tolist() for _ in range(30)]
    y = [rng.choice(labels, size=len(one)).tolist() for one in X[:4]]
    base = HMM(**PLAIN, emission_smoothing=0.1, end=bool(seed % 2), labels=labels)
    learner = EM(base, rounds=25, weight=0.7).fit(X[:4], y, unlabelled=X[4:])
    objectives = [one.objective for one in learner.history_[1:]]
    assert len(objectives) > 3
    assert all(b >= a - 1e-9 * abs(a) for a, b in pairwise(objectives))
    assert objectives[-1] > objectives[0]


def test_expected_counts_are_those_of_the_marginals() -> None:
    model = HMM().fit(*LABELLED)
    pool = [*POOL, ["zzz", "a"]] * 30
    flat = model.flatten(pool)
    found = expected_counts(model, pool, flat, model.vocabularies_)
    ours = [lawful.marginals(lattice) for lattice in model.lattices(pool)]
    assert found.log_likelihood == pytest.approx(sum(one.log_partition for one in ours))
    assert found.counts.start == pytest.approx(sum(one.labels[0] for one in ours))
    assert found.counts.end == pytest.approx(sum(one.labels[-1] for one in ours))
    pairs = [
        [sum(m.window(t, [a, b]) for m in ours for t in range(m.length - 1)) for b in model.labels]
        for a in model.labels
    ]
    assert found.counts.transitions == pytest.approx(np.array(pairs))
    emitted = np.zeros_like(found.counts.emissions[0])
    np.add.at(emitted, flat.symbols[0], np.concatenate([one.labels for one in ours]))
    assert found.counts.emissions[0] == pytest.approx(emitted)


def test_gamma_of_one_learns_nothing_from_the_pool() -> None:
    plain = HMM().fit(*LABELLED)
    learner = EM(HMM(), gamma=1.0, rounds=2).fit(*LABELLED, unlabelled=POOL)
    for tokens in POOL:
        assert np.allclose(learner.lattice(tokens).emissions, plain.lattice(tokens).emissions)
    halved = EM(HMM(), gamma=0.5, rounds=2).fit(*LABELLED, unlabelled=POOL, watch=LABELLED)
    assert not np.allclose(halved.lattice(POOL[0]).emissions, plain.lattice(POOL[0]).emissions)
    assert all(0 <= one.accuracy <= 1 for one in halved.history_)


def test_it_stops_when_nothing_changes() -> None:
    learner = EM(HMM(**PLAIN), rounds=500, tolerance=1e-6).fit(*LABELLED, unlabelled=POOL)
    assert len(learner.history_) < 200


def test_what_makes_no_sense_is_told() -> None:
    with pytest.raises(InputError, match="an HMM"):
        EM("model").fit(*LABELLED)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="gamma"):
        EM(HMM(), gamma=2.0).fit(*LABELLED, unlabelled=POOL)
    with pytest.raises(InputError, match="probability 0"):
        EM(HMM(emission_smoothing=0.0, rare=0)).fit(*LABELLED, unlabelled=POOL)
    with pytest.raises(NotFittedError, match="EM"):
        EM(HMM()).predict([["a"]])
