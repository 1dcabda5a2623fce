"""What changed and why. (The next issue builds this room.)"""

from __future__ import annotations

__all__: list[str] = []
