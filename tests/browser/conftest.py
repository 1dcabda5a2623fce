"""A real browser, and a playground for it. Screenshots of every test go to build/screenshots."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from lawful.playground.serving import Playground
from lawful.playground.starter import starter_workbench

expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong

SCREENSHOTS = Path(os.environ.get("LAWFUL_SCREENSHOTS", Path(__file__).parents[2] / "build" / "screenshots"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("LAWFUL_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("no Chromium: install it, or set LAWFUL_CHROMIUM to its path")
    # As root, as in a container, Chromium runs without its sandbox or not at all.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=arguments)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    server = Playground(starter_workbench)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.address
    server.stop()
    thread.join(20)


@pytest.fixture(params=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page by day on a desk and one by night on a phone; whatever it logs as an error fails the test."""
    phone = request.param == "phone"
    context = browser.new_context(
        viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 900},
        color_scheme="dark" if phone else "light",
        has_touch=phone,
    )
    found = context.new_page()
    found.set_default_timeout(20_000)
    wrong: list[str] = []
    found.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("requestfailed", lambda failed: wrong.append(failed.url))
    yield found
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    found.screenshot(path=SCREENSHOTS / f"{re.sub('[^a-z]+', '-', request.node.name)}.png", full_page=True)
    wide = found.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    context.close()
    assert wide[0] <= wide[1], "the page scrolls sideways"
    assert wrong == []
