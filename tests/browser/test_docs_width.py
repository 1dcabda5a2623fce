"""No page of the docs is wider than its window, and on a desk no block of code than its column."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

DOCS = Path(__file__).parents[2] / "build" / "docs"

WIDE_BLOCKS = """blocks => blocks.filter(block => block.scrollWidth > block.clientWidth + 1)
    .map(block => block.textContent.split("\\n").reduce((longest, line) => line.length > longest.length ? line : longest))"""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_docs_fit_their_window(browser: Browser, width: int) -> None:
    files = sorted(DOCS.rglob("*.html"))
    assert DOCS / "ilp.html" in files, "`make docs` builds the site, and `make test-browser` calls it"
    page = browser.new_page(viewport={"width": width, "height": 900})
    found = []
    for file in files:
        page.goto(file.as_uri(), wait_until="domcontentloaded")
        name = str(file.relative_to(DOCS))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} scrolls sideways")
        if width == 1280:  # on a phone, what a program printed keeps its columns, and scrolls
            found += [f"{name}: {line}" for line in page.locator("pre").evaluate_all(WIDE_BLOCKS)]
    page.close()
    assert found == []
