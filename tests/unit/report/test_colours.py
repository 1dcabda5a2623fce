"""Colours: stable, apart, readable."""

from __future__ import annotations

import pytest

from lawful.report.drawing.colours import NEUTRAL, SLOTS, assign_slots, palette_css, shades


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("slot", [NEUTRAL, *map(str, range(SLOTS))])
def test_text_is_readable_on_every_colour(slot: str, dark: bool) -> None:
    back, text, mark = shades(slot, dark=dark)
    assert contrast(back, text) >= 7  # WCAG AAA
    assert contrast(mark, "#1a1e23" if dark else "#ffffff") >= 3  # WCAG, for what is not text


def test_labels_of_a_set_have_different_colours_while_there_are_any() -> None:
    labels = [f"label {number}" for number in range(SLOTS)]
    assert len(set(assign_slots(labels).values())) == SLOTS
    assert len(assign_slots([*labels, "one more"])) == SLOTS + 1


def test_the_order_of_labels_does_not_matter() -> None:
    labels = ["author", "title", "date", "journal"]
    assert assign_slots(labels) == assign_slots(labels[::-1])
    assert assign_slots(["author"])["author"] == "5"  # and does not change from version to version


def test_the_palette_has_every_slot_by_day_and_by_night() -> None:
    css = palette_css()
    assert all(css.count(f".hue-{slot}{{") == 2 for slot in [NEUTRAL, *range(SLOTS)])
