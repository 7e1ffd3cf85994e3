"""Which obstacle a roll of a duel is logged with (duel_of_wits.amb.advancement).

Everybody rolls five dice, seven for a Dismiss. By the table of the book five dice are routine up to
Ob 3, difficult at Ob 4 and 5 and challenging from Ob 6; seven are routine up to Ob 4.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.burning_wheel.dueling import SPEAKER, hall, one_exchange, speaker

ROUTINE, DIFFICULT, CHALLENGING = (1, 0, 0), (0, 1, 0), (0, 0, 1)
WEAK_WILL = {**SPEAKER, "stats": {"Will": "B2", "Perception": "B4"}}
POINT, DISMISS, FEINT, AVOID = "Oratory", "Ugly Truth", "Soothing Platitudes", "Will"
INCITE, OBFUSCATE = DISMISS, FEINT  # the first skill of each list


def logged(
    cards: tuple[str, str],
    rolls: list[int],
    answers: Any = None,
    bob: Any = None,
    ann: Any = None,
    **more: Any,
) -> dict[tuple[str, str], tuple[int, int, int]]:
    """What one volley leaves in the logs: routine, difficult and challenging tests."""
    scripts = [(card, "feint", "feint") for card in cards]
    duel = one_exchange(scripts[0], scripts[1], rolls, answers, hall(ann, bob), **more)
    found = {}
    for who in ("ann", "bob"):
        sheet = duel.table.character(who)
        for name, ability in (*sheet.skills.items(), *sheet.stats.items()):
            log = ability.log
            if any(tests := (log.routine, log.difficult, log.challenging)):
                found[who, name] = tests
    return found


@pytest.mark.rules("duel_of_wits.link.advancement_one_test")
@pytest.mark.parametrize(
    ("cards", "rolls", "split", "ann", "bob"),
    [
        # Nothing opposes two Points: Ob 1, however many successes there are.
        (("point", "point"), [5, 5], {}, (POINT, ROUTINE), (POINT, ROUTINE)),
        # An attack is up against the defence alone, and a Rebuttal against the attack.
        (
            ("point", "rebuttal"),
            [5, 1, 4],
            {"bob/split": [1, 4]},
            (POINT, ROUTINE),
            (POINT, DIFFICULT),
        ),
        (
            ("rebuttal", "dismiss"),
            [1, 4, 6],
            {"ann/split": [1, 4]},
            (POINT, CHALLENGING),
            (DISMISS, ROUTINE),
        ),
        # Each of two Rebuttals answers the other's riposte.
        (
            ("rebuttal", "rebuttal"),
            [4, 1, 1, 4],
            {"ann/split": [4, 1], "bob/split": [1, 4]},
            (POINT, DIFFICULT),
            (POINT, ROUTINE),
        ),
        # A riposte that answers nothing is an open test; an Incite is against Will 5.
        (("rebuttal", "incite"), [4, 2], {}, (POINT, ROUTINE), (INCITE, DIFFICULT)),
        (("incite", "avoid"), [4, 2], {}, (INCITE, DIFFICULT), (AVOID, DIFFICULT)),
        # A versus test is against all that the other side rolled.
        (("obfuscate", "point"), [1, 4], {}, (OBFUSCATE, DIFFICULT), (POINT, ROUTINE)),
        (
            ("obfuscate", "rebuttal"),
            [1, 2, 3],
            {"bob/split": [2, 3]},
            (OBFUSCATE, DIFFICULT),
            (POINT, ROUTINE),
        ),
        (("obfuscate", "feint"), [1, 2, 2], {}, (OBFUSCATE, DIFFICULT), (FEINT, ROUTINE)),
        (("incite", "obfuscate"), [2, 1], {}, (INCITE, DIFFICULT), (OBFUSCATE, ROUTINE)),
    ],
)
def test_what_a_roll_is_logged_against(cards, rolls, split, ann, bob):
    assert logged(cards, rolls, split) == {("ann", ann[0]): ann[1], ("bob", bob[0]): bob[1]}


@pytest.mark.rules("duel_of_wits.link.advancement_one_test")
@pytest.mark.parametrize(("successes", "tests"), [(3, ROUTINE), (4, DIFFICULT)])
def test_an_incite_against_an_obfuscate_is_logged_against_the_harder_of_the_two(successes, tests):
    """Will is only 2 here: what the Obfuscate rolled may be more."""
    found = logged(("incite", "obfuscate"), [1, successes], bob=WEAK_WILL)
    assert found["ann", INCITE] == tests


@pytest.mark.rules("duel_of_wits.link.advancement_one_test")
@pytest.mark.parametrize(("dark", "tests"), [([], ROUTINE), (["darkness"], DIFFICULT)])
def test_penalties_count_for_a_roll_that_is_opposed_and_not_for_an_open_one(dark, tests):
    """Three successes held against a Point are Ob 3, with a disadvantage Ob 4."""
    said = {"gm/disadvantages#1": dark}
    opposed = logged(("point", "avoid"), [5, 3], said)
    assert opposed["ann", POINT] == tests
    assert logged(("point", "point"), [5, 5], said)["ann", POINT] == ROUTINE


@pytest.mark.rules("advancement.versus.opponents_successes")
@pytest.mark.parametrize(
    ("cards", "rolls"),
    [
        (("point", "avoid"), [5, 4]),
        (("obfuscate", "point"), [5, 4]),
        (("point", "rebuttal"), [5, 4, 0]),
    ],
)
@pytest.mark.parametrize("dark", [[], ["darkness"]])
def test_the_obstacle_is_what_the_other_side_rolled_whatever_its_penalties_take(cards, rolls, dark):
    """As in any versus test: four successes are difficult for five dice, if only three count."""
    said = {"gm/disadvantages#2": dark, **({"bob/split": [4, 1]} if "rebuttal" in cards else {})}
    skill = OBFUSCATE if "obfuscate" in cards else POINT
    assert logged(cards, rolls, said)["ann", skill] == DIFFICULT


EYES = {"gm/roots": ["Perception"], "ann/skill": INCITE}


@pytest.mark.rules("advancement.earn.success_only", "advancement.amb.beginner_perception_failed")
@pytest.mark.parametrize(
    ("cards", "rolls", "earned"),
    [
        # Will 3 counts twice; undoubled it is difficult for three dice.
        (("incite", "point"), [5, 0], None),
        (("incite", "point"), [6, 0, 9], DIFFICULT),
        # What an Obfuscate stops has failed; it may tie.
        (("incite", "obfuscate"), [6, 3], None),
        (("incite", "obfuscate"), [6, 2, 9], DIFFICULT),
        # Four are defended, and count twice: of one success more half a point is left, of two one.
        (("dismiss", "rebuttal"), [9, 4, 0], None),
        (("dismiss", "rebuttal"), [10, 4, 0], DIFFICULT),
        (("obfuscate", "point"), [5, 3], None),
        (("obfuscate", "point"), [6, 3], DIFFICULT),
    ],
)
def test_perception_tried_for_a_skill_of_words_learns_only_from_success(cards, rolls, earned):
    """Ann has no Ugly Truth, and Perception 3 is its root."""
    ann = {**speaker("Persuasion B5"), "stats": {"Will": "B5", "Perception": "B3"}}
    bob = speaker("Oratory B5", will="B3")
    said = {**EYES, "bob/split": [4, 1]} if "rebuttal" in cards else EYES
    found = logged(cards, rolls, said, bob, ann, side_a={"skill": "Persuasion"})
    assert found.get(("ann", "Perception")) == earned
