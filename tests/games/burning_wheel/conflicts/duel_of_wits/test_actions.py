"""Which skills an action tests, which dice it brings, and what the cards say."""

from __future__ import annotations

import pytest

from astragal.errors import NotAllowed
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import (
    Speaker,
    cards,
    listed,
    main_skills,
    own_dice,
    qualifiers,
    speaking_order,
)
from games.burning_wheel.dueling import SPEAKER, argue, hall, speaker, try_volley

POINT = "Oratory, Rhetoric, Persuasion, Interrogation, Stentorious Debate"


@pytest.mark.rules(
    "duel_of_wits.avoid.test",
    "duel_of_wits.dismiss.skills",
    "duel_of_wits.feint.skills",
    "duel_of_wits.incite.skills",
    "duel_of_wits.obfuscate.skills",
    "duel_of_wits.point.skills",
    "duel_of_wits.rebuttal.skills",
)
@pytest.mark.parametrize(
    ("action", "skills"),
    [
        ("avoid", "Will"),
        ("dismiss", "Ugly Truth, Command, Intimidation, Rhetoric, Oratory"),
        ("feint", "Soothing Platitudes, Seduction, Falsehood, Rhetoric"),
        ("incite", "Ugly Truth, Intimidation, Falsehood, Command"),
        ("obfuscate", "Soothing Platitudes, Oratory, Rhetoric, Falsehood, Ugly Truth"),
        ("point", POINT),
        ("rebuttal", POINT),
    ],
)
def test_what_an_action_may_be_rolled_with(action, skills):
    assert listed(action) == tuple(skills.split(", "))
    volley = try_volley(
        action, "obfuscate", [1, 1, 1] if action in ("feint", "rebuttal") else [1, 1], at=hall()
    )
    asked = volley.asks.get("skill")
    offered = (
        [] if asked is None or asked.seat != "ann" else [o.key for o in asked.question.options]
    )
    if action in ("dismiss", "feint", "incite", "obfuscate"):
        first = next(
            e for e in volley.events if getattr(getattr(e, "ask", None), "key", "") == "skill"
        )
        assert {o.key for o in first.ask.question.options} == set(listed(action))
    else:
        assert not offered
        assert ("Will" if action == "avoid" else "Oratory") in volley.rolls[0].label


@pytest.mark.rules("duel_of_wits.skill.main_list", "duel_of_wits.skill.secondary_list")
def test_six_skills_may_carry_a_duel():
    assert set(main_skills()) == {*POINT.split(", "), "Haggling"}


@pytest.mark.rules("duel_of_wits.dismiss.bonus")
def test_a_dismiss_brings_two_dice_on_top_of_forks_and_everything_else():
    volley = try_volley("dismiss", "feint", [4], {"skill": "Command", "forks": ["Falsehood"]})
    assert volley.rolls[0].expression.dice.total == 5 + 1 + 2
    assert [line.amount for line in own_dice("dismiss")] == [2]
    assert own_dice("point") == ()


@pytest.mark.rules(
    "duel_of_wits.skill.chosen_at_body", "duel_of_wits.point.skills", "duel_of_wits.rebuttal.skills"
)
def test_point_and_rebuttal_are_rolled_with_the_dueling_skill_chosen_at_the_start():
    duel = argue(
        [("point", "rebuttal", "feint")], [("avoid", "point", "feint")], [1, 0, 1, 2, 2, 4],
        {"ann/concede": True}, side_a={"skill": "persuasion"},
    )  # fmt: skip
    mine = [
        roll.label
        for roll in duel.rolls
        if roll.label.startswith("Ann,") and "Steel" not in roll.label
    ]
    assert all("Persuasion" in label for label in mine)
    assert "skill" not in duel.asked


@pytest.mark.rules("duel_of_wits.skill.forks")
def test_forks_add_to_skills_and_never_to_will():
    at = hall(ann={**SPEAKER, "skills": {"Oratory": "B5", "Etiquette": "B3", "Law-wise": "B7"}})
    point = try_volley("point", "feint", [2], {"forks": ["Etiquette", "Law-wise"]}, at)
    assert point.rolls[0].expression.dice.total == 5 + 1 + 2
    refused = try_volley("point", "feint", [2], {"forks": ["Etiquette"], "allow_forks": []}, at)
    assert refused.rolls[0].expression.dice.total == 5
    avoid = try_volley(
        "avoid",
        "point",
        [2, 2],
        at=hall(ann={**SPEAKER, "skills": {"Oratory": "B5"}}, bob=speaker("Oratory B5")),
    )
    assert "forks" not in avoid.asked


