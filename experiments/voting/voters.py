"""The models that vote: one CRF for each encoding, with a penalty of its own that is chosen on held-out data, kept in files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import lawful
from experiments.encodings.data import CORPORA, part, start, thinned, with_attributes
from experiments.encodings.named import encoding_of
from experiments.encodings.plan import searched_encodings
from experiments.encodings.published import read_published
from experiments.shared.journal import key_of
from experiments.shared.paths import RESULTS, WORK
from lawful.encodings import Encoded, Encoding, hand_crafted_encoding
from lawful.models import SequenceModel
from lawful.models.features import Features, at, column, join, shape, suffix, window, word

__all__ = [
    "MANY_TAGS",
    "MODELS",
    "PUBLISHED",
    "Member",
    "Part",
    "Way",
    "choose_member",
    "member_run",
    "voter",
]

MODELS = WORK / "voting"
PUBLISHED = RESULTS / "encodings.json"  # where learned encodings come from
Part = Literal["fit", "train"]
Way = Literal["labels", "pairs"]
PENALTIES = {"np": (0.3, 0.1, 0.03), "bio": (1.0, 0.3)}
MANY_TAGS = {"np": (0.1, 0.03)}  # of learned and hand-crafted encodings, which take longer; else the same
EPOCHS = {
    "np": 20,
    "bio": 15,
}  # of stochastic gradient descent: L-BFGS takes ten times as long, and is no better on held-out data
SHARES = {"np": 1, "bio": 1}  # every so manieth training sentence


def _np_pairs() -> Features:
    tag = column("pos", name="pos")
    return Features(window(tag, -1, 1), join(at(-1, tag), tag), window(word(), -1, 0))


# What fires for pairs of tags, where members have such features.
PAIRS: dict[str, Callable[[], Features]] = {
    "np": _np_pairs,
    "bio": lambda: Features(window(word(), -1, 0), shape(short=True), suffix(3)),
}


@dataclass(frozen=True)
class Member:
    """A model that takes part in a vote.

    Attributes
    ----------
    task : "np" or "bio"
    way : "labels" or "pairs"
        Whether attributes fire for single tags only, as in the figures of the thesis, or some for pairs of tags as well, as they can
        in Mallet, which it used.
    encoding : str
        A chunk scheme, "order 2", "hand-crafted", or "learned 1" and so on: see `plan.searched_encodings`.
    """

    task: str
    way: Way
    encoding: str


@cache
def _learned(task: str) -> tuple[dict[str, Any], ...]:
    published = {key_of(run["settings"]): run["result"] for run in read_published(PUBLISHED)}
    return tuple(searched_encodings(task, lambda settings: published.get(key_of(settings))))


def _said(member: Member) -> Any:
    """The name of its encoding, or a learned encoding as data."""
    if member.encoding.startswith("learned "):
        return _learned(member.task)[int(member.encoding.split()[1]) - 1]
    return "canonical" if member.encoding == CORPORA[member.task].scheme else member.encoding


def _encoding(member: Member) -> Encoding:
    said = _said(member)
    if said == "hand-crafted":
        return with_attributes(member.task, hand_crafted_encoding())
    found = encoding_of(member.task, "order 2, subset features" if said == "order 2" else said)
    return start(member.task) if found is None else found


def _trained(member: Member, penalty: float, trained_on: Part) -> SequenceModel:
    crf = lawful.CRF(
        CORPORA[member.task].features(),
        transition_features=PAIRS[member.task]() if member.way == "pairs" else None,
        groups="prefix",  # subdivisions of a tag share features (L3); chunk schemes have none
        algorithm="sgd",
        max_iterations=EPOCHS[member.task],
        c2=penalty,
        jobs=1,
    )
    return Encoded(crf, _encoding(member)).fit(*thinned(part(member.task, trained_on), SHARES[member.task]))


def _penalties(member: Member) -> tuple[float, ...]:
    many = member.encoding.startswith(("learned", "hand-crafted"))
    return MANY_TAGS.get(member.task, PENALTIES[member.task]) if many else PENALTIES[member.task]


def member_run(member: Member) -> dict[str, Any]:
    """Train a member on all but the held-out data with each penalty, and choose one there."""
    return {
        "run": "member",
        "task": member.task,
        "way": member.way,
        "encoding": member.encoding,
        "data": _said(member),
        "penalties": list(_penalties(member)),
        "epochs": EPOCHS[member.task],
        "share": SHARES[member.task],
    }


def choose_member(settings: dict[str, Any]) -> dict[str, Any]:
    """The held-out F1 with each penalty, and the best penalty."""
    member = Member(settings["task"], settings["way"], settings["encoding"])
    held = part(member.task, "held")
    scores: dict[str, float] = {}
    for penalty in settings["penalties"]:
        answers = voter(member, "fit", penalty).predict(held.tokens, jobs=1)
        scores[str(penalty)] = CORPORA[member.task].score(held.labels, answers)
    best = max(scores, key=lambda penalty: scores[penalty])
    return {"held": scores, "c2": float(best), "f1": scores[best]}


def _path(member: Member, trained_on: Part, penalty: float) -> Path:
    what = json.dumps([_said(member), EPOCHS[member.task], SHARES[member.task]])
    data = hashlib.md5(what.encode(), usedforsecurity=False).hexdigest()[:8]
    name = f"{member.task}-{member.way}-{member.encoding.replace(' ', '')}-{data}-{penalty:g}-{trained_on}"
    return MODELS / f"{name}.lawful"


def _keep(model: SequenceModel, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    model.save(unfinished)
    unfinished.replace(path)


def voter(member: Member, trained_on: Part, penalty: float) -> SequenceModel:
    """A member, trained on all training data or on what choices are made with; from its file, if that is there."""
    path = _path(member, trained_on, penalty)
    if not path.exists():
        _keep(_trained(member, penalty, trained_on), path)
    return lawful.load_model(path)
