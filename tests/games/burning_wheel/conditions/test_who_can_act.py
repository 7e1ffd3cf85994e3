"""The dead do nothing: one gate before every procedure, walked with each state that fells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import NotAllowed, Refusal
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conditions.who_can_act import EXCEPTIONS
from astragal.games.burning_wheel.sheet.parts import Wound, WoundLevel
from astragal.games.burning_wheel.sheet.scene import Hesitation
from astragal.play import Session
from games.burning_wheel.playing import play, table
from test_examples import EXAMPLES, SCENARIOS, scenario

MORTAL = Wound(WoundLevel.MORTAL)
TREATED = Wound(WoundLevel.MORTAL, treated=True, will=True)
STATES: dict[str, dict[str, Any]] = {
    "dead": {"dead": True},
    "comatose": {"comatose": True},
    "dying": {"wounds": (MORTAL,)},
    "unconscious": {"wounds": (TREATED,)},
    "gone from the world": {"transcended": True},
}
FELLED = {
    "unconscious": {
        "grit_teeth": "the one attempt to get up",
        "grit_your_teeth": "the one attempt to get up",
        "cling_to_life": "a further Mortal Wound",
        "recover": "healing",
    },
    "dying": {"cling_to_life": "it is for the dying", "recover": "of other wounds"},
    "comatose": {"cling_to_life": "a Mortal Wound on top of it", "recover": "of other wounds"},
    "dead": {},
    "gone from the world": {},
}
"""What somebody in that state can do, of all that needs somebody who does it."""

NOBODY_ACTS = {
    *("armory", "grayscale", "harness", "hold_bomb", "mark_hit", "position_bomb", "shield_strike"),
    *("look_up_die_of_fate", "look_up_shades", "look_up_sizes", "look_up_wages"),
    *("look_up_lifepaths", "look_up_rogues", "agree_on_concept", "fits_the_game"),
    *("rehearse_maneuvers", "rehearse_volley", "speed_dice", "strike_script"),
    *("look_up_spells", "position_spell", "spell_after_positioning", "spell_time", "keep_spells"),
    *("award_artha", "change_bit", "withdraw_change", "die_of_fate", "ready_for_play"),
    *("reputation_vote", "trait_vote", "scenario_votes", "review_tests"),
    *("settle_home", "settle_lifestyle", "end_aristeia", "give_up_chase", "next_portion"),
    *("strip_armor", "take_off_armor"),
    *("look_up_black_metal", "look_up_emotions", "look_up_magic", "look_up_natural_magic"),
    *("look_up_mounts", "look_up_prayers", "position_prayer", "prayer_after_positioning"),
    *("settle_faith", "show_stigmata", "state_faith"),
}
"""What players begin and no character does."""

GM_MAKES_THEM_ACT = {"steel_test", "block_and_strike", "shield_defence", "maintenance"}
"""What only the GM begins, and yet a character does; at the end of a cycle whoever is named."""

HESITATING = {
    "cling_to_life": "no control is needed",
    "recover": "no control is needed",
    "enter_aristeia": "the player's decision",
    "steel_test": "steel.amb.tests_while_hesitating",
    "duel_of_wits": "steel.amb.hesitation_beyond_conflict",
    "fight": "steel.amb.hesitation_beyond_conflict",
    "range_and_cover": "steel.amb.hesitation_beyond_conflict",
    "instinct_triggers": "beliefs.amb.instinct_vs_hesitation",
    "chase": "steel.fail.run_screaming",
    "run_on": "steel.fail.run_screaming",
    "sprint": "steel.fail.run_screaming",
    "shield_cover": "the shield's dice alone, without a skill",
}
"""What a character can do, or what can be asked of one, in spite of hesitating."""


@cache
def situations() -> dict[str, tuple[Any, BurningTable]]:
    """For each procedure what a scenario begins it with, and the table it does so at."""
    found: dict[str, tuple[Any, BurningTable]] = {}
    unnamed: dict[str, tuple[Any, BurningTable]] = {}
    for path in SCENARIOS:
        if EXAMPLES / "burning_wheel" not in path.parents:
            continue
        the_scenario = scenario(path)
        for step in the_scenario.file.step:
            if step.procedure in found:
                continue
            kind = GAME.procedure(step.procedure).arguments
            try:
                arguments = GAME.read(step.arguments, kind, "arguments")
            except Refusal:
                continue  # a scenario about bad input
            if set(words(step.arguments)) & set(the_scenario.table.characters):
                found[step.procedure] = (arguments, the_scenario.table)
            else:
                unnamed.setdefault(step.procedure, (arguments, the_scenario.table))
    return unnamed | found


def words(raw: Any) -> Iterator[str]:
    """Every text in arguments, wherever it stands."""
    if isinstance(raw, str):
        yield raw
    elif isinstance(raw, dict | list | tuple):
        for each in raw.values() if isinstance(raw, dict) else raw:
            yield from words(each)


def begin(name: str, arguments: Any, at: BurningTable) -> str:
    """Begin it; the sentence with which it is refused, if it is."""
    chance = Seeded(name)
    try:
        Session(
            GAME.procedure(name).start(arguments, at), lambda roll: roll.expression.sample(chance)
        )
    except Refusal as refusal:
        return str(refusal)
    return ""


def gms_alone() -> set[str]:
    gms = {name for name, procedure in GAME.procedures.items() if procedure.gm_only}
    return gms - GM_MAKES_THEM_ACT


def with_all(at: BurningTable, **changes: Any) -> BurningTable:
    sheets = {key: msgspec.structs.replace(each, **changes) for key, each in at.characters.items()}
    return msgspec.structs.replace(at, characters=sheets)


@pytest.mark.slow
def test_there_is_something_to_begin_every_procedure_with():
    assert set(situations()) == set(GAME.procedures)


def test_what_nobody_acts_in_is_the_gms_or_one_of_a_few():
    free = {name for name, acting in EXCEPTIONS.items() if acting.needs.name == "NOTHING"}
    assert free == NOBODY_ACTS | gms_alone()
    assert set(EXCEPTIONS) <= set(GAME.procedures)
    assert all(acting.why for acting in EXCEPTIONS.values())


@pytest.mark.rules("injury.zero.mental", "injury.effect.mortal")
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", sorted(GAME.procedures))
def test_nobody_acts_in_a_state_that_fells(name: str, state: str):
    arguments, at = situations()[name]
    refused = begin(name, arguments, with_all(at, **STATES[state]))
    may = name in NOBODY_ACTS | gms_alone() | set(FELLED[state])
    assert (f"is {state} and cannot act" in refused) is not may, refused


@pytest.mark.rules("steel.fail.player_chooses_how", "steel.test.fail")
@pytest.mark.parametrize("name", sorted(GAME.procedures))
def test_nobody_has_control_of_a_character_who_hesitates(name: str):
    arguments, at = situations()[name]
    hesitating = tuple(Hesitation(who, 3, "stand_and_drool") for who in at.characters)
    fit = with_all(at, wounds=(), dead=False, comatose=False)
    scene = msgspec.structs.replace(at.scene, hesitating=hesitating)
    refused = begin(name, arguments, msgspec.structs.replace(fit, scene=scene))
    may = name in NOBODY_ACTS | gms_alone() | set(HESITATING)
    assert ("hesitates for 3 heartbeats and cannot act" in refused) is not may, refused


# --- What the dead have done ---------------------------------------------------------------

RICH = {
    "stats": {"Will": "B4", "Perception": "B4"},
    "attributes": {"Steel": "B4"},
    "skills": {"Rhetoric": "B4", "Cooking": {"rating": "B3", "roots": ["Perception"]}},
    "resources": {"rating": "B4", "lifestyle": 2, "taxed": 1},
    "artha": {"fate": 9, "persona": 9, "deeds": 9},
}
DEEDS = {
    "purchase": {"character": "rich", "item": "a horse", "task": "buys it"},
    "lend": {"lender": "rich", "borrower": "anna", "dice": 1},
    "lifestyle_test": {"character": "rich"},
    "get_a_job": {"character": "rich", "work": "cooks", "skill": "Cooking"},
    "practise": {
        "character": "rich",
        "regimen": [{"ability": "Cooking", "hours": 4}],
        "time": "1 month",
        "first_day": 0,
    },
    "duel_of_wits": {
        "about": "the crown",
        "sides": [
            {"character": "anna", "skill": "Rhetoric"},
            {"character": "rich", "skill": "Rhetoric"},
        ],
    },
    "steel_test": {"character": "rich", "cause": "fear", "source": "a ghost"},
    "enter_aristeia": {"character": "rich", "form": "minor_epiphany", "ability": "Cooking"},
}


@pytest.mark.parametrize("name", DEEDS)
def test_the_dead_do_not_what_the_living_do(name: str):
    arguments = GAME.read(DEEDS[name], GAME.procedure(name).arguments, "arguments")
    late = {"calendar": {"day": 100}}
    assert begin(name, arguments, table(late, rich=RICH, anna=RICH)) == ""
    for state in STATES:
        flag = {"gone from the world": "transcended"}.get(state, state)
        hurt = {flag: True} if flag in ("dead", "comatose", "transcended") else None
        wound = {"level": "Mortal", "treated": state == "unconscious"}
        lying = table(rich={**RICH, **(hurt or {"wounds": [wound]})}, anna=RICH)
        assert f"Rich is {state} and cannot act" in begin(name, arguments, lying)


def test_the_living_can_lend_and_the_dead_cannot_borrow():
    arguments = {"lender": "anna", "borrower": "rich", "dice": 1}
    with pytest.raises(NotAllowed, match="Rich is dead and cannot act"):
        play("lend", arguments, table(rich={**RICH, "dead": True}, anna=RICH))


def test_at_the_end_of_a_cycle_the_dead_pay_for_nothing():
    at = table({"calendar": {"day": 400}}, rich={**RICH, "dead": True}, anna=RICH)
    played = play("maintenance", {}, at)
    assert {test.character for test in played.outcome.tests} == {"anna"}
    assert "Rich is dead: no maintenance test." in played.told


@pytest.mark.rules("injury.zero.physical")
def test_the_helpless_pay_by_word_and_watch_but_do_not_fight():
    helpless = {**RICH, "stats": {**RICH["stats"], "Power": "B1"}, "wounds": ["Light"]}
    at = table(rich=helpless, anna=RICH)
    for name, may in (("purchase", True), ("lifestyle_test", True), ("get_a_job", False)):
        arguments = GAME.read(DEEDS[name], GAME.procedure(name).arguments, "arguments")
        assert ("is helpless and cannot act" in begin(name, arguments, at)) is not may
    look = {"character": "rich", "ability": "Perception", "intent": "see", "task": "looks on"}
    assert play("open_test", look, at, rolls=[2]).outcome.successes == 2
