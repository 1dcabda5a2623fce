"""All tasks by name."""

from __future__ import annotations

from os import PathLike

from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.tasks.addresses.usaddress import USADDRESS
from lawful.tasks.bio.jnlpba import JNLPBA
from lawful.tasks.chunking.conll2000 import CONLL2000
from lawful.tasks.chunking.rm95_basenp import RM95_BASENP
from lawful.tasks.citations.corpus import CITATIONS
from lawful.tasks.pos.ud_english_ewt import UD_ENGLISH_EWT
from lawful.tasks.seminars.corpus import SEMINAR_ANNOUNCEMENTS
from lawful.tasks.srl.conll_wsj import SRL_CONLL_WSJ
from lawful.tasks.srl.ewt_propbank import SRL_EWT_PROPBANK
from lawful.tasks.task import Task

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
    """Read the sentences of a split of a task's corpus, which must have been downloaded before.

    Parameters
    ----------
    name : str
        One of `TASKS`.
    split : str
        One of the task's `splits`.
    data : path, optional
        The folder that has a folder for each task; by default the one that LAWFUL_DATA names.

    Examples
    --------
    >>> load("conll2000", "train", data="nowhere")
    Traceback (most recent call last):
        ...
    lawful.errors.MissingDataError: the corpus 'conll2000' is not at nowhere/conll2000: train.txt.gz and test.txt.gz are at https://www.clips.uantwerpen.be/conll2000/chunking/; unpack them. Then pass data=FOLDER, or set LAWFUL_DATA to it
    """
    if name not in TASKS:
        raise InputError(f"unknown task {name!r}; {suggestion(name, TASKS, 'tasks')}")
    return TASKS[name].load(split, data)