@pytest.mark.rules(
    "duel_of_wits.actions.counters",
    "duel_of_wits.actions.countered_by",
    "duel_of_wits.actions.defends_against",
)
def test_a_card_tells_what_it_tests_and_the_short_lists():
    at = hall()
    options = {
        card.key: card for card in cards(Speaker("ann", "Oratory"), at.character("ann"), at.options)
    }
    assert qualifiers("point") == (
        "counters feint, obfuscate, incite",
        "countered by rebuttal, avoid",
    )
    assert qualifiers("avoid") == ("defends against all except dismiss",)
    assert options["rebuttal"].note == "Oratory; counters point, dismiss; countered by feint"
    assert options["avoid"].label == "Avoid the Topic"
    assert len(options) == 9  # the seven, something else, and giving up


@pytest.mark.rules("duel_of_wits.order.rebuttal_last", "duel_of_wits.order.same_time_attacks")
@pytest.mark.parametrize(
    ("a", "b", "first"),
    [
        ("point", "rebuttal", 0),
        ("rebuttal", "dismiss", 1),
        ("point", "dismiss", None),
        ("incite", "incite", None),
        ("avoid", "feint", 0),
    ],
)
def test_the_speaking_order_is_the_catalogues(a, b, first):
    assert speaking_order(a, b)[1] == first


# --- Readings about skills -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "rolled"), [("listed_skills", "Will"), ("also_dueling_skill", "Persuasion")]
)
def test_a_dismiss_takes_a_listed_skill_or_also_the_dueling_skill(choice, rolled):
    at = hall(ann=speaker("Persuasion B5"), options={"duel_of_wits_dismiss_skill": choice})
    volley = try_volley("dismiss", "feint", [3], at=at, skills=("Persuasion", "Oratory"))
    lines = next(
        e.fact.dice for e in volley.events if "Gathered" in type(getattr(e, "fact", None)).__name__
    )
    assert lines.lines[0].label == rolled


@pytest.mark.parametrize(
    ("choice", "dismiss"),
    [("point_and_rebuttal", "Will"), ("also_dismiss_and_obfuscate", "Haggling")],
)
def test_haggling_is_good_for_point_and_rebuttal_and_perhaps_for_more(choice, dismiss):
    at = hall(ann=speaker("Haggling B5"), options={"duel_of_wits_haggling_actions": choice})
    skills = ("Haggling", "Oratory")
    for action in ("point", "rebuttal"):
        volley = try_volley(action, "", [3], at=at, skills=skills)
        assert "Haggling" in volley.rolls[0].label
    for action in ("dismiss", "obfuscate"):
        volley = try_volley(action, "", [3], at=at, skills=skills)
        lines = next(
            e.fact.dice
            for e in volley.events
            if "Gathered" in type(getattr(e, "fact", None)).__name__
        )
        assert lines.lines[0].label == dismiss


@pytest.mark.rules("duel_of_wits.skill.main_list")
def test_haggling_only_where_it_suits_the_matter():
    with pytest.raises(NotAllowed, match="main_list"):
        argue(answers={"haggling_suits": False}, side_a={"skill": "Haggling"})


def test_the_free_point_after_a_feint_takes_a_feint_skill_or_the_dueling_skill():
    at = hall(ann=speaker("Persuasion B6", "Falsehood B4"))
    volley = try_volley("feint", "rebuttal", [3], at=at, skills=("Persuasion", "Oratory"))
    assert {o.key for o in volley.asks["skill"].question.options} == {"Persuasion", "Falsehood"}
    assert volley.rolls[0].expression.dice.total == 6
    against = try_volley("feint", "obfuscate", [1, 1, 1], at=at, skills=("Persuasion", "Oratory"))
    assert against.rolls[0].expression.dice.total == 4  # there it is a Feint, and only that


# --- Beginner's Luck -------------------------------------------------------------------------

PLAIN = {"ann": speaker("Oratory B5")}


def lucky(action: str, against: str, rolls: list, choice: str = "actions_only"):
    at = hall(**PLAIN, options={"duel_of_wits_beginners_luck": choice})
    return try_volley(action, against, rolls, {"ann/skill": "Falsehood"}, at).outcome


