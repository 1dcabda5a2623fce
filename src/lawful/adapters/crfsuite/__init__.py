"""Models of CRFsuite (python-crfsuite, sklearn-crfsuite)."""

from __future__ import annotations

__all__: list[str] = []
