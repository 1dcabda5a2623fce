from .ballot import (
    METHODS as METHODS,
    Ballot as Ballot,
    vote_on as vote_on,
)
from .ensemble import (
    Ensemble as Ensemble,
    vote as vote,
)
from .explanation import (
    VoteExplanation as VoteExplanation,
    explain_vote as explain_vote,
)
from .grouped_states import (
    GroupedStates as GroupedStates,
    canonical_states as canonical_states,
)
from .linear_votes.winners import (
    LinearAnswer as LinearAnswer,
    PathCounts as PathCounts,
    find_linear_winners as find_linear_winners,
)
from .log_linear import LogLinear as LogLinear
from .merging import merge_states as merge_states
from .result import (
    Opinion as Opinion,
    Vote as Vote,
    Voters as Voters,
)
from .weights import (
    ChosenWeights as ChosenWeights,
    choose_weights as choose_weights,
    weight_grid as weight_grid,
)
