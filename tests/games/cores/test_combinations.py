"""Several rules on one test, worked out by hand from the reference sheet."""

from __future__ import annotations

import pytest

from astragal.errors import NotAllowed
from games.cores.playing import make_test, play, table_of
from games.playing import Played

CROWD = table_of(
    ann={
        "core": {"social": "d8"},
        "rocks": {"Lying": "really social"},
        "sucks": {"Crowds": "social", "Silence": "really social"},
        "relationships": {"the guard": "D"},
        "angst": {"Guilt": 3, "Fear": 2},
    },
    ben={},
    cleo={},
    dan={},
    eve={"relationships": {"Ann": "A"}},
)


def kind_of(played: Played, key: str) -> str:
    return next(ask.kind for ask in played.asked if ask.key == key)


@pytest.mark.rules(
    "cores.mod.rock_and_suck",
    "cores.mod.really_rocks",
    "cores.mod.relationship",
    "cores.mod.overwhelming_step",
    "cores.assist.direct",
    "cores.assist.moral",
)
def test_everything_on_one_test():
    """d6 + d8 + d4; -1 for the D, -2 for 5 points of Angst, +2 for three helpers, +2 for an A."""
    said = {
        "dn": 12,
        "suck": "Crowds",
        "ben/support": "direct",
        "cleo/support": "direct",
        "dan/support": "direct",
        "eve/support": "moral",
    }
    given = {
        "core": "social",
        "rocks": ["Lying"],
        "relationship": "the guard",
        "helpers": ["ben", "cleo", "dan", "eve"],
    }
    met = make_test(CROWD, [[3, 6, 2]], said, **given)
    assert (met.outcome.dice, met.outcome.modifiers.total) == ("d6 + d8 + d4", 1)
    assert (met.outcome.total, met.outcome.passed) == (12, True)
    missed = make_test(CROWD, [[3, 6]], said | {"suck": "Silence"}, **given)
    assert (missed.outcome.dice, missed.outcome.total) == ("d6 + d8", 10)
    assert "10 against DN 12, failure by 2" in missed.told


@pytest.mark.rules("cores.mod.tap_negative_reward", "cores.story.reroll", "cores.dice.penalty")
def test_the_point_of_a_negative_tap_rerolls_the_penalty_die_it_brought():
    table = table_of(ann={"angst": {"Guilt": 1}})
    said = {"dn": 7, "gm_tap": "Guilt", "reroll": ["penalty"]}
    played = make_test(table, [[4, 4, 3], [1]], said)
    assert "Ann rerolls for 1 Story Point: 7" in played.told
    assert "8 dice kept" in played.told
    assert played.outcome.passed
    assert played.table.character("ann").story_points == 0


@pytest.mark.rules("cores.mod.tap_positive_purge", "cores.angst.not_overwhelmed")
def test_a_purge_after_a_failed_test_has_neither_its_bonus_die_nor_its_penalty():
    """2 + 3 + 2 - 1 = 6 fails against 8; then 6 + 4 = 10 against 7 + 3, with a 6: two points."""
    table = table_of(ann={"angst": {"Guilt": 3, "Fear": 1}})
    played = make_test(table, [[2, 3, 2], [6, 4]], {"purge": True}, tap="positive:Guilt")
    assert (played.outcome.total, played.outcome.passed) == (6, False)
    purge = played.outcome.purge
    assert (purge.dice, purge.total, purge.dn.total) == ("d6 + d6", 10, 10)
    assert (purge.passed, purge.before, purge.after) == (True, 3, 1)
    missed = make_test(table, [[2, 3, 2], [6, 3]], {"purge": True}, tap="positive:Guilt")
    assert missed.outcome.purge.after == 3


