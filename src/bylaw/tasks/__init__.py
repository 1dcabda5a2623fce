"""Tasks of the papers: the readers of their corpora, and small corpora that are made here.

The corpora belong to others. `TASKS` says where to get each; `load` reads it from the folder that BYLAW_DATA names.
"""

from __future__ import annotations

from bylaw.tasks.catalogue import TASKS, load
from bylaw.tasks.generated_ads import generate_ads
from bylaw.tasks.generated_citations import generate_citations
from bylaw.tasks.rule_sets import RULE_SETS, load_rules
from bylaw.tasks.task import Task

__all__ = ["RULE_SETS", "TASKS", "Task", "generate_ads", "generate_citations", "load", "load_rules"]
