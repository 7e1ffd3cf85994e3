"""The card as each seat sees it: everybody's lines, and nobody's secrets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.views.types import CardView, LineView
from table.company import Company, played, table, usual

TEST = game_named("burning_wheel").demo.suggestions[0]
ALONE = {**TEST.arguments, "helpers": [], "gear": []}
DUEL = game_named("burning_wheel").demo.suggestions[1]


async def card(at: Company, seat: str, procedure: str) -> CardView:
    return await at.tables.card(at.id, seat, procedure)


async def line(at: Company, seat: str, procedure: str, key: str) -> LineView:
    return next(each for each in (await card(at, seat, procedure)).lines if each.key == key)


async def draft(at: Company, procedure: str, seat: str, key: str, answer: Any) -> int:
    asked = await line(at, seat, procedure, key)
    return await at.do(
        seat, do.DraftAnswers(procedure, (do.ReadyAnswer(key, asked.prompt, answer),))
    )


@pytest.mark.parametrize("name", ["burning_wheel", "cores", "percentile", "signs"])
def test_the_card_has_what_is_asked_one_by_one(name: str):
    """Two ways through a procedure up to its dice: the card, and question after question."""
    demo = game_named(name).demo

    async def play() -> None:
        async with table(name) as at:
            await at.sit("anna", plays=next(iter(demo.characters)))
            suggestion = demo.suggestions[0]
            test = await at.begin(GM, suggestion.procedure, **suggestion.arguments)
            foreseen = [(each.seat, each.key) for each in (await card(at, GM, test)).lines]
            asked = []
            while not any(each.faces is not None for each in (await at.open(test)).given):
                question = (await at.open(test)).questions[0]
                asked.append((question.seat, question.key))
                await at.do(
                    question.seat,
                    do.AnswerQuestion(test, question.step, usual(question.question)),
                )
                if not await at.is_open(test):
                    break
            assert foreseen == asked
            assert len(foreseen) >= 3

    asyncio.run(play())


@played
async def test_all_see_a_line_change_and_its_owner_changes_it(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    for seat in ("anna", "ben", GM):
        (obstacle,) = [each for each in (await card(at, seat, test)).lines if each.is_open]
        assert (obstacle.seat, obstacle.key, obstacle.words) == (GM, "obstacle", "")
    await draft(at, test, GM, "obstacle", 4)
    for seat in ("anna", "ben", GM):
        seen = await line(at, seat, test, "obstacle")
        assert (seen.answer, seen.drafted, seen.is_open) == (4, True, False)
    await draft(at, test, GM, "obstacle", 2)
    assert (await line(at, "anna", test, "obstacle")).answer == 2
    meddling = do.ReadyAnswer("obstacle", (await line(at, "ben", test, "obstacle")).prompt, 9)
    await at.do("ben", do.DraftAnswers(test, (meddling,)))
    assert (await line(at, GM, test, "obstacle")).answer == 2


@played
async def test_only_owner_and_gm_see_what_there_is_to_choose_from(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    assert (await line(at, "anna", test, "forks")).question is not None
    assert (await line(at, GM, test, "forks")).question is not None
    assert (await line(at, "ben", test, "forks")).question is None
    assert (await line(at, "anna", test, "obstacle")).question is None


@played
async def test_a_draft_is_there_after_a_reload_and_at_another_worker(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await draft(at, test, GM, "obstacle", 4)
    other = Tables(at.store)
    seen = await other.card(at.id, "ben", test)
    assert [each.answer for each in seen.lines if each.key == "obstacle"] == [4]
    await other.close()


@pytest.mark.slow
@played
async def test_odds_and_dice_follow_what_others_draft(at: Company):
    test = await at.begin("anna", TEST.procedure, **ALONE)
    assert (await at.tables.foresee(at.id, "anna", test)).chance is None
    await draft(at, test, GM, "obstacle", 4)
    hard = await at.tables.foresee(at.id, "anna", test)
    await draft(at, test, GM, "obstacle", 2)
    easy = await at.tables.foresee(at.id, "ben", test)
    assert hard.chance is not None
    assert easy.chance is not None
    assert hard.chance < easy.chance
    await draft(at, test, "anna", "boon", 1)
    boosted = await at.tables.foresee(at.id, GM, test)
    assert boosted.chance is not None
    assert boosted.chance > easy.chance


@played
async def test_where_a_secret_is_in_play_only_what_is_asked_now_is_shown(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["point", "rebuttal", "dismiss"])
    assert [each.key for each in (await card(at, GM, duel)).lines] == ["script"]
    assert (await card(at, "ben", duel)).lines == ()


@played
async def test_a_half_written_script_is_kept_for_its_writer_alone(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    for client in at.clients.values():
        await client.hear()
    await draft(at, duel, "anna", "script", ["point", "rebuttal", "dismiss"])
    (mine,) = [each for each in (await at.open(duel)).prepared if each.seat == "anna"]
    assert mine.answer == ["point", "rebuttal", "dismiss"]
    (again,) = (await card(at, "anna", duel)).lines
    assert (again.answer, again.drafted, again.is_open) == (mine.answer, True, True)
    for seat in (GM, "ben"):
        shown = [each.answer for each in (await card(at, seat, duel)).lines]
        assert shown in ([], [None])  # the GM writes one, too
        script = b'"point","rebuttal","dismiss"'
        assert not any(script in message for message in await at.clients[seat].hear())