@pytest.mark.rules("cores.amb.angst_modifiers", "cores.assist.moral", "cores.assist.present")
def test_friends_support_the_purge_after_a_tap_too():
    """3 + 3 and 2 for Bea's A is 8, against 7 and the 1 point; Cy is not there."""
    bea = {"relationships": {"Ann": "A"}}
    table = table_of(scene={"absent": ["cy"]}, ann={"angst": {"Guilt": 1}}, bea=bea, cy=bea)
    said = {"purge": True, "purge_helpers": ["bea"], "bea/support": "moral"}
    played = make_test(table, [[2, 2, 1], [3, 3]], said, tap="positive:Guilt")
    purge = played.outcome.purge
    assert (purge.modifiers.total, purge.total, purge.dn.total, purge.after) == (2, 8, 8, 0)
    assert [option.key for option in played.question("purge_helpers").options] == ["bea"]
    alone = make_test(
        table_of(ann={"angst": {"Guilt": 1}}),
        [[2, 2, 1], [3, 3]],
        {"purge": True},
        tap="positive:Guilt",
    )
    assert (alone.outcome.purge.after, "purge_helpers" in alone.keys) == (1, False)


@pytest.mark.rules("cores.mod.tap_negative_reward", "cores.story.cross_core")
def test_the_point_of_a_negative_tap_pays_for_a_rock_of_another_core():
    """Nobody has a Story Point before it: d6 + d8 - d4, 5 + 6 - 1 is 10, and no point is left."""
    table = table_of(ann={"angst": {"Guilt": 1}, "rocks": {"Skating": "physical"}})
    given = {"core": "social", "tap": "negative:Guilt"}
    for rock in ({"rocks": ["Skating"]}, {}):
        said = {"dn": 10} if rock else {"dn": 10, "rock": "Skating"}
        played = make_test(table, [[5, 6, 1]], said, **given, **rock)
        assert (played.outcome.dice, played.outcome.total) == ("d6 + d8 - d4", 10)
        assert played.table.character("ann").story_points == 0
    with pytest.raises(NotAllowed, match="takes a Story Point"):
        make_test(table, [], {}, core="social", rocks=["Skating"], tap="positive:Guilt")
    said = {"dn": 10, "bears_on": ["rock"], "gm_tap": "none"}
    refused = make_test(table, [[5, 6]], said, **given, rocks=["Skating"])
    assert (refused.outcome.dice, refused.outcome.total) == ("d6 + d6", 11)
    assert refused.table.character("ann").story_points == 0


@pytest.mark.rules("cores.angst.stressor", "cores.angst.comfort_bonus", "cores.dice.cancel")
def test_d4s_of_stressors_and_comforts_cancel_against_those_of_rocks_and_sucks():
    sheet = {
        "core": {"resolve": "d8"},
        "rocks": {"Calm": "really resolve"},
        "sucks": {"Quiet": "really resolve"},
        "stressors": ["blood", "dogs"],
        "comforts": ["music"],
        "angst": {"Fear": 2},
    }
    table = table_of(ann=sheet)
    threat = {"types": ["Fear"], "stressors": ["blood", "dogs"], "rocks": ["Calm"]}
    kept_away = play(table, "avoid_angst", [[2, 7]], {}, character="ann", **threat)
    assert (kept_away.outcome.dice, kept_away.outcome.total) == ("d6 + d10", 9)
    assert (kept_away.outcome.passed, kept_away.outcome.after) == (True, 2)
    comfort = {"occasion": "comfort", "comfort": "music", "sucks": ["Quiet"]}
    purged = play(table, "purge_angst", [[5, 3]], {}, character="ann", **comfort)
    assert (purged.outcome.dice, purged.outcome.total) == ("d6 + d6", 8)
    assert (purged.outcome.passed, purged.outcome.after) == (False, 2)


