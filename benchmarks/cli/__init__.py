"""`make bench-cli` and `make bench-stream`: where `lawful decode` spends its time, and its memory."""
