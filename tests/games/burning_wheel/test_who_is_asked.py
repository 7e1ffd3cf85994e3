"""Who is asked what, in the Hub and the Spokes: the GM judges, and players decide for their own.

The seats are written down by hand from what the rules say of each decision. Rich and Tam have
players of other names, so that no seat is the key of a character by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from astragal.play import DecisionEvent
from games.burning_wheel.playing import Played, a_test, declare, play, table

ANN, BEN, GM = "ann", "ben", "gm"
GOLD = {"edition": "gold"}
SOCIAL = {"rating": "B4", "category": "Social"}

RICH: dict[str, Any] = {
    "player": ANN,
    "stats": {"Will": "B4", "Power": "B5", "Agility": "B4", "Perception": "B4"},
    "attributes": {"Health": "B4", "Steel": "B4"},
    "skills": {"Sword": "B4", "Axe": "B3", "Persuasion": SOCIAL, "Reading": "B3"},
    "traits": [{"name": "Fierce", "kind": "call_on", "situation": "in anger"}],
    "beliefs": ["The duke must pay"],
    "instincts": ["Never run"],
    "artha": {"fate": 6, "persona": 6, "deeds": 3},
    "weapons": ["sword"],
}
TAM: dict[str, Any] = {"player": BEN, "skills": {"Sword": "B4", "Persuasion": SOCIAL}}
DUKE: dict[str, Any] = {"npc": True, "stats": {"Will": "B5"}, "skills": {"Persuasion": SOCIAL}}


def at(options: Any = None, scene: Any = None, **rich: Any) -> Any:
    return table(scene, options, rich={**RICH, **rich}, tam=TAM, duke=DUKE)


def a_failure() -> Played:
    """A careful test with help that fails, on a table with Complications."""
    said = {
        "task_says_how#1": False, "how": "with the pommel", "fits#1": False, "ability": "Sword",
        "deadly": True, "death": "he drowns", "time": "2 hours", "portions": 1,
        "advantage": "I stand above him", "forks": ["Axe"], "ask_help": ["tam"], "help": "Sword",
        "help_how": "he shouts", "carefully": True, "boon": 1, "divine_inspiration": False,
        "after_roll#1": "call_on:Fierce", "time_complication": "it is dark", "focus": False,
        "complication": "he loses his sword", "time_lost": "may_stop_early",
        "about": ["beliefs.0"],
    }  # fmt: skip
    named = {"ability": "Axe", "intent": "", "task": ""}
    arguments = {**declare("rich", "Axe"), **named}
    said |= {"intent": "the gate is ours", "task": "strikes", "obstacle": 9}
    return play("standard_test", arguments, at(scene={"complications": True}), said, [0, 0])


def a_text_and_an_instant() -> Played:
    read = [
        {"title": "On Blades", "reader": "rich", "understood": True},
        {"title": "On Stances", "reader": "rich", "understood": False},
    ]
    here = at({"tests_careful_on_instantaneous": "gm_may_agree"}, {"instructions": read})
    said = {"careful_allowed": True, "lift_instructions": True}
    texts = ["On Blades", "On Stances"]
    return a_test(here, "Sword", 2, [3], said, instructions=texts)


def a_speech() -> Played:
    return a_test(at(), "Persuasion", 2, [2], {"played_well": True})


def a_printed_bonus() -> Played:
    return a_test(at(skills={"Sword": {"rating": "B4", "bonus": 1}}), "Sword", 2, [2])


def a_fright() -> Played:
    return a_test(at(), "Steel", 2, [2])


def by_luck() -> Played:
    said = {"roots": ["Power", "Agility"], "root": "Power"}
    return a_test(at(), "Masonry", 1, [2], said)


def in_the_later_edition() -> Played:
    standings = [{"name": "Butcher", "dice": 2, "infamous": True}]
    wounds = [{"level": "superficial"}, {"level": "midi"}]
    here = at(GOLD, reputations=standings, wounds=wounds)
    said = {
        "fits#1": False, "ability": "Persuasion", "at_stake": "say_yes", "within_reach": False,
        "obstacle_from": "Will", "time": "10 hours", "wants_tools": False,
        "infamy_bears": [], "ignore_superficial": True, "ignore_wounds": 1,
        "advantage": "He owes me", "advantage_dice": 2, "carefully": True, "time_threat": "dusk",
        "allocate": [0, 1], "time_taken": "9 hours",
    }  # fmt: skip
    arguments = declare("rich", "Sword", target="duke")
    return play("standard_test", arguments, here, said, [6])


def a_war_of_words() -> Played:
    words = {"sides": [declare("rich", "Persuasion"), declare("tam", "Persuasion")]}
    calm = {"name": "Calm", "kind": "call_on", "situation": "in court"}
    said = {"break_tie": "Calm", "after_roll": "nothing"}
    return play("versus_test", words, at(traits=[calm]), said, [2, 2])


def again() -> Played:
    first = a_test(at(), "Sword", 2, [1])
    said = {"conditions_changed": "the wall has fallen"}
    return a_test(first.table, "Sword", 2, [2], said)


def aloud() -> Played:
    first = a_test(at(), "Sword", 2, [2], {"intent": ""}, intent="")
    return a_test(first.table, "Sword", 2, [2], {"new_intent": True}, intent="")


def settled() -> Played:
    ridden = a_test(at(), "Sword", 2, [2]).table
    about = {"character": "rich", "ability": "Sword", "intent": "get in"}
    return play("settle_intent", about, ridden, {"reason": "he is in"})


def a_chain() -> Played:
    steps = [declare("rich", "Sword"), declare("tam", "Sword")]
    return play("linked_tests", {"tests": steps}, at(), {"obstacle": 1}, [2, 2])


Playing = Callable[[], Played]

TESTS: dict[Playing, dict[str, str]] = {
    a_failure: {
        "intent": ANN, "task": ANN, "task_says_how": GM, "how": ANN, "fits": GM, "ability": ANN,
        "at_stake": GM, "obstacle": GM, "on_success": GM, "on_failure": GM, "deadly": GM,
        "death": GM, "time": GM, "portions": GM, "disadvantages": GM, "advantage": ANN,
        "grant_advantage": GM, "gm_advantage": GM, "forks": ANN, "allow_forks": GM,
        "ask_help": ANN, "help": BEN, "help_how": BEN, "accept_help": ANN, "allow_help": GM,
        "carefully": ANN, "divine_inspiration": ANN, "boon": ANN, "after_roll": ANN,
        "call_on_applies": GM, "failure": GM, "time_complication": GM, "focus": ANN,
        "disaster": GM, "complication": ANN, "accept_complication": GM, "weapon_pays": GM,
        "time_lost": GM, "stop_early": ANN, "helpers_share": GM, "about": ANN,
        "about_confirmed": GM,
    },
    a_text_and_an_instant: {
        "instructions_suit": GM, "lift_instructions": GM, "careful_allowed": GM, "allocate": ANN,
    },
    a_speech: {"played_well": GM},
    a_printed_bonus: {"trait_bonus": GM},
    a_fright: {"call_for_steel": GM},
    by_luck: {"roots": GM, "root": ANN},
    in_the_later_edition: {
        "ability": GM, "at_stake": GM, "within_reach": GM, "obstacle_from": GM, "wants_tools": GM,
        "infamy_bears": GM, "ignore_superficial": ANN, "ignore_wounds": ANN,
        "advantage_dice": GM, "time_threat": GM, "allocate": ANN, "time_taken": GM,
    },
    a_war_of_words: {"defender": GM, "break_tie": ANN, "call_on_applies": GM},
    again: {"conditions_changed": GM, "accept_retest": ANN},
    aloud: {"new_intent": GM},
    settled: {"reason": GM},
    a_chain: {"chain": GM},
}  # fmt: skip


@pytest.mark.parametrize("playing", TESTS, ids=lambda playing: playing.__name__)
def test_who_decides_what_about_a_test(playing: Playing):
    expected = TESTS[playing]
    assert {key: seat for key, seat in playing().seats.items() if key in expected} == expected


# --- Advancement ---------------------------------------------------------------------------


def a_lone_die() -> Played:
    return a_test(at(skills={"Sword": "B1"}), "Sword", 1, [1], {"log_as": "difficult"})


def a_request() -> Played:
    asked = {"character": "rich", "ability": "Sword", "situation": "a duel at dawn"}
    return play("ask_for_test", asked, at())


def a_review() -> Played:
    said = {"forgotten": ["Sword"], "dice": 4, "obstacle": 2}
    return play("review_tests", {"characters": ["rich"]}, at(), said)


def a_correction() -> Played:
    wrong = {"character": "rich", "ability": "Sword", "tests": 1, "difficulty": "routine"}
    return play("correct_log", wrong, at(), {"reason": "forgotten"})


def a_winter_of_drills() -> Played:
    here = at({"advancement_practice_missing_abilities": "gm_sets_cycle_and_hours"}, LATER)
    said = {
        "roots": ["Agility"], "category": "Martial", "cycle_months": 2, "routine_hours": 1,
        "difficult_hours": 2, "challenging_hours": 4,
    }  # fmt: skip
    regimen = [{"ability": "Bow", "hours": 2}, {"ability": "Health", "hours": 2}]
    drills = {"character": "rich", "regimen": regimen, "narrated": "a winter in the hills"}
    return play("practise", drills, here, said)


LATER = {"calendar": {"day": 90}}


def an_absence() -> Played:
    away = {"character": "rich", "time": "30 days", "regimen": [{"ability": "Power", "hours": 2}]}
    return play("absence", away, at(scene=LATER))


def failed_lessons() -> Played:
    course = {"instructor": "tam", "student": "rich", "skill": "Sword", "since": 0, "passed": False}
    here = at(
        {"advancement_failed_instruction_hours": "gm_enters_hours"}, {**LATER, "courses": [course]}
    )
    said = {"instruction_hours": 4, "category": "Martial"}
    return play("taught", {"instructor": "tam", "student": "rich", "skill": "Sword"}, here, said)


ADVANCEMENT: dict[Playing, dict[str, str]] = {
    a_lone_die: {"log_as": ANN},
    a_request: {"moment": GM},
    a_review: {"forgotten": ANN, "fitting": GM, "dice": GM, "obstacle": GM, "passed": GM},
    a_correction: {"reason": GM},
    a_winter_of_drills: {
        "suits": GM, "roots": GM, "category": GM, "cycle_months": GM, "routine_hours": GM,
        "difficult_hours": GM, "challenging_hours": GM,
    },
    an_absence: {"grant_absence": GM},
    failed_lessons: {"category": GM, "instruction_hours": GM},
}  # fmt: skip


@pytest.mark.parametrize("playing", ADVANCEMENT, ids=lambda playing: playing.__name__)
def test_who_decides_what_about_an_advancement(playing: Playing):
    expected = ADVANCEMENT[playing]
    assert {key: seat for key, seat in playing().seats.items() if key in expected} == expected


# --- Artha, Beliefs, Instincts and traits ------------------------------------------------------


def an_award() -> Played:
    warned = at(scene={"warned": [ANN]})
    earned = {"character": "rich", "award": "instinct", "why": "he drew his sword at court"}
    return play("award_artha", earned, warned)


def a_warning() -> Played:
    return play("warn_player", {"seat": ANN}, at(), {"gently": "let the others speak"})


def the_end_of_an_evening() -> Played:
    evening = {"participants": ["rich", "tam"]}
    return play("session_artha", evening, at(), {"awards": ["moldbreaker"], "moldbreaker": "yes"})


def the_end_of_a_scenario() -> Played:
    said = {f"{award}_{round_}": "abstain" for award in ("workhorse", "mvp") for round_ in (1, 2)}
    return play("scenario_votes", {"participants": ["rich", "tam"]}, at(), said)


def an_aristeia() -> Played:
    grand = {"fate": 5, "persona": 4, "deeds": 2}
    entered = {"character": "rich", "form": "divine_aura", "ability": "Sword", "goal": "escape"}
    hurt = at(artha=grand, wounds=[{"level": "light"}])
    run = play("enter_aristeia", entered, hurt, {"about": ["beliefs.0"]})
    assert run.seats == {"simple_goal": GM, "about": ANN, "about_confirmed": GM}
    return a_test(run.table, "Sword", 2, [2])


def an_epiphany() -> Played:
    near = {"rating": "B4", "spent": {"fate": 20, "persona": 9, "deeds": 3}}
    custom = {"artha_epiphany_of_other_abilities": "gm_confirms_each"}
    run = a_test(at(custom, attributes={"Health": near}), "Health", 2, [2], {"boon": 1})
    # Unless the GM says so, it does not shift (artha.amb.epiphany_scope).
    assert str(run.table.character("rich").attributes["Health"].rating) == "B4"
    return run


def a_change_of_mind() -> Played:
    bit = {"character": "rich", "bit": "belief", "number": 1, "text": "The duke may live"}
    return play("change_bit", bit, at())


def an_instinct() -> Played:
    failed = a_test(at(), "Axe", 2, [0], intent="keep the bridge").table
    told = declare("rich", "Sword", intent="stand fast")
    triggered = {"character": "rich", "number": 1, "test": told}
    return play("instinct_triggers", triggered, failed, {"obstacle": 1}, [1])


def an_instinct_that_came_too_late() -> Played:
    failed = a_test(at(), "Axe", 2, [0], intent="keep the bridge").table
    return play("instinct_triggers", {"character": "rich", "number": 1}, failed)


def a_trait_vote() -> Played:
    bits = [{"text": "The duke must pay", "spent": {"persona": 1}}]
    said: dict[str, Any] = {
        "ben/nominate_rich": "Lame", "trait_kind": "character", "alters_body": True,
        "evolve": "Iron arm", "evolve_kind": "die:3", "evolve_points": 2, "keep": ["Lame"],
    }  # fmt: skip
    for voter in (GM, BEN):
        said |= {f"{voter}/vote_rich_{trait}": "yes" for trait in ("Lame", "Iron arm")}
    return play("trait_vote", {"participants": ["rich", "tam"]}, at(beliefs=bits), said)


def the_last_look_at_a_sheet() -> Played:
    return play("ready_for_play", {"character": "rich"}, at())


def the_rate_of_votes() -> Played:
    return play("announce_vote_rate", {"every": 2}, at(), {"discussed": "a short tale"})


def a_request_of_fate() -> Played:
    asked = {"asker": "rich", "wish": "a rope", "matter": "forgotten_item", "against": "tam"}
    return play("die_of_fate", asked, at(), {"needs_the_one": "rich"}, [[3]])


def a_gift() -> Played:
    given = {"character": "rich", "thing": "sword", "receiver": "tam"}
    return play("give_gear", given, at())


def something_granted() -> Played:
    return play("grant_gear", {"character": "rich", "gear": {"name": "helmet"}}, at())


def something_found() -> Played:
    dropped = {"lost": [{"gear": {"name": "helmet"}, "owner": "rich"}]}
    return play("find_gear", {"character": "rich", "thing": "helmet"}, at(scene=dropped))


OTHERS: dict[Playing, dict[str, str]] = {
    an_award: {"holds_instinct": GM, "obstructs": GM, "withhold": GM},
    a_warning: {"gently": GM},
    the_end_of_an_evening: {"nominations": BEN, "awards": GM, "moldbreaker": ANN},
    the_end_of_a_scenario: {
        "scenario_over": GM, "workhorse_1": BEN, "workhorse_2": BEN, "workhorse_agreed": GM,
        "mvp_1": BEN, "mvp_agreed": GM,
    },
    an_aristeia: {"serves_goal": GM},
    an_epiphany: {"epiphany": GM},
    a_change_of_mind: {"when": GM},
    an_instinct: {"condition_met": GM, "undoes": GM, "hold_back": ANN, "trouble": GM},
    an_instinct_that_came_too_late: {"kept_by": GM},
    a_trait_vote: {
        "story_over": GM, "trait_kind": BEN, "alters_body": BEN, "borne_out": GM,
        "lose_rich": ANN,  "evolve": ANN, "evolve_kind": ANN,
        "evolve_points": ANN, "vote_rich_Lame": BEN, "keep": GM,
    },
    the_last_look_at_a_sheet: {"explicit": GM, "anchored": GM},
    the_rate_of_votes: {"discussed": GM},
    a_request_of_fate: {
        "matter": GM, "needs_the_one": GM, "item_obstacle": GM, "decide": GM, "crucial": GM,
    },
    a_gift: {"take_gift": BEN},
    something_granted: {"grant": GM},
    something_found: {"find": GM},
}  # fmt: skip


@pytest.mark.parametrize("playing", OTHERS, ids=lambda playing: playing.__name__)
def test_who_decides_what_about_a_character(playing: Playing):
    """Where everybody is asked, it is the seat that is asked last."""
    expected = OTHERS[playing]
    assert {key: seat for key, seat in playing().seats.items() if key in expected} == expected


def test_each_side_of_a_versus_test_states_its_own_case_and_says_what_it_bears():
    events = a_war_of_words().events
    asked = [(each.ask.key, each.ask.seat) for each in events if isinstance(each, DecisionEvent)]
    assert [seat for key, seat in asked if key == "case"] == [ANN, BEN]
    assert [seat for key, seat in asked if key == "on_failure"] == [GM, GM]
