"""The shared card at the table: drafts, who releases the dice, what stands unless it is struck."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden
from astragal.table.foresight.card_view import card_for
from astragal.table.log import events as happened
from astragal.table.log.items import DecidedItem, RolledItem
from astragal.table.running import card as cards
from astragal.table.running.session import RunningProcedure
from table.company import Company, played, table

TEST = game_named("burning_wheel").demo.suggestions[0]
ALONE = {**TEST.arguments, "helpers": [], "gear": []}


async def answers(at: Company, procedure: str, seat: str, **said: Any) -> tuple[Any, ...]:
    """Lines of a seat's card, by their keys."""
    lines = {each.key: each for each in (await at.tables.card(at.id, seat, procedure)).lines}
    return tuple(do.ReadyAnswer(key, lines[key].prompt, value) for key, value in said.items())


async def draft(at: Company, procedure: str, seat: str, **said: Any) -> int:
    return await at.do(seat, do.DraftAnswers(procedure, await answers(at, procedure, seat, **said)))


async def decided(at: Company) -> dict[str, Any]:
    """What was decided in the latest entry, by its key."""
    items = (await at.last()).items
    return {item.key: item.answer for item in items if isinstance(item, DecidedItem)}


@played
async def test_one_command_answers_everything_and_throws(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, obstacle=1)
    before = (await at.state()).seq
    await at.do("anna", do.ReleaseDice(test, await answers(at, test, "anna", boon=1)))
    assert (await at.state()).seq == before + 1
    said = await decided(at)
    assert (said["obstacle"], said["boon"], said["forks"]) == (1, 1, [])
    assert any(isinstance(item, RolledItem) for item in (await at.last()).items)


@played
async def test_what_hangs_on_a_choice_is_not_asked_before_it_is_made(at: Company):
    sides = [{"character": "mara", "ability": "Stealthy"}, {"character": "tam"}]
    test = await at.begin("anna", "versus_test", sides=sides)

    async def asked() -> list[str]:
        return [line.prompt for line in (await at.tables.card(at.id, GM, test)).lines]

    assert [each for each in await asked() if "fit the task" in each] == [
        "Does Stealthy fit the task?"
    ]
    await draft(at, test, "ben", ability="Observation")
    assert [each for each in await asked() if "fit the task" in each] == [
        "Does Stealthy fit the task?",
        "Does Observation fit the task?",
    ]


