"""The command line: one module per command.

`main.py` lists the commands, answers what needs none of them, and loads the module of the one that is asked for;
`boundary.py` is the only place where an error becomes a message and an exit code. `options/` holds the options that
commands share, `work/` what commands do with files and models, `commands/` the commands, `demo/` the guided tour.
"""

from __future__ import annotations

__all__: list[str] = []
