"""The table of rules: what each one means, costs, and did."""

from __future__ import annotations

from lawful.report.content import Report, RuleEffect
from lawful.report.drawing.markup import Html, element, joined
from lawful.rules.files.describing import describe
from lawful.rules.rule import Rule

__all__ = ["meaning", "price_pill", "rule_table"]

MOST_ROWS = 500
AT_ONCE = 25  # the others are folded away


def rule_table(report: Report) -> Html:
    """A row a rule, those that did the most first; rules that did nothing wait in a list of their own.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import forbid
    >>> table = rule_table(Report("x", "m", LabelSet(["A"]), [RuleEffect(forbid("A").named("no <A>"))]))
    >>> "no &lt;A&gt;" in table, "better" in table
    (True, False)
    """
    gold = report.after is not None
    heads = ["rule", "price", "broken before", "broken after", "sequences changed", "tokens changed"]
    heads += ["for better / worse", "broken by gold"] if gold else []
    heads.append("score given up")
    cells = [element("th", name, scope="col", role="columnheader") for name in heads]
    head = element("thead", element("tr", *cells, role="row"), role="rowgroup")
    active = [one for one in report.effects if not _idle(one)]
    active.sort(key=lambda one: (-one.tokens, -one.price, -one.broken_before))
    found: list[Html] = []
    if active:
        rows = [_row(one, heads, gold=gold) for one in active[:MOST_ROWS]]
        found.append(_table(head, rows[:AT_ONCE]))
        more = len(rows) - AT_ONCE
        if more > 0:
            told = f"{more:,} rule{'' if more == 1 else 's'} that did less"
            found.append(element("details", element("summary", told), _table(head, rows[AT_ONCE:])))
    idle = [one for one in report.effects if _idle(one)]
    if idle:
        told = f"{len(idle):,} rule{'' if len(idle) == 1 else 's'} that no labels broke"
        names = [
            element("li", element("b", one.rule.name), " ", element("span", meaning(one.rule), class_="soft"))
            for one in idle[:MOST_ROWS]
        ]
        listed = element("ul", *names, class_="reasons")
        found.append(element("details", element("summary", told), listed, open=not active))
    return joined(found)


def _table(head: Html, rows: list[Html]) -> Html:
    # On a phone rows are blocks; the roles keep them a table for screen readers.
    return element("table", head, element("tbody", *rows, role="rowgroup"), class_="effects", role="table")


def meaning(rule: Rule) -> str:
    """What a rule says, without its price.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> meaning(forbid("A").soft(2.0))
    'No token is labelled A.'
    """
    return describe(rule).rpartition("; ")[0] + "."


def _idle(one: RuleEffect) -> bool:
    return not (one.sequences or one.broken_before or one.broken_after or one.broken_gold)


def price_pill(price: float | str, per: str) -> Html:
    """What breaking a rule costs.

    Examples
    --------
    >>> price_pill(2.5, "violation")
    '<span class="pill">2.5 each</span>'
    """
    if isinstance(price, str):
        return element("span", price, class_="pill hard" if price == "hard" else "pill")
    return element("span", f"{price:.4g} {'each' if per == 'violation' else 'once'}", class_="pill")


def _row(one: RuleEffect, heads: list[str], *, gold: bool) -> Html:
    rule = one.rule
    name = joined(
        [
            element("div", rule.name, class_="rule-name"),
            element("div", meaning(rule), class_="english"),
        ]
    )
    cells: list[str | int] = [
        name, price_pill(rule.price, rule.per), f"{one.broken_before:,}", f"{one.broken_after:,}",
        f"{one.sequences:,}", f"{one.tokens:,}",
    ]  # fmt: skip
    if gold:
        cells += [_balance(one), f"{one.broken_gold:,}"]
    cells.append(f"{one.price:,.2f}" if one.price else "0")
    data = [
        element("td", cell, data_head=head, role="cell")
        for cell, head in zip(cells[1:], heads[1:], strict=True)
    ]
    return element("tr", element("th", cells[0], scope="row", role="rowheader"), *data, role="row")


def _balance(one: RuleEffect) -> Html:
    total = one.better + one.worse
    if not total:
        return Html("–") if not one.tokens else Html("0 / 0")
    parts = [
        element("i", class_=kind, style=f"width:{100 * count / total:.1f}%")
        for kind, count in (("better", one.better), ("worse", one.worse))
    ]
    told = element("div", f"{one.better:,} / {one.worse:,}")
    return joined([told, element("span", *parts, class_="balance", aria_hidden="true")])
