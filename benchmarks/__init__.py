"""Benchmarks: speed and agreement, measured on one machine and written to docs/results. Run from the root of the repository."""
