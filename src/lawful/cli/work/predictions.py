"""Gold and predicted labels, read from two files or from one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.work.columns import count_columns
from lawful.cli.work.inputs import Source, read_labelled
from lawful.corpus import Sentence
from lawful.corpus.sources import peek_start
from lawful.errors import InputError

__all__ = ["read_predicted", "read_side_by_side"]

ADDED = "predicted"  # the column that `lawful decode` adds to a table


def read_side_by_side(file: str, options: CorpusOptions) -> tuple[list[Sentence], list[Sentence]]:
    """The gold and the predicted labels of one file: its last two columns, or what `lawful decode` wrote.

    The option `label` names the column of the gold labels.
    """
    if options.columns is None:
        predicted = read_labelled(file, replace(options, label=None), what="predicted")
    else:
        predicted = read_labelled(file, replace(options, label="-1"), what="predicted")
    gold = [sentence.with_labels(sentence.columns[_gold_column(sentence, options)]) for sentence in predicted]
    return gold, predicted


def _gold_column(sentence: Sentence, options: CorpusOptions) -> str:
    layout = sentence.layout
    if layout is None:
        name = options.label or "gold"
    elif options.label is None:
        name = layout.names[-2] if len(layout.names) > 2 else ""
    else:
        column = CorpusOptions(columns=options.columns, label=options.label).for_reader("columns")["label"]
        name = layout.names[column] if isinstance(column, int) and column < len(layout.names) else str(column)
    if name not in sentence.columns:
        raise InputError(
            f"{sentence.location()}no gold labels beside the predicted ones (other columns: "
            f"{', '.join(sentence.columns) or 'none'}): give a file with predicted labels too, or pass --label"
        )
    return name


def read_predicted(
    file: str, options: CorpusOptions, gold: Sequence[Sentence], *, label: str | None = None
) -> list[Sentence]:
    """Predicted labels for gold sentences: in the same column, or in the last one of a file with more columns."""
    layout = gold[0].layout
    if layout is None or layout.sequence is not None:
        if label is None and layout is not None and _has_added_labels(file, options):
            label = ADDED
        return read_labelled(file, replace(options, label=label or options.label), what="predicted")
    shape = CorpusOptions(
        format=options.format,
        separator=options.separator,
        comment=options.comment,
        encoding=options.encoding,
        label=label,
    )

    def columns(source: Source) -> dict[str, Any]:
        same = count_columns(source, shape) == len(layout.names) and layout.label is not None
        return {
            "token": layout.names.index(layout.token),
            "label": layout.names.index(str(layout.label)) if same else -1,
        }

    return read_labelled(file, shape, what="predicted", columns=columns)


def _has_added_labels(file: str, options: CorpusOptions) -> bool:
    """Whether `lawful decode` added its labels to this CSV file, beside the old ones."""
    if file != "-" and not Path(file).is_file():  # a pipe, which can be read only once
        return False
    header = peek_start(file).decode("utf-8-sig", errors="replace").partition("\n")[0]
    return ADDED in [name.strip() for name in header.split(options.separator or ",")]
