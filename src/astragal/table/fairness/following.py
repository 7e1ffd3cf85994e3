"""A log followed once more from its beginning: what it comes to, and whether snapshots say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from astragal.table.fairness.report import Finding
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.state import Campaign
from astragal.table.running.session import with_present_questions
from astragal.table.store.backup import CampaignRecord, SnapshotRecord
from astragal.table.views.build import Views

SHOWN = 80
"""How many of the latest entries are in the views that are compared."""

_read_campaign = msgspec.json.Decoder(Campaign).decode


def followed(
    known: CampaignRecord, entries: Sequence[LogEntry], snapshots: Sequence[SnapshotRecord]
) -> Iterator[Finding]:
    """What does not fit when the campaign is made from its entries alone."""
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
        return  # what is missing is told already, and nothing follows from the rest
    kept = {each.seq: each.data for each in snapshots if each.seq <= len(entries)}
    state = Campaign(known.id, known.game, known.title)
    for begins, ends in pairwise(sorted({0, *kept, len(entries)})):
        try:
            state = fold(state, entries[begins:ends])
            views = _views(state, entries[:ends])
        except Exception as error:  # whatever a spoilt entry may lead to
            where = f"from entry {begins + 1} to {ends} ({type(error).__name__})"
            yield Finding(0, begins + 1, True, f"The log cannot be followed {where}")
            return
        if ends in kept:
            yield from _compared(kept[ends], state, views, entries[:ends])
    if state.title != known.title:
        text = f"The list says {known.title!r}, but the campaign is called {state.title!r}"
        yield Finding(0, len(entries), True, text)


def _compared(
    data: bytes, state: Campaign, views: dict[str, bytes], entries: Sequence[LogEntry]
) -> Iterator[Finding]:
    """A snapshot only saves time: it has to be what the entries come to."""
    try:
        taken = _read_campaign(data)
        shown = _views(taken, entries)
    except Exception:  # it may hold anything
        text = f"The snapshot after entry {state.seq} cannot be opened"
        yield Finding(0, state.seq, True, text)
        return
    if with_present_questions(taken) == with_present_questions(state):
        return
    seats = [seat for seat in views | shown if views.get(seat) != shown.get(seat)]
    seen = f": {', '.join(seats)} would see something else" if seats else ""
    text = f"The snapshot after entry {state.seq} is not what the log comes to{seen}"
    yield Finding(0, state.seq, True, text)


def _views(state: Campaign, entries: Sequence[LogEntry]) -> dict[str, bytes]:
    """What each seat sees."""
    views = Views(with_present_questions(state))
    latest = list(entries[-SHOWN:])
    return {
        seat: msgspec.json.encode(views.view(seat, latest))
        for seat, chair in state.chairs.items()
        if not chair.gone
    }
