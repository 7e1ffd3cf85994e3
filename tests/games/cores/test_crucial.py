"""Crucial tests against a DN, and what failing them does."""

from __future__ import annotations

import pytest

from astragal.errors import NotAllowed
from astragal.games.cores.harm import consequence, wide_margin
from astragal.play import Scripted, Unanswered, exact
from astragal.rules import catalogue
from games.cores.playing import make_test, play, start, table_of

SIZES = {"d4": 1, "d6": 2, "d8": 3, "d10": 4, "d12": 5}


def crucial(table, faces, kind="gradual", answers=None, **arguments):
    given = {"character": "ann", "core": "physical"} | arguments
    said = {"dn": 10, "kind": kind} | (answers or {})
    return play(table, "crucial_test", [faces] if faces else [], said, **given)


@pytest.mark.rules("cores.crucial.purpose", "cores.crucial.sudden")
@pytest.mark.parametrize("die", SIZES)
@pytest.mark.parametrize("core", ["physical", "resolve"])
def test_failing_a_sudden_test_takes_out_at_once(die: str, core: str):
    table = table_of(ann={"core": {core: die}})
    failed = crucial(table, [1, 1], "sudden", core=core)
    assert failed.outcome.fate.after == "d0"
    assert failed.table.scene.out == ("ann",)
    assert getattr(failed.table.character("ann").core, core).lowered == SIZES[die]
    for refused in (
        lambda: make_test(failed.table, core="social"),
        lambda: crucial(failed.table, [], core=core),
    ):
        with pytest.raises(NotAllowed) as refusal:
            refused()
        assert refusal.value.rule == "cores.crucial.purpose"


def test_passing_changes_nothing():
    for kind in ("sudden", "gradual"):
        passed = crucial(table_of(ann={"core": {"physical": "d12"}}), [1, 9], kind)
        assert (passed.changes, passed.outcome.fate) == ([], None)


@pytest.mark.rules(
    "cores.crucial.gradual", "cores.crucial.gradual_margin", "cores.crucial.gradual_out"
)
@pytest.mark.parametrize("row", catalogue().table("cores.table.die_ladder").records())
@pytest.mark.parametrize("short", [1, 5, 6, 8])
def test_failing_a_gradual_test_follows_the_ladder(row: dict[str, str], short: int):
    column = "after_one_crucial_step" if short < 6 else "after_two_crucial_steps"
    table = table_of(ann={"core": {"physical": row["die"]}})
    faces = [min(6, 9 - short), 10 - short - min(6, 9 - short)]
    played = crucial(table, faces)
    assert played.outcome.test.margin == -short
    assert played.outcome.fate.after == row[column]
    assert played.table.character("ann").core.physical.now == row[column]
    assert played.outcome.fate.out is (row[column] == "d0")
    assert played.table.scene.out == (("ann",) if row[column] == "d0" else ())


def test_the_consequences_are_read_from_the_table():
    assert wide_margin() == 6
    for kind, failed_by, change in (
        ("sudden", 1, "to d0"),
        ("sudden", 40, "to d0"),
        ("gradual", 0, "down 1 type"),
        ("gradual", 5, "down 1 type"),
        ("gradual", 6, "down 2 types"),
    ):
        assert consequence(kind, failed_by)["core_change"] == change


@pytest.mark.rules("cores.crucial.cores")
@pytest.mark.parametrize("core", ["mental", "social"])
def test_no_other_core_is_crucial(core: str):
    with pytest.raises(NotAllowed) as refusal:
        crucial(table_of(ann={}), [], core=core)
    assert refusal.value.rule == "cores.crucial.cores"
    offered = crucial(table_of(ann={}), [1, 1]).question("core").options
    assert [option.key for option in offered] == ["physical", "resolve"]


@pytest.mark.rules("cores.crucial.kind")
def test_the_gm_decides_the_kind_and_there_is_no_default():
    with pytest.raises(Unanswered):
        play(table_of(ann={}), "crucial_test", [], {"dn": 5}, character="ann", core="physical")
    played = crucial(table_of(ann={}), [1, 1])
    assert played.seat("kind") == "gm"


@pytest.mark.rules("cores.crucial.deadly_declared", "cores.crucial.deadly_physical")
def test_only_a_physical_test_is_asked_to_be_deadly():
    table = table_of(ann={})
    physical = crucial(table, [1, 1])
    assert physical.seat("deadly") == "gm"
    assert physical.keys.index("deadly") < physical.keys.index("dn")
    assert not physical.outcome.stakes.deadly  # unless the GM says so
    resolve = crucial(table, [1, 1], core="resolve")
    assert "deadly" not in resolve.keys
    assert not resolve.outcome.stakes.deadly
    assert "This is a gradual crucial test." in resolve.told


