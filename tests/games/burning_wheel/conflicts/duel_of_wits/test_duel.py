"""Whole duels: the order of its steps, exchanges and volleys, what carries over, and secrecy."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import body_test
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import argue as whole_duel
from astragal.games.burning_wheel.conflicts.duel_of_wits.exchange import VolleyLosses
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.games.burning_wheel.conflicts.duel_of_wits.volley import make_ready, volley
from astragal.games.burning_wheel.conflicts.scripting import ExchangeBegins, VolleyCards
from astragal.games.burning_wheel.steel.steel import nerves_tried
from astragal.play import (
    Ask,
    Change,
    DecisionEvent,
    RollEvent,
    Script,
    Session,
    Tell,
    Text,
    by,
    run,
    seen_by,
    then,
)
from astragal.play.simulate import Simulation
from games.burning_wheel.dueling import (
    SPEAKER,
    argue,
    duel_arguments,
    hall,
    one_exchange,
    speaker,
    try_volley,
)
from games.burning_wheel.playing import Played, play

POINTS = ("point", "point", "point")
AVOIDS = ("avoid", "avoid", "avoid")


def facts(played: Played, kind: type) -> list[Any]:
    return [e.fact for e in played.events if isinstance(e, Tell) and isinstance(e.fact, kind)]


def bodies(played: Played) -> list[tuple[int, int]]:
    return [fact.bodies for fact in facts(played, VolleyLosses)]


def dice_of(played: Played) -> list[tuple[str, int]]:
    """Who rolled how many dice, in order, in the volleys."""
    return [(roll.label, roll.expression.dice.total) for roll in played.rolls]


# --- The order of steps ----------------------------------------------------------------------


@pytest.mark.rules(
    "duel_of_wits.setup.order_of_steps",
    "duel_of_wits.terms.agree_before_start",
    "duel_of_wits.exchange.script_in_advance",
    "duel_of_wits.play.must_speak",
)
def test_the_steps_come_in_their_order():
    unsaid = {"case": "", "wins": "", "loses": ""}
    duel = argue(
        [POINTS],
        [POINTS],
        [3, 2, 5, 4, 5, 1, 4],
        {"body_method": "standard"},
        side_a=unsaid,
        side_b=unsaid,
    )
    order = list(dict.fromkeys(duel.asked))
    steps = [
        "duel",
        "case",
        "body_method",
        "terms_wins",
        "accept_terms",
        "script",
        "speech",
        "concession",
    ]
    assert [key for key in order if key in steps] == steps
    first_roll = next(i for i, e in enumerate(duel.events) if isinstance(e, RollEvent))
    decided = [e.ask.key if isinstance(e, DecisionEvent) else "" for e in duel.events]
    assert (
        decided.index("case") < first_roll < decided.index("terms_wins") < decided.index("script")
    )


@pytest.mark.rules(
    "duel_of_wits.exchange.three_actions",
    "duel_of_wits.exchange.reveal_by_volley",
    "duel_of_wits.group.primary",
)
def test_three_actions_are_scripted_and_each_volley_is_resolved_before_the_next_is_shown():
    duel = argue([POINTS], [AVOIDS], [3, 1, 4, 1, 5, 0, 4])
    scripts = [e.ask for e in duel.events if isinstance(e, DecisionEvent) and e.ask.key == "script"]
    assert [(ask.seat, ask.question.slots, ask.secret) for ask in scripts] == [
        ("ann", 3, True),
        ("bob", 3, True),
    ]
    order = [type(e.fact).__name__ for e in duel.events if isinstance(e, Tell)]
    shown = [name for name in order if name in ("VolleyCards", "VolleyLosses")]
    assert shown == ["VolleyCards", "VolleyLosses"] * 3
    assert bodies(duel) == [(10, 8), (10, 5), (10, 0)]


@pytest.mark.rules("duel_of_wits.exchange.repeat", "duel_of_wits.body.is_hit_points")
def test_exchange_follows_exchange_until_a_body_is_gone():
    rolls = [1, 0] * 9 + [1, 0, 4]
    duel = argue([POINTS] * 4, [AVOIDS] * 4, rolls)
    assert duel.outcome.exchanges == 4
    assert duel.outcome.volleys == 10
    assert [fact.number for fact in facts(duel, ExchangeBegins)] == [1, 2, 3, 4]
    assert duel.outcome.bodies == (10, 0)


@pytest.mark.rules("duel_of_wits.end.condition", "duel_of_wits.win.condition")
def test_it_ends_with_the_volley_that_takes_a_body_to_zero_and_the_rest_is_dropped():
    duel = argue([POINTS], [POINTS], [5, 1, 5, 2, 4])
    assert duel.outcome.settled == "won"
    assert (duel.outcome.winner, duel.outcome.loser) == ("ann", "bob")
    assert duel.outcome.bodies == (7, 0)
    assert [fact.volley for fact in facts(duel, VolleyCards)] == [1, 2]


@pytest.mark.rules("duel_of_wits.tie.condition", "duel_of_wits.exchange.simultaneous")
def test_both_may_be_brought_to_zero_in_one_volley():
    tie = argue([POINTS], [POINTS], [5, 5, 5, 5])
    assert tie.outcome.settled == "tie"
    assert tie.outcome.winner is None
    assert tie.outcome.bodies == (0, 0)


@pytest.mark.rules("duel_of_wits.rebuttal.riposte_always")
def test_a_riposte_lands_even_when_the_attack_brought_its_speaker_to_zero():
    at = hall(ann=speaker("Oratory B5"), bob=speaker("Oratory B6"))  # bodies 10 and 11
    duel = argue(
        [("point", "dismiss", "point")],
        [("point", "rebuttal", "point")],
        [5, 5, 7, 0, 5],  # the defence holds nothing, the riposte takes Ann's last five
        {"bob/split": [1, 5]},
        at,
    )
    assert duel.outcome.bodies == (0, -1)
    assert duel.outcome.settled == "tie"


# --- What carries over -----------------------------------------------------------------------


def acted(played: Played, side: int) -> list[str]:
    """What a side was seen to do, volley by volley."""
    return [fact.sides[side][1] for fact in facts(played, VolleyCards)]


def dice_for(played: Played, what: str) -> list[int]:
    """How many dice were rolled for an action, each time."""
    return [roll.expression.dice.total for roll in played.rolls if what in roll.label]


@pytest.mark.rules(
    "duel_of_wits.dismiss.hesitate_if_not_won", "duel_of_wits.dismiss.hesitate_placement"
)
def test_a_dismiss_that_does_not_win_strikes_out_the_next_action():
    duel = one_exchange(("dismiss", "point", "point"), POINTS, [3, 1, 2, 4, 1])
    assert acted(duel, 0) == ["Dismiss", "no action", "Point"]
    assert bodies(duel) == [(19, 17), (17, 17), (16, 13)]


@pytest.mark.rules("duel_of_wits.dismiss.hesitate_placement")
def test_a_dismiss_in_the_third_volley_leaves_the_first_of_the_next_exchange_empty():
    duel = argue(
        [("point", "point", "dismiss"), ("point", "point")],
        [("avoid", "avoid", "avoid"), ("point", "feint", "feint")],
        [1, 0, 1, 0, 2, 5, 5, 1, 4],
    )
    scripts = [e for e in duel.events if isinstance(e, DecisionEvent) and e.ask.key == "script"]
    assert [e.ask.question.slots for e in scripts if e.ask.seat == "ann"] == [3, 2]
    assert facts(duel, ExchangeBegins)[1].sitting_out == ("Ann",)
    assert acted(duel, 0)[3:5] == ["no action", "Point"]


@pytest.mark.rules("duel_of_wits.dismiss.hesitate_if_not_won")
def test_a_dismiss_that_wins_costs_nothing():
    at = hall(bob=speaker("Rhetoric B1"))  # a body of 6
    duel = argue(
        [("dismiss", "point", "point")], [AVOIDS], [6, 4], at=at, side_b={"skill": "Rhetoric"}
    )
    assert duel.outcome.winner == "ann"
    assert "\nAnn loses the next volley." not in duel.told
    tired = one_exchange(("dismiss", "point", "point"), AVOIDS, [3, 2, 2])
    assert "\nAnn loses the next volley." in tired.told


@pytest.mark.rules("duel_of_wits.incite.hesitation", "duel_of_wits.incite.success")
def test_whoever_loses_nerve_to_an_incite_loses_the_next_action_but_not_this_one():
    duel = one_exchange(("incite", "point", "point"), POINTS, [5, 2, 0, 4, 3, 1])
    assert acted(duel, 1) == ["Point", "no action", "Point"]
    assert bodies(duel) == [(18, 20), (18, 16), (17, 13)]
    steady = one_exchange(("incite", "point", "point"), POINTS, [5, 2, 5, 4, 0, 3, 1])
    assert acted(steady, 1) == ["Point"] * 3
    assert "Bob, Steel" in [roll.label for roll in steady.rolls]


def test_however_badly_the_nerve_is_lost_it_is_one_volley_and_nothing_stays_in_the_scene():
    duel = one_exchange(("incite", "feint", "feint"), POINTS, [5, 2, 0, 3])
    assert acted(duel, 1) == ["Point", "no action", "Point"]  # five short
    assert duel.table.scene.hesitating == ()


def test_a_failed_dismiss_and_an_incite_fall_on_the_same_volley():
    duel = one_exchange(("dismiss", "point", "point"), ("incite", "feint", "feint"), [2, 5, 0, 4])
    assert acted(duel, 0) == ["Dismiss", "no action", "Point"]


def test_a_side_without_action_may_be_incited_to_lose_the_next_one_too():
    duel = one_exchange(("dismiss", "point", "point"), ("feint", "incite", "feint"), [2, 5, 0])
    assert acted(duel, 0) == ["Dismiss", "no action", "no action"]


@pytest.mark.rules("duel_of_wits.incite.failure")
def test_the_shortfall_of_an_incite_is_advantage_dice_on_the_next_roll_and_only_on_that():
    duel = one_exchange(("incite", "feint", "feint"), ("feint", "point", "point"), [2, 4, 4])
    assert dice_for(duel, "Point") == [5 + 3, 5]  # Will 5 less 2 successes


@pytest.mark.rules("duel_of_wits.incite.failure")
def test_advantage_dice_wait_for_a_roll_and_not_merely_for_an_action():
    duel = one_exchange(("incite", "feint", "feint"), ("avoid", "avoid", "point"), [2, 1, 4])
    # The Avoid of the first volley has left 1 of 2; that of the second rolls nothing.
    assert dice_for(duel, "Point") == [5 + 4]


@pytest.mark.rules("duel_of_wits.obfuscate.exceed")
def test_one_more_obstacle_takes_a_success_off_the_next_action_and_only_off_that():
    duel = one_exchange(("obfuscate", "feint", "feint"), POINTS, [3, 2, 4, 5])
    assert bodies(duel) == [(20, 20), (17, 20), (12, 20)]


def test_an_obstacle_is_used_up_by_an_action_that_needs_no_roll():
    duel = one_exchange(("obfuscate", "avoid", "feint"), ("point", "rebuttal", "point"), [3, 2, 4])
    assert bodies(duel)[2] == (16, 20)  # the Rebuttal met an Avoid, and took the obstacle with it


def test_an_obstacle_waits_while_the_side_has_no_action():
    duel = one_exchange(
        ("obfuscate", "point", "feint"), ("dismiss", "point", "point"), [4, 3, 1, 4]
    )
    assert acted(duel, 1) == ["Dismiss", "no action", "Point"]  # stopped, and still it hesitates
    assert bodies(duel) == [(20, 20), (20, 19), (17, 19)]


@pytest.mark.rules("duel_of_wits.obfuscate.lose")
def test_a_lost_obfuscate_gives_the_opponent_a_die_on_the_next_action():
    duel = one_exchange(("obfuscate", "feint", "feint"), POINTS, [1, 3, 6, 1])
    assert dice_for(duel, "Point") == [5, 6, 5]


def test_dice_of_the_duel_add_up_with_an_argued_advantage():
    duel = one_exchange(
        ("obfuscate", "incite", "feint"),
        ("point", "avoid", "point"),
        [1, 3, 0, 0, 5],
        {"bob/advantage#3": "the prince nods"},
    )
    # Avoid takes the die of the lost Obfuscate; the Incite's whole obstacle is left for the Point.
    assert dice_for(duel, "Avoid") == [5 + 1]
    assert dice_for(duel, "Point")[1] == 5 + 5 + 1


def test_penalties_raise_the_obstacle_of_an_incite():
    duel = one_exchange(("obfuscate", "feint", "feint"), ("point", "incite", "avoid"), [3, 2, 5])
    # Five successes would meet Will 5, but not six: Ann has an advantage die instead.
    assert "Ann has +1D on the next roll" in duel.told


def test_each_half_of_a_rebuttal_loses_a_success_to_the_obstacle():
    duel = one_exchange(
        ("obfuscate", "point", "feint"),
        ("point", "rebuttal", "avoid"),
        [3, 2, 5, 2, 3],
        {"split": [2, 3]},
    )
    assert bodies(duel)[1] == (20 - (3 - 1), 20 - (5 - (2 - 1)))


@pytest.mark.rules("tests.amb.zero_dice")
def test_an_action_for_which_wounds_have_left_no_dice_is_no_action_and_the_duel_goes_on():
    """A Severe wound takes three dice: all of Oratory B2, and half of Command B6."""
    hurt = {**speaker("Oratory B2", "Command B6"), "wounds": [{"level": "severe"}]}
    duel = one_exchange(
        ("point", "dismiss", "point"), ("point", "avoid", "avoid"), [2, 3], at=hall(ann=hurt)
    )
    assert "Ann has no dice left for Point: no action." in duel.told
    assert dice_for(duel, "Ann, Dismiss, Command") == [6 - 3 + 2]
    assert "skill" not in duel.asked  # Oratory is on the list as well, and has no dice
    assert bodies(duel)[:2] == [(14 - 2, 20), (12, 20 - 3)]


def test_whoever_still_hesitates_from_before_loses_the_first_volley():
    left = {"character": "ann", "heartbeats": 3, "reaction": "stand_and_drool"}
    at = hall(scene={"hesitating": [left]})
    duel = one_exchange(("point", "point"), POINTS, [2, 1, 2, 3, 1], at=at)
    assert acted(duel, 0) == ["no action", "Point", "Point"]


def test_what_is_left_carries_into_the_next_exchange():
    duel = argue(
        [("feint", "feint", "obfuscate"), POINTS],
        [AVOIDS, POINTS],
        [1, 3, 5, 6, 5, 1, 4],
    )
    assert dice_for(duel, "Point")[1] == 6


# --- Speaking --------------------------------------------------------------------------------


def spoken(played: Played) -> list[str]:
    return [
        e.ask.seat for e in played.events if isinstance(e, DecisionEvent) and e.ask.key == "speech"
    ]


@pytest.mark.rules(
    "duel_of_wits.order.rebuttal_last",
    "duel_of_wits.order.interrupts",
    "duel_of_wits.feint.speech_against_rebuttal",
)
@pytest.mark.parametrize(
    ("a", "b", "first"),
    [
        ("rebuttal", "point", "bob"),
        ("rebuttal", "dismiss", "bob"),
        ("point", "rebuttal", "ann"),
        ("rebuttal", "feint", "bob"),  # the dummy point
        ("obfuscate", "point", "bob"),  # spoken over the other's words
        ("dismiss", "obfuscate", "ann"),
    ],
)
def test_who_speaks_first(a, b, first):
    volley = try_volley(a, b)
    assert spoken(volley)[0] == first
    assert "speaks_first" not in volley.asked


@pytest.mark.rules("duel_of_wits.order.same_time_attacks")
@pytest.mark.parametrize(("ages", "first"), [((30, 60), "bob"), ((60, 30), "ann"), ((0, 0), "ann")])
def test_of_two_attacks_at_once_the_elder_speaks_first_unless_a_trait_decides(ages, first):
    at = hall(ann={**SPEAKER, "age": ages[0]}, bob={**SPEAKER, "age": ages[1]})
    plain = try_volley("point", "incite", [2, 2], at=at)
    assert spoken(plain)[0] == first
    turned = try_volley("point", "incite", [2, 2], {"speaks_first": "bob"}, at)
    assert spoken(turned)[0] == "bob"
    assert turned.outcome == plain.outcome  # no effect on anything


@pytest.mark.rules("duel_of_wits.play.must_speak", "duel_of_wits.play.intent_and_task")
def test_no_dice_before_both_have_spoken_and_the_words_must_do_what_the_action_is():
    words = "The bridge pays for itself!"
    answers = {"ann/speech#1": "Point.", "gm/spoken#1": False, "ann/speech#2": words}
    volley = try_volley("point", "avoid", [2, 2], answers)
    kinds = [
        e.ask.key if isinstance(e, DecisionEvent) else "roll"
        for e in volley.events
        if isinstance(e, DecisionEvent | RollEvent)
    ]
    assert kinds.index("roll") > max(i for i, kind in enumerate(kinds) if kind == "speech")
    assert "Ann (Point): The bridge pays for itself!" in volley.told
    unheard = {"gm/spoken#1": False, "ann/speech#2": "  "}
    with pytest.raises(BadInput, match="a few words"):
        try_volley("point", "avoid", [2, 2], unheard)


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        pytest.param(
            "avoid",
            "duel_of_wits.avoid.requirement",
            marks=pytest.mark.rules("duel_of_wits.avoid.requirement"),
        ),
        pytest.param(
            "dismiss",
            "duel_of_wits.dismiss.requirement",
            marks=pytest.mark.rules("duel_of_wits.dismiss.requirement"),
        ),
        pytest.param(
            "incite",
            "duel_of_wits.incite.requirement",
            marks=pytest.mark.rules("duel_of_wits.incite.requirement"),
        ),
        pytest.param(
            "obfuscate",
            "duel_of_wits.obfuscate.requirement",
            marks=pytest.mark.rules("duel_of_wits.obfuscate.requirement"),
        ),
        pytest.param(
            "rebuttal",
            "duel_of_wits.rebuttal.requirement",
            marks=pytest.mark.rules("duel_of_wits.rebuttal.requirement"),
        ),
        pytest.param(
            "feint",
            "duel_of_wits.feint.speech_against_rebuttal",
            marks=pytest.mark.rules("duel_of_wits.feint.speech_against_rebuttal"),
        ),
    ],
)
def test_what_each_action_demands_is_asked_of_the_player_and_judged_by_the_gm(action, rule):
    volley = try_volley(action, "", answers={"gm/spoken#1": False})
    assert volley.asks["speech"].because == volley.asks["spoken"].because == rule
    assert volley.asked.count("speech") == 2  # what did not do it is said again
    assert (volley.seats["speech"], volley.seats["spoken"]) == ("ann", "gm")


# --- Groups ----------------------------------------------------------------------------------

FRIEND = {"skills": {"Persuasion": "B5", "Etiquette": "B3"}, "stats": {"Will": "B3"}}


def helped(rolls: list[Any], bob: tuple[str, ...] = AVOIDS, **answers: Any) -> Played:
    at = hall(cyd=FRIEND, dan=FRIEND)
    sides = {"side_a": {"helpers": ["cyd"]}, "side_b": {"helpers": ["dan"]}}
    return one_exchange(POINTS, bob, rolls, answers, at, **sides)


@pytest.mark.rules(
    "duel_of_wits.group.help",
    "duel_of_wits.group.help_timing",
    "duel_of_wits.group.help_requires_speech",
    "duel_of_wits.group.primary",
)
def test_helpers_speak_up_before_the_primary_rolls_and_whoever_is_silent_gives_nothing():
    answers = {
        "cyd/speak_up#1": "ann", "cyd/help#1": "Persuasion", "cyd/help_how#1": "Hear, hear!",
        "cyd/speak_up#2": "ann", "cyd/help#2": "Etiquette", "cyd/help_how#2": "As she says!",
    }  # fmt: skip
    duel = helped([2, 2, 2, 2, 2, 2], **answers)
    points = [roll.expression.dice.total for roll in duel.rolls if "Point" in roll.label]
    assert points == [5 + 2, 5 + 1, 5]  # exponent 5 gives two dice, 3 gives one, silence none
    assert "ask_help" not in duel.asked  # and whoever is silent is not asked a second time
    decided = [
        (e.ask.key if isinstance(e, DecisionEvent) else "roll")
        for e in duel.events
        if isinstance(e, DecisionEvent | RollEvent)
    ]
    assert decided.index("speak_up") < decided.index("help_how") < decided.index("roll")
    scripts = [
        e.ask.seat for e in duel.events if isinstance(e, DecisionEvent) and e.ask.key == "script"
    ]
    assert set(scripts) == {"ann", "bob"}
    assert all(roll.owner in ("ann", "bob") for roll in duel.rolls)


@pytest.mark.rules("duel_of_wits.group.help_other_side")
def test_a_helper_may_help_the_other_side_if_that_side_accepts_it():
    answers = {
        "dan/speak_up#1": "ann",
        "dan/help": "Persuasion",
        "dan/help_how": "He is wrong, you know.",
    }
    duel = helped([2, 2, 2, 2, 2, 2], **answers)
    assert duel.rolls[0].expression.dice.total == 7
    spurned = helped([2, 2, 2, 2, 2, 2], **answers, accept_help=[])
    assert spurned.rolls[0].expression.dice.total == 5


@pytest.mark.rules("duel_of_wits.group.help_fits_manoeuvre")
def test_help_that_does_not_fit_the_action_is_not_allowed_by_the_gm():
    answers = {"cyd/speak_up#1": "ann", "cyd/help": "Persuasion", "cyd/help_how": "Nice weather!"}
    duel = helped([2, 2, 2, 2, 2, 2], **answers, allow_help=[])
    assert duel.rolls[0].expression.dice.total == 5


@pytest.mark.rules("duel_of_wits.group.help", "duel_of_wits.group.help_fits_manoeuvre")
def test_where_one_side_alone_rolls_its_action_is_the_one_that_can_be_helped():
    """A Dismiss against an Avoid: only the Dismiss is rolled."""
    at = hall(cyd=FRIEND, dan=FRIEND)
    sides = {"side_a": {"helpers": ["cyd"]}, "side_b": {"helpers": ["dan"]}}
    answers = {"cyd/speak_up#1": "ann", "cyd/help": "Persuasion", "cyd/help_how": "Nonsense!"}
    scripts = ("dismiss", "point", "point")
    duel = one_exchange(scripts, AVOIDS, [1, 2, 2], answers, at, **sides)
    assert dice_for(duel, "Dismiss") == [5 + 2 + 2]  # the skill, the Dismiss's own, the help
    first = next(e.ask for e in duel.events if isinstance(e, DecisionEvent) and e.ask.seat == "cyd")
    assert [option.key for option in first.question.options] == ["nobody", "ann"]


def test_will_may_help_an_avoid_and_help_comes_before_the_split_of_a_rebuttal():
    answers = {"dan/speak_up": "bob", "dan/help": "Will", "dan/help_how": "Look, a bird!"}
    assert dice_for(helped([2] * 6, **answers), "Avoid") == [6, 6, 6]
    answers |= {"dan/help": "Persuasion", "split": [3, 4]}
    duel = helped([1] * 9, ("rebuttal",) * 3, **answers)
    assert dice_for(duel, "Rebuttal") == [3, 4] * 3


# --- Advancement -----------------------------------------------------------------------------


def test_every_ability_earns_one_test_for_the_whole_duel_the_hardest():
    duel = one_exchange(POINTS, AVOIDS, [3, 1, 4, 3, 5, 0])
    log = duel.table.character("ann").skills["Oratory"].log
    assert (log.routine, log.difficult, log.challenging) == (1, 0, 0)  # 5 dice, at most Ob 3
    will = duel.table.character("bob").stats["Will"].log
    assert (will.routine, will.difficult, will.challenging) == (0, 1, 0)  # against Ob 5
    assert duel.table.scene.series == ()


@pytest.mark.parametrize("steel", [0, 5])
def test_a_rehearsal_leaves_nothing_behind(steel):
    """No tests in a log, no artha spent, no ride, and nobody hesitates after it."""
    at = hall(ann={**SPEAKER, "artha": {"fate": 1, "persona": 2}})
    answers = {"boon#1": 2}
    rolls = [0, 5, 0, 5, steel]
    real = argue([POINTS], [AVOIDS], rolls, answers, at)
    assert real.outcome.winner == "ann"
    assert bool(real.table.scene.hesitating) is (steel == 0)
    assert real.table.scene.rides
    tried = argue([POINTS], [AVOIDS], rolls, answers, at, rehearsal=True)
    assert tried.table == at
    assert not [e for e in tried.events if isinstance(e, Change)]
    assert tried.outcome == real.outcome


def test_artha_may_be_spent_on_every_roll_and_is_paid_for():
    at = hall(ann={**SPEAKER, "artha": {"fate": 1, "persona": 2}})
    answers = {"boon#1": 2, "after_roll#1": "luck"}
    rolls = [0, [6, 5, 5, 4, 1, 1, 1], [4], 1, 0, 1, 0]  # who can still buy throws last
    duel = one_exchange(POINTS, AVOIDS, rolls, answers, at)
    assert dice_for(duel, "Point")[0] == 7
    assert bodies(duel)[0] == (20, 15)  # four successes, and one from Luck
    artha = duel.table.character("ann").artha
    assert (artha.fate, artha.persona) == (0, 0)


# --- Other acts, conceding, the audience -----------------------------------------------------


def test_something_else_takes_the_place_of_an_action_and_is_no_defence():
    act = {"other_act": "grits her teeth"}
    duel = one_exchange(("other", "point", "point"), POINTS, [4, 2, 1, 2, 1], act)
    assert "Ann, instead of speaking: grits her teeth." in duel.told
    assert bodies(duel)[0] == (16, 20)


def test_a_side_may_concede_before_the_next_exchange_and_its_body_counts_as_zero():
    duel = argue([POINTS], [AVOIDS], [1, 1, 1, 0, 1, 1, 4], {"bob/concede": True})
    assert duel.outcome.winner == "ann"
    assert duel.outcome.bodies == (10, 0)
    steel = [roll for roll in duel.rolls if "Steel" in roll.label]
    assert len(steel) == 1


@pytest.mark.rules("duel_of_wits.amb.walk_away_mid_duel")
def test_whoever_concedes_does_so_before_any_card_is_shown():
    duel = argue([("point", "concede", "point")], [AVOIDS], [4])
    assert duel.outcome.bodies == (0, 10)
    assert duel.outcome.winner == "bob"
    assert not [fact for fact in duel.told.splitlines() if fact.startswith("Volley")]


def test_if_both_concede_at_once_it_is_a_tie():
    duel = argue([("concede",) * 3], [("concede",) * 3], [])
    assert (duel.outcome.settled, duel.outcome.bodies) == ("tie", (0, 0))


@pytest.mark.parametrize(("choice", "asked"), [("off", False), ("on", True)])
def test_the_gm_may_rule_whom_the_audience_is_with_where_the_table_has_it_so(choice, asked):
    at = hall(options={"duel_of_wits_audience_decides": choice})
    answers = {"audience_decides": "bob"} if asked else {"ann/concede": True}
    duel = argue([POINTS], [AVOIDS], [2, 1, 2, 1, 2, 1, 4], answers, at)
    assert duel.outcome.winner == "bob"
    assert ("audience_decides" in duel.asked) is asked
    assert duel.outcome.bodies == ((10, 7) if asked else (0, 7))


@pytest.mark.parametrize(
    ("choice", "over"), [("carries_on_after_lost_volley", False), ("concedes", True)]
)
def test_running_from_an_insult_costs_a_volley_or_the_duel(choice, over):
    at = hall(options={"duel_of_wits_flight_after_incite": choice})
    answers = (
        {"reaction#1": "run_screaming", "ann/concede": True}
        if not over
        else {"bob/reaction": "run_screaming"}
    )
    rolls = [5, 0] + ([4] if over else [1, 1, 4])
    duel = argue([("incite", "point", "point")], [("feint", "feint", "feint")], rolls, answers, at)
    assert duel.outcome.winner == ("ann" if over else "bob")
    assert duel.outcome.volleys == (1 if over else 3)


@pytest.mark.parametrize(
    ("choice", "asked"), [("plain_hesitation", False), ("situational_modifiers", True)]
)
def test_the_steel_test_after_an_incite_is_plain_or_takes_what_the_situation_brings(choice, asked):
    at = hall(options={"duel_of_wits_incite_steel": choice})
    duel = argue(
        [("incite", "feint", "feint")], [("feint",) * 3], [5, 5, 4], {"ann/concede": True}, at
    )
    steel = next(
        i for i, e in enumerate(duel.events) if isinstance(e, RollEvent) and "Steel" in e.roll.label
    )
    before = [e.ask.key for e in duel.events[:steel] if isinstance(e, DecisionEvent)]
    assert ("conditions" in before) is asked


# --- Bad input -------------------------------------------------------------------------------


@pytest.mark.rules("duel_of_wits.setup.two_willing_sides")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"about": "  "}, "about"),
        ({"sides": []}, "sides"),
        ({"side_b": {"character": "ann"}}, r"sides\[1\].character"),
        ({"side_b": {"helpers": ["ann"]}}, r"sides\[1\].helpers\[0\]"),
        ({"side_b": {"character": "zoe"}}, r"sides\[1\].character"),
    ],
)
def test_who_argues_what_must_make_sense(change, place):
    arguments = {**duel_arguments(**{k: v for k, v in change.items() if k == "side_b"})}
    arguments |= {k: v for k, v in change.items() if k in ("about", "sides")}
    with pytest.raises(BadInput, match=place):
        play("duel_of_wits", arguments, hall())


def test_three_sides_are_several_duels():
    arguments = duel_arguments()
    arguments["sides"].append({"character": "cyd"})
    with pytest.raises(BadInput, match="more_than_two_sides"):
        play("duel_of_wits", arguments, hall(cyd=SPEAKER))


@pytest.mark.parametrize("missing", ["stats", "attributes"])
def test_a_speaker_needs_will_and_steel(missing):
    with pytest.raises(BadInput, match=f"bob.{missing}"):
        argue(at=hall(bob={**SPEAKER, missing: {}}))


@pytest.mark.parametrize("choice", ["no", "yes"])
def test_a_helper_needs_steel_only_where_losing_helpers_test_it(choice):
    """And is refused before the duel, not at its end."""
    at = hall(cyd=FRIEND, options={"duel_of_wits_losing_helpers_test_steel": choice})
    arguments = duel_arguments(side_b={"helpers": ["cyd"]})
    if choice == "no":
        away = play("duel_of_wits", arguments, at, {"ann/duel": "walk_away"})
        assert away.outcome.settled == "walked_away"
        return
    with pytest.raises(BadInput, match=r"cyd\.attributes\.Steel"):
        play("duel_of_wits", arguments, at)


# --- Secrecy ---------------------------------------------------------------------------------


EXCHANGES = 3
Scripts = dict[str, list[str]]
"""The cards of each seat, three for each exchange."""


def watched(seat: str, scripts: Scripts, upto: int, seed: int) -> bytes:
    """All that a seat saw before the volley after so many was shown, byte for byte.

    Every question put to it and every view of it, after every single answer. The bodies are so
    large that there are several exchanges.
    """
    procedure = GAME.procedure("duel_of_wits")
    at = hall(
        ann={**SPEAKER, "artha": {"fate": 1}},
        bob={**SPEAKER, "npc": True},
        cyd=FRIEND,
        dan=FRIEND,
    )
    sides = {"side_a": {"helpers": ["cyd"]}, "side_b": {"helpers": ["dan"]}}
    raw = duel_arguments(**sides, onlookers=["the prince"])
    arguments = GAME.read(raw, procedure.arguments, "arguments")
    session = Session(procedure.start(arguments, at), by(Seeded(seed)))
    fortune = random.Random(seed)
    written: Counter[str] = Counter()
    seen: list[str] = []
    while session.waiting:
        views = seen_by(session.events, seat)
        later = [place for place, event in enumerate(views) if _number(event) > upto]
        seen.append(repr(views[: later[0]] if later else views))
        if later:
            break
        seen += [repr(ask) for ask in session.waiting if ask.seat == seat]
        ask = session.waiting[0]
        if isinstance(ask.question, Script):
            written[ask.seat] += 1
            end = 3 * written[ask.seat]
            session.answer(ask.seat, scripts[ask.seat][end - ask.question.slots : end])
        else:
            session.answer(ask.seat, _answer(ask, fortune))
        if max(written.values(), default=0) > EXCHANGES:
            break
    return "\n".join(seen).encode()


def _number(event: Any) -> int:
    """Which volley of the duel an event shows, counted from 1; 0 if it shows none."""
    if not isinstance(event, Tell) or not isinstance(event.fact, VolleyCards):
        return 0
    return 3 * (event.fact.exchange - 1) + event.fact.volley


def _answer(ask: Ask, fortune: random.Random) -> Any:
    question = ask.question
    if isinstance(question, Text) and question.default is None:
        return f"words {fortune.randrange(1000)}"
    if ask.key == "body_method":
        return "doubled"
    if ask.key == "speak_up":
        return fortune.choice(question.options).key
    return question.default


def any_cards(fortune: random.Random, many: int) -> list[str]:
    return fortune.choices([*actions(), "other"], k=many)


@pytest.mark.rules(
    "duel_of_wits.exchange.script_in_advance", "duel_of_wits.exchange.reveal_by_volley"
)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_nothing_that_a_seat_sees_depends_on_cards_that_were_not_shown(seed):
    fortune = random.Random(f"scripts {seed}")
    cards = 3 * (EXCHANGES + 1)
    own = {seat: any_cards(fortune, cards) for seat in ("ann", "gm")}
    for upto in sorted(fortune.sample(range(3 * EXCHANGES), 4)):
        hidden = fortune.choice(("ann", "gm"))
        other = own[hidden][:upto] + any_cards(fortune, cards - upto)
        for seat in ("ann", "gm", "cyd", "dan", "somebody who looks on"):
            if seat != hidden:
                one = watched(seat, own, upto, seed)
                two = watched(seat, {**own, hidden: other}, upto, seed)
                assert one == two, (seat, hidden, upto)


@pytest.mark.slow
def test_the_watch_itself_would_notice_a_card_that_is_shown():
    points = ["point"] * 12
    own = {"ann": points, "gm": points}
    other = {"ann": points, "gm": ["avoid", *points[1:]]}
    assert watched("ann", own, 1, 3) != watched("ann", other, 1, 3)
    assert watched("gm", own, 0, 3) != watched("gm", other, 0, 3)  # one's own script
    late = {"ann": points, "gm": [*points[:4], "avoid", *points[5:]]}
    assert watched("cyd", own, 4, 3) == watched("cyd", late, 4, 3)
    assert watched("cyd", own, 5, 3) != watched("cyd", late, 5, 3)


def test_a_struck_card_is_never_shown_to_anybody():
    duel = argue(
        [("dismiss", "incite", "point")],
        [("feint", "feint", "feint")],
        [2, 2, 3],
        {"ann/concede": True},
    )
    assert all("Incite" not in str(fact.sides) for fact in facts(duel, VolleyCards))
    others = [
        e
        for e in seen_by(duel.events, "bob")
        if not isinstance(e, DecisionEvent) or e.ask.key != "script"
    ]
    assert "incite" not in repr([e for e in others if isinstance(e, Tell)])


# --- Simulation agrees with play -------------------------------------------------------------


def policy(ask: Ask) -> Any:
    if isinstance(ask.question, Script):
        cards = {"ann": ("point", "rebuttal", "dismiss"), "bob": ("rebuttal", "point", "incite")}
        return cards[ask.seat][-ask.question.slots :]
    return "words" if ask.question.default is None else ask.question.default


@pytest.mark.slow
def test_simulated_duels_go_as_duels_that_are_played_out():
    procedure = GAME.procedure("duel_of_wits")
    arguments = GAME.read(duel_arguments(rehearsal=True), procedure.arguments, "arguments")
    start = then(whole_duel, arguments, hall())
    chance, runs = Seeded("simulated"), 1500
    simulation = Simulation(policy, {volley: 3, make_ready: 0, body_test: 0, nerves_tried: 2})
    drawn = [simulation.run(start, chance)[0] for _ in range(runs)]
    out = [run(start, chance, policy)[0] for _ in range(300)]
    for told in (
        lambda o: o.winner == "ann",
        lambda o: o.settled == "tie",
        lambda o: o.volleys > 3,
        lambda o: o.heartbeats > 2,
    ):
        one = sum(map(told, drawn)) / runs
        other = sum(map(told, out)) / 300
        assert abs(one - other) < 4 * (max(one * (1 - one), 0.01) / 300) ** 0.5


def test_a_character_in_another_series_cannot_duel():
    scene = {"series": [{"title": "a long night", "characters": ["ann"]}]}
    with pytest.raises(NotAllowed, match="already in a series"):
        argue(at=hall(scene=scene))
