"""The directive `commands`: what `lawful COMMAND --help` prints, for every command."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lawful.cli.main import COMMANDS, run

__all__ = ["Commands", "help_text", "setup"]


def help_text(*arguments: str) -> str:
    """What the command line prints, at the width of a page."""
    os.environ["COLUMNS"] = "96"
    with redirect_stdout(io.StringIO()) as printed:
        run([*arguments, "--help"])
    return printed.getvalue()


class Commands(SphinxDirective):
    """`.. commands::` makes a section a command."""

    def run(self) -> list[nodes.Node]:
        """The overview, then the sections."""
        found: list[nodes.Node] = [_block(help_text())]
        for name, command in COMMANDS.items():
            section = nodes.section(ids=[f"lawful-{name}"], names=[f"lawful {name}"])
            section += nodes.title(text=f"lawful {name}")
            section += nodes.paragraph(text=command.summary)
            section += _block(help_text(name))
            self.state.document.note_explicit_target(section)
            found.append(section)
        return found


def _block(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="text")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directive."""
    app.add_directive("commands", Commands)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
