from .aligned import add_parses as add_parses
from .bracketed import (
    read_tree as read_tree,
    sentence_tree as sentence_tree,
    write_tree as write_tree,
)
from .heads import (
    HEAD_RULES as HEAD_RULES,
    HeadRule as HeadRule,
    find_heads as find_heads,
)
from .tree import (
    Node as Node,
    Tree as Tree,
)
