"""CSV with a header: one row per token with the sequence's name in a column, or one row per sequence."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from lawful.corpus.formats.jsonl import sentence_from_record
from lawful.corpus.formats.text import beside_text, cut_text
from lawful.corpus.grouping import group_rows, require_keys
from lawful.corpus.layout import parse_separator
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of, read_lines
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.corpus.texts.tokenizer import Tokenizer, TokenizerLike
from lawful.errors import CorpusError, InputError

__all__ = ["read_csv", "write_csv"]

LOOKED_AT = 10  # rows that tell whether a row is a token
OTHER_SEPARATORS = ";\t|"  # that files called .csv have too

TOKEN_NAMES = ("token", "word", "form")  # of a column that holds one token a row
_GUESSES = {
    "token": (*TOKEN_NAMES, "text"),
    "label": ("predicted", "label", "tag", "ner"),  # what `lawful decode` adds comes first
    "sequence": (
        "sequence",
        "sequence_id",
        "sentence_id",
        "sentence",
        "sent_id",
        "sentence #",
        "doc_id",
        "doc",
        "document",
        "id",
    ),
}


def read_csv(
    source: Source,
    *,
    token: str | None = None,
    label: str | None = "auto",
    sequence: str | None = "auto",
    separator: str = ",",
    tokenizer: TokenizerLike | None = None,
    encoding: str = "utf-8",
    max_line: int = MAX_LINE,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    r"""Read sentences from CSV with a header, one at a time.

    With a `sequence` column, each row is a token, and neighbouring rows of one sequence belong together. Without,
    each row is a sequence: its tokens (and labels) are separated by blanks; or it is a text, if it has no labels and a tokenizer is
    given. Other columns are kept by name.

    Parameters
    ----------
    source : path, "-" or open file
    token, label, sequence : str
        Names of columns; left out, they are guessed from the header ("token" or "tokens", "word", "label", "tag",
        "sequence", "sentence_id", ...). `label=None`: no labels. `sequence=None`: one row per sequence; this is needed
        if all of the first rows have only one token, and no column seems to name the sequence.
    separator : str
        "tab" or one character.
    tokenizer : Tokenizer or str, optional
        How texts are cut, as in `read_text`. A column called "token" or "word", or with a name that ends in s, holds tokens all the same.
    encoding, max_line, max_tokens
        As in `read_columns`.

    Examples
    --------
    >>> import io
    >>> text = "sequence,token,label\n1,a,X\n1,b,Y\n2,c,X\n"
    >>> [(found.tokens, found.labels) for found in read_csv(io.StringIO(text))]
    [(('a', 'b'), ('X', 'Y')), (('c',), ('X',))]
    >>> [found.tokens for found in read_csv(io.StringIO('tokens,labels\n"a b",X Y\n'))]
    [('a', 'b')]
    """
    name = name_of(source)
    lines = (line + "\n" for _, line in read_lines(source, encoding=encoding, max_line=max_line))
    rows = _rows(lines, name, _one_character(separator))
    header = [key.strip() for key in next(rows, (1, []))[1]]
    if not any(header):
        raise CorpusError(name, 1, "no header: the first row must name the columns")
    if len(set(header)) != len(header):
        twice = next(key for key in header if header.count(key) > 1)
        raise CorpusError(name, 1, f"column {twice!r} appears twice in the header")
    token = token or _guess(header, "token") or "token"
    label = _guess(header, "label") if label == "auto" else label
    guessed = sequence == "auto"
    sequence = _guess(header, "sequence") if sequence == "auto" else sequence
    if token not in header:
        raise CorpusError(name, 1, _no_token(token, header))
    require_keys(header, (token, label, sequence), name, 1)
    named: Iterator[tuple[int, dict[str, str]]] = (
        (line, _named(header, row, name, line)) for line, row in rows
    )
    if sequence is not None and not _is_plural(token):
        first = list(islice(named, LOOKED_AT))
        named = chain(first, named)
        if not guessed or not _are_texts([row for _, row in first], token, sequence):
            return group_rows(named, name, sequence=sequence, token=token, label=label, max_tokens=max_tokens)
        if label is not None and any(len(row[token].split()) != len(row[label].split()) for _, row in first):
            raise CorpusError(
                name,
                first[0][0],
                f"each row has a {sequence!r} of its own, and words in {token!r} that {label!r} does not label one by one. If it is a text, "
                f"it has no labels yet (--label none, or label=None); if it is one token, say so (--sequence {sequence!r}, or "
                f"sequence={sequence!r})",
            )
    texts = label is None and not _is_plural(token) and token.lower() not in TOKEN_NAMES
    if texts and tokenizer is not None:
        return _texts(named, name, token, tokenizer, max_tokens)
    if guessed and sequence is None:
        named = _not_single_tokens(named, name, token, header)
    return _whole(named, name, token, label, max_tokens)


def _is_plural(name: str) -> bool:
    """Whether a column is named for several things, such as tokens; an address is one."""
    return name.endswith("s") and not name.endswith("ss")


def _are_texts(rows: list[dict[str, str]], token: str, sequence: str) -> bool:
    """Whether rows that name a sequence each, a product or a document, are texts rather than tokens."""
    if token.lower() in TOKEN_NAMES:
        return False
    names = [row[sequence] for row in rows]
    return all(names) and len(set(names)) == len(names) and any(len(row[token].split()) > 1 for row in rows)


def _no_token(token: str, header: list[str]) -> str:
    """What to do about a header that does not name the column of the tokens."""
    if len(header) > 1:
        others = ", ".join(header)
        return f"no column {token!r}; the columns are {others}: name that of the tokens or texts (--token NAME, or token=NAME)"
    other = next((mark for mark in OTHER_SEPARATORS if mark in header[0]), None)
    if other is not None:
        spelled = "tab" if other == "\t" else f"'{other}'"
        return f"no column {token!r}; is {header[0]!r:.60} separated by something else? Then say so (--separator {spelled}, or separator={spelled})"
    return (
        f"no column {token!r}; the only one is {header[0]!r:.60}. If each row is a text, name it (--token NAME, or token=NAME); "
        "if the file is a text without a header, read it as one (--format text)"
    )


def _one_character(separator: str) -> str:
    character = parse_separator(separator) or ","
    if len(character) != 1:
        raise InputError(f"separator must be one character in CSV, got {separator!r}")
    return character


def _rows(lines: Iterator[str], name: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise CorpusError(name, reader.line_num, f"not CSV: {error}") from None
        if row:
            yield line, row
        line = reader.line_num + 1


def _named(header: list[str], row: list[str], name: str, line: int) -> dict[str, str]:
    if len(row) != len(header):
        raise CorpusError(
            name, line, f"expected {len(header)} columns ({', '.join(header)}), found {len(row)}: {row}"
        )
    return dict(zip(header, row, strict=True))


def _not_single_tokens(
    rows: Iterator[tuple[int, dict[str, str]]], name: str, token: str, header: list[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The same rows, unless they look like tokens whose sequences are unknown."""
    first = list(islice(rows, LOOKED_AT))
    if len(first) > 1 and all(len(row[token].split()) == 1 for _, row in first):
        others = ", ".join(key for key in header if key != token)
        raise CorpusError(
            name,
            first[0][0],
            f"each row has one token ({token!r}), but no column is known to name its sequence: say which one does "
            f"(--sequence NAME, or sequence=NAME), of {others}; none if each row is a whole sequence",
        )
    return chain(first, rows)


