"""An encoding in words: which tags each label was split into, and what each part remembers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import NamedTuple

from lawful.automata.transducers.synchronization import synchronize
from lawful.automata.transducers.transducer import Transducer, TransducerArc
from lawful.encodings.encoding import Encoding
from lawful.encodings.symbols import FeatureSymbol, label_of
from lawful.errors import MachineError

__all__ = ["Meaning", "describe_encoding", "meanings"]

START, END = "^", "$"
FURTHEST = 3  # labels that are looked back at to tell the parts of a label apart
SHOWN = 6

Histories = Mapping[int, set[tuple[str, ...]]]


class Meaning(NamedTuple):
    """One tag as one of its labels.

    Attributes
    ----------
    tag, label : str
    when : tuple of str
        What is known where it stands, in words; empty if it is all that the label can be.
    """

    tag: str
    label: str
    when: tuple[str, ...]


def describe_encoding(encoding: Encoding) -> str:
    """An encoding in words.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> print(describe_encoding(scheme_encoding("IOB1", "IOE2")))
    3 labels as 3 tags; tags are written up to 1 token late
    B is split into
      E  not before I
      I  before I
    I is split into
      E  not before I
      I  before I
    O stays O
    """
    said = meanings(encoding)
    by_label: dict[str, list[Meaning]] = {label: [] for label in encoding.labels}
    for meaning in said:
        by_label[meaning.label].append(meaning)
    latest = max(encoding.offsets.values(), default=0)
    late = f"; tags are written up to {latest} token{'s' * (latest > 1)} late" if latest > 0 else ""
    lines = [f"{_count(encoding.labels, 'label')} as {_count(encoding.tags, 'tag')}{late}"]
    for label, parts in sorted(by_label.items()):
        if not parts:
            lines.append(f"{label} cannot be written")
        elif len(parts) == 1:
            tag = parts[0].tag
            lines.append(f"{label} stays {label}" if tag == label else f"{label} becomes {tag}")
        else:
            width = max(len(part.tag) for part in parts)
            lines.append(f"{label} is split into")
            lines += (f"  {part.tag:<{width}}  {'; '.join(part.when) or 'anywhere else'}" for part in parts)
    return "\n".join(lines)


def meanings(encoding: Encoding) -> list[Meaning]:
    """What each tag stands for, and when.

    Examples
    --------
    >>> from lawful.encodings import history_encoding
    >>> [meaning.when for meaning in meanings(history_encoding(["A", "B"], 2)) if meaning.tag == "B.A"]
    [('after A',)]
    """
    try:
        machine = synchronize(encoding.transducer)
    except MachineError:  # too large, or no encoding: then tags are told by what has been read only
        machine = encoding.transducer
    arcs: dict[str, dict[str, list[TransducerArc]]] = {}
    for arc in machine.arcs:
        for tag in dict.fromkeys(map(str, arc.output)):
            arcs.setdefault(label_of(arc.input), {}).setdefault(tag, []).append(arc)
    following = _following(machine)
    before = [_histories(machine, length) for length in range(1, FURTHEST + 1)]
    said = []
    for label, by_tag in sorted(arcs.items()):
        contexts: dict[str, _Context] = {}
        for histories in before:
            contexts = {tag: _context(of_tag, histories, following) for tag, of_tag in by_tag.items()}
            if not any(_overlapping(tag, contexts) for tag in contexts):
                break
        for tag in sorted(by_tag):
            when = _told(tag, contexts, sorted(encoding.labels))
            if _overlapping(tag, contexts):
                when = (*when, f"depending on more than the last {FURTHEST} labels")
            said.append(Meaning(tag, label, when))
    return said


class _Context(NamedTuple):
    """Where a tag can stand for a label: what came before, on what tokens, and what comes next."""

    past: set[tuple[str, ...]]
    conditions: set[str]
    future: set[str]


def _context(arcs: list[TransducerArc], histories: Histories, following: Mapping[int, set[str]]) -> _Context:
    return _Context(
        {history for arc in arcs for history in histories[arc.source]},
        {_condition(arc.input) for arc in arcs},
        {label for arc in arcs for label in following[arc.target]},
    )


def _overlapping(tag: str, contexts: Mapping[str, _Context]) -> bool:
    """Whether another tag of the same label can stand in the same place, as far as is seen."""
    own = contexts[tag]
    return any(
        other != tag
        and own.past & context.past
        and own.conditions & context.conditions
        and own.future & context.future
        for other, context in contexts.items()
    )


def _told(tag: str, contexts: Mapping[str, _Context], labels: list[str]) -> tuple[str, ...]:
    """What is known of a tag, as far as it does not hold for all tags of its label."""
    own = contexts[tag]
    all_past = {history for context in contexts.values() for history in context.past}
    all_future = {label for context in contexts.values() for label in context.future}
    clauses = []
    if own.past != all_past:
        clauses.append(_after(own.past, all_past))
    if "" not in own.conditions:
        many = len(own.conditions) > SHOWN // 2
        kinds = f"of {len(own.conditions)} kinds" if many else " or ".join(sorted(own.conditions))
        clauses.append(f"on tokens {kinds}")
    if own.future != all_future:
        clauses.append(_before(own.future, all_future, labels))
    return tuple(clauses)


def _condition(symbol: object) -> str:
    if not isinstance(symbol, FeatureSymbol):
        return ""
    has = [f"with {name}" for name in symbol.required] + [f"without {name}" for name in symbol.forbidden]
    return " and ".join(has)


def _after(past: set[tuple[str, ...]], possible: set[tuple[str, ...]]) -> str:
    others = possible - past
    if len(others) < len(past) and len(others) <= SHOWN:
        return f"not {_listed(map(_history, sorted(others)))}"
    return _listed(map(_history, sorted(past)))


def _history(history: tuple[str, ...]) -> str:
    """The labels before, nearest first, in words."""
    seen = [label for label in reversed(history) if label != START]
    if not seen:
        return "at the start"
    return f"after {' '.join(seen)}" + (" at the start" if START in history else "")


def _before(future: set[str], possible: set[str], labels: list[str]) -> str:
    others = possible - future
    if len(others) < len(future) and len(others) <= SHOWN // 2:
        return f"not before {_next_labels(others, labels)}"
    return f"before {_next_labels(future, labels)}"


def _next_labels(future: set[str], labels: list[str]) -> str:
    return _listed([*(label for label in labels if label in future), *(["the end"] if END in future else [])])


def _listed(items: Iterable[str]) -> str:
    names = list(items)
    if len(names) > SHOWN:
        names = [*names[: SHOWN - 1], f"{len(names) - SHOWN + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _histories(machine: Transducer, length: int) -> Histories:
    """For each state, the labels that can have been read last, nearest first; the start stands before the first."""
    nothing: Histories = {state: {()} for state in range(machine.states)}
    known = nothing
    for size in range(1, length + 1):
        longer: dict[int, set[tuple[str, ...]]] = {state: set() for state in range(machine.states)}
        longer[0].add((START,) * size)
        for arc in machine.arcs:
            longer[arc.target] |= {(label_of(arc.input), *history) for history in known[arc.source]}
        known = longer
    return known


def _following(machine: Transducer) -> Mapping[int, set[str]]:
    """For each state, the labels that can be read next, and the end if it may come."""
    following: dict[int, set[str]] = {state: set() for state in range(machine.states)}
    for arc in machine.arcs:
        following[arc.source].add(label_of(arc.input))
    for ending in machine.endings:
        following[ending.state].add(END)
    return following


def _count(items: Sized, name: str) -> str:
    return f"{len(items)} {name}{'' if len(items) == 1 else 's'}"
