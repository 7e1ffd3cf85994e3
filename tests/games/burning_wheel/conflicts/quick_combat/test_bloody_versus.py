"""Bloody versus tests: one attacks, the other wards him off, and somebody is hurt."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conflicts.quick_combat.bloody_versus import (
    BloodyVersus,
    Fighter,
    bloody_versus,
)
from astragal.play import DecisionEvent, best, exact, then
from games.burning_wheel.playing import AnyRolls, Played, play, table

SWORDSMAN: dict[str, Any] = {
    "stats": {"Power": "B4", "Agility": "B4", "Forte": "B4", "Will": "B4"},
    "skills": {"Sword": "B6"},
    "weapons": ["sword"],
    "tolerances": ["B3", "B5", "B7", "B9", "B11", "B13"],
}
"""With a sword B4/B7/B10, Add 2."""

CALM = {"name": "Calm", "kind": "call_on"}
DARING = {"name": "Daring", "kind": "call_on"}


def fight(
    rolls: AnyRolls,
    answers: dict[str, Any] | None = None,
    attacker: dict[str, Any] | None = None,
    defender: dict[str, Any] | None = None,
    **weapons: str,
) -> Played:
    here = table(a={**SWORDSMAN, **(attacker or {})}, d={**SWORDSMAN, **(defender or {})})
    arguments = {
        "attacker": {"character": "a", "weapon": weapons.get("attacker", "sword")},
        "defender": {"character": "d", "weapon": weapons.get("defender", "sword")},
    }
    return play("bloody_versus", arguments, here, answers, rolls)


@pytest.mark.rules("fight.bloody.single_versus")
@pytest.mark.parametrize(
    ("attack", "defence", "number", "level"),
    [
        (1, 0, 4, "Superficial"),
        (3, 2, 4, "Superficial"),
        (4, 2, 4, "Superficial"),
        (4, 1, 7, "Midi"),
        (5, 1, 7, "Midi"),
        (6, 1, 10, "Severe"),
        (6, 0, 10, "Severe"),
    ],
)
def test_more_successes_hurt_as_a_strike_would(attack: int, defence: int, number: int, level: str):
    """fight.amb.two_pool_obstacle: the first success above the other's is the hit itself."""
    played = fight([attack, defence])
    assert [roll.label for roll in played.rolls] == ["A, Sword", "D, Sword"]
    assert played.outcome.winner == "a"
    assert played.outcome.harm[0] is None
    assert played.outcome.harm[1].damage.number == number
    assert played.outcome.harm[1].hurt.level == level
    assert [wound.level.value for wound in played.table.character("d").wounds] == [level]
    assert f"D has a {level} wound." in played.told


@pytest.mark.rules("fight.bloody.defender_wins")
@pytest.mark.parametrize("does", ["stay", "withdraw", "escape", "flee"])
def test_a_defender_with_more_successes_is_unhurt_and_may_go(does: str):
    played = fight([1, 4], {"then_does": does})
    assert (played.outcome.winner, played.outcome.then_does) == ("d", does)
    assert played.outcome.harm == (None, None)
    assert not played.table.character("d").wounds
    assert not played.table.character("a").wounds
    assert played.seats["then_does"] == "d"
    assert "then_does" not in fight([4, 1]).asked


@pytest.mark.rules("sorcery.spell.turn_aside_the_blade")
def test_a_spell_that_turns_blades_aside_hinders_the_attack_and_no_defence():
    spell = {
        "name": "Turn Aside the Blade",
        "obstacle": 4,
        "lasts": "Sustained",
        "does": "attack_obstacle",
        "effect": 2,
    }
    attacked = fight([4, 2], defender={"active_spells": [spell]}).outcome
    assert (attacked.attack, attacked.defence, attacked.winner) == ((2, 0), (0, 2), None)
    attacks = fight([4, 2], attacker={"active_spells": [spell]}).outcome
    assert (attacks.attack, attacks.defence, attacks.winner) == ((4, 0), (0, 2), "a")


@pytest.mark.rules("fight.bloody.tie")
def test_a_tie_is_nobodys():
    """And not the defender's, as it would be in a plain versus test."""
    played = fight([3, 3])
    assert (played.outcome.winner, played.outcome.tie) == (None, True)
    assert played.outcome.at_mercy == ""
    assert "The fight is inconclusive." in played.told
    assert not played.table.character("d").wounds


@pytest.mark.rules("fight.bloody.tie")
def test_a_call_on_trait_breaks_the_tie():
    struck = fight([3, 3], {"break_tie": "Daring"}, attacker={"traits": [DARING]})
    assert (struck.outcome.winner, struck.outcome.broken_by) == ("a", "Daring")
    assert struck.outcome.harm[1].damage.number == 4  # a hit, and no more
    assert struck.changed["a.traits.0.called_this_session"] is True
    warded = fight([3, 3], {"break_tie": "Calm"}, defender={"traits": [CALM]})
    assert (warded.outcome.winner, warded.outcome.harm) == ("d", (None, None))
    answers = {"a/break_tie": "Daring", "d/break_tie": "Calm"}
    both = fight([3, 3], answers, {"traits": [DARING]}, {"traits": [CALM]})
    assert both.outcome.winner is None


