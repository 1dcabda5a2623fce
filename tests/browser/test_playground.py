"""The playground as somebody uses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

AFTER, BEFORE = "#after .token", "#before .token"
FRAMED = "#after .token.changed"


@pytest.fixture
def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(FRAMED).first).to_be_visible()
    return page


def labels(page: Page, where: str = "#after") -> list[str]:
    return page.locator(f"{where} .token").evaluate_all("all => all.map(one => one.dataset.label)")


def rule(page: Page, name: str) -> str:
    return f'[data-rule="{name}"]'


def test_it_starts_with_an_example_and_its_reasons(opened: Page) -> None:
    expect(opened.locator("#facts")).to_contain_text("proved best")
    expect(opened.locator("#why .changes li").first).to_contain_text("because of")
    assert labels(opened) != labels(opened, "#before")
    assert opened.locator("#rules .rule").count() == 12


def test_labels_follow_what_is_typed(opened: Page) -> None:
    opened.fill("#text", "Lee, A. (1999). On rules.")
    expect(opened.locator(AFTER)).to_have_count(11)
    opened.locator("#text").press("End")
    opened.keyboard.type(" MIT Press.")
    expect(opened.locator(AFTER)).to_have_count(14)
    opened.fill("#text", "")
    expect(opened.locator(AFTER)).to_have_count(0)
    expect(opened.locator("#why")).to_contain_text("Type a text")


def test_an_example_can_be_picked(opened: Page) -> None:
    opened.select_option("#examples", label="Tromble & Eisner 2006")
    expect(opened.locator("#after")).to_contain_text("finite-state")
    assert "Tromble" in opened.input_value("#text")


def test_labels_change_when_a_rule_is_switched(opened: Page) -> None:
    before = labels(opened)
    opened.locator(rule(opened, "one title")).get_by_role("switch").click()
    expect(opened.locator(f"{rule(opened, 'one title')} .badge")).to_have_text("off")
    opened.click("#all-off")
    expect(opened.locator(FRAMED)).to_have_count(0)
    assert labels(opened) == labels(opened, "#before")
    opened.click("#all-on")
    expect(opened.locator(FRAMED).first).to_be_visible()
    assert labels(opened) == before


def test_a_price_changes_the_answer(opened: Page) -> None:
    opened.click("#all-off")
    expect(opened.locator(FRAMED)).to_have_count(0)
    punctuation = opened.locator(rule(opened, "fields end at punctuation"))
    punctuation.get_by_role("switch").click()
    expect(opened.locator(FRAMED).first).to_be_visible()
    slider = punctuation.get_by_role("slider")
    slider.focus()
    slider.press("Home")  # a price of 0 buys everything
    expect(punctuation.locator("output")).to_have_text("0.0 each")
    expect(opened.locator(FRAMED)).to_have_count(0)
    expect(punctuation.locator(".badge")).to_contain_text("broken")
    punctuation.get_by_text("must hold").click()
    expect(opened.locator(FRAMED).first).to_be_visible()
    opened.click("#reset")
    expect(punctuation.locator("output")).to_have_text("3.0 each")


def test_an_error_shows_where_the_rule_file_is_wrong(opened: Page) -> None:
    opened.click("#tab-file")
    text = opened.input_value("#file")
    opened.fill("#file", text.replace('labels = "title"', 'labels = "titel"'))
    expect(opened.locator("#problems li")).to_have_count(1)
    expect(opened.locator("#problems li")).to_contain_text("did you mean 'title'?")
    line = text[: text.index('labels = "title"')].count("\n") + 1
    expect(opened.locator(".marks .line")).to_have_attribute("data-line", str(line))
    expect(opened.locator(".gutter .wrong")).to_have_text(str(line))
    opened.get_by_role("button", name=f"line {line}").click()
    place = opened.evaluate("document.getElementById('file').selectionStart")
    assert text.count("\n", 0, place) + 1 == line
    box = opened.locator(".marks .line").bounding_box()
    editor = opened.locator(".editor").bounding_box()
    assert box is not None
    assert editor is not None
    assert editor["y"] <= box["y"] <= editor["y"] + editor["height"], "the marked line is in sight"
    opened.click("#tab-list")
    expect(opened.locator("#stale")).to_be_visible()
    opened.click("#tab-file")
    opened.fill("#file", text)
    expect(opened.locator("#problems .fine")).to_be_visible()
    expect(opened.locator(".marks .line")).to_have_count(0)


def test_edited_rules_are_obeyed(opened: Page) -> None:
    opened.click("#tab-file")
    opened.fill("#file", '[[rule]]\nname = "all notes"\nkind = "allow_only"\nlabels = "note"\n')
    expect(opened.locator("#after .segment")).to_have_count(1)
    assert set(labels(opened)) == {"note"}
    opened.click("#tab-list")
    assert opened.locator("#rules .rule").count() == 1
    opened.click("#tab-file")
    opened.click("#restore")
    opened.click("#tab-list")
    expect(opened.locator("#rules .rule")).to_have_count(12)


def test_a_contradiction_names_its_rules_and_can_be_solved(opened: Page) -> None:
    opened.click("#tab-file")
    more = '\n[[rule]]\nname = "ends so"\nkind = "ends_with"\nlabels = "date"\n'
    more += '[[rule]]\nname = "no dates"\nkind = "forbid"\nlabels = "date"\n'
    opened.fill("#file", opened.input_value("#file") + more)
    panel = opened.locator("#contradiction")
    expect(panel).to_contain_text("ends so")
    expect(panel).to_contain_text("no dates")
    panel.get_by_role("button", name="no dates").click()
    expect(panel).to_be_hidden()
    expect(opened.locator("#facts")).to_contain_text("proved best")
    expect(opened.locator("#why")).not_to_contain_text("Only an answer that is proved best")
    expect(opened.locator("#why")).to_contain_text("because of")


def test_automata_are_drawn(opened: Page) -> None:
    row = opened.locator(rule(opened, "one title"))
    row.get_by_role("button", name="automaton").click()
    expect(row.locator("svg.machine ellipse").first).to_be_visible()
    row.get_by_role("button", name="automaton").click()
    expect(row.locator(".drawing")).to_be_hidden()


def test_hostile_text_and_rule_names_stay_text(opened: Page) -> None:
    bad = "<img src=x onerror=alert(1)>"
    opened.fill("#text", f"{bad} </script>\u202e ok")
    expect(opened.locator("#after")).to_contain_text("onerror")
    opened.click("#tab-file")
    opened.fill("#file", f'[[rule]]\nname = "{bad}"\nkind = "forbid"\nlabels = "author"\n')
    opened.click("#tab-list")
    expect(opened.locator("#rules .name")).to_have_count(1)
    expect(opened.locator("#rules .name")).to_have_text(bad)
    assert opened.locator("img").count() == 0


def test_all_of_it_works_by_keyboard(opened: Page) -> None:
    opened.focus("#tab-list")
    opened.keyboard.press("ArrowRight")
    expect(opened.locator("#file")).to_be_visible()
    opened.keyboard.press("ArrowLeft")
    expect(opened.locator("#rules")).to_be_visible()
    switch = opened.locator(rule(opened, "one title")).get_by_role("switch")
    switch.focus()
    opened.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    opened.click("#tab-file")
    opened.focus("#file")
    opened.keyboard.press("Tab")  # indents
    expect(opened.locator("#file")).to_be_focused()
    opened.keyboard.press("Escape")
    opened.keyboard.press("Tab")
    expect(opened.locator("#file")).not_to_be_focused()
