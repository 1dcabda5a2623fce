from .descriptions import (
    PATTERNS as PATTERNS,
    describe_roles as describe_roles,
    role_by_description as role_by_description,
)
from .groupings import (
    ARG1_GROUPS as ARG1_GROUPS,
    ARG2_GROUPS as ARG2_GROUPS,
    group_of as group_of,
)
from .links import (
    link_roles as link_roles,
    thematic_name as thematic_name,
)
from .subdivided import (
    SubdividedLabels as SubdividedLabels,
    summed as summed,
)
