from .bootstrap import Interval as Interval
from .comparison import (
    Comparison as Comparison,
    compare_outputs as compare_outputs,
    mcnemar_test as mcnemar_test,
)
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
