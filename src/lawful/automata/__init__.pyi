from .acceptor import (
    EPSILON as EPSILON,
    Dfa as Dfa,
    Nfa as Nfa,
)
from .counting import (
    CountingMachine as CountingMachine,
    explore as explore,
)
from .operations.boolean import (
    combine as combine,
    complement as complement,
    difference as difference,
    intersection as intersection,
    symmetric_difference as symmetric_difference,
    union_dfa as union_dfa,
)
from .operations.build import (
    any_symbol as any_symbol,
    epsilon as epsilon,
    from_sequences as from_sequences,
    literal as literal,
    nothing as nothing,
    symbols as symbols,
)
from .operations.compare import (
    counterexample as counterexample,
    equivalent as equivalent,
    includes as includes,
    is_empty as is_empty,
    shortest_accepted as shortest_accepted,
)
from .operations.determinization import determinize as determinize
from .operations.minimization import (
    merge_classes as merge_classes,
    minimize as minimize,
    minimize_counting as minimize_counting,
)
from .operations.modes import (
    add as add,
    count_once as count_once,
    from_dfa as from_dfa,
    obeyed as obeyed,
)
from .operations.rational import (
    concatenate as concatenate,
    optional as optional,
    plus as plus,
    repeat as repeat,
    star as star,
    union as union,
)
from .operations.trimming import (
    live as live,
    trim as trim,
)
from .transducers.ambiguity import (
    Ambiguity as Ambiguity,
    find_ambiguity as find_ambiguity,
)
from .transducers.comparison import (
    equivalent_transducers as equivalent_transducers,
    find_difference as find_difference,
)
from .transducers.composition import compose as compose
from .transducers.determinization import determinize_transducer as determinize_transducer
from .transducers.inversion import (
    Passage as Passage,
    invert as invert,
    read_singly as read_singly,
)
from .transducers.minimization import minimize_transducer as minimize_transducer
from .transducers.openfst_text import (
    read_transducer as read_transducer,
    write_transducer as write_transducer,
)
from .transducers.synchronization import synchronize as synchronize
from .transducers.transducer import (
    Ending as Ending,
    Rewriting as Rewriting,
    Transducer as Transducer,
    TransducerArc as TransducerArc,
)
from .transducers.trimming import trim_transducer as trim_transducer
