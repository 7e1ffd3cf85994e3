"""Repairing armor, putting it on and off, half pieces, and mixing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.armor.care import repair_obstacle
from astragal.games.burning_wheel.sheet.armor_tables import LOCATIONS, ArmorPiece, piece_dice
from astragal.games.burning_wheel.sheet.reading import check
from games.burning_wheel.playing import AnyRolls, Played, a_test, play, table

LIGHT = ("leather", "plated_leather")
METAL = ("chainmail", "plated_mail", "full_plate")
SKILLS = {
    name: {"rating": "B9"} for name in ("Mending", "Tailor", "Tanner", "Blacksmith", "Armorer")
}


def workshop(armor: Any, **more: Any) -> BurningTable:
    return table(smith={"skills": SKILLS, **more}, knight={"armor": armor})


def mend(
    at: BurningTable, rolls: AnyRolls, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    said = {"character": "smith", "owner": "knight", "location": "torso", "skill": "Armorer"}
    return play("repair_armor", {**said, **more}, at, answers, rolls)


def dice_of(at: BurningTable, location: str = "torso", who: str = "knight") -> int:
    return piece_dice(at.character(who).armor[location]).total


# --- Repair ----------------------------------------------------------------------------------


@pytest.mark.rules("armor.repair.by_location", "armor.repair.armorer")
def test_success_restores_all_the_dice_named_and_failure_none():
    torn = {"suit": {"type": "chainmail", "lost": 3}}
    fixed = mend(workshop(torn), [2], dice=3)
    assert fixed.outcome.test.obstacle.total == 2
    assert [line.rule for line in fixed.outcome.test.obstacle.lines] == ["armor.repair.armorer"]
    assert (fixed.outcome.restored, fixed.outcome.left) == (3, 5)
    assert [dice_of(fixed.table, where) for where in LOCATIONS] == [1, 1, 1, 5, 1, 1]
    failed = mend(workshop(torn), [1], dice=3)
    assert (failed.outcome.passed, failed.outcome.restored, dice_of(failed.table)) == (False, 0, 2)
    with pytest.raises(NotAllowed, match=r"tests\.let_it_ride\.one_roll"):
        mend(failed.table, [9], dice=1)  # one roll settles that location
    mend(failed.table, [9], {"conditions_changed": "a better forge"}, dice=1)
    mend(failed.table, [9], dice=1, location="head")


def test_a_repair_that_is_done_does_not_stand_in_the_way_of_the_next():
    once = mend(workshop({"torso": {"type": "chainmail", "lost": 2}}), [1])
    assert (dice_of(once.table), once.table.scene.rides) == (4, ())
    assert dice_of(mend(once.table, [1]).table) == 5


def test_the_gm_says_how_long_it_takes_and_what_is_at_stake():
    run = mend(workshop({"torso": {"type": "mail", "lost": 1}}), [1], {"time": "3 days"})
    assert run.before_the_dice("time")
    assert run.seats["time"] == run.seats["on_failure"] == "gm"
    assert run.outcome.test.seconds == 3 * 24 * 3600


@pytest.mark.rules("armor.repair.skills_light", "armor.repair.skills_metal")
@pytest.mark.parametrize("kind", LIGHT + METAL)
def test_each_type_accepts_only_its_skills(kind: str):
    piece = ArmorPiece("torso", kind, lost=1)
    fitting = {"mending", "armorer"} | ({"tailor", "tanner"} if kind in LIGHT else {"blacksmith"})
    for skill in ("mending", "tailor", "tanner", "blacksmith", "armorer"):
        if skill in fitting:
            assert repair_obstacle(skill, piece, 1) >= 1
        else:
            side = "light" if kind in LIGHT else "metal"
            with pytest.raises(NotAllowed, match=rf"armor\.repair\.skills_{side}"):
                repair_obstacle(skill, piece, 1)


@pytest.mark.rules(
    "armor.repair.mending",
    "armor.repair.tailor_tanner",
    "armor.repair.blacksmith",
    "armor.repair.armorer",
)
@pytest.mark.parametrize(
    ("skill", "kind", "obstacles"),
    [
        ("mending", "full_plate", (1, 2, 4, 6, 8)),
        ("tailor", "leather", (2, 3, 5)),
        ("tanner", "plated_leather", (2, 3, 5)),
        ("blacksmith", "chainmail", (2, 3, 4, 5, 6)),
        ("armorer", "full_plate", (1, 1, 2, 3, 4, 5)),
    ],
)
def test_obstacles_are_those_of_the_last_die_and_end_with_the_list(
    skill: str, kind: str, obstacles: tuple[int, ...]
):
    piece = ArmorPiece("torso", kind)
    assert tuple(repair_obstacle(skill, piece, n + 1) for n in range(len(obstacles))) == obstacles
    for beyond in range(len(obstacles) + 1, 8):
        with pytest.raises(NotAllowed, match=r"armor\.amb\.repair_beyond_table"):
            repair_obstacle(skill, piece, beyond)


def test_one_can_repair_ones_own_armor_packed_or_worn_and_without_the_skill():
    own = table(
        smith={
            "stats": {"Agility": "B4"},
            "packed": [{"location": "head", "type": "leather", "lost": 1}],
        }
    )
    said = {"character": "smith", "location": "head", "skill": "tailor"}
    run = play("repair_armor", said, own, {"roots": ["Agility"]}, [4])
    assert run.outcome.test.obstacle.total == 2 * 2  # Beginner's Luck
    assert run.changed["smith.packed.0.lost"] == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"dice": 3}, r"dice: found 3, expected 1 to 2"),
        ({"dice": 0}, r"dice: found 0, expected 1 to 2"),
        ({"location": "tail"}, r"location: found 'tail'"),
        (
            {"location": "head"},
            r"location: found 'head', expected a location for which Knight has armor",
        ),
        ({"skill": "Cooking"}, r"skill: found 'Cooking'.*armor\.repair\.by_location"),
        ({"owner": "nobody"}, r"owner: found 'nobody'"),
    ],
)
def test_what_cannot_be_repaired_is_refused(more: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        mend(workshop({"torso": {"type": "chainmail", "lost": 2}}), [], **more)


# --- Half pieces, on and off -----------------------------------------------------------------


KNIGHT = {
    "stats": {"Speed": "B4", "Agility": "B4"},
    "training": ["Armor Training"],
    "armor": "mail",
}


def change(what: str, at: BurningTable, *locations: str, **answers: Any) -> Played:
    return play(what, {"character": "knight", "locations": locations}, at, answers, [])


@pytest.mark.rules("armor.half.strip", "armor.half.refit")
def test_stripping_to_half_pieces_lightens_the_load_until_they_are_put_on_again():
    full = table(knight=KNIGHT)
    half = change("strip_armor", full, "legs", time="5 minutes")
    assert half.seats["suitable"] == "gm"
    assert (half.outcome.locations.left_leg, half.outcome.locations.right_leg) == (2, 2)
    assert half.outcome.seconds == 300

    def speed(at: BurningTable) -> tuple[int, int]:
        outcome = a_test(at, "Speed", 1, [0]).outcome
        return outcome.dice.total, outcome.obstacle.total

    assert [speed(at) for at in (full, half.table)] == [(3, 1), (4, 2)]
    again = change("refit_armor", half.table, "legs")
    assert (again.outcome.locations.left_leg, again.outcome.locations.torso) == (4, 5)
    assert again.table == full
    with pytest.raises(NotAllowed, match=r"armor\.amb\.strip_time"):
        change("strip_armor", full, "arms", suitable=False)
    with pytest.raises(NotAllowed, match=r"armor\.amb\.strip_time"):
        change("refit_armor", half.table, "legs", suitable=False)


def test_dice_lost_stay_lost_through_stripping_refitting_and_packing():
    torn = table(knight={"armor": {"left_arm": {"type": "mail", "lost": 1}}})
    half = change("strip_armor", torn, "left_arm")
    assert half.outcome.locations.left_arm == 1
    off = change("take_off_armor", half.table, "left_arm")
    assert (off.table.character("knight").armor, off.outcome.locations.left_arm) == ({}, 0)
    on = change("put_on_armor", off.table, "left_arm")
    assert on.outcome.locations.left_arm == 3


@pytest.mark.rules("armor.location.any_subset")
def test_pieces_come_off_and_on_one_by_one():
    at = change("take_off_armor", table(knight=KNIGHT), "head", "arms").table
    assert set(at.character("knight").armor) == {"torso", "left_leg", "right_leg"}
    assert len(at.character("knight").packed) == 3
    back = change("put_on_armor", at, "arms").table
    assert dice_of(back, "left_arm") == 4
    assert [piece.location for piece in back.character("knight").packed] == ["head"]


@pytest.mark.parametrize(
    ("what", "locations", "message"),
    [
        ("strip_armor", ("torso",), r"armor\.half\.where"),
        ("strip_armor", ("tail",), r"armor\.location\.six"),
        ("strip_armor", (), r"at least one location"),
        ("refit_armor", ("legs",), r"Knight has not stripped .* \[armor\.half\.refit\]"),
        ("put_on_armor", ("head",), r"Knight has no packed armor"),
    ],
)
def test_what_cannot_be_changed_is_refused(what: str, locations: tuple[str, ...], message: str):
    with pytest.raises((BadInput, NotAllowed), match=message):
        change(what, table(knight=KNIGHT), *locations)


def test_half_a_piece_has_nothing_to_strip_and_bare_skin_nothing_to_take_off():
    at = table(knight={"armor": {"legs": "half mail"}})
    with pytest.raises(NotAllowed, match=r"armor\.half\.strip"):
        change("strip_armor", at, "legs")
    with pytest.raises(BadInput, match="a location where Knight wears armor"):
        change("take_off_armor", at, "head")


# --- Mixing ----------------------------------------------------------------------------------


def fit(at: BurningTable, location: str, piece: str, **more: Any) -> Played:
    said = {"character": "knight", "location": location, "piece": piece, **more}
    return play("fit_armor", said, at, {}, [])


@pytest.mark.rules("armor.mix.lighter_piece", "armor.mix.heavier_piece")
def test_another_piece_brings_its_own_dice_and_weight():
    at = table(knight={**KNIGHT, "stats": {"Perception": "B4"}})

    def dulled(at: BurningTable) -> int:
        return int(a_test(at, "Perception", 1, [0]).outcome.obstacle.total) - 1

    lighter = fit(at, "head", "pot helm")
    assert (lighter.outcome.before, lighter.outcome.dice, dulled(lighter.table)) == (4, 3, 1)
    assert lighter.asks["fit"].because == "armor.mix.lighter_piece"
    assert lighter.table.character("knight").packed == ()  # traded in
    heavier = fit(at, "head", "great helm", traded=False)
    assert (heavier.outcome.before, heavier.outcome.dice, dulled(heavier.table)) == (4, 6, 3)
    assert heavier.asks["fit"].because == "armor.mix.heavier_piece"
    assert [piece.type for piece in heavier.table.character("knight").packed] == ["chainmail"]
    assert dice_of(heavier.table) == 5  # the rest of the suit is as it was
    refused = play(
        "fit_armor",
        {"character": "knight", "location": "head", "piece": "hood"},
        at,
        {"fit": False},
    )
    assert (refused.outcome.fitted, refused.changed) == (False, {})
    with pytest.raises(BadInput, match=r"piece: found 'toga'"):
        fit(at, "head", "toga")


# --- Over time -------------------------------------------------------------------------------

EVENT = st.tuples(
    st.sampled_from(
        ["blow", "strip_armor", "refit_armor", "take_off_armor", "put_on_armor", "mend"]
    ),
    st.sampled_from(LOCATIONS),
    st.integers(1, 6),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(EVENT, max_size=12))
def test_lost_dice_come_back_by_repair_alone_and_every_sheet_is_legal(
    events: list[tuple[str, str, int]],
):
    at = workshop({"suit": {"type": "plated leather", "quality": "poor"}})

    def lost(table: BurningTable) -> dict[str, int]:
        knight = table.character("knight")
        return {piece.location: piece.lost for piece in (*knight.armor.values(), *knight.packed)}

    for what, location, face in events:
        before = lost(at)
        try:
            if what == "blow":
                worn = at.character("knight").armor.get(location)
                dice = 0 if worn is None else piece_dice(worn).total
                blow = {"character": "knight", "location": location}
                at = play("armor_test", blow, at, {}, [[face] * dice] if dice else []).table
            elif what == "mend":
                at = mend(at, [face], location=location, skill="Mending").table
            else:
                at = change(what, at, location).table
        except (BadInput, NotAllowed):
            assert lost(at) == before
            continue
        check(at.character("knight"))
        after = lost(at)
        assert set(after) == set(LOCATIONS)
        if what != "mend":
            assert all(after[where] >= before[where] for where in LOCATIONS)
        if what != "blow":
            assert all(after[where] <= before[where] for where in LOCATIONS)
