"""The pieces of `make families`: what `auto` should choose, measured on families of problems."""
