"""lawful: exact, fast, explainable sequence labelling under rules.

A tagger scores labels; rules say what it cannot know. `decode` finds the best label sequence under both, proves
that it is the best, and says what the rules cost.

>>> import lawful
>>> lattice = lawful.Lattice(
...     [[1.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 2.0, 1.5]], labels=["O", "Street", "City"]
... )
>>> lawful.decode(lattice).labels
('Street', 'City', 'Street')
>>> best = lawful.decode(lattice, lawful.at_most_segments(1, "Street"))
>>> best.labels, best.status, best.loss
(('Street', 'City', 'City'), 'optimal', 0.5)
"""

from __future__ import annotations

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
_import_name, _list_names, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "__version__":  # importlib.metadata takes longer to import than most of us
        from importlib.metadata import version

        return version("lawful")
    try:
        return _import_name(name)
    except ModuleNotFoundError as error:
        if error.name != "lawful._core":
            raise
        raise ImportError(
            "the compiled core of lawful is missing: this is a source tree that nobody has built. Run `make setup` "
            "in it, or `pip install .`"
        ) from error


def __dir__() -> list[str]:
    return [*_list_names(), "__version__"]
