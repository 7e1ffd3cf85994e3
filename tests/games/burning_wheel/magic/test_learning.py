"""Learning spells: First Reading, Practicals, Second Reading."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.editions_beside import both
from games.burning_wheel.playing import a_test, play, table
from games.burning_wheel.spellcasting import HAN, LIGHT, at_table, cast, han, wizard

DAY = 86400
UNREAD = {**LIGHT, "stage": "unread"}
NEW = {**LIGHT, "stage": "practicals"}
READY = {**NEW, "practicals": 6}


def read(at: Any, rolls: Any, answers: Any = None, **more: Any) -> Any:
    said = {"character": "han", "spell": "Glow", "writing": "a scroll", **more}
    return play("read_spell", said, at, answers, rolls)


@pytest.mark.rules("sorcery.learn.precondition")
def test_a_copy_or_a_teacher_is_needed():
    with pytest.raises(NotAllowed, match="a written copy"):
        read(at_table(UNREAD), [], writing="")
    teacher = {**HAN, "name": "Ann", "spells": [LIGHT]}
    at = table(han=wizard(), ann=teacher)
    learned = read(at, [3], writing="", teacher="ann")
    assert han(learned.table).spells[0].stage.value == "practicals"
    pupil = {**teacher, "spells": [NEW]}
    with pytest.raises(BadInput, match="has mastered Glow"):
        read(table(han=wizard(), ann=pupil), [], writing="", teacher="ann")
    with pytest.raises(BadInput, match="of the teacher or of the book"):
        read(at_table(), [])
    book = read(at_table(), [4], spell="Magesense")
    assert han(book.table).spells[0].name == "Magesense"


@pytest.mark.rules("sorcery.learn.first_reading.test", "sorcery.learn.first_reading.test_type")
def test_the_first_reading_is_an_ordinary_test_of_sorcery_alone():
    at = at_table(UNREAD, skills={"Symbology": "B4"})
    played = read(at, [3], {"forks": ("Symbology",), "carefully": True})
    assert played.outcome.dice.total == 7
    assert played.outcome.obstacle.total == 3
    assert played.outcome.obstacle.lines[0].rule == "sorcery.learn.first_reading.test"
    assert played.rolls[0].expression.open_ended is OpenEnded.NO
    assert {"forks", "carefully"} <= set(played.asked)
    friend = read(table(han={**wizard(UNREAD)}, ann={"skills": {"Sorcery": "B4"}}), [3])
    assert "ask_help" in friend.asked


@pytest.mark.rules("tests.method.carefully_failure", "gold.dice.carefully", "gold.result.focus")
@both(revised=135, gold=90)
def test_a_careful_reading_that_fails_has_run_out_of_time(edition, expected):
    at = table(options={"edition": edition}, han=wizard(UNREAD, artha={"persona": 1}))
    key = "time_threat" if edition == "gold" else "time_complication"
    said = {"carefully": True, key: "the library has burned down"}
    late = read(at, [2], said)
    assert (late.outcome.passed, late.outcome.seconds) == (False, expected * DAY)
    assert late.outcome.complication == "the library has burned down"
    focus = read(at, [2], {**said, "focus": True})
    assert (focus.outcome.passed, focus.outcome.complication) == (False, "")
    assert han(focus.table).artha.persona == 0
    assert han(focus.table).skills["Sorcery"].spent.persona == 1
    assert "focus" not in read(at, [2]).asked


@pytest.mark.rules("sorcery.learn.first_reading.time")
def test_it_takes_months_less_a_tenth_for_each_success():
    assert read(at_table(UNREAD), [3]).outcome.seconds == 90 * DAY
    quick = read(at_table(UNREAD), [5], {"allocate": (0, 2)})
    assert quick.outcome.seconds == 72 * DAY
    careful = read(at_table(UNREAD), [3], {"carefully": True})
    assert careful.outcome.seconds == 135 * DAY  # half as long again


@pytest.mark.rules("sorcery.learn.first_reading.success", "sorcery.learn.three_steps")
def test_passing_opens_practicals():
    played = read(at_table(UNREAD), [3])
    assert (played.outcome.stage, played.outcome.second) == ("practicals", False)
    assert cast(played.table, "Glow", [6, 3]).outcome.obstacle.total == 6
    with pytest.raises(NotAllowed, match="6 more Practicals") as refused:
        read(played.table, [])
    assert refused.value.rule == "sorcery.learn.three_steps"


@pytest.mark.rules("sorcery.learn.first_reading.failure", "sorcery.amb.reading_retry")
def test_failing_forbids_casting_but_not_another_reading():
    played = read(at_table(UNREAD), [2])
    assert (played.outcome.stage, played.outcome.seconds) == ("unread", 90 * DAY)
    with pytest.raises(NotAllowed, match="First Reading"):
        cast(played.table, "Glow", [])
    assert read(played.table, [3]).outcome.passed


@pytest.mark.rules("sorcery.advance.readings", "sorcery.advance.spell_above_skill")
@pytest.mark.parametrize(
    ("ob", "dice", "careful", "earned"),
    [
        (3, "B5", False, "routine"),
        (4, "B5", False, "difficult"),
        (5, "B4", False, "challenging"),
        # The careful die counts, so that it is only difficult (the general table decides).
        pytest.param(
            5,
            "B4",
            True,
            "difficult",
            marks=pytest.mark.rules("sorcery.amb.careful_reading_challenging"),
        ),
    ],
)
def test_a_reading_is_logged_by_the_dice_rolled(ob: int, dice: str, careful: bool, earned: str):
    at = at_table({**UNREAD, "obstacle": ob}, skills={"Sorcery": dice})
    played = read(at, [4], {"carefully": careful})
    assert played.outcome.earned == earned
    assert played.changed[f"han.skills.Sorcery.log.{earned}"] == 1


@pytest.mark.rules("tests.method.carefully_failure", "artha.focus.condition")
def test_focus_and_a_complication_where_a_careful_reading_fails():
    """Ob 3: two successes are too few, and half as much again of three months have passed."""
    said = {"carefully": True, "time_complication": "the book has been missed"}
    failed = read(at_table(UNREAD, artha={"persona": 1}), [2], said).outcome
    assert failed.complication == "the book has been missed"
    focused = read(at_table(UNREAD, artha={"persona": 1}), [2], {**said, "focus": True})
    assert (focused.outcome.complication, han(focused.table).artha.persona) == ("", 0)
    for successes, careful in ((2, False), (3, True)):
        assert (
            "time_complication"
            not in read(at_table(UNREAD), [successes], {"carefully": careful}).asked
        )
    gold = at_table(UNREAD, options={"edition": "gold"})
    said = {"carefully": True, "time_threat": "the fair is over"}
    assert read(gold, [2], said).outcome.complication == "the fair is over"


# --- Practicals ----------------------------------------------------------------------------


@pytest.mark.rules("sorcery.learn.practicals.double_ob", "sorcery.amb.practicals_tax")
def test_practicals_are_at_double_obstacle_and_plain_tax():
    at = at_table({**NEW, "area": "Paces"})
    outcome = cast(at, "Glow", [8, 3], wider=1).outcome
    assert (outcome.obstacle.total, outcome.tax.obstacle.total) == (7, 3)


@pytest.mark.rules("sorcery.learn.practicals.methods")
def test_methods_are_figured_from_the_plain_obstacle():
    outcome = cast(at_table(NEW), "Glow", [6, 3], method="carefully", steps=3).outcome
    assert (outcome.actions, outcome.dice.total) == (72, 13)
    with pytest.raises(BadInput, match="1 to 3"):
        cast(at_table(NEW), "Glow", [6, 3], method="carefully", steps=4)


@pytest.mark.rules("sorcery.learn.practicals.count")
def test_as_many_as_the_aptitude_of_perception_failed_ones_too():
    at = at_table(NEW)
    for number in range(1, 7):
        rolls: list[Any] = [6, 3] if number % 2 else [0, 3, [6]]
        at = cast(at, "Glow", rolls).table
        assert han(at).spells[0].practicals == number
    assert read(at, [3]).outcome.second
    keen = at_table(NEW, stats={"Perception": "B7"})
    assert "Practical 1 of 3" in cast(keen, "Glow", [6, 3]).told


@pytest.mark.rules("sorcery.learn.practicals.count")
@pytest.mark.parametrize(
    ("perception", "needed"),
    [("B4", 6), ("G4", 5), ("W4", 4), ("B9", 1), ("G9", 1), ("B10", 1)],
)
def test_a_lighter_perception_takes_fewer_practicals(perception: str, needed: int):
    at = at_table({**NEW, "practicals": needed - 1}, stats={"Perception": perception})
    with pytest.raises(NotAllowed, match="needs 1 more"):
        read(at, [])
    at = cast(at, "Glow", [6, 3]).table
    learned = read(at, [3]).outcome
    assert (learned.second, learned.practicals) == (True, needed)


@pytest.mark.rules("sorcery.learn.practicals.legitimate")
def test_idle_practice_does_not_count():
    played = cast(at_table(NEW), "Glow", [6, 3], {"legitimate_practical": False})
    assert played.asks["legitimate_practical"].kind == "consent"
    assert han(played.table).spells[0].practicals == 0


@pytest.mark.rules("sorcery.amb.practicals_interim_use")
def test_once_there_are_enough_there_is_no_further_credit():
    played = cast(at_table(READY), "Glow", [6, 3])
    assert played.outcome.obstacle.total == 6
    assert "legitimate_practical" not in played.asked
    assert han(played.table).spells[0].practicals == 6


# --- Second Reading ------------------------------------------------------------------------


@pytest.mark.rules("sorcery.learn.second_reading.test")
def test_the_second_reading_takes_weeks():
    played = read(at_table(READY), [4], {"allocate": (0, 1)})
    assert (played.outcome.second, played.outcome.obstacle.total) == (True, 3)
    assert played.outcome.obstacle.lines[0].rule == "sorcery.learn.second_reading.test"
    assert played.outcome.seconds == 21 * DAY * 9 // 10


@pytest.mark.rules("sorcery.learn.second_reading.success")
def test_it_masters_the_spell():
    played = read(at_table(READY), [3])
    assert played.outcome.stage == "mastered"
    assert cast(played.table, "Glow", [3, 3]).outcome.obstacle.total == 3
    with pytest.raises(NotAllowed, match="already mastered"):
        read(played.table, [])


@pytest.mark.rules("sorcery.learn.second_reading.failure")
def test_failing_it_asks_for_a_new_set_of_practicals():
    played = read(at_table(READY), [2])
    (spell,) = han(played.table).spells
    assert (spell.stage.value, spell.practicals) == ("practicals", 0)


@pytest.mark.rules("sorcery.learn.skill_must_be_taught")
def test_sorcery_must_be_taught():
    for skills in ({}, {"Sorcery": "B0"}):
        plain = {**HAN, "skills": skills}
        with pytest.raises(NotAllowed, match="must be taught Sorcery"):
            read(table(han=plain), [])
    with pytest.raises(NotAllowed) as refused:
        a_test(table(han={**HAN, "skills": {}}), "Sorcery", 2, [2])
    assert refused.value.rule == "sorcery.learn.skill_must_be_taught"


def test_a_range_is_read_at_its_lowest_and_a_targets_stat_at_the_gms_obstacle():
    wide = at_table({"name": "Glow", "obstacle": "2-5", "stage": "unread"})
    assert read(wide, [2]).outcome.obstacle.total == 2
    own = at_table({"name": "Glow", "obstacle": "caster's Power", "stage": "unread"})
    assert read(own, [4]).outcome.obstacle.total == 4
    other = at_table({"name": "Glow", "obstacle": "target's Will", "stage": "unread"})
    assert read(other, [3], {"spell_obstacle": 3}).outcome.obstacle.total == 3


@pytest.mark.rules("artha.aristeia.minor_epiphany_effects")
def test_a_minor_epiphany_of_sorcery_helps_with_a_reading():
    """Faces of 3 are successes of a gray skill alone; Ob 3."""
    epiphany = {"character": "han", "form": "minor_epiphany", "ability": "Sorcery"}
    for scene, passed in (({"aristeias": [epiphany]}, True), ({}, False)):
        at = table(scene, han=wizard(UNREAD))
        assert read(at, [[3] * 5]).outcome.passed is passed
