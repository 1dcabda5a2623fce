"""`make experiments-addresses`: US addresses under the rule of usaddress."""
