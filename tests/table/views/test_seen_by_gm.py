"""View as a player: what the server sends to that seat, but nobody's own secrets."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import Company, decode, encode, played

TEST, DUEL = game_named("burning_wheel").demo.suggestions[:2]


async def seen_as(at: Company, seat: str) -> dict:
    return decode(encode(await at.tables.view_as(at.id, seat)))


@played
async def test_it_is_the_view_of_that_seat(at: Company):
    await at.gm(do.AddCharacter("shade", sketch="Shade, 4s", hidden=True))
    await at.gm(do.ShowHandout("letter", "A letter", "for Anna", to=("anna",)))
    await at.gm(do.ShowHandout("other", "Another", "for Ben", to=("ben",)))
    await at.gm(do.ThrowDice("3d6", secret=True))
    await at.gm(do.WriteNote("mine", "the GM's own"))
    await at.do("ben", do.WriteNote("open", "for all", shared=True))
    await at.begin("anna", TEST.procedure, **TEST.arguments)
    for seat in ("anna", "ben"):
        assert await seen_as(at, seat) == await at.view(seat)
    text = encode(await seen_as(at, "anna")).decode()
    for secret in ("hade", "for Ben", "the GM's own"):
        assert secret not in text
    with pytest.raises(BadInput, match="seat"):
        await at.tables.view_as(at.id, "nobody")


@played
async def test_what_a_player_keeps_from_the_gm_is_not_in_it(at: Company):
    await at.do("anna", do.WriteNote("mine", "I do not trust him"))
    await at.do("anna", do.SendMessage("we leave at night", ("ben",)))
    await at.do("anna", do.SaveTest("gate", "Break in", TEST.procedure, TEST.arguments))
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.asked(duel, "anna", "script")
    own = encode(await at.view("anna")).decode()
    seen = encode(await seen_as(at, "anna")).decode()
    for secret in ("I do not trust him", "we leave at night", "Break in", '"key":"script"'):
        assert secret in own
        assert secret not in seen
    assert '"key":"script"' in encode(await at.tables.card(at.id, "anna", duel)).decode()
    assert '"key":"script"' not in encode(await at.tables.card_as(at.id, "anna", duel)).decode()


@played
async def test_the_card_is_that_of_the_seat_without_its_secret_lines(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    for seat in ("anna", "ben"):
        mine = await at.tables.card(at.id, seat, test)
        shown = await at.tables.card_as(at.id, seat, test)
        assert [line.key for line in shown.lines] == [line.key for line in mine.lines]
        assert [line.question for line in shown.lines] == [line.question for line in mine.lines]
