"""The propositions of the experiments, with everything that learners and rules see of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from lawful.corpus import Frames, Sentence, read_frames
from lawful.schemes import Span, label_spans
from lawful.tasks import TASKS
from lawful.tasks.srl import (
    CORE_ROLES,
    Analysis,
    Units,
    allowed_in_frames,
    allowed_in_training,
    analyse,
    chunk_features,
    conll_wsj,
    disallowed_roles,
    ewt_propbank,
    parse_features,
    proposition_spans,
    role_sequence,
)
from lawful.tasks.srl.propositions import verb_positions
from lawful.tasks.task import data_folder

__all__ = ["LABELS", "Example", "attributes", "contexts", "examples", "pruned_contexts", "word_labels"]

LABELS = ("O", *CORE_ROLES)
HELD_OUT = 10  # every tenth sentence of the training data, for choices
CHUNKS = {"gold": "gold_chunk", "predicted": "chunk"}


@dataclass(frozen=True)
class Example:
    """One proposition.

    `sentence` is the number of its sentence, `length` the number of words, `roles` all labelled spans; `layers` is what is
    known of its sentence; `chunk_attributes` describe each unit without the parse.
    """

    sentence: int
    length: int
    roles: tuple[Span, ...]
    units: Units
    labels: tuple[str, ...]
    context: dict[str, Any]
    layers: Analysis
    chunk_attributes: list[list[str]]


@cache
def examples(split: str, chunks: str = "gold") -> list[Example]:
    """The propositions of a split: "train", "dev", "brown", or of "train" nine tenths ("fit") and the rest ("held").

    "ewt-train", "ewt-dev" and "ewt-test" are the verbs of the English Web Treebank, whose chunks come from its trees.
    """
    if split in ("fit", "held"):
        return [
            example
            for example in examples("train", chunks)
            if (example.sentence % HELD_OUT == HELD_OUT - 1) == (split == "held")
        ]
    return [example for sentence in _sentences(split, chunks) for example in _propositions(*sentence)]


def _sentences(split: str, chunks: str) -> Iterator[tuple[int, Sentence, Analysis, str]]:
    if split.startswith("ewt-"):
        folder = TASKS["srl_ewt_propbank"].folder()
        for number, sentence in enumerate(ewt_propbank.read_sentences(folder, split.removeprefix("ewt-"))):
            yield number, sentence, analyse(sentence, chunks=None, parse="parse", parse_pos="pos"), "lemma"
        return
    folder = TASKS["srl_conll_wsj"].folder()
    for number, sentence in enumerate(conll_wsj.read_sentences(folder, split, parses=True)):
        layers = analyse(
            sentence,
            pos="pos2",
            chunks=CHUNKS[chunks],
            clauses="clause",
            entities="entity",
            parse="parse",
        )
        yield number, sentence, layers, "verb"


def _propositions(number: int, sentence: Sentence, layers: Analysis, predicate: str) -> Iterator[Example]:
    roles_of = proposition_spans(sentence, predicate=predicate)
    for verb, spans in zip(verb_positions(sentence, predicate), roles_of, strict=True):
        if predicate == "lemma" and not layers.pos[verb].startswith("VB"):
            continue  # the web treebank has nouns and adjectives too
        lemma = sentence.columns[predicate][verb]
        roles = tuple(span._replace(type=span.type.replace("ARG", "A")) for span in spans)
        made = role_sequence(layers, verb, lemma, roles=roles, allowed=_allowed())
        yield Example(
            number,
            len(sentence),
            roles,
            made.units,
            made.sentence.labels or (),
            dict(made.sentence.context),
            layers,
            _interned(chunk_features(layers, made.units, lemma, classes=_classes(lemma), pairs=True)),
        )


def _interned(rows: list[list[str]]) -> list[list[str]]:
    """Equal attributes as one string: there are some ten million of them."""
    return [[sys.intern(attribute) for attribute in row] for row in rows]


@cache
def _frames() -> Frames:
    folder = data_folder()
    if folder is None:
        raise SystemExit("LAWFUL_DATA names no folder")
    return read_frames(folder / "propbank_frames" / "frames")


@cache
def _allowed() -> dict[str, frozenset[str]]:
    return dict(allowed_in_frames(_frames()))


@cache
def _classes(lemma: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for sense in _frames().senses(lemma) for name in sense.classes))


def attributes(example: Example, features: str) -> list[list[str]]:
    """What a learner sees of each unit: "paper" (with pairs of them), "single" (without), or "paper+parse"."""
    rows = example.chunk_attributes
    if features == "single":
        return [[a for a in row if "+" not in a.partition("=")[0].rstrip("+-012")] for row in rows]
    if features == "paper":
        return rows
    parsed = _interned(parse_features(example.layers, example.units, example.context["lemma"]))
    return [first + second for first, second in zip(rows, parsed, strict=True)]


def contexts(split: str, chunks: str, disallowed: str, training: str) -> list[dict[str, Any]]:
    """The contexts of a split, with roles disallowed by PropBank's "frames", or if never seen with the verb in "training"."""
    found = [example.context for example in examples(split, chunks)]
    if disallowed == "frames":
        return found
    seen = _seen(training, chunks)
    return [{**one, "disallowed": disallowed_roles(one["lemma"], seen)} for one in found]


def pruned_contexts(split: str, chunks: str, *, open_clauses: bool, trim: bool) -> list[dict[str, Any]]:
    """The contexts of a split, with candidates by another pruning than Xue & Palmer's."""
    found = []
    for one in examples(split, chunks):
        verb, lemma = one.context["predicate"], one.context["lemma"]
        made = role_sequence(one.layers, verb, lemma, open_clauses=open_clauses, trim=trim)
        found.append({**one.context, "candidates": made.sentence.context["candidates"]})
    return found


@cache
def _seen(training: str, chunks: str) -> dict[str, frozenset[str]]:
    return allowed_in_training((one.context["lemma"], one.labels) for one in examples(training, chunks))


def word_labels(length: int, spans: Sequence[Span]) -> list[str]:
    """The core roles of the words of a sentence in IOB2."""
    return label_spans([span for span in spans if span.type in CORE_ROLES], length, "IOB2")
