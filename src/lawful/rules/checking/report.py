"""What `check` found, as data and as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

__all__ = ["Because", "Check", "Size", "Unchecked"]


class Size(NamedTuple):
    """How large a rule's machine is; None if it depends on the sequence."""

    rule: str
    states: int | None
    classes: int | None


class Because(NamedTuple):
    """A rule, and the fewest others that we found to make it so."""

    rule: str
    by: tuple[str, ...]


class Unchecked(NamedTuple):
    """A rule, or a question about one, that has no answer here, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Check:
    """What `lawful.check` found.

    Attributes
    ----------
    contradiction : tuple of str
        Hard rules that cannot all hold, whatever the sequence; none of them can be left out. Empty if there is none.
    example : tuple of str or None
        The labels of a short sequence that obeys all hard rules.
    implied : tuple of Because
        Rules that hold whenever others do: never broken, so they do nothing. Without `by`, they always hold.
    always_broken : tuple of Because
        Soft rules that the hard ones contradict: their price is always paid.
    unused_labels : tuple of str
        Labels that no rule names.
    impossible_labels : tuple of str
        Labels that no sequence which obeys the hard rules can have.
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
        for name, held in asdict(self).items():
            items = [one._asdict() if hasattr(one, "_asdict") else one for one in held or ()]
            plain[name] = None if held is None else items
        return plain

    def __str__(self) -> str:
        lines = []
        if self.contradiction:
            many = len(self.contradiction) > 1
            told = "cannot all hold" if many else "cannot hold"
            lines.append(f"contradiction: {_listed(self.contradiction)} {told}, whatever the sequence")
        elif self.example is not None:
            lines.append(f"no contradiction; a sequence that obeys all hard rules: {' '.join(self.example)}")
        for one in self.implied:
            reason = f"follows from {_listed(one.by)}" if one.by else "always holds"
            lines.append(f"implied: {one.rule!r} {reason}; it does nothing")
        lines += [f"always broken: {one.rule!r}, because of {_listed(one.by)}" for one in self.always_broken]
        if self.impossible_labels:
            lines.append(
                f"impossible: no sequence that obeys the hard rules has {_listed(self.impossible_labels)}"
            )
        lines += [f"dead end: {one}" for one in self.dead_ends]
        if self.unused_labels:
            lines.append(f"unused: no rule names {_listed(self.unused_labels)}")
        lines += [f"not checked: {one.what}: {one.why}" for one in self.unchecked]
        known = [size.states for size in self.sizes if size.states is not None]
        if known:
            lines.append(f"sizes: {len(self.sizes)} rules; the largest machine has {max(known)} states")
        return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))
