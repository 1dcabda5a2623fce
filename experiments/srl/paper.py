"""What the papers measured, to print beside what is measured here. F1 in per cent unless another unit is named."""

from __future__ import annotations

__all__ = ["AT_ONCE", "BROKEN", "GOLD_BROKEN", "ROLES", "SECONDS", "STEPS", "TRAINING_HOURS"]

# Roth & Yih (2005), Tables 1 and 2: basic, + no duplicate, + candidates, + at least one, + verb position, + disallow.
STEPS: dict[str, list[float | None]] = {
    "VP": [58.15, 64.33, 74.17, 74.02, 74.03, 74.49],
    "VW": [54.32, 61.87, 71.72, 71.76, 71.84, 72.04],
    "P": [53.03, 60.59, 70.03, 69.98, 70.05, 70.36],
    "W": [None, 59.13, 70.20, 70.32, 70.42, 70.67],
    "CRF-ML": [66.46, 67.10, 71.78, 71.71, 71.72, 71.94],
    "CRF-D": [69.14, 69.74, 73.64, 73.71, 73.78, 73.91],
    "CRF-D IBT": [None, None, None, None, None, 69.82],
}
TRAINING_HOURS = {"CRF-ML": 48.0, "CRF-D": 38.0, "CRF-D IBT": 145.0, "VP": 0.8, "VW": 0.8}  # Table 3

# Tromble & Eisner (2006), Tables 1 to 5, over 4,305 propositions.
ROLES = {"A0": 79.27, "A1": 75.59, "A2": 55.68, "A3": 46.41, "A4": 81.82, "A5": 25.00, "all": 74.51}
SECONDS = {"brute force": 0.522, "ILP": 0.162, "relaxation, random order": 0.009}
BROKEN = {
    "ARGUMENT CANDIDATES": 1619,
    "NO DUPLICATE A1": 899,
    "NO DUPLICATE A0": 348,
    "NO DUPLICATE A2": 151,
    "AT LEAST ONE ARGUMENT": 108,
    "DISALLOW ARGUMENTS": 48,
    "NO DUPLICATE A3": 13,
    "NO DUPLICATE A4": 3,
    "NO DUPLICATE A5": 1,
    "KNOWN VERB POSITION": 0,
}
AT_ONCE = {"0": 0.550, "1": 0.200, "2": 0.211, "3": 0.036, "4": 0.002, "5": 0.000}
GOLD_BROKEN = {
    "ARGUMENT CANDIDATES": 90,
    "AT LEAST ONE ARGUMENT": 27,
    "NO DUPLICATE A2": 3,
    "NO DUPLICATE A0": 2,
    "NO DUPLICATE A1": 2,
    "NO DUPLICATE A3": 1,
    "NO DUPLICATE A4": 1,
}
