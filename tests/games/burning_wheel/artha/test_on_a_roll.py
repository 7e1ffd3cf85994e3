from fractions import Fraction
from itertools import product

import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.before_the_roll import Boost, before_roll
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.play import GM, Play, Scripted, exact, live, then
from astragal.play.answers import defaults
from astragal.rules import catalogue
from games.burning_wheel.playing import a_test, declare, play, table


def hero(at=None, **more):
    held = {"fate": 3, "persona": 5, "deeds": 3}
    raw = {"artha": held, "skills": {"Sword": "B3", "Axe": "B2"}, **more}
    return table(rich=raw, **(at or {}))


def options_of(played, key):
    return [option.key for option in played.asks[key].question.options]


# --- Limits and payment --------------------------------------------------------------------


@pytest.mark.rules("artha.types.three", "artha.spend.limits_per_roll")
def test_three_separate_counts_with_three_separate_limits():
    held = artha.hand(hero().character("rich"), hero().character("rich").ability("Sword"))
    assert held.artha == Artha(fate=1, persona=3, deeds=2)
    poor = table(rich={"artha": {"fate": 0, "persona": 1}, "skills": {"Sword": "B3"}})
    played = a_test(poor, "Sword", 3, [1])
    assert "after_roll" not in played.asked
    assert played.asks["boon"].question.most == 1
    assert "divine_inspiration" not in played.asked


@pytest.mark.rules("artha.spend.points_are_consumed", "artha.basics.steps_toward_epiphany")
@pytest.mark.parametrize("successes", [0, 5])
def test_points_are_gone_whatever_comes_of_it_and_count_toward_the_shade(successes):
    played = a_test(hero(), "Sword", 4, [successes], {"boon": 2})
    rich = played.table.character("rich")
    assert rich.artha == Artha(3, 3, 3)
    assert rich.skills["Sword"].spent == Artha(persona=2)
    assert rich.skills["Axe"].spent == Artha()  # only the ability that was tested


@pytest.mark.rules("artha.spend.on_a_roll")
def test_nothing_is_offered_where_nothing_is_rolled():
    played = play("standard_test", declare("rich", "Sword"), hero(), {"at_stake": "say_yes"}, [])
    assert not {"boon", "divine_inspiration", "after_roll"} & set(played.asked)
    assert played.changed == {}


@pytest.mark.rules("artha.spend.any_ability", "artha.boon.effect")
def test_artha_works_on_every_kind_of_ability():
    raw = {
        "artha": {"persona": 1},
        "stats": {"Power": "B2"},
        "attributes": {"Health": "B2"},
        "skills": {"Sword": "B2"},
    }
    for ability in ("Power", "Health", "Sword"):
        played = a_test(table(rich=raw), ability, 2, [3], {"boon": 1})
        assert played.outcome.dice.total == 3


# --- Before the roll -----------------------------------------------------------------------


@pytest.mark.rules("artha.boon.timing", "artha.divine_inspiration.timing")
def test_boon_and_inspiration_come_before_the_dice():
    played = a_test(hero(), "Sword", 3, [1])
    assert played.before_the_dice("boon")
    assert played.before_the_dice("divine_inspiration")


@pytest.mark.rules("artha.boon.effect")
@pytest.mark.parametrize("points", [0, 1, 2, 3])
def test_each_point_of_persona_is_a_die(points):
    played = a_test(hero(), "Sword", 3, [0], {"boon": points})
    assert played.outcome.dice.total == 3 + points
    # artha dice do not count for the class: 3 dice against Ob 3 are difficult
    assert played.outcome.earned == "difficult"


