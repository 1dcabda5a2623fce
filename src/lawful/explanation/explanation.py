"""Why the decoder chose its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from lawful.decoding import Decoding
from lawful.decoding.options import DecoderOptions
from lawful.explanation.alternatives import WhyNot, compare
from lawful.explanation.changes import Change, find_changes
from lawful.explanation.charges import Charge
from lawful.explanation.prices import RulePrice, find_prices
from lawful.explanation.proved import proved_decoding
from lawful.explanation.runners_up import RunnerUp, find_runners_up
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.explanation.text.sections import (
    broken_section,
    change_section,
    headline,
    price_section,
    runner_up_section,
)
from lawful.explanation.text.token_rows import token_text
from lawful.lattice import AnyLattice
from lawful.rules.given_rules import RulesLike
from lawful.support.limits import Limits
from lawful.support.numbers import check_count
from lawful.support.styled_text import Line, Shown

__all__ = ["Explanation", "explain", "explain_answers"]


@dataclass(frozen=True, eq=False)
class Explanation(Shown):
    """What the rules changed, why, and what that cost. Prints as text; `print()` adds colours in a terminal.

    Attributes
    ----------
    decoding : Decoding
        The answer that is explained.
    changes : tuple of Change
        What differs from the rule-free answer, and the rules that forced it.
    prices : tuple of RulePrice
        For every rule, in order, the score that dropping it alone would regain.
    broken : tuple of Charge
        The soft rules that the answer breaks nevertheless, and what that costs.
    runners_up : tuple of RunnerUp
        The next best label sequences under the rules.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"], tokens=["x", "y", "z"])
    >>> print(lawful.explain(lattice, lawful.at_most_segments(1, "A"), runners_up=1))
    1 of 3 tokens changed; the score fell by 1, from 6 to 5; proved best
    <BLANKLINE>
         token  before      after
      0  x      A
      1  y      B       ->  A      because of at_most_segments(1, 'A')
      2  z      A
    <BLANKLINE>
    dropping one rule would regain
      1  at_most_segments(1, 'A')
    <BLANKLINE>
    runners-up
      1 behind  0-1 'x y' A -> B
    """

    decoding: Decoding
    changes: tuple[Change, ...]
    prices: tuple[RulePrice, ...]
    broken: tuple[Charge, ...]
    runners_up: tuple[RunnerUp, ...]

    @property
    def active(self) -> tuple[RulePrice, ...]:
        """The rules whose removal would change the score, the most expensive first."""
        return tuple(sorted((price for price in self.prices if price.active), key=lambda price: -price.price))

    def why_not(self, labels: Sequence[str]) -> WhyNot:
        """Why other labels are not the answer."""
        return compare(self.decoding, labels)

    def lines(self) -> list[Line]:
        """The text, line by line, with styles."""
        sections = [
            headline(self.decoding),
            change_section(self.decoding, self.changes),
            price_section(self.prices, changed=bool(self.changes)),
            broken_section(self.broken),
            runner_up_section(self.decoding, self.runners_up, self.broken),
        ]
        lines: list[Line] = []
        for section in filter(None, sections):
            lines += [(), *section] if lines else section
        return lines

    def to_dict(self) -> dict[str, Any]:
        """The explanation as a dict, ready for JSON."""
        decoding = self.decoding
        tokens = decoding.lattice.tokens
        return {
            "tokens": None if tokens is None else [token_text(token) for token in tokens],
            "labels": list(decoding.labels),
            "plain_labels": list(decoding.plain_labels),
            "score": decoding.score,
            "plain_score": decoding.plain.score,
            "loss": decoding.loss,
            "status": decoding.status,
            "solver": decoding.solver,
            "changes": [change.to_dict() for change in self.changes],
            "prices": [price.to_dict() for price in self.prices],
            "broken": [charge.to_dict() for charge in self.broken],
            "runners_up": [runner_up.to_dict() for runner_up in self.runners_up],
        }


def explain(
    lattice: AnyLattice | Decoding,
    rules: RulesLike = (),
    *,
    runners_up: int = 3,
    max_sets: int = 500,
    **options: Unpack[DecoderOptions],
) -> Explanation:
    """Explain an answer: what the rules changed, which of them forced each change, and at what price.

    Everything is found by decoding again: under subsets of the rules, without each one of them, and with the answers
    found so far forbidden.

    Parameters
    ----------
    lattice : Lattice, GraphLattice or Decoding
        A decoding brings its own lattice and rules.
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    runners_up : int
        Number of next best answers to find.
    max_sets : int
        Maximum number of rule sets to try when looking for the smallest that force a change. Beyond it, a change
        is explained by one set from which no rule can be left out, and is marked `smallest=False`.
    **options
        See `Decoder`. Limits apply to the whole call, and raise `LimitError`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"])
    >>> explanation = explain(lawful.decode(lattice, lawful.at_most_segments(1, "A")))
    >>> explanation.changes[0].because, explanation.prices[0].price
    ((("at_most_segments(1, 'A')",),), 1.0)
    """
    check_count("runners_up", runners_up)
    check_count("max_sets", max_sets, least=1)
    limits = Limits(options.get("max_states"), options.get("timeout"), options.get("max_memory")).started()
    decoding = proved_decoding(lattice, rules, options)
    answers = SubsetAnswers(decoding, limits if decoding is lattice else limits.after(decoding.states))
    return explain_answers(answers, runners_up=runners_up, max_sets=max_sets)


def explain_answers(answers: SubsetAnswers, *, runners_up: int, max_sets: int) -> Explanation:
    """The same for an answer of which it is known already what some of the rules do.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
    >>> answers = SubsetAnswers(lawful.decode(lattice, lawful.forbid("A")))
    >>> explain_answers(answers, runners_up=0, max_sets=10).prices[0].price
    2.0
    """
    return Explanation(
        answers.decoding,
        find_changes(answers, max_sets=max_sets),
        find_prices(answers),
        answers.bill.broken,
        find_runners_up(answers, runners_up),
    )
