"""A real browser, and a playground for it. Screenshots of every test go to build/screenshots."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from lawful.cli.commands.serve import read_served
from lawful.cli.options.corpus import CorpusOptions
from lawful.corpus import write_corpus
from lawful.models import HMM
from lawful.playground.http.saving import RuleTarget
from lawful.playground.http.serving import Playground
from lawful.playground.limits import Limits
from lawful.playground.starter import starter_rules, starter_workbench
from lawful.tasks import generate_citations

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


@contextmanager
def serving(server: Playground) -> Iterator[str]:
    """The address of a server that runs in a thread."""
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server.address
    finally:
        server.stop()
        thread.join(20)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving(Playground(starter_workbench)) as found:
        yield found


@dataclass(frozen=True)
class Served:
    """A playground as `lawful serve test.conll -m first.lawful -m second.lawful --rules rules.toml --save` opens it."""

    address: str
    rules: Path


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of references, rules and labelled references."""
    folder = tmp_path_factory.mktemp("served")
    for name, count in (("first", 80), ("second", 25)):
        sentences = generate_citations(count, seed=1)
        model = HMM().fit([one.tokens for one in sentences], [one.labels or () for one in sentences])
        model.save(folder / f"{name}.lawful")
    write_corpus(generate_citations(30, seed=7), str(folder / "test.conll"))
    (folder / "rules.toml").write_text(starter_rules(), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def ensemble_server(files: Path) -> Iterator[Served]:
    rules = files / "rules.toml"
    models = [str(files / f"{name}.lawful") for name in ("first", "second")]
    make_workbench = read_served(
        models, None, str(rules), None, Limits(), corpus=str(files / "test.conll"), options=CorpusOptions()
    )
    with serving(Playground(make_workbench, target=RuleTarget(str(rules)))) as address:
        yield Served(address, rules)


@pytest.fixture
def served(ensemble_server: Served) -> Served:
    """With the rule file as it was."""
    ensemble_server.rules.write_text(starter_rules(), encoding="utf-8")
    return ensemble_server


@pytest.fixture
def allowed() -> list[str]:
    """What the page may log as an error: a test that expects some adds a part of each."""
    return []


@pytest.fixture(params=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, allowed: list[str]) -> Iterator[Page]:
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
    assert [said for said in wrong if not any(part in said for part in allowed)] == []
