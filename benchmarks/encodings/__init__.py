"""`make bench-encodings`: decoding through encodings, beside enumeration and beside the same model without one."""
