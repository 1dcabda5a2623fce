from .crfsuite.tagger import from_crfsuite as from_crfsuite
from .logits import (
    from_logits as from_logits,
    from_logits_batch as from_logits_batch,
)
from .nbest import from_nbest as from_nbest
from .parserator import (
    probablepeople as probablepeople,
    usaddress as usaddress,
)
from .pytorch_crf import from_pytorch_crf as from_pytorch_crf
from .sklearn import from_sklearn as from_sklearn
from .torch import from_torch as from_torch
from .transformers.tagger import from_transformers as from_transformers
