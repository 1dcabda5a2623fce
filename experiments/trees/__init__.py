"""`make experiments-trees`: roles over the constituents of trees, histories, rules, and coherent role labels (Loper 2008, chapters 3 and 5)."""
