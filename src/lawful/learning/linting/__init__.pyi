from .against_gold import (
    Lint as Lint,
    RuleLint as RuleLint,
    lint as lint,
)
from .model_effects import Effect as Effect
from .violations import Breach as Breach