@pytest.mark.rules("artha.divine_inspiration.effect")
@pytest.mark.parametrize(("ability", "dice"), [("Sword", 3), ("Power", 4), ("Health", 5)])
def test_inspiration_doubles_any_ability_for_one_test_and_one_point(ability, dice):
    at = hero(stats={"Power": "B4"}, attributes={"Health": "B5"})
    played = a_test(at, ability, 3, [0], {"divine_inspiration": True})
    assert played.rolls[0].expression.dice.total == 2 * dice
    assert played.table.character("rich").artha == Artha(3, 5, 2)
    next_time = a_test(played.table, ability, 3, [0], intent="go on")
    assert next_time.rolls[0].expression.dice.total == dice
    assert next_time.table.character("rich").artha == Artha(3, 5, 2)


@pytest.mark.rules("artha.divine_inspiration.effect", "artha.divine_inspiration.base_only")
def test_inspiration_doubles_the_exponent_and_nothing_else():
    at = hero({"friend": {"skills": {"Sword": "B5"}}})
    answers = {
        "divine_inspiration": True,
        "boon": 1,
        "forks": ["Axe"],
        "advantage": "from above",
        "friend/help": "Sword",
    }
    played = a_test(at, "Sword", 3, [0], answers, helpers=["friend"])
    assert played.outcome.dice.total == 3 + 3 + 1 + 1 + 1 + 2


def ask_before(tested, beside=None, *, equipment=False, answers=None):
    """What before_roll comes to on its own, as chapters with other dice call it."""
    rich = hero(stats={"Will": "B5"}).character("rich")
    held = artha.hand(rich, rich.ability(tested))
    second = None if beside is None else rich.ability(beside)

    def asking() -> Play[Boost]:
        return (
            yield from before_roll(
                "rich", rich.ability(tested), held, beside=second, equipment=equipment
            )
        )

    return live(then(asking), Seeded(1), Scripted(answers or {}))


@pytest.mark.rules("artha.divine_inspiration.not_reflexes_or_equipment")
def test_equipment_dice_are_never_doubled():
    asked = [e.ask.key for e in ask_before("Sword", equipment=True).events]
    assert asked == ["boon"]
    assert [e.ask.key for e in ask_before("Sword").events] == ["divine_inspiration", "boon"]


@pytest.mark.rules("artha.divine_inspiration.sorcery")
@pytest.mark.parametrize(("choice", "dice"), [("neither", 0), ("Sword", 3), ("Will", 5)])
def test_of_two_abilities_rolled_together_one_is_doubled(choice, dice):
    session = ask_before("Sword", "Will", answers={"divine_inspiration": choice})
    assert sum(line.amount for line in session.result.lines) == dice
    assert session.result.spent.deeds == bool(dice)


# --- After the roll ------------------------------------------------------------------------


@pytest.mark.rules("artha.luck.cost_and_timing", "artha.saving_grace.timing", "artha.luck.open_end")
def test_luck_and_grace_come_after_the_dice():
    played = a_test(hero(), "Sword", 3, [[6, 1, 1], [4]], {"after_roll#1": "luck"})
    assert not played.before_the_dice("after_roll")
    assert played.outcome.successes == 2  # the six stays, and its die adds one
    assert played.outcome.spent == Artha(fate=1)
    assert options_of(played, "after_roll") == ["nothing", "saving_grace"]  # luck only once


@pytest.mark.rules("artha.luck.once", "artha.luck.open_end")
def test_luck_rolls_on_for_every_six_without_end():
    played = a_test(hero(), "Sword", 9, [[6, 6, 1], [6, 2, 6, 4]], {"after_roll#1": "luck"})
    assert played.outcome.successes == 2 + 1 + 1 + 1
    assert "luck" not in options_of(played, "after_roll")


@pytest.mark.rules("artha.luck.already_open_ended", "artha.luck.rerolled_traitor_not_open_ended")
def test_luck_on_an_open_ended_roll_is_one_die_again_and_no_more():
    at = table(rich={"artha": {"fate": 1}, "stats": {"Perception": "B3"}})
    played = a_test(at, "Perception", 4, [[6, 1, 2, 4], [6]], {"after_roll": "luck"})
    assert [roll.expression.notation for roll in played.rolls] == ["3B open", "1B"]
    assert played.outcome.successes == 3  # the six on the rerolled die brings nothing further


