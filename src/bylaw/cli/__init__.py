"""The command line: one file a command; imports only the front door."""
