"""Parquet, in record batches (extra `parquet`)."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from typing import Any

from lawful.corpus.formats.jsonl import sentence_from_record
from lawful.corpus.grouping import group_rows, require_keys
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_TOKENS, Source, name_of
from lawful.corpus.targets import Target
from lawful.errors import CorpusError, FileError, InputError, MissingExtraError
from lawful.support.files import written_aside

__all__ = ["looks_like_parquet", "read_parquet", "write_parquet"]

_BATCH = 1024


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "pyarrow", "parquet") from None
    return pyarrow, pyarrow.parquet


def looks_like_parquet(start: bytes) -> bool:
    """Whether the first bytes of a file are Parquet.

    Examples
    --------
    >>> looks_like_parquet(b"PAR1...")
    True
    """
    return start.startswith(b"PAR1")


def read_parquet(
    source: Source,
    *,
    tokens: str | None = None,
    labels: str | None = "auto",
    sequence: str | None = None,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    """Read sentences from Parquet, one record batch at a time.

    A row is a sequence: `tokens` and `labels` are lists of strings, other lists of that length are columns, a
    string called `context` is a JSON object, and the rest is context. With `sequence`, a row is a token.
    Files of Hugging Face's datasets number their tags; the names are in the file's schema, and so are those of other numbered columns.

    Parameters
    ----------
    source : path or open binary file
    tokens, labels : str
        Names of columns: "tokens" and "labels" (or "ner_tags", or the only column of tags that the schema names), or with
        `sequence` "token" and "label", if left out.
    sequence : str or None
        The column that names the sequence of a token.
    max_tokens : int

    Examples
    --------
    >>> _ = write_parquet([Sentence(("a", "b"), ("X", "Y"), context={"id": 7})], "x.parquet")
    >>> [(found.tokens, found.labels, found.context) for found in read_parquet("x.parquet")]
    [(('a', 'b'), ('X', 'Y'), {'id': 7})]
    """
    arrow, parquet = _pyarrow()
    name = name_of(source)
    if name == "<stdin>":
        raise InputError("Parquet cannot be read from a stream: its index is at its end; give a file")
    path_or_file = str(source) if isinstance(source, str | PathLike) else source
    try:
        file = parquet.ParquetFile(path_or_file)
    except FileNotFoundError as error:  # in Arrow's words
        raise FileError.of(
            name, "opened", FileNotFoundError(error.errno, os.strerror(error.errno or errno.ENOENT))
        ) from None
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise CorpusError(name, None, f"not a Parquet file that can be read: {error}") from None
    with file:
        suffix = "" if sequence else "s"
        tokens = tokens or f"token{suffix}"
        keys = file.schema_arrow.names
        numbered = _numbered_tags(file.schema_arrow.metadata or {})
        if labels == "auto":
            tags = [key for key in numbered if key in keys]
            known = [f"label{suffix}", "ner_tags", *(tags if len(tags) == 1 else ())]
            labels = next((key for key in known if key in keys), None)
        require_keys(keys, (tokens, labels, sequence), name, None)
        rows = (
            (number, {key: _named(value, numbered.get(key), key, name, number) for key, value in row.items()})
            for number, row in enumerate(_rows(file, name, arrow), 1)
        )
        if sequence is not None:
            named = ((number, {key: str(value) for key, value in row.items()}) for number, row in rows)
            yield from group_rows(
                named, name, sequence=sequence, token=tokens, label=labels, max_tokens=max_tokens
            )
            return
        for number, row in rows:
            record = _record(row, tokens, labels, name, number)
            yield sentence_from_record(
                record, name, number, tokens=tokens, labels=labels, max_tokens=max_tokens
            )


def _numbered_tags(metadata: dict[bytes, bytes]) -> dict[str, list[str]]:
    """The names of numbered tags, by column, as Hugging Face's datasets keep them in the schema of a file."""
    try:
        features = json.loads(metadata.get(b"huggingface", b"{}"))["info"]["features"]
        return {
            key: [str(name) for name in feature["feature"]["names"]]
            for key, feature in features.items()
            if isinstance(feature, dict)
            and isinstance(feature.get("feature"), dict)
            and "names" in feature["feature"]
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _named(value: Any, names: list[str] | None, key: str, name: str, number: int) -> Any:
    """A row's tags by their names."""
    if names is None or not isinstance(value, list):
        return value
    for tag in value:
        if not isinstance(tag, int) or not 0 <= tag < len(names):
            raise CorpusError(name, number, f"{key!r} has {tag!r}, but there are {len(names)} names")
    return [names[tag] for tag in value]


def _rows(file: Any, name: str, arrow: Any) -> Iterator[dict[str, Any]]:
    try:
        for batch in file.iter_batches(batch_size=_BATCH):
            yield from batch.to_pylist()
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise CorpusError(name, None, f"damaged Parquet data: {error}") from None


def _record(
    row: dict[str, Any], tokens: str, labels: str | None, name: str, number: int
) -> dict[str, object]:
    length = len(row[tokens] or ())
    columns = {
        key: value
        for key, value in row.items()
        if key not in (tokens, labels)
        and isinstance(value, list)
        and len(value) == length
        and all(isinstance(string, str) for string in value)
    }
    record: dict[str, object] = {key: value for key, value in row.items() if key not in columns}
    context = record.pop("context", None)
    if isinstance(context, str):
        try:
            facts = json.loads(context)
        except (ValueError, RecursionError) as error:
            raise CorpusError(name, number, f"the context is not JSON: {error}") from None
        if not isinstance(facts, dict):
            raise CorpusError(name, number, f"the context must be a JSON object, got {context[:40]!r}")
        record = {**facts, **record}
    if columns:
        record["columns"] = columns
    return record


def write_parquet(sentences: Iterable[Sentence], target: Target) -> int:
    """Write sentences to Parquet, in batches, and return their number.

    Examples
    --------
    >>> write_parquet([Sentence(("a",))], "y.parquet")
    1
    """
    arrow, parquet = _pyarrow()
    if not isinstance(target, str | PathLike) or str(target) == "-":
        raise InputError("Parquet is written to a path, not to a stream")
    waiting, count = iter(sentences), 0
    texts = arrow.list_(arrow.string())
    with written_aside(target) as file:
        batch = list(islice(waiting, _BATCH))
        names = list(batch[0].columns) if batch else []
        fields = [
            ("tokens", texts),
            ("labels", texts),
            *((name, texts) for name in names),
            ("context", arrow.string()),
        ]
        schema = arrow.schema(fields)
        with parquet.ParquetWriter(file, schema) as writer:
            while batch:
                writer.write_table(
                    arrow.Table.from_pylist([_row(sentence, names) for sentence in batch], schema=schema)
                )
                count += len(batch)
                batch = list(islice(waiting, _BATCH))
    return count


def _row(sentence: Sentence, names: list[str]) -> dict[str, object]:
    if list(sentence.columns) != names:
        raise CorpusError(
            "Parquet",
            None,
            f"{sentence.location()}every sequence must have the same columns: expected {names}, got "
            f"{list(sentence.columns)}",
        )
    row: dict[str, object] = {name: list(values) for name, values in sentence.columns.items()}
    row["tokens"] = list(sentence.tokens)
    row["labels"] = None if sentence.labels is None else list(sentence.labels)
    row["context"] = json.dumps(dict(sentence.context), ensure_ascii=False) if sentence.context else None
    return row
