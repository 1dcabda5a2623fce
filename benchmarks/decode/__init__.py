"""`make bench`: decoding speed of lawful beside the floor and its peers."""
