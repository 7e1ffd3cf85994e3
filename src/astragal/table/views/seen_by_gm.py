"""What a player sees, shown to the GM: the view of that seat, without what is secret from the GM.

The GM sees the GM's secrets, not the players'. A private note, a message to other players and a
script that is still face down belong to the seat alone, so they are left out here; everything
else is what the server sends to that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from astragal.play import GM, Script, Seat
from astragal.table.log.events import LogEntry
from astragal.table.log.items import Item
from astragal.table.views.build import Views
from astragal.table.views.types import (
    CardView,
    EntryView,
    ProcedureView,
    TableView,
    WaitingSeat,
)


def view_as(views: Views, seat: Seat, log: Sequence[LogEntry]) -> TableView:
    """The view of a seat as the GM may look at it."""
    seen = views.view(seat, log)
    return replace(
        seen,
        open=tuple(_procedure(each) for each in seen.open),
        notes=tuple(note for note in seen.notes if note.shared or note.seat == GM),
        saved=(),
        log=tuple(entries_as(views, seat, log)),
    )


def entries_as(views: Views, seat: Seat, log: Iterable[LogEntry]) -> Iterator[EntryView]:
    """The entries that a seat may read, as far as the GM may read them, too."""
    for entry in log:
        seen = views.entry(seat, entry)
        if seen is not None and views.entry(GM, entry) is not None:
            yield replace(seen, items=_for_gm(seen.items))


def card_as(card: CardView, gms: CardView) -> CardView:
    """The card of a seat, as far as it is on the GM's own card as well (``gms``)."""
    known = {(line.seat, line.key, line.prompt): line for line in gms.lines}
    lines = []
    for line in card.lines:
        same = known.get((line.seat, line.key, line.prompt))
        if same is not None and not line.secret:
            lines.append(replace(same, question=line.question))
    rolls = tuple(roll for roll in card.rolls if roll in gms.rolls)
    return replace(card, lines=tuple(lines), rolls=rolls)


def _procedure(procedure: ProcedureView) -> ProcedureView:
    secret = tuple(each for each in procedure.questions if each.secret)
    asked = (
        WaitingSeat(each.seat, "", writes_script=isinstance(each.question, Script))
        for each in secret
    )
    story = _for_gm(procedure.story)
    return replace(
        procedure,
        questions=tuple(each for each in procedure.questions if not each.secret),
        waiting=(*procedure.waiting, *asked),
        story=story,
        told=len(story),
    )


def _for_gm(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(item for item in items if not item.audience or GM in item.audience)