@pytest.mark.rules("artha.saving_grace.effect")
def test_grace_rerolls_every_failed_die_and_keeps_the_others():
    played = a_test(hero(), "Sword", 3, [[6, 1, 2], [4, 3]], {"after_roll#1": "saving_grace"})
    assert [roll.expression.dice.total for roll in played.rolls] == [3, 2]
    assert played.outcome.successes == 2
    assert played.outcome.spent == Artha(deeds=1)


@pytest.mark.rules("artha.spend.two_deeds")
def test_neither_use_of_deeds_is_bought_twice():
    twice = {"divine_inspiration": True, "after_roll#1": "saving_grace"}
    played = a_test(hero(), "Sword", 9, [[1] * 6, [1] * 6], twice)
    assert played.outcome.spent.deeds == 2
    assert options_of(played, "after_roll") == ["nothing", "luck"]
    once = a_test(hero(), "Sword", 9, [[1] * 3, [1] * 3], {"after_roll#1": "saving_grace"})
    assert options_of(once, "after_roll") == ["nothing", "luck"]


@pytest.mark.rules("artha.saving_grace.equipment")
def test_grace_is_offered_for_equipment_dice_too():
    held = ask_before("Sword", equipment=True).result.hand
    lying = artha.ThrownDice(0, artha.NO_DICE, artha.Shaded(black=2), artha.OpenEnded.NO)
    assert "saving_grace" in [option.key for option in artha.offers(lying, held)]


def test_sixes_of_a_reroll_count_for_luck_in_either_order():
    grace_first = {"after_roll#1": "saving_grace", "after_roll#2": "luck"}
    luck_first = {"after_roll#1": "luck", "after_roll#2": "saving_grace"}
    one = a_test(hero(), "Sword", 9, [[6, 1, 1], [6, 1], [4, 4]], grace_first)
    assert one.outcome.successes == 4
    two = a_test(hero(), "Sword", 9, [[6, 1, 1], [2], [6, 4, 1, 4]], luck_first)
    # one six; its extra die fails; three failed dice again: a six that opens, a 4, a 1; then a 4
    assert two.outcome.successes == 1 + 3


def test_useless_luck_is_allowed_with_a_warning():
    played = a_test(hero(), "Sword", 3, [[1, 4, 4], []], {"after_roll#1": "luck"})
    assert played.outcome.spent.fate == 1
    first = a_test(hero(), "Sword", 3, [[1, 4, 4]])
    luck = next(o for o in first.asks["after_roll"].question.options if o.key == "luck")
    assert "no effect" in luck.note


@pytest.mark.rules("artha.amb.luck_with_no_sixes")
@pytest.mark.parametrize(
    ("ability", "faces", "warning"),
    [("Sword", [4, 5, 4], "no sixes: no effect"), ("Perception", [4, 5, 4], "no failed dice")],
)
def test_luck_is_offered_even_if_all_dice_have_succeeded(ability, faces, warning):
    at = hero(stats={"Perception": "B3"})
    first = a_test(at, ability, 2, [faces])
    luck = next(o for o in first.asks["after_roll"].question.options if o.key == "luck")
    assert warning in luck.note
    bought = a_test(at, ability, 2, [faces, []], {"after_roll#1": "luck"})
    assert (bought.outcome.successes, bought.outcome.spent) == (3, Artha(fate=1))
    after = bought.table.character("rich")
    assert after.ability(ability).ability.spent == Artha(fate=1)  # toward the epiphany all the same


