"""The pieces of `make agreement`."""
