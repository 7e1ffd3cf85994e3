"""Practice: cycles, hours, stored time, the limits of a day, absences."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.advancement.practice import most_hours
from games.burning_wheel.playing import Played, play, table

SKILLS = {  # months, and hours for routine, difficult, challenging: as printed
    "Academic": (6, 2, 4, 8),
    "Artisan": (12, 4, 8, 12),
    "Artist": (6, 3, 6, 12),
    "Craftsman": (12, 3, 8, 12),
    "Forester": (6, 3, 6, 12),
    "Martial": (1, 2, 4, 8),
    "Medicinal": (12, 4, 8, 12),
    "Military": (6, 2, 4, 8),
    "Musical": (1, 2, 4, 8),
    "Peasant": (3, 1, 4, 12),
    "Physical": (1, 2, 4, 8),
    "School of Thought": (6, 3, 6, 12),
    "Seafaring": (3, 2, 4, 8),
    "Social": (1, 2, 4, 8),
    "Sorcerous": (12, 5, 10, 15),
    "Special/Misc": (3, 3, 6, 12),
}
OTHERS = {
    "Will": (12, 4, 8, 16),
    "Perception": (6, 3, 6, 12),
    "Agility": (3, 2, 4, 8),
    "Speed": (3, 3, 6, 9),
    "Power": (1, 2, 4, 8),
    "Forte": (2, 4, 8, 16),
    "Faith": (12, 5, 10, 20),
    "Steel": (2, 1, 3, 9),
}
CLASSES = ("routine", "difficult", "challenging")


def practised(
    at: BurningTable, *regimen: dict[str, Any], answers: Any = None, **more: Any
) -> Played:
    arguments = {"character": "rich", "regimen": list(regimen), **more}
    return play("practise", arguments, at, answers, [])


def after_days(days: int, options: dict[str, str] | None = None, **raw: Any) -> BurningTable:
    raw.setdefault("stats", {})
    raw["stats"].setdefault("Will", "B5")
    return table(scene={"calendar": {"day": days}}, options=options, rich=raw)


def sword(category: str = "Martial", rating: str = "B9", **more: Any) -> dict[str, Any]:
    return {"Sword": {"rating": rating, "category": category, **more}}


def toward(ability: str, hours: int, **more: Any) -> dict[str, Any]:
    return {"ability": ability, "hours": hours, **more}


# --- Cycles and hours ----------------------------------------------------------------------


@pytest.mark.rules(
    "advancement.practice.cycle_and_hours",
    "advancement.practice.at_end_of_cycle",
    "advancement.practice.purpose",
)
@pytest.mark.parametrize("category", SKILLS)
@pytest.mark.parametrize("at_class", range(3))
def test_every_category_has_its_cycle_and_its_hours(category: str, at_class: int):
    months, *hours = SKILLS[category]
    wanted = [f"Sword: {CLASSES[at_class]}"]
    full = practised(
        after_days(30 * months, skills=sword(category)), toward("Sword", hours[at_class])
    )
    assert list(full.outcome.earned) == wanted
    assert full.rolls == []
    short = practised(
        after_days(30 * months - 1, skills=sword(category)), toward("Sword", hours[at_class])
    )
    assert short.outcome.earned == ()
    if hours[at_class] > 1:
        less = toward("Sword", hours[at_class] - 1, difficulty=CLASSES[at_class])
        with pytest.raises(BadInput, match=r"regimen\[0\].hours: found .*cycle_and_hours"):
            practised(after_days(30 * months, skills=sword(category)), less)


@pytest.mark.rules("advancement.practice.cycle_and_hours")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("at_class", range(3))
def test_stats_and_attributes_have_theirs(name: str, at_class: int):
    months, *hours = OTHERS[name]
    raw: dict[str, Any] = {"stats": {"Will": "B9", name: "B9"}}
    if name in ("Faith", "Steel"):
        raw = {"stats": {"Will": "B9"}, "attributes": {name: "B9"}}
    for days, tests in ((30 * months - 1, 0), (30 * months, 1), (60 * months, 2)):
        run = practised(after_days(days, **raw), toward(name, hours[at_class]))
        assert list(run.outcome.earned) == [f"{name}: {CLASSES[at_class]}"] * tests
        log = run.table.character("rich").ability(name).ability.log
        # A full cycle counts as a success (advancement.amb.practice_success_only).
        assert getattr(log, CLASSES[at_class]) == tests


def test_routine_practice_of_a_stat_comes_with_a_warning():
    run = practised(after_days(30, stats={"Power": "B4"}), toward("Power", 2))
    assert "A routine test of Power has no effect" in run.told
    assert run.table.character("rich").stats["Power"].log.routine == 1


def test_more_hours_than_needed_may_aim_lower():
    run = practised(after_days(30, skills=sword()), toward("Sword", 8, difficulty="routine"))
    assert run.outcome.earned == ("Sword: routine",)
    run = practised(after_days(30, skills=sword()), toward("sword", 7))
    assert run.outcome.earned == ("Sword: difficult",)


def test_the_gm_names_a_category_that_no_sheet_has():
    at = after_days(30, skills={"Sword": "B4"})
    run = practised(at, toward("Sword", 2), answers={"category": "Musical"})
    assert run.seats["category"] == "gm"
    assert run.outcome.earned == ("Sword: routine",)
    assert run.table.character("rich").skills["Sword"].category == "Musical"
    again = practised(_a_month_later(run.table), toward("Sword", 2))
    assert "category" not in again.asked, "it stays on the sheet"
    assert again.outcome.earned == ("Sword: routine",)
    assert (
        "category" not in practised(after_days(30, skills=sword("misc")), toward("Sword", 3)).asked
    )


@pytest.mark.parametrize(
    ("skill", "hours", "category"),
    [("Axe", 2, "Martial"), ("ugly truth", 2, "Social"), ("Law-wise", 2, "Academic")],
)
def test_by_default_it_is_what_the_book_knows(skill: str, hours: int, category: str):
    run = practised(after_days(30, skills={skill: "B4"}), toward(skill, hours))
    assert run.asks["category"].question.default == category
    assert run.table.character("rich").skills[skill].category == category


def test_of_what_the_book_does_not_know_the_gm_is_asked():
    run = practised(
        after_days(30, skills={"Falconry": "B4"}),
        toward("Falconry", 3),
        answers={"category": "Forester"},
    )
    assert run.asks["category"].question.default is None


def _a_month_later(at: BurningTable) -> BurningTable:
    calendar = msgspec.structs.replace(at.scene.calendar, day=at.scene.calendar.day + 30)
    scene = msgspec.structs.replace(at.scene, calendar=calendar)
    return msgspec.structs.replace(at, scene=scene)


# --- Stored time ---------------------------------------------------------------------------


@pytest.mark.rules("advancement.practice.partial_cycles")
@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.sampled_from([2, 4, 8]))
@settings(max_examples=40)
def test_stretches_add_up_however_they_are_broken(stretches: list[int], hours: int):
    at = after_days(0, skills=sword())
    earned = 0
    for days in stretches:
        at = play("let_time_pass", {"time": f"{days} days"}, at).table
        run = practised(at, toward("Sword", hours))
        at, earned = run.table, earned + len(run.outcome.earned)
    assert earned == sum(stretches) // 30
    left = sum(stretches) % 30
    stored = at.character("rich").practice
    assert [each.days for each in stored] == ([left] if left else [])
    assert sum(each.days for each in at.character("rich").days) == sum(stretches)


@pytest.mark.rules("advancement.practice.partial_cycles")
def test_time_is_stored_for_each_class_apart():
    at = after_days(40, skills=sword())
    first = practised(at, toward("Sword", 2), time="20 days")
    assert first.outcome.begun == (("Sword: routine", 20, 30),)
    assert "practises Sword for 20 days: 20 of 30 days toward a routine test." in first.told
    run = practised(first.table, toward("Sword", 4), time="20 days")
    assert run.outcome.earned == ()
    stored = {each.difficulty.value: each.days for each in run.table.character("rich").practice}
    assert stored == {"routine": 20, "difficult": 20}


def test_an_advancement_keeps_stored_time():
    at = after_days(45, skills=sword(rating="B1", log={"difficult": 1}))
    run = practised(at, toward("Sword", 2))
    assert str(run.table.character("rich").skills["Sword"].rating) == "B2"
    assert [each.days for each in run.table.character("rich").practice] == [15]
    assert "for 45 days: 1 routine test, 15 of 30 days toward another." in run.told


def test_tests_come_in_the_order_of_the_days():
    raw = {"skills": sword(rating="B1") | {"Bow": {"rating": "B9", "category": "Seafaring"}}}
    run = practised(after_days(90, **raw), toward("Bow", 2), toward("Sword", 2), toward("Sword", 4))
    month = ["Sword: routine", "Sword: difficult"]
    assert list(run.outcome.earned) == [*month, *month, "Bow: routine", *month]
    # B1 -> B2 after the first month; then two routine and a difficult one: in the third.
    assert str(run.table.character("rich").skills["Sword"].rating) == "B3"


@pytest.mark.parametrize(
    ("choice", "day", "tests"),
    [
        ("month_of_30_days", 30, 1),
        ("calendar_months", 30, 0),  # January has 31
        ("calendar_months", 31, 1),
        ("calendar_months", 59, 2),  # and February 28
        ("month_of_30_days", 59, 1),
    ],
)
def test_months_of_thirty_days_or_of_the_calendar(choice: str, day: int, tests: int):
    at = after_days(day, {"advancement_calendar": choice}, skills=sword())
    assert len(practised(at, toward("Sword", 2)).outcome.earned) == tests


# --- The limits of a day -------------------------------------------------------------------


@pytest.mark.rules("advancement.practice.max_by_will", "advancement.practice.max_absolute")
@pytest.mark.parametrize(
    ("will", "hours"), [(1, 4), (2, 8), (3, 12), (4, 16), (5, 20), (6, 20), (10, 20)]
)
def test_the_hours_of_a_day_are_limited(will: int, hours: int):
    at = after_days(3, stats={"Will": f"B{will}"}, skills=sword())
    assert most_hours(at.character("rich")) == hours
    assert practised(at, toward("Sword", hours)).outcome.days == 3
    rule = "max_by_will" if will < 5 else "max_absolute"
    with pytest.raises(BadInput, match=f"at most {hours} hours of practice.*{rule}"):
        practised(at, toward("Sword", hours + 1))


@pytest.mark.rules("advancement.practice.max_by_will")
def test_the_limit_holds_for_all_abilities_together_and_for_what_is_entered_later():
    at = after_days(10, stats={"Will": "B2", "Power": "B4"}, skills=sword())
    with pytest.raises(BadInput, match="found 9, expected at most 8"):
        practised(at, toward("Sword", 5), toward("Power", 4))
    at = practised(at, toward("Sword", 5)).table
    with pytest.raises(BadInput, match="found 9, expected at most 8"):
        practised(at, toward("Power", 4), first_day=9)
    assert practised(at, toward("Power", 3), first_day=0).outcome.days == 10


@pytest.mark.rules("advancement.practice.exclusive_time")
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 10), st.integers(1, 10)), max_size=8))
@settings(max_examples=40)
def test_no_day_ever_has_more_hours_than_can_be_borne(wishes: list[tuple[int, int, int]]):
    at = after_days(30, stats={"Will": "B4", "Power": "B9"}, skills=sword("Peasant"))
    for first, days, hours in wishes:
        regimen = toward("Sword", hours)
        with suppress(BadInput):
            at = practised(at, regimen, first_day=first, time=f"{days} days").table
    spent = at.character("rich").days
    for day in range(30):
        assert sum(e.hours for e in spent if e.first <= day < e.first + e.days) <= 16


@pytest.mark.rules("advancement.practice.at_end_of_cycle")
@pytest.mark.parametrize(
    "when", [{"time": "31 days"}, {"first_day": 5, "time": "26 days"}, {"first_day": -1}]
)
def test_only_days_that_have_passed_count(when: dict[str, Any]):
    with pytest.raises(BadInput, match=r"^time: found .*it is day 30"):
        practised(after_days(30, skills=sword()), toward("Sword", 2), **when)


@pytest.mark.parametrize(
    ("regimen", "message"),
    [
        ([("Sword", 1)], r"regimen\[0\].hours: found 1, expected 2 hours a day or more"),
        ([], r"regimen: found \[\], expected at least one ability"),
        ([("Sword", 0)], r"regimen\[0\].hours: found 0, expected 1 hour"),
        ([("Sword", 2), ("sword", 3)], r"regimen\[1\].ability: found 'sword'"),
        ([("Swrod", 2)], "ability: found 'Swrod', expected an ability of Rich: Sword"),
    ],
)
def test_bad_regimens_are_refused(regimen: list[tuple[str, int]], message: str):
    with pytest.raises(BadInput, match=message):
        practised(after_days(30, skills=sword()), *(toward(*each) for each in regimen))


# --- What cannot be practised, and what is not known yet -----------------------------------


@pytest.mark.parametrize("name", ["Health", "Grief", "Greed", "Hatred", "Circles", "Resources"])
def test_what_the_tables_leave_out_cannot_be_practised_unless_the_gm_says_how(name: str):
    raw: dict[str, Any] = {"attributes": {name: "B3"}}
    if name in ("Circles", "Resources"):
        raw = {name.lower(): "B3"}
    option = "advancement_practice_missing_abilities"
    with pytest.raises(NotAllowed, match=f"{name} cannot be practised"):
        practised(after_days(60, {option: "not_practisable"}, **raw), toward(name, 4))
    answers = {"cycle_months": 2, "routine_hours": 3, "difficult_hours": 4, "challenging_hours": 9}
    at = after_days(60, {option: "gm_sets_cycle_and_hours"}, **raw)
    run = practised(at, toward(name, 4), answers=answers)
    assert run.outcome.earned == (f"{name}: difficult",)
    assert set(run.seats.values()) == {"gm"}
    two_months_later = _a_month_later(_a_month_later(run.table))
    again = practised(two_months_later, toward(name, 3))
    assert not again.asked, "what the GM said holds for the campaign"
    assert again.outcome.earned == (f"{name}: routine",)


def test_markers_are_never_practised():
    options = {"advancement_practice_missing_abilities": "gm_sets_cycle_and_hours"}
    at = after_days(60, options, attributes={"Reflexes": "B4"})
    with pytest.raises(NotAllowed, match="Reflexes cannot be practised"):
        practised(at, toward("Reflexes", 4))


def test_practice_of_any_class_counts_toward_a_skill_not_known_yet():
    at = after_days(90, stats={"Agility": "B8"})
    said = {"roots": ["Agility"], "category": "Martial"}
    run = practised(at, toward("Bow", 2), time="1 month", answers=said)
    assert run.table.character("rich").learning["Bow"].tests == 1
    run = practised(run.table, toward("Bow", 8), time="2 months")  # the second test opens it
    assert str(run.table.character("rich").skills["Bow"].rating) == "B4"
    assert run.table.character("rich").skills["Bow"].log.challenging == 1


def test_sorcery_must_be_taught():
    learning = {"Sorcery": {"roots": ["Will"], "tests": 2, "category": "Sorcerous"}}
    for known in ({}, learning):
        with pytest.raises(NotAllowed, match="must be taught Sorcery"):
            practised(after_days(400, learning=known), toward("Sorcery", 5))
    opened = {"Sorcery": {"rating": "B2", "category": "Sorcerous"}}
    assert practised(after_days(400, skills=opened), toward("Sorcery", 5)).outcome.earned


@pytest.mark.rules("sorcery.learn.skill_must_be_taught")
def test_sorcery_is_practised_from_a_text_that_was_made_to_teach_it():
    """Perception 4 and Aptitude 6: a year of 5 hours a day is one of six tests."""
    read = [
        {"title": "First Words", "reader": "rich", "understood": True},
        {"title": "Second Words", "reader": "rich", "understood": False},
        {"title": "Third Words", "reader": "tutor", "understood": True},
    ]
    said = {"roots": ["Perception"], "category": "Sorcerous", "taught_in_writing": True}

    def novice(texts: list[dict[str, Any]]) -> BurningTable:
        scene = {"calendar": {"day": 400}, "instructions": texts}
        stats = {"Will": "B5", "Perception": "B4"}
        return table(scene, rich={"stats": stats}, tutor={"stats": stats})

    for texts, answers in ((read[:1], {"taught_in_writing": False}), (read[1:], {})):
        with pytest.raises(NotAllowed, match="must be taught Sorcery"):
            practised(novice(texts), toward("Sorcery", 5), answers=answers)
    at = novice(read)
    run = practised(at, toward("Sorcery", 5), answers=said)
    assert run.asks["taught_in_writing"].seat == "gm"
    assert run.asks["taught_in_writing"].prompt.endswith("Sorcery? First Words")
    assert run.table.character("rich").learning["Sorcery"].tests == 1


@pytest.mark.rules("advancement.training.practice_or_instruction_only")
def test_practice_teaches_a_training_skill():
    at = after_days(30 * 7, stats={"Power": "B4"})
    said = {"roots": ["Power"], "category": "Martial"}
    run = practised(at, toward("Armor Training", 2, training=True), answers=said)
    assert run.table.character("rich").training == ("Armor Training",)  # six tests: ten less four
    assert "Armor Training" not in run.table.character("rich").skills
    more = play("let_time_pass", {"time": "1 month"}, run.table).table
    with pytest.raises(NotAllowed, match="already has"):
        practised(more, toward("armor training", 2))


@pytest.mark.rules("advancement.training.practice_or_instruction_only")
def test_a_training_skill_of_the_book_is_one_without_a_word():
    at = after_days(30, stats={"Power": "B4"})
    said = {"roots": ["Power"], "category": "Martial"}
    for skill, is_one in (("Formation Fighting", True), ("Wrestling", False)):
        begun = practised(at, toward(skill, 2), answers=said).table.character("rich")
        assert begun.learning[skill].training is is_one


# --- Colour and absences -------------------------------------------------------------------


@pytest.mark.rules("advancement.practice.narrated_time", "advancement.award.applicable_situation")
def test_colourful_time_counts_for_what_it_suits():
    raw = {"skills": sword("Peasant") | {"Farming": {"rating": "B2", "category": "Peasant"}}}
    regimen = [toward("Sword", 4), toward("Farming", 4)]
    arguments = {"narrated": "works on his uncle's farm", "answers": {"suits": ["Farming"]}}
    run = practised(after_days(90, **raw), *regimen, **arguments)
    assert run.seats["suits"] == "gm"
    assert run.outcome.earned == ("Farming: difficult",)
    assert run.table.character("rich").days[0].hours == 4
    twice = practised(after_days(90, **raw), toward("Farming", 1), *regimen, narrated="sows")
    assert [option.key for option in twice.asks["suits"].question.options] == ["Farming", "Sword"]
    nothing = practised(after_days(90, **raw), *regimen, narrated="sulks", answers={"suits": []})
    assert nothing.outcome.earned == ()
    assert nothing.changed == {}


@pytest.mark.rules("advancement.practice.absent_player")
def test_after_an_absence_no_ability_goes_up_twice():
    raw = {"skills": sword(rating="B1") | {"Bow": {"rating": "B1", "category": "Martial"}}}
    regimen = [toward(name, hours) for name in ("Sword", "Bow") for hours in (2, 4)]
    arguments = {"character": "rich", "regimen": regimen}
    away = play("absence", {**arguments, "time": "1 year"}, after_days(400, **raw))
    assert away.seats["grant_absence"] == "gm"
    ratings = [str(away.table.character("rich").skills[name].rating) for name in ("Sword", "Bow")]
    assert ratings == ["B2", "B2"]
    in_play = play("practise", {**arguments, "first_day": 40}, after_days(400, **raw))
    assert str(in_play.table.character("rich").skills["Sword"].rating) > "B3"
    refused = {"grant_absence": False}
    none = play("absence", {**arguments, "time": "1 year"}, after_days(400, **raw), refused)
    assert none.changed == {}
    with pytest.raises(BadInput, match="at most the 30 days that have passed"):
        play("absence", {**arguments, "time": "1 year"}, after_days(30, **raw))
