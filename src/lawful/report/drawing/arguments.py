"""Arguments drawn over the words of a sentence, below its tree: before the rules, after them, and gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lawful.corpus.trees import Tree
from lawful.report.drawing.markup import Html, element, joined
from lawful.report.sentence_view import SentenceView
from lawful.schemes import Span

__all__ = ["MOST_WORDS", "draw_arguments"]

MOST_WORDS = 80  # longer sentences are not drawn
LETTER, GAP, LINE = 7.0, 14.0, 22.0  # width of a letter, space between words, height of a row
LEVEL = 30.0  # height of a level of the tree
LEFT = 58.0  # for the names of the rows
LONGEST = 18  # letters of a word


def draw_arguments(
    view: SentenceView, labellings: Mapping[str, Sequence[str]], slots: Mapping[str, str]
) -> Html:
    """The words of a sentence, its tree above them, and below them a row of arguments for each labelling.

    Phrases that are candidates are framed, the verb is underlined; arguments inside each other take a line each.

    Parameters
    ----------
    view : SentenceView
        Of at most `MOST_WORDS` words.
    labellings : mapping of name to labels
        Such as "before" and "after".
    slots : mapping of label to slot

    Examples
    --------
    >>> view = SentenceView(("He", "left"), ((0, 1), (1, 2)), verb=1)
    >>> drawn = draw_arguments(view, {"before": ["O", "O"], "after": ["A0", "O"]}, {"A0": "3", "O": "none"})
    >>> drawn.count("<rect"), ">A0</text>" in drawn
    (1, True)
    """
    texts = [word if len(word) <= LONGEST else word[: LONGEST - 1] + "…" for word in view.words]
    edges = [LEFT]
    for text in texts:
        edges.append(edges[-1] + LETTER * max(len(text), 3) + GAP)
    body: list[str] = []
    top = 8.0
    if view.tree is not None:
        drawn, top = _tree(view.tree, set(view.candidates), edges, top)
        body.append(drawn)
    top += 16
    for position, text in enumerate(texts):
        kind = "verb" if position == view.verb else None
        middle = (edges[position] + edges[position + 1]) / 2
        body.append(element("text", text, x=round(middle, 1), y=top, text_anchor="middle", class_=kind))
    top += 10
    for name, labels in labellings.items():
        drawn, top = _row(name, view.arguments(labels), edges, top, slots)
        body.append(drawn)
    width, height = round(edges[-1] + 8), round(top + 6)
    return element(
        "svg", *body, class_="arguments", role="img", width=width, height=height,
        viewBox=f"0 0 {width} {height}", aria_label=_spoken(view, labellings),
    )  # fmt: skip


def _row(
    name: str, arguments: Iterable[Span], edges: Sequence[float], top: float, slots: Mapping[str, str]
) -> tuple[Html, float]:
    """A row of bars: outer arguments first, what is inside them on lines below."""
    parts: list[str] = [element("text", name, x=LEFT - 10, y=top + 15, text_anchor="end", class_="soft")]
    lines: list[float] = []  # where each line is free from
    for span in sorted(arguments, key=lambda span: (span.start, -span.end)):
        start, end = edges[span.start] + 3, edges[span.end] - 3
        line = next((index for index, free in enumerate(lines) if free <= start), len(lines))
        lines[line : line + 1] = [end]
        y = top + line * LINE
        bar = element(
            "rect", x=round(start, 1), y=round(y + 1, 1), width=round(end - start, 1), height=LINE - 4, rx=4
        )
        text = element(
            "text", span.type, x=round((start + end) / 2, 1), y=round(y + 14, 1), text_anchor="middle"
        )
        parts.append(element("g", bar, text, class_=f"bar hue-{slots[span.type]}"))
    return joined(parts), top + LINE * max(1, len(lines)) + 4


def _tree(
    tree: Tree, candidates: set[tuple[int, int]], edges: Sequence[float], top: float
) -> tuple[Html, float]:
    """The phrases from the root down to the parts of speech, which stand in one row right above the words."""
    height = [0] * len(tree.nodes)
    for index in reversed(range(len(tree.nodes))):  # children have higher numbers
        node = tree.nodes[index]
        height[index] = 1 + max((height[child] for child in node.children), default=-1)
    places = []
    for index, node in enumerate(tree.nodes):
        y = top + LEVEL * (height[0] - height[index])
        places.append(((edges[node.start] + edges[node.end]) / 2, y))
    parts: list[str] = []
    for index, node in enumerate(tree.nodes):
        x, y = places[index]
        for child in node.children:
            below_x, below_y = places[child]
            line = {"x1": x, "y1": y + 13, "x2": below_x, "y2": below_y - 1}
            parts.append(element("line", **{key: round(value, 1) for key, value in line.items()}))
    seen: set[tuple[int, int]] = set()
    for index, node in enumerate(tree.nodes):
        x, y = places[index]
        span = (node.start, node.end)
        if span in candidates and span not in seen:
            seen.add(span)  # of phrases over the same words the outermost
            wide = LETTER * len(node.label) + 10
            parts.append(
                element(
                    "rect", x=round(x - wide / 2, 1), y=round(y - 2, 1), width=round(wide, 1), height=17, rx=4
                )
            )
        kind = None if node.children else "soft"
        parts.append(
            element("text", node.label, x=round(x, 1), y=round(y + 11, 1), text_anchor="middle", class_=kind)
        )
    return element("g", *parts, class_="tree"), top + LEVEL * height[0] + 14


def _spoken(view: SentenceView, labellings: Mapping[str, Sequence[str]]) -> str:
    """The same in words, for those who cannot see the drawing."""
    said = []
    for name, labels in labellings.items():
        found = view.arguments(labels)
        arguments = "; ".join(f"{span.type} {' '.join(view.words[span.start : span.end])}" for span in found)
        said.append(f"{name}: {arguments or 'no arguments'}")
    return ". ".join(said)
