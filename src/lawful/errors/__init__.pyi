from .base import (
    InputError as InputError,
    InternalError as InternalError,
    LawfulError as LawfulError,
)
from .corpus import (
    CorpusError as CorpusError,
    MissingDataError as MissingDataError,
    MissingExtraError as MissingExtraError,
    RaggedRowError as RaggedRowError,
)
from .files import (
    FileError as FileError,
    MissingFileError as MissingFileError,
)
from .models import (
    DamagedFileError as DamagedFileError,
    FeatureError as FeatureError,
    ForeignFileError as ForeignFileError,
    ModelFileError as ModelFileError,
    NewerFormatError as NewerFormatError,
    NotFittedError as NotFittedError,
    TruncatedFileError as TruncatedFileError,
)
from .rule_files import (
    RuleFileError as RuleFileError,
    RuleProblem as RuleProblem,
)
from .rules import (
    ContextError as ContextError,
    DuplicateRuleError as DuplicateRuleError,
    MachineError as MachineError,
    MissingContextError as MissingContextError,
    PatternError as PatternError,
    PositionError as PositionError,
    PriceError as PriceError,
    RuleError as RuleError,
    RuleTooLargeError as RuleTooLargeError,
    SpanError as SpanError,
    TokenError as TokenError,
    UnpricedRuleError as UnpricedRuleError,
)
from .scores import (
    AttFormatError as AttFormatError,
    DtypeError as DtypeError,
    DuplicateLabelError as DuplicateLabelError,
    EmptyLabelSetError as EmptyLabelSetError,
    EmptySequenceError as EmptySequenceError,
    GraphError as GraphError,
    LabelSetError as LabelSetError,
    ScoreError as ScoreError,
    ShapeError as ShapeError,
    UnboundedError as UnboundedError,
    UnknownLabelError as UnknownLabelError,
)
from .search import (
    EnumerationError as EnumerationError,
    InfeasibleError as InfeasibleError,
    LimitError as LimitError,
    LossError as LossError,
    ProductTooLargeError as ProductTooLargeError,
)
