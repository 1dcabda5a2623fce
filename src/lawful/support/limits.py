"""What a call may use, and what is left of it: states, seconds, bytes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal

from lawful import _core
from lawful.errors import LimitError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a call may use before it gives up its proof.

    A call that searches more than once starts the clock (`started`) and says what it has visited (`after`), so that
    each further search has what is left.

    Attributes
    ----------
    max_states : int or None
        States visited in all.
    timeout : float or None
        Seconds.
    max_memory : int or None
        Bytes that the call holds at once: rows, products, queues, graphs and programs, besides the lattice and the
        compiled rules. None: half of the memory that is free.
    on_limit : "raise" or "bounded"
        Raise `LimitError`, or give the best answer so far with its bound.
    since : float or None
        When the clock of `timeout` was started, by `time.perf_counter`; None: it starts with the search.
    spent : int
        States that the call visited before.

    Examples
    --------
    >>> limits = Limits(max_states=100, timeout=60.0).started().after(30)
    >>> limits.states_left, 50 < limits.seconds_left < 60
    (70, True)
    """

    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None
    on_limit: Literal["raise", "bounded"] = "raise"
    since: float | None = None
    spent: int = 0

    def started(self, at: float | None = None) -> Limits:
        """With the clock running since then, or since now; a clock that runs already runs on."""
        if self.since is not None:
            return self
        return replace(self, since=time.perf_counter() if at is None else at)

    def after(self, states: int) -> Limits:
        """What is left once these states were visited."""
        return replace(self, spent=self.spent + states)

    def within(self, states: int) -> Limits:
        """The same, but for the next search at most these states."""
        left = self.states_left
        return replace(self, max_states=self.spent + (states if left is None else min(states, left)))

    def half(self) -> Limits:
        """Half of what is left."""
        seconds, states = self.seconds_left, self.states_left
        return replace(
            self,
            timeout=None if self.timeout is None or seconds is None else self.timeout - seconds / 2,
            max_states=None if self.max_states is None or states is None else self.max_states - states // 2,
        )

    @property
    def seconds_left(self) -> float | None:
        """Seconds of `timeout` that are left; None if it is not limited."""
        if self.timeout is None or self.since is None:
            return self.timeout
        return max(0.0, self.timeout - (time.perf_counter() - self.since))

    @property
    def states_left(self) -> int | None:
        """States that may still be visited; None if they are not limited."""
        return None if self.max_states is None else max(0, self.max_states - self.spent)

    def require_rest(self) -> None:
        """Raise `LimitError` if the time or the states are used up."""
        self.require_time()
        if self.states_left == 0:
            raise self.reached("max_states")

    def require_time(self) -> None:
        """Raise `LimitError` if the time is used up."""
        if self.seconds_left == 0:
            raise self.reached("timeout")

    def reached(self, limit: str) -> LimitError:
        """The error that says that a limit was reached; `max_memory` has a value even if none was given.

        Examples
        --------
        >>> Limits(timeout=1.5).reached("timeout").value
        1.5
        """
        value = getattr(self, limit)
        return LimitError(limit, _core.default_memory() if value is None else value, default=value is None)
