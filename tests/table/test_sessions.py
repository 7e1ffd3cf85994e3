"""A session begins with the first test, whoever makes it, and is there before the dice."""

from __future__ import annotations

import asyncio

import pytest

from astragal.errors import Refusal
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.log import events as happened
from table.company import Company, played, table
from table.memory import MemoryStore

TEST = {"character": "mara", "intent": "be let in", "task": "talk", "ability": "Persuasion"}


async def kinds(at: Company) -> list[str]:
    return [entry["kind"] for entry in (await at.view(GM))["log"]]


def test_a_new_campaign_has_no_session_until_somebody_begins_a_test():
    async def play() -> None:
        async with table(in_session=False) as at:
            await at.sit("anna", plays="mara")
            await at.do("anna", do.SendMessage("good evening"))
            assert (await at.state()).session is None
            test = await at.begin("anna", "test", **TEST)
            assert (await kinds(at))[-2:] == ["session_began", "began"]
            session = (await at.state()).session
            assert (session.number, session.throws) == (1, 0), "players can still add to its dice"
            await at.do("anna", do.ContributeToDice(1, "5a" * 32))
            await at.play_on(test)
            assert (await at.state()).session.throws > 0
            assert (await kinds(at)).count("session_began") == 1

    asyncio.run(play())


def test_dice_that_are_just_thrown_begin_one_too():
    async def play() -> None:
        async with table(in_session=False) as at:
            await at.gm(do.ThrowDice("3d6"))
            assert (await kinds(at))[-2:] == ["session_began", "threw"]

    asyncio.run(play())


def test_what_is_refused_begins_no_session():
    async def play() -> None:
        async with table(in_session=False) as at:
            await at.sit("anna", plays="mara")
            seq = (await at.state()).seq
            with pytest.raises(Refusal):
                await at.begin("anna", "test", **{**TEST, "character": "nobody"})
            with pytest.raises(Refusal):
                await at.gm(do.ThrowDice("three dice"))
            assert (await at.state()).seq == seq

    asyncio.run(play())


@played
async def test_the_first_test_of_the_next_evening_begins_the_next_session(at: Company):
    await at.gm(do.EndDiceSession())
    test = await at.begin("anna", "test", **TEST)
    assert (await at.state()).session.number == 2
    await at.gm(do.EndDiceSession())
    await at.play_on(test)
    assert (await at.state()).session.number == 3, "it ended before the dice of the test"


def test_two_processes_begin_one_session():
    async def play() -> None:
        store = MemoryStore()
        one, two = Tables(store), Tables(store)
        campaign, _ = await one.create("burning_wheel", "", demo=True)
        throws = (tables.do(campaign, GM, do.ThrowDice("2d6")) for tables in (one, two))
        first, second = await asyncio.gather(*throws)
        assert abs(first - second) == 1
        log = await store.entries(campaign)
        begun = [entry for entry in log if isinstance(entry.event, happened.SessionBegan)]
        assert [entry.event.number for entry in begun] == [1]
        for tables in (one, two):
            await tables.close()

    asyncio.run(play())
