"""Looking ahead: what a seat will be asked before the dice, on one card."""

from __future__ import annotations

import asyncio

import pytest

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.items import RolledItem
from table.company import Company, played, table, usual

TEST = game_named("burning_wheel").demo.suggestions[0]
DUEL = game_named("burning_wheel").demo.suggestions[1]


@pytest.mark.parametrize("name", ["burning_wheel", "cores", "percentile", "signs"])
def test_what_is_foreseen_is_what_is_asked(name: str):
    game = game_named(name)

    async def play() -> None:
        async with table(name) as at:
            demo = game.demo
            await at.sit("anna", plays=next(iter(demo.characters)))
            suggestion = demo.suggestions[0]
            test = await at.begin(GM, suggestion.procedure, **suggestion.arguments)
            foreseen = {
                seat: [
                    (q.key, q.prompt) for q in (await at.tables.ahead(at.id, seat, test)).questions
                ]
                for seat in (GM, "anna")
            }
            asked: dict[str, list[tuple[str, str]]] = {GM: [], "anna": []}
            for _ in range(60):
                if not await at.is_open(test):
                    break
                procedure = await at.open(test)
                if any(each.faces is not None for each in procedure.given):
                    break  # dice were thrown
                question = procedure.questions[0]
                asked[question.seat].append((question.key, question.prompt))
                answer = usual(question.question)
                if question.key in ("obstacle", "dn"):
                    answer = 3
                if question.question.default is None and answer == "words":
                    answer = "..."
                await at.do(question.seat, do.AnswerQuestion(test, question.step, answer))
            for seat, seen in foreseen.items():
                assert asked[seat][: len(seen)] == seen[: len(asked[seat])]
            assert sum(map(len, foreseen.values())) >= 3

    asyncio.run(play())


@played
async def test_nobody_else_is_told_what_one_will_be_asked(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    for seat in ("anna", "ben", GM):
        ahead = await at.tables.ahead(at.id, seat, test)
        assert {question.seat for question in ahead.questions} <= {seat}
        assert ahead.prepared == ()
    mine = await at.tables.ahead(at.id, "anna", test)
    assert "boon" in [question.key for question in mine.questions]
    ready = tuple(do.ReadyAnswer(q.key, q.prompt, usual(q.question)) for q in mine.questions)
    await at.do("anna", do.PrepareAnswers(test, ready))
    assert (await at.tables.ahead(at.id, GM, test)).prepared == ()
    assert len((await at.tables.ahead(at.id, "anna", test)).prepared) == len(ready)
    # With all that prepared, nobody but the GM and the helper is asked before the dice.
    while not any(isinstance(item, RolledItem) for item in (await at.last()).items):
        asked = await at.asked(test)
        assert asked.seat != "anna", asked.key
        await at.do(asked.seat, do.AnswerQuestion(test, asked.step, usual(asked.question)))


@played
async def test_where_a_secret_is_in_play_only_what_is_asked_now_is_shown(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["point", "rebuttal", "dismiss"])
    ahead = await at.tables.ahead(at.id, GM, duel)
    assert [question.key for question in ahead.questions] == ["script"]
    await at.answer(duel, GM, ["point", "point", "point"])
    for seat in (GM, "ben"):
        ahead = await at.tables.ahead(at.id, seat, duel)
        now = [q.key for q in (await at.open(duel)).questions if q.seat == seat]
        assert [question.key for question in ahead.questions] == now


@played
async def test_it_says_whether_dice_follow_and_who_has_to_answer_before(at: Company):
    test = await at.begin("anna", TEST.procedure, **{**TEST.arguments, "helpers": [], "gear": []})
    mine = await at.tables.ahead(at.id, "anna", test)
    assert (mine.rolls, mine.waits) == (True, True)  # the GM has to name an obstacle
    gms = await at.tables.ahead(at.id, GM, test)
    assert (gms.rolls, gms.waits) == (True, True)
    ready = tuple(
        do.ReadyAnswer(q.key, q.prompt, 3 if q.key == "obstacle" else usual(q.question))
        for q in gms.questions
    )
    await at.do(GM, do.PrepareAnswers(test, ready))
    mine = await at.tables.ahead(at.id, "anna", test)
    assert mine.questions
    assert (mine.rolls, mine.waits) == (True, False)
    answers = tuple(do.ReadyAnswer(q.key, q.prompt, usual(q.question)) for q in mine.questions)
    await at.do("anna", do.PrepareAnswers(test, answers))
    assert any(each.faces is not None for each in (await at.open(test)).given)


@played
async def test_where_no_dice_follow_it_says_so(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="terms_wins")
    ahead = await at.tables.ahead(at.id, GM, duel)
    assert not ahead.rolls  # the scripts come first
