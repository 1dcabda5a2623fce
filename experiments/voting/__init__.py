"""Votes between models in several encodings: Tables 6.1 to 6.4 of Loper (2008)."""