def test_the_odds_with_luck_and_grace_are_those_of_the_faces():
    """Two dice against Ob 2, Saving Grace whenever anything failed: counted by hand of faces."""
    raw = {"artha": {"deeds": 1}, "skills": {"Sword": "B2"}}
    at = table(rich=raw)
    procedure = GAME.procedure("standard_test")
    arguments = GAME.read(declare("rich", "Sword"), procedure.arguments, "a")

    def policy(ask):
        if ask.key == "after_roll":
            return "saving_grace"
        return Scripted({"obstacle": 2, "on_failure": "x"}, defaults)(ask)

    passing = 0
    for first in product(range(1, 7), repeat=2):
        failed = sum(face < 4 for face in first)
        for again in product(range(1, 7), repeat=2):
            hits = 2 - failed + sum(face >= 4 for face in again[:failed])
            passing += hits >= 2
    odds = exact(procedure.start(arguments, at), policy)
    assert odds.where(lambda outcome: outcome.passed) == Fraction(passing, 6**4)


# --- Focus and Complications ---------------------------------------------------------------


@pytest.mark.rules("artha.focus.condition", "artha.focus.test_still_failed")
def test_focus_spares_a_careful_failure_its_complication_only():
    answers = {"time": "2 hours", "carefully": True, "time_complication": "the bomb goes off"}
    at = hero()
    hit = a_test(at, "Sword", 5, [1], answers)
    assert hit.outcome.complication == "the bomb goes off"
    spared = a_test(at, "Sword", 5, [1], {**answers, "focus": True})
    assert spared.outcome.complication == ""
    assert not spared.outcome.passed
    assert spared.outcome.spent == Artha(persona=1)
    assert "focus" not in a_test(at, "Sword", 5, [1], {"time": "2 hours"}).asked  # not careful


@pytest.mark.parametrize(
    ("custom", "offered"), [("all_persona_on_the_roll", False), ("boon_only", True)]
)
def test_whether_three_persona_in_a_boon_leave_room_for_focus(custom, offered):
    raw = {"artha": {"persona": 5}, "skills": {"Sword": "B3"}}
    at = table(options={"artha_persona_limit": custom}, rich=raw)
    answers = {"time": "2 hours", "carefully": True, "time_complication": "x", "boon": 3}
    assert ("focus" in a_test(at, "Sword", 9, [0], answers).asked) is offered
    fewer = a_test(at, "Sword", 9, [0], {**answers, "boon": 2})
    assert "focus" in fewer.asked


@pytest.mark.rules("artha.complication.optional")
def test_complications_are_offered_only_where_the_table_plays_with_them():
    assert "disaster" not in a_test(hero(), "Sword", 5, [1]).asked
    agreed = play("play_with_complications", {"allowed": True}, hero()).table
    assert "disaster" in a_test(agreed, "Sword", 5, [1]).asked
    back = play("play_with_complications", {"allowed": False}, agreed).table
    assert "disaster" not in a_test(back, "Sword", 5, [1]).asked


@pytest.mark.rules(
    "artha.complication.test_still_failed",
    "artha.complication.one_per_roll",
    "artha.complication.condition",
    "artha.complication.must_cost",
)
def test_a_complication_averts_the_disaster_and_not_the_failure():
    at = play("play_with_complications", {"allowed": True}, hero()).table
    assert "complication" not in a_test(at, "Sword", 5, [1]).asked  # no disaster
    answers = {"disaster": True, "complication": "captured, but alive"}
    played = a_test(at, "Sword", 5, [1], answers)
    assert not played.outcome.passed
    assert played.outcome.averted == "captured, but alive"
    assert played.outcome.spent == Artha(persona=1)
    assert played.asked.count("complication") == 1
    assert played.seats["complication"] == "rich"
    assert played.seats["accept_complication"] == GM
    mild = {**answers, "complication#1": "nothing much", "accept_complication#1": False}
    mild |= {"complication#2": ""}
    refused = a_test(at, "Sword", 5, [1], {k: v for k, v in mild.items() if k != "complication"})
    assert refused.outcome.averted == ""
    assert refused.outcome.spent == Artha()  # a refused proposal costs nothing


