"""What no answer could mend is refused when it is begun, and leaves nothing open."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import Company, table

WILL = {"character": "mara", "ability": "Will", "intent": "hold out", "task": "grit"}
OTHER = {"character": "tam", "ability": "Will", "intent": "break her", "task": "stare"}


def mending(**said: Any) -> dict[str, Any]:
    return {**WILL, **said}


BURNING = [
    ("standard_test", mending(helpers=["mara"]), "somebody else"),
    ("standard_test", mending(helpers=["tam", "tam"]), "each helper once"),
    ("standard_test", mending(gear=["a siege engine"]), "a siege engine"),
    ("standard_test", mending(instructions=["The Art of War"]), "instructions that mara has read"),
    ("versus_test", {"sides": [OTHER, mending(helpers=["mara"])]}, "somebody else"),
    ("versus_test", {"sides": [OTHER, mending(gear=["a siege engine"])]}, "a siege engine"),
    (
        "linked_tests",
        {"tests": [OTHER, mending(helpers=["tam", "tam"])], "intent": "win"},
        "each helper once",
    ),
]


@pytest.mark.parametrize(("procedure", "arguments", "why"), BURNING)
def test_help_and_gear_that_are_not_there(procedure: str, arguments: dict[str, Any], why: str):
    asyncio.run(_refused("burning_wheel", procedure, arguments, why))


async def _refused(game: str, procedure: str, arguments: dict[str, Any], why: str) -> None:
    async with table(game) as at:
        await _nothing_begins(at, procedure, arguments, why)


async def _nothing_begins(at: Company, procedure: str, arguments: Any, why: str) -> None:
    before = await at.state()
    with pytest.raises(Refusal, match=why):
        await at.begin(GM, procedure, **arguments)
    assert await at.state() == before
    assert before.standing.open == {}


def test_a_d100_assistant_who_is_elsewhere_or_untrained():
    async def play() -> None:
        async with table("percentile") as at:
            game = game_named("percentile")
            one, other = list((await at.state()).standing.characters)[:2]
            sheet = game.read((await at.sheet(other)), game.sheet, other)
            untrained = next(n for n in ("Repair", "Basket Weaving") if not sheet.is_trained(n))
            said = {"character": one, "task": "mend it", "assistants": [other]}
            await at.gm(do.MakeRuling("together", (do.RuledValue("scene", "places", {}),)))
            skilled = {**said, "ability": untrained}
            await _nothing_begins(at, "test", skilled, "not trained")
            places = {one: "the roof", other: "the cellar"}
            await at.gm(do.MakeRuling("apart", (do.RuledValue("scene", "places", places),)))
            await _nothing_begins(at, "test", {**said, "ability": "Int"}, "not beside")
            # Over a vox channel it is for the GM to say, and the test comes to its end.
            said = {"character": one, "task": "mend it", "ability": "Int", "over_vox": [other]}
            going = await at.begin(GM, "test", **said)
            await at.play_on(going)
            assert not await at.is_open(going)

    asyncio.run(play())
