"""Ranges: how two weapons compare, where a move leads, and the dice of a range."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.range_and_cover.ranges import (
    CATEGORIES,
    Ladder,
    RangedArm,
    arm_of,
    ladder_of,
)
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon
from astragal.play import DistanceLine, Lane
from astragal.rules import catalogue
from astragal.table.running.recording import told
from games.burning_wheel.skirmishing import archer, field, last_of, one_volley, skirmish


def rows(name: str):
    return catalogue().table(f"range_and_cover.table.{name}").records()


def arm(paces: int) -> RangedArm:
    return RangedArm("a weapon", paces, 1, 2)


SAME, LONGER, TENFOLD = (ladder_of(arm(paces), arm(20)) for paces in (20, 100, 200))


@pytest.mark.rules("range_and_cover.range.four_categories", "range_and_cover.range.per_weapon")
def test_there_are_four_categories_from_far_to_near():
    assert CATEGORIES == ("out of range", "extreme", "optimal", "too close to shoot")
    found = {
        str(row[column])
        for row in rows("joint_ladder")
        for column in ("longer_weapon", "shorter_weapon")
    }
    assert found == set(CATEGORIES[:3])


@pytest.mark.rules("range_and_cover.relation.by_max_range", "range_and_cover.relation.same")
def test_which_weapon_is_longer_is_a_matter_of_paces():
    assert Ladder("same") == SAME
    assert (LONGER.case, LONGER.longer) == ("longer", 0)
    assert ladder_of(arm(20), arm(100)).longer == 1
    for state in SAME.states():
        assert SAME.category(state, 0) == SAME.category(state, 1)


@pytest.mark.rules("range_and_cover.relation.tenfold", "range_and_cover.range.max_paces")
def test_tenfold_pairs_are_those_of_the_table():
    at = field()
    short = {
        str(row["weapon"]) for row in catalogue().table("weapons.table.thrown_weapons").records()
    } | {"pistol", "iron-cased bomb"}
    for row in rows("tenfold_pairs"):
        one = arm_of(Weapon(str(row["longer_weapon"])), at.options)
        assert one.paces == row["max_paces"]
        found = {
            name
            for name in short
            if ladder_of(one, arm_of(Weapon(name), at.options)) == Ladder("tenfold", 0)
        }
        assert found == set(row["tenfold_against"])


def related(row) -> tuple[str, int]:
    """The case of a row of the relations, and the side that is known: 0 is the longer weapon."""
    case = {"same max range": "same", "longer vs shorter": "longer"}.get(
        str(row["comparison"]), "tenfold"
    )
    return case, 1 if row["known_side"] == "shorter" else 0


@pytest.mark.rules(
    "range_and_cover.relation.longer_at_extreme",
    "range_and_cover.relation.longer_at_optimal",
    "range_and_cover.relation.shorter_at_extreme",
    "range_and_cover.relation.shorter_at_optimal",
    "range_and_cover.relation.tenfold",
    "range_and_cover.start.winner_picks_range",
)
def test_where_a_winner_begins_the_other_category_is_that_of_the_relations():
    for row in rows("range_relation"):
        if row["comparison"] == "any":
            continue
        case, side = related(row)
        ladder = Ladder(case)
        own = str(row["known_category"]).partition(" (")[0]
        offered = {
            ladder.category(state, 1 - side)
            for state in ladder.starts(side)
            if ladder.category(state, side) == own
        }
        said = str(row["other_side_category"]).partition(", ")[0].split(" or ")
        assert set(said) <= offered
        if own != "out of range":
            assert set(said) == offered


@pytest.mark.rules("range_and_cover.start.never_too_close")
def test_nobody_begins_too_close():
    for ladder in (SAME, LONGER, TENFOLD):
        for side in (0, 1):
            assert all(
                ladder.category(state, side) != "too close to shoot"
                for state in ladder.starts(side)
            )
    with pytest.raises(BadInput, match=r"range_and_cover\.start\.never_too_close"):
        skirmish(start="too_close_to_shoot/too_close_to_shoot")


FAR_TO_NEAR = ("out of range", "extreme", "optimal", "too close to shoot")


@pytest.mark.rules(
    "range_and_cover.close.purpose",
    "range_and_cover.withdraw.purpose",
    "range_and_cover.win.close_effect",
    "range_and_cover.win.withdraw_effect",
    "range_and_cover.win.one_category_only",
    "range_and_cover.amb.move_unit_skips",
)
@pytest.mark.parametrize("ladder", [SAME, LONGER, TENFOLD], ids=["same", "longer", "tenfold"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_move_is_one_category_of_the_opponents_weapon(ladder: Ladder, side: int):
    """Counted by hand along the four categories, without the table of joint states."""
    for state in ladder.states():
        theirs = FAR_TO_NEAR.index(ladder.category(state, 1 - side))
        (near, *_) = ladder.moved(state, side, "close", never_skip=False)
        assert ladder.category(near, 1 - side) == FAR_TO_NEAR[theirs + 1]
        (far, *_) = ladder.moved(state, side, "withdraw", never_skip=False)
        if theirs > 0:
            assert ladder.category(far, 1 - side) == FAR_TO_NEAR[theirs - 1] or far == "over"
        elif ladder.category(state, side) in ("out of range", "extreme"):
            assert far == "over"  # range_and_cover.amb.withdraw_beyond_opponents_range


@pytest.mark.rules("range_and_cover.range.out_of_range.escape")
def test_beyond_both_weapons_one_has_escaped():
    won = skirmish(
        [["speed_withdraw"] * 3], [["speed_maintain"] * 3], [3, 1], start="extreme/extreme"
    )
    assert (won.outcome.settled, won.outcome.volleys) == ("escaped", 1)
    again = one_volley(
        "speed_withdraw", "speed_maintain", [3, 1], start="out_of_range/out_of_range"
    )
    assert again.outcome.ranges == ("out of range", "out of range")
    assert not again.outcome.hits


@pytest.mark.rules(
    "range_and_cover.relation.longer_may_choose_extreme",
    "range_and_cover.relation.longer_at_extreme",
)
def test_the_longer_weapon_may_stop_where_it_alone_can_shoot():
    at = field(archer("great bow"))
    start = "out_of_range/out_of_range"
    near = one_volley("speed_close", "speed_maintain", [3, 2, 0], None, at, start)
    assert near.outcome.ranges == ("optimal", "extreme")
    answers = {"move_to": "extreme/out_of_range"}
    far = one_volley("speed_close", "speed_maintain", [3, 2, 0], answers, at, start)
    assert far.outcome.ranges == ("extreme", "out of range")


@pytest.mark.rules("range_and_cover.relation.tenfold")
def test_a_bow_may_keep_a_knife_out_of_range_at_its_own_optimal_range():
    at = field(bob=archer("throwing knife"))
    answers = {"move_to": "optimal/out_of_range"}
    won = one_volley(
        "speed_close", "speed_maintain", [3, 2, 0], answers, at, "extreme/out_of_range"
    )
    assert won.outcome.ranges == ("optimal", "out of range")
    not_tenfold = field(bob=archer("javelin"))
    plain = one_volley(
        "speed_close", "speed_maintain", [3, 2, 0], None, not_tenfold, "extreme/out_of_range"
    )
    assert plain.outcome.ranges == ("optimal", "extreme")
    assert "move_to" not in plain.asked


@pytest.mark.rules("weapons.amb.mallet_head_range", "range_and_cover.relation.tenfold")
@pytest.mark.parametrize(("head", "keeps"), [("", True), ("mallet head", False)])
def test_a_mallet_head_costs_a_crossbow_its_tenfold_reach_over_a_hatchet(head, keeps):
    """125 paces are more than ten times 12, and 115 are not."""
    at = field(archer("crossbow"), archer("thrown hatchet"))
    one = {"weapon": "crossbow", "head": head}
    won = one_volley(
        "speed_close", "speed_maintain", [3, 0, 0], None, at, "extreme/out_of_range", one
    )
    assert ("move_to" in won.asked) is keeps
    assert won.outcome.ranges == ("optimal", "extreme")


@pytest.mark.rules("weapons.amb.mallet_head_range")
def test_with_a_mallet_head_each_range_is_ten_paces_shorter():
    options = field().options
    arms = [arm_of(Weapon("crossbow"), options, head) for head in ("", "mallet head")]
    assert [one.span("optimal") for one in arms] == [(10, 30), (10, 20)]
    assert [one.span("extreme") for one in arms] == [(30, 125), (20, 115)]
    assert arm_of(Weapon("sword"), options).span("optimal") == (10, 10), "thrown, not listed"


@pytest.mark.parametrize(
    ("option", "ranges"),
    [("as_written", "too close to shoot"), ("never_skip", "optimal")],
)
def test_whether_a_close_skips_the_own_optimal_range_is_a_house_rule(option, ranges):
    at = field(archer("javelin"), options={"range_and_cover_skipping_rungs": option})
    won = one_volley("speed_close", "speed_maintain", [3, 2, 0], None, at, "extreme/optimal")
    assert won.outcome.ranges == (ranges, ranges)


@pytest.mark.rules("range_and_cover.tcts.shared")
def test_too_close_is_too_close_for_every_weapon():
    at = field(archer("great bow"), archer("throwing knife"))
    won = one_volley("speed_close", "speed_maintain", [3, 2, 0], None, at, "optimal/optimal")
    assert won.outcome.ranges == ("too close to shoot", "too close to shoot")


@pytest.mark.rules("range_and_cover.amb.like_close_tie_distance", "range_and_cover.tie.range.like")
@pytest.mark.parametrize(
    ("key", "start", "after"),
    [
        ("speed_close", "out_of_range/out_of_range", ("optimal", "extreme")),
        ("speed_close", "extreme/out_of_range", ("too close to shoot",) * 2),
        ("speed_withdraw", "optimal/optimal", ("out of range",) * 2),
        ("speed_withdraw", "optimal/extreme", ("out of range",) * 2),
    ],
)
@pytest.mark.parametrize("bow_first", [True, False])
def test_after_a_tie_of_like_maneuvers_the_shorter_weapon_moves_first(key, start, after, bow_first):
    """A hunting bow and a javelin, whichever side has the bow."""
    both = [archer(), archer("javelin")] if bow_first else [archer("javelin"), archer()]
    turned = 1 if bow_first else -1
    held = {"ann/tie_shot": "duck", "bob/tie_shot": "duck"}
    begin = "/".join(start.split("/")[::turned])
    played = one_volley(key, key, [2, 2], held, field(*both), begin)
    assert played.outcome.ranges[::turned] == after


@pytest.mark.rules("range_and_cover.range.out_of_range.escape")
def test_who_has_escaped_buys_nothing_more():
    won = one_volley("speed_withdraw", "speed_maintain", [5, 0], start="extreme/extreme")
    assert won.outcome.margin == 5
    assert not {"aim_dice", "cover_dice", "other_action", "shoot"} & set(won.asked)


# --- The dice --------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.dice.range_dice_add",
    "range_and_cover.dice.range_dice_by_current_range",
    "range_and_cover.use.any_shooter",
)
@pytest.mark.parametrize("row", rows("range_dice"), ids=lambda row: str(row["weapon"]))
def test_range_dice_are_those_of_the_table(row):
    name = str(row["weapon"])
    skills = {"Crossbow": "B3", "Firearms": "B3", "Throwing": "B3"}
    at = field(archer(name, skills=skills), archer("nothing"))
    for category, column in (("optimal", "optimal_dice"), ("extreme", "extreme_dice")):
        played = one_volley(
            "speed_maintain", "speed_maintain", [2, 4], None, at, f"{category}/{category}"
        )
        assert played.rolls[0].expression.dice.total == 4 + row[column]
        assert played.rolls[1].expression.dice.total == 4  # no weapon, no range dice
    far = one_volley(
        "speed_maintain", "speed_maintain", [2, 4], None, at, "out_of_range/out_of_range"
    )
    assert far.rolls[0].expression.dice.total == 4
    assert arm_of(Weapon(name), at.options).paces == row["max_range_paces"]


@pytest.mark.parametrize(("option", "dice"), [("1d_1d", 5), ("2d_1d", 6)])
def test_the_dice_of_a_pistol_are_a_house_rule(option, dice):
    at = field(
        archer("pistol", skills={"Firearms": "B3"}), options={"range_and_cover_pistol_dice": option}
    )
    played = one_volley("speed_maintain", "speed_maintain", [0, 4, 0], None, at)
    assert played.rolls[0].expression.dice.total == dice


@pytest.mark.rules("range_and_cover.range.optimal.span", "range_and_cover.range.extreme.span")
def test_a_picture_says_how_many_paces_that_is():
    played = skirmish(
        [["speed_maintain"] * 3], [["speed_maintain"] * 3], [2, 3, 0] * 3, start="extreme/extreme"
    )
    assert last_of(played).skirmishers[0].paces == (30, 100)
    near = skirmish([["speed_maintain"] * 3], [["speed_maintain"] * 3], [2, 3, 0] * 3)
    assert last_of(near).skirmishers[0].paces == (10, 30)


@pytest.mark.rules("range_and_cover.range.per_weapon", "range_and_cover.table.joint_ladder")
def test_a_picture_has_both_sides_on_the_line_of_their_distances():
    at = field(archer("crossbow", skills={"Crossbow": "B4"}))
    played = skirmish(
        [["speed_maintain"] * 3],
        [["speed_maintain"] * 3],
        [0, 0] * 3,
        {"tie_shot": "duck"},
        at,
        start="optimal/extreme",
        one={"cover": "dense"},
    )
    fact = last_of(played)
    near, out = "too close to shoot", "out of range"
    assert fact.picture.line == DistanceLine(
        (
            Lane(
                "Ann",
                ((near, 0), ("optimal", 2), ("optimal", 2), ("extreme", 1), (out, 0)),
                "crossbow",
                2,
                ("dense cover",),
            ),
            Lane(
                "Bob",
                ((near, 0), ("optimal", 2), ("extreme", 1), (out, 0), (out, 0)),
                "hunting bow",
            ),
        ),
        2,
    )
    ann, bob = fact.picture.figures
    assert (ann.name, ann.side, ann.left, ann.full, ann.marks) == ("Ann", 0, 4, 4, ())
    assert (bob.holds, bob.side, bob.marks) == ("hunting bow", 1, ())
    assert told(fact, ()).picture == fact.picture


@pytest.mark.rules("injury.zero.stat_incapacitated")
@pytest.mark.parametrize("lowest", ["Agility", "Perception"])
def test_the_bar_is_as_long_as_the_lowest_stat(lowest):
    at = field(archer(stats={"Power": "B6", lowest: "B3"}, wounds=["Midi"]))
    ann = last_of(skirmish([["give_up"] * 3], at=at)).skirmishers[0]
    assert (ann.dice, ann.of) == (1, 3)


@pytest.mark.rules("range_and_cover.range.per_weapon", "range_and_cover.table.joint_ladder")
def test_a_range_that_is_not_the_same_for_both_is_told_for_each():
    """A crossbow is still at optimal range where a hunting bow is at extreme."""
    at = field(archer("crossbow", skills={"Crossbow": "B4"}))
    played = one_volley("speed_withdraw", "speed_maintain", [1, 0], at=at)
    assert played.outcome.ranges == ("optimal", "extreme")
    assert "Range: optimal (Bob: extreme)." in played.told


def test_a_side_without_missiles_is_drawn_as_unable_to_shoot():
    played = skirmish([["give_up"] * 3], at=field(bob=archer("nothing")))
    ann, bob = last_of(played).picture.line.lanes
    assert [well for _, well in ann.reaches] == [0, 2, 1, 0]
    assert {well for _, well in bob.reaches} == {0}
    assert last_of(played).picture.line.here == 1


@pytest.mark.rules("range_and_cover.use.when_missiles_oppose")
def test_somebody_needs_a_missile_weapon():
    with pytest.raises(BadInput, match=r"missile or thrown weapon.*when_missiles_oppose"):
        skirmish(at=field(archer("nothing"), archer("nothing")))
    one = skirmish([], [], at=field(bob=archer("nothing")))
    assert one.outcome.settled == "gave_up"