def test_an_action_without_a_skill_is_tried_by_beginners_luck():
    assert lucky("incite", "", [5]).follows == (("bob", "advantage", 2 * 5 - 5),)  # twice Will
    # Against an Obfuscate his successes count twice: seven beat three, six do not.
    at = hall(ann=speaker("Persuasion B4", will="B7"))
    answers = {"ann/skill": "Oratory"}
    skills = ("Persuasion", "Oratory")
    seven = try_volley("dismiss", "obfuscate", [7, 3], answers, at, skills).outcome
    assert seven.losses == (0, 3)  # half of seven, rounded down
    six = try_volley("dismiss", "obfuscate", [6, 3], answers, at, skills).outcome
    assert six.losses == (0, 0)
    assert try_volley("dismiss", "feint", [7], answers, at, skills).outcome.losses == (0, 3)


@pytest.mark.rules("duel_of_wits.incite.obstacle", "tests.beginner.modifiers_after_doubling")
def test_penalties_are_added_to_twice_will_and_not_doubled_themselves():
    """Will 5 and two disadvantages: Ob 10 + 2 untrained, 5 + 2 for who has the skill."""
    answers = {"ann/skill": "Falsehood", "gm/disadvantages#1": ["darkness", "noise"]}
    untrained = try_volley("incite", "", [5], answers, hall(**PLAIN))
    assert untrained.outcome.follows == (("bob", "advantage", 10 + 2 - 5),)
    assert "against Ob 12 = 5 Bob's Will + 5 Beginner's Luck: no Falsehood + 1" in untrained.told
    trained = try_volley("incite", "", [5], answers)
    assert trained.outcome.follows == (("bob", "advantage", 2),)
    assert "against Ob 7 = 5 Bob's Will + 1 dim light or darkness + 1" in trained.told
    # Against an Obfuscate the two rolls are compared first.
    compared = try_volley("incite", "obfuscate", [2, 1], {"ann/skill": "Falsehood"})
    assert "Will" not in compared.told


@pytest.mark.rules("artha.aristeia.minor_epiphany", "duel_of_wits.link.minor_epiphany")
def test_a_minor_epiphany_lightens_the_root_that_stands_in_for_a_skill():
    held = {"character": "ann", "form": "minor_epiphany", "ability": "Will"}
    at = hall(**PLAIN, scene={"aristeias": [held]})
    answers = {"ann/skill": "Falsehood"}
    gray = try_volley("incite", "", [[3, 3, 3, 3, 2]], answers, at)
    assert gray.outcome.follows == (("bob", "advantage", 10 - 4),)
    black = try_volley("incite", "", [[3, 3, 3, 3, 2]], answers, hall(**PLAIN))
    assert black.outcome.follows == (("bob", "advantage", 10),)


def test_never_means_that_such_a_card_is_not_even_offered():
    at = hall(**PLAIN, options={"duel_of_wits_beginners_luck": "never"})
    offered = cards(Speaker("ann", "Oratory"), at.character("ann"), at.options)
    assert [card.key for card in offered] == [
        "avoid",
        "dismiss",
        "obfuscate",
        "point",
        "rebuttal",
        "other",
        "concede",
    ]
    at = hall(**PLAIN)
    assert len(cards(Speaker("ann", "Oratory"), at.character("ann"), at.options)) == 9


@pytest.mark.parametrize("choice", ["actions_only", "also_to_open"])
def test_a_duel_may_be_opened_untrained_only_where_the_table_has_it_so(choice):
    at = hall(ann=speaker("Falsehood B4"), options={"duel_of_wits_beginners_luck": choice})
    if choice == "actions_only":
        with pytest.raises(NotAllowed, match="main_list"):
            argue(at=at)
        return
    answers = {"body_method": "standard", "ann/concede": True}
    duel = argue(
        [("point", "rebuttal", "point")],
        [("avoid", "point", "feint")],
        [3, 2, 5, 1, 2, 2, 4, 4, 4],
        answers,
        at,
    )
    assert duel.outcome.started == (5 + 1, 5 + 2)  # three successes, halved
    # Point: (5 - 2 x 1) / 2; Rebuttal: of two defence successes one counts, of two ripostes one.
    swayed = [
        e.fact.losses
        for e in duel.events
        if "VolleyLosses" in type(getattr(e, "fact", None)).__name__
    ]
    assert swayed == [(0, 1), (4 - 1, 1), (0, 2)]
