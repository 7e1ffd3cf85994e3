"""Opposed tests, and those that are crucial for one side or both."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import DecisionEvent, RollEvent, exact
from games.cores.playing import play, start, table_of

TABLE = table_of(
    ann={"core": {"social": "d8", "physical": "d8"}, "story_points": 3},
    ben={"core": {"resolve": "d6", "physical": "d8"}, "story_points": 3, "life_experience": 2},
    cleo={},
)
TALK = {
    "acting": {"character": "ann", "core": "social"},
    "opposing": {"character": "ben", "core": "resolve"},
}
FIGHT = {
    "acting": {"character": "ann", "core": "physical"},
    "opposing": {"character": "ben", "core": "physical"},
}


def oppose(rolls, answers=None, table=TABLE, name="opposed_test", **sides):
    return play(table, name, rolls, answers, **(sides or TALK))


def crucial(rolls, answers, table=TABLE, **sides):
    return oppose(rolls, answers, table, "opposed_crucial_test", **(sides or FIGHT))


@pytest.mark.rules("cores.opposed.when", "cores.opposed.dn", "cores.opposed.tie")
@pytest.mark.parametrize(("acting", "winner"), [((3, 5), "ben"), ((3, 6), "ann"), ((3, 7), "ann")])
def test_the_oppositions_result_is_the_dn(acting: tuple[int, int], winner: str):
    played = oppose([[5, 4], list(acting)])
    assert played.outcome.winner == winner
    assert played.outcome.margin == abs(sum(acting) - 9)
    assert "dn" not in played.keys
    assert played.rolled == ["(d6, d6)", "(d6, d8)"]


@pytest.mark.rules("cores.opposed.dn")
def test_each_side_has_its_own_modifiers_and_the_dn_knows_no_bounds():
    table = table_of(
        ann={"rocks": {"Charm": "really social"}},
        ben={"angst": {"Fear": 9}, "sucks": {"It": "really resolve"}},
    )
    played = oppose([[1, 1, 4], [1, 1, 1]], {"rock": "Charm", "suck": "It"}, table)
    assert played.outcome.opposing.total == 1 + 1 - 4 - 6
    assert (played.outcome.acting.total, played.outcome.winner) == (3, "ann")


@pytest.mark.rules("cores.story.reroll")
@pytest.mark.parametrize(("core", "kind"), [(8, "aside"), (7, "offered")])
def test_a_reroll_that_cannot_bring_more_is_nothing_to_wait_for(core: int, kind: str):
    """Exploded to 6 and 6 the Base Die is at its best; only the Core Die may have room."""
    table = table_of(ann={}, ben={"core": {"resolve": "d8"}, "perks": ["Calm"], "story_points": 1})
    played = oppose([[6, 6, core], [1, 1]], {"ben/perk": "Calm"}, table)
    assert played.outcome.opposing.total == 6 + 6 + core
    (offer,) = [ask for ask in played.asked if ask.key == "reroll"]
    assert (offer.seat, offer.kind) == ("ben", kind)


def test_the_opposing_side_finishes_before_the_acting_side_rolls():
    """cores.amb.spend_order: spending included."""
    played = oppose([[1, 1], [4, 4], [1, 1]], {"ben/reroll": ["base", "core"], "experience": 2})
    said = [
        f"{event.ask.seat}/{event.ask.key}"
        if isinstance(event, DecisionEvent)
        else event.roll.owner
        for event in played.events
        if isinstance(event, DecisionEvent | RollEvent)
    ]
    assert said == [
        "ann/task",
        "gm/core",
        "ben/task",
        "gm/core",
        "ben",
        "ben/reroll",
        "ben",
        "ben/experience",
        "ann",
        "ann/reroll",
    ]
    assert played.outcome.opposing.total == 10
    assert played.table.character("ben").life_experience.left == 0


@pytest.mark.rules("cores.opposed.tie", "cores.opposed.dn")
def test_the_odds_by_counting_faces():
    table = table_of(ann={"core": {"social": "d8"}}, ben={"core": {"resolve": "d10"}})
    odds = exact(start(table, "opposed_test", **TALK))
    mine = Counter(a + b for a, b in product(range(1, 7), range(1, 9)))
    theirs = Counter(a + b for a, b in product(range(1, 7), range(1, 11)))
    wins = sum(mine[one] * theirs[other] for one, other in product(mine, theirs) if one >= other)
    expected = Fraction(wins, mine.total() * theirs.total())
    assert odds.where(lambda outcome: outcome.acting_won) == expected


@pytest.mark.parametrize(
    ("lowered", "winner"), [(("ann",), "ben"), (("ben",), "ann"), (("ann", "ben"), "ben")]
)
def test_a_core_at_d0_decides_without_a_roll(lowered: tuple[str, ...], winner: str):
    raw = {
        name: {"core": {core: {"die": "d6", "lowered": 2 if name in lowered else 0}}}
        for name, core in (("ann", "social"), ("ben", "resolve"))
    }
    played = oppose([], table=table_of(**raw))
    assert (played.outcome.winner, played.rolled) == (winner, [])


def test_both_may_purge_what_they_tapped():
    raw = {"angst": {"Fear": 1}}
    answers = {"tap": "positive:Fear", "purge": True}
    played = oppose([[3, 3, 1], [3, 3, 1], [4, 4], [1, 1]], answers, table_of(ann=raw, ben=raw))
    assert played.table.character("ann").angst["Fear"] == 0
    assert played.table.character("ben").angst["Fear"] == 1


@pytest.mark.rules("cores.opposed.tie", "cores.crucial.gradual_margin")
@pytest.mark.parametrize(("kind", "asked"), [("sudden", False), ("gradual", True)])
def test_who_has_won_spends_more_only_where_a_higher_total_hurts_more(kind: str, asked: bool):
    """9 against 9 wins; with 15 a gradual test would cost the other side 2 die types, not 1."""
    said = {"crucial_for": "both", "kind": kind}
    played = crucial([[5, 4], [3, 6]], said)
    assert played.outcome.winner == "ann"
    assert any((ask.seat, ask.key) == ("ann", "reroll") for ask in played.asked) is asked


def test_nobody_opposes_themselves_and_nothing_is_rolled_before_all_is_checked():
    with pytest.raises(BadInput):
        oppose([], acting=TALK["acting"], opposing=TALK["acting"])
    table = table_of(ann={"rocks": {"A": "social", "B": "social"}}, ben={})
    sides: dict[str, Any] = {
        "acting": TALK["acting"] | {"rocks": ["A", "B"]},
        "opposing": TALK["opposing"],
    }
    with pytest.raises(NotAllowed) as refusal:
        oppose([], table=table, **sides)
    assert refusal.value.rule == "cores.mod.one_rock"


# --- Crucial -------------------------------------------------------------------------------

GRADUAL = {"kind": "gradual", "deadly": False}


@pytest.mark.rules("cores.crucial.opposed")
@pytest.mark.parametrize(
    ("crucial_for", "faces", "lowered"),
    [
        ("acting", [1, 3], {"ann": 1, "ben": 0}),  # Ann fails by 1 and it is crucial for her
        ("acting", [3, 6], {"ann": 0, "ben": 0}),  # Ben fails, but nothing hangs on it
        ("opposing", [1, 3], {"ann": 0, "ben": 0}),
        ("opposing", [3, 6], {"ann": 0, "ben": 1}),
        ("both", [1, 3], {"ann": 1, "ben": 0}),
        ("both", [3, 6], {"ann": 0, "ben": 1}),
    ],
)
def test_one_way_and_two_way(crucial_for: str, faces: list[int], lowered: dict[str, int]):
    played = crucial([[2, 3], faces], GRADUAL | {"crucial_for": crucial_for})
    for name, steps in lowered.items():
        assert played.table.character(name).core.physical.lowered == steps


@pytest.mark.rules("cores.crucial.opposed", "cores.crucial.gradual_margin")
@pytest.mark.parametrize(
    ("faces", "loser", "steps"),
    [
        ([1, 4], "ben", 1),  # a tie: Ben fails by 0, one die type
        ([2, 8], "ben", 1),  # by 5
        ([3, 8], "ben", 2),  # by 6
        ([1, 3], "ann", 1),  # by 1
    ],
)
def test_the_margin_is_the_difference_of_the_results(faces: list[int], loser: str, steps: int):
    """cores.amb.two_way_margin."""
    played = crucial([[2, 3], faces], GRADUAL | {"crucial_for": "both"})
    assert played.table.character(loser).core.physical.lowered == steps
    winner = "ann" if loser == "ben" else "ben"
    assert played.table.character(winner).core.physical.lowered == 0
    fates = {"ann": played.outcome.acting.fate, "ben": played.outcome.opposing.fate}
    assert (fates[winner], fates[loser].after) == (None, {1: "d6", 2: "d4"}[steps])


def test_spending_is_offered_beyond_the_dn_while_it_can_still_hurt_more():
    table = table_of(ann={"core": {"physical": "d8"}, "life_experience": 2}, ben={})
    hurt = crucial([[2, 3], [2, 8]], GRADUAL | {"crucial_for": "both", "experience": 1}, table)
    assert hurt.table.character("ben").core.physical.now == "d0"
    mild = crucial([[2, 3], [2, 8]], GRADUAL | {"crucial_for": "acting"}, table)
    assert "experience" not in mild.keys


@pytest.mark.rules("cores.crucial.assistants_safe")
def test_assistants_are_never_touched():
    sides = {
        "acting": FIGHT["acting"] | {"helpers": ["cleo"]},
        "opposing": FIGHT["opposing"],
    }
    answers = {"kind": "sudden", "deadly": True, "crucial_for": "both", "support": "direct"}
    played = crucial([[6, 8], [1, 1]], answers, **sides)
    assert played.table.character("ann").dead
    assert played.table.character("cleo") == TABLE.character("cleo")
    assert played.table.scene.out == ("ann",)
    assert {change.target for change in played.changes} == {"ann", "scene"}


@pytest.mark.rules("cores.crucial.cores", "cores.crucial.deadly_physical")
def test_only_physical_and_resolve_can_be_at_stake_and_only_physical_deadly():
    played = crucial([[1, 1], [6, 8]], {"kind": "sudden"} | {"crucial_for": "opposing"}, **TALK)
    assert [option.key for option in played.question("crucial_for").options] == ["opposing"]
    assert "deadly" not in played.keys
    assert played.table.character("ben").core.resolve.now == "d0"
    assert not played.table.character("ben").dead
    social = {
        "acting": {"character": "ann", "core": "social"},
        "opposing": {"character": "ben", "core": "mental"},
    }
    with pytest.raises(NotAllowed) as refusal:
        crucial([], {}, **social)
    assert refusal.value.rule == "cores.crucial.cores"
    # A deadly test touches only the Physical side with death.
    mixed = {"acting": FIGHT["acting"], "opposing": TALK["opposing"]}
    answers = {"kind": "sudden", "deadly": True, "crucial_for": "both"}
    spared = crucial([[1, 1], [6, 8]], answers, **mixed).table.character("ben")
    assert (spared.dead, spared.core.resolve.lowered, spared.core.resolve.now) == (False, 2, "d0")


@pytest.mark.rules("cores.crucial.deadly_declared", "cores.crucial.kind")
def test_kind_and_deadliness_are_said_before_anybody_rolls():
    answers = {"kind": "gradual", "deadly": True, "crucial_for": "both"}
    played = crucial([[2, 3], [3, 6]], answers)
    order = [
        event.ask.key if isinstance(event, DecisionEvent) else "roll"
        for event in played.events
        if isinstance(event, DecisionEvent | RollEvent)
    ]
    assert order.index("kind") < order.index("deadly") < order.index("roll")
    assert played.table.character("ben").core.physical.lowered_deadly == 1


def test_a_core_at_d0_at_stake_takes_the_character_out():
    raw = {"core": {"physical": {"die": "d6", "lowered": 2}}}
    answers = {"kind": "gradual", "deadly": False, "crucial_for": "both"}
    played = crucial([], answers, table_of(ann={}, ben=raw))
    assert played.outcome.winner == "ann"
    assert played.table.scene.out == ("ben",)
    assert played.table.character("ben").core.physical.lowered == 2
