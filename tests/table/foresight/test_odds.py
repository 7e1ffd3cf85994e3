"""Foresight: the odds of what is being played, from where it stands, and for whom."""

from __future__ import annotations

import asyncio
import time
from fractions import Fraction

import pytest

from astragal.dice import OpenEnded, Pool, Shade
from astragal.errors import BadInput
from astragal.games import game_named
from astragal.odds import odds, plain
from astragal.play import GM, Number, Option, PickSeveral
from astragal.table.commands import commands as do
from astragal.table.foresight import odds_process
from astragal.table.foresight.odds import _answers, foresee
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.log.items import ToldItem
from astragal.table.log.state import OpenProcedure
from astragal.table.views.types import Foresight
from table.company import Company, encode, played, table, usual
from table.test_cards_of_conflicts import GUARD, Pressing, with_own_dice

GAME = game_named("burning_wheel")
TEST = GAME.demo.suggestions[0]
ALONE = {**TEST.arguments, "helpers": [], "gear": []}


def last(procedure: OpenProcedure, seat: str) -> Foresight:
    *_, found = foresee(GAME, procedure, seat)
    return found


async def before_the_throw(at: Company, obstacle: int) -> str:
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await at.play_on(test, until="boon", answers={"obstacle": obstacle})
    return test


def at_least(dice: int, wanted: int) -> float:
    """By hand: black dice, each a success with one chance in two."""
    from math import comb

    return float(Fraction(sum(comb(dice, n) for n in range(wanted, dice + 1)), 2**dice))


@pytest.mark.parametrize("obstacle", [1, 2, 3, 5])
@played
async def test_the_odds_are_those_of_the_dice(at: Company, obstacle: int):
    test = await before_the_throw(at, obstacle)
    sheet = await at.sheet("mara")
    assert sheet["skills"]["Streetwise"]["rating"] == "B4"
    found = last(await at.open(test), "anna")
    assert found.why_not == ""
    assert found.chance == pytest.approx(at_least(4, obstacle))
    assert found.options["0"] == pytest.approx(at_least(4, obstacle))
    assert found.options["1"] == pytest.approx(at_least(5, obstacle))
    pool = Pool.of(4, Shade.BLACK, open_ended=OpenEnded.NO)
    assert found.chance == pytest.approx(float(pool.at_least(obstacle)))
    assert sum(row[1] for row in found.rows) == pytest.approx(1, abs=0.02)
    good = sum(chance for _, chance, is_good in found.rows if is_good)
    assert good == pytest.approx(found.chance, abs=0.01)
    dice = next(number for number in found.numbers if number.name == "dice")
    assert dice.total == 4
    assert found.step == (await at.asked(test)).step


@pytest.mark.parametrize("obstacle", [1, 3, 4])
@played
async def test_the_odds_at_the_table_are_those_of_the_command_line(at: Company, obstacle: int):
    test = await before_the_throw(at, obstacle)
    found = last(await at.open(test), "anna")
    four = odds(plain("burning_wheel", dice=4, ob=obstacle))
    assert found.chance == pytest.approx(float(four.exact_chance))
    more = odds(plain("burning_wheel", dice=5, ob=obstacle))
    assert found.options["1"] == pytest.approx(float(more.exact_chance))


