"""`make experiments-srl`: semantic roles under rules, the tables of Roth & Yih (2005) and Tromble & Eisner (2006)."""
