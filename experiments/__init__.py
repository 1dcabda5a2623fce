"""Experiments: learning and decoding with rules on corpora, written to docs/results. Run from the root of the repository."""