@pytest.mark.rules("fight.bloody.one_roll_ends_fight")
def test_one_roll_ends_it_and_the_loser_is_at_the_winners_mercy():
    won = fight([4, 1])
    assert won.outcome.at_mercy == "d"
    assert "D is at A's mercy" in won.told
    assert fight([1, 4]).outcome.at_mercy == "a"
    again = {
        "attacker": {"character": "a", "weapon": "sword"},
        "defender": {"character": "d", "weapon": "sword"},
    }
    with pytest.raises(NotAllowed) as refused:
        play("bloody_versus", again, won.table, rolls=[])
    assert refused.value.rule == "tests.let_it_ride.one_roll"


def test_each_fighter_earns_one_test_against_what_the_other_rolled():
    """advancement.versus.opponents_successes: 6D against 1 and against 5."""
    played = fight([5, 1])
    logs = {key: value for key, value in played.changed.items() if ".log." in key}
    assert logs == {"a.skills.Sword.log.routine": 1, "d.skills.Sword.log.difficult": 1}


def test_armor_is_tested_as_against_any_strike():
    mail = {"armor": "chainmail", "training": ["Armor Training"]}
    stopped = fight([5, 1, 1], defender=mail)
    assert stopped.outcome.harm[1].armor.passed
    assert stopped.outcome.harm[1].hurt is None
    assert not stopped.table.character("d").wounds
    through = fight([5, 1, [2, 2, 2, 2, 1]], defender=mail)
    assert through.outcome.harm[1].hurt.level == "Midi"
    assert through.changed["d.armor.torso.lost"] == 1


def test_the_attacker_moves_the_blow_with_extra_successes():
    """One of three extra goes to the arm; two are left for the Mark. Sides are his to pick."""
    mail = {"armor": {"left_arm": "chainmail"}, "training": ["Armor Training"]}
    answers = {"aim": "arms", "side": "left_arm"}
    played = fight([5, 1, 0], answers, defender=mail)
    assert played.seats["aim"] == played.seats["side"] == "a"
    assert str(played.outcome.harm[1].damage) == "Mark, B7 to the arms, VA 0"
    assert played.outcome.harm[1].armor.location == "left_arm"
    offered = fight([2, 1], {"open": "legs"})
    assert offered.outcome.harm[1].damage.location == "legs"


def test_what_hampers_a_fighter_takes_successes_off():
    key = "hindrances#1"
    options = fight([4, 1]).asks["hindrances"].question.options  # type: ignore[attr-defined]
    two = next(option.key for option in options if option.note == "+2 Ob")
    played = fight([4, 1], {key: [two]})
    assert (played.outcome.attack[0], played.outcome.left[0]) == (2, 1)


@pytest.mark.rules("tests.disadvantage.gm_must_raise", "tests.disadvantage.cumulative")
def test_the_gm_names_all_disadvantages_of_a_side_in_one_line():
    """The list of Fight! (light and ground are there), what counts in any test, and own words."""
    plain = fight([4, 1])
    asks = [event.ask for event in plain.events if isinstance(event, DecisionEvent)]
    named = [ask.prompt for ask in asks if "isadvantage" in ask.prompt]
    assert named == ["Disadvantages (A)", "Disadvantages (D)"]
    offered = {option.key for option in plain.asks["hindrances"].question.options}  # type: ignore[attr-defined]
    assert {"haste", "noise", "near_darkness"} <= offered
    assert not {"darkness", "slippery", "smoke"} & offered
    played = fight([5, 1], {"hindrances#1": ["haste", "near_darkness", "a broken grip"]})
    assert played.outcome.attack[0] == 5 - (1 + 3 + 1) == 0


def test_favoring_a_side_may_hamper_the_defender():
    answers = {"favors_side": True, "open": "left_arm", "favoring_hampers": True}
    played = fight([3, 3], answers)
    assert played.outcome.defence[1] == 2
    assert played.outcome.harm[1].damage.location == "left_arm"


def test_a_lighter_power_may_shatter_the_weapon():
    """shades.power.weapon_shatters_defended: nothing left of the attack."""
    strong = {"stats": {**SWORDSMAN["stats"], "Power": "G4"}}
    broken = fight([2, 2], {"a/power_bonus": True}, attacker=strong)
    assert broken.changed["a.weapons"] == ()
    whole = fight([3, 2], {"a/power_bonus": True}, attacker=strong)
    assert whole.outcome.harm[1].damage.number == 5  # half of 4 + 2 + 3
    assert "a.weapons" not in whole.changed


def test_a_beginner_meets_twice_the_others_successes():
    """tests.amb.versus_beginners_luck, with Agility in place of the skill."""
    untrained = {"skills": {}}
    assert fight([4, 2], attacker=untrained).outcome.winner is None
    assert fight([4, 1], attacker=untrained).outcome.left[0] == 2


