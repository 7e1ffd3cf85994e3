"""A campaign grows with what happens in it: a late test costs what an early one did."""

from __future__ import annotations

import asyncio
import sys
import tracemalloc
from typing import Any

import msgspec
import pytest

from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.log.fold import fold
from astragal.table.log.paths import added
from astragal.table.log.state import Campaign
from table.company import Company, played, table

TESTS = 60
YOUNG, OLD = 100, 3000
PER_RESULT = 60
"""Bytes that a command may need for each result that rides: a few lists of them are made, and
each holds eight bytes for every one. To read or write one takes more than a hundred."""


async def roll(at: Company, number: int) -> tuple[int, int]:
    """A test with an intent of its own; how long its entries and what was heard of it are."""
    kept = at.store.kept[at.id].log
    before = len(kept)
    began = await at.begin(
        GM,
        "standard_test",
        character="mara",
        intent=f"look about ({number:02})",
        task="at the window",
        ability="Will",
    )
    await at.play_on(began, answers={"obstacle": 2})
    heard = await at.clients["anna"].hear()
    return sum(map(len, kept[before:])), sum(map(len, heard))


@played
async def test_what_rides_is_not_written_and_told_again_with_every_test(at: Company):
    cost = [await roll(at, number) for number in range(TESTS)]
    assert len((await at.scene())["rides"]) == TESTS
    # Tests take different courses; the shortest is among every fifteen.
    for early, late in zip(
        *(map(min, zip(*part, strict=True)) for part in (cost[30:45], cost[45:])), strict=True
    ):
        assert late < 1.05 * early
    # The latest thirty results are shown one by one, those before them as a number.
    (shown,) = (part for part in (await at.view("anna"))["scene"] if part["title"] == "Let it Ride")
    labels = [row["label"] for row in shown["rows"]]
    assert labels == ["Earlier", *(f"Mara, Will: look about ({each})" for each in range(30, 60))]
    assert shown["rows"][0]["value"] == "30 results"


async def aged(at: Company, results: int) -> Tables:
    """The same campaign after so many tests, opened from its snapshot."""
    state = await at.tables.campaign(at.id)
    kept = [
        {
            "character": "mara",
            "ability": "Will",
            "intent": f"the door of room {number}",
            "successes": number % 5,
            "passed": number % 5 > 1,
        }
        for number in range(results)
    ]
    standing = msgspec.structs.replace(
        state.standing, scene={**state.standing.scene, "rides": kept}
    )
    state = msgspec.structs.replace(state, standing=standing)
    await at.store.keep_snapshot(at.id, state.seq, msgspec.json.encode(state))
    return Tables(at.store)


async def cost(at: Company, number: int) -> tuple[int, int]:
    """How many functions a test by card calls, and how many bytes it needs at most at a time."""
    calls = 0

    def count(frame: Any, what: str, value: Any) -> None:
        nonlocal calls
        calls += what in ("call", "c_call")

    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    sys.setprofile(count)
    try:
        arguments = {"character": "mara", "ability": "Will", "task": "look"}
        began = await at.begin(GM, "standard_test", intent=f"look {number}", **arguments)
        drafted = do.ReadyAnswer("obstacle", "Obstacle", 2)
        await at.do(GM, do.DraftAnswers(began, (drafted,)))
        for seat in (GM, "anna"):
            await at.tables.card(at.id, seat, began)
        await at.play_on(began)
    finally:
        sys.setprofile(None)
        peak = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
    await at.clients["anna"].hear()
    return calls, peak


async def least(results: int, *, secretly: bool) -> tuple[int, int]:
    """What a test costs at least after so many: tests take different courses."""
    async with table() as at:
        at.tables = await aged(at, results)
        await at.sit("anna", plays="mara")
        if secretly:
            what = {"character": "mara", "ability": "Will", "task": "look", "intent": "in secret"}
            began = await at.begin(GM, "standard_test", True, **what)
            await at.play_on(began, answers={"obstacle": 2})
            assert (await at.state()).standing.known_scene is not None
        await cost(at, 0)  # what is looked up for the first time is indexed then
        calls, bytes_ = zip(*[await cost(at, number) for number in range(1, 12)], strict=True)
        assert len((await at.scene())["rides"]) == results + 12 + secretly
        await at.tables.close()
        return min(calls), min(bytes_)


@pytest.mark.parametrize("secretly", [False, True])
def test_an_old_campaign_calls_no_more_and_reads_no_more_than_a_young_one(secretly: bool):
    young = asyncio.run(least(YOUNG, secretly=secretly))
    old = asyncio.run(least(OLD, secretly=secretly))
    assert old[0] < 1.1 * young[0]
    assert old[1] - young[1] < PER_RESULT * (OLD - YOUNG)


