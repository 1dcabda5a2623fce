"""The table of rules: what each one means, what it costs, and what it changed."""

from __future__ import annotations

from lawful.report.content import Report, RuleEffect
from lawful.report.drawing.markup import Html, element, joined
from lawful.rules.files.describing import describe
from lawful.rules.rule import Rule

__all__ = ["meaning", "price_pill", "rule_table", "titles"]

MOST_ROWS = 500
AT_ONCE = 25  # the others are folded away


def rule_table(report: Report) -> Html:
    """One row per rule, those that changed the most first; rules that no labels broke are in a list below.

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
    active = [effect for effect in report.effects if not _idle(effect)]
    active.sort(key=lambda effect: (-effect.tokens, -effect.price, -effect.broken_before))
    blocks: list[Html] = []
    if active:
        rows = [_row(effect, heads, gold=gold) for effect in active[:MOST_ROWS]]
        blocks.append(_table(head, rows[:AT_ONCE]))
        more = len(rows) - AT_ONCE
        if more > 0:
            title = f"{more:,} rule{'' if more == 1 else 's'} that changed less"
            blocks.append(element("details", element("summary", title), _table(head, rows[AT_ONCE:])))
    idle = [effect for effect in report.effects if _idle(effect)]
    if idle:
        title = f"{len(idle):,} rule{'' if len(idle) == 1 else 's'} that no labels broke"
        names = [
            element("li", element("b", title), " ", element("span", more, class_="soft"))
            for title, more in (titles(effect.rule) for effect in idle[:MOST_ROWS])
        ]
        listed = element("ul", *names, class_="reasons")
        blocks.append(element("details", element("summary", title), listed, open=not active))
    return joined(blocks)


def _table(head: Html, rows: list[Html]) -> Html:
    # On a phone rows are blocks; the roles keep them a table for screen readers.
    return element("table", head, element("tbody", *rows, role="rowgroup"), class_="effects", role="table")


def meaning(rule: Rule) -> str:
    """What a rule means, without its price.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> meaning(forbid("A").soft(2.0))
    'No token is labelled A.'
    """
    return describe(rule).rpartition("; ")[0] + "."


def titles(rule: Rule) -> tuple[str, str]:
    """The name of a rule and what else there is to say of it: a rule without a name of its own is called by its meaning.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> titles(forbid("A")), titles(forbid("A").named("no A"))
    (('No token is labelled A.', "forbid('A')"), ('no A', 'No token is labelled A.'))
    """
    return (rule.name, meaning(rule)) if rule.has_own_name else (meaning(rule), rule.name)


def _idle(effect: RuleEffect) -> bool:
    return not (effect.sequences or effect.broken_before or effect.broken_after or effect.broken_gold)


def price_pill(price: float | str, per: str) -> Html:
    """The price of a rule.

    Examples
    --------
    >>> price_pill(2.5, "violation")
    '<span class="pill">2.5 each</span>'
    """
    if isinstance(price, str):
        return element("span", price, class_="pill hard" if price == "hard" else "pill")
    return element("span", f"{price:.4g} {'each' if per == 'violation' else 'once'}", class_="pill")


def _row(effect: RuleEffect, heads: list[str], *, gold: bool) -> Html:
    rule = effect.rule
    title, more = titles(rule)
    name = joined([element("div", title, class_="rule-name"), element("div", more, class_="english")])
    cells: list[str | int] = [
        name, price_pill(rule.price, rule.per), f"{effect.broken_before:,}", f"{effect.broken_after:,}",
        f"{effect.sequences:,}", f"{effect.tokens:,}",
    ]  # fmt: skip
    if gold:
        cells += [_balance(effect), f"{effect.broken_gold:,}"]
    cells.append(f"{effect.price:,.2f}" if effect.price else "0")
    data = [
        element("td", cell, data_head=head, role="cell")
        for cell, head in zip(cells[1:], heads[1:], strict=True)
    ]
    return element("tr", element("th", cells[0], scope="row", role="rowheader"), *data, role="row")


def _balance(effect: RuleEffect) -> Html:
    total = effect.better + effect.worse
    if not total:
        return Html("–") if not effect.tokens else Html("0 / 0")
    bars = [
        element("i", class_=kind, style=f"width:{100 * count / total:.1f}%")
        for kind, count in (("better", effect.better), ("worse", effect.worse))
    ]
    counts = element("div", f"{effect.better:,} / {effect.worse:,}")
    return joined([counts, element("span", *bars, class_="balance", aria_hidden="true")])
