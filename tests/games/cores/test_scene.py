"""Scenes, sessions and days: who is there, and what begins anew."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from games.cores.playing import make_test, play, table_of


@pytest.mark.rules("cores.assist.present")
def test_a_scene_begins_with_those_who_are_named_or_with_everyone():
    table = table_of(ann={}, ben={}, cleo={})
    some = play(table, "begin_scene", present=["cleo", "ann"], what="the gym at night")
    assert some.outcome.present == ("cleo", "ann")
    assert some.table.scene.absent == ("ben",)
    assert "The gym at night. Present: Cleo, Ann." in some.told
    everyone = play(some.table, "begin_scene")
    assert everyone.table.scene.absent == ()
    with pytest.raises(BadInput) as refusal:
        play(table, "begin_scene", present=["zoe"])
    assert refusal.value.place == "present"


@pytest.mark.rules("cores.crucial.purpose", "cores.mod.tap_once", "cores.mod.factoid")
def test_a_new_scene_ends_what_held_for_the_last_one():
    used = {"out": ["ann"], "tapped": ["ann", "ben"], "factoids_used": ["ben"]}
    table = table_of(scene=used, ann={}, ben={})
    scene = play(table, "begin_scene").table.scene
    assert (scene.out, scene.tapped, scene.factoids_used) == ((), (), ())
    assert make_test(play(table, "begin_scene").table, [[1, 1]]).outcome.total == 2


@pytest.mark.rules("cores.life.refresh")
def test_a_session_refreshes_life_experience_and_nothing_else():
    raw = {
        "life_experience": {"full": 3, "left": 1},
        "story_points": 1,
        "comforts": ["music"],
        "comforts_used": ["music"],
    }
    scene = {"tapped": ["ann"]}
    table = table_of(scene=scene, ann=raw, ben={})
    played = play(table, "begin_session")
    ann = played.table.character("ann")
    assert (ann.life_experience.left, ann.story_points) == (3, 1)
    assert ann.comforts_used == ("music",)
    assert played.table.scene.tapped == ("ann",)
    assert played.outcome.characters == ("ann",)


@pytest.mark.rules("cores.angst.comfort_limit")
def test_a_day_brings_the_comforts_back_and_nothing_else():
    raw = {
        "life_experience": {"full": 3, "left": 1},
        "comforts": ["music"],
        "comforts_used": ["music"],
        "story_purge_used": True,
    }
    played = play(table_of(ann=raw), "new_day")
    assert [change.path for change in played.changes] == ["comforts_used"]
    assert played.outcome.characters == ("ann",)
