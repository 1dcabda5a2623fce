"""The results of `check`, as data and as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

__all__ = ["Because", "Check", "Missing", "Size", "Unchecked"]


class Size(NamedTuple):
    """The size of a rule's machine; None if it depends on the sequence."""

    rule: str
    states: int | None
    classes: int | None


class Because(NamedTuple):
    """A rule, and the other rules that are the reason; none of these can be left out."""

    rule: str
    by: tuple[str, ...]


class Missing(NamedTuple):
    """A rule, and the labels that it names and the label set lacks."""

    rule: str
    labels: tuple[str, ...]


class Unchecked(NamedTuple):
    """A rule or a question that could not be checked, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Check:
    """The results of `lawful.check`.

    Attributes
    ----------
    contradiction : tuple of str
        Hard rules that cannot all hold, whatever the sequence; none of them can be left out, unless `unchecked` says that
        a limit ended the search for those that can. Empty if there is none.
    example : tuple of str or None
        The labels of a short sequence that obeys all hard rules.
    implied : tuple of Because
        Rules that follow from others, so that they have no effect. Without `by`, they always hold.
    always_broken : tuple of Because
        Soft rules that the hard ones contradict: their price is always paid.
    unused_labels : tuple of str
        Labels that no rule names.
    missing_labels : tuple of Missing
        Labels that rules declare and name, but that are not among the labels of this check.
    impossible_labels : tuple of str
        Labels that occur in no sequence that obeys the hard rules.
    dead_ends : tuple of str
        Kinds of tokens for which the hard rules leave no label.
    sizes : tuple of Size
    unchecked : tuple of Unchecked
    """

    contradiction: tuple[str, ...] = ()
    example: tuple[str, ...] | None = None
    implied: tuple[Because, ...] = ()
    always_broken: tuple[Because, ...] = ()
    unused_labels: tuple[str, ...] = ()
    missing_labels: tuple[Missing, ...] = ()
    impossible_labels: tuple[str, ...] = ()
    dead_ends: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no contradiction was found."""
        return not self.contradiction

    def to_dict(self) -> dict[str, Any]:
        """The report as plain lists and dictionaries.

        Examples
        --------
        >>> Check(unused_labels=("O",)).to_dict()["unused_labels"]
        ['O']
        """
        plain: dict[str, Any] = {"ok": self.ok}
        for name, values in asdict(self).items():
            items = [item._asdict() if hasattr(item, "_asdict") else item for item in values or ()]
            plain[name] = None if values is None else items
        return plain

    def __str__(self) -> str:
        lines = []
        if self.contradiction:
            many = len(self.contradiction) > 1
            verdict = "cannot all hold" if many else "cannot hold"
            lines.append(f"contradiction: {_listed(self.contradiction)} {verdict}, whatever the sequence")
        elif self.example is not None:
            lines.append(f"no contradiction; a sequence that obeys all hard rules: {' '.join(self.example)}")
        for rule, by in self.implied:
            reason = f"follows from {_listed(by)}" if by else "always holds"
            lines.append(f"implied: {rule!r} {reason}; it has no effect")
        lines += [f"always broken: {rule!r}, because of {_listed(by)}" for rule, by in self.always_broken]
        if self.impossible_labels:
            lines.append(
                f"impossible: no sequence that obeys the hard rules has {_listed(self.impossible_labels)}"
            )
        lines += [f"dead end: {dead_end}" for dead_end in self.dead_ends]
        lines += [
            f"missing: {rule!r} names {_listed(labels)}, which is no label here and never occurs"
            for rule, labels in self.missing_labels
        ]
        if self.unused_labels:
            lines.append(f"unused: no rule names {_listed(self.unused_labels)}")
        lines += [f"not checked: {what}: {why}" for what, why in self.unchecked]
        known = [size.states for size in self.sizes if size.states is not None]
        if known:
            lines.append(f"sizes: {len(self.sizes)} rules; the largest machine has {max(known)} states")
        return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))
