"""Shields as cover from missiles, in a fight and in a volley."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.conditions.shield_cover import cover_from, shot_penalty
from astragal.games.burning_wheel.weapons.missiles import aim_cost, default_location
from games.burning_wheel.playing import AnyRolls, Played, a_test, play, table


def field(shield: Any = "target", **more: Any) -> BurningTable:
    raw = {"skills": {"Sword": "B4", "Cooking": "B4"}, "stats": {"Speed": "B4"}, "shield": shield}
    return table(mara={**raw, **more}, archer={}, slinger={})


def shot_at(
    at: BurningTable, rolls: AnyRolls, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    said = {"character": "mara", "shooter": "archer", **more}
    return play("shield_cover", said, at, answers, rolls)


def penalty(at: BurningTable, shooter: str = "archer", va: int = 0) -> int:
    return sum(line.amount for line in shot_penalty(at, "mara", shooter, va))


@pytest.mark.rules("armor.shield_missile.fight_roll", "armor.shield_missile.fight_stacks")
@pytest.mark.parametrize(("successes", "harder"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_each_success_over_one_makes_the_shot_harder(successes: int, harder: int):
    run = shot_at(field(), [successes])
    assert run.rolls[0].expression.notation == "3B: with ones"  # the shield's dice, no skill
    assert (run.outcome.penalty, penalty(run.table)) == (harder, harder)
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (3, 1)
    assert "rolls 3D = 3 target against Ob 1 = 1 shield" in run.told
    # A line like any other of the shot's obstacle: whatever else is there stays.
    lines = shot_penalty(run.table, "mara", "archer")
    assert [line.rule for line in lines] == ["armor.shield_missile.fight_roll"] * bool(harder)


ARCHER = {
    "skills": {"Bow": "B5"},
    "stats": {"Power": "B4", "Agility": "B4"},
    "weapons": [{"weapon": "hunting bow"}],
}


def shoots(at: BurningTable, rolls: AnyRolls, answers: dict[str, Any] | None = None) -> Played:
    said = {"character": "archer", "target": "mara", "weapon": "hunting bow", "range": "close"}
    return play("shoot", said, at, answers, rolls)


@pytest.mark.rules("armor.shield_missile.fight_stacks", "armor.shield_missile.cover_area")
def test_the_shot_itself_carries_the_penalty_beside_all_others_and_pays_for_what_is_covered():
    at = table(mara={"shield": "target"}, archer=ARCHER)
    haze = {"hindrances": ["smoke_or_haze"]}
    plain = shoots(at, [0], haze).outcome.obstacle.total
    covered = shot_at(at, [3], area="torso").table
    assert (
        shoots(covered, [0], {"hindrances": ["smoke_or_haze"]}).outcome.obstacle.total == plain + 2
    )
    bare = shoots(at, [1, [6]])
    assert bare.outcome.damage.location == "torso"
    just = shoots(covered, [3, [6]])  # no success to spare: past the shield, into the legs
    assert just.outcome.damage.location == "legs"
    spent = shoots(covered, [4, [6]], {"aim": "torso"})
    assert spent.outcome.damage.location == "torso"
    through = table(mara={"shield": {"kind": "target", "lost": 2}}, archer=ARCHER)
    # VA 1 against one die: as if there were no shield.
    assert shoots(through, [1, [6]]).outcome.passed


def test_one_roll_stands_against_a_shooter_until_the_shield_loses_a_die():
    once = shot_at(field(), [3])
    again = shot_at(once.table, [])
    assert (again.outcome.rolled, again.outcome.penalty) == (False, 2)
    other = shot_at(once.table, [2], shooter="slinger")
    assert [penalty(other.table, who) for who in ("archer", "slinger")] == [2, 1]
    damaged = shot_at(once.table, [[1, 5, 5]], shooter="slinger")
    assert (damaged.outcome.penalty, damaged.outcome.shield_left) == (1, 2)
    assert penalty(damaged.table) == 0
    assert shot_at(damaged.table, [2]).rolls[0].expression.notation == "2B: with ones"
    assert play("conflict_over", {}, once.table).table.scene.covers == ()


@pytest.mark.rules("armor.shield.damage_ones", "armor.shield_missile.fight_roll")
@pytest.mark.parametrize(("lost", "faces"), [(0, [1, 5, 5]), (1, [1, 5])])
def test_a_die_lost_in_the_roll_does_not_help_the_shooter(lost: int, faces: list[int]):
    """The roll counts for its own shot, and the next one is rolled with what is left."""
    at = table(mara={"shield": {"kind": "target", "lost": lost}}, archer=ARCHER)
    plain = shoots(at, [0]).outcome.obstacle.total
    covered = shot_at(at, [faces], area="torso", va=1)
    harder = faces.count(5) - 1
    assert (covered.outcome.penalty, covered.outcome.shield_left) == (harder, 2 - lost)
    first = shoots(covered.table, [plain + harder, [6]])
    assert first.outcome.obstacle.total == plain + harder
    assert first.outcome.damage.location == "legs"  # past the area that is covered
    assert first.table.scene.covers == first.table.scene.shot_covers == ()
    assert shoots(first.table, [0]).outcome.obstacle.total == plain
    if not lost:
        assert shot_at(covered.table, [2]).rolls[0].expression.notation == "2B: with ones"


def test_a_damaged_shield_is_no_matter_to_other_bearers():
    at = table(mara={"shield": "target"}, ned={"shield": "target"}, archer={}, slinger={})
    at = shot_at(at, [3], character="ned").table
    damaged = shot_at(at, [[1, 5, 5]]).table
    assert [line.amount for line in shot_penalty(damaged, "ned", "archer")] == [2]


def test_a_shield_without_dice_is_no_cover():
    with pytest.raises(NotAllowed, match="Mara has no shield with dice left"):
        shot_at(field({"kind": "target", "lost": 3}), [])


def test_an_area_that_is_covered_helps_even_where_the_dice_do_not():
    """armor.shield_missile.cover_area."""
    assert shot_at(field(), [0], area="head").outcome.passed
    assert not shot_at(field(), [0]).outcome.passed


@pytest.mark.rules("armor.shield_missile.va_fight")
@pytest.mark.parametrize("va", [0, 1, 2, 3, 4])
def test_a_missile_of_enough_va_ignores_the_shield_and_a_lesser_va_does_nothing(va: int):
    helps = va < 3
    run = shot_at(field(), [3] if helps else [], va=va, area="head")
    assert (run.outcome.penalty, run.outcome.area) == ((2, "head") if helps else (0, ""))
    worn = field({"kind": "target", "lost": 1})  # the current dice count
    assert shot_at(worn, [2] if va < 2 else [], va=va).outcome.passed is (va < 2)
    behind = shot_at(field("great shield"), [], hide=True).table
    assert (penalty(behind, va=4), penalty(behind, va=5)) == (3, 0)


@pytest.mark.rules("armor.shield_missile.cover_area", "armor.shield_missile.cover_area_awareness")
def test_a_covered_area_costs_the_shooter_one_more_success():
    usual = {"torso": 0, "arms": 1, "legs": 1, "head": 2}
    assert {where: aim_cost(where, ()) for where in usual} == usual
    for area in ("arms", "legs", "head"):
        costs = {where: aim_cost(where, (), area) for where in usual}
        assert costs == {**usual, area: usual[area] + 1}
        assert default_location((), area) == "torso"
    assert aim_cost("torso", (), "torso") == 1
    assert (default_location((), "torso"), aim_cost("legs", (), "torso")) == ("legs", 0)
    run = shot_at(field(), [1], area="head")
    cover = cover_from(run.table, "mara", "archer")
    assert cover is not None
    assert cover.area == "head"
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.cover_area_awareness"):
        shot_at(field(), [], area="head", aware=False)
    assert shot_at(field(), [2], aware=False).outcome.penalty == 1  # its dice work all the same


@pytest.mark.rules("armor.shield_missile.great_shield_hide")
@pytest.mark.parametrize("kind", ["great shield", "kite shield", "large round metal shield"])
def test_a_great_shield_hides_all_of_its_bearer(kind: str):
    run = shot_at(field(kind), [], hide=True)
    assert (run.outcome.penalty, run.outcome.hiding, run.rolls) == (3, True, [])
    assert penalty(run.table, "slinger") == 3  # from everybody
    rolled = shot_at(field(kind), [5])
    assert penalty(shot_at(rolled.table, [], hide=True).table) == 3  # in place of the 4 rolled
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.great_shield_hide"):
        shot_at(field("heater"), [], hide=True)


@pytest.mark.rules("armor.shield_missile.hide_limits")
def test_whoever_hides_may_position_and_nothing_else():
    hidden = shot_at(field("great shield"), [], hide=True).table
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
        a_test(hidden, "Sword", 1, [0])
    block = {"character": "mara", "skill": "Sword", "attack": 2}
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
        play("shield_defence", block, hidden, {}, [])
    assert a_test(hidden, "Speed", 1, [1]).outcome.passed
    out = shot_at(hidden, [1]).table
    assert a_test(out, "Sword", 1, [1]).outcome.passed


@pytest.mark.rules("armor.shield_missile.hide_limits")
@pytest.mark.parametrize("skill", ["Axe", "bow", "Throwing"])
def test_nobody_fights_from_hiding_by_beginners_luck(skill: str):
    hidden = shot_at(field("great shield", stats={"Agility": "B4"}), [], hide=True).table
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
        a_test(hidden, skill, 1, None, {"roots": ["Agility"]})


@pytest.mark.rules("armor.shield_missile.hide_limits")
def test_from_hiding_the_gm_lets_pass_only_what_is_no_other_action():
    stats = {"Speed": "B4", "Perception": "B4", "Power": "B4"}
    hidden = shot_at(field("great shield", stats=stats), [], hide=True).table
    for ability in ("Cooking", "Power"):
        with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
            a_test(hidden, ability, 1, [])
    assert a_test(hidden, "Perception", 1, [1]).outcome.passed  # looking is no action
    allowed = a_test(hidden, "Power", 1, [1], {"only_positions": True})
    assert allowed.seats["only_positions"] == "gm"
    refused = {"only_positions": False}
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
        a_test(hidden, "Speed", 1, [], refused)


@pytest.mark.rules("armor.shield_missile.hide_limits")
def test_from_hiding_nobody_hacks_or_reloads():
    armed = {"weapons": ["sword", {"weapon": "crossbow", "loaded": False}]}
    open_field = field("great shield", stats={"Power": "B4"}, **armed)
    hidden = shot_at(open_field, [], hide=True).table
    for name, said in (
        ("hack", {"weapon": "sword", "section": "door", "material": "wood, thin"}),
        ("reload", {"weapon": "crossbow"}),
    ):
        with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.hide_limits"):
            play(name, {"character": "mara", **said}, hidden)


def test_dropping_the_shield_ends_the_cover():
    at = shot_at(field(), [3]).table
    assert penalty(play("drop_shield", {"character": "mara"}, at).table) == 0


def test_artha_may_be_spent_on_the_shields_dice():
    at = field(artha={"persona": 1, "deeds": 1})
    run = shot_at(at, [[1, 2, 5], [5], [5, 2]], {"boon": 1, "after_roll": "saving_grace"})
    assert (run.outcome.penalty, run.outcome.shield_lost) == (2, 0)
    assert "divine_inspiration" not in run.asked


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"area": "knee"}, r"area: found 'knee'"),
        ({"shooter": "nobody"}, r"shooter: found 'nobody'"),
        ({"va": -1}, r"va: found -1"),
        ({"character": "archer"}, r"Archer has no shield with dice left"),
    ],
)
def test_what_makes_no_sense_is_refused(more: dict[str, Any], message: str):
    with pytest.raises((BadInput, NotAllowed), match=message):
        shot_at(field(), [], **more)


# --- Range and Cover -------------------------------------------------------------------------


def step(at: BurningTable, **more: Any) -> str:
    return str(play("cover_step", {"character": "mara", **more}, at, {}, []).outcome.cover)


@pytest.mark.rules(
    "range_and_cover.shield.raises_cover_one_step",
    "range_and_cover.shield.dice_must_exceed_va",
    "range_and_cover.shield.only_speed_or_steel",
    "range_and_cover.shield.not_while_shooting",
)
def test_a_shield_is_worth_one_step_of_cover_under_both_chapters_conditions():
    at = field()
    assert [step(at, cover=cover) for cover in ("open", "reasonable", "dense")] == [
        "reasonable",
        "dense",
        "dense",
    ]
    assert [step(at, va=va) for va in (2, 3, 4)] == ["reasonable", "open", "open"]
    assert step(field({"kind": "target", "lost": 1}), va=2) == "open"
    assert step(at, maneuver="Steel") == "reasonable"
    for maneuver in ("Stealthy", "Perception"):
        assert step(at, maneuver=maneuver) == "open"
    assert step(at, shooting=True) == "open"
    assert step(table(mara={})) == "open"
    with pytest.raises(BadInput, match="cover: found 'some'"):
        step(at, cover="some")
