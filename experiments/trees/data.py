"""The propositions of the experiments over the constituents of their trees, with the features of Loper (2008), Figure 5.3."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lawful.corpus import Frames, Sentence, read_frames
from lawful.schemes import Span
from lawful.tasks import TASKS
from lawful.tasks.srl import Analysis, allowed_in_frames, analyse, conll_wsj, ewt_propbank, proposition_spans
from lawful.tasks.srl.constituents import (
    TREE_ROLES,
    ConstituentSequence,
    classification_features,
    constituent_sequence,
    identification_features,
)
from lawful.tasks.srl.propositions import verb_positions
from lawful.tasks.task import data_folder

__all__ = ["LABELS", "Proposition", "frames", "propositions", "recall"]

LABELS = ("O", *TREE_ROLES)
HELD_OUT = 10  # every tenth sentence of the training data, for choices
_ALIKE = {"AM-PRP": "AM-PNC", "AM-GOL": "AM-DIR", "AM-COM": "AM-MNR"}  # later PropBank's names of modifiers


@dataclass(frozen=True)
class Proposition:
    """One predicate: `roles` are all its labelled arguments of the tag set, `sense` is its roleset's id ("" if there is none)."""

    sentence: int
    made: ConstituentSequence
    roles: tuple[Span, ...]
    sense: str
    finding: list[list[str]]
    naming: list[list[str]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The gold label of each constituent."""
        return self.made.sentence.labels or ()

    @property
    def after(self) -> int:
        """The first constituent after the predicate."""
        after: Any = self.made.sentence.context["after"]
        return int(after)


@cache
def propositions(split: str) -> list[Proposition]:
    """The propositions of "train", "dev" (section 20) or "brown"; of "train" nine tenths ("fit") and the rest ("held").

    "ewt-train", "ewt-dev" and "ewt-test" are the verbs of the English Web Treebank, "ewt-test-others" its other predicates.
    """
    if split in ("fit", "held"):
        return [
            one
            for one in propositions("train")
            if (one.sentence % HELD_OUT == HELD_OUT - 1) == (split == "held")
        ]
    return list(_ewt(split) if split.startswith("ewt-") else _wsj(split))


def _wsj(split: str) -> Iterator[Proposition]:
    folder = TASKS["srl_conll_wsj"].folder()
    for number, sentence in enumerate(conll_wsj.read_sentences(folder, split, parses=True)):
        layers = analyse(sentence, pos="parse_pos", chunks=None, parse="parse")
        for verb, spans in zip(
            verb_positions(sentence, "verb"), proposition_spans(sentence, predicate="verb"), strict=True
        ):
            lemma, sense = sentence.columns["verb"][verb], sentence.columns["sense"][verb]
            yield _made(number, layers, verb, lemma, spans, f"{lemma}.{sense}" if sense != "-" else "")


def _ewt(split: str) -> Iterator[Proposition]:
    folder = TASKS["srl_ewt_propbank"].folder()
    name = split.removeprefix("ewt-").removesuffix("-others")
    for number, sentence in enumerate(ewt_propbank.read_sentences(folder, name)):
        layers = analyse(sentence, chunks=None, parse="parse", parse_pos="pos")
        for verb, spans in zip(
            verb_positions(sentence, "lemma"), proposition_spans(sentence, predicate="lemma"), strict=True
        ):
            if layers.pos[verb].startswith("VB") == split.endswith("-others"):
                continue
            roles = [
                span._replace(type=span.type.replace("ARGM", "AM").replace("ARG", "A")) for span in spans
            ]
            sense = f"{sentence.columns['lemma'][verb]}.{_sense(sentence, verb)}"
            yield _made(number, layers, verb, sentence.columns["lemma"][verb], roles, sense)


def _sense(sentence: Sentence, verb: int) -> str:
    return sentence.columns["frameset"][verb].rpartition(".")[2]


def _made(number: int, layers: Analysis, verb: int, lemma: str, spans: list[Span], sense: str) -> Proposition:
    roles = [span._replace(type=_ALIKE.get(span.type, span.type)) for span in spans]
    made = constituent_sequence(layers, verb, lemma, roles=roles, allowed=_allowed())
    found = made.constituents
    return Proposition(
        number,
        made,
        tuple(role for role in roles if role.type in TREE_ROLES),
        sense,
        _interned(identification_features(layers, verb, lemma, found)),
        _interned(classification_features(layers, verb, lemma, found)),
    )


def _interned(rows: list[list[str]]) -> list[list[str]]:
    """Equal attributes as one string: there are some millions of them."""
    return [[sys.intern(attribute) for attribute in row] for row in rows]


@cache
def frames() -> Frames:
    """PropBank's frame files, from the folder of corpora."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("LAWFUL_DATA names no folder")
    return read_frames(folder / "propbank_frames" / "frames")


@cache
def _allowed() -> dict[str, frozenset[str]]:
    return dict(allowed_in_frames(frames()))


def recall(split: str) -> dict[str, Any]:
    """How many arguments are constituents of their sequence, and how many constituents there are."""
    data = propositions(split)
    spans = [set(one.made.spans) for one in data]
    found = sum(
        (role.start, role.end) in held for one, held in zip(data, spans, strict=True) for role in one.roles
    )
    return {
        "propositions": len(data),
        "arguments": sum(len(one.roles) for one in data),
        "found": found,
        "constituents": sum(len(one.made) for one in data) / max(1, len(data)),
    }
