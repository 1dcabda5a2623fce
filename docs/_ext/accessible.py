"""What the theme's pages lack for people who use a keyboard or a screen reader; axe-core finds it in `make test-browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

REPAIRS = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',  # code may be wider than a phone: a keyboard must be able to scroll it
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}


def repair(app: Sphinx, error: Exception | None) -> None:
    """Repair every page that was written."""
    if error is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = text = path.read_text(encoding="utf-8")
        for wrong, right in REPAIRS.items():
            page = page.replace(wrong, right)
        if page != text:
            path.write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
