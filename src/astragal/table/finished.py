"""Finished procedures of a log, each with everything that it was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from astragal.play import AnswerRecord, RecordEntry, ThrowRecord
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import after
from astragal.table.log.items import DecidedItem, RolledItem
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.running.session import record_of

DUEL = "duel_of_wits"
"""The one conflict that is solved."""


def titled(procedure: OpenProcedure) -> str:
    """What a procedure is called, and what it was about."""
    title = procedure.title
    colon = "" if title.endswith("!") else ":"
    return f"{title}{colon} {procedure.about}" if procedure.about else title


def finished(game: str, entries: Iterable[LogEntry]) -> Iterator[OpenProcedure]:
    """The procedures that came to their end, each with everything that it was given.

    Those that were undone are not among them.
    """
    campaign = Campaign("review", game, "")
    ended: list[OpenProcedure] = []
    for entry in entries:
        event, before = entry.event, campaign.standing
        campaign = after(campaign, entry)
        match event:
            case happened.ProcedureBegan(procedure=procedure, over=True):
                stood = before.characters.items()
                sheets = {key: each.sheet for key, each in stood if key not in procedure.without}
                begun = replace(
                    procedure,
                    sheets=sheets,
                    scene=before.scene,
                    known_scene=None if procedure.secret else before.known_scene,
                    options=before.options,
                )
                ended.append(replace(begun, began=entry.seq))
            case happened.AnswerGiven(procedure=id, over=True, items=items, given=given):
                procedure = before.open[id]
                ended.append(
                    replace(
                        procedure,
                        story=procedure.story + items,
                        given=procedure.given + given,
                    )
                )
    return (each for each in ended if not campaign.is_undone(each.began))


def record_in(procedure: OpenProcedure, without: str = "") -> list[RecordEntry]:
    """What a procedure was given: as the log has it, or from what was told of it.

    Of what was told, the answers to one question may be left out, by its key.
    """
    if procedure.given:
        return record_of(procedure.given)
    record: list[RecordEntry] = []
    for item in procedure.story:
        if isinstance(item, DecidedItem) and item.key != without:
            record.append(AnswerRecord(item.seat, item.answer))
        elif isinstance(item, RolledItem):
            record.append(ThrowRecord(tuple(die.face for die in item.faces)))
    return record
