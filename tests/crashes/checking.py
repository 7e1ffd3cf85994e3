"""What has to hold after all the crashes, looked up in the store itself."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec

from astragal.table.commands import commands as do
from astragal.table.hosted import LATEST
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.items import RolledItem
from astragal.table.log.state import Campaign
from astragal.table.store import open_store
from astragal.table.views.build import Views
from astragal.table.views.types import TableView
from crashes.evening import PATIENCE, Acknowledged, Evening


async def check(database: str, url: str, evening: Evening) -> None:
    """Nothing acknowledged is lost or changed, nothing happened twice, everything is over."""
    async with await open_store(database) as store:
        log = await store.entries(evening.campaign)
        known = await store.known(evening.campaign)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert known.last_seq == len(log)
    marks = [entry.mark for entry in log if entry.mark]
    assert len(marks) == len(set(marks))
    for told in evening.acknowledged:
        _check_entry(log, told)
    _check_throws(log)
    state = fold(Campaign(evening.campaign, evening.game, ""), log)
    assert not state.standing.open
    await _check_views(state, log, url, evening)


def _check_entry(log: list[LogEntry], told: Acknowledged) -> None:
    assert told.seq <= len(log), f"acknowledged, but not in the log: {told}"
    entry = log[told.seq - 1]
    assert (entry.seat, entry.mark) == (told.seat, f"{told.seat}:{told.mark}"), (entry, told)
    match told.command, entry.event:
        case do.SendMessage(text=text), happened.MessageSent(text=said):
            assert said == text
        case do.BeginProcedure(procedure=name, arguments=arguments), happened.ProcedureBegan(
            procedure=begun
        ):
            assert begun.name == name
            assert begun.arguments.items() >= _told_by(arguments).items()
        case do.AnswerQuestion(procedure=name, answer=answer), happened.AnswerGiven(given=given):
            assert entry.event.procedure == name
            assert any((each.seat, each.answer) == (told.seat, answer) for each in given), (
                f"{told.command} led to {given}"
            )
        case do.CancelProcedure(procedure=name), happened.ProcedureCancelled(procedure=cancelled):
            assert cancelled == name
        case _:
            raise AssertionError(f"{told.command} led to {entry.event}")


def _told_by(arguments: dict[str, object]) -> dict[str, object]:
    """The words in the arguments; the rest may have been filled in."""
    return {key: value for key, value in arguments.items() if isinstance(value, str)}


def _check_throws(log: list[LogEntry]) -> None:
    """Every throw of the session's dice has its number, and no number is used twice."""
    throws = [
        item.index
        for entry in log
        for item in _items(entry)
        if isinstance(item, RolledItem) and not item.typed
    ]
    assert throws == list(range(len(throws)))


def _items(entry: LogEntry) -> tuple[object, ...]:
    match entry.event:
        case happened.ProcedureBegan(procedure=begun):
            return begun.story
        case happened.AnswerGiven(items=items):
            return items
    return ()


async def _check_views(state: Campaign, log: list[LogEntry], url: str, evening: Evening) -> None:
    """What the server shows, and what people have seen, is what the log comes to."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        for name, seat in evening.seats.items():
            expected = _plain(Views(state).view(name, log[-LATEST:]))
            answer = await http.get(
                f"/api/t/{state.id}/view", headers={"Authorization": f"Bearer {seat.token}"}
            )
            shown = _plain(msgspec.json.decode(answer.content, type=TableView))
            assert _differing(shown, expected) == []
            seen = _plain(await seat.wait_until(lambda view: view.seq == state.seq, PATIENCE))
            # Whoever stayed all evening has more of the log, and who came back has less.
            both = min(len(seen["log"]), len(expected["log"]))
            seen |= {"log": seen["log"][-both:], "older": None}
            expected |= {"log": expected["log"][-both:], "older": None}
            assert _differing(seen, expected) == []


def _differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Where two views differ; the views themselves would fill pages."""
    return [part for part in one | other if one.get(part) != other.get(part)]


def _plain(view: TableView) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(view))
