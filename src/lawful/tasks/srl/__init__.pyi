from .allowed_roles import (
    allowed_in_frames as allowed_in_frames,
    allowed_in_training as allowed_in_training,
    disallowed_roles as disallowed_roles,
)
from .analysis import (
    Analysis as Analysis,
    analyse as analyse,
    base_phrases as base_phrases,
)
from .candidates import (
    candidate_nodes as candidate_nodes,
    candidate_spans as candidate_spans,
)
from .features import (
    chunk_features as chunk_features,
    parse_features as parse_features,
)
from .propositions import (
    bracketed_text as bracketed_text,
    proposition_spans as proposition_spans,
    read_propositions as read_propositions,
    write_roles as write_roles,
)
from .sequences import (
    RoleSequence as RoleSequence,
    role_sequence as role_sequence,
)
from .units import (
    CORE_ROLES as CORE_ROLES,
    Units as Units,
    cut_units as cut_units,
)
