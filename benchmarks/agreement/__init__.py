"""`make agreement`: all exact solvers find the same scores."""