def _whole(
    rows: Iterator[tuple[int, dict[str, str]]], name: str, token: str, label: str | None, max_tokens: int
) -> Iterator[Sentence]:
    for line, row in rows:
        record: dict[str, object] = {**row, token: row[token].split()}
        if label is not None:
            record[label] = row[label].split()
        yield sentence_from_record(record, name, line, tokens=token, labels=label, max_tokens=max_tokens)


def _texts(
    rows: Iterator[tuple[int, dict[str, str]]],
    name: str,
    column: str,
    tokenizer: TokenizerLike,
    max_tokens: int,
) -> Iterator[Sentence]:
    cutter = Tokenizer.of(tokenizer)
    for line, row in rows:
        sentence = cut_text(row.pop(column), cutter, name, line, max_tokens)
        yield replace(sentence, context=beside_text(row, sentence.context))


def _guess(header: list[str], role: str) -> str | None:
    lowered: Mapping[str, str] = {key.lower(): key for key in header}
    for name in _GUESSES[role]:
        for spelled in (name, f"{name}s"):
            if spelled in lowered and not (role == "sequence" and spelled != name):
                return lowered[spelled]
    return None


def write_csv(
    sentences: Iterable[Sentence], target: Target, *, separator: str = ",", sequence: str | None = None
) -> int:
    r"""Write sentences as CSV, as they arrive, and return their number.

    The columns are the sequence, the token, its other columns, and the label if there is one; columns read from CSV
    keep their names and order. The name of a sequence is in its context, or else its number, from 1.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    separator : str
        "tab" or one character.
    sequence : str, optional
        The name of the first column; by default the name that it was read with, or else "sequence".

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
    header: list[str] = []
    with opened_for_writing(target) as file:
        writer = csv.writer(file, delimiter=_one_character(separator), lineterminator="\n")
        for sentence in sentences:
            count += 1
            sequence_name, columns = _columns(sentence)
            sequence_name = sequence or sequence_name
            names = [sequence_name, *(name for name, _ in columns)]
            if not header:
                header = names
                if len(set(header)) != len(header):
                    twice = next(name for name in header if header.count(name) > 1)
                    raise CorpusError(
                        target_name(target), 1, f"column {twice!r} would appear twice; rename it"
                    )
                writer.writerow(header)
            elif names != header:
                raise CorpusError(
                    target_name(target),
                    None,
                    f"{sentence.location()}every sequence must have the same columns: expected {header}, got {names}",
                )
            if "" in sentence.tokens:
                problem = (
                    f"token {sentence.tokens.index('')} is empty, which CSV cannot tell; write JSONL instead"
                )
                raise CorpusError(target_name(target), None, f"{sentence.location()}{problem}")
            name = str(sentence.context.get(sequence_name, count))
            writer.writerows((name, *row) for row in zip(*(column for _, column in columns), strict=True))
    return count


def _columns(sentence: Sentence) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """The name of the sequence column, and the other columns with their names."""
    layout, labels = sentence.layout, sentence.labels
    if layout is None or layout.sequence is None:
        columns = [("token", sentence.tokens), *sentence.columns.items()]
        return "sequence", columns if labels is None else [*columns, ("label", labels)]
    by_name = {layout.token: sentence.tokens, **sentence.columns}
    if labels is not None:
        by_name[layout.label or "label"] = labels
    return layout.sequence, [(name, by_name.pop(name)) for name in layout.names if name in by_name] + [
        *by_name.items()
    ]
