"""The armor test: what is rolled against which blow, and what ones do to armor."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.armor.armor import ArmorTest, LandedBlow, blow_of
from astragal.games.burning_wheel.sheet.armor_tables import LOCATIONS, piece_dice
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from astragal.games.ready import ready_sheet
from astragal.play import defaults, exact
from astragal.rules import catalogue
from games.burning_wheel.playing import AnyRolls, Played, play, table

SUIT = {"suit": "chainmail"}


def wearing(armor: Any = SUIT, options: dict[str, str] | None = None, **more: Any) -> BurningTable:
    ogre = {"stats": {"Power": "B7"}}
    return table(options=options, mara={"armor": armor, **more}, ogre=ogre, rat={})


def struck(
    at: BurningTable, rolls: AnyRolls | None, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    said = {"character": "mara", "location": "head", "damage": "B8", **more}
    return play("armor_test", said, at, answers, rolls)


def dice_at(played: Played, location: str = "head") -> int:
    return piece_dice(played.table.character("mara").armor[location]).total


# --- The test ------------------------------------------------------------------------------


@pytest.mark.rules(
    "armor.test.when",
    "armor.test.base_obstacle",
    "armor.test.success_negates_all",
    "armor.test.failure_full_damage",
    "armor.test.acts_like_ability",
)
def test_as_many_successes_as_the_obstacle_stop_a_blow_and_fewer_do_nothing():
    stopped = struck(wearing(), [[4, 2, 3, 2]])
    assert (stopped.outcome.passed, stopped.outcome.wound) == (True, "")
    assert (stopped.outcome.dice.total, stopped.outcome.obstacle.total) == (4, 1)
    through = struck(wearing(), [[3, 2, 3, 2]])
    assert (through.outcome.passed, through.outcome.wound) == (False, "B8")
    short = struck(wearing(), [[4, 5, 2, 2]], va=2)  # two of three: no less of a wound for it
    assert (short.outcome.successes, short.outcome.wound) == (2, "B8")
    assert len(short.rolls) == 1  # one test for each hit
    assert short.rolls[0].owner == "mara"  # rolled by whoever is struck


@pytest.mark.rules("armor.test.obstacle_total", "armor.va.obstacle_penalty", "armor.va.none")
@pytest.mark.parametrize("damage", ["B2", "B16"])
@pytest.mark.parametrize("va", [0, 1, 3])
def test_the_obstacle_is_one_and_the_va_whatever_the_damage(va: int, damage: str):
    assert struck(wearing(), [0], va=va, damage=damage).outcome.obstacle.total == 1 + va


@pytest.mark.rules("armor.va.power_seven")
def test_power_of_seven_adds_to_the_va_of_what_moves_by_it():
    at = wearing()
    assert struck(at, [0], va=1, attacker="ogre").outcome.obstacle.total == 3
    assert struck(at, [0], va=1, attacker="ogre", more_va=1).outcome.obstacle.total == 4
    assert struck(at, [0], va=1, attacker="ogre", strength=False).outcome.obstacle.total == 2
    assert struck(at, [0], va=1, attacker="rat").outcome.obstacle.total == 2
    six = table(mara={"armor": SUIT}, ogre={"stats": {"Power": "B6"}})
    assert struck(six, [0], va=1, attacker="ogre").outcome.obstacle.total == 2
    hurt = table(mara={"armor": SUIT}, ogre={"stats": {"Power": "B7"}, "wounds": ["Light"]})
    assert struck(hurt, [0], va=1, attacker="ogre").outcome.obstacle.total == 3


@pytest.mark.rules("armor.test.difficulty_number_by_shade")
@pytest.mark.parametrize(("shade", "least"), [("B", 4), ("G", 3), ("W", 2)])
def test_armor_dice_count_at_the_shade_of_the_armor_not_the_wearer(shade: str, least: int):
    at = wearing({"head": {"type": "chainmail", "shade": shade}}, stats={"Forte": "W5"})
    assert struck(at, [[least, least, least - 1, least - 1]]).outcome.successes == 2
    number = catalogue().table("armor.table.shade_damage").records()["BGW".index(shade)]
    assert number["difficulty_number"] == least


@pytest.mark.rules("armor.location.own_dice", "armor.shield.role")
def test_a_bare_location_has_no_test_shield_or_not():
    bare = struck(wearing({"body": "chainmail"}, shield="great shield"), [])
    assert (bare.outcome.tested, bare.outcome.passed, bare.outcome.wound) == (False, False, "B8")
    assert "no armor to test" in bare.told


@pytest.mark.rules("shades.armor.which_weapons")
def test_black_armor_is_nothing_to_a_gray_weapon():
    through = struck(wearing(), [], shade="G")
    assert not through.outcome.tested
    assert "no protection against a gray blow: head" in through.told
    gray = wearing({"head": {"type": "chainmail", "shade": "G"}})
    assert struck(gray, [0], shade="G").outcome.tested
    mail = wearing({"torso": {"type": "chainmail", "name": "Dwarven Mail"}})
    assert struck(mail, [0], shade="G", location="torso").outcome.tested


def test_of_two_limbs_the_side_is_picked_by_whoever_had_the_last_word():
    at = wearing({"right_arm": "chainmail", "left_arm": "leather"})
    own = struck(at, [0], {"side": "left_arm"}, location="arms", attacker="ogre")
    assert (own.seats["side"], own.outcome.dice.total) == ("mara", 1)
    moved = struck(at, [0], {"side": "right_arm"}, location="arms", attacker="ogre", moved=True)
    assert (moved.seats["side"], moved.outcome.dice.total) == ("ogre", 4)
    assert "side" not in struck(at, [0], location="left_arm").asked


def test_a_hit_of_the_chapter_on_weapons_is_a_blow():
    blow = blow_of(Damage("arms", Stage.MARK, "G", 9, 2))
    assert (blow.va.total, blow.shade.letter, blow.damage) == (2, "G", "G9")
    assert LandedBlow().va.total == 0


# --- Damage ----------------------------------------------------------------------------------


@pytest.mark.rules("armor.damage.ones", "armor.damage.timing", "armor.damage.location_only")
def test_a_one_costs_the_location_a_die_from_the_next_test_on_pass_or_fail():
    first = struck(wearing(), [[1, 4, 4, 4]], va=2)
    assert first.outcome.passed  # with all four dice: the lost one was in it
    assert (first.outcome.dice.total, first.outcome.lost, dice_at(first)) == (4, 1, 3)
    assert {where: dice_at(first, where) for where in LOCATIONS if where != "head"} == {
        where: 5 if where == "torso" else 4 for where in LOCATIONS if where != "head"
    }
    second = struck(first.table, [[1, 2, 2]])
    assert not second.outcome.passed
    assert (second.outcome.dice.total, dice_at(second)) == (3, 2)
    assert dice_at(struck(second.table, [[2, 2]])) == 2


@pytest.mark.rules("armor.quality.poor", "armor.quality.run_of_the_mill")
@pytest.mark.parametrize(("quality", "lost"), [("poor", 3), ("run_of_the_mill", 1)])
def test_all_ones_count_for_poor_armor_and_one_for_ordinary(quality: str, lost: int):
    at = wearing({"head": {"type": "chainmail", "quality": quality}})
    assert struck(at, [[1, 1, 1, 5]]).outcome.lost == lost
    assert struck(at, [[2, 3, 2, 5]]).outcome.lost == 0


@pytest.mark.rules("armor.quality.superior")
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_superior_armor_rolls_its_one_again_and_only_another_one_hurts(face: int):
    at = wearing({"head": {"type": "chainmail", "quality": "superior"}})
    run = struck(at, [[1, 1, 2, 2], [face]])
    assert run.outcome.lost == (1 if face == 1 else 0)
    assert run.outcome.successes == 0  # the reroll is no success of the test
    declined = struck(at, [[1, 1, 2, 2]], {"reroll_one": False})
    assert declined.outcome.lost == 1
    assert "reroll_one" not in struck(at, [[2, 2, 2, 2]]).asked


@pytest.mark.rules("armor.damage.shade_immunity_gray", "armor.damage.shade_immunity_white")
@pytest.mark.parametrize(
    ("armor", "attack", "lost"),
    [("B", "B", 1), ("G", "B", 0), ("G", "G", 1), ("W", "B", 0), ("W", "G", 0), ("W", "W", 1)],
)
def test_a_darker_attack_damages_no_armor(armor: str, attack: str, lost: int):
    at = wearing({"head": {"type": "chainmail", "shade": armor}})
    run = struck(at, [[1, 1, 1, 1]], shade=attack)
    assert (run.outcome.tested, run.outcome.lost) == (True, lost)


@pytest.mark.rules("armor.damage.zero_dice")
def test_armor_without_dice_gives_no_test():
    last = struck(wearing({"head": "hood"}), [[1]])
    assert dice_at(last) == 0
    assert "no dice left" in last.told
    none = struck(last.table, [])
    assert (none.outcome.tested, none.outcome.wound) == (False, "B8")


LOCATION = st.sampled_from(LOCATIONS)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(LOCATION, st.integers(0, 2), st.integers(1, 6)), max_size=14))
def test_armor_dice_never_go_below_zero_and_never_come_back_by_themselves(
    blows: list[tuple[str, int, int]],
):
    at = wearing({"suit": {"type": "plated leather", "quality": "poor"}, "legs": "half mail"})
    before = {w: piece_dice(p).total for w, p in at.character("mara").armor.items()}
    for location, va, face in blows:
        rolls = [[face] * before[location]] if before[location] else []
        at = struck(at, rolls, location=location, va=va).table
        after = {w: piece_dice(p).total for w, p in at.character("mara").armor.items()}
        assert all(0 <= after[where] <= before[where] for where in after)
        gone = 0 if face != 1 else (before[location] if location[-3:] != "leg" else 1)
        assert before[location] - after[location] == min(gone, before[location])
        before = after


# --- Artha -----------------------------------------------------------------------------------


RICH = {"artha": {"fate": 1, "persona": 3, "deeds": 2}}


@pytest.mark.rules("armor.artha.allowed", "artha.divine_inspiration.not_reflexes_or_equipment")
def test_artha_may_be_spent_on_armor_but_for_doubling():
    run = struck(wearing(**RICH), [[6, 2, 2, 2], [1, 1, 5]], {"boon": 3})
    assert run.outcome.dice.total == 7
    assert (run.outcome.successes, run.outcome.ones) == (2, 0)  # Boon dice do no damage
    assert "divine_inspiration" not in run.asked
    assert run.changed == {"mara.artha.persona": 0}
    later = struck(
        wearing(options={"edition": "gold"}, **RICH), [0, 0], {"divine_inspiration": True}
    )
    assert later.outcome.dice.total == 8  # there it has no exceptions


def test_luck_rolls_on_for_sixes_and_its_dice_do_no_damage():
    run = struck(wearing(**RICH), [[6, 2, 2, 2], [1]], {"after_roll#1": "luck"}, va=1)
    assert (run.outcome.successes, run.outcome.lost) == (1, 0)
    assert run.changed == {"mara.artha.fate": 0}


def test_saving_grace_takes_ones_away_and_may_bring_new_ones():
    grace = {"after_roll": "saving_grace"}
    saved = struck(wearing(artha={"deeds": 1}), [[1, 1, 2, 5], [2, 3, 6]], grace)
    assert (saved.outcome.successes, saved.outcome.ones, saved.outcome.lost) == (2, 0, 0)
    worse = struck(wearing(artha={"deeds": 1}), [[2, 2, 2, 5], [1, 3, 6]], grace)
    assert (worse.outcome.ones, worse.outcome.lost) == (1, 1)
    assert worse.changed == {"mara.artha.deeds": 0, "mara.armor.head.lost": 1}


# --- Drivers and bad input -------------------------------------------------------------------


def brute(dice: int, obstacle: int) -> dict[tuple[bool, int], Fraction]:
    found: dict[tuple[bool, int], Fraction] = {}
    for faces in product(range(1, 7), repeat=dice):
        passed = sum(face >= 4 for face in faces) >= obstacle
        key = (passed, min(1, faces.count(1)))
        found[key] = found.get(key, Fraction(0)) + Fraction(1, 6**dice)
    return found


@pytest.mark.rules("armor.damage.ones", "armor.quality.run_of_the_mill")
def test_the_odds_of_stopping_and_of_damage_are_those_of_every_throw():
    at = wearing()
    procedure = GAME.procedure("armor_test")
    odds = exact(procedure.start(ArmorTest("mara", "torso", va=1), at), defaults)
    both = odds.map(lambda o: (o.passed, o.lost))
    expected = brute(5, 2)
    assert {key: both.chance(key) for key in expected} == expected


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"location": "tail"}, r"location: found 'tail'.*\[armor\.location\.six\]"),
        ({"va": -1}, r"va: found -1.*\[armor\.va\.obstacle_penalty\]"),
        ({"va": 40}, "va: found 40"),
        ({"shade": "X"}, "shade: found 'X'"),
        ({"character": "nobody"}, "character: found 'nobody'"),
        ({"attacker": "nobody"}, "attacker: found 'nobody'"),
    ],
)
def test_what_makes_no_sense_is_refused(more: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        struck(wearing(), [], **more)


@pytest.mark.rules("extended_example.trait.chitin")
@pytest.mark.parametrize(("location", "dice"), [("torso", 4), ("head", 4), ("left_leg", 3)])
def test_a_spiders_shell_is_plated_leather_everywhere(location: str, dice: int):
    sheet = GAME.read_sheet(ready_sheet(GAME, "red_widow"), "red_widow")
    assert piece_dice(sheet.armor[location]).total == dice
    assert sheet.armor[location].natural
