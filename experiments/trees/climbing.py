"""Hill climbing over the encoding of the chain (Tables 5.4 and 5.5), and votes between what it finds (Table 6.5)."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import lawful
from experiments.shared.paths import WORK
from experiments.trees.comparing import pack
from experiments.trees.data import LABELS, Proposition, propositions
from experiments.trees.scoring import RULES, counts_of, in_context, labelled, score
from experiments.trees.systems import ITERATIONS, complex_rows, model_scores, simple_rows
from lawful.encodings import Encoded, Encoding, identity_encoding, search_encodings
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.models import CRF, StructuredPerceptron, load_model
from lawful.tasks.srl.constituents.histories import AFTER
from lawful.voting import Ballot, PathCounts

__all__ = ["constituent_f1", "run_learned", "run_search", "run_voted"]

EVERY = 12  # of so many propositions of "fit" one is trained on while a search climbs
_LOOKED_AT = ("cls:pos=before", "cls:pos=after", "cls:voice=passive", "cls:voice=active", AFTER)
"""What moves may ask of a constituent: where it stands, and the voice of its predicate."""


def constituent_f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """F1 in per cent of the labelled constituents that are arguments."""
    pairs = Counter(pair for ours in zip(gold, predicted, strict=True) for pair in zip(*ours, strict=True))
    right = sum(count for (one, other), count in pairs.items() if one == other != "O")
    found = sum(count for (_, other), count in pairs.items() if other != "O")
    there = sum(count for (one, _), count in pairs.items() if one != "O")
    return 200 * right / max(1, found + there)


def _data(part: Sequence[Proposition]) -> tuple[list[list[list[str]]], list[list[str]]]:
    return [simple_rows(one) for one in part], [list(one.labels) for one in part]


def run_search(settings: dict[str, Any]) -> dict[str, Any]:
    """Climb from the canonical labels, with an averaged perceptron on a part of the training data."""
    fit, held = _data(propositions(f"fit/{EVERY}")), _data(propositions("held/2"))
    counted = Counter(attribute for rows in fit[0] for row in rows for attribute in row)
    journal = WORK / f"trees-search-{settings['seed']}-by-frequency.sqlite"
    journal.parent.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    found = search_encodings(
        *fit,
        held_out=held,
        model=StructuredPerceptron(epochs=settings["epochs"], groups="prefix", jobs=1),
        start=identity_encoding(LABELS),
        metric=constituent_f1,
        attributes={name: counted[name] for name in _LOOKED_AT if counted[name]},
        by_frequency=True,
        beam=settings["beam"],
        patience=settings["trials"],
        max_trials=settings["trials"],
        seed=settings["seed"],
        journal=journal,
    )
    return {
        "start": found.history[0].score,
        "held": found.best.score,
        "trials": len(found.history),
        "tags": len(found.encoding.tags),
        "moves": [candidate.move for candidate in found.ancestors() if candidate.move],
        "encoding": found.best.encoding,
        "training": len(fit[0]),
        "history": [candidate.score for candidate in found.history],
        "seconds": round(time.process_time() - began, 1),
    }


def _division(encoding: Encoding, train: Sequence[Proposition]) -> dict[str, Any]:
    """The division of features of the chain, for tags: those for finding tell tags of O from all others, those for naming never fire for O.

    Tags of one label share features. With the canonical tags this is the chain itself.
    """
    used = {tag for one in train for tag in encoding.encode(one.labels, complex_rows(one))}
    tags_of: dict[str, list[str]] = {}
    for tag in sorted(used):
        tags_of.setdefault(re.split(r"[.~]", tag)[0], []).append(tag)
    arguments = sorted(used.difference(tags_of["O"]))
    shared = {f"*:{label}": tags for label, tags in tags_of.items() if label != "O" and len(tags) > 1}
    return {
        "groups": {**shared, "argument": arguments, "none": tags_of["O"]},
        "group_features": ("id:", ["argument", "none"]),
        "label_features": arguments,
    }


@lru_cache(maxsize=8)
def _learned(search: str, c2: float, train: str) -> Encoded:
    """The chain in an encoding, by maximum likelihood; kept in a file."""
    name = hashlib.sha256(f"{search} {c2} {train} {ITERATIONS}".encode()).hexdigest()[:16]
    kept = WORK / f"trees-learned-{name}.lawful"
    if kept.exists():
        model = load_model(kept)
        assert isinstance(model, Encoded)
        return model
    encoding, data = Encoding.from_dict(json.loads(search)), propositions(train)
    crf = CRF(c2=c2, max_iterations=ITERATIONS, jobs=1, **_division(encoding, data))
    fitted = Encoded(crf, encoding).fit(
        [complex_rows(one) for one in data], [list(one.labels) for one in data]
    )
    fitted.save(kept)
    return fitted


@lru_cache(maxsize=8)
def _said(search: str, c2: float, train: str, test: str) -> tuple[list[list[str]], list[AnyLattice]]:
    """What the chain in an encoding says of the test data."""
    data = propositions(test)
    plain, said = model_scores(_learned(search, c2, train), complex_rows)(data)
    return plain, [in_context(lattice, one) for lattice, one in zip(said, data, strict=True)]


def _said_in(
    encoding: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[list[list[str]], list[AnyLattice]]:
    return _said(json.dumps(encoding, sort_keys=True), settings["c2"], settings["train"], settings["test"])


def run_learned(settings: dict[str, Any]) -> dict[str, Any]:
    """A chain in a learned encoding, or in the canonical one, with and without rules."""
    plain, said = _said_in(settings["encoding"] or identity_encoding(LABELS).to_dict(), settings)
    found = labelled(said, plain, propositions(settings["test"]), steps=("no rules", "all rules"))
    return {**found, "training": len(propositions(settings["train"]))}


def run_voted(settings: dict[str, Any]) -> dict[str, Any]:
    """A vote of chains in learned encodings, all with the same weight."""
    test = propositions(settings["test"])
    said = [_said_in(encoding, settings)[1] for encoding in settings["encodings"]]
    rules = RULES if settings["step"] == "all rules" else lawful.Rules()
    ballot = Ballot(LabelSet(LABELS), [1.0] * len(said), method=settings["method"], rules=rules)
    began = time.process_time()
    votes = [ballot.decide(lattices) for lattices in zip(*said, strict=True)]
    seconds = time.process_time() - began
    assert all(vote.status == "optimal" for vote in votes)
    answers = [list(vote.labels) for vote in votes]
    return {
        **score(test, answers),
        "answers": pack(counts_of(test, answers)),
        "ms": 1000 * seconds / len(test),
        **_paths([vote.paths for vote in votes if vote.paths is not None]),
    }


def _paths(counted: Sequence[PathCounts]) -> dict[str, Any]:
    """How many ways into a group linear votes kept."""
    if not counted:
        return {}
    return {"paths": [sum(one.mean for one in counted) / len(counted), max(one.most for one in counted)]}
