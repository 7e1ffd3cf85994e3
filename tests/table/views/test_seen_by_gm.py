"""View as a player: what the server sends to that seat, but nobody's own secrets."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.foresight.odds import SECRET, kept_from_gm
from astragal.table.log.state import PreparedAnswer
from astragal.table.review_reader import ReviewReader
from table.company import Company, decode, encode, played, usual

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


@pytest.mark.slow
@played
async def test_the_odds_are_those_of_the_seat(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    (line,) = [x for x in (await at.tables.card(at.id, GM, test)).lines if x.key == "obstacle"]
    await at.gm(do.DraftAnswers(test, (do.ReadyAnswer(line.key, line.prompt, 3),)))
    own = await at.tables.foresee(at.id, "anna", test)
    assert own.chance is not None
    assert await at.tables.foresee(at.id, "anna", test, by_gm=True) == own
    more = await at.tables.foresee(at.id, "anna", test, {"boon": 1}, by_gm=True)
    assert more.chance is not None
    assert more.chance > own.chance
    # A sheet that Anna may not read gives her no odds, and none are shown as hers.
    sides = [
        {"character": key, "intent": "a", "task": "b", "ability": "Will"}
        for key in ("mara", "advocate_ysmay")
    ]
    await at.gm(do.CancelProcedure(test))
    versus = await at.begin("anna", "versus_test", sides=sides)
    assert (await at.tables.foresee(at.id, GM, versus)).chance is not None
    seen = await at.tables.foresee(at.id, "anna", versus, by_gm=True)
    assert (seen.chance, seen.why_not) == (None, "You cannot see every sheet involved")


@played
async def test_there_are_no_odds_from_what_a_player_keeps_from_the_gm(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="obstacle")
    procedure = await at.open(test)
    assert not kept_from_gm(procedure, "anna")
    draft = PreparedAnswer("anna", "forks", "FoRKs", [])
    sealed = replace(procedure, prepared=(draft,))
    assert kept_from_gm(sealed, "anna")
    assert not kept_from_gm(sealed, "ben")
    assert not kept_from_gm(replace(procedure, prepared=(replace(draft, open=True),)), "anna")
    (item, *rest) = procedure.story
    for audience, kept in ((("anna",), True), (("anna", GM), False)):
        private = replace(procedure, story=(replace(item, audience=audience), *rest))
        assert kept_from_gm(private, "anna") is kept
        standing = (await at.state()).standing
        reader = ReviewReader("anna", standing, open_sheets=True, by_gm=True)
        assert reader.may_read(private) is not kept
        assert ReviewReader("anna", standing, open_sheets=True).may_read(private)


@played
async def test_a_script_against_the_gm_gives_no_odds(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    asked = await at.asked(duel, "anna", "script")
    await at.answer(duel, "anna", usual(asked.question), "script")
    seen = await at.tables.foresee(at.id, "anna", duel, by_gm=True)
    assert seen.why_not == SECRET


@played
async def test_earlier_entries_and_pictures_are_those_of_the_seat(at: Company):
    await at.do("anna", do.SendMessage("we leave at night", ("ben",)))
    await at.gm(do.ThrowDice("3d6", secret=True))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    end = await at.gm(do.EndDiceSession())
    own = await at.tables.older(at.id, "anna", end + 1)
    seen = await at.tables.older(at.id, "anna", end + 1, by_gm=True)
    assert [each for each in own if each not in seen] == [
        each for each in own if "we leave at night" in each.text
    ]
    assert len(seen) == len(own) - 1
    drawn = await at.tables.pictures(at.id, "anna", 1)
    assert drawn is not None
    assert drawn.pictures
    assert await at.tables.pictures(at.id, "anna", 1, by_gm=True) == drawn
    with pytest.raises(BadInput, match="seat"):
        await at.tables.check_seat(at.id, "nobody")
