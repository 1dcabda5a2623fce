"""`make experiments-mined`: mined rules at log odds and beside a model."""
