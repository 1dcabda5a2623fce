from .bootstrap import Interval as Interval
from .changes import (
    evaluate_change as evaluate_change,
    evaluate_change_of_numbers as evaluate_change_of_numbers,
)
from .comparison import (
    Comparison as Comparison,
    compare_outputs as compare_outputs,
    mcnemar_test as mcnemar_test,
)
from .confusion import Confusion as Confusion
from .evaluating import evaluate as evaluate
from .propositions import (
    RoleScores as RoleScores,
    join_continuations as join_continuations,
    score_roles as score_roles,
)
from .result import (
    Evaluation as Evaluation,
    Violations as Violations,
)
from .scores import (
    Average as Average,
    Score as Score,
)
