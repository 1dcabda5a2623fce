"""What the dissertation measured (Loper 2008, chapter 4), to print beside what is measured here. In per cent."""

from __future__ import annotations

__all__ = ["CHUNKS", "CONJUNCTIONS", "HMMS", "SEARCHES", "SPEEDUP", "TRIALS"]

# Table 4.1: precision, recall, F1.
CHUNKS = {
    "canonical": (93.56, 93.82, 93.69),
    "hand-crafted": (93.64, 93.71, 93.67),
    "hand-crafted, subset features": (94.18, 94.23, 94.20),
}
CONJUNCTIONS = {"canonical": 91.13, "hand-crafted, subset features": 91.63}  # Table 4.2

# Tables 4.3 to 4.5: held-out and test, in the canonical and in the learned encoding, and after how many trials.
SEARCHES = {
    "np": {"canonical": (94.83, 93.69), "learned": (96.32, 94.56)},
    "pos": {"canonical": (95.81, 95.94), "learned": (96.62, 96.41)},
    "bio": {"canonical": (67.82, 67.56), "learned": (70.14, 69.98)},
}
TRIALS = {"np": 400, "pos": 150, "bio": 250}

# Tables 4.6 to 4.8: held-out and test after so many trials.
HMMS = {
    "all": {0: (87.78, 87.86), 20: (91.44, 91.41), 100: (91.69, 91.52), 1000: (91.82, 91.56)},
    "word and pos": {0: (82.21, 82.16), 100: (85.72, 85.08), 1000: (87.24, 87.12)},
    "back-off": {0: (87.78, 87.86), 100: (89.12, 88.94), 1000: (90.06, 89.59)},
}
SPEEDUP = "8 to 40"  # section 4.7.1
