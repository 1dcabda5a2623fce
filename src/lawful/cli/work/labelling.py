"""Putting predicted labels into sentences, in the layout that is written."""

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
    r"""Puts labels into sentences: beside the labels that they have, or in their place.

    Readers always take the new labels for the labels: they are the last column, or `labels` in JSONL. The old ones
    become another column unless they are replaced.

    Parameters
    ----------
    label_column : "add" or "replace"
    explain_column : bool
        Whether to add a column with the label without rules of each token that the rules changed.
    details : bool
        Whether to add score, changes and violations to the context.
    confidence_column : bool
        Whether to add a column with the probability of each label.
    fields : bool
        Whether to add what is known of each field to the context, for `write_fields`.

    Examples
    --------
    >>> from lawful.corpus.formats.columns.writing import format_columns, layout_of
    >>> gold = Sentence(("a",), ("X",), layout=Layout(("word", "tag"), "word", "tag", " "))
    >>> labelled = Labelling("add").label(gold, ("Y",))
    >>> format_columns(labelled, layout_of(labelled))
    'a X Y\n\n'
    """

    def __init__(
        self,
        label_column: str,
        *,
        explain_column: bool = False,
        confidence_column: bool = False,
        details: bool = False,
        fields: bool = False,
    ) -> None:
        if label_column not in LABEL_COLUMNS:
            raise InputError(f"--label-column must be {' or '.join(LABEL_COLUMNS)}, got {label_column!r}")
        self.adds, self.explains, self.details = label_column == "add", explain_column, details
        self.confidence, self.fields = confidence_column, fields
        self._added = [
            (name, option)
            for name, option, wanted in (
                ("plain", "--explain-column", explain_column),
                ("probability", "--confidence-column", confidence_column),
            )
            if wanted
        ]
        self._layouts: dict[Layout, Layout] = {}
        self._last: tuple[Layout | None, Layout | None] = None, None
        self._known: set[str] = set()  # labels that were checked before

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
            if self.confidence:
                columns["probability"] = tuple(map(str, detail.get("probabilities", ())))
            if self.details:
                context = {**context, "decoding": detail}
            if self.fields:
                known = [{"probability": field["probability"]} for field in detail.get("fields", ())]
                context = {**context, "fields": known}
        new_labels = tuple(labels)
        # Checking every label of every sentence would take as long as writing them.
        if len(new_labels) != len(sentence.tokens) or not self._known.issuperset(new_labels):
            new_labels = self._checked(sentence, new_labels)
        return unchecked_sentence(
            sentence.tokens,
            new_labels,
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
        """The layout of a file with the new columns in it."""
        last, extended = self._last
        if last is layout and extended is not None:  # nearly always so; a hash of all names takes longer
            return extended
        extended = self._layouts.get(layout)
        if extended is None:
            names = list(layout.names)
            for name, option in self._added:
                if name in names:
                    raise InputError(
                        f"{option}: there is already a column {name!r}; rename it with --columns"
                    )
                # Before the old labels: `lawful evaluate` takes the last two columns for gold and predicted labels.
                names.insert(names.index(layout.label) if layout.label is not None else len(names), name)
            label = layout.label
            if self.adds or label is None:
                if label is not None:
                    names[names.index(label)] = _old_name(layout, layout.others)
                label = "predicted"
                while label in names:
                    label += "_"
                names.append(label)
            extended = self._layouts[layout] = replace(layout, names=tuple(names), label=label)
        self._last = layout, extended
        return extended


def _old_name(layout: Layout | None, taken: Collection[str]) -> str:
    """The name of the column of the old labels: readers would take "label" for the new ones."""
    name = "gold" if layout is None or layout.label in (None, "label") else str(layout.label)
    while name in taken:
        name += "_"
    return name
