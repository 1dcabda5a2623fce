"""Prices beside a model, by maximum likelihood: what the model knows already is not paid for again."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.errors import InputError
from lawful.lattice import Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Gold, labelled_sequences
from lawful.learning.prices.drawn_labellings import DrawnLabellings
from lawful.learning.prices.log_odds import prices_by_log_odds
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number, check_seed

__all__ = ["WORTHLESS", "prices_by_likelihood", "with_prices"]

WORTHLESS = 0.01  # a rule at a lower price decides nothing that the scores would not decide


def prices_by_likelihood(
    rules: Rules, gold: Gold, tagger: Tagger, *, samples: int = 50, penalty: float = 0.5, seed: int = 0
) -> Rules:
    """Method "likelihood" of `estimate_prices`.

    The log odds of keeping a rule are its price for a model that knows nothing of it. Most models know much of it, and rules
    overlap: at log odds the same mistake is paid for several times. Here the likelihood of the gold labels under model and
    rules together decides, estimated from labellings drawn from the model.

    Examples
    --------
    A model that takes every "x" for an A anyway needs no rule for it; one for "y" it could use.

    >>> import lawful
    >>> class Half:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         scores = [[9.0, 0.0] if token == "x" else [0.5, 0.0] for token in tokens]
    ...         return lawful.Lattice(scores, labels=self.labels, tokens=tokens)
    >>> rules = [lawful.when(lawful.token.is_in([word])).then(label).soft(3.0, name=word) for word, label in ("xA", "yB")]
    >>> priced = prices_by_likelihood(lawful.Rules(rules), [(["x", "y"], ["A", "B"])] * 30, Half())
    >>> [round(rule.price, 1) for rule in priced]
    [0.0, 3.0]
    """
    check_count("samples", samples, least=1)
    check_number("penalty", penalty)
    check_seed("seed", seed)
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("prices are estimated from labelled sequences, and there are none")
    highest = prices_by_log_odds(rules, sequences, labels=tagger.labels)
    drawn = DrawnLabellings(highest, samples=samples, seed=seed)
    drawn.add(lattices_of(tagger, [sequence.tokens for sequence in sequences]), sequences)
    return with_prices(highest, drawn.fit(penalty=penalty))


def with_prices(rules: Rules, prices: Sequence[float]) -> Rules:
    """The same rules, their soft ones at other prices, in order.

    Examples
    --------
    >>> import lawful
    >>> with_prices(lawful.Rules(lawful.forbid("A"), lawful.forbid("B").soft(2.0)), [1.0])
    Rules(forbid('A'), forbid('B').soft(1.0))
    """
    others = iter(prices)
    return Rules(rule if rule.price == "hard" else rule.soft(next(others), per=rule.per) for rule in rules)
