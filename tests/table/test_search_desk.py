"""The desk that searches for scripts: what it looks at, and what it does when there is no time."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Any

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table import search_desk
from astragal.table.advice import script_to_write
from astragal.table.commands.seat import SeatAt
from astragal.table.log.state import TablePartner
from astragal.table.script_due import ScriptToWrite
from astragal.table.search_desk import BY_TEMPERAMENT, SearchDesk, searched
from table.company import table
from table.test_secrets import FIGHT

pytestmark = pytest.mark.slow

FOUND = ("stay", "block", "stay", "block", "stay", "block")
MERCILESS = TablePartner(100)
LONG = 60.0
"""Seconds that are enough on a busy machine, too."""


@pytest.fixture(scope="module")
def due() -> ScriptToWrite:
    """A script of the GM's that is due in a fight."""

    async def play() -> ScriptToWrite:
        async with table() as company:
            await company.sit("anna", plays="mara")
            procedure = await company.begin(GM, "fight", **FIGHT)
            await company.play_on(procedure, until="script")
            here = await company.state()
            asked = await company.asked(procedure, GM, "script")
            at = SeatAt(here, game_named(here.game), GM)
            return script_to_write(at, await company.open(procedure), asked)

    return asyncio.run(play())


def written(
    desk: SearchDesk,
    due: ScriptToWrite,
    partner: TablePartner = MERCILESS,
    seconds: float = LONG,
) -> Any:
    """What a desk says in the end."""
    while True:
        advice = desk.answer(due, partner, seconds)
        if advice.progress == 1:
            return advice.drawn
        desk._waiting.join()


def another(due: ScriptToWrite, number: int) -> ScriptToWrite:
    return msgspec.structs.replace(due, prompt=f"{due.prompt} {number}")


def test_a_script_is_found_from_the_fight_as_it_stands(due):
    (asked,) = [each for each in due.procedure.questions if each.prompt == due.prompt]
    found = written(SearchDesk(), due)
    assert found
    assert asked.question.check(found) == found


def test_a_sheet_that_the_seat_cannot_read_is_not_looked_at(due):
    blind = msgspec.structs.replace(due, reads=("advocate_ysmay",))
    with pytest.raises(Refusal, match="cannot see"):
        searched(blind, LONG)
    assert written(SearchDesk(), blind) == BY_TEMPERAMENT


def test_without_time_there_is_no_script(due):
    assert written(SearchDesk(), due, seconds=0.0) == BY_TEMPERAMENT


@pytest.mark.parametrize(("dial", "least", "most"), [(100, 200, 200), (30, 35, 90), (1, 0, 15)])
def test_it_always_searches_and_plays_what_it_found_as_often_as_the_dial_says(
    due, dial, least, most, monkeypatch
):
    """Who hears when a script is written cannot tell which it was."""
    searches = []
    monkeypatch.setattr(search_desk, "searched", lambda *given: searches.append(given) or FOUND)
    desk = SearchDesk()
    found = [written(desk, due, TablePartner(dial)) for _ in range(200)]
    assert len(searches) == 200
    assert set(found) <= {FOUND, BY_TEMPERAMENT}
    assert least <= found.count(FOUND) <= most


def test_the_careless_are_not_searched_for(due, monkeypatch):
    monkeypatch.setattr(search_desk, "searched", lambda *given: pytest.fail("it searches"))
    assert SearchDesk().answer(due, TablePartner(0), LONG).drawn == BY_TEMPERAMENT


def test_when_too_many_wait_the_next_is_written_without_a_search(due, monkeypatch):
    begins, goes_on = Event(), Event()

    def search(*given: Any) -> Any:
        begins.set()
        assert goes_on.wait(60)
        return FOUND

    monkeypatch.setattr(search_desk, "searched", search)
    desk = SearchDesk(most=2)
    first, second, third = (another(due, number) for number in range(3))
    assert desk.answer(first, MERCILESS, LONG).progress == 0
    assert begins.wait(60)
    assert desk.answer(second, MERCILESS, LONG).progress == 0
    refused = desk.answer(third, MERCILESS, LONG)
    assert (refused.progress, refused.drawn) == (1.0, BY_TEMPERAMENT)
    assert desk.answer(first, MERCILESS, LONG).progress == 0, "who waits already goes on waiting"
    goes_on.set()
    assert written(desk, first) == written(desk, second) == FOUND
    assert desk.answer(third, MERCILESS, LONG).progress == 0, "there is room again"


def test_who_has_waited_too_long_is_not_searched_for(due, monkeypatch):
    monkeypatch.setattr(search_desk, "searched", lambda *given: FOUND)
    assert written(SearchDesk(waits=-1.0), due) == BY_TEMPERAMENT


def test_what_cannot_be_played_out_is_left_to_temperament_and_the_next_is_searched(due):
    desk = SearchDesk()
    lost = msgspec.structs.replace(due, prompt="Somebody else: script")
    assert written(desk, lost) == BY_TEMPERAMENT
    assert written(desk, due) != BY_TEMPERAMENT
