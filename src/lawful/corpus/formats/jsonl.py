"""JSON lines: one object per sequence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from lawful.corpus.formats.text import beside_text, cut_text
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of, read_lines, text_start
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.corpus.texts.tokenizer import Tokenizer, TokenizerLike
from lawful.errors import CorpusError

__all__ = ["looks_like_jsonl", "read_jsonl", "sentence_from_record", "sentence_to_record", "write_jsonl"]


TOKENS = "tokens"  # a text under this key is a mistake


def looks_like_jsonl(start: bytes) -> bool:
    """Whether the first bytes of a file are JSON lines.

    Examples
    --------
    >>> looks_like_jsonl(b'{"tokens": ["a"]}'), looks_like_jsonl(b"a X")
    (True, False)
    """
    return re.match(rb"\{\s*(\"|\}|$)", text_start(start)) is not None


def read_jsonl(
    source: Source,
    *,
    tokens: str = TOKENS,
    labels: str | None = "labels",
    tokenizer: TokenizerLike = "words",
    encoding: str = "utf-8",
    max_line: int = MAX_LINE,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    r"""Read sentences from JSON lines, one at a time.

    Each line is an object: `{"tokens": [...], "labels": [...], "columns": {"pos": [...]}, ...}`. `labels` and
    `columns` may be absent; everything else becomes the sentence's context. An object with `text` instead of tokens, or with a text
    under another key that was given for them, is cut into tokens, whose places in the text are in the context, as `offsets`.

    Parameters
    ----------
    source : path, "-" or open file
    tokens, labels : str
        Their keys. `labels=None`: there are no labels.
    tokenizer : Tokenizer or str
        How a text is cut, as in `read_text`.
    encoding, max_line, max_tokens
        As in `read_columns`.

    Examples
    --------
    >>> import io
    >>> [sentence] = read_jsonl(io.StringIO('{"tokens": ["a", "b"], "labels": ["X", "Y"], "verb": 1}\n'))
    >>> sentence.tokens, sentence.labels, sentence.context
    (('a', 'b'), ('X', 'Y'), {'verb': 1})
    """
    name, cutter = name_of(source), None
    for number, line in read_lines(source, encoding=encoding, max_line=max_line):
        if not line or line.isspace():
            continue
        record = _parse(line, name, number)
        key = "text" if tokens not in record else tokens
        if isinstance(record.get(key), str) and not (tokens == TOKENS and tokens in record):
            # Asked for when there is a text: not every model has one.
            cutter = cutter or Tokenizer.of(tokenizer)
            record = _cut(record, key, tokens, labels, cutter, name, number, max_tokens)
        yield sentence_from_record(record, name, number, tokens=tokens, labels=labels, max_tokens=max_tokens)


def _cut(
    record: dict[str, object],
    key: str,
    tokens: str,
    labels: str | None,
    tokenizer: Tokenizer,
    name: str,
    number: int,
    max_tokens: int,
) -> dict[str, object]:
    """The record of a text, which stands under a key, with its tokens and their places."""
    if labels in record and record[labels or ""] is not None:
        raise CorpusError(
            name, number, f"{labels!r} of a text: which tokens have them? Give a list of tokens"
        )
    others = dict(record)
    cut = cut_text(str(others.pop(key)), tokenizer, name, number, max_tokens)
    return {**beside_text(others, cut.context), tokens: list(cut.tokens)}


def _parse(line: str, name: str, number: int) -> dict[str, object]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(name, number, f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (RecursionError, ValueError) as error:  # nested too deep; a number of too many digits
        raise CorpusError(name, number, f"not JSON that can be read: {error}") from None
    if not isinstance(record, dict):
        raise CorpusError(name, number, f"expected an object with tokens, got {line[:40]!r}")
    if "\\u" in line:
        try:
            json.dumps(record, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise CorpusError(
                name, number, "half of a surrogate pair (\\ud800 to \\udfff) is no character"
            ) from None
    return record


def sentence_from_record(
    record: dict[str, object],
    source: str,
    line: int,
    *,
    tokens: str = "tokens",
    labels: str | None = "labels",
    max_tokens: int = MAX_TOKENS,
) -> Sentence:
    """The sentence that an object of JSON describes. The object is emptied.

    Examples
    --------
    >>> sentence_from_record({"tokens": ["a"], "id": 7}, "some.jsonl", 3).context
    {'id': 7}
    """
    if tokens not in record:
        raise CorpusError(
            source,
            line,
            f"no {tokens!r} and no 'text'; the keys are {', '.join(map(repr, record)) or 'none'}: name that of the tokens or "
            "texts (--token KEY, or tokens=KEY)",
        )
    words = _strings(record.pop(tokens), tokens, source, line)
    if len(words) > max_tokens:
        raise CorpusError(
            source,
            line,
            f"a sequence of {len(words):,} tokens, more than max_tokens={max_tokens:,}; raise it",
        )
    label_values = None if labels is None else record.pop(labels, None)
    label_strings = (
        None
        if label_values is None
        else _strings(label_values, labels or "", source, line, length=len(words))
    )
    columns = record.pop("columns", None) or {}
    if not isinstance(columns, Mapping):
        raise CorpusError(source, line, f"'columns' must be an object of lists, got {type(columns).__name__}")
    column_values = {
        str(key): _strings(values, f"columns.{key}", source, line, length=len(words))
        for key, values in columns.items()
    }
    return Sentence(words, label_strings, column_values, record, source, (line,) * len(words))


def _strings(
    values: object, key: str, source: str, line: int, *, length: int | None = None
) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise CorpusError(source, line, f"{key!r} must be a list of strings, got {type(values).__name__}")
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise CorpusError(
                source, line, f"{key!r} must hold strings, but at position {index} is {value!r}"
            )
    if length is not None and len(values) != length:
        raise CorpusError(source, line, f"{length} tokens, but {len(values)} in {key!r}")
    return tuple(values)


def sentence_to_record(sentence: Sentence) -> dict[str, object]:
    """The object that `sentence_from_record` reads.

    Examples
    --------
    >>> sentence_to_record(Sentence(("a",), ("X",), context={"id": 7}))
    {'tokens': ['a'], 'labels': ['X'], 'id': 7}
    """
    record: dict[str, object] = {"tokens": list(sentence.tokens)}
    if sentence.labels is not None:
        record["labels"] = list(sentence.labels)
    if sentence.columns:
        record["columns"] = {name: list(values) for name, values in sentence.columns.items()}
    record.update((key, value) for key, value in sentence.context.items() if key not in record)
    return record


def write_jsonl(sentences: Iterable[Sentence], target: Target) -> int:
    r"""Write sentences as JSON lines, as they arrive, and return their number.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_jsonl([Sentence(("né",), ("X",))], file), file.getvalue()
    (1, '{"tokens": ["né"], "labels": ["X"]}\n')
    """
    count = 0
    with opened_for_writing(target) as file:
        for sentence in sentences:
            count += 1
            try:
                text = json.dumps(sentence_to_record(sentence), ensure_ascii=False)
            except (TypeError, ValueError) as error:
                raise CorpusError(
                    target_name(target), count, f"{sentence.location()}the context is not JSON: {error}"
                ) from None
            file.write(text + "\n")
    return count
