"""Progress reports of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Progress", "showing"]


@dataclass(frozen=True)
class Progress:
    """One iteration (or epoch) of training.

    Examples
    --------
    >>> print(Progress("lbfgs", 3, 120.25, 8.5, 1.5, 0.01, passes=1))
    lbfgs 3: objective 120.25, gradient 8.5, weights 1.5, 0.0 s
    """

    algorithm: str
    iteration: int
    objective: float
    """The objective, penalties included; for the perceptron, the mean share of wrong labels."""
    gradient_norm: float | None
    """Euclidean; None for training that sees one sequence at a time."""
    weight_norm: float | None
    seconds: float
    """Since training began."""
    passes: int = 1
    """How often this iteration went over the corpus."""

    def __str__(self) -> str:
        gradient = "" if self.gradient_norm is None else f", gradient {self.gradient_norm:.6g}"
        weights = "" if self.weight_norm is None else f", weights {self.weight_norm:.6g}"
        return (
            f"{self.algorithm} {self.iteration}: objective {self.objective:.10g}{gradient}{weights}, "
            f"{self.seconds:.1f} s"
        )


@contextmanager
def showing(*, verbose: bool) -> Iterator[Callable[[Progress], None]]:
    """A function that shows each iteration on one line of the terminal, over the last one."""
    if not verbose:
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), refresh_per_second=8) as line:
        yield lambda progress: line.update(str(progress))
