"""axe-core finds nothing serious on the playground, a report or a page of the docs, by day and by night."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import lawful
from lawful.corpus import read_corpus
from lawful.report import make_report, render_report
from tests.browser.conftest import Served

DOCS = Path(__file__).parents[2] / "build" / "docs"


def findings(page: Page) -> list[str]:
    """What axe-core calls serious or critical, with the first place of each."""
    # No preload: it would fetch style sheets, which a page from the disk may not.
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0].get('failureSummary', '')[:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_the_playground(page: Page, served: Served) -> None:
    page.goto(served.address)
    expect(page.locator("#votes .headline")).to_be_visible()
    assert findings(page) == []
    page.locator("#after .token").first.focus()
    expect(page.locator("#details .chances")).to_be_visible()
    assert findings(page) == []
    page.click("#tab-file")
    page.fill("#file", page.input_value("#file") + "[[rule")
    expect(page.locator("#problems li").first).to_be_visible()
    assert findings(page) == []


def test_a_contradiction(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#after .token").first).to_be_visible()
    page.click("#tab-file")
    rules = '[[rule]]\nname = "no names"\nkind = "forbid"\nlabels = "author"\n'
    rules += '[[rule]]\nname = "a name first"\nkind = "starts_with"\nlabels = "author"\n'
    page.fill("#file", rules)
    expect(page.locator("#contradiction")).to_contain_text("no names")
    expect(page.locator("#contradiction")).to_contain_text("a name first")
    assert findings(page) == []


def test_the_help(page: Page, address: str) -> None:
    page.goto(f"{address}help")
    expect(page.locator("#kinds")).to_be_visible()
    assert findings(page) == []


def test_a_report_of_a_vote(page: Page, files: Path, tmp_path: Path) -> None:
    models = [lawful.load_model(files / f"{name}.lawful") for name in ("first", "second")]
    ensemble = lawful.Ensemble(models, names=["first", "second"])
    rules = lawful.read_rules(files / "rules.toml")
    report = make_report(read_corpus(str(files / "test.conll")), ensemble, rules, limit=5)
    (tmp_path / "report.html").write_text(render_report(report), encoding="utf-8")
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.locator(".votes").first).to_be_attached()
    assert findings(page) == []


@pytest.mark.parametrize("name", ["index", "tutorial", "rule-files"])
def test_the_docs(page: Page, name: str) -> None:
    file = DOCS / f"{name}.html"
    assert file.exists(), "`make docs` builds the site, and `make test-browser` calls it"
    page.goto(file.as_uri())
    expect(page.locator("h1").first).to_be_visible()
    assert findings(page) == []
