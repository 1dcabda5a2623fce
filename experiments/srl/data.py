"""The propositions of the experiments, with everything that learners and rules see of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from experiments.shared.roles import allowed_roles, frames, held_out_part, interned, predicates, read_split
from lawful.corpus import Sentence
from lawful.schemes import Span, label_spans
from lawful.tasks.srl import (
    CORE_ROLES,
    Analysis,
    Units,
    allowed_in_training,
    analyse,
    chunk_features,
    disallowed_roles,
    parse_features,
    role_sequence,
)

__all__ = ["LABELS", "Example", "attributes", "contexts", "examples", "pruned_contexts", "word_labels"]

LABELS = ("O", *CORE_ROLES)
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
        return held_out_part(examples("train", chunks), split)
    return [
        example
        for number, sentence in enumerate(read_split(split))
        for example in _propositions(number, sentence, split, chunks)
    ]


def _layers(sentence: Sentence, split: str, chunks: str) -> Analysis:
    if split.startswith("ewt-"):
        return analyse(sentence, chunks=None, parse="parse", parse_pos="pos")
    return analyse(
        sentence, pos="pos2", chunks=CHUNKS[chunks], clauses="clause", entities="entity", parse="parse"
    )


def _propositions(number: int, sentence: Sentence, split: str, chunks: str) -> Iterator[Example]:
    layers = _layers(sentence, split, chunks)
    for verb, lemma, roles in predicates(sentence, split):
        if split.startswith("ewt-") and not layers.pos[verb].startswith("VB"):
            continue  # the web treebank has nouns and adjectives too
        made = role_sequence(layers, verb, lemma, roles=roles, allowed=allowed_roles())
        yield Example(
            number,
            len(sentence),
            tuple(roles),
            made.units,
            made.sentence.labels or (),
            dict(made.sentence.context),
            layers,
            interned(chunk_features(layers, made.units, lemma, classes=_classes(lemma), pairs=True)),
        )


@cache
def _classes(lemma: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for sense in frames().senses(lemma) for name in sense.classes))


def attributes(example: Example, features: str) -> list[list[str]]:
    """What a learner sees of each unit: "paper" (with pairs of them), "single" (without), or "paper+parse"."""
    rows = example.chunk_attributes
    if features == "single":
        return [[a for a in row if "+" not in a.partition("=")[0].rstrip("+-012")] for row in rows]
    if features == "paper":
        return rows
    parsed = interned(parse_features(example.layers, example.units, example.context["lemma"]))
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
