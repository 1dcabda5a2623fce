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
