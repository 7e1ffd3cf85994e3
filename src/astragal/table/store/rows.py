"""Entries as rows of the log, and back."""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.table.log.events import AnyEvent, LogEntry, TitleChanged
from astragal.table.store.group_commit import LogRow
from astragal.table.store.interface import UnreadableEntry

LONGEST = 200
"""Of names, keys and marks: what a database can keep in an index, with room to spare."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def as_row(campaign: str, entry: LogEntry, text: bytes = b"") -> LogRow:
    """An entry as a row; refuses, before anything is written, what a database cannot keep.

    ``text`` is its event as JSON, where that has been written out already.
    """
    fits("campaign", campaign)
    fits("mark", entry.mark)
    fits("seat", entry.seat)
    fits("at", entry.at)
    try:
        event = (text or _encoder.encode(entry.event)).decode()
    except (UnicodeEncodeError, TypeError, ValueError) as error:
        raise BadInput("event", type(entry.event).__name__, f"plain data ({error})") from None
    title = entry.event.title if isinstance(entry.event, TitleChanged) else None
    if title is not None:
        fits("title", title)
    return LogRow(campaign, entry.seq, entry.at, entry.seat, entry.mark, event, title)


def as_entry(campaign: str, seq: int, at: str, seat: str, mark: str, event: str) -> LogEntry:
    """A row as an entry."""
    try:
        return LogEntry(seq, at, seat, _decoder.decode(event), mark)
    except msgspec.DecodeError as error:
        raise UnreadableEntry(campaign, seq, str(error)) from None


def fits(place: str, words: str) -> None:
    """Refuse words that PostgreSQL cannot keep (or index), so that both stores keep the same."""
    if len(words) <= LONGEST and words.isascii() and "\0" not in words:
        return
    if len(words) > LONGEST:
        raise BadInput(place, words[:20] + "...", f"at most {LONGEST} characters")
    if "\0" in words or not (words.isascii() or _is_unicode(words)):
        raise BadInput(place, words, "text without null characters or unpaired surrogates")


def _is_unicode(words: str) -> bool:
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True
