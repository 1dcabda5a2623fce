"""`make bench-serve`: the playground under parallel requests."""
