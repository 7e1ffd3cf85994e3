"""The X-card: everybody may raise it, play is paused, and nobody learns who it was."""

from __future__ import annotations

import pytest

from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden
from astragal.table.log.state import Role
from table.company import Company, encode, played


@pytest.mark.parametrize("seat", ["anna", "walt", GM])
@played
async def test_the_game_is_paused_and_nobody_is_told_by_whom(at: Company, seat: str):
    await at.sit("walt", Role.SPECTATOR)
    before = {other: len(await at.clients[other].hear()) for other in at.clients}
    assert before
    await at.do(seat, do.RaiseXCard(), "mark-of-this-device")
    told = {other: await at.clients[other].hear() for other in at.clients}
    assert len(set(map(tuple, told.values()))) == 1, "everybody hears the same"
    for other in (GM, "anna", "ben", "walt"):
        view = await at.view(other)
        assert view["campaign"]["paused"] == "Somebody raised the X-card."
        entry = view["log"][-1]
        assert entry["text"] == "Somebody raised the X-card. The game is paused."
        assert entry["seat"] == ""
    with pytest.raises(Forbidden, match="paused"):
        await at.do("anna", do.ThrowDice("1d6"))


@played
async def test_an_export_does_not_tell_it_either(at: Company):
    await at.do("anna", do.RaiseXCard(), "mark-of-this-device")
    file = await at.tables.export(at.id)
    assert file.entries[-1].seat == GM
    assert b"mark-of-this-device" not in encode(file)
    copy, _ = await at.tables.import_(encode(file))
    assert (await at.tables.campaign(copy)).paused == "Somebody raised the X-card."


@played
async def test_it_can_be_raised_during_a_pause_and_the_gm_resumes(at: Company):
    await at.gm(do.PauseGame("the pizza is here"))
    await at.do("ben", do.RaiseXCard())
    assert (await at.state()).paused == "Somebody raised the X-card."
    with pytest.raises(Forbidden):
        await at.do("ben", do.ResumeGame())
    await at.gm(do.ResumeGame())
    assert (await at.state()).paused is None
