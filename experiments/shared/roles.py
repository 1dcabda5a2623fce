"""What the experiments on semantic roles have in common: PropBank's frames, the sentences of both corpora, the held-out tenth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

from lawful.corpus import Frames, Sentence, read_frames
from lawful.schemes import Span
from lawful.tasks import TASKS
from lawful.tasks.srl import allowed_in_frames, conll_wsj, ewt_propbank, proposition_spans
from lawful.tasks.srl.propositions import verb_positions
from lawful.tasks.task import data_folder

__all__ = ["allowed_roles", "frames", "held_out_part", "interned", "predicates", "read_split"]

HELD_OUT = 10  # every tenth sentence of the training data, for choices


class Numbered(Protocol):
    """Something of a sentence."""

    @property
    def sentence(self) -> int: ...


N = TypeVar("N", bound=Numbered)


def held_out_part(data: Sequence[N], split: str) -> list[N]:
    """Of training data nine tenths ("fit"), or the rest ("held")."""
    return [one for one in data if (one.sentence % HELD_OUT == HELD_OUT - 1) == (split == "held")]


def read_split(split: str) -> Iterator[Sentence]:
    """The sentences of "train", "dev" (section 20) or "brown", with parses; of the English Web Treebank after "ewt-"."""
    if split.startswith("ewt-"):
        return iter(
            ewt_propbank.read_sentences(TASKS["srl_ewt_propbank"].folder(), split.removeprefix("ewt-"))
        )
    return iter(conll_wsj.read_sentences(TASKS["srl_conll_wsj"].folder(), split, parses=True))


def predicates(sentence: Sentence, split: str) -> Iterator[tuple[int, str, list[Span]]]:
    """The position, the lemma and the labelled spans of each predicate; roles are named as in CoNLL-2005."""
    column = "lemma" if split.startswith("ewt-") else "verb"
    for verb, spans in zip(
        verb_positions(sentence, column), proposition_spans(sentence, predicate=column), strict=True
    ):
        roles = [span._replace(type=span.type.replace("ARGM", "AM").replace("ARG", "A")) for span in spans]
        yield verb, sentence.columns[column][verb], roles


@cache
def frames() -> Frames:
    """PropBank's frame files, from the folder of corpora."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("LAWFUL_DATA names no folder")
    return read_frames(folder / "propbank_frames" / "frames")


@cache
def allowed_roles() -> dict[str, frozenset[str]]:
    """The roles that the frames of each lemma know."""
    return dict(allowed_in_frames(frames()))


def interned(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Equal attributes as one string: there are some millions of them."""
    return [[sys.intern(attribute) for attribute in row] for row in rows]
