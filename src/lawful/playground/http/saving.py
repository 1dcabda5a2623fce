"""Edited rules, saved to the one file that was named when the server was started."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from lawful.errors import FileError
from lawful.playground.replies import Refusal
from lawful.support.files import written_aside

__all__ = ["RuleTarget", "fingerprint"]


def fingerprint(text: str) -> str:
    """What a page says of the text that it believes to be in the file.

    Examples
    --------
    >>> fingerprint("")[:8]
    'e3b0c442'
    """
    return sha256(text.encode()).hexdigest()


class RuleTarget:
    """The rule file that may be written; no request can name another one.

    Parameters
    ----------
    path : path of the rule file
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def read(self) -> str | None:
        """What is in the file now; None if it cannot be read."""
        try:
            return self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def save(self, text: str, was: str) -> dict[str, Any]:
        """Write the file, all at once. It must still be what the page took it for (`was`, a fingerprint)."""
        now = self.read()
        if now is None or fingerprint(now) != was:
            message = (
                f"{self.path.name} was changed by another program: reload the page, or download your rules"
            )
            raise Refusal(409, "conflict", message)
        try:
            with written_aside(self.path) as file:
                file.write(text.encode())
        except (FileError, OSError) as error:
            raise Refusal(500, "file", f"{self.path.name} cannot be written: {_reason(error)}") from None
        return {"saved": self.path.name, "fingerprint": fingerprint(text)}


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
