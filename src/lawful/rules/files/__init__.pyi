from .describing import describe as describe
from .reading import (
    RuleFile as RuleFile,
    parse_rule_file as parse_rule_file,
    parse_rules as parse_rules,
    read_rule_file as read_rule_file,
    read_rules as read_rules,
)
from .writing import (
    format_rules as format_rules,
    write_rules as write_rules,
)
