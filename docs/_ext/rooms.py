"""The directive `room`: everything that modules of lawful export, from its docstrings.

What the front door has is documented under its short name, `lawful.decode`; the rest under the module that exports it.
So a new name appears in the reference by itself, and once. Names in single backquotes become links by the role `door`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

import lawful

__all__ = ["Door", "Room", "members", "setup"]


def members(module: str) -> list[tuple[str, str]]:
    """The (module, name) under which each export of a module is documented.

    Examples
    --------
    >>> members("lawful.labels")
    [('lawful', 'LabelSet')]
    """
    room = import_module(module)
    found = []
    for name in room.__all__:
        thing = getattr(room, name)
        if inspect.ismodule(thing):
            continue  # a room in a room; has an entry of its own
        at_the_door = name in lawful.__all__ and getattr(lawful, name) is thing
        found.append(("lawful" if at_the_door else module, name))
    return found


class Room(SphinxDirective):
    """`.. room:: lawful.rules lawful.rules.files`: a table of what they export, then each of them in full."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"except": str.split}  # noqa: RUF012  # rooms with a page of their own: what they export is told there

    def run(self) -> list[nodes.Node]:
        """The nodes of the table and of the entries."""
        modules = self.arguments[0].split()
        told = {entry for module in self.options.get("except", ()) for entry in members(module)}
        entries = [entry for module in modules for entry in members(module) if entry not in told]
        entries = list(dict.fromkeys(entries))
        lines = StringList(list(_written(entries)), source=f"room {' '.join(modules)}")
        holder = nodes.section()
        holder.document = self.state.document
        self.state.nested_parse(lines, self.content_offset, holder, match_titles=True)
        return holder.children


class Door(SphinxRole):
    """A name of the front door becomes a link to it; anything else is code."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The nodes of one piece of code."""
        shown = nodes.literal(self.text, self.text, classes=["py"])
        name = self.text.removeprefix("lawful.").removesuffix("()")
        if name not in lawful.__all__ or inspect.ismodule(getattr(lawful, name)):
            return [shown], []
        link = pending_xref(
            "", shown, refdomain="py", reftype="obj", reftarget=f"lawful.{name}", refwarn=True
        )
        link["refdoc"] = self.env.docname
        return [link], []


def _written(entries: list[tuple[str, str]]) -> Iterator[str]:
    things = {entry: getattr(import_module(entry[0]), entry[1]) for entry in entries}
    yield from (".. autosummary::", "   :nosignatures:", "")
    yield from (f"   ~{module}.{name}" for (module, name), thing in things.items() if callable(thing))
    yield ""
    for (module, name), thing in things.items():
        yield f".. {_directive(thing)}:: {module}.{name}"
        if inspect.isclass(thing) and (elsewhere := _documented_elsewhere(thing)):
            yield f"   :inherited-members: {', '.join(elsewhere)}"
        if not callable(thing):  # autodoc would show the docstring of dict
            held = (
                ", ".join(f"``{key}``" for key in thing) if isinstance(thing, dict | tuple) else repr(thing)
            )
            yield from ("", f"   {held}")
        yield ""


def _documented_elsewhere(kind: type) -> list[str]:
    """The bases whose members need not be told again, if the class also has private ones, whose members must be."""
    bases = kind.__mro__[1:]
    private = [base for base in bases if base.__module__.startswith("lawful.") and not _is_exported(base)]
    return [base.__name__ for base in bases if base not in private] if private else []


def _is_exported(kind: type) -> bool:
    room = import_module(".".join(kind.__module__.split(".")[:2]))
    return kind.__name__ in room.__all__


def _directive(thing: Any) -> str:
    if inspect.isclass(thing):
        return "autoexception" if issubclass(thing, Exception) else "autoclass"
    return "autofunction" if callable(thing) else "py:data"


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directive and the role."""
    app.add_directive("room", Room)
    app.add_role("door", Door())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
