"""A sequence of a report: before, after, gold, reasons, probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from lawful.explanation import Change
from lawful.labels import LabelSet
from lawful.report.content import ShownSequence
from lawful.report.drawing.heat_map import MOST_TOKENS, heat_map
from lawful.report.drawing.markup import Html, element, joined
from lawful.report.drawing.strips import label_chip, strip

__all__ = ["sequence_card"]

SHORT = 80  # tokens; of longer sequences only the surroundings of changes are shown,
AROUND = 12  # so many on each side,
LONGEST = 120  # and no more than this in all
MOST_REASONS = 12
MOST_MOVES = 6


def sequence_card(one: ShownSequence, labels: LabelSet, slots: Mapping[str, str]) -> Html:
    """All that a report says of one sequence.

    Examples
    --------
    >>> one = ShownSequence(1, "", ("</script>",), ("X",), ("Y",), None, 0.5, "optimal")
    >>> card = sequence_card(one, LabelSet(["X", "Y"]), {"X": "1", "Y": "2"})
    >>> "</script>" in card, "gave up 0.50" in card
    (False, True)
    """
    tokens, before, after, gold = one.tokens, one.before, one.after, one.gold
    changed, parts = set(one.changed), _parts(one)
    rows: list[str] = []
    strips = [("before", before, "was"), ("after", after, "changed")] if changed else [("labels", after, "")]
    for side, answer, kind in strips:
        rows.append(element("div", side, class_="side"))
        drawn = strip(tokens, answer, slots, changed=changed, kind=kind, gold=gold, parts=parts)
        rows.append(element("div", drawn, class_="strip"))
    if gold is not None and tuple(gold) != tuple(after):
        drawn = strip(tokens, gold, slots, parts=parts)
        rows += [element("div", "gold", class_="side"), element("div", drawn, class_="strip")]
    found = [_head(one), element("div", *rows, class_="pair")]
    shown = sum(end - start for start, end in parts)
    if shown < len(tokens):
        told = f"{shown:,} of {len(tokens):,} tokens are shown{', those around changes' if changed else ''}."
        found.append(element("p", told, class_="note"))
    reasons = _reasons(one, slots)
    if reasons:
        found.append(element("ul", *reasons, class_="reasons"))
    if one.probabilities is not None:
        first, last = _stretch(one)
        cut = slice(first, last)
        drawn = heat_map(
            tokens[cut], list(labels), one.probabilities[cut], slots, before=before[cut], after=after[cut]
        )
        told = (
            "Probability of each label by the model alone. Outlined: the answer; dashed: what it was before."
        )
        told += f" Tokens {first + 1:,} to {last:,} of {len(tokens):,}." if last - first < len(tokens) else ""
        inside = [element("summary", "Probabilities"), element("p", told, class_="note")]
        region = {"role": "group", "aria_label": f"Probabilities of no. {one.number:,}"}
        found.append(
            element("details", *inside, element("div", drawn, class_="scroll long", tabindex=0, **region))
        )
    return element("article", *found, class_="card sequence", aria_label=f"Sequence no. {one.number:,}")


def _head(one: ShownSequence) -> Html:
    facts = []
    if one.status == "infeasible":
        facts.append(element("span", "rules contradict each other", class_="pill bad"))
    elif one.status == "bounded":
        facts.append(element("span", "not proved best in time", class_="pill hard"))
    if one.gold is not None and one.changed:
        better = sum(one.after[t] == one.gold[t] for t in one.changed)
        worse = sum(one.before[t] == one.gold[t] for t in one.changed)
        facts += [element("span", f"{better} better", class_="pill good")] if better else []
        facts += [element("span", f"{worse} worse", class_="pill bad")] if worse else []
    count = len(one.changed)
    facts.append(element("span", f"{count} token{'' if count == 1 else 's'} changed", class_="pill"))
    if one.loss:
        facts.append(element("span", f"gave up {one.loss:.2f}", class_="pill"))
    place = element("small", one.place) if one.place else None
    return element(
        "header", element("h3", f"No. {one.number:,}"), place, element("span", *facts, class_="facts")
    )


def _reasons(one: ShownSequence, slots: Mapping[str, str]) -> list[Html]:
    said: list[Html] = []
    if one.contradiction:
        said.append(_line("These rules cannot all hold here: ", _names(one.contradiction), "."))
    for change in one.changes[:MOST_REASONS]:
        sets = [_names(rules) for rules in change.because[:4]]
        because = (
            [" because of ", *_between(sets, ", or of ")]
            if sets
            else [", though an equally good answer leaves it as it was"]
        )
        said.append(_line(*_moves(one.tokens, change, slots), *because, "."))
    if len(one.changes) > MOST_REASONS:
        said.append(_line(f"And {len(one.changes) - MOST_REASONS} more changes."))
    for price in sorted((p for p in one.prices if p.active), key=lambda p: -p.price)[:3]:
        said.append(_line("Dropping ", _names([price.rule]), f" alone would regain {price.price:.2f}."))
    if one.still_broken:
        said.append(_line("Still broken: ", _names(one.still_broken), "."))
    return said


def _moves(tokens: Sequence[str], change: Change, slots: Mapping[str, str]) -> list[str]:
    """What became of each stretch of a change: its words, the label it had, the label it has."""
    pairs = list(zip(change.before, change.after, strict=True))
    moves = []
    start = change.start
    for (old, new), run in groupby(pairs):
        end = start + len(list(run))
        words = " ".join(tokens[start:end])
        told = element("bdi", words if len(words) <= 80 else words[:79] + "…", class_="mono")
        moves.append(joined(["“", told, "” ", label_chip(old, slots), " → ", label_chip(new, slots)]))
        start = end
    rest = [f", and {len(moves) - MOST_MOVES} more"] if len(moves) > MOST_MOVES else []
    return [*_between(moves[:MOST_MOVES], ", "), *rest]


def _names(rules: Sequence[str]) -> Html:
    return joined(_between([element("b", name) for name in rules], " and "))


def _between(parts: Sequence[Html], mark: str) -> list[str]:
    return [piece for place, part in enumerate(parts) for piece in ([mark] if place else []) + [part]]


def _line(*parts: str) -> Html:
    return element("li", *parts)


def _parts(one: ShownSequence) -> list[tuple[int, int]]:
    """The stretches that a card shows: all of a short sequence, else the surroundings of its changes."""
    length = len(one.tokens)
    if length <= SHORT:
        return [(0, length)]
    parts: list[list[int]] = []
    for t in one.changed or [0]:
        start, end = max(0, t - AROUND), min(length, t + AROUND + 1)
        if parts and start - parts[-1][1] < AROUND:
            parts[-1][1] = end
        else:
            parts.append([start, end])
    if not one.changed:
        parts = [[0, SHORT]]
    kept, room = [], LONGEST
    for start, end in parts:
        if room > 0:
            kept.append((start, min(end, start + room)))
            room -= end - start
    return kept


def _stretch(one: ShownSequence) -> tuple[int, int]:
    """What the probabilities are drawn of: as many tokens as fit, from shortly before the first change."""
    if len(one.tokens) <= MOST_TOKENS:
        return 0, len(one.tokens)
    middle = one.changed[0] if one.changed else 0
    first = max(0, min(middle - AROUND, len(one.tokens) - MOST_TOKENS))
    return first, first + MOST_TOKENS
