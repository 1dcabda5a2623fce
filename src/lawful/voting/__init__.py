"""Votes between taggers, in one encoding or in several: local, linear and log-linear, under rules."""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
