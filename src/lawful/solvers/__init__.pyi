from .choice import SOLVERS as SOLVERS
from .problem import (
    Limits as Limits,
    Problem as Problem,
)
from .solution import (
    Round as Round,
    Solution as Solution,
)
