"""`make bench-pipeline`: everything around the decoder, on real corpora."""
