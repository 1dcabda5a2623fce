"""HTML from Python: text that is not marked as HTML is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from unicodedata import category

__all__ = ["Child", "Html", "element", "escaped", "joined", "pieces", "visible"]

VOID = {"meta", "br", "hr", "rect", "circle", "line", "path"}
# Unicode categories: control, format (such as direction marks), lone surrogates, line and paragraph separators.
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class Html(str):
    """Text that is HTML already: made by `element` and `joined`, or shipped with the package."""

    __slots__ = ()


Child = str | int | None


def visible(text: str) -> str:
    r"""Text in which every character is visible: characters that control a terminal or a browser are named instead.

    Examples
    --------
    >>> visible("a\x07b\u202ec")
    'a␇b[U+202E]c'
    """
    if text.isprintable():
        return text
    return "".join(_seen(letter) for letter in text)


def _seen(letter: str) -> str:
    if letter == " " or category(letter) not in HIDDEN:
        return letter
    number = ord(letter)
    return chr(0x2400 + number) if number < 32 else f"[U+{number:04X}]"


@lru_cache(maxsize=1 << 12)  # the same labels, tokens and attributes come again and again
def escaped(text: str) -> str:
    """Text as it stands in HTML, in an attribute too: for what is drawn so often that `element` would take too long.

    Examples
    --------
    >>> escaped('1 < "2"')
    '1 &lt; &quot;2&quot;'
    """
    return escape(visible(text))


@lru_cache(maxsize=1 << 8)
def _spelled(attribute: str) -> str:
    return attribute.rstrip("_").replace("_", "-")


def element(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Html:
    """An element. Children that are not `Html` are escaped; `class_` is `class`, and `aria_label` is `aria-label`.

    Attributes that are None or False are left out; True gives an attribute without a value.

    Examples
    --------
    >>> element("p", "1 < 2", element("b", "&"), class_="sum")
    '<p class="sum">1 &lt; 2<b>&amp;</b></p>'
    >>> element("td", '"', title='say "hi"')
    '<td title="say &quot;hi&quot;">&quot;</td>'
    """
    opening = _opening(name, attributes) if attributes else name
    if not children:
        return Html(f"<{opening}/>" if name in VOID else f"<{opening}></{name}>")
    return Html(f"<{opening}>{_inside(children)}</{name}>")


def pieces(name: str, /, *children: Child, **attributes: str | float | bool | None) -> list[Child]:
    """The same in pieces, for `joined`: large children of a page should be copied once, and not by every element around them.

    Examples
    --------
    >>> pieces("p", "<", element("br"), class_="sum")
    ['<p class="sum">', '<', '<br/>', '</p>']
    """
    return [Html(f"<{_opening(name, attributes)}>"), *children, Html(f"</{name}>")]


def _opening(name: str, attributes: Mapping[str, str | float | bool | None]) -> str:
    opening = name
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        if value is True:
            opening += f" {_spelled(key)}"
        else:
            opening += f' {_spelled(key)}="{escaped(value if type(value) is str else str(value))}"'
    return opening


def joined(children: Iterable[Child]) -> Html:
    """Children in a row.

    Examples
    --------
    >>> joined(["<", element("i", "x"), None, 2])
    '&lt;<i>x</i>2'
    """
    return Html(_inside(children))


def _inside(children: Iterable[Child]) -> str:
    """The same, unmarked: most children go straight into an element."""
    return "".join(
        [child if type(child) is Html else escaped(str(child)) for child in children if child is not None]
    )
