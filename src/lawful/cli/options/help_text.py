"""Help without typer's ornaments: `GOLD` where it would write `{GOLD}` and `GOLD <str>`. Imported only where typer is."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

__all__ = ["PlainHelp"]

_TYPE = re.compile(r" <[^>]*>$")


class PlainHelp(TyperCommand):
    """A command whose help names its arguments as people write them.

    Examples
    --------
    >>> PlainHelp.undecorated("{FILE...}..."), PlainHelp.undecorated("[FILE]")
    ('FILE...', '[FILE]')
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        for each in self.params:
            if each.param_type_name == "argument":
                vars(each)["get_help_record"] = _without_type(each.get_help_record)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands behind the command in the line of its usage."""
        return [self.undecorated(piece) for piece in super().collect_usage_pieces(ctx)]

    @staticmethod
    def undecorated(piece: str) -> str:
        """A part of the usage without braces."""
        name, brace, dots = piece.removeprefix("{").partition("}")
        return name if brace and name.endswith("...") else name + dots


def _without_type(get_help_record: Any) -> Any:
    def record(ctx: Any) -> tuple[str, str] | None:
        found = get_help_record(ctx)
        return found and (_TYPE.sub("", found[0]), found[1])

    return record
