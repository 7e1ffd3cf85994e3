"""What a session comes to in numbers, against answers counted by hand and one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.games.at_table import SessionCounts
from astragal.table.log.items import ChangedItem, DieFace, RolledItem
from astragal.table.story.figures import SessionCounter, figures_of, luck_of
from astragal.table.story.pictures import pictures_of
from astragal.table.views.types import EntryView

BURNING = SessionCounts(
    purse={"artha.fate": "Fate", "artha.persona": "Persona"},
    logged={"log.routine": "Routine", "log.difficult": "Difficult"},
)


def rolled(notation: str, *faces: int, owner: str = "anna") -> RolledItem:
    shown = tuple(DieFace(face, 10) for face in faces)
    return RolledItem("a roll", owner, notation, shown, "", 0, ())


def changed(path: str, before: Any, after: Any, target: str = "mara") -> ChangedItem:
    return ChangedItem(target, path, before, after)


def entry(*items: Any, kind: str = "answered", **more: Any) -> EntryView:
    return EntryView(1, "2026-01-01T20:00:00", "gm", kind, items=items, **more)


def rank(results: list[int], came: int, *, low: bool = False) -> Fraction:
    """The share of all cases that are worse, and half of those that are the same."""
    worse = sum(each > came if low else each < came for each in results)
    return Fraction(2 * worse + results.count(came), 2 * len(results))


POOL = [sum(face >= 4 for face in faces) for faces in product(range(1, 7), repeat=4)]
GRAY = [sum(face >= 3 for face in faces) for faces in product(range(1, 7), repeat=2)]
TWO = [sum(faces) for faces in product(range(1, 7), range(1, 11))]


@pytest.mark.parametrize("came", range(5))
def test_a_pool_is_compared_with_every_roll_of_the_same_dice(came: int):
    faces = [4] * came + [3] * (4 - came)
    luck = luck_of("anna", [rolled("4B", *faces)], low_is_good=False)
    assert luck.rank == rank(POOL, came)
    assert (luck.successes, luck.expected) == (came, Fraction(2))


def test_several_rolls_are_averaged():
    rolls = [rolled("4B", 6, 1, 5, 4), rolled("2G", 1, 2), rolled("(d6, d10)", 6, 9)]
    luck = luck_of("anna", rolls, low_is_good=False)
    assert luck.rank == (rank(POOL, 3) + rank(GRAY, 0) + rank(TWO, 15)) / 3
    assert luck.rolls == 3
    assert (luck.successes, luck.expected) == (3, 2 + Fraction(4, 3))


@pytest.mark.parametrize(
    ("tens", "ones", "came"), [(10, 1, 1), (5, 10, 50), (2, 7, 27), (10, 10, 100)]
)
def test_a_low_roll_is_good_where_the_game_says_so(tens: int, ones: int, came: int):
    luck = luck_of("anna", [rolled("d100", tens, ones)], low_is_good=True)
    assert luck.rank == rank(list(range(1, 101)), came, low=True)


def test_a_die_that_explodes_once_is_worth_both_faces():
    both = [first + (extra if first == 6 else 0) for first in range(1, 7) for extra in range(1, 7)]
    rolls = [rolled("(d6!, d4)", 6, 2, 3)]
    results = [one + other for one in both for other in range(1, 5)]
    assert luck_of("anna", rolls, low_is_good=False).rank == rank(results, 11)


def test_dice_that_nobody_can_read_do_not_count():
    luck = luck_of("anna", [rolled("a handful", 1, 2, 3)], low_is_good=False)
    assert (luck.rolls, luck.rank) == (0, Fraction(1, 2))


def test_artha_and_tests_are_added_up():
    counter = SessionCounter(BURNING)
    counter.add(entry(kind="session_began", session=2))
    counter.add(
        entry(changed("artha.fate", 1, 3), changed("artha", {"persona": 2}, {"persona": 1}))
    )
    counter.add(entry(changed("artha.fate", 3, 2), kind="ruled"))
    counter.add(entry(changed("skills.Sword.log.routine", 0, 1)))
    counter.add(
        entry(changed("skills.Sword.log", {"routine": 1, "difficult": 0}, {"difficult": 1}))
    )
    figures = counter.figures()
    assert figures.number == 2
    (flow,) = figures.flow
    assert (flow.earned, flow.spent) == ({"Fate": 2}, {"Persona": 1, "Fate": 1})
    (logged,) = figures.logged
    assert logged.tests == {"Routine": 1, "Difficult": 1}


def test_what_was_undone_or_written_by_hand_does_not_count():
    counter = SessionCounter(BURNING)
    counter.add(entry(changed("artha.fate", 0, 3), kind="edited"))
    counter.add(entry(changed("artha.fate", 0, 3), rolled("4B", 6, 6, 6, 6), undone=True))
    counter.add(entry(changed("artha.fate", 0, 3, target="scene")))
    assert counter.figures().flow == counter.figures().luck == ()


def test_only_the_session_that_is_asked_for_counts():
    began = [entry(kind="session_began", session=number) for number in (1, 2, 3)]
    gains = [entry(changed("artha.fate", 0, points)) for points in (1, 2, 4)]
    log = [each for pair in zip(began, gains, strict=True) for each in pair]
    earned = {}
    for number in (1, 2, 3):
        figures = figures_of(log, BURNING, number)
        assert figures is not None
        earned[number] = figures.flow[0].earned["Fate"]
    assert earned == {1: 1, 2: 2, 3: 4}
    assert figures_of(log, BURNING, 4) is None


def test_pictures_say_in_words_what_they_show_and_leave_out_who_is_not_known():
    counter = SessionCounter(BURNING)
    counter.add(entry(rolled("4B", 4, 4, 4, 4), rolled("4B", 1, 1, 1, 1, owner="<b>")))
    counter.add(entry(changed("artha.fate", 0, 1), changed("artha.fate", 0, 1, target="shadow")))
    counter.add(entry(changed("skills.Sword.log.routine", 0, 2)))
    names = {"mara": "Mara & Co"}
    drawn = pictures_of(counter.figures(), str.title, names.get)
    assert [each.key for each in drawn.pictures] == ["luck", "artha", "tests"]
    luck, artha, tests = drawn.pictures
    share = round(100 * float(rank(POOL, 4)))
    assert f"Anna rolled better than {share}% of such rolls on average" in luck.told
    assert "4 successes (2.0 expected)" in luck.told
    assert artha.told == "Mara & Co earned 1 Fate and spent nothing."
    assert tests.told == "Mara & Co logged 2 Routine."
    for each in drawn.pictures:
        assert each.svg.startswith("<svg ")
        assert "shadow" not in each.svg.lower()
        assert "<b>" not in each.svg.lower()
    assert "Mara &amp; Co" in artha.svg


def test_nothing_is_drawn_where_nothing_happened():
    assert pictures_of(SessionCounter(BURNING).figures(), str, str).pictures == ()
