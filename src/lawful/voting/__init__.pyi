from .grouped_states import (
    GroupedStates as GroupedStates,
    canonical_states as canonical_states,
)
from .linear import (
    LinearAnswer as LinearAnswer,
    PathCounts as PathCounts,
    find_linear_winners as find_linear_winners,
)
from .merging import merge_states as merge_states
