"""One function for all ways to estimate what breaking a rule should cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Literal, get_args, overload

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.lattice import Tagger
from lawful.lattice.tagger import require_tagger, warn_if_uncalibrated
from lawful.learning.gold import Gold, labelled_sequences
from lawful.learning.prices.cross_fitting import CrossFitted
from lawful.learning.prices.likelihood import prices_by_likelihood
from lawful.learning.prices.log_odds import Occasions, prices_by_log_odds
from lawful.learning.prices.perceptron import prices_by_perceptron
from lawful.learning.prices.search import Metric, prices_by_search
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules

__all__ = ["Method", "estimate_prices"]

Method = Literal["log-odds", "likelihood", "perceptron", "search"]

# The keyword arguments that each method takes besides the rules, the gold data and the tagger.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "log-odds": ("smoothing", "ties", "occasions", "labels"),
    "likelihood": ("folds", "samples", "penalty", "seed"),
    "perceptron": ("folds", "epochs", "rate", "ties", "seed"),
    "search": ("folds", "factors", "rounds", "metric"),
}
BESIDE_A_TAGGER: dict[str, Callable[..., Rules]] = {
    "likelihood": prices_by_likelihood,
    "perceptron": prices_by_perceptron,
    "search": prices_by_search,
}


@overload
def estimate_prices(
    rules: RulesLike,
    gold: Gold,
    *,
    method: Literal["log-odds"] | None = None,
    smoothing: float | None = None,
    ties: Iterable[Collection[str]] | None = None,
    occasions: Occasions | None = None,
    labels: Iterable[str] | None = None,
) -> Rules: ...


@overload
def estimate_prices(
    rules: RulesLike,
    gold: Gold,
    *,
    method: Literal["likelihood"] | None = None,
    tagger: Tagger,
    folds: int | None = None,
    samples: int | None = None,
    penalty: float | None = None,
    seed: int | None = None,
) -> Rules: ...


@overload
def estimate_prices(
    rules: RulesLike,
    gold: Gold,
    *,
    method: Literal["perceptron"],
    tagger: Tagger,
    folds: int | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    ties: Iterable[Collection[str]] | None = None,
    seed: int | None = None,
) -> Rules: ...


@overload
def estimate_prices(
    rules: RulesLike,
    gold: Gold,
    *,
    method: Literal["search"],
    tagger: Tagger,
    folds: int | None = None,
    factors: Sequence[float] | None = None,
    rounds: int | None = None,
    metric: Metric | None = None,
) -> Rules: ...


def estimate_prices(
    rules: RulesLike,
    gold: Gold,
    *,
    method: Method | None = None,
    tagger: Tagger | None = None,
    folds: int | None = None,
    smoothing: float | None = None,
    ties: Iterable[Collection[str]] | None = None,
    occasions: Occasions | None = None,
    labels: Iterable[str] | None = None,
    samples: int | None = None,
    penalty: float | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    factors: Sequence[float] | None = None,
    rounds: int | None = None,
    metric: Metric | None = None,
    seed: int | None = None,
) -> Rules:
    """Estimate from labelled data what breaking each soft rule should cost. Hard rules stay hard.

    Parameters
    ----------
    rules : Rules, rule, iterable of rules, or the path of a rule file
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        `zip(X, y)` will do. For every method with a tagger, use sequences that the tagger was not trained on, or `folds`: on
        its own training data it makes too few mistakes to learn from.
    method : "log-odds", "likelihood", "perceptron" or "search"
        By default "likelihood" with a tagger, and "log-odds" without.

        "log-odds" counts, and needs no tagger: a price is the log odds of keeping the rule where it could be broken (Chang,
        Ratinov & Roth 2012, Algorithm 1). It is right for a tagger that knows nothing of the rule, and too high for one that does.
        Only rules whose price is "learn" get a new price.

        "likelihood" finds the prices of all soft rules together that make the gold labels most likely beside the tagger, from
        labellings drawn from it. A price never rises above the one that the rule has ("learn" stands for the log odds), and
        falls to 0 where the tagger breaks the rule no more often than the gold labels do: such a rule can go.

        "perceptron" decodes one sequence after another, starting at prices of 0, and raises the price of a rule that the answer
        breaks more often than the gold labels (Tromble & Eisner 2006, section 6.2). The result is the mean over all steps. Only
        rules whose price is "learn" get a new price.

        "search" multiplies the prices of soft rules ("learn" stands for the log odds) by factors, decodes the
        gold sequences, and keeps what scores best.
    tagger : Tagger
        What scores the labels, for every method but "log-odds". It stays as it is.
    folds : int
        With a tagger that is a model of ours: divide the sequences into so many parts, and score each part by a model like it that
        is fitted to all others. So the data that a model is trained on will do for its prices, too. 5 is a good choice.
    smoothing : float
        For "log-odds": added to both sides of the odds, so that a rule which is never broken is expensive but not hard; 0.5
        by default. With 0 such a rule becomes hard.
    ties : iterable of collections of names
        For "log-odds" and "perceptron": the rules of each collection share one price.
    occasions : "breakable" or "tokens"
        For "log-odds": how often a rule could have been broken. By default it could be where some label breaks it
        after the gold labels before it; per sequence, in sequences that some labels would let break it. With "tokens", everywhere:
        every token is an occasion, and every sequence (Eq. 13 of the paper). Rules that rarely have something to say are dear then.
    labels : iterable of str
        For "log-odds": the labels that might have been given; by default those of the data and the rules.
    samples : int
        For "likelihood": how many labellings are drawn for each sequence; 50 by default.
    penalty : float
        For "likelihood": how many more violations than the gold labellings the drawn ones must have before a rule costs
        anything; 0.5 by default. It guards against chance in small data.
    epochs : int
        For "perceptron": passes over the data; 10 by default.
    rate : float
        For "perceptron": how far one violation moves a price; 1 by default.
    factors : sequence of float
        For "search": 0.25, 0.5, 1, 2 and 4 by default. A factor of 0 leaves the rule out.
    rounds : int
        For "search": first all prices are multiplied by one common factor. Then, this many times, each rule in turn gets the
        factor that scores best while the others stay. 1 by default; 0 keeps the common factor.
    metric : function
        For "search": takes the gold label sequences and the predicted ones, and returns a number; higher is better. By default
        the share of labels that are right.
    seed : int
        For "likelihood" and "perceptron"; 0 by default.

    Returns
    -------
    Rules
        The same rules in the same order, with numbers (or "hard") for prices.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", per="violation", name="one A"), lawful.forbid("C"))
    >>> gold = [(["x", "y", "z", "x", "y"], ["A", "B", "A", "B", "B"]), (["x"], ["B"])]
    >>> priced = estimate_prices(rules, gold, smoothing=0)
    >>> round(priced["one A"].price, 6)  # after the first A, kept at 3 tokens and broken at 1: log(3 / 1)
    1.098612
    >>> estimate_prices(rules, gold, epochs=5)
    Traceback (most recent call last):
    lawful.errors.InputError: method 'log-odds' takes no 'epochs'; its arguments are smoothing, ties, occasions, labels
    """
    if tagger is not None and folds is None:  # with folds it need not be fitted
        require_tagger(tagger)
    if method is None:
        method = "log-odds" if tagger is None else "likelihood"
    if method not in get_args(Method):
        raise InputError(f"unknown method {method!r}; {suggestion(str(method), get_args(Method), 'methods')}")
    every = {
        "folds": folds,
        "smoothing": smoothing,
        "ties": ties,
        "occasions": occasions,
        "labels": labels,
        "samples": samples,
        "penalty": penalty,
        "epochs": epochs,
        "rate": rate,
        "factors": factors,
        "rounds": rounds,
        "metric": metric,
        "seed": seed,
    }
    arguments: dict[str, Any] = {name: value for name, value in every.items() if value is not None}
    for name in arguments:
        if name not in ARGUMENTS[method]:
            raise InputError(
                f"method {method!r} takes no {name!r}; its arguments are {', '.join(ARGUMENTS[method])}"
            )
    rules = as_rules(rules)
    if method == "log-odds":
        if tagger is not None:
            raise InputError(
                "method 'log-odds' takes no 'tagger': it only counts. To price rules beside a tagger, use "
                "method='likelihood', 'perceptron' or 'search'"
            )
        return prices_by_log_odds(rules, gold, **arguments)
    if tagger is None:
        raise InputError(f"method {method!r} needs tagger=...: the prices are estimated beside it")
    if method != "perceptron":  # which finds its prices on the scores' own scale
        warn_if_uncalibrated(tagger)
    if folds is not None:
        gold = labelled_sequences(gold)
        tagger = CrossFitted(tagger, gold, folds=arguments.pop("folds"), seed=seed or 0)
    return BESIDE_A_TAGGER[method](rules, gold, tagger, **arguments)
