from .answers.marginals import Marginals as Marginals
from .answers.ranking import Scored as Scored
from .arrays import ArrayDecodings as ArrayDecodings
from .confidence import (
    Confidence as Confidence,
    estimate_confidence as estimate_confidence,
)
from .decoder import Decoder as Decoder
from .functions import (
    count_legal as count_legal,
    decode as decode,
    iterate_best as iterate_best,
    log_partition as log_partition,
    marginals as marginals,
    nbest as nbest,
    sample as sample,
)
from .linear_program import to_lp as to_lp
from .prepared import (
    Prepared as Prepared,
    PreparedBatch as PreparedBatch,
)
from .result import (
    Decoding as Decoding,
    Decodings as Decodings,
)
