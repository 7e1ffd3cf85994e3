"""Natural magic: as a skill, open-ended, with its two samples."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.advancement.new_skills import aptitude
from games.burning_wheel.playing import play, sheet, table
from games.burning_wheel.prayers import lines

ELF: dict[str, Any] = {
    "name": "Lindir",
    "stock": "Elf",
    "stats": {"Will": "B5", "Perception": "B5", "Forte": "B4"},
    "attributes": {"Reflexes": "B5"},
    "skills": {
        "Air of Gates": "B4",
        "Song of Form": {"rating": "B4", "magical": True},
        "Sing": "B3",
        "Sorcery": {"rating": "B3", "magical": True},
    },
}
DWARF: dict[str, Any] = {
    "name": "Dain",
    "stock": "Dwarf",
    "body_type": "Dwarf",
    "stats": {"Will": "B4", "Agility": "B5"},
    "skills": {"Black-Metal Artifice": "B5", "War Art": "B3"},
}


def sing(rolls: Any, answers: Any = None, elf: Any = None, **more: Any) -> Any:
    at = table(elf={**ELF, **(elf or {})})
    said = {"character": "elf", "ability": "Song of Form", "intent": "shape it", "task": "sings"}
    return play("natural_magic", {**said, **more}, at, {"obstacle": 2, **(answers or {})}, rolls)


@pytest.mark.rules("faith.natural.what")
def test_natural_magic_belongs_to_certain_stocks():
    found = dict(play("look_up_natural_magic", {}, table()).outcome.entries)
    assert list(found) == ["Elf", "Dwarf", "Orc"]
    with pytest.raises(NotAllowed, match="natural magic belongs to Elf, Dwarf, Orc"):
        sing(None, elf={"stock": "Man"})
    with pytest.raises(NotAllowed, match="Lindir has no natural magic"):
        sing(None, elf={"skills": {"Sing": "B3"}}, ability="Sing")
    for ability in ("Sing", "Sorcery"):
        with pytest.raises(BadInput, match="a natural magic ability"):
            sing(None, ability=ability)


@pytest.mark.rules("faith.natural.as_skill")
def test_it_works_as_a_skill():
    plain = sing([2], {"forks": ["Sing"]})
    assert lines(plain.outcome.test.dice) == {"Song of Form": 4, "FoRK: Sing": 1}
    assert plain.outcome.test.earned
    assert sing([1]).outcome.test.earned  # pass or fail
    hurt = sing([2], elf={"wounds": ["Light"], "tolerances": "B4"})
    assert hurt.outcome.test.dice.total == 3
    helper = {"name": "Help", "stock": "Elf", "skills": {"Sing": "B5"}}
    at = table(elf=ELF, help=helper)
    said = {"character": "elf", "ability": "Song of Form", "helpers": ["help"]}
    helped = play("natural_magic", said, at, {"obstacle": 2, "help": "Sing"}, [2])
    assert helped.outcome.test.dice.total == 6
    bought = sing([2], {"boon": 1}, elf={"artha": {"persona": 1}})
    assert bought.outcome.test.dice.total == 5


@pytest.mark.rules(
    "faith.natural.open_ended", "faith.natural.no_will", "faith.natural.no_tax_no_failure"
)
def test_its_own_dice_alone_are_rolled_open_ended_without_tax_or_failed_casting():
    for rolls, passed in (([2], True), ([0], False)):
        run = sing(rolls)
        assert lines(run.outcome.test.dice) == {"Song of Form": 4}
        assert run.outcome.passed is passed
        assert len(run.rolls) == 1
        assert run.rolls[0].expression.open_ended is OpenEnded.SIXES
        assert not run.table.character("elf").forte_tax
    at = table(elf=ELF)
    said = {"character": "elf", "ability": "Air of Gates", "intent": "x", "task": "sings"}
    plain = play("standard_test", said, at, {"obstacle": 2}, [2])
    assert plain.rolls[0].expression.open_ended is OpenEnded.SIXES


@pytest.mark.rules("faith.natural.spell_like")
def test_extra_successes_of_a_spell_like_effect_are_divided():
    answers = {"divide": [1, 1], "wonder": "the oak bows"}
    run = sing([4], answers, functions=["effect", "area"])
    assert run.outcome.shares == (("effect", 1), ("area", 1))
    assert run.outcome.wonder == "the oak bows"
    assert "The oak bows." in run.told
    assert sing([4], functions=["area"]).outcome.shares == (("area", 2),)
    assert sing([4]).outcome.shares == ()
    one = sing([3], {"divide": [0, 1]}, functions=["effect", "area"])  # 3 against Ob 2: one extra
    assert one.outcome.shares == (("effect", 0), ("area", 1))
    assert sing([3], functions=["area"]).outcome.shares == (("area", 1),)
    # What went into speed is not left for the effect: 5 against Ob 2, one of three extra.
    hurried = sing([5], {"allocate": [0, 1]}, functions=["area"], time="10 minutes")
    assert (hurried.outcome.shares, hurried.outcome.seconds) == ((("area", 2),), 540)
    for rolls in ([2], [1]):
        assert sing(rolls, functions=["effect", "area"]).outcome.shares == ()


@pytest.mark.rules("faith.natural.cast_time")
def test_a_spell_like_ability_may_have_a_fixed_time():
    run = sing([2], actions=50)
    assert (run.outcome.actions, run.outcome.seconds) == (50, 30)  # 100 actions a minute
    assert sing([0], actions=50).outcome.seconds == 30  # what is fixed is sung to its end
    at = table(elf=ELF)
    said = {
        "character": "elf",
        "ability": "Song of Form",
        "intent": "i",
        "task": "t",
        "actions": 50,
    }
    granted = play("natural_magic", said, at, {"at_stake": "say_yes"}, [])
    assert (granted.outcome.passed, granted.outcome.seconds) == (True, 30)
    assert sing([2]).outcome.seconds == 0
    assert sing([2], time="10 minutes").outcome.seconds == 600
    with pytest.raises(BadInput, match="actions"):
        sing(None, actions=-1)


@pytest.mark.rules("faith.natural.cast_time", "faith.natural.as_skill")
def test_careful_and_quick_work_change_a_fixed_time_as_any_other():
    """50 actions at 100 a minute are 30 seconds; half of it more is 45, less a tenth of them."""
    slow = sing([2], {"carefully": True}, actions=50)
    assert (slow.outcome.test.dice.total, slow.outcome.seconds) == (5, 45)
    said = {"carefully": True, "allocate": [0, 2]}
    both = sing([4], said, actions=50)
    assert (both.outcome.test.quickly, both.outcome.seconds) == (2, 36)
    gate = ask_gate("house_door", [5], {"carefully": True, "allocate": [0, 2]}).outcome
    assert (gate.actions, gate.seconds, gate.test.seconds) == (75, 54, 54)


# --- Air of Gates --------------------------------------------------------------------------

GATES = [
    ("fence_gate", 1),
    ("cabin_door", 2),
    ("house_door", 3),
    ("doors_of_a_great_hall", 4),
    ("fortress_gate", 5),
    ("castle_gate", 6),
    ("city_gate", 7),
    ("gate_of_the_realm", 8),
]


def ask_gate(
    gate: str, rolls: Any, answers: Any = None, elf: Any = None, options: Any = None
) -> Any:
    at = table(options=options, elf={**ELF, **(elf or {})})
    return play("air_of_gates", {"character": "elf", "gate": gate}, at, answers, rolls)


@pytest.mark.rules("faith.natural.air_of_gates.obstacle", "faith.natural.air_of_gates.actions")
@pytest.mark.parametrize(("gate", "obstacle"), GATES)
def test_obstacle_and_time_go_with_the_gate(gate: str, obstacle: int):
    run = ask_gate(gate, [1])
    assert run.outcome.test.obstacle.total == obstacle
    assert run.outcome.actions == 25 * obstacle
    assert run.outcome.seconds == 15 * obstacle  # at Reflexes 5: 100 actions a minute
    # faith.amb.song_tandem_vs_actions: five actions an exchange, while the singer acts
    assert run.outcome.exchanges == 5 * obstacle
    assert run.outcome.passed is (obstacle <= 1)


@pytest.mark.rules("faith.natural.air_of_gates.effect")
def test_the_gate_answers_what_is_beyond():
    run = ask_gate("cabin_door", [2], {"answer": "two sleeping men"})
    assert run.outcome.answer == "two sleeping men"
    assert run.seats["answer"] == "gm"
    assert run.rolls[0].expression.open_ended is OpenEnded.SIXES
    failed = ask_gate("cabin_door", [1])
    assert "answer" not in failed.asked
    with pytest.raises(NotAllowed, match="not within Lindir's Presence"):
        ask_gate("cabin_door", None, {"in_presence": False})
    with pytest.raises(BadInput, match="gate"):
        ask_gate("window", None)
    with pytest.raises(NotAllowed, match="belongs to Elf"):
        ask_gate("cabin_door", None, elf={"stock": "Orc"})


@pytest.mark.parametrize("custom", ["nothing", "fuller_answer"])
def test_what_extra_successes_bring_at_a_gate(custom: str):
    """faith.amb.air_of_gates_extra."""
    options = {"faith_air_of_gates_extra_successes": custom}
    answers = {"fuller_answer": "and a dog"} if custom == "fuller_answer" else {}
    run = ask_gate("cabin_door", [4], answers, options=options)
    assert run.outcome.more == ("and a dog" if answers else "")
    assert "fuller_answer" not in ask_gate("cabin_door", [2], options=options).asked


def test_what_failure_would_bring_at_a_gate_is_said_before_the_roll():
    run = ask_gate("cabin_door", [1], {"on_failure": "the hinges scream"})
    assert "Failure: the hinges scream." in run.told
    assert "Failure: " in ask_gate("cabin_door", [1]).told


# --- Black-Metal Artifice ------------------------------------------------------------------

COOK = {"Black-Metal Artifice": "B5", "Cooking": "B3"}

PRODUCTS = [
    ("horseshoes", 1),
    ("mason_s_or_stone_art_tools", 2),
    ("cook_s_tools", 2),
    ("blacksmith_s_or_black_metal_art_tools", 2),
    ("armorer_s_weaponsmith_s_or_war_art_tools", 3),
    ("khirurgeon_s_tools", 4),
]


def forge(
    product: str,
    rolls: Any,
    answers: Any = None,
    dwarf: Any = None,
    options: Any = None,
    **more: Any,
) -> Any:
    at = table(options=options, dwarf={**DWARF, **(dwarf or {})})
    said = {"character": "dwarf", "product": product, **more}
    return play("black_metal", said, at, answers, rolls)


@pytest.mark.rules("faith.natural.black_metal.obstacle", "faith.natural.black_metal.open_ended")
@pytest.mark.parametrize(("product", "obstacle"), PRODUCTS)
def test_tools_have_their_obstacles(product: str, obstacle: int):
    run = forge(product, [obstacle])
    assert run.outcome.test.obstacle.total == obstacle
    assert run.rolls[0].expression.open_ended is OpenEnded.SIXES
    assert run.outcome.passed
    made = run.table.character("dwarf").gear[-1]
    assert not made.dice
    failed = forge(product, [obstacle - 1])
    assert not failed.table.character("dwarf").gear


@pytest.mark.rules("faith.natural.black_metal.bonus_tools")
def test_special_tools_cost_two_and_give_a_die_to_every_test_with_them():
    for product, obstacle in PRODUCTS:
        run = forge(product, [1], special=True)
        assert run.outcome.test.obstacle.total == obstacle + 2
    run = forge("cook_s_tools", [4], special=True, skills=["Brewing"])
    assert run.table.character("dwarf").gear[-1].dice == {"Cooking": 1, "Brewing": 1}
    cooking = forge("cook_s_tools", [4], special=True, dwarf={"skills": COOK}).table
    said = {
        "character": "dwarf",
        "ability": "Cooking",
        "intent": "a feast",
        "task": "cooks",
        "gear": ["special cook's tools"],
    }
    tested = play("standard_test", said, cooking, {"obstacle": 2}, [2])
    assert tested.outcome.dice.total == 4


@pytest.mark.rules("gold.tests.tools", "faith.natural.black_metal.record")
def test_the_skill_as_the_book_has_it():
    found = dict(play("look_up_black_metal", {}, table()).outcome.entries)
    assert found["roots"] == "Will and Agility"
    assert found["FoRKs"] == "White-Metal Artifice, War Art"
    assert (found["type"], found["tools"]) == ("Craftsman", "yes")
    assert found["cook's tools"] == "Ob 2; Ob 4 for +1D"
    helped = forge("cook_s_tools", [2], {"forks": ["War Art"]})
    assert helped.outcome.test.dice.total == 6
    with pytest.raises(NotAllowed, match="needs tools"):
        forge("cook_s_tools", None, {"has_tools": False})
    gold = {"edition": "gold"}  # there it can be tried, at twice Ob 2, or four times untrained
    for has, skills, obstacle in ((True, None, 2), (False, None, 4), (False, {}, 8)):
        dwarf = None if skills is None else {"skills": skills}
        run = forge("cook_s_tools", [1], {"has_tools": has}, dwarf, gold)
        assert run.outcome.test.obstacle.total == obstacle
        assert "wants_tools" not in run.asked
    smith = {"gear": [{"name": "hammers", "tools": ["Black-Metal Artifice"]}]}
    assert "has_tools" not in forge("cook_s_tools", [2], dwarf=smith).asked
    with pytest.raises(NotAllowed, match="belongs to Dwarf"):
        forge("cook_s_tools", None, dwarf={"stock": "Elf", "body_type": "Elf"})
    with pytest.raises(BadInput, match="product"):
        forge("crowns", None)


@pytest.mark.rules("faith.natural.black_metal.record")
def test_who_lacks_the_skill_tries_it_with_a_root():
    """faith.amb.black_metal_root: Will 4 and Agility 5 average to 4."""
    run = forge("horseshoes", [2], dwarf={"skills": {}})
    assert run.seats["root"] == "dwarf"
    assert {option.key for option in run.asks["root"].question.options} == {"Will", "Agility"}
    assert run.outcome.test.obstacle.total == 2  # doubled
    assert run.rolls[0].expression.open_ended is OpenEnded.NO  # the stat is rolled
    learning = run.table.character("dwarf").learning["Black-Metal Artifice"]
    assert learning.roots == ("Will", "Agility")
    dain = sheet(**{**DWARF, "skills": {}})
    assert aptitude(dain, learning.roots, table().options).total == 6
