"""Learning with rules: prices, expectation maximisation, constraint-driven learning."""

from __future__ import annotations

from bylaw.learning.ccm import CCM
from bylaw.learning.codl import CoDL, HardEM
from bylaw.learning.constrained_likelihood import ConstrainedLikelihood
from bylaw.learning.em import EM
from bylaw.learning.fitted_prices import fit_prices
from bylaw.learning.history import Round
from bylaw.learning.perceptron_prices import train_prices
from bylaw.learning.price_search import scale_prices, search_prices
from bylaw.learning.prices import Tally, learn_prices, tally_violations
from bylaw.learning.ruled_perceptron import RuledPerceptron
from bylaw.learning.semi_perceptron import SemiRuledPerceptron
from bylaw.learning.strategies import Epoch

__all__ = [
    "CCM",
    "EM",
    "CoDL",
    "ConstrainedLikelihood",
    "Epoch",
    "HardEM",
    "Round",
    "RuledPerceptron",
    "SemiRuledPerceptron",
    "Tally",
    "fit_prices",
    "learn_prices",
    "scale_prices",
    "search_prices",
    "tally_violations",
    "train_prices",
]
