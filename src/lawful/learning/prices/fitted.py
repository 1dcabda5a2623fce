"""Prices that go with a model: what it knows by itself is not paid for again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.errors import InputError
from lawful.lattice import Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Gold, labelled_sequences
from lawful.learning.prices.drawn_labellings import DrawnLabellings
from lawful.learning.prices.log_odds import learn_prices
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["WORTHLESS", "fit_prices", "with_prices"]

WORTHLESS = 0.01  # a rule at a lower price decides nothing that the scores would not decide


def fit_prices(
    tagger: Tagger,
    rules: Rules | Rule | Iterable[Rule],
    gold: Gold,
    *,
    samples: int = 50,
    penalty: float = 0.5,
    seed: int = 0,
) -> Rules:
    """Prices of soft rules for a model that stays as it is, all at once: those that make the right labels likeliest.

    The log odds of keeping a rule are its price for a model that knows nothing of it. Most models know much of it, and rules
    know of each other: at log odds the same thing is paid for again and again. Here the right labels' likelihood under model
    and rules together decides, estimated from labellings drawn from the model. A price only ever falls, to 0 where
    the model breaks the rule no more often than the right labels do: such a rule can go.

    Parameters
    ----------
    tagger : Tagger
    rules : Rules, rule or iterable of rules
        The price of each soft rule is the most that it may cost; "learn" stands for the log odds. Hard rules stay hard.
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        Such that the tagger was not fitted to: on its own training data it seems to know everything.
    samples : int
        How many labellings are drawn for each sequence.
    penalty : float
        Of each price, as if the right labels had broken its rule so many times more: against chance in little data.
    seed : int

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
    >>> fitted = fit_prices(Half(), rules, [(["x", "y"], ["A", "B"])] * 30)
    >>> [round(rule.price, 1) for rule in fitted]
    [0.0, 3.0]
    """
    if samples < 1:
        raise InputError(f"samples must be 1 or more, got {samples!r}")
    if not penalty >= 0:
        raise InputError(f"penalty must be 0 or more, got {penalty!r}")
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("prices are fitted to labelled sequences, and there are none")
    given = learn_prices(
        rules if isinstance(rules, Rules) else Rules(rules),
        ((one.tokens, one.labels, one.context) for one in sequences),
    )
    drawn = DrawnLabellings(given, samples=samples, seed=seed)
    drawn.add(lattices_of(tagger, [one.tokens for one in sequences]), sequences)
    return with_prices(given, drawn.fit(penalty=penalty))


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