@played
async def test_a_result_that_is_like_an_earlier_one_is_kept_beside_it(at: Company):
    what = {"character": "mara", "ability": "Will", "task": "look", "intent": ""}
    for _ in range(12):
        began = await at.begin(GM, "standard_test", **what)
        await at.play_on(began, answers={"obstacle": 9})  # nobody with Will 4 passes
    rides = (await at.scene())["rides"]
    assert len(rides) == 12
    assert any(each in rides[:at] for at, each in enumerate(rides))
    written = [
        item
        for entry in await at.log()
        for item in getattr(entry.event, "items", ())
        if getattr(item, "path", "") == "rides"
    ]
    assert [len(item.after) for item in written] == [1] * 12
    assert not any(item.before for item in written)
    # A fresh fold of the log leads to the same.
    again = fold(Campaign(at.id, "burning_wheel", ""), await at.log())
    assert again.standing.scene == await at.scene()


@played
async def test_of_a_result_that_no_longer_rides_only_that_is_written(at: Company):
    what = {"character": "mara", "ability": "Will", "task": "look"}
    for number in range(3):
        began = await at.begin(GM, "standard_test", intent=f"look {number}", **what)
        await at.play_on(began, answers={"obstacle": 2})
    before = (await at.scene())["rides"]
    settled = await at.begin(
        GM, "settle_intent", character="mara", ability="Will", intent="Look  1"
    )
    await at.play_on(settled)
    assert (await at.scene())["rides"] == [before[0], before[2]]
    (item,) = (item for item in (await at.last()).items if getattr(item, "path", "") == "rides")
    assert (item.before, item.after) == ([before[1]], [])
    again = fold(Campaign(at.id, "burning_wheel", ""), await at.log())
    assert again.standing.scene == await at.scene()


def test_what_came_to_the_end_of_a_list_is_taken_back_from_there():
    assert added([1, 2], [], [2]) == [1, 2, 2]
    assert added([1, 2, 2, 3], [2], []) == [1, 2, 3]
    assert added([1, 3], [2], []) == [1, 3]
    assert added(None, [], [2]) == [2], "somebody took the list away since"


async def look(at: Company, numbers: range, *secretly: bool) -> None:
    what = {"character": "mara", "ability": "Will", "task": "look"}
    for number in numbers:
        began = await at.begin(GM, "standard_test", *secretly, intent=f"look {number}", **what)
        await at.play_on(began, answers={"obstacle": 2})


@pytest.mark.parametrize("secretly", [False, True])
def test_a_result_that_was_taken_out_comes_back_to_its_place(secretly: bool):
    async def play() -> None:
        async with table() as at:
            await at.sit("anna", plays="mara")
            await look(at, range(2))
            if secretly:
                await look(at, range(2, 3), True)
            await look(at, range(3, 5))
            before = (await at.state()).standing
            what = {"character": "mara", "ability": "Will", "task": "look"}
            again = await at.begin(GM, "standard_test", intent="look 1", **what)
            await at.play_on(again, "obstacle", {"conditions_changed": "a lamp"})
            assert len((await at.scene())["rides"]) == len(before.scene["rides"]) - 1
            await at.gm(do.CancelProcedure(again))
            after = (await at.state()).standing
            assert after.scene == before.scene
            assert after.known_scene == before.known_scene
            read = fold(Campaign(at.id, "burning_wheel", ""), await at.log())
            assert read.standing == after

    asyncio.run(play())


@played
async def test_where_there_are_secrets_only_what_is_taken_out_is_written(at: Company):
    """Neither the log nor the time grows with all that rides, and a secret stays one."""
    await at.sit("anna", plays="mara")
    await look(at, range(4))
    await look(at, range(4, 5), True)
    known = (await at.state()).standing.known_scene
    assert known is not None
    what = {"character": "mara", "ability": "Will"}
    for number, shown in ((1, 1), (4, 0)):
        settled = await at.begin(GM, "settle_intent", intent=f"look {number}", **what)
        await at.play_on(settled)
        (item,) = (each for each in (await at.last()).items if getattr(each, "path", "") == "rides")
        assert [len(each) for each in (item.before, item.after)] == [1, 0]
        if item.known is not None:
            assert [len(each) for each in item.known] == [shown, 0]
    rides = known["rides"]
    standing = (await at.state()).standing
    assert (standing.known_scene or standing.scene)["rides"] == [rides[0], *rides[2:]]
