"""A colour for each label: the same in every report, distinct from the others, readable in light and dark mode."""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from lawful.report.drawing.markup import Html

__all__ = ["NEUTRAL", "SLOTS", "Shades", "assign_slots", "palette_css", "shades"]

HUES = 14
SLOTS = 2 * HUES  # a ring of vivid hues, and a ring of muted ones between them
NEUTRAL = "none"  # the slot of labels that mean "outside"
NOTHING = {"o", "other", "none", "null", "_", "out", "outside"}
PREFIXES = ("B", "I", "E", "S", "L", "U", "M", "W")


class Shades(NamedTuple):
    """The colours of a label as `#rrggbb`: background, text and mark."""

    back: str
    text: str
    mark: str


def assign_slots(labels: Iterable[str]) -> dict[str, str]:
    """The slot of each label, by a hash of its name; the next free one if that is taken.

    Labels of one type (`B-NP`, `I-NP`) share a colour.

    Examples
    --------
    >>> slots = assign_slots(["O", "B-NP", "I-NP", "B-VP"])
    >>> slots["O"], slots["B-NP"] == slots["I-NP"], slots["B-NP"] == slots["B-VP"]
    ('none', True, False)
    """
    names = list(labels)
    taken: dict[int, str] = {}
    slot_of: dict[str, str] = {}
    for kind in sorted({_kind(label) for label in names}):
        if kind.lower() in NOTHING:
            slot_of[kind] = NEUTRAL
            continue
        first = int.from_bytes(blake2b(kind.encode("utf-8", "replace"), digest_size=4).digest(), "big")
        # Steps of 5 through the hues: neighbours in the table do not become neighbours in colour.
        vivid = [(first + 5 * step) % HUES for step in range(HUES)]
        order = [*vivid, *(hue + HUES for hue in vivid)]
        slot = next((slot for slot in order if slot not in taken), order[0])
        taken[slot] = kind
        slot_of[kind] = str(slot)
    return {label: slot_of[_kind(label)] for label in names}


def shades(slot: str, *, dark: bool) -> Shades:
    """The colours of a slot, in light or dark mode.

    Examples
    --------
    >>> shades("none", dark=False)
    Shades(back='#e8eaed', text='#3f444b', mark='#7d838c')
    """
    if slot == NEUTRAL:
        return Shades("#33373d", "#d4d8de", "#8b929c") if dark else Shades("#e8eaed", "#3f444b", "#7d838c")
    ring, number = divmod(int(slot), HUES)
    hue = 360 * (number + 0.5 * ring) / HUES + 15
    vivid = 0.55 if ring else 1.0
    if dark:
        return Shades(
            _colour(0.36 - 0.05 * ring, 0.085 * vivid, hue),
            _colour(0.93, 0.045 * vivid, hue),
            _colour(0.74, 0.14 * vivid, hue),
        )
    return Shades(
        _colour(0.91 - 0.05 * ring, 0.065 * vivid, hue),
        _colour(0.34, 0.1 * vivid, hue),
        _colour(0.6 - 0.06 * ring, 0.16 * vivid, hue),
    )


def palette_css(slots: Iterable[str] | None = None) -> Html:
    """A style sheet with a class for each slot (`hue-3`), which sets `--back`, `--text` and `--mark`.

    Examples
    --------
    >>> palette_css(["none"]).splitlines()[0]
    '.hue-none{--back:#e8eaed;--text:#3f444b;--mark:#7d838c}'
    """
    names = list(slots) if slots is not None else [NEUTRAL, *map(str, range(SLOTS))]
    rows = {
        dark: "\n".join(
            f".hue-{slot}{{--back:{colours.back};--text:{colours.text};--mark:{colours.mark}}}"
            for slot in names
            for colours in [shades(slot, dark=dark)]
        )
        for dark in (False, True)
    }
    return Html(f"{rows[False]}\n@media (prefers-color-scheme: dark) {{\n{rows[True]}\n}}\n")


def _kind(label: str) -> str:
    """The type of a chunk tag; any other label unchanged."""
    head, mark, rest = label.partition("-")
    return rest if mark and rest and head in PREFIXES else label


def _colour(lightness: float, chroma: float, hue: float) -> str:
    """OKLCH as sRGB, with less chroma where sRGB cannot show as much."""
    while True:
        channels = _linear(lightness, chroma, hue)
        if chroma <= 0 or all(-1e-4 <= value <= 1.0001 for value in channels):
            return "#" + "".join(
                f"{round(255 * _gamma(min(1.0, max(0.0, value)))):02x}" for value in channels
            )
        chroma -= 0.005


def _linear(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
