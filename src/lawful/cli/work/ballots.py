"""What `lawful vote` votes on: the outputs of taggers, read from files side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawful._core import MOST_SCORE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.work.inputs import open_input
from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, GraphLattice
from lawful.schemes import SCHEMES, convert_labels
from lawful.support.numbers import check_number

__all__ = ["Candidates", "labels_of", "lattice_of", "read_outputs", "tell_of_other_schemes"]

NBEST = "nbest"
END_TAGS = frozenset("ESLUMW")  # which schemes have that mark ends or single tokens
SCHEME_TAGS = END_TAGS | frozenset("IOB")
Candidates = list[tuple[tuple[str, ...], float]]


def read_outputs(
    files: Sequence[str], options: CorpusOptions, schemes: Mapping[str, str], scheme: str | None
) -> tuple[list[Sentence], list[list[Candidates]]]:
    """The sentences of the first file, and for each of them what every file says: label sequences with scores.

    Parameters
    ----------
    files : sequence of str
        The same sequences, with each tagger's labels; or JSON lines with an n-best list each.
    options : CorpusOptions
        Hold for all of them.
    schemes : mapping
        The chunk scheme of a file, where it is not the common one.
    scheme : str, optional
        The common one, which their labels are converted to.
    """
    outputs = [[one for one in open_input(file, options) if len(one)] for file in files]
    first = outputs[0]
    if not first:
        raise InputError(f"{files[0]} has no sequences")
    for file, sentences in zip(files[1:], outputs[1:], strict=True):
        _require_same(files[0], first, file, sentences)
    said = []
    for row in zip(*outputs, strict=True):
        said.append(
            [
                _converted(_candidates(sentence), schemes.get(file), scheme)
                for file, sentence in zip(files, row, strict=True)
            ]
        )
    return first, said


def _require_same(first_file: str, first: list[Sentence], file: str, sentences: list[Sentence]) -> None:
    """Refuse files that are not about the same tokens, and say where they part."""
    for number, (one, other) in enumerate(zip(first, sentences, strict=False), start=1):
        if one.tokens == other.tokens:
            continue
        for position, (token, another) in enumerate(zip(one.tokens, other.tokens, strict=False)):
            if token != another:
                raise InputError(
                    f"{other.location(position)}sequence {number} has the token {another!r} where {first_file} has {token!r} "
                    f"({one.location(position).rstrip(': ')}): the files must hold the same sequences"
                )
        raise InputError(
            f"{other.location()}sequence {number} has {len(other)} tokens, but {len(one)} in {first_file} "
            f"({one.location().rstrip(': ')}): the files must hold the same sequences"
        )
    if len(first) != len(sentences):
        raise InputError(
            f"{file} has {len(sentences):,} sequences, but {first_file} has {len(first):,}: the files must hold the same sequences"
        )


def _candidates(sentence: Sentence) -> Candidates:
    """The n-best list of a sentence, or its labels as the only candidate."""
    given: Any = sentence.context.get(NBEST)
    decoding = sentence.context.get("decoding")  # what `lawful decode --json --nbest N` writes
    if given is None and isinstance(decoding, dict):
        given = decoding.get(NBEST)
    if given is None:
        if sentence.labels is None:
            raise InputError(
                f"{sentence.location()}there are no labels to vote with; pass --label to say which column has them"
            )
        return [(sentence.labels, 0.0)]
    if not isinstance(given, list) or not given:
        raise InputError(f"{sentence.location()}{NBEST!r} must be a list of candidates, got {given!r:.60}")
    return [_candidate(sentence, number, candidate) for number, candidate in enumerate(given, start=1)]


def _candidate(sentence: Sentence, number: int, candidate: Any) -> tuple[tuple[str, ...], float]:
    where = f"{sentence.location()}candidate {number} of {NBEST!r}"
    if not isinstance(candidate, dict) or "labels" not in candidate or "score" not in candidate:
        raise InputError(
            f'{where} must be {{"labels": [...], "score": a log-probability}}, got {candidate!r:.60}'
        )
    labels = candidate["labels"]
    if not isinstance(labels, list) or not all(isinstance(label, str) and label for label in labels):
        raise InputError(f"{where} must have a list of labels, got {labels!r:.60}")
    if len(labels) != len(sentence):
        raise InputError(f"{where} has {len(labels)} labels for {len(sentence)} tokens")
    score = check_number(f"{where}: its score", candidate["score"], least=float("-inf"))
    if abs(score) > MOST_SCORE:
        raise InputError(
            f"{where}: its score must be a log-probability, at most {MOST_SCORE:g} in size, got {score:g}"
        )
    return tuple(labels), score


def _converted(candidates: Candidates, source: str | None, target: str | None) -> Candidates:
    if source is None or target is None:
        return candidates
    return [(tuple(convert_labels(labels, source, target)), score) for labels, score in candidates]


def tell_of_other_schemes(files: Sequence[str], said: Iterable[Sequence[Candidates]]) -> None:
    """Say on stderr if some files mark the ends of chunks and others do not: their tags do not mean the same."""
    tags: dict[str, set[str]] = {file: set() for file in files}
    for row in said:
        for file, candidates in zip(files, row, strict=True):
            for labels, _ in candidates:
                tags[file].update(label.partition("-")[0] for label in labels)
    if any(tag not in SCHEME_TAGS for found in tags.values() for tag in found):
        return  # no chunks
    marked = [file for file, found in tags.items() if found & END_TAGS]
    others = [file for file, found in tags.items() if found & {"B", "I"} and not found & END_TAGS]
    if marked and others:
        found = ", ".join(sorted(tags[marked[0]] & END_TAGS))
        print(
            f"lawful: {marked[0]} has the tags {found}, and {others[0]} has none of the kind: if they are in different chunk schemes, "
            "say in which, with --schemes, and in which to vote, with --scheme",
            file=sys.stderr,
        )


def require_scheme(name: str) -> str:
    """A chunk scheme by its name.

    Examples
    --------
    >>> require_scheme("IOB2")
    'IOB2'
    """
    if name not in SCHEMES:
        raise InputError(f"unknown chunk scheme {name!r}; the schemes are {', '.join(SCHEMES)}")
    return name


def labels_of(said: Iterable[Iterable[Candidates]]) -> LabelSet:
    """All labels of all candidates, sorted."""
    return LabelSet(
        sorted({label for row in said for candidates in row for labels, _ in candidates for label in labels})
    )


def lattice_of(candidates: Candidates, labels: LabelSet, sentence: Sentence) -> AnyLattice:
    """The candidates as a lattice."""
    return GraphLattice.from_nbest(
        candidates, labels=labels, tokens=sentence.inputs(), context=sentence.context
    )
