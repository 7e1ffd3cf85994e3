"""Help, Fields of Related Knowledge, Beginner's Luck."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.tests.helping import may_help
from astragal.rules import Options
from games.burning_wheel.playing import a_test, declare, play, sheet, table

RICH = {
    "stats": {"Power": "B4"},
    "attributes": {"Steel": "B5", "Health": "B4"},
    "skills": {"Sword": "B4"},
}


def offered(run: Any) -> list[str]:
    return [option.key for option in run.asks["help"].question.options]


# --- Help ----------------------------------------------------------------------------------


@pytest.mark.rules("tests.help.dice_exponent_4_or_less", "tests.help.dice_exponent_5_or_more")
@pytest.mark.parametrize("exponent", range(1, 11))
def test_help_is_one_die_up_to_four_and_two_from_five(exponent: int):
    at = table(rich=RICH, friend={"skills": {"Brawling": f"B{exponent}"}})
    run = a_test(at, "Sword", 1, [0], {"help": "Brawling"}, helpers=["friend"])
    assert run.outcome.dice.total == 4 + (1 if exponent <= 4 else 2)
    band = "4_or_less" if exponent <= 4 else "5_or_more"
    assert run.outcome.dice.lines[-1].rule == f"tests.help.dice_exponent_{band}"


@pytest.mark.rules("tests.help.one_roller", "tests.amb.helper_count")
def test_any_number_help_and_one_rolls():
    friends = {f"f{n}": {"skills": {"Brawling": "B5"}} for n in range(5)}
    run = a_test(
        table(rich=RICH, **friends), "Sword", 1, [0], {"help": "Brawling"}, helpers=list(friends)
    )
    assert run.outcome.dice.total == 4 + 5 * 2
    assert [(roll.owner, roll.label) for roll in run.rolls] == [("rich", "Rich, Sword")]


@pytest.mark.rules("tests.help.must_be_accepted", "tests.help.dice_handed_over")
def test_help_counts_only_if_it_is_offered_and_accepted():
    at = table(
        rich=RICH, friend={"skills": {"Brawling": "B4"}}, other={"skills": {"Brawling": "B5"}}
    )
    both = {"help": "Brawling"}
    helpers = ["friend", "other"]
    assert a_test(at, "Sword", 1, [0], both, helpers=helpers).outcome.dice.total == 7
    one = both | {"accept_help": ["friend"]}
    run = a_test(at, "Sword", 1, [0], one, helpers=helpers)
    assert run.outcome.dice.total == 5
    assert run.seats["accept_help"] == "rich"
    assert run.before_the_dice("accept_help")
    none = a_test(at, "Sword", 1, [0], both | {"accept_help": []}, helpers=helpers)
    assert none.outcome.dice.total == 4
    assert "allow_help" not in none.asked
    # asked, but nothing handed over
    held_back = a_test(at, "Sword", 1, [0], {"friend/help": "Brawling"}, helpers=helpers)
    assert held_back.outcome.dice.total == 5


@pytest.mark.rules("tests.help.must_describe")
def test_a_helper_says_how():
    at = table(rich=RICH, friend={"skills": {"Brawling": "B4"}})
    aloud = a_test(at, "Sword", 1, [0], {"help": "Brawling", "help_how": " "}, helpers=["friend"])
    assert aloud.asks["accept_help"].question.options[0].label == "Friend"
    answers = {"help": "Brawling", "help_how": "trips him"}
    run = a_test(at, "Sword", 1, [0], answers, helpers=["friend"])
    assert run.seats["help_how"] == "friend"
    assert run.asks["accept_help"].question.options[0].label == "Friend: trips him"


@pytest.mark.rules("tests.help.gm_arbiter", "tests.help.related")
def test_the_gm_has_the_last_word_on_what_is_related():
    at = table(
        rich=RICH, friend={"skills": {"Cooking": "B4"}}, other={"skills": {"Brawling": "B4"}}
    )
    answers = {"friend/help": "Cooking", "other/help": "Brawling", "allow_help": ["other"]}
    run = a_test(at, "Sword", 1, [0], answers, helpers=["friend", "other"])
    assert run.outcome.dice.total == 5
    assert run.seats["allow_help"] == "gm"
    assert "help: Brawling B4" in run.told
    assert "Cooking" not in run.told


HELPER = {
    "stats": {"Power": "B4", "Will": "B4"},
    "attributes": {"Steel": "B5", "Health": "B4"},
    "skills": {"Brawling": "B3", "Lost": "B0"},
    "resources": "B2",
}


@pytest.mark.rules(
    "tests.help.skill_helps_skill_and_stat",
    "tests.help.stat_helps_stat_only",
    "tests.amb.attributes_helping",
    "tests.amb.helper_wounded_or_zero",
)
@pytest.mark.parametrize(
    ("tested", "choice", "helps"),
    [
        ("Sword", "no", ["Brawling"]),
        ("Power", "no", ["Power", "Will", "Brawling"]),
        ("Steel", "no", ["Steel"]),
        ("Steel", "yes", ["Steel", "Brawling"]),
        ("Health", "no", []),  # its own chapter knows of no help
        ("Health", "yes", ["Brawling"]),
        ("Sword", "yes", ["Brawling"]),
    ],
)
def test_what_may_help_what(tested: str, choice: str, helps: list[str]):
    options = {"tests_skill_helps_attribute": choice}
    at = table(options=options, rich=RICH, friend=HELPER)
    run = a_test(at, tested, 1, [0], helpers=["friend"])
    assert offered(run) == ["none", *helps]


@pytest.mark.rules("tests.help.skill_helps_skill_and_stat", "tests.help.stat_helps_stat_only")
def test_each_kind_of_help_is_offered_by_its_own_rule():
    run = a_test(table(rich=RICH, friend=HELPER), "Power", 1, [0], helpers=["friend"])
    rules = {option.key: option.rule for option in run.asks["help"].question.options}
    assert rules["Will"] == rules["Power"] == "tests.help.stat_helps_stat_only"
    assert rules["Brawling"] == "tests.help.skill_helps_skill_and_stat"


@pytest.mark.rules("tests.amb.attributes_helping")
def test_resources_help_resources():
    options = Options.of("burning_wheel")
    one, other = sheet(resources="B2"), sheet(resources="B5", circles="B3")
    assert may_help(one.ability("Resources"), other.ability("Resources"), options)
    assert may_help(one.ability("Resources"), other.ability("Circles"), options) is None


def test_illegal_help_is_refused():
    at = table(rich=RICH, friend=HELPER)
    with pytest.raises(BadInput, match=r"help: found 'Will', expected one of none, Brawling"):
        a_test(at, "Sword", 1, [], {"help": "Will"}, helpers=["friend"])
    with pytest.raises(
        BadInput, match=r"helpers\[0\]: found 'rich', expected somebody else.*one_roller"
    ):
        a_test(at, "Sword", 1, [], helpers=["rich"])
    with pytest.raises(
        BadInput, match=r"helpers\[1\]: found 'friend', expected each helper once.*helper_count"
    ):
        a_test(at, "Sword", 1, [], helpers=["friend", "friend"])
    with pytest.raises(
        BadInput, match=r"helpers\[0\]: found 'nobody', expected one of rich, friend"
    ):
        a_test(at, "Sword", 1, [], helpers=["nobody"])


# --- FoRKs ---------------------------------------------------------------------------------


@pytest.mark.rules("tests.fork.one_die", "tests.fork.two_dice_at_seven")
@pytest.mark.parametrize("exponent", range(1, 11))
def test_a_fork_is_one_die_up_to_six_and_two_from_seven(exponent: int):
    at = table(rich={"skills": {"History": "B4", "Dwarf-wise": f"B{exponent}"}})
    run = a_test(at, "History", 1, [0], {"forks": ["Dwarf-wise"]})
    assert run.outcome.dice.total == 4 + (1 if exponent <= 6 else 2)
    rule = "one_die" if exponent <= 6 else "two_dice_at_seven"
    assert run.outcome.dice.lines[-1].rule == f"tests.fork.{rule}"


@pytest.mark.rules(
    "tests.fork.own_related_skills", "tests.amb.fork_limits", "tests.fork.no_stats_or_attributes"
)
def test_every_other_skill_of_the_character_may_be_forked_and_nothing_else():
    skills = {"History": "B4", "Dwarf-wise": "B3", "Research": "B3", "Rumour": "B2", "Lost": "B0"}
    rich = {
        "stats": {"Will": "B5"},
        "attributes": {"Steel": "B6"},
        "skills": skills,
        "circles": "B3",
    }
    at = table(rich=rich, friend={"skills": {"Elf-wise": "B5"}})
    run = a_test(at, "History", 1, [0], {"forks": ["Rumour", "Research", "Dwarf-wise"]})
    assert [o.key for o in run.asks["forks"].question.options] == [
        "Dwarf-wise",
        "Research",
        "Rumour",
    ]
    assert run.outcome.dice.total == 7
    for wrong in (["Will"], ["Steel"], ["History"], ["Elf-wise"], ["Rumour", "Rumour"], ["Lost"]):
        with pytest.raises(BadInput, match="forks: found"):
            a_test(at, "History", 1, [], {"forks": wrong})


@pytest.mark.rules("tests.fork.situational")
def test_the_player_proposes_forks_and_the_gm_rules_on_each():
    at = table(rich={"skills": {"History": "B4", "Dwarf-wise": "B3", "Cooking": "B3"}})
    answers = {"forks": ["Dwarf-wise", "Cooking"], "allow_forks": ["Dwarf-wise"]}
    run = a_test(at, "History", 1, [0], answers)
    assert (run.seats["forks"], run.seats["allow_forks"]) == ("rich", "gm")
    assert run.outcome.dice.total == 5


@pytest.mark.rules("tests.amb.fork_into_stat")
def test_only_a_skill_test_takes_forks():
    at = table(
        rich={
            "stats": {"Power": "B4"},
            "attributes": {"Steel": "B4"},
            "skills": {"Sword": "B4", "Brawling": "B4"},
        }
    )
    assert "forks" in a_test(at, "Sword", 1, [0]).asked
    assert "forks" not in a_test(at, "Power", 1, [0]).asked
    assert "forks" not in a_test(at, "Steel", 1, [[1] * 4]).asked
    assert "forks" not in a_test(at, "Climbing", 1, [0], {"roots": ["Power"]}).asked


# --- Beginner's Luck -----------------------------------------------------------------------

CLIMBER = {
    "skills": {
        "Climbing": {"rating": "B3", "roots": ["Speed"]},
        "Knots": {"rating": "B2", "roots": ["Agility", "Will"]},
    }
}
NOVICE = {"stats": {"Will": "B3", "Agility": "B4", "Speed": "B5", "Perception": "B2"}}


@pytest.mark.rules("tests.beginner.root_stat", "tests.skills.definition")
def test_without_the_skill_the_whole_root_is_rolled_against_twice_the_obstacle():
    at = table(novice=NOVICE, climber=CLIMBER)
    run = a_test(at, "Climbing", 2, [4])
    assert (run.outcome.dice.total, run.outcome.obstacle.total, run.outcome.passed) == (5, 4, True)
    with_skill = play("standard_test", declare("climber", "Climbing"), at, {"obstacle": 2}, [2])
    assert with_skill.outcome.obstacle.total == 2
    assert with_skill.outcome.passed


@pytest.mark.rules("tests.beginner.double_base_obstacle", "tests.beginner.modifiers_after_doubling")
@pytest.mark.parametrize("base", range(1, 6))
@pytest.mark.parametrize("against", range(4))
def test_only_the_base_is_doubled(base: int, against: int):
    disadvantages = ["darkness", "smoke", "noise"][:against]
    run = a_test(
        table(novice=NOVICE, climber=CLIMBER),
        "Climbing",
        base,
        [0],
        {"disadvantages": disadvantages},
    )
    assert run.outcome.obstacle.total == 2 * base + against


@pytest.mark.rules("tests.amb.beginner_other_penalties")
def test_instructions_and_links_and_gear_count_after_doubling():
    at = table(
        scene={"instructions": [{"title": "Ropes", "reader": "novice", "understood": False}]},
        novice={
            **NOVICE,
            "skills": {"Cooking": "B2"},
            "gear": [{"name": "Pack", "hinders": ["a load"]}],
        },
        climber=CLIMBER,
    )
    tests = [
        declare("novice", "Cooking"),
        declare("novice", "Climbing", instructions=["Ropes"], gear=["Pack"]),
    ]
    run = play("linked_tests", {"tests": tests}, at, {"obstacle": 2}, [0, 0])
    assert run.outcome.outcomes[1].obstacle.total == 2 * 2 + 1 + 1 + 1


@pytest.mark.rules("tests.beginner.root_stat")
def test_the_gm_names_the_root_of_a_skill_that_nobody_has():
    run = a_test(table(novice=NOVICE), "Falconry", 1, [2], {"roots": ["Perception"]})
    assert run.seats["roots"] == "gm"
    assert run.outcome.dice.total == 2
    assert run.outcome.ability == "Falconry"


@pytest.mark.rules("tests.beginner.root_stat")
def test_roots_that_are_known_need_no_answer_of_the_gm():
    silent = a_test(table(novice=NOVICE), "Lockpick", 1, [2])
    said = a_test(table(novice=NOVICE), "Lockpick", 1, [2], {"roots": ["Agility"]})
    other = a_test(table(novice=NOVICE), "Lockpick", 1, [2], {"roots": ["Perception"]})
    assert silent.table == said.table != other.table


@pytest.mark.rules("tests.amb.beginner_two_roots")
@pytest.mark.parametrize(("root", "dice"), [("Agility", 4), ("Will", 3)])
def test_with_two_roots_the_player_chooses(root: str, dice: int):
    run = a_test(table(novice=NOVICE, climber=CLIMBER), "Knots", 1, [0], {"root": root})
    assert run.seats["root"] == "novice"
    assert run.outcome.dice.total == dice


@pytest.mark.rules("tests.amb.beginner_open_ended")
def test_what_counts_is_the_ability_actually_rolled():
    at = table(
        novice=NOVICE,
        seer={
            "skills": {
                "Second Sight": {"rating": "B4", "roots": ["Perception", "Will"], "magical": True}
            }
        },
    )
    sees = a_test(at, "Second Sight", 1, [[6, 6, 4, 4]], {"root": "Perception"})
    assert sees.outcome.successes == 4
    wills = a_test(at, "Second Sight", 1, [[6, 6, 4]], {"root": "Will"})
    assert wills.outcome.successes == 3


@pytest.mark.rules("tests.amb.beginner_open_ended")
@pytest.mark.parametrize("spelling", ["Sorcery", "sorcery"])
def test_sorcery_cannot_be_tried_untaught(spelling: str):
    with pytest.raises(NotAllowed, match=r"sorcery\.learn\.skill_must_be_taught"):
        a_test(table(novice=NOVICE), spelling, 1)


@pytest.mark.rules("tests.amb.help_and_beginners_luck")
def test_beginners_luck_is_helped_as_a_stat_test():
    at = table(novice=NOVICE, climber={**CLIMBER, "stats": {"Speed": "B5"}})
    run = a_test(at, "Climbing", 1, [0], {"help": "Speed"}, helpers=["climber"])
    assert offered(run) == ["none", "Speed", "Climbing", "Knots"]
    assert run.outcome.dice.total == 7
    skilled = a_test(at, "Climbing", 1, [0], {"help": "Climbing"}, helpers=["climber"])
    assert skilled.outcome.dice.total == 6


@pytest.mark.rules("tests.beginner.root_stat")
def test_a_skill_without_dice_is_a_skill_not_yet_there():
    at = table(
        rich={
            "stats": {"Agility": "B4"},
            "skills": {"Sword": {"rating": "B0", "roots": ["Agility"]}},
        }
    )
    run = a_test(at, "sword", 1, [2])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (4, 2)
    assert run.outcome.ability == "Sword"


@pytest.mark.rules("extended_example.advancement.fork_choice")
@pytest.mark.parametrize(
    ("forks", "dice", "logged"),
    [(["Streetwise", "Trouble-wise"], 4, "routine"), ([], 2, "difficult")],
)
def test_fewer_forks_make_a_harder_test_for_the_log(forks, dice, logged):
    skills = {"Symbology": "B2", "Streetwise": "B3", "Trouble-wise": "B3"}
    said = {"obstacle": 2, "forks": forks}
    run = a_test(table(rich={"player": "thor", "skills": skills}), "Symbology", 2, [2], said)
    assert run.rolls[0].expression.dice.total == dice
    assert run.changed[f"rich.skills.Symbology.log.{logged}"] == 1
