from .calibration import (
    calibrate as calibrate,
    fit_temperature as fit_temperature,
)
from .ccm import CCM as CCM
from .choosing import (
    Choice as Choice,
    choose_model as choose_model,
)
from .choosing_rules import (
    HeldOutRules as HeldOutRules,
    RuleChoice as RuleChoice,
    TriedRules as TriedRules,
    choose_rules as choose_rules,
    choose_together as choose_together,
)
from .history import Round as Round
from .likelihood.constrained_likelihood import ConstrainedLikelihood as ConstrainedLikelihood
from .linting.against_gold import lint as lint
from .mining.proposing import mine as mine
from .perceptron.ruled_perceptron import RuledPerceptron as RuledPerceptron
from .perceptron.strategies import Epoch as Epoch
from .prices.estimating import estimate_prices as estimate_prices
from .prices.log_odds import (
    Tally as Tally,
    tally_violations as tally_violations,
)
from .prices.search import scale_prices as scale_prices
from .semi_supervised.codl import (
    CoDL as CoDL,
    HardEM as HardEM,
)
from .semi_supervised.em import EM as EM
from .semi_supervised.semi_perceptron import SemiRuledPerceptron as SemiRuledPerceptron