@pytest.mark.rules("artha.complication.physical_cost", "artha.complication.social_cost")
@pytest.mark.parametrize(
    ("category", "rule"), [("Martial", "physical_cost"), ("Social", "social_cost")]
)
def test_the_price_fits_the_kind_of_test(category, rule):
    raw = {"artha": {"persona": 1}, "skills": {"Talk": {"rating": "B3", "category": category}}}
    at = table(scene={"complications": True}, rich=raw)
    played = a_test(at, "Talk", 5, [1], {"disaster": True, "complication": "a high price"})
    assert played.asks["complication"].because == f"artha.complication.{rule}"
    # Who tries it untrained pays as for the skill, if anybody has it.
    raw |= {"stats": {"Will": "B3"}, "skills": {}}
    knows = {"skills": {"Talk": {"rating": "B3", "category": category, "roots": ["Will"]}}}
    at = table(scene={"complications": True}, rich=raw, other=knows)
    played = a_test(at, "Talk", 5, [1], {"disaster": True, "complication": "a high price"})
    assert played.asks["complication"].because == f"artha.complication.{rule}"


@pytest.mark.rules("artha.complication.social_cost")
def test_a_complication_of_a_search_is_a_matter_of_ties():
    seeker = {"artha": {"persona": 1}, "circles": "B2", "lifepaths": ["Soldier"]}
    at = table(scene={"complications": True}, rich=seeker)
    arguments = {"character": "rich", "sought": "a smuggler", "intent": "get away"}
    arguments |= {"how": "asks in the harbor", "through": "Soldier"}
    answers = {"disaster": True, "complication": "the smuggler talks"}
    played = play("circles_test", arguments, at, answers, [0])
    assert played.asks["complication"].because == "artha.complication.social_cost"


BLOCK = {"disaster": True, "complication": "the sword snaps", "weapon_pays": "sword"}


def a_blow(scene, rolls, answers=None, **more):
    """A blow against a Block; the one who blocks has artha and a sword."""
    held = {"artha": {"persona": 4}, "skills": {"Sword": "B4"}, "weapons": ["sword"]}
    at = table(scene=scene, troll={"skills": {"Hammer": "B4"}}, rich={**held, **more})
    sides = [declare("troll", "Hammer", intent="crush him"), declare("rich", "Sword")]
    return play("versus_test", {"sides": sides, "attack": True}, at, answers, rolls)


@pytest.mark.rules(
    "artha.complication.condition",
    "artha.complication.physical_cost",
    "artha.complication.test_still_failed",
    "artha.play.versus_attack_defence",
)
def test_a_lost_versus_test_may_bring_a_complication_instead_of_the_blow():
    played = a_blow({"complications": True}, [3, 1], BLOCK)
    assert (played.outcome.winner, played.outcome.margin) == ("troll", 2)  # it stays lost
    assert (played.outcome.injured, played.outcome.protected) == ("", "")
    assert played.outcome.averted == ("", "the sword snaps")
    rich = played.table.character("rich")
    assert rich.artha == Artha(persona=3)
    assert [each.broken for each in rich.weapons] == [True]
    assert a_blow({"complications": True}, [3, 1]).outcome.injured == "rich"


@pytest.mark.rules("artha.complication.optional", "artha.complication.condition")
@pytest.mark.parametrize(
    ("scene", "rolls", "boon", "offered"),
    [
        ({"complications": True}, [3, 1], 0, True),
        ({}, [3, 1], 0, False),
        ({"complications": True}, [1, 3], 0, False),  # nobody loses who could pay
        ({"complications": True}, [3, 1], 3, False),  # no fourth persona on one roll
    ],
)
def test_complications_of_versus_tests_have_the_same_conditions(scene, rolls, boon, offered):
    played = a_blow(scene, rolls, {"rich/boon": boon})
    assert ("disaster" in played.asked) is offered


# --- Marks against Beliefs and Instincts ---------------------------------------------------


