"""The columns that a model was trained on, as its file remembers them, matched to another file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lawful.cli.options.corpus import CorpusOptions
from lawful.corpus import Sentence
from lawful.corpus.formats.columns.reading import DOCSTART
from lawful.corpus.formats.columns.rows import RowReader
from lawful.corpus.layout import expand_names, guess_separator, parse_separator
from lawful.corpus.sources import peek_start

__all__ = ["column_notes", "columns_for", "count_columns"]


def column_notes(sentences: Sequence[Sentence]) -> dict[str, Any]:
    """The columns of training data, for `SequenceModel.notes_`; empty if it has none.

    Examples
    --------
    >>> import lawful, io
    >>> column_notes(lawful.read_corpus(io.StringIO("a DT X")))
    {'columns': ['token', '2', 'label'], 'token': 'token', 'label': 'label'}
    """
    layout = sentences[0].layout if sentences else None
    if layout is None or any(sentence.layout is not layout for sentence in sentences):
        return {}
    return {"columns": list(layout.names), "token": layout.token, "label": layout.label}


def columns_for(notes: Mapping[str, Any], file: Any, options: CorpusOptions) -> dict[str, Any]:
    """How to read the columns of a file for a model with these notes: by the names it knows, with or without labels.

    Examples
    --------
    >>> import io
    >>> notes = {"columns": ["word", "pos", "chunk"], "token": "word", "label": "chunk"}
    >>> columns_for(notes, io.BytesIO(b"the DT"), CorpusOptions())
    {'columns': ['word', 'pos'], 'token': 'word', 'label': None}
    """
    trained, token, label = notes.get("columns"), notes.get("token"), notes.get("label")
    if not (isinstance(trained, list) and isinstance(token, str) and isinstance(label, str)):
        return {}
    if options.columns is not None:
        names: Sequence[str] = expand_names(options.columns, 0)
        return {
            **({"token": token} if token in names else {}),
            "label": label if label in names else (-1 if token not in names else None),
        }
    if options.token is not None or options.label is not None:
        return {}
    width = count_columns(file, options)
    if width == len(trained) - 1:
        return {"columns": [name for name in trained if name != label], "token": token, "label": None}
    if width >= len(trained):
        more = [str(number) for number in range(len(trained) + 1, width + 1)]
        return {"columns": [*trained, *more], "token": token, "label": label}
    return {}


def count_columns(file: Any, options: CorpusOptions) -> int:
    """How many columns the first row of a file has; 0 if it has none.

    Examples
    --------
    >>> import io
    >>> count_columns(io.BytesIO(b"the DT B-NP"), CorpusOptions())
    3
    """
    separator = parse_separator(options.separator)
    text = peek_start(file).decode("utf-8-sig", errors="replace")
    for line in text.splitlines():
        skipped = options.comment is not None and line.startswith(options.comment)
        if line.strip() and not skipped and not line.startswith(DOCSTART):
            return len(RowReader(separator or guess_separator(line)).rows([line])[0])
    return 0
