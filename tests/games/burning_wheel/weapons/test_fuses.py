"""Making bombs, lighting them, and how long they burn."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.scene import BurningTable, FightMoment, LitBomb
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon
from astragal.games.burning_wheel.weapons.fuses import (
    Fuse,
    bomb_position,
    goes_off,
    misfire_die,
    next_volley,
    volleys_held,
)
from astragal.play import Play, defaults, exact, then
from games.burning_wheel.playing import Played, play, table

BOMB = Weapon("iron-cased bomb")


def bomber(*bombs: Any, **more: Any) -> BurningTable:
    return table(a={"stats": {"Speed": "B4"}, "weapons": list(bombs), **more})


# --- Making --------------------------------------------------------------------------------


@pytest.mark.rules("weapons.bomb.making")
@pytest.mark.parametrize("skill", ["Firebombs", "Alchemy", "Artillery", "Munitions"])
def test_four_skills_make_explosives(skill: str) -> None:
    at = bomber(skills={skill: "B4"})
    said = {"obstacle": 2, "on_failure": "it is badly made"}
    good = play("make_bomb", {"character": "a", "skill": skill}, at, said, [2])
    assert good.outcome.passed
    (bomb,) = good.table.characters["a"].weapons
    assert (bomb.weapon, bomb.badly_made) == ("iron-cased bomb", False)
    bad = play("make_bomb", {"character": "a", "skill": skill}, at, said, [1])
    assert bad.table.characters["a"].weapons[0].badly_made  # it is remembered with the bomb


@pytest.mark.rules("weapons.bomb.making")
def test_no_other_skill_makes_them_and_each_bomb_has_a_name() -> None:
    with pytest.raises(BadInput, match=r"skill: found 'Cooking'.*weapons\.bomb\.making"):
        play("make_bomb", {"character": "a", "skill": "Cooking"}, bomber())
    at = bomber(skills={"Alchemy": "B4"})
    said = {"obstacle": 2, "on_failure": "it is badly made"}
    one = play("make_bomb", {"character": "a", "skill": "Alchemy"}, at, said, [2])
    two = play("make_bomb", {"character": "a", "skill": "Alchemy"}, one.table, said, [2])
    assert (one.outcome.bomb, two.outcome.bomb) == ("bomb 1", "bomb 2")
    assert len(two.table.characters["a"].weapons) == 2


# --- Time ----------------------------------------------------------------------------------

moments = st.builds(FightMoment, st.integers(1, 5), st.integers(1, 3), st.integers(1, 4))


@pytest.mark.rules("weapons.bomb.fight.fuse_time")
@given(moments)
def test_a_fuse_burns_from_one_exchange_to_the_same_point_of_the_next(lit: FightMoment) -> None:
    due = goes_off(lit)
    assert (due.exchange, due.volley, due.action) == (lit.exchange + 1, lit.volley, lit.action)


def test_the_volley_after_the_last_is_in_the_next_exchange() -> None:
    assert next_volley(FightMoment(1, 1, 2)) == FightMoment(1, 2, 1)
    assert next_volley(FightMoment(1, 3, 1)) == FightMoment(2, 1, 1)


# --- Positioning ---------------------------------------------------------------------------


def lit(at: FightMoment) -> LitBomb:
    return LitBomb("a", BOMB, at, goes_off(at))


@pytest.mark.rules("weapons.bomb.fight.length")
@pytest.mark.parametrize(
    ("opponent", "dice"),
    [("longest", 0), ("longer", 1), ("long", 1), ("short", 2), ("shortest", 2)],
)
def test_a_lit_bomb_is_a_longest_weapon(opponent: str, dice: int) -> None:
    now = FightMoment(1, 1, 1)
    assert sum(line.amount for line in bomb_position(lit(now), opponent, now)) == dice


@pytest.mark.rules("weapons.bomb.fight.no_dice_while_lighting")
def test_a_bomb_that_is_being_lit_gives_no_dice() -> None:
    assert bomb_position(None, "shortest", FightMoment()) == ()


@pytest.mark.rules("weapons.bomb.fight.held_dice")
@pytest.mark.parametrize(
    ("now", "held"),
    [
        (FightMoment(1, 1, 2), 0),
        (FightMoment(1, 2, 1), 0),  # not yet a full volley
        (FightMoment(1, 2, 2), 1),
        (FightMoment(1, 3, 2), 2),
        (FightMoment(2, 1, 2), 3),
    ],
)
def test_each_volley_that_it_is_held_gives_a_die(now: FightMoment, held: int) -> None:
    began = FightMoment(1, 1, 2)
    assert volleys_held(began, now) == held
    dice = sum(line.amount for line in bomb_position(lit(began), "longest", now))
    assert dice == held


# --- Lighting ------------------------------------------------------------------------------


def light(fight: BurningTable, rolls: list[Any], answers: Any = None, **more: Any) -> Played:
    moment = {"exchange": 1, "volley": 2, "action": 2}
    return play("light_fuse", {"character": "a", "at": moment, **more}, fight, answers, rolls)


@pytest.mark.rules("weapons.bomb.fight.light_two_actions")
def test_lighting_takes_two_actions_and_a_flame() -> None:
    played = light(bomber("iron-cased bomb"), [[2]])
    assert played.outcome.actions == 2
    assert played.outcome.due == FightMoment(2, 2, 2)
    assert played.seats["flame"] == "gm"
    assert played.table.characters["a"].weapons == ()
    (burning,) = played.table.scene.bombs
    assert (burning.bomber, burning.due, burning.thrown) == ("a", FightMoment(2, 2, 2), False)
    with pytest.raises(NotAllowed, match=r"no flame.*weapons\.bomb\.fight\.light_two_actions"):
        light(bomber("iron-cased bomb"), [], {"flame": False})


@pytest.mark.parametrize(("bomb", "left"), [("", "second"), ("second", "first")])
def test_the_bomb_that_is_named_is_lit_or_else_the_first(bomb: str, left: str) -> None:
    both = [{"weapon": "iron-cased bomb", "name": name} for name in ("first", "second")]
    played = light(bomber(*both), [[2]], bomb=bomb)
    assert [each.called for each in played.table.characters["a"].weapons] == [left]
    with pytest.raises(BadInput, match=r"bomb: found 'third', expected .*: first, second"):
        light(bomber(*both), [], bomb="third")


def test_nobody_lights_two_at_once_or_one_that_is_not_there() -> None:
    second = {"weapon": "iron-cased bomb", "name": "second"}
    at = light(bomber("iron-cased bomb", second), [[2]]).table
    with pytest.raises(NotAllowed, match="already holds a lit bomb"):
        light(at, [])
    with pytest.raises(NotAllowed, match="A has no bomb: make one first"):
        light(bomber("sword"), [])
    with pytest.raises(BadInput, match=r"at\.volley: found 4, expected 1 to 3"):
        light(bomber("iron-cased bomb"), [], at={"volley": 4})


# --- Misfires ------------------------------------------------------------------------------


@pytest.mark.rules("weapons.bomb.misfire.roll")
@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_the_fuse_burns_on_anything_but_a_1(face: int) -> None:
    assert light(bomber("iron-cased bomb"), [[face]]).outcome.fuse is Fuse.BURNS
    bad = {"weapon": "iron-cased bomb", "badly_made": True}
    assert light(bomber(bad), [[face]]).outcome.fuse is Fuse.BURNS


@pytest.mark.rules("weapons.bomb.misfire.badly_made")
def test_a_badly_made_bomb_goes_off_at_once() -> None:
    bad = {"weapon": "iron-cased bomb", "badly_made": True}
    played = light(bomber(bad), [[1]])
    assert played.outcome.fuse is Fuse.AT_ONCE
    assert played.outcome.due == FightMoment(1, 2, 2)
    now = {"exchange": 1, "volley": 2, "action": 2}
    blast = play("explode", {"bomber": "a", "now": now}, played.table, None, [0, 1, [4]])
    (caught,) = blast.outcome.caught
    assert (caught.character, caught.distance) == ("a", "optimal")


@pytest.mark.rules("weapons.bomb.misfire.dud")
@pytest.mark.parametrize("face", [4, 5, 6])
def test_a_dud_never_goes_off(face: int) -> None:
    played = light(bomber("iron-cased bomb"), [[1], [face]])
    assert (played.outcome.fuse, played.outcome.due) == (Fuse.DUD, None)
    assert played.table.scene.bombs == ()
    assert played.table.characters["a"].weapons == ()


@pytest.mark.rules("weapons.bomb.misfire.early")
@pytest.mark.parametrize("face", [1, 2, 3])
def test_a_fast_fuse_burns_until_the_next_volley(face: int) -> None:
    played = light(bomber("iron-cased bomb"), [[1], [face]])
    assert (played.outcome.fuse, played.outcome.due) == (Fuse.NEXT_VOLLEY, FightMoment(1, 3, 1))


def how_it_burns(badly_made: bool) -> Play[Fuse]:
    return (yield from misfire_die(Weapon("iron-cased bomb", badly_made=badly_made), "gm"))


@pytest.mark.rules("weapons.bomb.misfire.roll")
def test_the_odds_of_a_fuse() -> None:
    for badly_made, expected in (
        (True, {Fuse.BURNS: Fraction(5, 6), Fuse.AT_ONCE: Fraction(1, 6)}),
        (
            False,
            {
                Fuse.BURNS: Fraction(5, 6),
                Fuse.DUD: Fraction(1, 12),
                Fuse.NEXT_VOLLEY: Fraction(1, 12),
            },
        ),
    ):
        odds = exact(then(how_it_burns, badly_made), defaults).weights
        assert {fuse: Fraction(w, sum(odds.values())) for fuse, w in odds.items()} == expected


@pytest.mark.rules("gold.tests.tools", "gold.tests.tools_and_luck", "weapons.bomb.making")
def test_in_the_later_edition_a_bomb_without_skill_and_tools_is_four_times_as_hard() -> None:
    stats = {"Perception": "B5"}
    at = table(options={"edition": "gold"}, a={"stats": stats})
    said = {"obstacle": 1, "on_failure": "it leaks", "roots": ["Perception"], "wants_tools": True}
    arguments = {"character": "a", "skill": "Munitions"}
    made = play("make_bomb", arguments, at, said, [3])
    assert (
        "against Ob 4 = 1 base obstacle + 1 Beginner's Luck: no Munitions + 2 no tools" in made.told
    )
    assert not made.outcome.passed
