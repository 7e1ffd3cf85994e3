"""Small logs for the tests of the store."""

from __future__ import annotations

from astragal.table.log.events import CampaignCreated, LogEntry, MessageSent

AT = "2026-01-02T03:04:05Z"


def founding(title: str = "The Gift") -> LogEntry:
    return LogEntry(
        1, AT, "gm", CampaignCreated("burning_wheel", title, {"edition": "revised"}, {})
    )


def said(seq: int, text: str = "", mark: str = "") -> LogEntry:
    return LogEntry(seq, AT, "anna", MessageSent(text or f"line {seq}"), mark)


async def found(store, campaign: str = "c1", upto: int = 1) -> list[LogEntry]:
    """A new campaign with some entries."""
    entries = [founding(), *(said(seq) for seq in range(2, upto + 1))]
    await store.create(campaign, "burning_wheel", "The Gift", AT, entries)
    return entries
