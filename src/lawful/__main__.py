"""`python -m lawful`: the command line."""

from __future__ import annotations

from lawful.cli.main import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
