"""What a reader may choose among the sequences of a report: which of them, by which rule, in which order."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from lawful.report.content import Report, ShownSequence
from lawful.report.drawing.markup import Html, element

__all__ = ["card_facts", "content_policy", "filter_form", "filter_script"]


@cache
def _script() -> str:
    return (files("lawful.report") / "assets" / "sequences.js").read_text(encoding="utf-8")


def content_policy() -> str:
    """What a browser may do with a report: it runs this one script and no other, whatever stands in a corpus or in a rule.

    Examples
    --------
    >>> content_policy().count("sha256-")
    1
    """
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def filter_script() -> Html:
    """The script that filters and sorts.

    Examples
    --------
    >>> filter_script().count("</script>")
    1
    """
    return Html(f"<script>{_script()}</script>")


def filter_form(report: Report) -> Html:
    """The choices; without the script it stays hidden.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> form = filter_form(Report("x", "m", LabelSet(["A"]), []))
    >>> form.startswith('<form class="filters" hidden'), "for the worse" in form
    (True, False)
    """
    kinds = {"all": "all"}
    if report.after is not None:
        kinds |= {"worse": "those changed for the worse", "better": "those changed for the better"}
    if report.infeasible or report.unproved:
        kinds["unproved"] = "contradictions and answers that are not proved"
    deciding = {name for sequence in report.shown for name in rules_of(sequence)}
    rules = {"": "any rule"}
    rules |= {str(n): rule.name for n, rule in enumerate(report.rules) if rule.name in deciding}
    orders = {
        "interest": "most interesting first",
        "loss": "most score given up first",
        "changed": "most tokens changed first",
        "corpus": "as in the corpus",
    }
    chosen = [
        _select("Show", "kind", kinds),
        _select("Rule", "rule", rules),
        _select("Order", "order", orders),
    ]
    buttons = [
        element("button", f"{verb} all", type="button", name=verb.lower()) for verb in ("Open", "Close")
    ]
    return element("form", *chosen, *buttons, element("output"), class_="filters", hidden=True)


def _select(title: str, name: str, choices: dict[str, str]) -> Html:
    options = [element("option", text, value=value) for value, text in choices.items()]
    return element("label", title, " ", element("select", *options, name=name))


def rules_of(sequence: ShownSequence) -> list[str]:
    """The names of the rules that decided something in a sequence, or were broken in it.

    Examples
    --------
    >>> rules_of(ShownSequence(1, "", ("a",), ("X",), ("Y",), None, 0.5, "optimal", broken=("one Y",)))
    ['one Y']
    """
    names = [*sequence.broken, *sequence.still_broken, *sequence.contradiction]
    names += [name for change in sequence.changes for rules in change.because for name in rules]
    return list(dict.fromkeys(names))


def card_facts(sequence: ShownSequence, rank: int, rules: Sequence[str]) -> dict[str, str | float]:
    """What the script goes by, as attributes of a card: how interesting it is, what the rules did, and which of them.

    Examples
    --------
    >>> sequence = ShownSequence(7, "", ("a",), ("X",), ("Y",), ("Y",), 0.5, "optimal", broken=("one Y",))
    >>> card_facts(sequence, 0, ["no X", "one Y"])
    {'data_rank': 0, 'data_number': 7, 'data_loss': 0.5, 'data_changed': 1, 'data_better': 1, 'data_worse': 0, 'data_status': 'optimal', 'data_rules': '1'}
    """
    better, worse = sequence.judged
    numbers = {name: number for number, name in enumerate(rules)}
    return {
        "data_rank": rank,
        "data_number": sequence.number,
        "data_loss": sequence.loss,
        "data_changed": len(sequence.changed),
        "data_better": better,
        "data_worse": worse,
        "data_status": sequence.status,
        "data_rules": " ".join(str(numbers[name]) for name in rules_of(sequence) if name in numbers),
    }
