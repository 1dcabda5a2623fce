"""What it takes to break a rule in a linear program: it cannot be done, it costs once, or each time."""

from __future__ import annotations

from lawful.solvers.ilp.program import Excess, Program

__all__ = ["Charge"]


class Charge:
    """Slack for the rows of one rule.

    Parameters
    ----------
    program : Program
    mode : "hard", "once" or "counted"
    price : float
    switch : int, optional
        For "once": the binary column that is 1 if the rule is broken. By default a new one, at the price.

    Examples
    --------
    >>> program = Program()
    >>> program.begin("some_rule", "")
    >>> charge = Charge(program, "once", 2.0)
    >>> charge.excess(3), charge.excess()
    (Excess(column=0, each=3), Excess(column=0, each=1))
    >>> program.column_names(), program.arrays().cost.tolist()
    (['broken.some_rule'], [-2.0])
    """

    def __init__(self, program: Program, mode: str, price: float, switch: int | None = None) -> None:
        self.program, self.mode, self.price = program, mode, price
        self._switch = switch
        self._counted = 0

    def excess(self, most: float = 1) -> Excess | None:
        """Slack for rows that fail together, by at most so much; one unit of it is one violation."""
        if self.mode == "hard":
            return None
        if self.mode == "once":
            if self._switch is None:
                self._switch = self._column(f"broken.{self.program.section}", binary=True)
            return Excess(self._switch, most)
        self._counted += 1
        return Excess(self._column(f"broken.{self.program.section}.{self._counted}", binary=False), 1)

    def once(self) -> Charge:
        """The charge for a rule that cannot be broken more than once."""
        return Charge(self.program, "once", self.price) if self.mode == "counted" else self

    def _column(self, name: str, *, binary: bool) -> int:
        return int(self.program.add_columns(-self.price, binary=binary, name=lambda _: name)[0])