@pytest.mark.rules("cores.crucial.death")
@pytest.mark.parametrize(
    ("die", "kind", "faces", "dead"),
    [
        ("d12", "sudden", [4, 5], True),
        ("d4", "gradual", [5, 4], True),
        ("d6", "gradual", [1, 3], True),
        ("d6", "gradual", [5, 4], False),
        ("d8", "gradual", [1, 1], False),
    ],
)
def test_physical_at_d0_in_a_deadly_test_is_death(die, kind, faces, dead):
    table = table_of(ann={"core": {"physical": die}})
    played = crucial(table, faces, kind, {"deadly": True})
    ann = played.table.character("ann")
    assert ann.dead is dead
    assert played.outcome.fate.dead is dead
    assert ann.core.physical.lowered == 0
    assert ann.core.physical.lowered_deadly > 0
    harmless = crucial(table, faces, kind, {"deadly": False}).table.character("ann")
    assert not harmless.dead
    assert harmless.core.physical.lowered_deadly == 0


@pytest.mark.rules("cores.crucial.death")
def test_the_dead_do_nothing_more():
    table = table_of(ann={"dead": True, "angst": {"Fear": 1}, "story_points": 2}, ben={})
    for name, arguments in (
        ("test", {"core": "social"}),
        ("crucial_test", {"core": "physical"}),
        ("avoid_angst", {"types": ["Fear"]}),
        ("purge_angst", {"occasion": "milestone"}),
        ("story_purge", {}),
    ):
        with pytest.raises(NotAllowed) as refusal:
            play(table, name, character="ann", **arguments)
        assert refusal.value.rule == "cores.crucial.death"
    with pytest.raises(NotAllowed):
        play(table, "begin_scene", present=["ann"])
    assert play(table, "begin_scene").outcome.present == ("ben",)


@pytest.mark.rules("cores.recovery.spared")
def test_the_gm_may_let_a_character_live():
    table = table_of(ann={"core": {"physical": {"die": "d10", "lowered": 1}}})
    played = crucial(table, [4, 5], "sudden", {"deadly": True, "spare": True})
    ann = played.table.character("ann")
    assert (ann.dead, played.outcome.fate.spared, ann.core.physical.now) == (False, True, "d0")
    core = ann.core.physical
    assert (core.lasting, core.lowered, core.lowered_deadly) == (4, 0, 0)
    assert played.table.scene.out == ("ann",)


@pytest.mark.rules("cores.crucial.assistants_safe")
def test_those_who_assist_are_not_touched():
    table = table_of(ann={}, ben={})
    played = crucial(
        table, [1, 1], "sudden", {"support": "direct", "deadly": True}, helpers=["ben"]
    )
    assert played.table.character("ann").dead
    assert played.table.character("ben") == table.character("ben")
    assert played.table.scene.out == ("ann",)


def test_a_core_at_d0_fails_a_crucial_test_without_a_roll():
    table = table_of(ann={"core": {"physical": {"die": "d6", "lowered": 2}}})
    out = crucial(table, [], "gradual")
    assert (out.outcome.test.total, out.outcome.fate.out, out.outcome.fate.dead) == (
        None,
        True,
        False,
    )
    assert out.outcome.test.margin == 0
    assert out.table.character("ann").core.physical.lowered == 2
    assert crucial(table, [], "gradual", {"deadly": True}).table.character("ann").dead


def test_a_tapped_angst_may_be_purged_after_a_crucial_test_unless_dead():
    table = table_of(ann={"angst": {"Fear": 1}})
    alive = play(
        table,
        "crucial_test",
        [[1, 1, 1], [4, 4]],
        {"dn": 10, "kind": "sudden", "tap": "positive:Fear", "purge": True},
        character="ann",
        core="physical",
    )
    assert alive.table.character("ann").angst["Fear"] == 0
    dead = crucial(table, [1, 1, 1], "sudden", {"deadly": True, "tap": "positive:Fear"})
    assert "purge" not in dead.keys


def test_the_odds_of_dying_by_counting_faces():
    table = table_of(ann={"core": {"physical": "d6"}})
    begun = start(table, "crucial_test", character="ann", core="physical")
    odds = exact(begun, Scripted({"dn": 11, "kind": "gradual", "deadly": True}))
    dead = sum(11 - a - b >= 6 for a in range(1, 7) for b in range(1, 7))
    assert odds.where(lambda o: o.fate is not None and o.fate.dead) * 36 == dead
