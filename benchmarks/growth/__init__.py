"""`make bench-growth`: time and memory of decoding over length, labels, rules, violations and corpus size."""
