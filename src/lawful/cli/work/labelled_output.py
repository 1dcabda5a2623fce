"""Sentences with the labels that were found, laid out as they are to be written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from lawful.corpus import Layout, Sentence
from lawful.corpus.sentence import unchecked_sentence
from lawful.errors import InputError

__all__ = ["LABEL_COLUMNS", "Labelling"]

LABEL_COLUMNS = ("add", "replace")
NOTHING = "_"


class Labelling:
    r"""Puts labels into sentences: beside those that they have, or in their place.

    The new labels are always what a reader takes for the labels: the last column, or `labels` in JSONL. Those that were
    there stay as a column if they are not replaced.

    Parameters
    ----------
    label_column : "add" or "replace"
    explain_column : bool
        Whether to add a column with the rule-free label of each token that the rules changed.
    details : bool
        Whether to put what is known of a decoding into the context.

    Examples
    --------
    >>> from lawful.corpus.formats.columns.writing import format_columns, layout_of
    >>> gold = Sentence(("a",), ("X",), layout=Layout(("word", "tag"), "word", "tag", " "))
    >>> found = Labelling("add").label(gold, ("Y",))
    >>> format_columns(found, layout_of(found))
    'a X Y\n\n'
    """

    def __init__(self, label_column: str, *, explain_column: bool = False, details: bool = False) -> None:
        if label_column not in LABEL_COLUMNS:
            raise InputError(f"--label-column must be {' or '.join(LABEL_COLUMNS)}, got {label_column!r}")
        self.adds, self.explains, self.details = label_column == "add", explain_column, details
        self._layouts: dict[Layout, Layout] = {}
        self._last: tuple[Layout | None, Layout | None] = None, None
        self._known: set[str] = set()  # labels that are known to be strings

    def label(
        self, sentence: Sentence, labels: Sequence[str], detail: dict[str, Any] | None = None
    ) -> Sentence:
        """The sentence with its new labels."""
        columns = dict(sentence.columns)
        layout = None if sentence.layout is None else self._layout(sentence.layout)
        if self.adds and sentence.labels is not None:
            columns[_old_name(sentence.layout, sentence.columns)] = sentence.labels
        context = sentence.context
        if detail is not None:
            if self.explains:
                before = zip(labels, detail["plain_labels"] if detail else (), strict=True)
                columns["plain"] = tuple(NOTHING if now == then else then for now, then in before)
            if self.details:
                context = {**context, "decoding": detail}
        found = tuple(labels)
        if len(found) != len(sentence.tokens) or not self._known.issuperset(found):
            found = self._checked(sentence, found)
        return unchecked_sentence(
            sentence.tokens,
            found,
            columns,
            context,
            sentence.source,
            sentence.lines,
            layout,
            sentence.between,
        )

    def _checked(self, sentence: Sentence, labels: tuple[str, ...]) -> tuple[str, ...]:
        checked = Sentence(sentence.tokens, labels, source=sentence.source, lines=sentence.lines).labels or ()
        self._known.update(checked)
        return checked

    def _layout(self, layout: Layout) -> Layout:
        """The columns of a file with the new ones."""
        last, found = self._last
        if last is layout and found is not None:  # as nearly always; a hash of all names takes longer
            return found
        found = self._layouts.get(layout)
        if found is None:
            names = list(layout.names)
            if self.explains:
                if "plain" in names:
                    raise InputError(
                        "--explain-column: there is a column 'plain' already; rename it with --columns"
                    )
                # Before the labels that were there: what comes last is gold and predicted, as `lawful evaluate` wants it.
                names.insert(names.index(layout.label) if layout.label is not None else len(names), "plain")
            label = layout.label
            if self.adds or label is None:
                if label is not None:
                    names[names.index(label)] = _old_name(layout, layout.others)
                label = "predicted"
                while label in names:
                    label += "_"
                names.append(label)
            found = self._layouts[layout] = replace(layout, names=tuple(names), label=label)
        self._last = layout, found
        return found


def _old_name(layout: Layout | None, taken: Collection[str]) -> str:
    """What the column of the labels that were there is called: "label" is what readers take for the new ones."""
    name = "gold" if layout is None or layout.label in (None, "label") else str(layout.label)
    while name in taken:
        name += "_"
    return name
