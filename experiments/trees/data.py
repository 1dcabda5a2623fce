"""The propositions of the experiments over the constituents of their trees, with the features of Loper (2008), Figure 5.3."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from experiments.shared.paths import WORK
from experiments.shared.roles import allowed_roles, held_out_part, predicates, read_split
from lawful.corpus import Sentence
from lawful.schemes import Span
from lawful.tasks import TASKS
from lawful.tasks.srl import Analysis, analyse, analysis
from lawful.tasks.srl.constituents import (
    TREE_ROLES,
    Constituent,
    ConstituentSequence,
    classification_features,
    constituent_sequence,
    filtering,
    identification_features,
    sequences,
    tree_features,
)

__all__ = ["LABELS", "Proposition", "propositions", "recall"]

LABELS = ("O", *TREE_ROLES)
_ALIKE = {"AM-PRP": "AM-PNC", "AM-GOL": "AM-DIR", "AM-COM": "AM-MNR"}  # later PropBank's names of modifiers


@dataclass(frozen=True)
class Proposition:
    """One predicate: `roles` are all its labelled arguments of the tag set, `sense` is its roleset's id ("" if there is none).

    The attributes for finding arguments begin with `id:`, those for naming them with `cls:`.
    """

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

    "ewt-train", "ewt-dev" and "ewt-test" are the verbs of the English Web Treebank, "ewt-test-others" its other predicates; "ewt-test of weblog"
    is one genre of it, "ewt-test but weblog" all others. "train/3" is every third proposition of "train". A proposition without constituents is left out. What was read is kept in a file,
    because features take a minute.
    """
    whole, _, every = split.partition("/")
    if every:
        return propositions(whole)[:: int(every)]
    for word in ("of", "but"):
        source, found, genre = split.partition(f" {word} ")
        if found:
            genres = _genres(source.removesuffix("-others"))
            return [one for one in propositions(source) if (genres[one.sentence] == genre) == (word == "of")]
    if split in ("fit", "held"):
        return held_out_part(propositions("train"), split)
    kept = WORK / f"trees-{split}-{_fingerprint(split)}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        written = kept.with_suffix(".new")
        written.write_text(json.dumps(_as_data(list(_read(split)))))
        written.rename(kept)
    return _from_data(json.loads(kept.read_text()))


@cache
def _genres(source: str) -> list[str]:
    """The genre of each sentence of the English Web Treebank: how its id begins."""
    return [str(sentence.context["id"]).partition("-")[0] for sentence in read_split(source)]


def _read(split: str) -> Iterator[Proposition]:
    source = split.removesuffix("-others")
    web = split.startswith("ewt-")
    for number, sentence in enumerate(read_split(source)):
        layers = (
            analyse(sentence, chunks=None, parse="parse", parse_pos="pos")
            if web
            else analyse(sentence, pos="parse_pos", chunks=None, parse="parse")
        )
        for verb, lemma, spans in predicates(sentence, source):
            if web and layers.pos[verb].startswith("VB") == split.endswith("-others"):
                continue
            made = _made(number, layers, verb, lemma, spans, _sense(sentence, verb, lemma))
            if len(made.made):
                yield made


def _sense(sentence: Sentence, verb: int, lemma: str) -> str:
    """The roleset of a predicate; "" if it has none."""
    column = sentence.columns.get("frameset") or sentence.columns["sense"]
    number = column[verb].rpartition(".")[2]
    return "" if number == "-" else f"{lemma}.{number}"


def _made(number: int, layers: Analysis, verb: int, lemma: str, spans: list[Span], sense: str) -> Proposition:
    roles = [span._replace(type=_ALIKE.get(span.type, span.type)) for span in spans]
    made = constituent_sequence(layers, verb, lemma, roles=roles, allowed=allowed_roles())
    found = made.constituents
    finding = identification_features(layers, verb, lemma, found)
    naming = classification_features(layers, verb, lemma, found)
    return Proposition(
        number,
        made,
        tuple(role for role in roles if role.type in TREE_ROLES),
        sense,
        [[sys.intern(f"id:{attribute}") for attribute in row] for row in finding],
        [[sys.intern(f"cls:{attribute}") for attribute in row] for row in naming],
    )


# --- kept in a file ------------------------------------------------------------------------------------------------


def _fingerprint(split: str) -> str:
    """What the propositions of a split depend on: the code that makes them, and the files that they come from."""
    of_code = [
        Path(__file__),
        *(Path(module.__file__ or "") for module in (analysis, filtering, sequences, tree_features)),
    ]
    task = "srl_ewt_propbank" if split.startswith("ewt-") else "srl_conll_wsj"
    seen = hashlib.sha256()
    for path in of_code:
        seen.update(path.read_bytes())
    for path in sorted(TASKS[task].folder().rglob("*")):
        status = path.stat()
        seen.update(f"{path} {status.st_size} {status.st_mtime_ns}".encode())
    return seen.hexdigest()[:16]


def _as_data(data: list[Proposition]) -> dict[str, Any]:
    numbers: dict[str, int] = {}

    def coded(rows: list[list[str]]) -> list[list[int]]:
        return [[numbers.setdefault(attribute, len(numbers)) for attribute in row] for row in rows]

    kept = []
    for one in data:
        sentence = one.made.sentence
        kept.append(
            {
                "sentence": one.sentence,
                "tokens": sentence.tokens,
                "labels": sentence.labels,
                "columns": {name: list(column) for name, column in sentence.columns.items()},
                "context": dict(sentence.context),
                "constituents": one.made.constituents,
                "spans": one.made.spans,
                "roles": one.roles,
                "sense": one.sense,
                "finding": coded(one.finding),
                "naming": coded(one.naming),
            }
        )
    return {"attributes": list(numbers), "propositions": kept}


def _from_data(data: Mapping[str, Any]) -> list[Proposition]:
    names = [sys.intern(name) for name in data["attributes"]]
    found = []
    for one in data["propositions"]:
        columns = {name: tuple(map(sys.intern, column)) for name, column in one["columns"].items()}
        sentence = Sentence(
            tuple(one["tokens"]), tuple(map(sys.intern, one["labels"])), columns, one["context"]
        )
        made = ConstituentSequence(
            sentence,
            tuple(Constituent(*constituent) for constituent in one["constituents"]),
            tuple((start, end) for start, end in one["spans"]),
        )
        found.append(
            Proposition(
                one["sentence"],
                made,
                tuple(Span(*role) for role in one["roles"]),
                one["sense"],
                [[names[number] for number in row] for row in one["finding"]],
                [[names[number] for number in row] for row in one["naming"]],
            )
        )
    return found


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
