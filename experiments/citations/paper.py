"""The numbers of Chang, Ratinov & Roth (2012) on citations: test accuracy in per cent, by the number of labelled references."""

from __future__ import annotations

__all__ = ["PAPER", "PAPER_PROJECTIONS", "PAPER_RULES", "PAPER_SUPERVISION", "TARGETS"]

PAPER: dict[str, dict[int, float]] = {
    # Table 3
    "HMM": {5: 58.48, 10: 63.37, 20: 70.78, 300: 86.69},
    "HMM-CCM": {5: 71.64, 10: 75.44, 20: 81.15, 300: 93.92},
    "semi-HMM": {5: 64.55, 10: 69.86, 20: 75.35, 300: 87.89},
    "semi-HMM-CCM": {5: 77.65, 10: 81.51, 20: 85.11, 300: 94.32},
    # Table 4
    "HMM-CCM (punctuation)": {5: 63.68, 10: 66.88, 20: 77.52, 300: 93.35},
    "CRF": {5: 51.43, 10: 54.61, 20: 63.92, 300: 89.09},
    "semi-CRF": {5: 50.69, 10: 50.38, 20: 62.96, 300: 92.46},
    "semi-CRF+": {5: 60.14, 10: 62.51, 20: 72.22, 300: 94.60},
    # Table 6
    "semi-HMM-CCM, hard": {5: 78.18, 10: 81.11, 20: 85.16, 300: 92.80},
    # Table 9
    "SP L": {5: 53.61, 10: 63.17, 20: 70.00, 300: 91.69},
    "SP L+I": {5: 68.66, 10: 75.57, 20: 79.72, 300: 92.58},
    "SP IBT": {5: 65.41, 10: 72.83, 20: 75.36, 300: 89.72},
    "SP JIBT": {5: 62.28, 10: 70.06, 20: 78.76, 300: 94.57},
    # Table 10
    "semi-SP": {5: 65.84, 10: 73.22, 20: 79.20, 300: 93.75},
}

PAPER_RULES: dict[str, tuple[float, float]] = {
    # Table 7: each rule alone, hard, with 5 labelled references: supervised, semi-supervised
    "none": (58.48, 64.55),
    "Start": (58.52, 64.52),
    "AppearsOnce": (58.69, 65.92),
    "Punctuation": (63.68, 71.23),
    "BookJournal": (58.96, 64.68),
    "Date": (61.50, 66.76),
    "Editors": (58.70, 64.77),
    "Journal": (58.66, 64.73),
    "Note": (58.55, 64.61),
    "Pages": (58.77, 64.68),
    "TechReport": (58.73, 64.43),
    "Title": (59.66, 65.54),
    "Location": (58.81, 64.97),
    "hard": (71.64, 77.65),
}

PAPER_PROJECTIONS: dict[str, dict[int, float]] = {
    # Table 5: alternating projections (Bellare et al. 2009), with the test set or another one as the unlabelled data
    "AP-T": {5: 75.6, 20: 85.4, 300: 94.0},
    "AP-I": {5: 74.6, 20: 85.1, 300: 94.3},
}

PAPER_SUPERVISION: dict[str, float] = {
    # Section 5.2
    "HMM, 300 and CoDL's labels of the pool": 88.2,
    "HMM, 300 and test itself": 95.63,
    "HMM-CCM, 300 and test itself": 99.22,
}

TARGETS: list[tuple[str, int, float]] = [
    # What was asked for: a system, the number of labelled references, test accuracy.
    ("HMM-CCM", 300, 93.9),
    ("semi-HMM-CCM", 300, 94.3),
    ("SP JIBT", 300, 94.6),
    ("best with rules", 300, 95.5),
    ("HMM-CCM", 20, 81.2),
    ("semi-HMM-CCM", 20, 85.1),
    ("HMM-CCM", 5, 71.6),
    ("semi-HMM-CCM", 5, 77.7),
]
