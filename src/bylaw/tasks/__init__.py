"""Tasks of the papers: the readers of their corpora, and small corpora that are made here."""

from __future__ import annotations

from bylaw.tasks.catalogue import TASKS, load
from bylaw.tasks.task import Task

__all__ = ["TASKS", "Task", "load"]
