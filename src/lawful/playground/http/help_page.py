"""The help of the playground: how to use the page, and every kind of rule, from the vocabulary of rule files."""

from __future__ import annotations

from importlib.resources import files

from lawful.report.drawing.markup import Html, element, joined
from lawful.rules.files.entry import Kind
from lawful.rules.files.rule_tables import KINDS

__all__ = ["help_page"]


def help_page() -> str:
    """The page as HTML.

    Examples
    --------
    >>> "at_most_segments" in help_page()
    True
    """
    template = (files("lawful.playground") / "static" / "help.html").read_text(encoding="utf-8")
    heads = [element("th", name, scope="col") for name in ("kind", "means", "keys")]
    rows = [_row(kind) for kind in KINDS]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    return template.replace("<!-- kinds -->", table)


def _row(kind: Kind) -> Html:
    keys = [
        element(
            "li", element("code", key.name), f": {key.about}", None if key.needed else " (may be left out)"
        )
        for key in kind.keys
    ]
    name = element("th", element("code", kind.name), scope="row")
    return element("tr", name, element("td", kind.about), element("td", element("ul", joined(keys))))
