"""Shared by all benchmarks: the workloads, the timing, the floor, the machine and the paths."""
