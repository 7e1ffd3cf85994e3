"""Scripts that are suggested: allowed, of each temperament, to whoever has to write one."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import Company, played
from table.test_cards_of_conflicts import GUARD


async def a_fight_with_scripts_to_write(at: Company) -> str:
    await at.gm(do.AddCharacter("guard", sheet=GUARD))
    await at.gm(do.AddCharacter("rival", sheet={**GUARD, "name": "The rival"}))
    await at.gm(do.GiveCharacter("rival", "anna"))
    sides = [{"fighters": [{"character": each}]} for each in ("rival", "guard")]
    fight = await at.begin(GM, "fight", sides=sides)
    while not any(each.key == "script" for each in (await at.open(fight)).questions):
        for seat in ("anna", GM):
            card = await at.tables.card(at.id, seat, fight)
            if seat in card.releasers and seat not in card.ready:
                await at.do(seat, do.ReleaseDice(fight))
    return fight


@played
async def test_each_temperament_has_a_script_that_can_be_locked_in(at: Company):
    fight = await a_fight_with_scripts_to_write(at)
    asked: dict[str, Any] = {each.seat: each for each in (await at.open(fight)).questions}
    for seat in (GM, "anna"):
        scripts = await at.tables.suggest(at.id, seat, fight, asked[seat].step)
        assert {each.key for each in scripts} == {"careful", "fierce", "sly"}
        for script in scripts:
            assert asked[seat].question.check(script.cards) == script.cards
        taken = do.AnswerQuestion(fight, asked[seat].step, list(scripts[0].cards))
        await at.do(seat, taken)
    assert all(each.key != "script" for each in (await at.open(fight)).questions)


@played
async def test_nobody_gets_scripts_for_what_others_are_asked(at: Company):
    fight = await a_fight_with_scripts_to_write(at)
    step = next(each.step for each in (await at.open(fight)).questions if each.seat == GM)
    with pytest.raises(BadInput, match="a script that you are asked for"):
        await at.tables.suggest(at.id, "ben", fight, step)
    with pytest.raises(BadInput, match="a script that you are asked for"):
        await at.tables.suggest(at.id, GM, fight, step + 1)


@played
async def test_a_duel_has_no_suggestions(at: Company):
    await at.gm(do.GiveCharacter("harbourmaster_dunn", GM))
    sides = [{"character": "mara", "skill": "Persuasion"}]
    sides += [{"character": "harbourmaster_dunn", "skill": "Oratory"}]
    duel = await at.begin("anna", "duel_of_wits", about="the roll", sides=sides)
    while not any(each.key == "script" for each in (await at.open(duel)).questions):
        for seat in ("anna", GM):
            card = await at.tables.card(at.id, seat, duel)
            if seat in card.releasers and seat not in card.ready:
                await at.do(seat, do.ReleaseDice(duel))
    step = next(each.step for each in (await at.open(duel)).questions if each.seat == "anna")
    assert await at.tables.suggest(at.id, "anna", duel, step) == ()
