from .ads.generated import generate_ads as generate_ads
from .catalogue import (
    TASKS as TASKS,
    load as load,
)
from .citations.generated import generate_citations as generate_citations
from .repeats import find_repeats as find_repeats
from .rule_sets import (
    RULE_SETS as RULE_SETS,
    load_rules as load_rules,
)
from .task import Task as Task
