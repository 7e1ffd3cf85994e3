"""What any group does, whatever the game: putting something to the vote."""

from __future__ import annotations

import asyncio

import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named, games
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.state import Role
from astragal.table.running.votes import procedure_of, procedures_of
from astragal.web.game_catalogue import offered_game
from table.company import Company, played, table


@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_knows_the_vote(name: str):
    game = game_named(name)
    assert procedures_of(game)["vote"] is procedure_of(game, "vote")
    assert set(procedures_of(game)) == {"vote", *game.procedures}
    offered = {each.name: each for each in offered_game(game).procedures}
    assert set(offered) == {"vote", *game.procedures}
    assert not offered["vote"].gm_only
    kinds = {field.name: field.kind for field in offered["vote"].form.fields}
    assert kinds == {"question": "text", "choices": "texts", "voters": "seats"}
    with pytest.raises(BadInput):
        procedure_of(game, "veto")

    async def play() -> str:
        async with table(name) as at:
            await at.sit("anna")
            vote = await at.begin(
                "anna", "vote", question="Tea?", choices=["yes", "no"], voters=["anna", GM]
            )
            await at.answer(vote, GM, "yes")
            await at.answer(vote, "anna", "yes")
            return str((await at.last()).items)

    assert "Tea? yes (yes 2, no 0)." in asyncio.run(play())


@played
async def test_a_tie_is_told_as_one(at: Company):
    vote = await at.begin(
        "anna", "vote", question="Which way?", choices=["up", "down", "on"], voters=["anna", "ben"]
    )
    await at.answer(vote, "anna", "on")
    await at.answer(vote, "ben", "up")
    told = str((await at.last()).items)
    assert "Which way? a tie between up and on (up 1, down 0, on 1)." in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choices", "voters"),
    [
        (["yes"], ["anna"]),
        (["yes", "yes"], ["anna"]),
        (["yes", "no"], []),
        (["yes", "no"], ["anna", "anna"]),
        (["yes", "no"], ["anna", "nobody"]),
        (["yes", "no"], ["watcher"]),
        (["yes", "no"], ["dov"]),
        (["y"] * 21, ["anna"]),
    ],
)
@played
async def test_a_vote_that_cannot_be_held_is_refused(
    at: Company, choices: list[str], voters: list[str]
):
    await at.sit("watcher", Role.SPECTATOR)
    await at.sit("dov")
    await at.gm(do.ChangeSeat("dov", "Dov", gone=True))
    before = await at.state()
    with pytest.raises(Refusal):
        await at.begin("anna", "vote", question="?", choices=choices, voters=voters)
    assert await at.state() == before


@played
async def test_a_vote_holds_no_character(at: Company):
    vote = await at.begin("anna", "vote", question="?", choices=["a", "b"], voters=["ben"])
    assert (await at.open(vote)).characters == ()
    await at.gm(do.EditSheet("mara", "concept", "free to change"))
    await at.do("anna", do.CancelProcedure(vote))
