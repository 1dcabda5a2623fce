"""Shared by all experiments: the journal of runs, the options and the pages."""
