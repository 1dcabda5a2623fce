"""How much memory this process uses, and a limit to it, where the operating system has one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["limit_memory", "used_memory"]


def used_memory() -> int:
    """The bytes that this process has asked for as data; 0 where that cannot be known (only Linux tells).

    Examples
    --------
    >>> used_memory() >= 0
    True
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def limit_memory(more: int) -> None:
    """Let this process ask for so many bytes more than it uses now; beyond that, asking fails.

    Linux counts data, which is what a budget means. Other Unix systems count the address space, as far as they limit it at all
    (macOS does not); Windows has no such limit.
    """
    try:
        import resource
    except ImportError:
        return
    used = used_memory()
    kind = resource.RLIMIT_DATA if used else resource.RLIMIT_AS
    with contextlib.suppress(ValueError, OSError):  # more than the limit that this process was started with
        resource.setrlimit(kind, (used + more, used + more))
    with contextlib.suppress(
        ValueError, OSError
    ):  # a process that is ended leaves no file of its memory behind
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
