from . import (
    adapters as adapters,
    automata as automata,
    corpus as corpus,
    decoding as decoding,
    encodings as encodings,
    errors as errors,
    evaluation as evaluation,
    explanation as explanation,
    labels as labels,
    lattice as lattice,
    learning as learning,
    models as models,
    report as report,
    rules as rules,
    schemes as schemes,
    solvers as solvers,
    tasks as tasks,
    testing as testing,
    voting as voting,
)
from .adapters import (
    from_crfsuite as from_crfsuite,
    from_logits as from_logits,
    from_nbest as from_nbest,
    from_sklearn as from_sklearn,
    from_torch as from_torch,
    from_transformers as from_transformers,
)
from .corpus import (
    Sentence as Sentence,
    open_corpus as open_corpus,
    read_corpus as read_corpus,
    write_corpus as write_corpus,
)
from .decoding import (
    Decoder as Decoder,
    Decoding as Decoding,
    decode as decode,
    marginals as marginals,
    nbest as nbest,
)
from .encodings import (
    Encoded as Encoded,
    search_encodings as search_encodings,
)
from .errors import (
    InfeasibleError as InfeasibleError,
    InputError as InputError,
    LawfulError as LawfulError,
    LimitError as LimitError,
)
from .evaluation import evaluate as evaluate
from .explanation import (
    explain as explain,
    verify as verify,
    why_not as why_not,
)
from .labels import LabelSet as LabelSet
from .lattice import (
    GraphLattice as GraphLattice,
    Lattice as Lattice,
    Tagger as Tagger,
)
from .learning import (
    CoDL as CoDL,
    estimate_prices as estimate_prices,
    lint as lint,
    mine as mine,
)
from .models import (
    CRF as CRF,
    HMM as HMM,
    MEMM as MEMM,
    MaxEnt as MaxEnt,
    SemiCRF as SemiCRF,
    StructuredPerceptron as StructuredPerceptron,
    features as features,
    load_model as load_model,
)
from .rules import (
    Rule as Rule,
    Rules as Rules,
    allow_only as allow_only,
    allowed_transitions as allowed_transitions,
    at_least as at_least,
    at_least_segments as at_least_segments,
    at_most as at_most,
    at_most_segments as at_most_segments,
    automaton as automaton,
    before as before,
    change_only_after as change_only_after,
    context as context,
    ends_with as ends_with,
    exactly as exactly,
    exactly_segments as exactly_segments,
    excludes as excludes,
    forbid as forbid,
    label_at as label_at,
    not_followed_by as not_followed_by,
    pattern as pattern,
    requires as requires,
    same_label as same_label,
    segment_length as segment_length,
    starts_with as starts_with,
    token as token,
    uniform as uniform,
    valid_tags as valid_tags,
    when as when,
)
from .rules.checking.checker import check as check
from .rules.files import (
    describe as describe,
    read_rules as read_rules,
    write_rules as write_rules,
)
from .voting import (
    Ensemble as Ensemble,
    Vote as Vote,
    vote as vote,
)

__version__: str
