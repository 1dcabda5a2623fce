"""`make recipe-np`, `recipe-pos`, `recipe-bio`: a tagger for each task of Loper (2008)."""
