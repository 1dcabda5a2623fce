"""The playground with a corpus, two models and a rule file that may be saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lawful.tasks import generate_citations
from tests.browser.conftest import Served

SHOWN_GOLD = """wanted => JSON.stringify(wanted)
    === JSON.stringify([...document.querySelectorAll("#gold .token")].map(one => one.dataset.label))"""
TAB_LIMIT = 80  # stops of Tab on the page


@pytest.fixture
def opened(page: Page, served: Served) -> Page:
    page.goto(served.address)
    expect(page.locator("#gold .token").first).to_be_visible()
    return page


def edit(page: Page, text: str) -> None:
    page.click("#tab-file")
    page.fill("#file", text)


def test_examples_come_with_their_gold_labels(opened: Page) -> None:
    assert opened.locator("#examples option").count() == 31
    expect(opened.locator("#example-place")).to_contain_text("test.conll, line 1")
    expect(opened.locator("#example-back")).to_be_disabled()
    first = opened.input_value("#text")
    opened.click("#example-next")
    expect(opened.locator("#text")).not_to_have_value(first)
    expect(opened.locator("#facts")).to_contain_text("wrong")
    gold = opened.locator("#gold .token").count()
    assert gold == opened.locator("#after .token").count()
    opened.locator("#text").press("End")
    opened.keyboard.type(" and more")  # then it is another text, of which nobody knows the labels
    expect(opened.locator("#gold-part")).to_be_hidden()
    opened.click("#example-next")
    expect(opened.locator("#gold-part")).to_be_visible()


def test_wrong_tokens_are_those_that_differ_from_gold(opened: Page) -> None:
    opened.click("#all-off")
    expect(opened.locator("#after .token.changed")).to_have_count(0)
    for number in range(5):
        opened.select_option("#examples", str(number))
        expect(opened.locator("#example-place")).to_contain_text("line")
        gold = generate_citations(30, seed=7)[number].labels or ()  # what the fixture `files` writes
        # The strips of the last example stay until the answer for this one has come.
        opened.wait_for_function(SHOWN_GOLD, arg=list(gold))
        after = opened.locator("#after .token").evaluate_all("all => all.map(one => one.dataset.label)")
        wrong = opened.locator("#after .token.wrong").count()
        assert wrong == sum(one != other for one, other in zip(after, gold, strict=True))


def test_a_vote_says_what_each_model_wanted(opened: Page) -> None:
    card = opened.locator("#votes-card")
    expect(card).to_be_visible()
    assert opened.locator(".tagger").evaluate_all("all => all.map(one => one.dataset.tagger)") == [
        "first",
        "second",
    ]
    for number in range(30):
        if "won the vote" in opened.inner_text("#votes .headline"):
            break
        opened.select_option("#examples", str(number))
        opened.wait_for_timeout(300)
    expect(opened.locator("#votes .headline")).to_contain_text("disputed")
    expect(opened.locator(".tagger .token.was").first).to_be_visible()
    expect(opened.locator("#votes")).to_contain_text("it gives the winner")


def test_probabilities_are_shown_for_a_token(opened: Page) -> None:
    token = opened.locator("#after .token").nth(1)
    phone = opened.evaluate("matchMedia('(max-width: 60rem)').matches")
    if phone:
        token.tap()
    else:
        token.hover()
    details = opened.locator("#details")
    expect(details.locator(".chances tbody tr").first).to_contain_text("%")
    expect(details).to_contain_text("with rules")
    expect(details).to_contain_text("model alone")
    expect(details).to_contain_text("gold")
    box, view = details.bounding_box(), opened.viewport_size
    assert box is not None
    assert view is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= view["width"]
    assert box["y"] + box["height"] <= view["height"]
    opened.keyboard.press("Escape")
    expect(details).to_be_hidden()


def test_tokens_are_reached_by_keyboard(opened: Page) -> None:
    opened.locator("#after .token").first.focus()
    expect(opened.locator("#details")).to_contain_text("token 1")
    opened.keyboard.press("ArrowRight")
    expect(opened.locator("#details")).to_contain_text("token 2")
    opened.keyboard.press("End")
    last = opened.locator("#after .token").count()
    expect(opened.locator("#details")).to_contain_text(f"token {last}")
    assert opened.locator("#after .token[tabindex='0']").count() == 1
    opened.keyboard.press("Tab")
    expect(opened.locator("#before .token").first).to_be_focused()


def test_rules_can_be_searched(opened: Page) -> None:
    opened.fill("#search", "SEGMENT of date")
    expect(opened.locator("#rules .rule:visible")).to_have_count(1)
    expect(opened.locator("#rules .rule:visible")).to_contain_text("one date")
    expect(opened.locator("#found")).to_have_text("1 of 12")
    opened.fill("#search", "nothing like it")
    expect(opened.locator("#rules .rule:visible")).to_have_count(0)
    opened.fill("#search", "")
    expect(opened.locator("#rules .rule:visible")).to_have_count(12)


def test_edited_rules_are_saved_and_still_there_after_a_reload(opened: Page, served: Served) -> None:
    text = opened.input_value("#file")
    edit(opened, text + "# mine\n")
    expect(opened.locator("#saved")).to_have_text("not saved yet")
    opened.click("#save")
    expect(opened.locator("#saved")).to_have_text("saved to rules.toml")
    assert served.rules.read_text(encoding="utf-8") == text + "# mine\n"
    expect(opened.locator("#problems .fine")).to_be_visible()  # nothing is under way any more
    opened.reload()
    expect(opened.locator("#after .token").first).to_be_visible()
    assert opened.input_value("#file") == text + "# mine\n"
    opened.click("#tab-file")
    opened.fill("#file", text)
    opened.focus("#file")
    opened.keyboard.press("Control+s")
    expect(opened.locator("#saved")).to_have_text("saved to rules.toml")
    assert served.rules.read_text(encoding="utf-8") == text


def test_a_file_that_another_program_changed_is_not_overwritten(
    opened: Page, served: Served, allowed: list[str]
) -> None:
    # Refused as it should be; and on a slow machine the page is still checking the rules when it is loaded anew.
    allowed += ["409", "/check"]
    served.rules.write_text("# by hand\n", encoding="utf-8")
    edit(opened, opened.input_value("#file") + "# mine\n")
    opened.click("#save")
    expect(opened.locator("#saved")).to_contain_text("was changed by another program")
    assert served.rules.read_text(encoding="utf-8") == "# by hand\n"

    opened.on("dialog", lambda dialog: dialog.accept())
    opened.reload()  # as the message says
    expect(opened.locator("#after .token").first).to_be_visible()
    assert opened.input_value("#file") == "# by hand\n"
    expect(opened.locator("#rules .rule")).to_have_count(0)


def test_wrong_rules_cannot_be_saved(opened: Page, served: Served) -> None:
    before = served.rules.read_text(encoding="utf-8")
    edit(opened, opened.input_value("#file") + "[[rule")
    expect(opened.locator("#problems li").first).to_be_visible()
    expect(opened.locator("#save")).to_be_disabled()
    assert served.rules.read_text(encoding="utf-8") == before


def test_rules_can_be_downloaded(opened: Page, tmp_path: Path) -> None:
    text = opened.input_value("#file") + "# höher\n"
    edit(opened, text)
    with opened.expect_download() as found:
        opened.click("#download")
    found.value.save_as(tmp_path / "got.toml")
    assert found.value.suggested_filename == "rules.toml"
    assert (tmp_path / "got.toml").read_text(encoding="utf-8") == text


def test_prices_and_switches_are_written_into_the_file(opened: Page) -> None:
    before = opened.input_value("#file")
    punctuation = opened.locator('[data-rule="fields end at punctuation"]')
    slider = punctuation.get_by_role("slider")
    slider.focus()
    slider.press("End")
    opened.locator('[data-rule="one date"]').get_by_text("must hold").click()
    opened.locator('[data-rule="editors say so"]').get_by_role("switch").click()
    opened.locator('[data-rule="one title"]').get_by_text("must hold").click()
    opened.click("#write")
    expect(opened.locator("#tab-file")).to_have_attribute("aria-selected", "true")
    expect(opened.locator("#file")).not_to_have_value(before)
    after = opened.input_value("#file")
    assert 'test = "mark"\nprice = 10\nper = "violation"\n\n[[rule]]\nname = "starts' in after
    assert 'labels = "date"\n\n[[rule]]\nname = "one place' in after
    assert '# [[rule]]\n# name = "editors say so"' in after
    assert 'labels = "title"\nprice = 5\n' in after
    opened.click("#tab-list")
    expect(opened.locator("#rules .rule")).to_have_count(11)
    expect(opened.locator("#write")).to_be_hidden()


def test_the_file_is_coloured_and_its_colours_follow_the_text(opened: Page) -> None:
    opened.click("#tab-file")
    ink = opened.locator(".ink")
    assert ink.evaluate(
        "it => [...it.children].map(one => one.textContent).join('\\n')"
    ) == opened.input_value("#file")
    assert ink.locator(".head").count() == 13
    text = (
        '# a "remark"\n[tests]\nw = { matches = \'\\d#\' }  # so\nn = 3\nlong = """\n[no head]\n""" # end\n'
    )
    opened.fill("#file", text)
    expect(ink.locator("div")).to_have_count(8)
    assert ink.evaluate("it => [...it.children].map(one => one.textContent).join('\\n')") == text
    found = {
        kind: ink.locator(f".{kind}").all_text_contents()
        for kind in ("comment", "head", "string", "key", "value")
    }
    assert found == {
        "comment": ['# a "remark"', "# so", "# end"],
        "head": ["[tests]"],
        "string": ["'\\d#'", '"""', "[no head]", '"""'],
        "key": ["w", "matches", "n", "long"],
        "value": ["3"],
    }
    opened.fill("#file", "x = 1\n" * 120)
    opened.evaluate("document.getElementById('file').scrollTop = 500")
    line, top = opened.evaluate(
        "() => { const [ink, area] = [document.querySelector('.ink'), document.getElementById('file')];"
        "return [ink.children[50].getBoundingClientRect().top - ink.children[0].getBoundingClientRect().top,"
        " 50 * parseFloat(getComputedStyle(area).lineHeight)]; }"
    )
    assert line == pytest.approx(top, abs=0.5)  # the letters stay where the text area has them


def test_the_help_is_a_link_away(opened: Page) -> None:
    with opened.context.expect_page() as found:
        opened.get_by_role("link", name="Help").click()
    expect(found.value.locator("#kinds")).to_be_visible()
    expect(found.value.locator(".kinds")).to_contain_text("at_most_segments")
    wide = found.value.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


def test_everything_is_reached_by_tab_alone(opened: Page) -> None:
    """Text, examples, tokens, reasons, search, switches, prices, the rule file and saving: no pointer is needed."""
    seen: set[str] = set()
    opened.evaluate("document.activeElement.blur()")
    for _ in range(TAB_LIMIT):
        opened.keyboard.press("Tab")
        seen.add(
            opened.evaluate(
                "(() => { const it = document.activeElement; return it.id || it.closest('[id]')?.id || ''; })()"
            )
        )
    wanted = {"text", "examples", "example-next", "after", "before", "gold", "search", "all-off", "tab-list"}
    assert wanted <= seen
    opened.focus("#tab-list")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Tab")
    expect(opened.locator("#file")).to_be_focused()
    opened.keyboard.press("Control+End")
    opened.keyboard.type("# typed\n")
    opened.keyboard.press("Escape")
    for _ in range(3):
        opened.keyboard.press("Tab")
        if opened.evaluate("document.activeElement.id") == "save":
            break
    expect(opened.locator("#save")).to_be_focused()
    opened.keyboard.press("Enter")
    expect(opened.locator("#saved")).to_have_text("saved to rules.toml")
