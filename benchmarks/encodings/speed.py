"""How much time an encoding takes: decoding through it, and converting labels."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

import lawful
from lawful.encodings import Encoded, Encoding, history_encoding, scheme_encoding
from lawful.encodings.moves.kinds import CopyTagForward, SpecializeFeature
from lawful.encodings.properties import domain_of
from lawful.models.features import Features, word
from lawful.rules import Rules

__all__ = ["MILLION", "convert", "decode"]

MILLION = 1_000_000
TYPES = ("NP", "VP", "PP", "ADJP")
SENTENCES, WORDS = 600, 400


def corpus(seed: int, scheme: str = "IOB2") -> tuple[list[list[str]], list[list[str]]]:
    """Sentences of chunks of random lengths, with words that hint at them."""
    rng = np.random.default_rng(seed)
    X: list[list[str]] = []
    y: list[list[str]] = []
    for _ in range(SENTENCES):
        tokens: list[str] = []
        labels: list[str] = []
        while len(tokens) < 20:
            kind = TYPES[rng.integers(len(TYPES))] if rng.random() < 0.8 else ""
            for index in range(int(rng.integers(1, 5)) if kind else 1):
                labels.append(f"{'I' if index else 'B'}-{kind}" if kind else "O")
                tokens.append(
                    f"{kind[:1]}{rng.integers(WORDS)}" if rng.random() < 0.6 else f"w{rng.integers(WORDS)}"
                )
        X.append(tokens)
        y.append(labels)
    return X, (y if scheme == "IOB2" else [list(scheme_encoding("IOB2", scheme, TYPES).encode(s)) for s in y])


def cases() -> dict[str, tuple[Encoding, Rules]]:
    """Encodings that only subdivide labels, and others, each with rules about canonical labels."""
    rules = Rules(
        lawful.valid_tags("IOB2"),
        *(lawful.at_most_segments(4, f"B-{kind}") for kind in TYPES),
        lawful.before("B-PP", "B-ADJP").soft(1.0),
    )
    chunks = scheme_encoding("IOB2", "IOB2", TYPES)
    valid = domain_of(chunks)
    looking = Encoding(
        chunks.transducer, labels=chunks.labels, name="IOB2", attributes=Features(word()).attributes
    )
    split = SpecializeFeature(0, "word=w1", fresh=False).apply(looking, valid)
    remembering = chunks
    for tag in ("B-NP", "B-VP"):
        state = next(arc.target for arc in remembering.transducer.arcs if arc.output == (tag,))
        remembering = CopyTagForward(state, tag, fresh=False).apply(remembering, valid)
    return {
        "IOB2, legal sequences only": (chunks, rules),
        "B remembered": (remembering, rules),
        "second order": (history_encoding(chunks.labels, 2), rules),
        "split by a word": (split, rules),
        "BILOU, which is late by a token": (scheme_encoding("IOB2", "BILOU", TYPES), rules),
    }


def decode(repeats: int) -> list[dict[str, Any]]:
    """For each encoding: the time of decoding through it, beside the same model in its own tags, in turns."""
    X, y = corpus(1)
    return [_decode(name, *case, X, y, repeats) for name, case in cases().items()]


def _decode(
    name: str, encoding: Encoding, rules: Rules, X: list[list[str]], y: list[list[str]], repeats: int
) -> dict[str, Any]:
    model = Encoded(lawful.CRF(c2=1.0, max_iterations=20), encoding).fit(X, y)
    plain = lawful.Decoder(labels=model.model.labels)
    through, ruled = lawful.Decoder(labels=model.labels), lawful.Decoder(rules, labels=model.labels)
    times = in_turns(
        {
            "tags": lambda: plain.decode_batch(list(model.model.lattices(X)), jobs=1).labels,
            "labels": lambda: through.decode_batch(list(model.lattices(X)), jobs=1).labels,
            "ruled": lambda: ruled.decode_batch(list(model.lattices(X)), jobs=1).labels,
        },
        repeats,
    )
    return {
        "encoding": name,
        "tags": len(model.model.labels),
        "labels": len(model.labels),
        "delayed": encoding.delayed,
        "looks": bool(encoding.conditions),
        **{f"us_{way}": 1e6 * seconds / len(X) for way, seconds in times.items()},
        "ratio": times["labels"] / times["tags"],
    }


def in_turns(ways: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """The median CPU time of each; they take turns, so that whatever else the machine does meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        for name, work in ways.items():
            started = time.process_time()
            work()
            if turn:  # the first warms up
                times[name].append(time.process_time() - started)
    return {name: statistics.median(of_way) for name, of_way in times.items()}


def convert(repeats: int) -> list[dict[str, Any]]:
    """Converting a million labels of sentences, there and back."""
    return [_convert(*pair, repeats) for pair in (("IOB1", "IOB2"), ("IOB2", "BILOU"), ("IOB2", "IOE1"))]


def _convert(source: str, target: str, repeats: int) -> dict[str, Any]:
    encoding = scheme_encoding(source, target, TYPES)
    sentences = _million(corpus(2, source)[1])
    tags = [encoding.encode(sentence) for sentence in sentences]
    times = in_turns(
        {
            "encode": lambda: [encoding.encode(sentence) for sentence in sentences],
            "decode": lambda: [encoding.decode(sentence) for sentence in tags],
        },
        repeats,
    )
    return {"encoding": encoding.name, "labels": sum(map(len, sentences)), **times}


def _million(sentences: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    size = sum(map(len, sentences))
    return list(chain.from_iterable([sentences] * -(-MILLION // size)))
