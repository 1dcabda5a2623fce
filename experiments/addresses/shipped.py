"""The package as it is shipped: what raises, what changes, what it costs; and what inexact searches find."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import usaddress as package

import lawful
from lawful.adapters import usaddress
from lawful.adapters.parserator.parser import Parsed

__all__ = ["answers", "searches"]

TURNS = 5
WIDTHS = (10, 100)
BEST = (10, 100, 1000)


def answers(texts: Sequence[str]) -> dict[str, Any]:
    """How often the package raises and lawful does, whether all its other answers are kept, and how long both take."""
    usaddress.tag("1 Main St")  # compiles the rules
    package_seconds = seconds = float("inf")
    for _ in range(TURNS):
        started = time.perf_counter()
        theirs = [_theirs(text) for text in texts]
        package_seconds = min(package_seconds, time.perf_counter() - started)
        started = time.perf_counter()
        ours = usaddress.decode_many(texts)
        seconds = min(seconds, time.perf_counter() - started)
    pairs = list(zip(theirs, ours, strict=True))
    losses = sorted(parsed.loss for expected, parsed in pairs if expected is None)
    return {
        "addresses": len(texts),
        "package_raises": sum(expected is None for expected in theirs),
        "lawful_raises": sum(_raises(text) for text in texts),
        "others_unchanged": sum(
            expected == (parsed.fields, parsed.kind) for expected, parsed in pairs if expected
        ),
        "obeyed": sum(bool(parsed.changed) for parsed in ours),
        "fell_back": sum(parsed.fell_back for parsed in ours),
        "losses": {f"{share:.0%}": _quantile(losses, share) for share in (0.1, 0.25, 0.5, 0.75, 0.9)},
        "seconds_to_package": seconds / package_seconds,
    }


def _theirs(text: str) -> tuple[dict[str, str], str] | None:
    try:
        answer: tuple[dict[str, str], str] = package.tag(text)
    except package.RepeatedLabelError:
        return None
    return answer


def _raises(text: str) -> bool:
    try:
        usaddress.tag(text)
    except Exception:  # noqa: BLE001 (whatever it is, it counts)
        return True
    return False


def _quantile(values: Sequence[float], share: float) -> float | None:
    return float(np.quantile(values, share)) if values else None


def searches(texts: Sequence[str], show_progress: Callable[[str], None]) -> dict[str, Any]:
    """How often each inexact search finds the best legal answer of the addresses on which the package fails."""
    failing = [parsed for parsed in usaddress.decode_many(texts, max_loss=None) if parsed.changed]
    successes: dict[str, int] = {}
    labels = usaddress.parser().tagger.labels
    machines = Machines(usaddress.rules(labels), labels)
    started = time.perf_counter()
    for index, parsed in enumerate(failing):
        for name in _that_find_it(parsed, machines):
            successes[name] = successes.get(name, 0) + 1
        if not (index + 1) % 100:
            show_progress(
                f"  {index + 1} of {len(failing)} failing addresses, {time.perf_counter() - started:.0f} s"
            )
    names = [
        *(f"{n}-best" for n in BEST),
        *(f"beam {w}" for w in WIDTHS),
        *(f"lawful's beam {w}" for w in WIDTHS),
    ]
    return {"failing": len(failing), "found": {name: successes.get(name, 0) for name in names}}


def _that_find_it(parsed: Parsed, machines: Machines) -> list[str]:
    assert parsed.decoding is not None
    lattice, best = parsed.decoding.lattice, parsed.decoding.score
    assert isinstance(lattice, lawful.Lattice)
    listed = lawful.nbest(lattice, n=max(BEST))
    rows = np.array([lattice.labels.encode(candidate.labels) for candidate in listed])
    legal = np.flatnonzero(
        ~machines.break_(rows)
    )  # the list is sorted: its first legal answer is the best of all
    names = [f"{n}-best" for n in BEST if legal.size and legal[0] < n]
    names += [f"beam {w}" for w in WIDTHS if _near(machines.beam(lattice, w), best)]
    for width in WIDTHS:
        other = lawful.decode(lattice, parsed.decoding.rules, solver="beam", width=width, on_limit="bounded")
        names += [f"lawful's beam {width}"] if _near(other.score, best) else []
    return names


def _near(score: float, best: float) -> bool:
    return score >= best - 1e-9 * max(1.0, abs(best))


class Machines:
    """The rules as tables, for many label sequences at once."""

    def __init__(self, rules: Sequence[Any], labels: lawful.LabelSet) -> None:
        self.tables = []
        for rule in rules:
            numbers = dict(rule.classes)
            classes = np.array([numbers[label] for label in labels])
            self.tables.append((rule.machine.delta[:, classes], rule.machine.violations[:, classes] > 0))

    def break_(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which rows (N, T) of label numbers break a rule."""
        broken = np.zeros(len(rows), dtype=bool)
        for delta, violations in self.tables:
            state = np.zeros(len(rows), dtype=np.int64)
            for column in rows.T:
                broken |= violations[state, column]
                state = delta[state, column]
        return broken

    def beam(self, lattice: lawful.Lattice, width: int) -> float:
        """The textbook's beam: the best `width` legal beginnings by their score so far, without completion scores."""
        emissions = np.asarray(lattice.emissions)
        steps = np.asarray(lattice.transitions)
        labels = np.arange(emissions.shape[1])
        scores, last = emissions[0], labels
        states = [delta[0, labels] for delta, _ in self.tables]
        for t in range(len(emissions)):
            if t:
                extended = scores[:, None] + steps[last] + emissions[t]
                for (_, violations), state in zip(self.tables, states, strict=True):
                    extended[violations[state]] = -np.inf
                parent, last = np.divmod(np.argsort(-extended, axis=None, kind="stable")[:width], len(labels))
                scores = extended[parent, last]
                states = [
                    delta[state[parent], last] for (delta, _), state in zip(self.tables, states, strict=True)
                ]
        return float(scores.max())
