"""Features of tokens: declared templates, and the attributes that they make.

>>> from lawful.models.features import Features, at, column, join, kinds, suffix, window, word
>>> chunking = Features(
...     window(word(), -1, 1), window(column("pos"), -1, 1), join(at(-1, column("pos")), column("pos")), suffix(2, 3)
... )
>>> chunking.attributes([{"text": "the", "pos": "DT"}, {"text": "pound", "pos": "NN"}])[1]
['word[-1]=the', 'word=pound', 'pos[-1]=DT', 'pos=NN', 'pos[-1]|pos=DT|NN', 'suffix2=nd', 'suffix3=und']
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
