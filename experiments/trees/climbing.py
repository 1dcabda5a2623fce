"""Hill climbing over the encoding of the chain (Tables 5.4 and 5.5), and votes between what it finds (Table 6.5)."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args

from experiments.shared.paths import WORK
from experiments.trees.data import LABELS, Proposition, propositions
from experiments.trees.scoring import labelled, pack, score
from experiments.trees.systems import ITERATIONS, model_scores, simple_rows
from lawful.encodings import Encoded, Encoding, identity_encoding, search_encodings
from lawful.lattice import AnyLattice
from lawful.models import CRF, StructuredPerceptron, load_model
from lawful.support.numbers import check_choice
from lawful.tasks.srl.constituents.histories import AFTER
from lawful.voting import Ballot, ChosenWeights, choose_weights
from lawful.voting.ballot import Method

__all__ = ["constituent_f1", "run_learned", "run_search"]

EVERY = 12  # of so many propositions of "fit" one is trained on while a search climbs
PART = 8  # and of so many for the chains that are reported
HELD_EVERY = 4  # of so many of the held-out tenth one chooses the weights of votes
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
    journal = WORK / f"trees-search-{settings['seed']}-{settings['trials']}.sqlite"
    journal.parent.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    found = search_encodings(
        *fit,
        held_out=held,
        model=StructuredPerceptron(epochs=settings["epochs"], groups="prefix", jobs=1),
        start=identity_encoding(LABELS),
        metric=constituent_f1,
        attributes={name: counted[name] for name in _LOOKED_AT if counted[name]},
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


@lru_cache(maxsize=8)
def _learned(search: str, c2: float) -> Encoded:
    """A chain in an encoding, by maximum likelihood; kept in a file."""
    encoding = json.loads(search)
    kept = (
        WORK
        / f"trees-learned-{hashlib.sha256(f'{search} {c2} {ITERATIONS}'.encode()).hexdigest()[:16]}.lawful"
    )
    if kept.exists():
        model = load_model(kept)
        assert isinstance(model, Encoded)
        return model
    crf = CRF(groups="prefix", c2=c2, max_iterations=ITERATIONS, jobs=1)
    fitted = Encoded(crf, Encoding.from_dict(encoding)).fit(*_data(propositions(f"fit/{PART}")))
    fitted.save(kept)
    return fitted


def _models(settings: Mapping[str, Any]) -> dict[str, Encoded]:
    """The chain in the canonical labels, and in each learned encoding."""
    encodings = {"canonical": identity_encoding(LABELS).to_dict()}
    encodings |= {f"run {number}": one for number, one in enumerate(settings["encodings"], start=1)}
    return {
        name: _learned(json.dumps(encoding, sort_keys=True), settings["c2"])
        for name, encoding in encodings.items()
    }


def run_learned(settings: dict[str, Any]) -> dict[str, Any]:
    """Chains in learned encodings, with and without rules; votes between them, with weights from the held-out tenth."""
    test, models = propositions(settings["test"]), _models(settings)
    said: dict[str, list[AnyLattice]] = {}
    result: dict[str, Any] = {"training": len(propositions(f"fit/{PART}")), "singles": {}, "votes": {}}
    for name, model in models.items():
        plain, said[name] = model_scores(model, simple_rows)(test)
        result["singles"][name] = labelled(said[name], plain, test)
    learned = [name for name in models if name != "canonical"]
    weights = _weights([models[name] for name in learned])
    for method in ("log-linear", "linear"):
        ballot = Ballot(models["canonical"].labels, weights.weights, method=_method(method), names=learned)
        began = time.process_time()
        votes = [ballot.decide(lattices) for lattices in zip(*(said[name] for name in learned), strict=True)]
        seconds = time.process_time() - began
        answers = [list(vote.labels) for vote in votes]
        result["votes"][method] = {
            **score(test, answers),
            "answers": pack(test, answers),
            "ms": 1000 * seconds / len(test),
        }
    return {**result, "weights": list(weights.weights), "held": weights.score, "tried": weights.tried}


def _method(name: str) -> Method:
    return check_choice("method", name, get_args(Method))


def _weights(models: Sequence[Encoded]) -> ChosenWeights:
    """The thesis's grid, one weight at a time, by F1 on a part of the held-out tenth; linear votes take the same."""
    part = propositions(f"held/{HELD_EVERY}")
    rows = [simple_rows(one) for one in part]
    said = zip(*(list(model.lattices(rows)) for model in models), strict=True)
    return choose_weights(
        said,
        [list(one.labels) for one in part],
        method="log-linear",
        labels=models[0].labels,
        search="coordinates",
        measure="f1",
        scheme="flat",
    )
