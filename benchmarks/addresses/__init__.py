"""Addresses and names, from strings to fields."""