def test_a_defender_of_the_gms_needs_little_more_than_a_skill():
    here = table(a=SWORDSMAN, d={"npc": True, "skills": {"Brawling": "B3"}})
    arguments = {"attacker": {"character": "a", "weapon": "sword"}, "defender": {"character": "d"}}
    played = play("bloody_versus", arguments, here, {"tolerances": "B4"}, [3, 0])
    assert played.outcome.harm[1].hurt.level == "Midi"  # B7 on the grayscale of stats of B4


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"attacker": {"character": "x"}}, "attacker.character"),
        ({"defender": {"character": "a"}}, "defender.character"),
        ({"attacker": {"character": "a", "weapon": "whip"}}, "attacker.weapon"),
        ({"attacker": {"character": "a", "way": "kick"}}, "way"),
        ({"attacker": {"character": "a", "helpers": ["d"]}}, "attacker.helpers"),
        ({"attacker": {"character": "weak"}}, "attacker.stats"),
    ],
)
def test_bad_fights_are_refused_by_the_place(changes: dict[str, Any], place: str):
    here = table(
        a=SWORDSMAN,
        d=SWORDSMAN,
        weak={"skills": {"Brawling": "B3"}},
    )
    sound = {"attacker": {"character": "a"}, "defender": {"character": "d"}}
    with pytest.raises(BadInput) as refused:
        play("bloody_versus", {**sound, **changes}, here, rolls=[])
    assert refused.value.place == place


def test_odds_are_those_of_two_handfuls_of_dice():
    """5D against 4D by counting: more, fewer, as many."""
    here = table(
        a={**SWORDSMAN, "skills": {"Sword": "B5"}}, d={**SWORDSMAN, "skills": {"Sword": "B4"}}
    )
    arguments = BloodyVersus(Fighter("a", "sword"), Fighter("d", "sword"))
    weights = exact(then(bloody_versus, arguments, here)).map(lambda o: o.winner).weights
    total = sum(weights.values())
    expected = {"a": 0, "d": 0, None: 0}
    for one in range(6):
        for other in range(5):
            winner = "a" if one > other else "d" if other > one else None
            expected[winner] += comb(5, one) * comb(4, other)
    found = {who: Fraction(weight, total) for who, weight in weights.items()}
    assert found == {who: Fraction(ways, 2**9) for who, ways in expected.items()}


def test_advice_says_what_a_boon_is_worth():
    """5D against 5D are ahead in 193 of 512; one die more makes it one half exactly."""
    five = {**SWORDSMAN, "skills": {"Sword": "B5"}}
    here = table(a={**five, "artha": {"persona": 1}}, d=five)
    arguments = BloodyVersus(Fighter("a", "sword"), Fighter("d", "sword"))
    goals = {"a": lambda outcome: int(outcome.winner == "a")}
    advice = best(then(bloody_versus, arguments, here), goals, about=("boon",))
    worth = {choice.answer: choice.worth for choice in advice.choices}
    assert worth == {0: Fraction(193, 512), 1: Fraction(1, 2)}


@pytest.mark.rules("gold.result.helpers_share")
def test_the_losers_helpers_are_named_in_the_later_edition():
    here = table(options={"edition": "gold"}, a=SWORDSMAN, d=SWORDSMAN, c=SWORDSMAN)
    arguments = {
        "attacker": {"character": "a", "weapon": "sword", "helpers": ["c"]},
        "defender": {"character": "d", "weapon": "sword"},
    }
    played = play("bloody_versus", arguments, here, {"c/help": "Sword"}, [1, 2])
    assert (played.outcome.winner, played.outcome.shared_by) == ("d", ("c",))


@pytest.mark.rules("tests.amb.zero_dice", "gold.wounds.persona_ignore")
@pytest.mark.parametrize("edition", ["revised", "gold"])
def test_a_skill_that_wounds_have_left_nothing_of_is_refused_before_any_question(edition: str):
    """Unless persona can bear the pain on the test itself."""
    weak = {
        **SWORDSMAN,
        "skills": {"Sword": "B2"},
        "wounds": [{"level": "midi"}],
        "artha": {"persona": 1},
    }
    here = table(options={"edition": edition}, a=SWORDSMAN, d=weak)
    arguments = {
        "attacker": {"character": "a", "weapon": "sword"},
        "defender": {"character": "d", "weapon": "sword"},
    }
    if edition == "revised":
        with pytest.raises(NotAllowed, match=r"no dice of Sword.*injury\.zero\.skill"):
            play("bloody_versus", arguments, here, otherwise=_nobody)
        return
    played = play("bloody_versus", arguments, here, {"d/ignore_wounds": 1}, [0, 1])
    assert played.rolls[1].expression.notation == "1B"


def _nobody(ask: object) -> None:
    raise AssertionError(f"nobody is asked: {ask}")
