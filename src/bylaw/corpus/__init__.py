"""Text in and out: sentences from columns, JSONL, CSV, Parquet and XML, always streamed; spans of labels."""

from __future__ import annotations

__all__: list[str] = []
