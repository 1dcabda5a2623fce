"""Parses that are in a file of their own, line by line beside the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from lawful.corpus.formats.columns.reading import read_columns
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of
from lawful.corpus.trees.bracketed import sentence_tree
from lawful.errors import CorpusError

__all__ = ["add_parses"]


def add_parses(sentences: Iterable[Sentence], source: Source) -> Iterator[Sentence]:
    r"""Sentences with the columns `parse_pos` and `parse` of a file that has a part of speech and brackets on each line.

    Every tree is read once, so that a damaged one is found here: the error names the file of parses and the line.

    Examples
    --------
    >>> import io
    >>> [parsed] = add_parses([Sentence(("He", "left"))], io.StringIO("PRP (S(NP*)\nVBD (VP*))\n"))
    >>> parsed.columns
    {'parse_pos': ('PRP', 'VBD'), 'parse': ('(S(NP*)', '(VP*))')}
    """
    name = name_of(source)
    parses = read_columns(source, columns="parse_pos,parse", token="parse_pos", label=None)  # noqa: S106
    for number, (sentence, parse) in enumerate(zip_longest(sentences, parses)):
        if sentence is None or parse is None:
            fewer, more = ("sentences", "parses") if sentence is None else ("parses", "sentences")
            raise CorpusError(
                name, None, f"there are {number} {fewer}, but more {more}: they must be aligned"
            )
        if len(parse) != len(sentence):
            raise CorpusError(
                name,
                parse.lines[0],
                f"parse {number} has {len(parse)} tokens, but its sentence ({sentence.location().removesuffix(': ')}) "
                f"has {len(sentence)}",
            )
        parsed = parse.with_column("parse_pos", parse.tokens)
        sentence_tree(parsed)
        yield sentence.with_column("parse_pos", parse.tokens).with_column("parse", parse.columns["parse"])
