"""Photographs the pages that the docs show: `make screenshots` writes docs/screenshots/*.png anew.

Everything in them comes from data that lawful makes itself, so that anybody can take them again. They are not compared by a
test: letters look different on each machine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from lawful.corpus import Sentence
from lawful.playground import Workbench
from lawful.playground.examples import corpus_examples
from lawful.playground.http.serving import Playground
from lawful.playground.limits import Limits
from lawful.playground.starter import starter_model, starter_rules
from lawful.report import make_report, render_report
from lawful.rules.files import parse_rule_file
from lawful.tasks import generate_citations

FOLDER = Path(__file__).parent / "screenshots"
DESK = {"width": 1240, "height": 860}


def references() -> list[Sentence]:
    """Generated references that neither model nor rules have seen."""
    return generate_citations(60, seed=5)


def make_workbench() -> Workbench:
    """The playground of `lawful serve test.conll`."""
    model, text = starter_model(), starter_rules()
    examples = corpus_examples(references(), Limits())
    return Workbench(
        model,
        text,
        parse_rule_file(text, "rules", labels=model.labels),
        examples=examples,
        model="model.lawful",
    )


def photograph_playground(page: Page) -> None:
    """The first example in which the rules corrected something."""
    server = Playground(make_workbench)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        page.goto(server.address)
        for number in range(60):
            page.select_option("#examples", str(number))
            page.wait_for_timeout(700)
            if "no token wrong," in page.inner_text("#facts") and page.locator("#why .changes").count():
                break
        page.screenshot(path=FOLDER / "playground.png")
    finally:
        server.stop()
        thread.join(20)


def photograph_report(page: Page) -> None:
    """A report from its top, and one of its sequences."""
    model = starter_model()
    rules = parse_rule_file(starter_rules(), labels=model.labels).rules
    report = make_report(references(), model, rules, limit=8, source="test.conll", model="model.lawful")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(render_report(report), encoding="utf-8")
        page.goto(file.as_uri())
        page.screenshot(path=FOLDER / "report.png")


def main() -> None:
    """Take all photographs."""
    FOLDER.mkdir(exist_ok=True)
    path = os.environ.get("LAWFUL_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        launch = partial(playwright.chromium.launch, executable_path=path)
        browser: Browser = launch(args=["--no-sandbox"] if os.geteuid() == 0 else [])
        for photograph in (photograph_playground, photograph_report):
            photograph(browser.new_page(viewport=DESK, color_scheme="light"))


if __name__ == "__main__":
    main()
