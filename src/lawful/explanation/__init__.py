"""What the rules changed and why, what they cost, which answers came close, and proof that none is better."""

import lazy_loader

# The stub beside this file says which module defines each name; it is imported when the name is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
