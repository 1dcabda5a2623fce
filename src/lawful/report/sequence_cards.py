"""One sequence in a report: before, after, gold, reasons, probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from lawful.explanation import Change
from lawful.labels import LabelSet
from lawful.report.content import ShownSequence
from lawful.report.drawing.arguments import MOST_WORDS, draw_arguments
from lawful.report.drawing.heat_map import MOST_TOKENS, heat_map
from lawful.report.drawing.markup import Html, element, joined
from lawful.report.drawing.strips import label_chip, strip
from lawful.report.filters import card_facts
from lawful.report.sentence_view import SentenceView
from lawful.report.votes import vote_block

__all__ = ["sequence_card"]

SHORT = 80  # tokens; of longer sequences only the tokens around changes are shown:
AROUND = 12  # this many on each side,
LONGEST = 120  # and at most this many in all
MOST_REASONS = 12
MOST_MOVES = 6


def sequence_card(
    sequence: ShownSequence,
    labels: LabelSet,
    slots: Mapping[str, str],
    *,
    rules: Sequence[str] = (),
    rank: int = 0,
    unfolded: bool = True,
) -> Html:
    """Everything that a report says about one sequence.

    Parameters
    ----------
    sequence : ShownSequence
    labels : LabelSet
    slots : mapping of label to slot
    rules : sequence of str
        The names of all rules, by which a reader may choose.
    rank : int
        The place of the sequence in the order of interest.
    unfolded : bool
        Whether more than its heading is seen at first.

    Examples
    --------
    >>> sequence = ShownSequence(1, "", ("</script>",), ("X",), ("Y",), None, 0.5, "optimal")
    >>> card = sequence_card(sequence, LabelSet(["X", "Y"]), {"X": "1", "Y": "2"})
    >>> "</script>" in card, "gave up 0.50" in card
    (False, True)
    """
    tokens, before, after, gold = sequence.tokens, sequence.before, sequence.after, sequence.gold
    changed, windows = set(sequence.changed), _windows(sequence)
    rows: list[str] = []
    strips = [("before", before, "was"), ("after", after, "changed")] if changed else [("labels", after, "")]
    for side, answer, kind in strips:
        rows.append(element("div", side, class_="side"))
        drawn = strip(tokens, answer, slots, changed=changed, kind=kind, gold=gold, windows=windows)
        rows.append(element("div", drawn, class_="strip"))
    if gold is not None and tuple(gold) != tuple(after):
        drawn = strip(tokens, gold, slots, windows=windows)
        rows += [element("div", "gold", class_="side"), element("div", drawn, class_="strip")]
    blocks = [element("div", *rows, class_="pair")]
    shown = sum(end - start for start, end in windows)
    if shown < len(tokens):
        note = f"{shown:,} of {len(tokens):,} tokens are shown{', those around changes' if changed else ''}."
        blocks.append(element("p", note, class_="note"))
    if sequence.view is not None and len(sequence.view.words) <= MOST_WORDS:
        blocks.append(_over_words(sequence, sequence.view, slots))
    if sequence.vote is not None:
        blocks.append(vote_block(sequence.vote, tokens, slots, windows))
    reasons = _reasons(sequence, slots)
    if reasons:
        blocks.append(element("ul", *reasons, class_="reasons"))
    if sequence.probabilities is not None:
        first, last = _drawn_window(sequence)
        cut = slice(first, last)
        drawn = heat_map(
            tokens[cut],
            list(labels),
            sequence.probabilities[cut],
            slots,
            before=before[cut],
            after=after[cut],
        )
        note = "Probability of each label by the model alone. Outlined: the answer; dashed: the answer without rules."
        note += f" Tokens {first + 1:,} to {last:,} of {len(tokens):,}." if last - first < len(tokens) else ""
        inside = [element("summary", "Probabilities"), element("p", note, class_="note")]
        region = {"role": "group", "aria_label": f"Probabilities of no. {sequence.number:,}"}
        blocks.append(
            element("details", *inside, element("div", drawn, class_="scroll long", tabindex=0, **region))
        )
    return element(
        "article",
        element("details", _head(sequence), *blocks, open=unfolded),
        class_="card sequence",
        aria_label=f"Sequence no. {sequence.number:,}",
        **card_facts(sequence, rank, rules),
    )


def _over_words(sequence: ShownSequence, view: SentenceView, slots: Mapping[str, str]) -> Html:
    """The arguments over the words of the sentence, and its tree."""
    labellings = {"before": sequence.before, "after": sequence.after}
    if not sequence.changed:
        labellings = {"labels": sequence.after}
    if sequence.gold is not None:
        labellings["gold"] = sequence.gold
    drawn = draw_arguments(view, labellings, slots)
    region = {"role": "group", "aria_label": f"Arguments of no. {sequence.number:,}"}
    return element("div", drawn, class_="scroll long", tabindex=0, **region)


def _head(sequence: ShownSequence) -> Html:
    facts = []
    if sequence.status == "infeasible":
        facts.append(element("span", "rules contradict each other", class_="pill bad"))
    elif sequence.status == "bounded":
        facts.append(element("span", "may not be optimal: time ran out", class_="pill hard"))
    better, worse = sequence.judged
    facts += [element("span", f"{better} better", class_="pill good")] if better else []
    facts += [element("span", f"{worse} worse", class_="pill bad")] if worse else []
    count = len(sequence.changed)
    facts.append(element("span", f"{count} token{'' if count == 1 else 's'} changed", class_="pill"))
    if sequence.loss:
        facts.append(element("span", f"gave up {sequence.loss:.2f}", class_="pill"))
    location = element("small", sequence.location) if sequence.location else None
    return element(
        "summary",
        element("h3", f"No. {sequence.number:,}"),
        location,
        element("span", *facts, class_="facts"),
    )


def _reasons(sequence: ShownSequence, slots: Mapping[str, str]) -> list[Html]:
    lines: list[Html] = []
    if sequence.contradiction:
        lines.append(_line("These rules cannot all hold here: ", _names(sequence.contradiction), "."))
    for change in sequence.changes[:MOST_REASONS]:
        causes = [_names(rules) for rules in change.because[:4]]
        because = (
            [" because of ", *_between(causes, ", or of ")]
            if causes
            else [", but an equally good answer leaves it unchanged"]
        )
        lines.append(_line(*_moves(sequence.tokens, change, slots), *because, "."))
    if len(sequence.changes) > MOST_REASONS:
        lines.append(_line(f"And {len(sequence.changes) - MOST_REASONS} more changes."))
    for price in sorted((p for p in sequence.prices if p.active), key=lambda p: -p.price)[:3]:
        lines.append(_line("Dropping ", _names([price.rule]), f" alone would regain {price.price:.2f}."))
    if sequence.still_broken:
        lines.append(_line("Still broken: ", _names(sequence.still_broken), "."))
    return lines


def _moves(tokens: Sequence[str], change: Change, slots: Mapping[str, str]) -> list[str]:
    """Each run of a change: its words, the label before and the label after."""
    pairs = list(zip(change.before, change.after, strict=True))
    moves = []
    start = change.start
    for (old, new), run in groupby(pairs):
        end = start + len(list(run))
        words = " ".join(tokens[start:end])
        quoted = element("bdi", words if len(words) <= 80 else words[:79] + "…", class_="mono")
        moves.append(joined(["“", quoted, "” ", label_chip(old, slots), " → ", label_chip(new, slots)]))
        start = end
    rest = [f", and {len(moves) - MOST_MOVES} more"] if len(moves) > MOST_MOVES else []
    return [*_between(moves[:MOST_MOVES], ", "), *rest]


def _names(rules: Sequence[str]) -> Html:
    return joined(_between([element("b", name) for name in rules], " and "))


def _between(parts: Sequence[Html], mark: str) -> list[str]:
    return [piece for index, part in enumerate(parts) for piece in ([mark] if index else []) + [part]]


def _line(*parts: str) -> Html:
    return element("li", *parts)


def _windows(sequence: ShownSequence) -> list[tuple[int, int]]:
    """The tokens that a card shows, as (start, end): all of a short sequence, else those around its changes."""
    length = len(sequence.tokens)
    if length <= SHORT:
        return [(0, length)]
    windows: list[list[int]] = []
    for t in sequence.changed or [0]:
        start, end = max(0, t - AROUND), min(length, t + AROUND + 1)
        if windows and start - windows[-1][1] < AROUND:
            windows[-1][1] = end
        else:
            windows.append([start, end])
    if not sequence.changed:
        windows = [[0, SHORT]]
    kept, room = [], LONGEST
    for start, end in windows:
        if room > 0:
            kept.append((start, min(end, start + room)))
            room -= end - start
    return kept


def _drawn_window(sequence: ShownSequence) -> tuple[int, int]:
    """The tokens whose probabilities are drawn: as many as fit, from shortly before the first change."""
    if len(sequence.tokens) <= MOST_TOKENS:
        return 0, len(sequence.tokens)
    middle = sequence.changed[0] if sequence.changed else 0
    first = max(0, min(middle - AROUND, len(sequence.tokens) - MOST_TOKENS))
    return first, first + MOST_TOKENS