@played
async def test_ready_waits_for_what_is_needed_and_then_rolls(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await at.do("anna", do.ReleaseDice(test))
    assert (await at.view("ben"))["open"][0]["ready"] == ["anna"]
    assert not any(each.faces is not None for each in (await at.open(test)).given)
    await draft(at, test, GM, obstacle=3)
    assert isinstance(await at.last(), happened.AnswerGiven)
    assert (await decided(at))["obstacle"] == 3


@played
async def test_who_is_not_ready_after_all_is_not_rolled_for(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await at.do("anna", do.ReleaseDice(test))
    await at.do("anna", do.ReleaseDice(test, on=False))
    await draft(at, test, GM, obstacle=3)
    assert not any(each.faces is not None for each in (await at.open(test)).given)


@played
async def test_only_the_roller_releases(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    for seat in (GM, "ben"):
        with pytest.raises(Forbidden, match="waiting for Anna"):
            await at.do(seat, do.ReleaseDice(test))


@played
async def test_the_gm_holds_a_card_to_talk_first(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, obstacle=3)
    await at.gm(do.HoldCard(test, True))
    await at.do("anna", do.ReleaseDice(test))
    assert (await at.view("anna"))["open"][0]["held"] is True
    assert not any(each.faces is not None for each in (await at.open(test)).given)
    with pytest.raises(Refusal, match="already on hold"):
        await at.gm(do.HoldCard(test, True))
    await at.gm(do.HoldCard(test, False))
    assert (await decided(at))["obstacle"] == 3


@played
async def test_a_consent_stands_unless_it_is_struck_with_a_word_why(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    (strike,) = await answers(at, test, GM, fits=False)
    await at.gm(do.DraftAnswers(test, (do.ReadyAnswer(strike.key, strike.prompt, False, "no"),)))
    seen = await at.tables.card(at.id, "anna", test)
    struck = next(each for each in seen.lines if each.key == "fits")
    assert (struck.answer, struck.reason) == (False, "no")
    stands = do.ReadyAnswer(strike.key, strike.prompt, True)
    await at.gm(do.DraftAnswers(test, (stands, *await answers(at, test, GM, obstacle=3))))
    await at.do("anna", do.ReleaseDice(test))
    assert (await decided(at))["fits"] is True


@played
async def test_a_group_may_want_to_be_asked_for_consent(at: Company):
    await at.gm(do.ChangeTitle("By post", asks_consent=True))
    assert (await at.view("anna"))["campaign"]["asks_consent"] is True
    test = await at.begin("anna", TEST.procedure, **ALONE)
    card = await at.tables.card(at.id, "anna", test)
    consents = {each.key for each in card.lines if each.kind == "consent"}
    assert consents
    assert consents <= {each.key for each in card.lines if each.is_open}
    await at.do("anna", do.ReleaseDice(test))
    await draft(at, test, GM, obstacle=3)
    assert not any(each.faces is not None for each in (await at.open(test)).given)
    for _ in range(10):  # what is struck or granted may bring another line with it
        card = await at.tables.card(at.id, GM, test)
        wanted = [each for each in card.lines if each.is_open and each.seat == GM]
        if not wanted:
            break
        said = tuple(
            do.ReadyAnswer(each.key, each.prompt, each.question.default)
            for each in wanted
            if each.question is not None
        )
        await at.gm(do.DraftAnswers(test, said))
        if not isinstance(await at.last(), happened.AnswersDrafted):
            assert any(isinstance(item, RolledItem) for item in (await at.last()).items)
            return
    raise AssertionError("the dice were not thrown")


@played
async def test_a_wrong_answer_is_refused_and_nothing_is_kept(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    before = await at.state()
    for wrong in ("many", -1, 400):
        with pytest.raises(BadInput, match="obstacle"):
            await draft(at, test, GM, obstacle=wrong)
    assert await at.state() == before


@played
async def test_a_draft_is_taken_back_by_no_answer(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, obstacle=3)
    await draft(at, test, GM, obstacle=None)
    assert (await at.open(test)).prepared == ()


@played
async def test_with_dice_on_the_table_only_the_gm_cancels(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    assert (await at.view("anna"))["open"][0]["mine"] is True
    await draft(at, test, GM, obstacle=6)
    await at.do("anna", do.ReleaseDice(test))
    assert (await at.view("anna"))["open"][0]["mine"] is False
    with pytest.raises(Forbidden, match="dice are on the table"):
        await at.do("anna", do.CancelProcedure(test))
    await at.gm(do.CancelProcedure(test))


@played
async def test_real_dice_are_typed_in_after_the_release(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, obstacle=2)
    await at.do("anna", do.ReleaseDice(test))
    asked = await at.asked(test, "anna", "faces")
    assert (await at.open(test)).pending is not None
    with pytest.raises(Refusal, match="Dice are being rolled"):
        await at.gm(do.DraftAnswers(test, ()))
    await at.do("anna", do.AnswerQuestion(test, asked.step, [6] * asked.question.count))
    assert any(isinstance(item, RolledItem) for item in (await at.last()).items)


@played
async def test_drafts_are_no_entries_that_anybody_reads(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    read = len((await at.view("ben"))["log"])
    await draft(at, test, GM, obstacle=2)
    assert len((await at.view("ben"))["log"]) == read


@played
async def test_an_undo_brings_the_card_back(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, obstacle=2)
    before = await at.open(test)
    seq = (await at.state()).seq
    await at.do("anna", do.ReleaseDice(test))
    await at.gm(do.UndoEntries(seq))
    assert await at.open(test) == before


@played
async def test_dice_that_go_on_at_a_one_do_not_keep_the_table_waiting(at: Company):
    """Astrology rolls on with sixes and with ones: no supposed dice may do so for ever."""
    await at.gm(do.ChangeHouseRules({"edition": "gold"}))
    astrology = {"rating": "B3"}
    await at.gm(do.MakeRuling("a gift", (do.RuledValue("mara", "skills.Astrology", astrology),)))
    test = await at.begin("anna", "standard_test", character="mara", ability="Astrology")
    await draft(at, test, GM, obstacle=2)
    await at.do("anna", do.ReleaseDice(test))
    assert any(isinstance(item, RolledItem) for item in (await at.last()).items)


@played
async def test_those_who_know_the_same_have_a_card_walked_once(at: Company, monkeypatch):
    walks: list[tuple[Any, ...]] = []

    def counted(running: RunningProcedure, drafts: tuple[Any, ...], **named: Any) -> Any:
        walks.append(drafts)
        return walk(running, drafts, **named)

    walk = cards.table_card
    monkeypatch.setattr(cards, "table_card", counted)

    async def all_look() -> int:
        """All look twice, and see what they see where nothing was walked before."""
        walks.clear()
        here, test_now = await at.state(), await at.open(test)
        seen = {}
        for seat in (GM, "anna", "ben") * 2:
            seen[seat] = await at.tables.card(at.id, seat, test)
        walked = len(walks)
        for seat, card in seen.items():
            alone = RunningProcedure(game_named("burning_wheel"), test_now)
            assert card == card_for(alone, here, seat)
        return walked

    test = await at.begin("anna", TEST.procedure, **ALONE)
    assert await all_look() == 1
    await draft(at, test, GM, obstacle=1)
    assert await all_look() == 1  # who sees the obstacle is asked about it: all know of it
    # What is asked by nobody yet may be a secret: only its own seat has it on the card.
    await at.do("ben", do.DraftAnswers(test, (do.ReadyAnswer("later", "Is it so?", True),)))
    assert await all_look() == 2
    await at.do("ben", do.SendMessage("and nothing else"))
    assert await all_look() == 0
    await at.do("anna", do.DraftAnswers(test, (do.ReadyAnswer("later", "Is it so?", False),)))
    assert await all_look() == 3
    await at.do("anna", do.CancelProcedure(test))
    with pytest.raises(BadInput):
        await at.tables.card(at.id, GM, test)


def test_second_roll_of_a_contest_does_not_wait_for_somebody_who_decides_nothing():
    """What follows the first dice in the same entry is decided like what follows in a later one."""

    async def play() -> None:
        async with table("cores", demo=False) as at:
            core = dict.fromkeys(("physical", "mental", "social", "resolve"), "d6")
            for seat, name, knack in (("anna", "Jo", {"Chat": "social"}), ("ben", "Sam", {})):
                sheet = {"name": name, "core": core, "rocks": knack}
                await at.gm(do.AddCharacter(name.lower(), sheet))
                await at.sit(seat, plays=name.lower())
            sides = {
                "acting": {"character": "jo", "core": "social", "rocks": ["Chat"]},
                "opposing": {"character": "sam", "core": "resolve"},
            }
            test = await at.begin("anna", "opposed_test", **sides)
            await at.do("ben", do.ReleaseDice(test))
            assert not await at.is_open(test)
            rolled = [each for each in (await at.last()).items if isinstance(each, RolledItem)]
            assert [each.owner for each in rolled] == ["ben", "anna"]

    asyncio.run(play())
