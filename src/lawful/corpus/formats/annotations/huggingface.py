"""Hugging Face's datasets of tokens: `tokens` and numbered `ner_tags`, whose names are kept beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of, read_lines
from lawful.corpus.targets import Target, opened_for_writing
from lawful.errors import CorpusError, InputError

__all__ = ["read_huggingface", "write_huggingface"]

INFO = "dataset_info.json"


def read_huggingface(
    source: Source,
    *,
    tags: str = "ner_tags",
    names: Sequence[str] | str | None = None,
    encoding: str = "utf-8",
) -> Iterator[Sentence]:
    """Read rows of `tokens` and `ner_tags` from JSON lines, one at a time.

    Parameters
    ----------
    source : path, "-" or open file
    tags : str
        The key of the tags.
    names : sequence of str, or str, optional
        The names of the tags, in order, or with commas between them. If not given and tags are numbers, those that
        `dataset_info.json` beside the file tells, as `datasets` writes it.
    encoding : str

    Examples
    --------
    >>> import io
    >>> row = '{"id": "0", "tokens": ["in", "Bonn"], "ner_tags": [0, 1]}'
    >>> [one] = read_huggingface(io.StringIO(row), names="O,B-LOC")
    >>> one.labels, one.context
    (('O', 'B-LOC'), {'id': '0'})
    """
    known = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    known = _told_beside(source, tags) if known is None else list(known)
    name = name_of(source)
    for number, line in read_lines(source, encoding=encoding):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(name, number, f"not JSON: {error}") from None
        if not isinstance(row, dict) or not isinstance(row.get("tokens"), list):
            raise CorpusError(name, number, f"expected an object with 'tokens', got {line[:40]!r}")
        labels = row.get(tags)
        if labels is not None and not isinstance(labels, list):
            raise CorpusError(name, number, f"{tags!r} must be a list, got {labels!r:.40}")
        context = {key: value for key, value in row.items() if key not in ("tokens", tags)}
        yield Sentence(
            tuple(map(str, row["tokens"])),
            None if labels is None else tuple(_name(label, known, tags, name, number) for label in labels),
            context=context,
            source=name,
            lines=(number,) * len(row["tokens"]),
        )


def _name(label: Any, known: Sequence[str] | None, tags: str, name: str, number: int) -> str:
    if isinstance(label, str):
        return label
    if known is None:
        raise CorpusError(
            name,
            number,
            f"{tags!r} are numbers: pass their names (--label-names O,B-PER,...), or put {INFO} beside the file",
        )
    if not isinstance(label, int) or not 0 <= label < len(known):
        raise CorpusError(name, number, f"{tags!r} has {label!r}, but there are {len(known)} names")
    return known[label]


def _told_beside(source: Source, tags: str) -> list[str] | None:
    if not isinstance(source, str | PathLike) or str(source) == "-":
        return None
    path = Path(source).parent / INFO
    if not path.is_file():
        return None
    try:
        names = json.loads(path.read_text(encoding="utf-8"))["features"][tags]["feature"]["names"]
    except (ValueError, KeyError, TypeError):
        raise CorpusError(
            str(path), None, f"no names of {tags!r}: expected features.{tags}.feature.names"
        ) from None
    return [str(name) for name in names]


def write_huggingface(
    sentences: Iterable[Sentence],
    target: Target,
    *,
    labels: Iterable[str] | None = None,
    tags: str = "ner_tags",
) -> int:
    r"""Write rows of `tokens` and numbered tags as JSON lines, and the names of the tags to `dataset_info.json` beside them.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path
    labels : iterable of str, optional
        All labels there are, in the order of their numbers; those that occur, "O" first, if not given.
    tags : str

    Examples
    --------
    >>> write_huggingface([Sentence(("in", "Bonn"), ("O", "B-LOC"))], "rows.jsonl")
    1
    >>> Path("rows.jsonl").read_text(), [one.labels for one in read_huggingface("rows.jsonl")]
    ('{"tokens": ["in", "Bonn"], "ner_tags": [0, 1]}\n', [('O', 'B-LOC')])
    """
    if not isinstance(target, str | PathLike) or str(target) == "-":
        raise InputError("rows of numbered tags are written to a path: their names go to a file beside them")
    listed = list(sentences)
    seen = {label for sentence in listed for label in sentence.labels or ()}
    names = list(labels) if labels is not None else sorted(seen, key=lambda label: (label != "O", label))
    names += sorted(seen.difference(names))
    numbers = {name: number for number, name in enumerate(names)}
    with opened_for_writing(target) as file:
        for sentence in listed:
            record: dict[str, Any] = {"tokens": list(sentence.tokens)}
            if sentence.labels is not None:
                record[tags] = [numbers[label] for label in sentence.labels]
            record |= {key: value for key, value in sentence.context.items() if key not in record}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    feature = {"feature": {"names": names, "_type": "ClassLabel"}, "_type": "Sequence"}
    with opened_for_writing(Path(target).parent / INFO) as file:
        json.dump({"features": {tags: feature}}, file, ensure_ascii=False, indent=2)
    return len(listed)
