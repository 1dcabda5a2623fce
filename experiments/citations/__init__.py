"""`make experiments-citations`: the tables and figures of paper C on references."""
