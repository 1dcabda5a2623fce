"""Encodings by the names that runs know them by, or from their data."""

from __future__ import annotations

from typing import Any

from experiments.encodings.data import CORPORA, second_order, start, with_attributes
from lawful.automata.transducers.composition import compose
from lawful.encodings import Encoding, history_encoding, scheme_encoding

__all__ = ["encoding_of"]


def encoding_of(task: str, said: Any) -> Encoding | None:
    """An encoding from its name or its data; None for the hand-crafted one, which is no transducer of labels alone."""
    if not isinstance(said, str):
        return with_attributes(task, Encoding.from_dict(said))
    if said == "canonical":
        return start(task)
    if said == "order 2, subset features":
        return second_order(task)
    if said.startswith("order "):
        return history_encoding(start(task).labels, int(said.partition(" ")[2]))
    if said.startswith("hand-crafted"):
        return None
    scheme, _, order = said.partition(", order ")
    types = sorted({label.partition("-")[2] for label in start(task).labels if label != "O"})
    encoding = scheme_encoding(CORPORA[task].scheme or "", scheme, types)
    if order:
        history = history_encoding(encoding.tags, int(order))
        both = compose(encoding.transducer, history.transducer)
        encoding = Encoding(both, labels=encoding.labels, name=said)
    return with_attributes(task, encoding)
