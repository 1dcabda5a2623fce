"""Output encodings: chapter 4 of Loper (2008). `make experiments-encodings` runs it."""
