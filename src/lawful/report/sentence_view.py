"""The sentence behind a sequence whose tokens stand for spans of words, so that a report can draw labels over the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawful.corpus.trees import Tree
from lawful.errors import InputError
from lawful.schemes import Span, find_spans

__all__ = ["SentenceView"]


@dataclass(frozen=True)
class SentenceView:
    """A sentence, and which of its words each token of a sequence stands for.

    Attributes
    ----------
    words : tuple of str
    spans : tuple of (start, end)
        The words of each token of the sequence.
    joined : bool
        Whether neighbouring tokens with the same label are one argument; else each labelled token is one.
    verb : int or None
        The position of the word whose arguments are labelled.
    tree : Tree or None
    candidates : tuple of (start, end)
        Spans of words that may be arguments; their phrases are framed in the tree.
    outside : str
        The label that is drawn over nothing.

    Examples
    --------
    >>> view = SentenceView(("The", "farmers", "sell", "plenty", "of", "grain"), ((0, 2), (2, 3), (3, 4), (4, 6)), verb=2)
    >>> [tuple(span) for span in view.arguments(("A0", "O", "A1", "A1"))]
    [('A0', 0, 2), ('A1', 3, 6)]
    """

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    joined: bool = True
    verb: int | None = None
    tree: Tree | None = None
    candidates: tuple[tuple[int, int], ...] = ()
    outside: str = "O"

    def __post_init__(self) -> None:
        length = len(self.words)
        for start, end in (*self.spans, *self.candidates):
            if not 0 <= start < end <= length:
                raise InputError(f"a span from {start} to {end} does not fit a sentence of {length} words")
        if self.tree is not None and len(self.tree) != length:
            raise InputError(f"the tree has {len(self.tree)} words, but the sentence has {length}")
        if self.verb is not None and not 0 <= self.verb < length:
            raise InputError(f"the verb is at {self.verb}, but there are {length} words")

    def arguments(self, labels: Sequence[str]) -> list[Span]:
        """The spans of words that the labels of the sequence describe."""
        if len(labels) != len(self.spans):
            raise InputError(
                f"the view of a sentence has {len(self.spans)} tokens, but there are {len(labels)} labels"
            )
        if self.joined:
            runs = find_spans(labels, "flat", outside=self.outside)
            return [Span(run.type, self.spans[run.start][0], self.spans[run.end - 1][1]) for run in runs]
        return [
            Span(label, start, end)
            for label, (start, end) in zip(labels, self.spans, strict=True)
            if label != self.outside
        ]

    def to_dict(self, **labellings: Sequence[str] | None) -> dict[str, Any]:
        """The words, and the arguments of each labelling, ready for JSON."""
        return {
            "words": list(self.words),
            "verb": self.verb,
            "tree": None if self.tree is None else str(self.tree),
            **{
                name: [[span.type, span.start, span.end] for span in self.arguments(labels)]
                for name, labels in labellings.items()
                if labels is not None
            },
        }
