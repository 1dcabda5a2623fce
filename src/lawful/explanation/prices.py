"""What each rule costs: the score regained if it alone is dropped."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from lawful.explanation.subset_answers import SubsetAnswers

__all__ = ["RulePrice", "find_prices"]


@dataclass(frozen=True, slots=True)
class RulePrice:
    """The price of obeying one rule on one sequence.

    Attributes
    ----------
    rule : str
        Its name.
    price : float
        The best score without this rule, less the best score with it. For a soft rule that stays broken,
        this includes what it charges.
    changes : tuple of int
        The positions whose labels would differ without it.

    Examples
    --------
    >>> RulePrice("one date", 1.5, (3,)).active
    True
    """

    rule: str
    price: float
    changes: tuple[int, ...]

    @property
    def active(self) -> bool:
        """Whether dropping the rule alone changes the score."""
        return self.price > 0

    def to_dict(self) -> dict[str, Any]:
        """The price as a dict, ready for JSON."""
        return asdict(self) | {"changes": list(self.changes)}


def find_prices(answers: SubsetAnswers) -> tuple[RulePrice, ...]:
    """Find the price of every rule, in order.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> answers = SubsetAnswers(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.forbid("B").soft(0.25)]))
    >>> [(price.rule, price.price) for price in find_prices(answers)]
    [("at_most(1, 'A')", 1.25), ("forbid('B')", 0.25)]
    """
    # Most rules are not needed for the answer. Knowing a sufficient subset, dropping any other rule needs no search.
    answers.sufficient()
    with_all = answers.answer(answers.everything)
    prices = []
    for index, name in enumerate(answers.decoding.rules.names):
        without = answers.answer(answers.everything - {index})
        price = without.total.lead(with_all.total)
        if not price:
            prices.append(RulePrice(name, 0.0, ()))
            continue
        longest = max(len(without.labels), len(with_all.labels))
        changes = tuple(t for t in range(longest) if without.differs(with_all, t))
        prices.append(RulePrice(name, price, changes))
    return tuple(prices)
