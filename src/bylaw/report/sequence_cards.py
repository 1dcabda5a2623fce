"""A sequence of a report: before, after, gold, reasons, probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bylaw.labels import LabelSet
from bylaw.report.content import ShownSequence
from bylaw.report.heat_map import heat_map
from bylaw.report.markup import Html, element, joined
from bylaw.report.strips import strip

__all__ = ["sequence_card"]

LONGEST = 400  # tokens; of longer sequences the stretch around the first change is shown
MOST_REASONS = 12


def sequence_card(one: ShownSequence, labels: LabelSet, slots: Mapping[str, str]) -> Html:
    """All that a report says of one sequence.

    Examples
    --------
    >>> one = ShownSequence(1, "", ("</script>",), ("X",), ("Y",), None, 0.5, "optimal")
    >>> card = sequence_card(one, LabelSet(["X", "Y"]), {"X": "1", "Y": "2"})
    >>> "</script>" in card, "gave up 0.50" in card
    (False, True)
    """
    first, last = _stretch(one)
    cut = slice(first, last)
    changed = [t - first for t in one.changed if first <= t < last]
    tokens, before, after = one.tokens[cut], one.before[cut], one.after[cut]
    gold = None if one.gold is None else one.gold[cut]
    rows: list[str] = []
    strips = [("before", before, "was"), ("after", after, "changed")] if changed else [("labels", after, "")]
    for side, answer, kind in strips:
        rows.append(element("div", side, class_="side"))
        drawn = strip(tokens, answer, slots, changed=changed, kind=kind, gold=gold)
        rows.append(element("div", drawn, class_="strip"))
    if gold is not None and tuple(gold) != tuple(after):
        rows += [
            element("div", "gold", class_="side"),
            element("div", strip(tokens, gold, slots), class_="strip"),
        ]
    parts = [_head(one), element("div", *rows, class_="pair")]
    if last - first < len(one.tokens):
        told = f"Tokens {first + 1:,} to {last:,} of {len(one.tokens):,} are shown."
        parts.append(element("p", told, class_="note"))
    reasons = _reasons(one)
    if reasons:
        parts.append(element("ul", *reasons, class_="reasons"))
    if one.probabilities is not None:
        drawn = heat_map(tokens, list(labels), one.probabilities[cut], slots, before=before, after=after)
        told = (
            "Probability of each label by the model alone. Outlined: the answer; dashed: what it was before."
        )
        inside = [element("summary", "Probabilities"), element("p", told, class_="note")]
        parts.append(element("details", *inside, element("div", drawn, class_="scroll", tabindex=0)))
    return element("article", *parts, class_="card sequence")


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


def _reasons(one: ShownSequence) -> list[Html]:
    said: list[Html] = []
    if one.contradiction:
        said.append(_line("These rules cannot all hold here: ", _names(one.contradiction), "."))
    for change in one.changes[:MOST_REASONS]:
        words = " ".join(one.tokens[change.start : change.end])
        old, new = (" / ".join(dict.fromkeys(side)) for side in (change.before, change.after))
        sets = [_names(rules) for rules in change.because[:4]]
        because = (
            ["because of ", *_between(sets, ", or of ")]
            if sets
            else ["an equally good answer leaves it as it was"]
        )
        told = element("bdi", words if len(words) <= 80 else words[:79] + "…", class_="mono")
        said.append(_line("“", told, f"” {old} → {new}, ", *because, "."))
    if len(one.changes) > MOST_REASONS:
        said.append(_line(f"And {len(one.changes) - MOST_REASONS} more changes."))
    for price in sorted((p for p in one.prices if p.active), key=lambda p: -p.price)[:3]:
        said.append(_line("Dropping ", _names([price.rule]), f" alone would regain {price.price:.2f}."))
    if one.still_broken:
        said.append(_line("Still broken: ", _names(one.still_broken), "."))
    return said


def _names(rules: Sequence[str]) -> Html:
    return joined(_between([element("b", name) for name in rules], " and "))


def _between(parts: Sequence[Html], mark: str) -> list[str]:
    return [piece for place, part in enumerate(parts) for piece in ([mark] if place else []) + [part]]


def _line(*parts: str) -> Html:
    return element("li", *parts)


def _stretch(one: ShownSequence) -> tuple[int, int]:
    if len(one.tokens) <= LONGEST:
        return 0, len(one.tokens)
    middle = one.changed[0] if one.changed else 0
    first = max(0, min(middle - LONGEST // 4, len(one.tokens) - LONGEST))
    return first, first + LONGEST
