"""`make families`: which solver is fastest on which family of problems."""
