"""The three tasks of the chapter: corpora, held-out data, features, canonical encodings, and what moves may look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from sys import intern
from typing import Any, NamedTuple

import numpy as np

import lawful
from lawful.automata.transducers.transducer import Transducer
from lawful.corpus import Sentence
from lawful.encodings import Encoding, history_encoding, identity_encoding, scheme_encoding
from lawful.models.features import Features, column, suffix, window, word
from lawful.models.linear.attributes import AttributeBlock
from lawful.schemes import convert_labels
from lawful.tasks import TASKS
from lawful.tasks.bio.features import bio_entity_features
from lawful.tasks.chunking.features import chunking_features
from lawful.tasks.pos.features import tagging_features

__all__ = [
    "CORPORA",
    "HMM_COLUMNS",
    "Corpus",
    "Part",
    "hmm_part",
    "move_attributes",
    "part",
    "second_order",
    "start",
    "thinned",
    "with_attributes",
]

HELD_OUT = 10  # every tenth sentence of the training data, where a corpus has no development data
MOST_ATTRIBUTES = 80


class Part(NamedTuple):
    """Sentences: their tokens and canonical labels."""

    tokens: list[Any]
    labels: list[list[str]]


@dataclass(frozen=True)
class Corpus:
    """A task: its corpus, how it is scored, its features, and the attributes that moves may look at."""

    task: str
    about: str
    measure: str  # "f1" of spans, or "accuracy" of tokens
    features: Callable[[], Features]
    moving: Callable[[], Features]

    @property
    def scheme(self) -> str | None:
        """The chunk scheme of the labels; None for labels of single tokens."""
        return TASKS[self.task].scheme if self.measure == "f1" else None

    @property
    def metric(self) -> str:
        """As `compare_outputs` calls it."""
        return "span_f1" if self.measure == "f1" else "token_accuracy"

    def score(self, gold: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> float:
        """In per cent."""
        found = lawful.evaluate(gold, answers, scheme=self.scheme)
        return 100 * (found.micro.f1 if self.measure == "f1" else found.token_accuracy)


CORPORA = {
    "np": Corpus(
        "rm95_basenp",
        "base noun phrases (RM95)",
        "f1",
        chunking_features,
        lambda: Features(word(), window(column("pos", name="pos"), -1, 1)),
    ),
    "pos": Corpus(
        "ud_english_ewt",
        "parts of speech (UD EWT)",
        "accuracy",
        tagging_features,
        lambda: Features(window(word(), -1, 1), suffix(2, 3)),
    ),
    "bio": Corpus(
        "jnlpba",
        "bio-entities (JNLPBA)",
        "f1",
        bio_entity_features,
        lambda: Features(window(word(), -1, 1)),
    ),
}


@cache
def part(name: str, which: str) -> Part:
    """Part of a corpus: `train` is all of the training data; `fit` and `held` are what choices are made with."""
    corpus = CORPORA[name]
    task = TASKS[corpus.task]
    split = (
        which
        if which in ("train", "test")
        else "dev"
        if "dev" in task.splits and which == "held"
        else "train"
    )
    if "dev" in task.splits and which == "fit":
        return part(name, "train")
    sentences = [sentence for sentence in task.load(split) if sentence.tokens]
    if split == "train" and which != "train":
        sentences = [
            sentence
            for number, sentence in enumerate(sentences)
            if (number % HELD_OUT == HELD_OUT - 1) == (which == "held")
        ]
    return Part(
        [
            list(sentence.rows() if task.columns and name == "np" else sentence.tokens)
            for sentence in sentences
        ],
        [_labels(sentence, corpus.scheme) for sentence in sentences],
    )


def _labels(sentence: Sentence, scheme: str | None) -> list[str]:
    """As the scheme spells them: two noun phrases of RM95 begin with a B that IOB1 does not need."""
    labels = list(sentence.labels or ())
    return labels if scheme is None else convert_labels(labels, scheme, scheme)


def thinned(data: Part, every: int) -> Part:
    """Every so manieth sentence."""
    return Part(data.tokens[::every], data.labels[::every])


@cache
def start(name: str) -> Encoding:
    """The canonical encoding."""
    labels = sorted({label for sequence in part(name, "train").labels for label in sequence})
    if name == "bio":
        types = sorted({label.partition("-")[2] for label in labels if label != "O"})
        plain = scheme_encoding("IOB2", "IOB2", types)
    else:
        plain = identity_encoding(labels)
    return with_attributes(name, plain)


@cache
def second_order(name: str) -> Encoding:
    """The canonical labels, each with a number for the label before it: subdivisions, which share features."""
    plain = history_encoding(start(name).labels, 2)
    before = ["^", *start(name).labels]

    def numbered(tag: str) -> str:
        label, _, last = tag.partition(".")
        return f"{label}.{before.index(last)}"

    arcs = [
        arc._replace(output=tuple(numbered(str(tag)) for tag in arc.output)) for arc in plain.transducer.arcs
    ]
    endings = plain.transducer.endings
    return with_attributes(name, Encoding(Transducer(arcs, endings), labels=plain.labels, name="order 2"))


def with_attributes(name: str, encoding: Encoding) -> Encoding:
    """The encoding, with the attributes that moves may look at."""
    attributes = CORPORA[name].moving().attributes
    return Encoding(encoding.transducer, labels=encoding.labels, name=encoding.name, attributes=attributes)


@cache
def move_attributes(name: str) -> dict[str, int]:
    """The attributes that moves may look at, with their counts: the most frequent ones of the training data."""
    block, sequences = AttributeBlock.fit(CORPORA[name].moving(), part(name, "fit").tokens)
    counts = np.bincount(sequences.attributes, minlength=block.size)
    most = np.argsort(-counts, kind="stable")[:MOST_ATTRIBUTES]
    return {block.name(number): int(counts[number]) for number in most.tolist()}


# --- tokens as the HMM takes them: one column for each template of Figure 4.3 -------------------------------

_AROUND = range(-2, 3)
HMM_COLUMNS = (
    *(f"w{n}" for n in _AROUND),
    "w-1 w0",
    "w0 w1",
    *(f"t{n}" for n in _AROUND),
    *(f"t{n} t{n + 1}" for n in range(-2, 2)),
    *(f"t{n - 1} t{n} t{n + 1}" for n in range(-1, 2)),
)


@cache
def hmm_part(which: str, every: int = 1) -> Part:
    """Part of RM95, each token as the columns above, then its word and its part of speech under these names."""
    data = thinned(part("np", which), every)
    sentences = []
    for rows in data.tokens:
        known = {
            kind: ["", "", *(row[name] for row in rows), "", ""]
            for kind, name in (("w", "word"), ("t", "pos"))
        }
        columns = []
        for name in HMM_COLUMNS:
            pieces = [known[piece[0]][2 + int(piece[1:]) :] for piece in name.split()]
            columns.append([intern(" ".join(values)) for values in zip(*pieces, strict=False)])
        names = (*HMM_COLUMNS, "word", "pos")
        whole = zip(*columns, known["w"][2:], known["t"][2:], strict=False)
        sentences.append(
            [dict(zip(names, values, strict=True)) for _, values in zip(rows, whole, strict=False)]
        )
    return Part(sentences, data.labels)
