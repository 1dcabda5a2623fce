"""Everything that lawful raises.

One base class. A user's mistake is an `InputError`; it keeps what it knows as fields, and its message says
what was expected, what came, and what to do. A mistake of ours is an `InternalError`.

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
