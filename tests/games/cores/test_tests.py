"""The test itself: what is asked of whom in which order, and what it comes to."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.cores.facts import DiceFell, DiceGathered, TestCame
from astragal.games.cores.sheet import CoreName
from astragal.play import DecisionEvent, RollEvent, Tell, Unanswered
from astragal.rules import catalogue
from games.cores.playing import make_test, play, start, table_of

EVERYTHING = {
    "gmc": False,
    "rocks": {"Climbing": "physical"},
    "sucks": {"Heights": "physical"},
    "perks": ["Lucky"],
    "relationships": {"Ben": "B"},
    "angst": {"Fear": 1},
    "story_points": 3,
    "life_experience": 3,
}


@pytest.mark.rules("cores.test.sequence", "cores.test.dn_first")
def test_a_test_goes_in_its_order():
    table = table_of(ann=EVERYTHING, ben={"relationships": {"Ann": "A"}})
    played = make_test(
        table,
        [[2, 2], [3]],
        {
            "dn": 14,
            "rock": "Climbing",
            "perk": "Lucky",
            "ben/support": "moral",
            "reroll": ["core"],
            "experience": 2,
        },
        helpers=["ben"],
    )
    said = [
        event.ask.key if isinstance(event, DecisionEvent) else type(event).__name__
        for event in played.events
        if isinstance(event, DecisionEvent | RollEvent)
    ]
    declared = ["rock", "perk", "tap", "bears_on", "suck", "relationship", "gm_tap"]
    helped = ["support", "acted_out"]
    after = ["RollEvent", "reroll", "RollEvent", "experience"]
    assert said == ["task", "core", "dn", *declared, *helped, *after]
    facts = [event.fact for event in played.events if isinstance(event, Tell)]
    kinds = [type(fact) for fact in facts]
    assert kinds.index(DiceGathered) < kinds.index(DiceFell) < kinds.index(TestCame)
    # 2 and the rerolled 3, Ann's +2, then 2 of Life Experience.
    assert played.outcome.total == 2 + 3 + 2 + 2
    assert (played.outcome.story_spent, played.outcome.life_spent) == (1, 2)


@pytest.mark.rules("cores.test.cores", "cores.test.core_die")
@pytest.mark.parametrize(
    ("core", "die"), list(zip(CoreName, ("d4", "d8", "d10", "d12"), strict=True))
)
def test_the_core_die_is_that_of_the_core(core: CoreName, die: str):
    names = [name.value for name in CoreName]
    assert names == ["physical", "mental", "social", "resolve"]
    dice = dict(zip(names, ("d4", "d8", "d10", "d12"), strict=True))
    played = make_test(table_of(ann={"core": dice}), [[1, 4]], core=core.value)
    assert played.rolled == [f"(d6, {die})"]
    assert played.outcome.core is core


@pytest.mark.rules("cores.test.core_die", "cores.test.sequence")
def test_the_gm_picks_the_core():
    table = table_of(ann={"core": {"mental": "d12"}})
    played = make_test(table, [[1, 12]], {"core": "mental"})
    assert played.outcome.core is CoreName.MENTAL
    assert (played.seat("core"), played.seat("dn")) == ("gm", "gm")


def test_a_rock_declared_for_another_core_than_the_gm_picks_is_offered_at_its_price():
    rocks = {"Climbing": "physical"}
    table = table_of(ann={"rocks": rocks, "story_points": 1})
    played = make_test(table, [[1, 1]], {"core": "mental"}, rocks=["Climbing"])
    assert played.outcome.dice == "d6 + d6"
    offer = played.question("rock").options[1]
    assert (offer.key, offer.cost, offer.rule) == (
        "Climbing",
        "1 Story Point",
        "cores.story.cross_core",
    )
    assert played.table.character("ann").story_points == 1
    # A Suck of the same name that belongs to the Core picked still counts.
    twins = {"rocks": {"It": "physical"}, "sucks": {"It": "mental"}, "story_points": 1}
    said = {"rocks": ["It"], "sucks": ["It"]}
    played = make_test(table_of(ann=twins), [[1, 1]], {"core": "mental"}, **said)
    assert played.outcome.dice == "d6 + d4"


@pytest.mark.rules("cores.test.success", "cores.test.failure")
@pytest.mark.parametrize(("dn", "passed"), [(7, True), (8, True), (9, False), (10, False)])
def test_the_dn_or_more_succeeds(dn: int, passed: bool):
    played = make_test(table_of(ann={}), [[3, 5]], {"dn": dn})
    assert played.outcome.passed is passed
    assert played.outcome.margin == 8 - dn


@pytest.mark.rules("cores.test.dn_first")
def test_the_dn_is_asked_of_the_gm_before_anything_is_rolled_and_has_no_default():
    table = table_of(ann={})
    with pytest.raises(Unanswered):
        play(table, "test", [[1, 1]], character="ann", core="physical")
    played = make_test(table, [[1, 1]], task="jumps")
    assert played.seat("dn") == "gm"
    order = [event for event in played.events if isinstance(event, DecisionEvent | RollEvent)]
    assert [type(event) for event in order] == [DecisionEvent, DecisionEvent, RollEvent]


def test_the_named_difficulties_are_those_of_the_table():
    question = make_test(table_of(ann={}), [[1, 1]]).question("dn")
    assert (question.least, question.most) == (3, 17)
    names = dict(question.names)
    for row in catalogue().table("cores.table.difficulty").records():
        assert names[row["dn_low"]] == names[row["dn_high"]] == row["name"]
    for dn in (2, 18):  # cores.amb.dn_outside_bands
        with pytest.raises(BadInput):
            make_test(table_of(ann={}), [[1, 1]], {"dn": dn})


def test_a_total_may_be_negative():
    raw = {"core": {"physical": "d4"}, "angst": {"Fear": 9}, "sucks": {"It": "really physical"}}
    played = make_test(table_of(ann=raw), [[1, 1, 4]], {"suck": "It"})
    assert played.outcome.total == 1 + 1 - 4 - 6


@pytest.mark.rules("cores.test.sequence")
def test_the_gm_may_find_that_what_was_declared_does_not_bear_on_the_test():
    table = table_of(ann=EVERYTHING | {"story_points": 0, "life_experience": 0})
    said = {"rocks": ["climbing"], "perks": ["Lucky"], "tap": "positive:Fear"}
    played = make_test(table, [[6, 1]], {"bears_on": []}, **said)
    assert played.outcome.dice == "d6 + d6"
    assert played.table.scene.tapped == ()
    assert make_test(table, [[6, 2, 1, 1]], **said).outcome.dice == "d6! + d8 + d4"


def test_a_core_at_d0_fails_without_a_roll():
    """cores.amb.d0_core."""
    raw = {"core": {"physical": {"die": "d6", "lowered": 2}}, "rocks": {"It": "physical"}}
    played = make_test(table_of(ann=raw))
    assert (played.outcome.passed, played.outcome.total) == (False, None)
    assert (played.outcome.margin, played.outcome.dn.total) == (0, 8)
    assert played.rolled == []
    assert "fails without a roll" in played.told


def test_a_lowered_core_is_rolled_as_it_is_now():
    """cores.amb.reduced_core_use."""
    raw = {"core": {"physical": {"die": "d10", "lowered": 1, "lowered_deadly": 1}}}
    assert make_test(table_of(ann=raw), [[1, 1]]).rolled == ["(d6, d6)"]


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"character": "zoe"}, "character"),
        ({"core": "magical"}, "arguments.core"),
        ({"rocks": ["Cooking"]}, "rocks"),
        ({"sucks": ["Cooking"]}, "sucks"),
        ({"perks": ["Wealth"]}, "perks"),
        ({"relationship": "Zoe"}, "relationship"),
        ({"tap": "Fear"}, "tap"),
        ({"tap": "positive:Envy"}, "tap"),
        ({"helpers": ["ann"]}, "helpers"),
        ({"helpers": ["ben", "ben"]}, "helpers"),
        ({"helpers": ["zoe"]}, "helpers"),
        ({"skill": "Cooking"}, "arguments.skill"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(arguments: dict[str, object], place: str):
    table = table_of(ann=EVERYTHING, ben={})
    given = {"character": "ann", "core": "physical"} | arguments
    with pytest.raises(BadInput) as refused:
        play(table, "test", [], {"dn": 8}, **given)
    assert refused.value.place == place
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("faces", [[7, 1], [1, 7], [1], [1, 1, 1]])
def test_faces_that_do_not_fit_are_refused(faces: list[int]):
    with pytest.raises(BadInput):
        make_test(table_of(ann={}), [faces])


def test_a_test_begins_the_same_from_its_name():
    table = table_of(ann={})
    first = start(table, "test", character="ann", core="physical")
    assert hash(first) == hash(start(table, "test", character="ann", core="physical"))
