"""Angst tests: avoiding, purging, and the purge with Story Points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import Scripted, exact
from games.cores.playing import make_test, play, start, table_of

TROUBLED = {
    "core": {"physical": "d12", "mental": "d12", "social": "d12", "resolve": "d6"},
    "angst": {"Guilt": 2, "Fear": 2, "Envy": 1},
    "stressors": ["Parents", "Exams"],
    "comforts": ["music", "running"],
}


def avoid(table, rolls=(), answers=None, **arguments):
    return play(table, "avoid_angst", rolls, answers, **({"character": "ann"} | arguments))


def purge(table, rolls=(), answers=None, **arguments):
    given = {"character": "ann", "occasion": "milestone", "angst": "Guilt"}
    return play(table, "purge_angst", rolls, answers, **(given | arguments))


# --- What all Angst tests share ------------------------------------------------------------


@pytest.mark.rules("cores.angst.resolve", "cores.angst.dn", "cores.angst.when")
@pytest.mark.parametrize("points", [0, 1, 2, 5])
def test_a_resolve_test_against_7_and_the_points(points: int):
    table = table_of(ann=TROUBLED | {"angst": {"Guilt": points, "Fear": 3}})
    played = avoid(table, [[1, 1]], types=["Guilt"])
    assert played.rolled == ["(d6, d6)"]
    assert played.outcome.dn.total == 7 + points
    assert "dn" not in played.keys
    assert "core" not in played.keys
    if points:
        purged = purge(table, [[1, 1]])
        assert (purged.rolled, purged.outcome.dn.total) == (["(d6, d6)"], 7 + points)


@pytest.mark.rules("cores.angst.no_tapping")
def test_angst_is_not_tapped_for_an_angst_test():
    table = table_of(ann=TROUBLED)
    for run in (avoid, purge):
        types = {"types": ["Guilt"]} if run is avoid else {}
        # Refused at once, before anybody is asked which type it is.
        open_type = {"types": ["Guilt", "Fear"]} if run is avoid else {"angst": ""}
        with pytest.raises(NotAllowed) as refusal:
            run(table, tap="positive:Fear", **open_type)
        assert refusal.value.rule == "cores.angst.no_tapping"
        played = run(table, [[1, 1]], **types)
        assert {"tap", "gm_tap"}.isdisjoint(played.keys)


@pytest.mark.rules("cores.angst.not_overwhelmed")
def test_overwhelming_angst_does_not_weigh_on_angst_tests():
    table = table_of(ann=TROUBLED)
    assert make_test(table, [[1, 1]]).outcome.modifiers.total == -2
    assert avoid(table, [[1, 1]], types=["Guilt"]).outcome.modifiers.total == 0
    assert purge(table, [[1, 1]]).outcome.modifiers.total == 0


def test_all_other_modifiers_of_a_resolve_test_apply():
    """cores.amb.angst_modifiers."""
    raw = TROUBLED | {
        "rocks": {"Calm": "resolve"},
        "sucks": {"Nerves": "really resolve"},
        "perks": ["Lucky"],
        "relationships": {"Ben": "A"},
        "story_points": 1,
        "life_experience": 1,
    }
    table = table_of(ann=raw, ben={"relationships": {"Ann": "B"}}, cleo={})
    answers = {
        "rock": "Calm",
        "suck": "Nerves",
        "perk": "Lucky",
        "relationship": "Ben",
        "ben/support": "moral",
        "cleo/support": "direct",
        "reroll": ["penalty"],
        "experience": 1,
    }
    played = avoid(table, [[1, 1, 4], [1]], answers, types=["Guilt"], helpers=["ben", "cleo"])
    assert played.outcome.dice == "d6! + d6 - d4"
    assert played.outcome.modifiers.total == 2 + 1 + 1
    assert played.outcome.total == 1 + 1 - 1 + 4 + 1


# --- Avoiding ------------------------------------------------------------------------------


@pytest.mark.rules("cores.angst.avoid_pass", "cores.angst.avoid_fail", "cores.angst.threat")
def test_a_threatened_point_is_gained_only_on_failure():
    table = table_of(ann=TROUBLED)
    passed = avoid(table, [[4, 5]], types=["Guilt"])
    assert passed.outcome.passed
    assert passed.changes == []
    failed = avoid(table, [[4, 4]], types=["Guilt"])
    assert not failed.outcome.passed
    assert failed.table.character("ann").angst == {"Guilt": 3, "Fear": 2, "Envy": 1}
    fresh = avoid(table, [[1, 1]], types=["Love"])
    assert fresh.table.character("ann").angst["Love"] == 1
    assert (fresh.outcome.before, fresh.outcome.after) == (0, 1)


@pytest.mark.rules("cores.angst.which_type")
def test_the_type_with_most_points_or_the_players_choice_among_the_highest():
    table = table_of(ann=TROUBLED)
    most = avoid(table, [[1, 1]], types=["Envy", "guilt"])
    assert (most.outcome.kind, "angst_type" in most.keys) == ("Guilt", False)
    tied = avoid(table, [[1, 1]], {"angst_type": "Fear"}, types=["Envy", "Guilt", "Fear"])
    assert tied.outcome.kind == "Fear"
    assert tied.seat("angst_type") == "ann"
    assert [o.key for o in tied.question("angst_type").options] == ["Guilt", "Fear"]


@pytest.mark.rules("cores.angst.stressor")
@pytest.mark.parametrize("touched", [[], ["Parents"], ["Parents", "exams"]])
def test_stressors_bring_one_penalty_die(touched: list[str]):
    faces = [3, 3, 4] if touched else [3, 3]
    played = avoid(table_of(ann=TROUBLED), [faces], types=["Guilt"], stressors=touched)
    assert played.outcome.total == (2 if touched else 6)
    assert played.outcome.dice == ("d6 + d6 - d4" if touched else "d6 + d6")


@pytest.mark.rules("cores.angst.stressor", "cores.dice.cancel")
def test_a_stressor_cancels_with_something_one_really_rocks_at():
    table = table_of(ann=TROUBLED | {"rocks": {"Calm": "really resolve"}})
    played = avoid(table, [[3, 8]], {"rock": "Calm"}, types=["Guilt"], stressors=["Exams"])
    assert played.outcome.dice == "d6 + d8"


def test_what_is_no_type_or_stressor_is_refused():
    table = table_of(ann=TROUBLED)
    for arguments in ({"types": []}, {"types": [" "]}, {"types": ["a/b"]}):
        with pytest.raises(BadInput):
            avoid(table, **arguments)
    with pytest.raises(BadInput) as refusal:
        avoid(table, types=["Guilt"], stressors=["Dogs"])
    assert refusal.value.place == "stressors"


def test_with_resolve_at_d0_the_angst_is_gained_without_a_roll():
    raw = TROUBLED | {"core": {"resolve": {"die": "d6", "lowered": 2}}}
    played = avoid(table_of(ann=raw), types=["Guilt"])
    assert played.rolled == []
    assert played.table.character("ann").angst["Guilt"] == 3
    spoiled = purge(table_of(ann=raw))
    assert (spoiled.outcome.after, spoiled.rolled) == (2, [])


@pytest.mark.rules("cores.angst.avoid_pass", "cores.angst.dn")
@pytest.mark.parametrize("points", range(4))
def test_the_odds_of_avoiding_by_counting_faces(points: int):
    table = table_of(ann=TROUBLED | {"angst": {"Guilt": points}})
    begun = start(table, "avoid_angst", character="ann", types=["Guilt"], stressors=["Exams"])
    won = exact(begun).where(lambda outcome: outcome.passed)
    faces = list(product(range(1, 7), range(1, 7), range(1, 5)))
    assert won == Fraction(sum(a + b - c >= 7 + points for a, b, c in faces), len(faces))


# --- Purging -------------------------------------------------------------------------------


@pytest.mark.rules("cores.angst.purge_when")
def test_the_three_occasions_and_no_other():
    table = table_of(ann=TROUBLED)
    for occasion in ("very_positive", "milestone"):
        played = purge(table, [[4, 5]], occasion=occasion)
        assert played.outcome.after == 1
        assert played.outcome.dice == "d6 + d6"
        assert played.table.character("ann").comforts_used == ()
    comfort = purge(table, [[4, 4, 1]], occasion="comfort", comfort="music")
    assert comfort.outcome.after == 1
    with pytest.raises(BadInput):
        purge(table, occasion="boredom")
    with pytest.raises(BadInput):
        purge(table, occasion="comfort", comfort="shopping")
    with pytest.raises(BadInput):
        purge(table, occasion="milestone", comfort="music")
    refused = purge(table, [], {"granted": False}, occasion="comfort", comfort="music")
    assert refused.changes == []
    assert refused.seat("granted") == "gm"


@pytest.mark.rules("cores.angst.comfort_bonus")
def test_a_comfort_brings_a_bonus_die():
    played = purge(table_of(ann=TROUBLED), [[3, 2, 4]], occasion="comfort", comfort="Music")
    assert (played.outcome.dice, played.outcome.total) == ("d6 + d6 + d4", 9)


@pytest.mark.rules("cores.angst.comfort_limit")
def test_each_comfort_once_a_day():
    table = table_of(ann=TROUBLED, ben=TROUBLED)
    after = purge(table, [[1, 1, 1]], occasion="comfort", comfort="music").table
    with pytest.raises(NotAllowed) as refusal:
        purge(after, occasion="comfort", comfort="MUSIC")
    assert refusal.value.rule == "cores.angst.comfort_limit"
    purge(after, [[1, 1, 1]], occasion="comfort", comfort="running")
    purge(after, [[1, 1, 1]], occasion="comfort", comfort="music", character="ben")
    for anew in (
        play(after, "new_day"),
        play(after, "time_passes", hours=24),
        play(after, "time_passes", [], {"new_day": True}, hours=3),
    ):
        purge(anew.table, [[1, 1, 1]], occasion="comfort", comfort="music")
    same_day = play(after, "time_passes", hours=23).table
    with pytest.raises(NotAllowed):
        purge(same_day, occasion="comfort", comfort="music")
    same_day = play(play(after, "begin_scene").table, "begin_session").table
    with pytest.raises(NotAllowed):
        purge(same_day, occasion="comfort", comfort="music")


@pytest.mark.rules("cores.angst.purge_choice")
def test_the_player_chooses_what_to_purge():
    table = table_of(ann=TROUBLED | {"angst": {"Guilt": 2, "Envy": 1, "Love": 0}})
    played = purge(table, [[4, 5]], {"angst_type": "Envy"}, angst="")
    assert played.seat("angst_type") == "ann"
    assert [o.key for o in played.question("angst_type").options] == ["Guilt", "Envy"]
    assert played.table.character("ann").angst == {"Guilt": 2, "Envy": 0, "Love": 0}
    with pytest.raises(BadInput):
        purge(table, angst="Love")
    with pytest.raises(NotAllowed) as refusal:
        purge(table_of(ann={"angst": {"Love": 0}}), angst="")
    assert refusal.value.rule == "cores.angst.purge_choice"


@pytest.mark.rules("cores.angst.purge_pass", "cores.angst.purge_six", "cores.angst.purge_fail")
@pytest.mark.parametrize(
    ("points", "faces", "after"),
    [(2, [5, 4], 1), (2, [6, 3], 0), (2, [6, 2], 2), (1, [6, 2], 0), (3, [6, 4], 1)],
)
def test_how_much_a_purge_takes_off(points: int, faces: list[int], after: int):
    table = table_of(ann=TROUBLED | {"angst": {"Guilt": points}})
    played = purge(table, [faces])
    assert played.table.character("ann").angst["Guilt"] == after


def test_only_the_first_face_of_an_exploding_base_die_counts_as_the_six():
    """cores.amb.purge_six_exploding: the final first face, after any reroll."""
    raw = TROUBLED | {"angst": {"Guilt": 3}, "perks": ["Lucky"], "story_points": 1}
    table = table_of(ann=raw)
    exploded = purge(table, [[6, 1, 3]], {"perk": "Lucky"})
    assert (exploded.outcome.total, exploded.outcome.after) == (10, 1)
    rerolled_away = purge(table, [[6, 1, 2], [5]], {"perk": "Lucky", "reroll": ["base"]})
    assert (rerolled_away.outcome.total, rerolled_away.outcome.after) == (7, 3)
    rerolled_into = purge(table, [[1, 3], [6, 1]], {"perk": "Lucky", "reroll": ["base"]})
    assert (rerolled_into.outcome.total, rerolled_into.outcome.after) == (10, 1)
    # Thrown again, the 6 is gone: 5 and 5 take off one point only.
    twice = table_of(ann={**raw, "story_points": 2})
    lost = purge(twice, [[6, 1], [5, 5]], {"reroll": ["base", "core"]})
    assert (lost.outcome.total, lost.outcome.after) == (10, 2)


@pytest.mark.rules("cores.angst.purge_six")
def test_the_odds_of_purging_by_counting_faces():
    table = table_of(ann=TROUBLED | {"angst": {"Guilt": 3}})
    begun = start(table, "purge_angst", character="ann", occasion="comfort", comfort="music")
    left = exact(begun, Scripted({})).map(lambda outcome: outcome.after)
    faces = list(product(range(1, 7), range(1, 7), range(1, 5)))
    wins = [base for base, core, bonus in faces if base + core + bonus >= 10]
    sixes = sum(base == 6 for base in wins)
    assert left.chance(1) == Fraction(sixes, len(faces))
    assert left.chance(2) == Fraction(len(wins) - sixes, len(faces))
    assert left.chance(3) == Fraction(len(faces) - len(wins), len(faces))


# --- Story Points --------------------------------------------------------------------------


@pytest.mark.rules("cores.story.purge")
def test_exactly_two_story_points_once_a_session():
    table = table_of(ann=TROUBLED | {"story_points": 5}, ben=TROUBLED | {"story_points": 1})
    played = play(table, "story_purge", [], {"angst_type": "Fear"}, character="ann")
    ann = played.table.character("ann")
    assert (ann.story_points, ann.angst["Fear"], ann.story_purge_used) == (3, 1, True)
    for who, at in (("ann", played.table), ("ben", table)):
        with pytest.raises(NotAllowed) as refusal:
            play(at, "story_purge", character=who, angst="Guilt")
        assert refusal.value.rule == "cores.story.purge"
    scene = play(played.table, "begin_scene").table
    with pytest.raises(NotAllowed):
        play(scene, "story_purge", character="ann", angst="Guilt")
    session = play(scene, "begin_session").table
    again = play(session, "story_purge", character="ann", angst="Guilt").table.character("ann")
    assert (again.story_points, again.angst["Guilt"]) == (1, 1)
