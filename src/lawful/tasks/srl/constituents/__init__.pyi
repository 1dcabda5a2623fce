from .filtering import (
    Constituent as Constituent,
    filter_arguments as filter_arguments,
)
from .histories import (
    PREDICATE as PREDICATE,
    HistoryTags as HistoryTags,
    history_tags as history_tags,
)
from .sequences import (
    MODIFIERS as MODIFIERS,
    TREE_ROLES as TREE_ROLES,
    ConstituentSequence as ConstituentSequence,
    constituent_sequence as constituent_sequence,
)
from .tree_features import (
    classification_features as classification_features,
    identification_features as identification_features,
)
