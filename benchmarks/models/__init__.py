"""`make bench-models`: training and tagging beside CRFsuite; and the speed of feature extraction."""
