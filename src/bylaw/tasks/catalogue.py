"""Every task by name."""

from __future__ import annotations

from os import PathLike

from bylaw.corpus import Sentence
from bylaw.errors import InputError
from bylaw.errors.wording import suggestion
from bylaw.tasks.citations import CITATIONS
from bylaw.tasks.conll2000 import CONLL2000
from bylaw.tasks.jnlpba import JNLPBA
from bylaw.tasks.rm95_basenp import RM95_BASENP
from bylaw.tasks.seminar_announcements import SEMINAR_ANNOUNCEMENTS
from bylaw.tasks.srl_conll_wsj import SRL_CONLL_WSJ
from bylaw.tasks.srl_ewt_propbank import SRL_EWT_PROPBANK
from bylaw.tasks.task import Task
from bylaw.tasks.ud_english_ewt import UD_ENGLISH_EWT
from bylaw.tasks.usaddress import USADDRESS

__all__ = ["TASKS", "load"]

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        CITATIONS,
        SEMINAR_ANNOUNCEMENTS,
        CONLL2000,
        RM95_BASENP,
        JNLPBA,
        UD_ENGLISH_EWT,
        USADDRESS,
        SRL_CONLL_WSJ,
        SRL_EWT_PROPBANK,
    )
}


def load(name: str, split: str, data: str | PathLike[str] | None = None) -> list[Sentence]:
    """The sentences of a split of a task's corpus, which the user has got from where it is offered.

    Parameters
    ----------
    name : str
        One of `TASKS`.
    split : str
        One of the task's `splits`.
    data : path or None
        The folder that holds a folder for each task; None: the one that BYLAW_DATA names.

    Examples
    --------
    >>> load("conll2000", "train", data="nowhere")
    Traceback (most recent call last):
        ...
    bylaw.errors.MissingDataError: the corpus 'conll2000' is not at nowhere/conll2000: train.txt.gz and test.txt.gz are at https://www.clips.uantwerpen.be/conll2000/chunking/; unpack them. Then pass data=FOLDER, or set BYLAW_DATA to it
    """
    if name not in TASKS:
        raise InputError(f"unknown task {name!r}; {suggestion(name, TASKS, 'tasks')}")
    return TASKS[name].load(split, data)
