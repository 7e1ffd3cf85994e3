"""Instructions found in play (tests.instructions)."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.tests.helping import complexity
from astragal.play import GM, Tell
from games.burning_wheel.playing import a_test, declare, play, table

ANNA = {
    "stats": {"Will": "B3", "Power": "B4"},
    "skills": {"Reading": "B4", "Research": "B3", "Engineering": "B3"},
}
ANNA_READ = {"title": "On Engines", "reader": "anna", "understood": True}


def study(at, successes: int, obstacle: int = 3, answers=None, **more):
    said = {"obstacle": obstacle, **(answers or {})}
    return play(
        "read_instructions",
        {"character": "anna", "title": "On Engines", **more},
        at,
        said,
        [successes],
    )


@pytest.mark.rules("tests.instructions.complexity_obstacle")
@pytest.mark.parametrize(
    ("obstacle", "kind"),
    [
        (1, "simple"),
        (2, "simple"),
        (3, "complex"),
        (4, "complex"),
        (5, "complex"),
        (6, "arcane"),
        (15, "arcane"),
    ],
)
def test_the_gm_fixes_how_complex_the_text_is(obstacle: int, kind: str):
    assert complexity(obstacle).startswith(kind)
    run = study(table(anna=ANNA), 0, obstacle)
    assert run.seats["obstacle"] == "gm"
    assert f"On Engines ({kind}" in run.told
    assert run.outcome.obstacle.total == obstacle


@pytest.mark.rules("tests.instructions.read_test")
def test_reading_or_research_is_tested_and_nothing_else():
    assert study(table(anna=ANNA), 3).outcome.dice.total == 4
    research = study(table(anna=ANNA), 3, ability="Research")
    assert research.outcome.dice.total == 3
    assert {"fits", "at_stake", "task_says_how"}.isdisjoint(research.asked)
    with pytest.raises(BadInput, match=r"ability: found 'Power', expected Reading or Research"):
        study(table(anna=ANNA), 3, ability="Power")


@pytest.mark.rules("tests.instructions.success", "tests.instructions.failure")
@pytest.mark.parametrize(("successes", "dice", "obstacle"), [(3, 4, 2), (2, 3, 3)])
def test_understood_they_give_a_die_and_misunderstood_an_obstacle(
    successes: int, dice: int, obstacle: int
):
    read = study(table(anna=ANNA), successes)
    run = a_test(read.table, "Engineering", 2, [0], instructions=["On Engines"])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (dice, obstacle)


@pytest.mark.rules("tests.instructions.success")
def test_instructions_are_for_a_suitable_skill_test():
    at = table(scene={"instructions": [ANNA_READ]}, anna=ANNA)
    unsuited = a_test(
        at, "Engineering", 2, [0], {"instructions_suit": False}, instructions=["On Engines"]
    )
    assert unsuited.outcome.dice.total == 3
    with pytest.raises(NotAllowed, match=r"help a test of Power.*tests\.instructions\.success"):
        a_test(at, "Power", 2, [], instructions=["On Engines"])


@pytest.mark.rules("tests.amb.instructions_duration")
def test_the_reading_rides_for_every_test_and_is_not_repeated():
    read = study(table(anna=ANNA), 3)
    for intent in ("build one", "build another"):
        run = a_test(read.table, "Engineering", 2, [0], instructions=["On Engines"], intent=intent)
        assert run.outcome.dice.total == 4
    with pytest.raises(NotAllowed, match=r"tests\.let_it_ride\.one_roll"):
        study(read.table, 3)
    twice = a_test(read.table, "Engineering", 2, [0], instructions=["On Engines", "On Engines"])
    assert twice.outcome.dice.total == 4


@pytest.mark.rules("tests.amb.instructions_duration")
def test_after_a_drastic_change_the_new_reading_is_what_counts():
    read = study(table(anna=ANNA), 0)
    again = study(read.table, 3, answers={"conditions_changed": "the missing page was found"})
    assert [entry.understood for entry in again.table.scene.instructions] == [True]


@pytest.mark.rules("tests.amb.instructions_duration")
def test_a_misled_reader_is_not_told_and_the_gm_may_lift_the_penalty():
    read = study(table(anna=ANNA), 0)
    secret = [
        event
        for event in read.events
        if isinstance(event, Tell) and "misunderstood" in event.fact.sentence()
    ]
    assert [event.audience for event in secret] == [(GM,)]
    lifted = a_test(
        read.table, "Engineering", 2, [0], {"lift_instructions": True}, instructions=["On Engines"]
    )
    assert lifted.outcome.obstacle.total == 2
    assert lifted.seats["lift_instructions"] == "gm"


@pytest.mark.rules("tests.amb.instructions_duration")
def test_the_die_may_be_added_to_beginners_luck():
    at = table(scene={"instructions": [ANNA_READ]}, anna=ANNA)
    run = a_test(at, "Falconry", 1, [0], {"roots": ["Will"]}, instructions=["On Engines"])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (4, 2)


@pytest.mark.rules("tests.instructions.read_test")
def test_what_was_not_read_cannot_be_used():
    at = table(scene={"instructions": [ANNA_READ]}, anna=ANNA, bert=ANNA)
    with pytest.raises(BadInput, match=r"instructions: found 'On Love', expected .*On Engines"):
        a_test(at, "Engineering", 1, [], instructions=["On Love"])
    arguments = declare("bert", "Engineering", instructions=["On Engines"])
    with pytest.raises(BadInput, match="that bert has read: none so far"):
        play("standard_test", arguments, at, {"obstacle": 1})
