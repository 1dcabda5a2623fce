"""Write CoNLL-style columns, CoNLL-U included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from lawful.corpus.formats.columns.reading import DOCSTART
from lawful.corpus.layout import Layout, parse_separator
from lawful.corpus.sentence import Sentence
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.errors import CorpusError

__all__ = ["format_columns", "format_together", "layout_of", "write_columns"]

BOM = "\ufeff"
MOST_TOGETHER = 256  # sentences that are written at once


def write_columns(
    sentences: Iterable[Sentence],
    target: Target,
    *,
    columns: Sequence[str] | str | None = None,
    separator: str | None = None,
) -> int:
    r"""Write sentences as columns, as they arrive, and return their number.

    A sentence that was read from a file is written as it was there: the same columns in the same order, comments,
    multiword tokens. Any other sentence: the token, its other columns and the label, separated by tabs.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
        A path appears when it is complete; a name that ends in `.gz` is compressed.
    columns : sequence of str, str or None
        Which columns to write, in order, by name. None: all.
    separator : str or None
        None: the separator that it was read with.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_columns([Sentence(("a", "b"), ("X", "Y"), {"pos": ("DT", "NN")})], file)
    1
    >>> file.getvalue()
    'a\tDT\tX\nb\tNN\tY\n\n'
    """
    count, name = 0, target_name(target)
    new_separator = parse_separator(separator)
    chosen = columns.split(",") if isinstance(columns, str) else columns
    with opened_for_writing(target) as file:
        for layout, alike in _alike(sentences):
            if new_separator is not None:
                layout = replace(layout, separator=new_separator)
            text = format_together(alike, layout, chosen or layout.names)
            if text is None:
                text = "".join(
                    format_columns(sentence, layout, chosen, name=name, number=number)
                    for number, sentence in enumerate(alike, start=count + 1)
                )
            if not count and text.startswith(BOM):
                file.write(BOM)  # a reader drops the first one as a byte order mark
            file.write(text)
            count += len(alike)
    return count


def _alike(sentences: Iterable[Sentence]) -> Iterator[tuple[Layout, list[Sentence]]]:
    """Groups of neighbouring sentences that have the same layout."""
    group: list[Sentence] = []
    shared: Layout | None = None
    for sentence in sentences:
        layout = layout_of(sentence)
        if shared is not None and (layout is not shared or len(group) >= MOST_TOGETHER):
            yield shared, group
            group = []
        shared = layout
        group.append(sentence)
    if shared is not None:
        yield shared, group


def layout_of(sentence: Sentence) -> Layout:
    """The layout in which a sentence is written: that of its file, with added columns and without removed ones.

    Examples
    --------
    >>> layout_of(Sentence(("a",), ("X",), {"pos": ("DT",)})).names
    ('token', 'pos', 'label')
    """
    layout = sentence.layout
    if layout is None:
        names = ["token", *(name for name in sentence.columns)]
        label = None if sentence.labels is None else "label"
        return Layout((*names, label) if label else tuple(names), "token", label)
    if layout.sequence is not None:
        layout = _in_usual_order(layout)
    others = len(layout.names) - (1 if layout.label is None else 2)
    if (layout.label is None) == (sentence.labels is None) and others == len(sentence.columns):
        return layout
    names = [
        name
        for name in layout.names
        if name == layout.token or name in sentence.columns or name == layout.label
    ]
    names += [name for name in sentence.columns if name not in names]
    label = layout.label
    if sentence.labels is None and label is not None:
        names.remove(label)
        label = None
    elif sentence.labels is not None and label is None:
        label = "label"
        while label in names:
            label += "_"
        names.append(label)
    return Layout(tuple(names), layout.token, label, layout.separator)


@cache
def _in_usual_order(layout: Layout) -> Layout:
    """The layout of a table with a header in the usual order of columns, which have no header to say what they are."""
    last = () if layout.label is None else (layout.label,)
    return Layout((layout.token, *layout.others, *last), layout.token, layout.label, layout.separator)


def format_columns(
    sentence: Sentence,
    layout: Layout,
    chosen: Sequence[str] | None = None,
    *,
    name: str = "the text",
    number: int | None = None,
) -> str:
    r"""The lines of one sentence, with the blank line after it.

    Examples
    --------
    >>> sentence = Sentence(("a",), ("X",))
    >>> format_columns(sentence, layout_of(sentence))
    'a\tX\n\n'
    """
    columns = {**sentence.columns, layout.token: sentence.tokens}
    if layout.label is not None and sentence.labels is not None:
        columns[layout.label] = sentence.labels
    try:
        picked = [columns[column] for column in chosen or layout.names]
    except KeyError as missing:
        which = "" if number is None else f"sequence {number} has "
        raise CorpusError(
            name, None, f"{which}no column {missing.args[0]!r}; its columns are {', '.join(columns)}"
        ) from None
    separator, length = layout.separator, len(sentence.tokens)
    lines = list(map(separator.join, zip(*picked, strict=True)))
    text = "\n".join(lines)
    # Counting separators in the whole text is enough to know that no value would be read as two, or as a line end.
    if (
        text.count(separator) != length * (len(picked) - 1)
        or text.count("\n") != max(length - 1, 0)
        or "\r" in text
        or "\0" in text
        or (separator == " " and "\t" in text)
        or any("" in column for column in (picked if separator == " " else [columns[layout.token]]))
    ):
        _refuse(sentence, picked, chosen or layout.names, separator, name)
    if text.startswith(DOCSTART) and (sentence.layout is None or sentence.layout.sequence is not None):
        raise CorpusError(
            name,
            None,
            f"{sentence.location(0)}a sequence that begins with {DOCSTART} cannot be written in columns, where such a line begins "
            "a document; write JSONL instead",
        )
    if not sentence.between:
        return text + "\n\n"
    for before, line in reversed(sentence.between):
        lines.insert(before, line)
    return "\n".join(lines) + "\n\n"


def _refuse(
    sentence: Sentence, picked: list[tuple[str, ...]], names: Sequence[str], separator: str, name: str
) -> None:
    forbidden = [separator, "\n", "\r", "\0", *("\t" for _ in range(separator == " "))]
    for column, values in zip(names, picked, strict=True):
        for position, value in enumerate(values):
            if not value or any(character in value for character in forbidden):
                raise CorpusError(
                    name,
                    None,
                    f"{sentence.location(position)}{column} {value!r} at token {position} cannot be written in a column "
                    f"separated by {'blanks' if separator == ' ' else repr(separator)}; write JSONL instead",
                )


def format_together(sentences: Sequence[Sentence], layout: Layout, names: Sequence[str]) -> str | None:
    r"""The lines of all sentences, a blank line after each; None if they must be written one by one.

    That is so if any has lines that are not tokens, or a value that cannot be written in such columns.

    Examples
    --------
    >>> layout = Layout(("token", "label"), "token", "label", " ")
    >>> format_together([Sentence(("a", "b"), ("X", "Y")), Sentence(("c",), ("X",))], layout, layout.names)
    'a X\nb Y\n\nc X\n\n'
    >>> format_together([Sentence(("a b",), ("X",))], layout, layout.names) is None
    True
    """
    separator = layout.separator
    if any(sentence.between or not sentence.tokens for sentence in sentences) or len(separator) != 1:
        return None
    try:
        columns = [_column(sentences, layout, name) for name in names]
    except (KeyError, TypeError):  # a column, or labels, that a sentence does not have
        return None
    rows, width = len(columns[0]), 2 * len(columns)
    ends, last = ["\n"] * rows, -1
    for sentence in sentences:
        last += len(sentence.tokens)
        ends[last] = "\n\n"
    pieces = [separator] * (rows * width)
    for index, column in enumerate((*columns, ends)):
        pieces[min(2 * index, width - 1) :: width] = column
    text = "".join(pieces)
    # As above: the counts show that no value would be read as two, or as a line end.
    fits = text.count(separator) == rows * (len(columns) - 1) and text.count("\n") == rows + len(sentences)
    if not fits or "\r" in text or "\0" in text or (separator == " " and "\t" in text):
        return None
    if text.startswith(DOCSTART) or f"\n\n{DOCSTART}" in text:
        return None
    filled = columns if separator == " " else [_column(sentences, layout, layout.token)]
    return None if any("" in column for column in filled) else text


def _column(sentences: Sequence[Sentence], layout: Layout, name: str) -> list[str]:
    if name == layout.token:
        return list(chain.from_iterable([sentence.tokens for sentence in sentences]))
    if name == layout.label:
        return list(chain.from_iterable([sentence.labels for sentence in sentences]))  # type: ignore[misc]
    return list(chain.from_iterable([sentence.columns[name] for sentence in sentences]))
