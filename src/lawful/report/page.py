"""A report as one HTML file, which needs nothing else: no fonts, no scripts but its own, nothing from the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import chain

from lawful.evaluation import Comparison, Evaluation
from lawful.evaluation.comparison import told_p
from lawful.report.content import Report
from lawful.report.drawing.colours import assign_slots, palette_css
from lawful.report.drawing.machines import draw_rule, width_of
from lawful.report.drawing.markup import Child, Html, element, joined, pieces
from lawful.report.drawing.plots import MOST_ROWS, loss_histogram, score_plot
from lawful.report.drawing.strips import legend
from lawful.report.filters import content_policy, filter_form, filter_script
from lawful.report.rule_table import price_pill, rule_table, titles
from lawful.report.sequence_cards import sequence_card
from lawful.rules.rule import Rule

__all__ = ["render_report"]

MOST_DRAWN = 60  # automata in all,
AT_ONCE = 24  # and those that are not folded away
MOST_OPEN = 30  # sequences; of a longer report only headings are seen at first
MOST_PROBABILITIES = 200  # sequences whose probabilities are drawn: they are most of a page's size
CARD, DESK, PHONE = 512, 1075, 328  # width of a drawing in a card, in a wide card and on a phone, in pixels
SCALE = 0.9  # of all drawings
SMALLEST = 0.8  # a phone shrinks drawings to this share of their size, then scrolls them (report.css)


def render_report(report: Report) -> str:
    """The report as HTML.

    Examples
    --------
    >>> from lawful.models import HMM
    >>> from lawful.report import make_report
    >>> from lawful.rules import starts_with
    >>> from lawful.corpus import Sentence
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> page = render_report(make_report([Sentence(("a", "<i>"))], model, [starts_with("Y")]))
    >>> page.startswith("<!doctype html>"), "&lt;i&gt;" in page, "<i>" in page
    (True, True, False)
    """
    # There may be gold labels that the model does not know.
    gold = chain.from_iterable(sequence.gold or () for sequence in report.shown)
    slots = assign_slots(dict.fromkeys((*report.labels, *gold)))
    title = f"{report.source or 'Corpus'} under {_count(len(report.effects), 'rule')}"
    style = Html(_asset("base.css") + _asset("report.css") + palette_css(sorted(set(slots.values()))))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=content_policy()),
        element("meta", name="generator", content="lawful"),
        element("title", title),
        element("style", style),
    )
    sections: dict[str, tuple[str, Sequence[Child]]] = {
        "summary": ("Summary", _summary(report)),
        "scores": ("Scores", _plots(report)),
        "rules": ("What each rule changed", _rules(report)),
        "sequences": ("Before and after", _sequences(report, slots)),
        "automata": ("Automata", _machines(report)),
    }
    shown = {key: section for key, section in sections.items() if section[1]}
    links = [element("li", element("a", name, href=f"#{key}")) for key, (name, _) in shown.items()]
    page_head = element(
        "header",
        element("div", "lawful report", class_="mark"),
        element("h1", title),
        element("p", f"Labelled by {report.model}.", class_="soft") if report.model else None,
        class_="page-head",
    )
    body: list[Child] = []
    for key, (name, parts) in shown.items():
        heading = element("h2", name, id=f"{key}-head")
        body += pieces("section", heading, *parts, id=key, aria_labelledby=f"{key}-head")
    nav = element("nav", element("ul", *links), aria_label="Sections")
    footer = element("footer", "Made by lawful. This file needs no network.")
    whole = pieces("body", page_head, nav, *pieces("main", *body), footer)
    return joined([Html("<!doctype html>\n"), *pieces("html", head, *whole, lang="en"), Html("\n")])


def _summary(report: Report) -> list[Html]:
    share = 100 * report.changed_sequences / max(1, report.sequences)
    tiles = [
        _tile("sequences", f"{report.sequences:,}", f"{report.tokens:,} tokens"),
        _tile("changed by rules", f"{report.changed_sequences:,}", f"{share:.1f} % of sequences"),
        _tile("tokens changed", f"{report.changed_tokens:,}", _of_tokens(report)),
    ]
    if report.before and report.after:
        tiles += [
            _score("span F1", report.before.micro.f1, report.after.micro.f1, report.comparison),
            _score("token accuracy", report.before.token_accuracy, report.after.token_accuracy),
            _score("whole sequences right", report.before.sequence_accuracy, report.after.sequence_accuracy),
        ]
    tiles.append(_tile("score given up", f"{sum(report.losses):,.1f}", "in all"))
    if report.infeasible:
        tiles.append(
            _tile("contradictions", f"{report.infeasible:,}", "sequences that cannot obey all hard rules")
        )
    proved = report.sequences - report.unproved - report.infeasible
    tiles.append(_tile("proved best", f"{proved:,}", f"of {report.sequences:,} answers"))
    blocks: list[Html] = [element("dl", *tiles, class_="tiles")]
    if report.contradictions:
        lines = [
            element(
                "li",
                " and ".join(rules),
                element("span", f" cannot all hold in {_count(count, 'sequence')}."),
            )
            for rules, count in list(report.contradictions.items())[:10]
        ]
        blocks.append(element("div", element("h3", "Contradictions"), element("ul", *lines), class_="card"))
    return blocks


def _of_tokens(report: Report) -> str:
    return f"{100 * report.changed_tokens / max(1, report.tokens):.1f} % of tokens"


def _tile(name: str, value: str, aside: str | Html) -> Html:
    return element(
        "div",
        element("dt", name),
        element("dd", value),
        element("dd", aside, class_="aside"),
        class_="card tile",
    )


def _score(name: str, before: float, after: float, comparison: Comparison | None = None) -> Html:
    change = 100 * (after - before)
    kind = "up" if change > 0 else "down" if change < 0 else None
    aside = [f"{100 * before:.1f} before, ", element("span", f"{change:+.1f}", class_=kind)]
    if comparison is not None:
        low, high = (100 * end for end in comparison.interval)
        said = f"95 %: {low:+.1f} to {high:+.1f}; {told_p(comparison.p_randomization)}"
        test = f"bootstrap and approximate randomization over sequences, {comparison.rounds:,} rounds"
        aside += [element("br"), element("span", said, title=test)]
    return _tile(name, f"{100 * after:.1f}", joined(aside))


def _plots(report: Report) -> list[Html]:
    figures = []
    if report.before and report.after:
        scores = _f1(report.before, report.after)
        note = "by spans; ring: without rules, dot: with rules"
        note += f"; the {MOST_ROWS} of {len(scores):,} that changed most" if len(scores) > MOST_ROWS else ""
        figures.append(_figure("F1 of each label", note, score_plot(scores)))
    if report.losses:
        note = f"in each of the {_count(len(report.losses), 'sequence')} that the rules changed"
        figures.append(_figure("Score given up", note, loss_histogram(report.losses)))
    return [element("div", *figures, class_="plots")] if figures else []


def _f1(before: Evaluation, after: Evaluation) -> dict[str, tuple[float, float]]:
    names = sorted({*before.spans, *after.spans})
    if not names:  # there are no spans: score tokens instead
        return {name: (before.labels[name].f1, after.labels[name].f1) for name in after.labels}
    return {name: (_f1_of(before, name), _f1_of(after, name)) for name in names}


def _f1_of(evaluation: Evaluation, name: str) -> float:
    return evaluation.spans[name].f1 if name in evaluation.spans else 0.0


def _figure(name: str, note: str, drawn: Html) -> Html:
    caption = element("figcaption", name, element("small", note))
    return element("figure", caption, drawn, class_="card")


def _rules(report: Report) -> list[Html]:
    if not report.effects:
        return []
    note = (
        "Each rule is measured by decoding again without that one rule. Rules that require much the same can stand in "
        "for each other, so each of them may show little effect."
    )
    if report.judged < report.changed_sequences:
        note += f" Measured on the first {report.judged:,} sequences that rules changed."
    return [element("p", note, class_="note"), element("div", rule_table(report), class_="card")]


def _sequences(report: Report, slots: dict[str, str]) -> list[Child]:
    if not report.shown:
        return []
    note = "Changed tokens are framed."
    note += " Tokens with a wavy line differ from their gold label." if report.after else ""
    if len(report.shown) < report.sequences:
        note = f"The {len(report.shown):,} most interesting of {report.sequences:,} sequences. {note}"
    if len(report.shown) > MOST_PROBABILITIES:
        note += f" Probabilities are drawn for the first {MOST_PROBABILITIES:,}."
    names = [rule.name for rule in report.rules]
    cards = [
        sequence_card(
            sequence if rank < MOST_PROBABILITIES else replace(sequence, probabilities=None),
            report.labels,
            slots,
            rules=names,
            rank=rank,
            unfolded=len(report.shown) <= MOST_OPEN,
        )
        for rank, sequence in enumerate(report.shown)
    ]
    return [
        element("p", note, class_="note"),
        legend(slots),
        filter_form(report),
        *pieces("div", *cards, class_="sequences"),
        filter_script(),
    ]


def _machines(report: Report) -> list[Html]:
    cards = [_machine(rule, report) for rule in report.rules[:MOST_DRAWN]]
    if not cards:
        return []
    note = "What each rule counts: red arrows are violations; a double ring is a state in which a sequence may end."
    note += f" The first {MOST_DRAWN} are drawn." if len(report.effects) > MOST_DRAWN else ""
    blocks = [element("p", note, class_="note"), element("div", *cards[:AT_ONCE], class_="machines")]
    if len(cards) > AT_ONCE:
        more = element("summary", _count(len(cards) - AT_ONCE, "more rule"))
        blocks.append(element("details", more, element("div", *cards[AT_ONCE:], class_="machines")))
    return blocks


def _machine(rule: Rule, report: Report) -> Html:
    picture, note = draw_rule(rule, report.labels)
    title, more = titles(rule)
    parts = [element("h3", title), element("p", more, class_="note")]
    size = [price_pill(rule.price, rule.per), f" {note}"]
    drawn, kind = None, "card"
    if picture:
        width = SCALE * width_of(picture)
        kind += " wide" if width > CARD else ""
        region: dict[str, str | float] = {"class_": "scroll"}
        if width * SMALLEST > PHONE:
            page = " always" if width > DESK else ""
            size.append(element("span", "scroll sideways →", class_=f"sideways{page}", aria_hidden="true"))
            region = {
                "class_": "scroll long",
                "tabindex": 0,
                "role": "group",
                "aria_label": f"Automaton of {rule.name}",
            }
        style = f"--width:{width:.0f}px"
        drawn = element("div", picture, style=style, **region)
    return element("article", *parts, element("p", *size, class_="size"), drawn, class_=kind)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _asset(name: str) -> str:
    return (files("lawful.report") / "assets" / name).read_text(encoding="utf-8")