@played
async def test_after_the_throw_the_odds_are_certain_or_those_of_what_is_left(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    test = await before_the_throw(at, 3)
    await at.answer(test, "anna", 0)
    found = last(await at.open(test), "anna")
    assert found.why_not == "The dice are being rolled"
    await at.answer(test, "anna", [6, 5, 1, 1])
    asked = await at.asked(test)
    assert asked.key == "after_roll"
    found = last(await at.open(test), "anna")
    assert found.options['"nothing"'] == 0.0
    # Two successes and a six: luck opens the six for one more die.
    assert found.options['"luck"'] == pytest.approx(0.5)


@played
async def test_there_are_no_odds_where_a_secret_is_in_play(at: Company):
    duel = GAME.demo.suggestions[1]
    going = await at.begin(GM, duel.procedure, **duel.arguments)
    await at.play_on(going, until="script")
    await at.answer(going, "anna", ["point", "point", "point"])
    for seat in ("ben", GM, "anna"):
        assert "secret" in last(await at.open(going), seat).why_not
    await at.answer(going, GM, ["avoid", "point", "point"])
    for seat in ("ben", GM, "anna"):
        found = last(await at.open(going), seat)
        assert "secret" in found.why_not
        assert (found.chance, found.options, found.rows) == (None, {}, ())


@played
async def test_a_secret_procedure_has_no_odds_for_others(at: Company):
    steel = await at.begin(GM, "steel_test", True, character="tam", cause="surprise", source="x")
    procedure = await at.open(steel)
    assert last(procedure, "anna").why_not == "Something here is still secret"
    with pytest.raises(BadInput):
        await at.tables.foresee(at.id, "anna", steel)
    with pytest.raises(BadInput):
        await at.tables.foresee(at.id, GM, "p999")


@played
async def test_the_sheet_of_somebody_hidden_cannot_be_told_from_odds(at: Company):
    versus = await at.begin(
        GM,
        "versus_test",
        sides=[
            {"character": "mara", "intent": "a", "task": "b", "ability": "Will"},
            {"character": "captain_orrin", "intent": "c", "task": "d", "ability": "Will"},
        ],
    )
    found = await at.tables.foresee(at.id, "anna", versus)
    assert found.why_not == "You cannot see every sheet involved"
    assert (found.chance, found.numbers) == (None, ())


@played
async def test_what_is_still_to_be_answered_is_named(at: Company):
    vote = await at.begin(GM, "vote", question="?", choices=["a", "b"], voters=["anna"])
    found = last(await at.open(vote), "anna")
    assert (found.chance, found.why_not) == (None, "Still open: ?")


def test_of_too_many_choices_each_is_foreseen_by_itself():
    keys = [f"k{number}" for number in range(6)]
    options = tuple(Option(key=key, label=key) for key in keys)
    assert len(_answers(PickSeveral(options=options[:4], default=()))) == 16
    assert _answers(PickSeveral(options=options, default=())) == ((), *((key,) for key in keys))
    with_one = _answers(PickSeveral(options=options, default=("k2",)))
    assert with_one[:3] == (("k2",), ("k0", "k2"), ("k1", "k2"))
    assert with_one[-1] == ("k2", "k5")
    full = PickSeveral(options=options, least=1, most=3, default=("k0", "k1", "k2"))
    assert _answers(full) == (("k0", "k1", "k2"),)
    assert () not in _answers(PickSeveral(options=options, least=1))
    assert _answers(Number(least=1, most=999)) == ()


@played
async def test_the_chips_of_many_forks_show_what_each_would_do(at: Company):
    skills = [f"Trade {number}-wise" for number in range(6)]
    ratings = {name: {"rating": "B3", "roots": ["Perception"]} for name in skills}
    sheet = {**(await at.sheet("mara"))}
    await at.do(GM, do.EditSheet("mara", "skills", {**sheet["skills"], **ratings}, "for the test"))
    test = await at.begin("anna", TEST.procedure, **ALONE)
    await at.play_on(test, until="forks", answers={"obstacle": 3})
    question = (await at.asked(test)).question
    assert len(question.options) > 5
    found = last(await at.open(test), "anna")
    assert found.options["[]"] == pytest.approx(at_least(4, 3))
    singles = {key for key in found.options if key != "[]"}
    assert singles == {encode([option.key]).decode() for option in question.options}
    assert found.options[encode([skills[0]]).decode()] == pytest.approx(at_least(5, 3))


@pytest.mark.slow
def test_another_process_works_it_out():
    async def play() -> None:
        async with table() as at:
            await at.sit("anna", plays="mara")
            test = await before_the_throw(at, 2)
            found = await at.tables.foresee(at.id, "anna", test)
            assert encode(found) == encode(last(await at.open(test), "anna"))
            again = await at.tables.foresee(at.id, "anna", test)
            assert again == found

    asyncio.run(play())


def _takes_for_ever(game: str, procedure: bytes, *rest: object):
    if b"slow" in procedure:
        yield b'{"type":"odds","procedure":"p1","step":0,"chance":0.25}'
        time.sleep(60)
    if b"breaks" in procedure:
        raise KeyError("inside")
    yield b'{"type":"odds","procedure":"p1","step":0,"chance":0.5}'


def _slow_serve(pipe: object) -> None:
    odds_process.work_out = _takes_for_ever
    odds_process._serve(pipe)


def procedure(title: str) -> OpenProcedure:
    return OpenProcedure("p1", "x", title, "", {}, GM, (), {}, {}, {})


@pytest.mark.slow
def test_a_walk_that_takes_too_long_is_broken_off_and_the_next_one_works(monkeypatch):
    monkeypatch.setattr(odds_process, "_serve", _slow_serve)

    async def ask() -> None:
        wise = OddsProcess(seconds=3)
        try:
            assert (await wise.foresee("signs", procedure("quick"), GM, {})).chance == 0.5
            first = wise._process
            found = await wise.foresee("signs", procedure("slow"), GM, {})
            assert found.chance == 0.25  # what was known by then
            first.join(60)
            assert not first.is_alive()
            broken = await wise.foresee("signs", procedure("breaks"), GM, {})
            assert broken.why_not == "This cannot be worked out"
            assert (await wise.foresee("signs", procedure("quick"), GM, {})).chance == 0.5
        finally:
            wise.close()

    asyncio.run(ask())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cores", "signs", "percentile"])
def test_every_game_has_odds(name: str):
    game = game_named(name)

    async def play() -> list[Foresight]:
        seen = []
        async with table(name) as at:
            suggestion = game.demo.suggestions[0]
            test = await at.begin(GM, suggestion.procedure, **suggestion.arguments)
            for _ in range(30):
                if not await at.is_open(test):
                    break
                *_, found = foresee(game, await at.open(test), GM)
                seen.append(found)
                asked = await at.asked(test)
                answer = usual(asked.question)
                if isinstance(asked.question, Number) and asked.question.default is None:
                    answer = (asked.question.least + asked.question.most) // 2
                await at.do(asked.seat, do.AnswerQuestion(test, asked.step, answer))
        return seen

    seen = asyncio.run(play())
    chances = [each.chance for each in seen if each.chance is not None]
    assert chances
    assert all(0 <= chance <= 1 for chance in chances)
    assert any(0 < chance < 1 for chance in chances)


# --- In the middle of a conflict -------------------------------------------------------------

FIGHTS = {
    "sides": [
        {"fighters": [{"character": "rival"}]},
        {"fighters": [{"character": "guard"}]},
    ]
}
STRIKES = ("maintain", "strike", "block", "maintain", "strike", "maintain", "block")
BLOCKS = ("maintain", "block", "maintain", "block", "maintain", "block", "block")


@played
async def test_the_next_dice_of_a_fight_have_odds_as_soon_as_their_cards_lie_open(at: Company):
    """A Strike with 4 dice against Ob 1 and the successes of a Block with 4 dice."""
    bare = {**GUARD, "armor": {}}
    await at.gm(do.AddCharacter("guard", sheet=bare))
    rival = {**bare, "name": "The rival", "artha": {"persona": 1}}  # there is something to decide
    await at.gm(do.AddCharacter("rival", sheet=rival))
    await at.gm(do.GiveCharacter("rival", "anna"))
    await with_own_dice(at)
    fight = await at.begin("anna", "fight", **FIGHTS)
    scripts = {"anna": [STRIKES], GM: [BLOCKS]}
    pressing = Pressing(at, fight, lambda label: 3 if "rival" in label else 1, scripts)
    hits, before = None, 0
    while hits is None:
        await pressing._next()
        procedure = await at.open(fight)
        shown = [item for item in procedure.story if isinstance(item, ToldItem) and item.cards]
        seen = {seat: last(procedure, seat) for seat in (GM, "anna")}
        if not shown:
            assert not seen[GM].rolls
            assert not seen["anna"].rolls
            before += 1
            continue
        hits = dict(seen[GM].rolls).get("The rival, Strike")
    assert before > 2
    assert seen["anna"].rolls == seen[GM].rolls
    wins = sum(at_exactly(4, mine) * at_exactly(4, theirs) for mine, theirs in MORE)
    assert hits == pytest.approx(wins)
    assert dict(seen[GM].rolls)["The guard, Block"] == pytest.approx(1 - wins)
    found = await at.tables.foresee(at.id, "anna", fight)
    assert found.why_not == "You cannot see every sheet involved"
    assert [name for name, _ in found.rolls] == ["The rival, Strike, 4D: 2 or more successes"]


@played
async def test_own_dice_are_told_where_the_other_sheet_is_hidden_and_tell_nothing_of_it(
    at: Company,
):
    """Four dice of one's own: 69% for 2 or more; no word of the guard, however strong he is."""
    weak = {**GUARD, "armor": {}}
    strong = {**weak, "skills": {**GUARD["skills"], "Sword": "B6"}}
    rival = {**weak, "name": "The rival", "artha": {"persona": 1}}
    await at.gm(do.AddCharacter("rival", sheet=rival))
    await at.gm(do.GiveCharacter("rival", "anna"))
    await with_own_dice(at)
    told = []
    for key, sheet in (("guard", weak), ("other", strong)):
        await at.gm(do.AddCharacter(key, sheet=sheet))
        sides = [{"fighters": [{"character": each}]} for each in ("rival", key)]
        fight = await at.begin("anna", "fight", sides=sides)
        scripts = {"anna": [STRIKES], GM: [BLOCKS]}
        pressing = Pressing(at, fight, lambda label: 3 if "rival" in label else 1, scripts)
        seen = []
        while not any(name.startswith("The rival, Strike") for found in seen for name, _ in found):
            await pressing._next()
            seen.append((await at.tables.foresee(at.id, "anna", fight)).rolls)
        told.append([found for found in seen if found])
        assert all(name.startswith("The rival") for found in seen for name, _ in found)
        assert seen[-1] == (
            ("The rival, Strike, 4D: 2 or more successes", pytest.approx(at_least(4, 2))),
        )
        await at.gm(do.CancelProcedure(fight))
    assert told[0] == told[1]


MORE = [(mine, theirs) for mine in range(5) for theirs in range(5) if mine >= 1 + theirs]


def at_exactly(dice: int, wanted: int) -> float:
    return at_least(dice, wanted) - at_least(dice, wanted + 1)


# --- Where more than the test is hoped for ---------------------------------------------------

MAGE = {
    "name": "Han",
    "stats": dict.fromkeys(("Will", "Perception", "Power", "Forte", "Agility", "Speed"), "B4"),
    "attributes": {"Health": "B4", "Steel": "B4", "Reflexes": "B4"},
    "skills": {"Sorcery": "B4"},
    "traits": ["Gifted"],
    "idiom": "speech",
    "spells": [{"name": "Storm", "obstacle": 5, "actions": 2, "element": "Air", "origin": "Sight"}],
}


@played
async def test_the_odds_of_a_casting_are_to_cast_it_and_stay_on_ones_feet(at: Company):
    """8 open-ended dice against Ob 5; of 4 dice of Forte at least 2 for Tax, or all 4 are lost.

    With 1 success or less the shortfall is 4 or more.
    """
    await at.gm(do.AddCharacter("han", sheet=MAGE))
    casting = await at.begin("gm", "cast_spell", character="han", spell="Storm", intent="rain")
    found = last(await at.open(casting), GM)
    pool = Pool.of(8, Shade.BLACK, open_ended=OpenEnded.SIXES)
    assert found.chance == pytest.approx(float(pool.at_least(5)) * at_least(4, 2))
    assert found.hope == "to cast it and stay on your feet"
    totals = {number.name: number.total for number in found.numbers}
    assert totals == {"dice": 8, "obstacle": 5, "tax_dice": 4, "tax_obstacle": 5}
    assert found.wheel is not None
    chosen = {ring.name: ring.chosen for ring in found.wheel.rings}
    assert (chosen["element"], chosen["origin"], chosen["impetus"]) == ("Air", "Sight", "")
    assert all(ring.chosen in ("", *ring.places) for ring in found.wheel.rings)
