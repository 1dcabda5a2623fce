from .confusion import Confusion as Confusion
from .evaluating import evaluate as evaluate
from .result import (
    Evaluation as Evaluation,
    Violations as Violations,
)
from .scores import (
    Average as Average,
    Score as Score,
)
from .significance.bootstrap import Interval as Interval
from .significance.comparison import (
    Comparison as Comparison,
    compare_outputs as compare_outputs,
)
from .significance.mcnemar import mcnemar_test as mcnemar_test
