"""Everything that lawful raises.

There is one base class, `LawfulError`. A user's mistake is an `InputError`; its fields hold the details, and its message says
what was expected, what was found, and what to do. A bug in lawful is an `InternalError`.

>>> import lawful
>>> try:
...     lawful.LabelSet(["A", "A"])
... except lawful.errors.DuplicateLabelError as error:
...     print(error.label, error.first, error.second)
A 0 1
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