@pytest.mark.rules("cores.mod.perk", "cores.story.reroll_explosive", "cores.explode.once")
def test_an_exploded_base_die_is_one_die_for_a_reroll():
    """6 and 2 and 1 is 9; for 2 points both dice go again: 6 and 6 and 5 is 17."""
    table = table_of(ann={"perks": ["Lucky"], "story_points": 2})
    said = {"dn": 17, "reroll": ["base", "core"]}
    played = make_test(table, [[6, 2, 1], [6, 6, 5]], said, perks=["Lucky"])
    assert "Ann: 9" in played.told
    assert "dice kept" not in played.told
    assert (played.outcome.total, played.outcome.passed) == (17, True)
    assert played.outcome.story_spent == 2


@pytest.mark.rules("cores.recovery.non_deadly", "cores.recovery.deadly")
def test_hours_first_and_then_weeks():
    table = table_of(ann={"core": {"physical": {"die": "d10", "lowered": 1, "lowered_deadly": 2}}})
    for hours, now in ((1, "d6"), (167, "d6"), (1, "d8"), (168, "d10"), (1000, "d10")):
        asks = hours < 24
        before = table.character("ann").core.physical.now
        passed = play(table, "time_passes", [], {"new_day": False} if asks else {}, hours=hours)
        table = passed.table
        assert table.character("ann").core.physical.now == now
        assert (f"Physical goes from {before} to {now}" in passed.told) is (now != before)


@pytest.mark.rules("cores.crucial.gradual_margin", "cores.life.add")
@pytest.mark.parametrize(("added", "after"), [(0, "d4"), (1, "d6")])
def test_points_that_only_make_a_failure_less_bad_are_offered_too(added: int, after: str):
    """Failed by 6 it is two die types, by 5 one, though even 2 points do not reach the DN."""
    table = table_of(ann={"core": {"physical": "d8"}, "life_experience": 2})
    said = {"dn": 12, "kind": "gradual", "experience": added}
    given = {"character": "ann", "core": "physical"}
    played = play(table, "crucial_test", [[3, 3]], said, **given)
    assert kind_of(played, "experience") == "offered"
    assert played.outcome.fate.after == after
    assert ("Ann adds" in played.told) is bool(added)
    sudden = play(table, "crucial_test", [[3, 3]], said | {"kind": "sudden"}, **given)
    assert kind_of(sudden, "experience") == "aside"


@pytest.mark.rules("cores.crucial.gradual_margin", "cores.story.reroll")
def test_a_reroll_that_only_makes_a_failure_less_bad_is_offered_too():
    """2 against 18: the best reroll of one die makes it 13, failed by 5 instead of 16."""
    sheet = {"core": {"physical": "d8"}, "story_points": 1}
    table = table_of(ann=sheet, ben={"core": {"physical": "d12"}})
    said = {"kind": "gradual", "crucial_for": "acting", "reroll": ["base"]}
    fight = {
        "acting": {"character": "ann", "core": "physical"},
        "opposing": {"character": "ben", "core": "physical"},
    }
    played = play(table, "opposed_crucial_test", [[6, 12], [1, 1], [6, 6]], said, **fight)
    assert kind_of(played, "reroll") == "offered"
    assert "Ben wins by 5." in played.told
    assert played.outcome.acting.fate.after == "d6"
    other = said | {"crucial_for": "opposing"}
    safe = play(table, "opposed_crucial_test", [[6, 12], [1, 1], [6, 6]], other, **fight)
    assert kind_of(safe, "reroll") == "aside"


@pytest.mark.rules("cores.opposed.tie", "cores.opposed.dn")
@pytest.mark.parametrize(
    ("faces", "said"),
    [
        ([3, 2], "A tie, which Ann wins as the acting side."),
        ([4, 4], "Ann wins by 3."),
        ([1, 1], "Ben wins by 3."),
    ],
)
def test_the_margin_of_an_opposed_test_is_told(faces: list[int], said: str):
    table = table_of(ann={}, ben={})
    sides = {
        "acting": {"character": "ann", "core": "social"},
        "opposing": {"character": "ben", "core": "social"},
    }
    assert said in play(table, "opposed_test", [[2, 3], faces], {}, **sides).told
