"""Learning from another: the Instruction test, the days it takes, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.advancement.instruction import days_for
from games.burning_wheel.playing import Played, play, table

MASTER = {
    "stats": {"Will": "B5"},
    "skills": {
        "Instruction": "B4",
        "Sword": {"rating": "B5", "roots": ["Agility"], "category": "Martial"},
        "Sorcery": {
            "rating": "B5",
            "roots": ["Perception"],
            "category": "Sorcerous",
            "magical": True,
        },
    },
    "training": ["Armor Training"],
}
STUDENT = {
    "stats": {"Will": "B4", "Agility": "B4", "Perception": "B4", "Power": "B4"},
    "skills": {"Sword": {"rating": "B4", "category": "Martial"}},
}
LESSON = {"instructor": "master", "student": "student", "skill": "Sword"}


def at_table(options: dict[str, str] | None = None, **student: Any) -> BurningTable:
    return table(options=options, master=MASTER, student={**STUDENT, **student})


def begun(at: BurningTable, successes: int = 2, skill: str = "Sword", **answers: Any) -> Played:
    return play("instruct", {**LESSON, "skill": skill}, at, answers, [successes])


def later(at: BurningTable, days: int, **more: Any) -> BurningTable:
    return play("let_time_pass", {"time": f"{days} days", **more}, at).table


def taught(at: BurningTable, obstacle: int = 3, skill: str = "Sword", **more: Any) -> Played:
    answers = more.pop("answers", None)
    return play("taught", {**LESSON, "skill": skill, "obstacle": obstacle, **more}, at, answers)


@pytest.mark.rules("advancement.instruction.test")
@pytest.mark.parametrize(("successes", "passes"), [(1, False), (2, True), (4, True)])
def test_teaching_takes_an_ob_2_test_of_instruction(successes: int, passes: bool):
    run = begun(at_table(), successes)
    assert run.outcome.obstacle.total == 2
    assert run.outcome.dice.total == 4
    assert run.outcome.passed is passes
    assert run.table.scene.courses[0].passed is passes
    assert "obstacle" not in run.asked  # it is fixed
    assert run.table.character("master").skills["Instruction"].log.routine == 1


@pytest.mark.rules("advancement.instruction.test")
def test_without_the_test_nothing_is_taught():
    with pytest.raises(
        BadInput, match=r"skill: found 'Sword', expected an open course.*there is none"
    ):
        taught(later(at_table(), 60))


def test_one_test_for_the_whole_course():
    run = begun(at_table(), 1)
    with pytest.raises(NotAllowed, match="already rolled Instruction"):
        begun(run.table, 4)
    again = begun(run.table, 4, conditions_changed="she has read up on teaching")
    assert [course.passed for course in again.table.scene.courses] == [True]


@pytest.mark.rules("advancement.instruction.time")
@pytest.mark.parametrize(
    ("teacher", "pupil", "obstacle", "days"),
    [("B5", "B4", 3, 14), ("B5", "B5", 1, 11), ("B10", "B10", 2, 2), ("B3", "B2", 5, 20)],
)
def test_the_days_of_a_taught_test(teacher: str, pupil: str, obstacle: int, days: int):
    at = table(rich={"stats": {"Will": teacher}}, tam={"stats": {"Will": pupil}})
    assert days_for(at.character("rich"), at.character("tam"), obstacle).total == days


@pytest.mark.rules("advancement.instruction.time", "advancement.instruction.award")
@pytest.mark.parametrize(
    ("obstacle", "days", "earned"),
    [(1, 12, "routine"), (3, 14, "difficult"), (5, 16, "challenging")],
)
def test_when_the_time_is_up_the_student_earns_a_test_without_a_roll(
    obstacle: int, days: int, earned: str
):
    at = begun(at_table()).table
    with pytest.raises(NotAllowed, match=f"take {days} days; only {days - 1} have passed"):
        taught(later(at, days - 1), obstacle)
    run = taught(later(at, days), obstacle)
    assert (run.outcome.days, run.outcome.earned) == (days, earned)
    assert run.rolls == []
    assert getattr(run.table.character("student").skills["Sword"].log, earned) == 1
    with pytest.raises(NotAllowed, match="only 0 have passed"):
        taught(run.table, obstacle)
    assert taught(later(run.table, days), obstacle).outcome.days == days


@pytest.mark.rules("advancement.instruction.max_obstacle")
def test_nobody_teaches_more_than_they_know():
    at = later(begun(at_table()).table, 60)
    assert taught(at, 5).outcome.earned == "challenging"
    for obstacle in (0, 6):
        with pytest.raises(BadInput, match=rf"obstacle: found {obstacle}, expected 1 to 5"):
            taught(at, obstacle)
    with pytest.raises(BadInput, match="skill: found 'Bow', expected a skill that Master has"):
        begun(at_table(), skill="Bow")


def test_only_skills_are_taught():
    with pytest.raises(NotAllowed, match="Will cannot be taught"):
        begun(at_table(), skill="Will")


def test_nobody_teaches_themselves():
    with pytest.raises(BadInput, match="student: found 'master'"):
        play("instruct", {**LESSON, "student": "master"}, at_table())


@pytest.mark.rules("advancement.instruction.new_skill")
def test_lessons_open_a_skill_that_the_student_did_not_have():
    at = begun(at_table(skills={}, artha={"fate": 1})).table
    for lesson in range(1, 6):
        run = taught(later(at, 12), 1)
        at = run.table
        assert run.outcome.earned == ""
        assert at.character("student").learning["Sword"].tests == lesson
    at = taught(later(at, 12), 1).table  # the Aptitude is 10 - 4
    assert str(at.character("student").skills["Sword"].rating) == "B2"
    assert at.character("student").skills["Sword"].category == "Martial"
    run = taught(later(at, 13), 2)
    assert run.outcome.earned == "difficult"


@pytest.mark.rules("advancement.instruction.new_skill")
def test_sorcery_can_be_taught():
    at = begun(at_table(), skill="Sorcery").table
    run = taught(later(at, 30), 1, "Sorcery")
    assert run.table.character("student").learning["Sorcery"].tests == 1
    for _ in range(5):
        run = taught(later(run.table, 12), 1, "Sorcery")
    assert run.table.character("student").skills["Sorcery"].magical


@pytest.mark.rules("advancement.training.practice_or_instruction_only")
def test_instruction_teaches_a_training_skill():
    learning = {
        "Armor Training": {"roots": ["Power"], "tests": 4, "category": "Martial", "training": True}
    }
    at = begun(at_table(learning=learning), skill="Armor Training").table
    with pytest.raises(BadInput, match="obstacle: found 2, expected 1 to 1"):
        taught(later(at, 40), 2, "Armor Training")
    run = taught(later(at, 12), 1, "Armor Training")
    assert run.table.character("student").learning["Armor Training"].tests == 5
    run = taught(later(run.table, 12), 1, "Armor Training")
    assert run.table.character("student").training == ("Armor Training",)
    with pytest.raises(NotAllowed, match="already has"):
        begun(run.table, skill="Armor Training", conditions_changed="all is new")
    unknown = begun(at_table(), skill="Armor Training").table
    said = {"roots": ["Power"], "category": "Martial"}
    run = taught(later(unknown, 12), 1, "Armor Training", answers=said)
    assert run.table.character("student").learning["Armor Training"].training


@pytest.mark.rules("advancement.instruction.all_free_time")
def test_instruction_leaves_no_time_for_practice():
    at = later(begun(at_table()).table, 14)
    regimen = {"character": "student", "regimen": [{"ability": "Power", "hours": 2}]}
    learned = taught(at).table
    with pytest.raises(NotAllowed, match=r"no time for practice on day 13.*all_free_time"):
        play("practise", {**regimen, "first_day": 13, "time": "1 day"}, learned)
    trained = play("practise", {**regimen, "first_day": 0, "time": "1 day"}, at).table
    with pytest.raises(NotAllowed, match=r"no time for instruction on day 0.*all_free_time"):
        taught(trained, first_day=0)


def test_lessons_begin_when_the_student_is_free():
    at = begun(at_table()).table
    at = later(at, 10, busy=[{"character": "student", "doing": "adventures"}])
    with pytest.raises(NotAllowed, match="only 13 have passed since day 10"):
        taught(later(at, 13))
    assert taught(later(at, 14)).outcome.days == 14
    with pytest.raises(BadInput, match=r"first_day: found -1, expected day 0 or later"):
        taught(later(at, 14), first_day=-1)


# --- Failure -------------------------------------------------------------------------------


@pytest.mark.rules("advancement.instruction.failed")
@pytest.mark.parametrize(
    ("choice", "answers", "earned"),
    [
        ("8_hours_a_day", {}, ("Sword: challenging",)),
        ("gm_enters_hours", {"instruction_hours": 5}, ("Sword: difficult",)),
    ],
)
def test_failed_instruction_is_mere_practice(
    choice: str, answers: dict[str, Any], earned: tuple[str, ...]
):
    at = begun(at_table({"advancement_failed_instruction_hours": choice}), 1).table
    with pytest.raises(NotAllowed, match="No day has passed"):
        taught(at)
    run = taught(later(at, 30), answers=answers)
    assert run.outcome.earned == ""
    assert run.outcome.practice.earned == earned
    if answers:
        assert run.seats == {"instruction_hours": "gm"}
    # Fourteen days would have been a taught test; as practice they are no test at all.
    short = taught(later(at, 14), answers=answers)
    assert short.outcome.practice.earned == ()
    assert short.table.character("student").skills["Sword"].log.difficult == 0


@pytest.mark.rules("advancement.instruction.failed")
def test_failed_instruction_may_even_lead_to_a_new_skill():
    at = begun(at_table(skills={}), 0).table
    run = taught(later(at, 30))
    assert run.table.character("student").learning["Sword"].tests == 1


@pytest.mark.parametrize(("choice", "days"), [("off", 14), ("on", 12)])
def test_quick_work_shortens_lessons_only_where_the_group_says_so(choice: str, days: int):
    at = at_table({"advancement_instruction_quick_work": choice})
    at = begun(at, 4, allocate=[0, 2]).table  # two tenths off 14 days are 11.2
    assert taught(later(at, 60)).outcome.days == days
