"""`make experiments-ads`: generated ads under the rules of Table 2 of paper C."""
