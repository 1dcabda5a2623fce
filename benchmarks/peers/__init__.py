"""Other tools that solve the same problems exactly. Each runs in a process of its own: highspy and ortools clash."""
