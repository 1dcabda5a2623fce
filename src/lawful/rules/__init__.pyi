from . import files as files, token as token
from .contexts import (
    Context as Context,
    context as context,
)
from .example import (
    BoundMachine as BoundMachine,
    CompiledRule as CompiledRule,
    Example as Example,
)
from .kinds.bans import (
    AllowOnly as AllowOnly,
    Forbid as Forbid,
    allow_only as allow_only,
    forbid as forbid,
)
from .kinds.counts import (
    AtLeast as AtLeast,
    AtMost as AtMost,
    Exactly as Exactly,
    at_least as at_least,
    at_most as at_most,
    exactly as exactly,
)
from .kinds.fixed_positions import (
    EndsWith as EndsWith,
    LabelAt as LabelAt,
    StartsWith as StartsWith,
    ends_with as ends_with,
    label_at as label_at,
    starts_with as starts_with,
)
from .kinds.machines import (
    Automaton as Automaton,
    automaton as automaton,
)
from .kinds.order import (
    Before as Before,
    Excludes as Excludes,
    Requires as Requires,
    before as before,
    excludes as excludes,
    requires as requires,
)
from .kinds.segment_lengths import (
    SegmentLength as SegmentLength,
    segment_length as segment_length,
)
from .kinds.segments import (
    AtLeastSegments as AtLeastSegments,
    AtMostSegments as AtMostSegments,
    ExactlySegments as ExactlySegments,
    at_least_segments as at_least_segments,
    at_most_segments as at_most_segments,
    exactly_segments as exactly_segments,
)
from .kinds.spans import (
    SameLabel as SameLabel,
    Uniform as Uniform,
    same_label as same_label,
    uniform as uniform,
)
from .kinds.tag_schemes import (
    ValidTags as ValidTags,
    valid_tags as valid_tags,
)
from .kinds.transitions import (
    AllowedTransitions as AllowedTransitions,
    NotFollowedBy as NotFollowedBy,
    allowed_transitions as allowed_transitions,
    not_followed_by as not_followed_by,
)
from .kinds.words import (
    ChangeOnlyAfter as ChangeOnlyAfter,
    When as When,
    WhenNever as WhenNever,
    WhenThen as WhenThen,
    change_only_after as change_only_after,
    when as when,
)
from .patterns.rule import (
    Pattern as Pattern,
    pattern as pattern,
)
from .rule import (
    And as And,
    Implies as Implies,
    Not as Not,
    Or as Or,
    Rule as Rule,
    Xor as Xor,
)
from .ruleset import Rules as Rules
from .tokens.tests import TokenTest as TokenTest
