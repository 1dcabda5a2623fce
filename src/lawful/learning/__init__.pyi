from .ccm import CCM as CCM
from .history import Round as Round
from .likelihood.constrained_likelihood import ConstrainedLikelihood as ConstrainedLikelihood
from .linting.against_gold import lint as lint
from .mining.proposing import mine as mine
from .perceptron.ruled_perceptron import RuledPerceptron as RuledPerceptron
from .perceptron.strategies import Epoch as Epoch
from .prices.fitted import fit_prices as fit_prices
from .prices.log_odds import (
    Tally as Tally,
    learn_prices as learn_prices,
    tally_violations as tally_violations,
)
from .prices.perceptron import train_prices as train_prices
from .prices.search import (
    scale_prices as scale_prices,
    search_prices as search_prices,
)
from .semi_supervised.codl import (
    CoDL as CoDL,
    HardEM as HardEM,
)
from .semi_supervised.em import EM as EM
from .semi_supervised.semi_perceptron import SemiRuledPerceptron as SemiRuledPerceptron
