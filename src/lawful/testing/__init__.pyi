from .assertions import (
    assert_decodes_exactly as assert_decodes_exactly,
    assert_finds as assert_finds,
    same_score as same_score,
)
from .enumeration import (
    Best as Best,
    enumerate_all as enumerate_all,
    enumerate_best as enumerate_best,
    penalty as penalty,
)
from .generators.ensembles import (
    RandomEnsemble as RandomEnsemble,
    random_ensemble as random_ensemble,
)
from .generators.graphs import random_graph as random_graph
from .generators.label_sets import random_label_set as random_label_set
from .generators.lattices import (
    random_lattice as random_lattice,
    random_scores as random_scores,
)
from .generators.magnitudes import (
    random_magnitudes as random_magnitudes,
    wide_problem as wide_problem,
)
from .generators.pattern_sources import random_pattern as random_pattern
from .generators.problems import (
    RandomProblems as RandomProblems,
    random_problems as random_problems,
)
from .generators.rules import (
    RULE_KINDS as RULE_KINDS,
    random_rule as random_rule,
    random_rules as random_rules,
)
from .generators.satisfiability import (
    clause_lattices as clause_lattices,
    most_satisfied as most_satisfied,
    random_clauses as random_clauses,
)
from .generators.surroundings import (
    VOCABULARY as VOCABULARY,
    random_context as random_context,
    random_tokens as random_tokens,
)
from .generators.token_tests import random_token_test as random_token_test
from .rational import (
    ExactScore as ExactScore,
    best_exact_score as best_exact_score,
    exact_score as exact_score,
    rounding_between as rounding_between,
)
