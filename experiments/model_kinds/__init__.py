"""`make experiments-models`: every kind of model on citations and CoNLL-2000."""
