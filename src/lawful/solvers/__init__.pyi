from .choice import SOLVERS as SOLVERS
from .solution import (
    Limits as Limits,
    Problem as Problem,
    Round as Round,
    Solution as Solution,
)
