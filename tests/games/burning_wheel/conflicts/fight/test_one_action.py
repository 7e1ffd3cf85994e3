"""One action against another: exact odds beside counting every face, and what is refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.distance import Distance
from astragal.games.burning_wheel.conflicts.fight.one_action import (
    ActionSide,
    FightAction,
    fight_action,
)
from astragal.play import exact, then
from games.burning_wheel.meeting import BOTH, SHIELDED, came, meet, sheet
from games.burning_wheel.playing import play, table

FACES = range(1, 7)
ARMORED = {
    **sheet(skills={"Armor Training": {"rating": "B1"}}),
    "armor": {"torso": {"type": "full_plate"}},
}


def odds(at, one, other, policy=None, distance=Distance.OPTIMAL):
    """How likely each set of effects is."""
    sides = (one, other)
    walked = exact(
        then(fight_action, FightAction(sides, distance), at), *([policy] if policy else [])
    )
    total = sum(walked.weights.values())
    found: dict[object, Fraction] = {}
    for outcome, weight in walked.weights.items():
        key = tuple(sorted((e.character, e.effect, e.stage or e.amount) for e in outcome.effects))
        found[key] = found.get(key, Fraction(0)) + Fraction(weight, total)
    return found


def test_a_gray_strike_against_a_block_with_a_shield_is_every_face_counted():
    ann = sheet(skills={"Sword": "G2"})
    bob = {**sheet(skills={"Sword": "B2"}), "shield": {"kind": "parrying_blade"}}
    at = table(ann=ann, bob=bob)
    counted: Counter[object] = Counter()
    for faces in product(FACES, repeat=5):
        attack = sum(face >= 3 for face in faces[:2])  # gray succeeds on three and up
        block = sum(face >= 4 for face in faces[2:])  # two of the skill, one of the blade
        left = attack - block - 1
        counted[(("bob", "hit", "incidental"),) if left >= 0 else ()] += 1
    expected = {key: Fraction(many, 6**5) for key, many in counted.items()}
    assert odds(at, ActionSide("ann", "strike", "sword"), ActionSide("bob", "block", "sword")) == (
        expected
    )


def test_a_riposte_and_the_blow_it_answers_are_every_face_counted():
    at = table(ann=sheet(skills={"Sword": "B3"}), bob=sheet(skills={"Sword": "B3"}))
    counted: Counter[object] = Counter()
    for faces in product(FACES, repeat=6):
        attack, defence, riposte = (
            sum(face >= 4 for face in part) for part in (faces[:3], faces[3:5], faces[5:])
        )
        effects = []
        if riposte >= 1:
            effects.append(("ann", "hit", "incidental"))
        if attack - defence >= 1:
            effects.append(("bob", "hit", ["incidental", "mark"][(attack - defence - 1) // 2]))
        counted[tuple(sorted(effects))] += 1
    expected = {key: Fraction(many, 6**6) for key, many in counted.items()}
    one, other = ActionSide("ann", "strike", "sword"), ActionSide("bob", "counterstrike", "sword")
    assert odds(at, one, other) == expected


def test_a_longer_weapon_makes_the_distance_another_for_each():
    spear = sheet(weapons=[{"weapon": "spear"}], skills={"Spear": "B4"})
    # Optimal for the spear is outside for the sword, lunging for a polearm.
    assert came(meet("strike", "strike", [1], ann=spear, weapons=("spear", "sword")), "ann") == []
    pole = sheet(weapons=[{"weapon": "polearm"}], skills={"Polearm": "B4"})
    reached = meet("strike", "strike", [1, 2], ann=spear, bob=pole, weapons=("spear", "polearm"))
    assert came(reached, "ann") == [("hit", "incidental")]


def test_aiming_at_another_location_can_be_taken_back_by_the_defence():
    aimed = {"aim": "arms"}
    struck = meet("strike", "block", [4, 0], aimed, bob=ARMORED)
    (hit,) = struck.outcome.effects
    assert (hit.location, hit.stage) == ("arms", "mark")  # one of three for the arms
    blocked = meet("strike", "block", [4, 1], aimed, bob=ARMORED)
    (hit,) = blocked.outcome.effects
    assert (hit.location, hit.stage) == ("torso", "mark")


def test_who_aims_has_other_odds_than_who_does_not():
    at = table(ann=BOTH, bob=ARMORED)

    def aims(ask):
        if ask.key == "aim":
            keys = [option.key for option in ask.question.options]
            return "arms" if "arms" in keys else ask.question.default
        return ask.question.default

    strike, block = ActionSide("ann", "strike", "sword"), ActionSide("bob", "block", "sword")
    plain, aiming = odds(at, strike, block), odds(at, strike, block, aims)
    hits = [sum(p for key, p in each.items() if key) for each in (plain, aiming)]
    assert hits[0] == hits[1]  # a hit is a hit
    marks = [
        sum(p for key, p in each.items() if ("bob", "hit", "mark") in key)
        for each in (plain, aiming)
    ]
    assert marks[1] < marks[0]  # but what moves the blow does no damage


@pytest.mark.parametrize(("blocked", "nothing"), [(2, True), (0, False)])
def test_it_is_said_when_nothing_comes_of_it(blocked, nothing):
    assert ("Nothing comes of it." in meet("strike", "block", [2, blocked]).told) is nothing


def test_nothing_is_left_of_it():
    rich = {**SHIELDED, "artha": {"fate": 1, "persona": 1}}
    tried = meet("strike", "block", [2, 1], {"bob/boon": 1}, bob=rich)
    assert tried.changed == {}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"sides": []}, "sides"),
        ({"sides": [{"character": "ann"}] * 3}, "sides"),
        ({"sides": [{"character": "ann"}, {"character": "ann"}]}, "sides[1].character"),
        ({"sides": [{"character": "ann"}, {"character": "zoe"}]}, "sides[1].character"),
        (
            {"sides": [{"character": "ann", "action": "dance"}, {"character": "bob"}]},
            "sides[0].action",
        ),
        (
            {"sides": [{"character": "ann"}, {"character": "bob", "weapon": "lance"}]},
            "sides[1].weapon",
        ),
        (
            {"sides": [{"character": "ann", "way": "teeth"}, {"character": "bob"}]},
            "sides[0].way",
        ),
        (
            {"sides": [{"character": "ann"}, {"character": "bob", "locked": -1}]},
            "sides[1].locked",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(change, place):
    with pytest.raises(BadInput) as refused:
        play("fight_action", change, table(ann=BOTH, bob=BOTH))
    assert refused.value.place == place
    assert "\n" not in str(refused.value)


def test_who_lacks_a_stat_that_fighting_needs_is_refused_before_anything_is_asked():
    weak = {**BOTH, "stats": {"Agility": "B4", "Speed": "B4"}}
    with pytest.raises(BadInput) as refused:
        meet("strike", "no_action", bob=weak)
    assert refused.value.place == "sides[1].stats"
    assert refused.value.value == "Power"


@pytest.mark.parametrize("other", ["block", "counterstrike", "block_and_strike", "strike", "avoid"])
@pytest.mark.parametrize("one", ["strike", "beat_and_bind", "push"])
def test_artha_that_nobody_spends_changes_nothing(one, other):
    rich = {**SHIELDED, "artha": {"fate": 1, "persona": 1, "deeds": 1}}
    sides = ActionSide("ann", one, "sword"), ActionSide("bob", other, "sword")
    poor = odds(table(ann=SHIELDED, bob=SHIELDED), *sides)
    assert odds(table(ann=rich, bob=rich), *sides) == poor


def test_a_point_of_fate_is_for_one_of_two_rolls():
    lucky = {**BOTH, "artha": {"fate": 1}}
    # Bob's Natural Defenses show two sixes, his Block one; each six brings a die.
    beaten = meet(
        "beat_and_bind",
        "block",
        [4, [6, 6, 1, 1], [6, 1, 1, 1], [6, 1, 5]],
        {"bob/after_roll#1": "luck"},
        bob=lucky,
    )
    assert beaten.asked.count("after_roll") == 1
    assert came(beaten) == []


@pytest.mark.rules("fight.nd.versus_subtract", "fight.counterstrike.split", "fight.avoid.partial")
def test_every_roll_is_told_with_what_it_took_or_had_left():
    both = meet("strike", "counterstrike", [4, 2, 1], {"split": [3, 1]})
    assert "Ann, Strike: 4 successes. It hits. 2 successes left after the defence." in both.told
    assert "Bob, Counterstrike: 2 successes. Reduces the attack by 2." in both.told
    assert "Bob, riposte: 1 success. It hits." in both.told.splitlines()
    pushed = meet("push", "avoid", [4, 1, 1])
    assert "Ann, Push: 4 successes. Won by 2." in pushed.told
    assert "Bob, Natural Defenses: 1 success. Reduces the attack by 1." in pushed.told
    assert "Bob, Avoid: 1 success. Reduces the attack by 1." in pushed.told
    blocked = meet("disarm", "block", [4, 3])
    said = "Ann, Disarm: 4 successes. It fails. 1 success left after the defence."
    assert said in blocked.told
    stopped = meet("strike", "block", [2, 4])
    said = "Ann, Strike: 2 successes. It fails. 0 successes left after the defence."
    assert said in stopped.told


def test_what_is_told_of_each_roll_does_not_multiply_the_outcomes_of_a_walk():
    at = table(ann=BOTH, bob=BOTH)
    sides = (ActionSide("ann", "push", "sword"), ActionSide("bob", "strike", "sword"))
    walked = exact(then(fight_action, FightAction(sides), at))
    assert len(walked.weights) == len({outcome.effects for outcome in walked.weights})
