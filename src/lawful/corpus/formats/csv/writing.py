"""Write CSV: a row a token, with the sequence's name in the first column."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from lawful.corpus.sentence import Sentence
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.errors import CorpusError

__all__ = ["write_csv"]


def write_csv(
    sentences: Iterable[Sentence], target: Target, *, delimiter: str = ",", sequence: str | None = None
) -> int:
    r"""Write sentences as CSV, as they come, and return how many there were.

    The columns are the sequence, the token, its other columns, and the label if there is one; what was read from CSV
    keeps its names and their order. A sequence is called what its context calls it, else by its number, from 1 on.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    delimiter : str
    sequence : str, optional
        The name of the first column; by default "sequence", or what it was called where it was read.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_csv([Sentence(("a", "b"), ("X", "Y")), Sentence(("c",), ("X",))], file)
    2
    >>> file.getvalue()
    'sequence,token,label\n1,a,X\n1,b,Y\n2,c,X\n'
    """
    count = 0
    head: list[str] = []
    with opened_for_writing(target) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        for sentence in sentences:
            count += 1
            first, held = _columns(sentence)
            first = sequence or first
            names = [first, *(name for name, _ in held)]
            if not head:
                head = names
                if len(set(head)) != len(head):
                    twice = next(name for name in head if head.count(name) > 1)
                    raise CorpusError(
                        target_name(target), 1, f"column {twice!r} would appear twice; rename it"
                    )
                writer.writerow(head)
            elif names != head:
                raise CorpusError(
                    target_name(target),
                    None,
                    f"{sentence.place()}every sequence must have the same columns: expected {head}, got {names}",
                )
            name = str(sentence.context.get(first, count))
            writer.writerows((name, *row) for row in zip(*(column for _, column in held), strict=True))
    return count


def _columns(sentence: Sentence) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """What the column of the sequence is called, and the others with their names."""
    layout, labels = sentence.layout, sentence.labels
    if layout is None or layout.sequence is None:
        held = [("token", sentence.tokens), *sentence.columns.items()]
        return "sequence", held if labels is None else [*held, ("label", labels)]
    found = {layout.token: sentence.tokens, **sentence.columns}
    if labels is not None:
        found[layout.label or "label"] = labels
    return layout.sequence, [(name, found.pop(name)) for name in layout.names if name in found] + [
        *found.items()
    ]
