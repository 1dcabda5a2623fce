"""A report, opened from the disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lawful.playground.starter import starter_model
from lawful.report import make_report, render_report
from lawful.tasks import generate_citations
from lawful.tasks.citations.rules import citation_rules


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    report = make_report(
        generate_citations(60, seed=5), starter_model(), citation_rules(price=3.0), limit=8,
        source="citations.conll", model="a small HMM",
    )  # fmt: skip
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_report(report), encoding="utf-8")
    return path


def test_it_shows_strips_scores_rules_and_automata(page: Page, file: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]  # nothing else is fetched
    expect(page.locator("h1")).to_have_text("citations.conll under 24 rules")
    assert page.locator(".sequence").count() == 8
    expect(page.locator(".sequence .token.changed").first).to_be_visible()
    expect(page.locator("#rules")).to_contain_text("Punctuation")
    expect(page.locator(".plot").first).to_be_visible()
    expect(page.locator(".machine").first).to_be_visible()


def test_probabilities_open_and_show_every_label(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    first = page.locator(".sequence").first
    first.get_by_text("Probabilities", exact=True).focus()
    page.keyboard.press("Enter")
    expect(first.locator(".heat")).to_be_visible()
    assert (
        first.locator(".heat .cells rect").count()
        >= first.locator(".pair > .strip").first.locator(".token").count()
    )


def test_plots_fit_and_drawings_have_one_scale(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    for plot in page.locator(".plot").all():
        assert plot.evaluate(
            "it => it.getBoundingClientRect().right <= it.closest('.card').getBoundingClientRect().right"
        )
        assert plot.evaluate("it => it.scrollWidth <= it.clientWidth + 1")
    scales = page.locator(".machine").evaluate_all(
        "all => all.map(it => it.getBoundingClientRect().width / it.viewBox.baseVal.width)"
    )
    phone = page.viewport_size is not None and page.viewport_size["width"] < 500
    assert min(scales) > (0.7 if phone else 0.89)
    assert max(scales) < 0.91
    cut = page.locator(".machines .scroll").evaluate_all(
        "all => all.filter(it => it.scrollWidth > it.clientWidth + 1 && !it.closest('.card').querySelector('.sideways')).length"
    )
    assert cut == 0  # whatever scrolls says so


def test_colours_are_those_of_day_and_night(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert back == ("rgb(18, 21, 24)" if dark else "rgb(247, 247, 245)")


def _numbers(page: Page) -> list[int]:
    cards = page.locator(".sequence:not([hidden])")
    return [int(number) for number in cards.evaluate_all("all => all.map(it => it.dataset.number)")]


def test_sequences_can_be_chosen_and_sorted(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    everything = _numbers(page)
    page.locator("select[name=order]").select_option("corpus")
    assert _numbers(page) == sorted(everything) != everything
    page.locator("select[name=order]").select_option("loss")
    losses = page.locator(".sequence").evaluate_all("all => all.map(it => Number(it.dataset.loss))")
    assert losses == sorted(losses, reverse=True)
    page.locator("select[name=kind]").select_option("worse")
    worse = page.locator(".sequence:not([hidden]) .pill.bad")
    assert worse.count() == len(_numbers(page)) < 8
    page.locator("select[name=kind]").select_option("all")
    page.locator("select[name=rule]").select_option(index=1)
    chosen = _numbers(page)
    assert 0 < len(chosen) <= 8
    expect(page.locator(".filters output")).to_have_text(f"{len(chosen)} of 8 are shown.")
    page.locator("select[name=rule]").select_option("")
    page.locator("select[name=order]").select_option("interest")
    assert _numbers(page) == everything


def test_sequences_fold(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    strips = page.locator(".sequence .strip")
    expect(strips.first).to_be_visible()
    page.get_by_role("button", name="Close all").click()
    expect(strips.first).to_be_hidden()
    page.get_by_role("button", name="Open all").click()
    expect(strips.first).to_be_visible()


def test_only_what_is_seen_of_ten_thousand_sequences_is_laid_out(page: Page, tmp_path: Path) -> None:
    report = make_report(
        generate_citations(400, seed=5), starter_model(), citation_rules(price=3.0), limit=400
    )
    report.shown = [
        replace(report.shown[number % 400], number=number + 1, probabilities=None) for number in range(10_000)
    ]
    path = tmp_path / "large.html"
    path.write_text(render_report(report), encoding="utf-8")
    page.goto(path.as_uri(), timeout=120_000)
    cards = page.locator(".sequence")
    assert cards.count() == 10_000
    seen = "it => it.firstElementChild.checkVisibility({contentVisibilityAuto: true})"
    assert not cards.nth(5000).evaluate(seen)  # the browser lays out only what is on the screen
    page.locator("select[name=order]").select_option("corpus")
    assert cards.first.get_attribute("data-number") == "1"
    cards.nth(5000).scroll_into_view_if_needed()
    expect(cards.nth(5000).locator("h3")).to_have_text("No. 5,001")
    assert cards.nth(5000).evaluate(seen)
    page.goto("about:blank")  # a picture of all of it would lay out all of it