@pytest.mark.rules("artha.evolve.mark")
def test_artha_spent_about_a_belief_is_marked_against_it():
    at = hero(beliefs=["The duke must pay", "Gold is dust"], instincts=["Never run"])
    quiet = a_test(at, "Sword", 3, [3])
    assert "about" not in quiet.asked  # nothing was spent
    answers = {"boon": 2, "about": ["beliefs.0", "instincts.0"], "about_confirmed": ["beliefs.0"]}
    rich = a_test(at, "Sword", 3, [3], answers).table.character("rich")
    assert [bit.spent for bit in rich.beliefs] == [Artha(persona=2), Artha()]
    assert rich.instincts[0].spent == Artha()  # the GM did not see it so


# --- Versus tests --------------------------------------------------------------------------


@pytest.mark.rules("artha.play.versus_tools")
def test_both_sides_of_a_versus_test_have_all_their_tools():
    raw = {
        "artha": {"fate": 1, "persona": 1},
        "skills": {"Sword": "B3", "Axe": "B2"},
        "traits": [{"name": "Fierce", "kind": "call_on"}],
    }
    at = table(rich=raw, foe=raw, friend={"skills": {"Sword": "B3"}})
    sides = [declare("rich", "Sword", helpers=["friend"]), declare("foe", "Sword")]
    answers = {"boon": 1, "forks": ["Axe"], "friend/help": "Sword", "after_roll": "nothing"}
    played = play("versus_test", {"sides": sides}, at, answers, [0, 0])
    assert [dice.total for dice in played.outcome.dice] == [3 + 1 + 1 + 1, 3 + 1 + 1]
    assert options_of(played, "after_roll") == ["nothing", "luck", "call_on:Fierce"]


@pytest.mark.rules("artha.play.versus_attack_defence")
@pytest.mark.parametrize(
    ("rolls", "injured", "protected"),
    [([2, 1], "foe", ""), ([1, 2], "", "foe"), ([1, 1], "", "")],
)
def test_an_attack_injures_or_is_held_off(rolls, injured, protected):
    at = table(rich={"skills": {"Sword": "B3"}}, foe={"skills": {"Sword": "B3"}})
    sides = [declare("rich", "Sword"), declare("foe", "Sword")]
    outcome = play("versus_test", {"sides": sides, "attack": True}, at, {}, rolls).outcome
    assert (outcome.injured, outcome.protected) == (injured, protected)
    assert play("versus_test", {"sides": sides}, at, {}, rolls).outcome.injured == ""


@pytest.mark.rules("artha.play.state_case_then_roll")
def test_in_a_war_of_words_each_side_speaks_before_the_dice():
    talk = {"skills": {"Persuasion": {"rating": "B3", "category": "Social"}, "Sword": "B3"}}
    at = table(rich=talk, foe=talk)
    words = {"sides": [declare("rich", "Persuasion"), declare("foe", "Persuasion")]}
    played = play("versus_test", words, at, {"rich/case": "peace", "foe/case": "war"}, [1, 0])
    assert played.before_the_dice("case")
    assert "Rich: Peace." in played.told
    assert "Foe: War." in played.told
    swords = {"sides": [declare("rich", "Sword"), declare("foe", "Sword")]}
    assert "case" not in play("versus_test", swords, at, {}, [1, 0]).asked


@pytest.mark.rules("artha.play.no_stakes_no_roll")
def test_with_nothing_at_stake_it_simply_happens():
    played = play("standard_test", declare("rich", "Sword"), hero(), {"at_stake": "say_yes"}, [])
    assert played.outcome.granted
    assert played.rolls == []


@pytest.mark.rules("artha.boon.effect", "artha.divine_inspiration.effect")
def test_the_table_of_spending_has_the_prices_of_the_book():
    table_of = catalogue().table("artha.table.spending").records()
    prices = {row["name"]: (row["fate"], row["persona"], row["deeds"]) for row in table_of}
    fate, persona, deeds = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    assert prices == {
        "Luck": fate,
        "Shrug it Off": fate,
        "Boon": persona,
        "Focus": persona,
        "Grit Your Teeth": persona,
        "Will to Live": persona,
        "Complication (optional)": persona,
        "Divine Inspiration": deeds,
        "Saving Grace": deeds,
        "Aristeia": (5, 3, 2),
    }
