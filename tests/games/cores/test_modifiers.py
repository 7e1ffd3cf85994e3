"""Rocks, Sucks, Relationships, Perks, tapped Angst, overwhelming Angst and Factoids."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.rules import catalogue
from games.cores.playing import make_test, play, table_of


def refused(table, rule: str, **arguments):
    with pytest.raises(NotAllowed) as refusal:
        make_test(table, **arguments)
    assert refusal.value.rule == rule
    assert "\n" not in str(refusal.value)


# --- Rocks and Sucks -----------------------------------------------------------------------


@pytest.mark.rules("cores.mod.rock", "cores.mod.suck", "cores.mod.rock_and_suck")
def test_a_rock_raises_and_a_suck_lowers_the_core_die():
    raw = {"core": {"physical": "d6"}, "rocks": {"R": "physical"}, "sucks": {"S": "physical"}}
    table = table_of(ann=raw)
    assert make_test(table, [[1, 8]], {"rock": "R"}).rolled == ["(d6, d8)"]
    assert make_test(table, [[1, 4]], {"suck": "S"}).rolled == ["(d6, d4)"]
    assert make_test(table, [[1, 6]], {"rock": "R", "suck": "S"}).rolled == ["(d6, d6)"]


@pytest.mark.rules("cores.mod.rock_and_suck", "cores.dice.cancel")
def test_only_what_is_really_strong_leaves_its_d4_when_steps_undo_each_other():
    raw = {"rocks": {"R": "really physical"}, "sucks": {"S": "physical"}}
    played = make_test(table_of(ann=raw), [[1, 6, 4]], {"rock": "R", "suck": "S"})
    assert played.outcome.dice == "d6 + d6 + d4"


@pytest.mark.rules("cores.dice.cancel")
@pytest.mark.parametrize(
    ("suck", "dice", "cancel"),
    [
        ("really physical", "d6 + d6", True),
        ("physical", "d6 + d6 + d4", False),
        ("", "d6 + d8 + d4", False),
    ],
)
def test_it_is_said_when_the_bonus_and_the_penalty_die_cancel(suck: str, dice: str, cancel: bool):
    raw = {"rocks": {"R": "really physical"}, "sucks": {"S": suck} if suck else {}}
    answers = {"rock": "R", **({"suck": "S"} if suck else {})}
    played = make_test(table_of(ann=raw), [[1] * (2 + dice.endswith("d4"))], answers)
    assert played.outcome.dice == dice
    assert ("Bonus and Penalty Die cancel" in played.told) is cancel
    assert "cancel" not in make_test(table_of(ann={}), [[1, 1]]).told


@pytest.mark.rules("cores.mod.one_rock", "cores.mod.one_suck")
def test_no_more_than_one_rock_and_one_suck():
    raw = {
        "rocks": {"A": "physical", "B": "physical"},
        "sucks": {"C": "physical", "D": "physical"},
    }
    table = table_of(ann=raw)
    refused(table, "cores.mod.one_rock", rocks=["A", "B"])
    refused(table, "cores.mod.one_suck", sucks=["C", "D"])
    played = make_test(table, [[1, 1]], {"rock": "A", "suck": "D"})
    assert [option.key for option in played.question("rock").options] == ["none", "A", "B"]
    assert [option.key for option in played.question("suck").options] == ["none", "C", "D"]


@pytest.mark.rules("cores.story.rocks_belong_to_cores", "cores.story.cross_core")
def test_a_rock_counts_for_its_own_core_unless_paid_for():
    raw = {"rocks": {"Own": "physical", "Other": "social"}, "sucks": {"Far": "mental"}}
    poor = make_test(table_of(ann=raw), [[1, 1]])
    assert [option.key for option in poor.question("rock").options] == ["none", "Own"]
    assert "suck" not in poor.keys
    rich = table_of(ann=raw | {"story_points": 2})
    played = make_test(rich, [[1, 8]], {"rock": "Other"})
    assert played.outcome.dice == "d6 + d8"
    assert played.table.character("ann").story_points == 1
    free = make_test(rich, [[1, 8]], {"rock": "Own"})
    assert free.table.character("ann").story_points == 2
    # A Suck may be counted for another Core too: the player says so, and pays.
    suck = make_test(rich, [[1, 4]], sucks=["Far"])
    assert suck.outcome.dice == "d6 + d4"
    assert suck.table.character("ann").story_points == 1


@pytest.mark.rules("cores.story.cross_core")
def test_one_rock_or_suck_of_another_core_per_test():
    raw = {"rocks": {"R": "social"}, "sucks": {"S": "mental"}, "story_points": 3}
    table = table_of(ann=raw)
    refused(table, "cores.story.cross_core", rocks=["R"], sucks=["S"])
    # With the Suck paid for, the Rock of another Core is not even offered.
    assert "rock" not in make_test(table, [[1, 1]], sucks=["S"]).keys
    refused(table_of(ann=raw | {"story_points": 0}), "cores.story.cross_core", rocks=["R"])
    # What the GM does not let count is not paid for.
    played = make_test(table, [[1, 1]], {"bears_on": []}, rocks=["R"])
    assert played.table.character("ann").story_points == 3


# --- Relationships -------------------------------------------------------------------------


@pytest.mark.rules("cores.mod.relationship")
@pytest.mark.parametrize("row", catalogue().table("cores.table.relationship").records())
def test_a_relationship_adds_its_modifier_to_the_result(row: dict[str, object]):
    table = table_of(ann={"relationships": {"the band": row["grade"]}})
    played = make_test(table, [[3, 4]], {"relationship": "the band"})
    assert played.rolled == ["(d6, d6)"]
    assert played.outcome.total == 7 + row["modifier"]
    assert played.seat("relationship") == "gm"
    assert make_test(table, [[3, 4]]).outcome.total == 7


def test_one_relationship_only_and_the_acting_characters_own_grade():
    """cores.amb.several_relationships, cores.amb.relationship_direction."""
    table = table_of(
        ann={"relationships": {"Ben": "D", "Cleo": "A"}}, ben={"relationships": {"Ann": "A"}}
    )
    played = make_test(table, [[3, 4]], relationship="ben")
    assert played.outcome.total == 6
    assert played.question("relationship").default == "Ben"
    # The GM may find another one more relevant.
    assert make_test(table, [[3, 4]], {"relationship": "Cleo"}).outcome.total == 9


def test_plus_and_minus_grades_stand_only_where_the_table_uses_them():
    raw = {"relationships": {"Ben": "B-"}}
    with pytest.raises(BadInput) as refusal:
        make_test(table_of({"cores_relationship_grades": "plain"}, ann=raw))
    assert refusal.value.rule == "cores.amb.b_minus"
    signed = {"cores_relationship_grades": "plus_and_minus"}
    played = make_test(table_of(signed, ann=raw), [[3, 4]], {"relationship": "Ben"})
    assert played.outcome.total == 8
    helper = table_of(signed, ann={}, ben={"relationships": {"Ann": "B-"}})
    assert make_test(helper, [[3, 4]], {"support": "moral"}, helpers=["ben"]).outcome.total == 8
    plain = table_of(ann={}, ben={"relationships": {"Ann": "B-"}})
    with pytest.raises(BadInput):
        make_test(plain, [[3, 4]], {"support": "moral"}, helpers=["ben"])


# --- Perks ---------------------------------------------------------------------------------


@pytest.mark.rules("cores.mod.perk", "cores.explode.sources")
def test_a_system_perk_makes_the_base_die_explosive_once():
    perks = {"Lucky": {}, "Bold": {}, "Handsome": {"system": False}}
    table = table_of(ann={"perks": perks})
    played = make_test(table, [[6, 6, 3]], {"perk": "Lucky"})
    assert played.outcome.total == 15
    offered = [option.key for option in played.question("perk").options]
    assert offered == ["none", "Lucky", "Bold"]
    both = make_test(table, [[6, 6, 3]], perks=["Lucky", "Bold"])
    assert both.outcome.total == 15  # several do not explode more than once
    refused(table, "cores.mod.perk", perks=["Handsome"])
    assert make_test(table, [[6, 3]]).outcome.total == 9


# --- Tapping -------------------------------------------------------------------------------

TROUBLED = {"angst": {"Guilt": 1, "Fear": 2, "Envy": 0}}


@pytest.mark.rules("cores.mod.tap_positive", "cores.mod.tap_negative")
def test_a_tap_brings_its_d4():
    table = table_of(ann=TROUBLED)
    up = make_test(table, [[2, 3, 4]], {"tap": "positive:Guilt"})
    assert (up.outcome.total, up.outcome.dice) == (9, "d6 + d6 + d4")
    down = make_test(table, [[2, 3, 4]], {"tap": "negative:Fear"})
    assert (down.outcome.total, down.outcome.dice) == (1, "d6 + d6 - d4")


@pytest.mark.rules("cores.mod.tap_negative", "cores.mod.tap_negative_reward")
@pytest.mark.parametrize("faces", [[1, 1, 4], [6, 6, 1]])
@pytest.mark.parametrize("answers", [{"tap": "negative:Fear"}, {"gm_tap": "Fear"}])
def test_a_negative_tap_by_player_or_gm_earns_a_story_point(faces, answers):
    played = make_test(table_of(ann=TROUBLED), [faces], answers)
    assert played.outcome.passed is (faces[0] == 6)
    assert played.table.character("ann").story_points == 1
    assert "purge" not in played.keys


def test_the_point_of_a_negative_tap_can_be_spent_on_the_same_test():
    """cores.amb.gm_tap_when."""
    played = make_test(
        table_of(ann=TROUBLED), [[2, 3, 4], [1]], {"gm_tap": "Fear", "reroll": ["penalty"]}
    )
    assert played.outcome.total == 4
    assert played.table.character("ann").story_points == 0


@pytest.mark.rules("cores.mod.tap_once")
@pytest.mark.parametrize(
    "first", [{"tap": "positive:Guilt"}, {"tap": "negative:Guilt"}, {"gm_tap": "Guilt"}]
)
def test_one_tap_for_each_character_and_scene_whoever_decided(first: dict[str, str]):
    table = table_of(ann=TROUBLED, ben=TROUBLED)
    after = make_test(table, [[2, 3, 4]], first).table
    assert after.scene.tapped == ("ann",)
    again = make_test(after, [[2, 3]])
    assert "tap" not in again.keys
    assert "gm_tap" not in again.keys
    for tap in ("positive:Fear", "negative:Guilt"):
        refused(after, "cores.mod.tap_once", tap=tap)
    # Somebody else may, and so may Ann in the next scene.
    assert make_test(after, [[2, 3, 4]], tap="positive:Fear", character="ben").outcome.total == 9
    anew = play(after, "begin_scene").table
    assert make_test(anew, [[2, 3, 4]], tap="positive:Fear").outcome.total == 9


def test_only_an_angst_with_a_point_can_be_tapped():
    """cores.amb.tap_needs_angst."""
    table = table_of(ann=TROUBLED)
    refused(table, "cores.amb.tap_needs_angst", tap="positive:Envy")
    played = make_test(table, [[1, 1]])
    keys = [option.key for option in played.question("tap").options]
    assert keys == ["none", "positive:Guilt", "negative:Guilt", "positive:Fear", "negative:Fear"]
    assert [o.key for o in played.question("gm_tap").options] == ["none", "Guilt", "Fear"]
    calm = make_test(table_of(ann={"angst": {"Envy": 0}}), [[1, 1]])
    assert "tap" not in calm.keys


@pytest.mark.rules("cores.mod.tap_positive_purge", "cores.angst.purge_choice")
@pytest.mark.parametrize("faces", [[1, 1, 1], [6, 6, 4]])
def test_after_a_positive_tap_the_same_type_may_be_purged(faces: list[int]):
    table = table_of(ann=TROUBLED)
    played = make_test(table, [faces, [5, 4]], {"tap": "positive:Fear", "purge": True})
    assert played.outcome.passed is (faces[0] == 6)
    assert played.outcome.purge.kind == "Fear"
    assert played.outcome.purge.dn.total == 9
    assert played.table.character("ann").angst == {"Guilt": 1, "Fear": 1, "Envy": 0}
    assert "angst_type" not in played.keys
    assert played.outcome.purge.dice == "d6 + d6"  # no Bonus Die: no Comfort was used
    left = make_test(table, [faces], {"tap": "positive:Fear", "purge": False})
    assert left.outcome.purge is None


# --- Overwhelming Angst --------------------------------------------------------------------


@pytest.mark.rules("cores.mod.overwhelming", "cores.mod.overwhelming_step")
@pytest.mark.parametrize("total", range(13))
def test_overwhelming_angst(total: int):
    """-(n - 3) from 4 points on, over all types together, without a ceiling."""
    table = table_of(ann={"angst": {"Fear": total // 2, "Guilt": total - total // 2}})
    expected = -(total - 3) if total >= 4 else 0
    assert make_test(table, [[3, 3]]).outcome.modifiers.total == expected
    for row in catalogue().table("cores.table.overwhelming").records():
        if row["total_angst"] == total:
            assert expected == row["modifier"]


# --- Factoids ------------------------------------------------------------------------------


@pytest.mark.rules("cores.mod.factoid")
def test_a_factoid_counts_once_a_scene_and_only_for_a_gmc():
    raw = {"gmc": True, "factoids": ["Owes money", "Was champion"]}
    table = table_of(ann=raw, ben=raw, cleo=raw | {"gmc": False})
    helped = make_test(table, [[2, 3, 4]], {"factoid": "helps:Was champion"})
    assert helped.outcome.total == 9
    assert helped.seat("factoid") == "gm"
    hindered = make_test(table, [[2, 3, 4]], {"factoid": "hinders:Owes money"})
    assert hindered.outcome.total == 1
    after = helped.table
    assert "factoid" not in make_test(after, [[2, 3]]).keys
    assert "factoid" in make_test(after, [[2, 3]], character="ben").keys
    assert "factoid" not in make_test(after, [[2, 3]], character="cleo").keys
    said = {"factoid": "helps:Owes money"}
    both = make_test(after, [[2, 3, 4]], said, character="ben").table
    for name in ("ann", "ben"):
        assert "factoid" not in make_test(both, [[2, 3]], character=name).keys
    assert "factoid" in make_test(play(after, "begin_scene").table, [[2, 3]]).keys
