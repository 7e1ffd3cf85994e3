"""Linked tests: a chain, each test helping or hampering the next."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.tests.linked import LinkResult
from games.burning_wheel.playing import Played, declare, play, table

SAILOR = {"skills": {"Rigging": "B4", "Navigation": "B4", "Knots": "B4"}}
LOOKOUT = {"stats": {"Perception": "B4"}, "skills": {"Observation": "B4"}}
CREW = {"sailor": SAILOR, "lookout": LOOKOUT}


def voyage(
    *steps: tuple[str, str],
    rolls: list[int],
    answers: dict[str, Any] | None = None,
    at: Any = None,
    **more: Any,
) -> Played:
    tests = [declare(who, ability, intent=f"with {ability}") for who, ability in steps]
    for index, extra in more.pop("each", {}).items():
        tests[index] |= extra
    arguments = {"tests": tests, "intent": "reach the island", **more}
    return play(
        "linked_tests", arguments, at or table(**CREW), {"obstacle": 2, **(answers or {})}, rolls
    )


THREE = (("sailor", "Rigging"), ("sailor", "Navigation"), ("lookout", "Observation"))


def numbers(run: Played) -> list[tuple[int, int]]:
    return [(outcome.dice.total, outcome.obstacle.total) for outcome in run.outcome.outcomes]


@pytest.mark.rules("tests.linked.exceeded", "tests.linked.met", "tests.linked.failed")
@pytest.mark.parametrize(
    ("successes", "dice", "obstacle"), [(0, 4, 3), (1, 4, 3), (2, 4, 2), (3, 5, 2), (4, 5, 2)]
)
def test_how_a_test_went_helps_or_hampers_the_next(successes: int, dice: int, obstacle: int):
    run = voyage(*THREE[:2], rolls=[successes, 2])
    assert numbers(run) == [(4, 2), (dice, obstacle)]


@pytest.mark.rules("tests.linked.only_the_previous")
@pytest.mark.parametrize(
    ("first", "second", "third"),
    [(3, 3, (5, 2)), (0, 0, (4, 3)), (3, 2, (4, 2)), (0, 4, (5, 2)), (4, 0, (4, 3))],
)
def test_only_the_test_just_before_counts(first: int, second: int, third: tuple[int, int]):
    assert numbers(voyage(*THREE, rolls=[first, second, 0]))[2] == third


@pytest.mark.rules("tests.linked.failure_does_not_stop", "tests.linked.combined_outcome")
def test_a_failure_does_not_stop_the_chain_and_each_result_is_a_piece():
    run = voyage(*THREE, rolls=[0, 3, 2])
    assert run.outcome.links == (LinkResult.FAILED, LinkResult.MET, LinkResult.MET)
    assert [outcome.passed for outcome in run.outcome.outcomes] == [False, True, True]
    assert not run.outcome.all_passed
    assert "Linked tests: failed, met its obstacle exactly, met its obstacle exactly." in run.told
    assert "Intent achieved: reach the island." not in run.told


@pytest.mark.rules("tests.success.indirect_means", "tests.linked.purpose")
def test_if_all_succeed_the_intent_comes_true_whoever_did_the_last_step():
    run = voyage(*THREE, rolls=[2, 2, 2])
    assert run.outcome.all_passed
    assert [roll.label for roll in run.rolls] == [
        "Sailor, Rigging",
        "Sailor, Navigation",
        "Lookout, Observation",
    ]
    assert "Intent achieved: reach the island." in run.told


@pytest.mark.rules("tests.linked.gm_lists_tests", "tests.linked.spread_over_time")
def test_the_gm_decides_which_tests_there_are_and_their_order():
    run = voyage(*THREE, rolls=[2, 2], answers={"chain": ["3", "1"]})
    assert run.seats["chain"] == "gm"
    assert [outcome.ability for outcome in run.outcome.outcomes] == ["Observation", "Rigging"]
    assert "Linked tests: Lookout's Observation, then Sailor's Rigging." in run.told
    with pytest.raises(BadInput, match="chain: "):
        voyage(*THREE, rolls=[], answers={"chain": ["1"]})


@pytest.mark.rules("tests.linked.spread_over_time")
def test_each_test_is_over_before_the_next_begins():
    run = voyage(*THREE, rolls=[3, 2, 2])
    kinds = [
        event.ask.key if hasattr(event, "ask") else "roll"
        for event in run.events
        if hasattr(event, "ask") or hasattr(event, "rolled")
    ]
    first, second = kinds.index("roll"), kinds.index("roll", kinds.index("roll") + 1)
    assert kinds[:first].count("obstacle") == 1
    assert kinds[:second].count("obstacle") == 2


@pytest.mark.rules("tests.roll.conflict_required", "tests.linked.purpose")
def test_a_chain_is_rolled_and_has_two_links_at_least():
    assert "at_stake" not in voyage(*THREE, rolls=[2, 2, 2]).asked
    with pytest.raises(
        BadInput, match=r"tests: found 1, expected at least two tests.*tests\.linked\.purpose"
    ):
        voyage(THREE[0], rolls=[])


@pytest.mark.rules("tests.amb.linked_and_let_it_ride", "tests.let_it_ride.no_split_rolls")
def test_no_ability_appears_twice_in_a_chain():
    for again in ("Rigging", "rigging "):
        with pytest.raises(NotAllowed, match=r"tests\[1\].*tests\.amb\.linked_and_let_it_ride"):
            voyage(("sailor", "Rigging"), ("sailor", again), rolls=[])
    # nor by the back door, when another ability is found to fit better
    with pytest.raises(
        NotAllowed, match=r"Sailor has already rolled Rigging.*linked_and_let_it_ride"
    ):
        voyage(*THREE[:2], rolls=[2], answers={"fits#2": False, "ability": "Rigging"})
    two = table(sailor=SAILOR, lookout=SAILOR)
    assert voyage(
        ("sailor", "Rigging"), ("lookout", "Rigging"), rolls=[2, 2], at=two
    ).outcome.all_passed


# --- Versus and open links -----------------------------------------------------------------

PIRATE = {"npc": True, "skills": {"Navigation": "B4"}}


@pytest.mark.rules("tests.amb.linked_from_versus_or_open")
@pytest.mark.parametrize(
    ("mine", "theirs", "defender", "result"),
    [
        (3, 2, "pirate", LinkResult.EXCEEDED),
        (2, 2, "sailor", LinkResult.MET),
        (2, 2, "nobody", LinkResult.MET),
        (2, 2, "pirate", LinkResult.FAILED),
        (1, 2, "pirate", LinkResult.FAILED),
    ],
)
def test_what_a_versus_test_means_for_the_chain(
    mine: int, theirs: int, defender: str, result: LinkResult
):
    opponent = declare("pirate", "Navigation", intent="catch them")
    run = voyage(
        ("sailor", "Navigation"), ("lookout", "Observation"),
        rolls=[mine, theirs, 2], answers={"defender": defender},
        at=table(**CREW, pirate=PIRATE), each={0: {"opponent": opponent}},
    )  # fmt: skip
    assert run.outcome.links[0] is result
    after = run.outcome.outcomes[1]
    assert after.dice.total == 4 + (result is LinkResult.EXCEEDED)
    assert after.obstacle.total == 2 + (result is LinkResult.FAILED)


@pytest.mark.rules("tests.linked.failed", "tests.versus.obstacle_penalty")
def test_a_failure_before_a_versus_test_takes_a_success():
    opponent = declare("pirate", "Navigation", intent="catch them")
    run = voyage(
        ("sailor", "Rigging"), ("sailor", "Navigation"),
        rolls=[0, 3, 2], at=table(**CREW, pirate=PIRATE), each={1: {"opponent": opponent}},
    )  # fmt: skip
    assert run.outcome.outcomes[1].counted == (2, 2)


@pytest.mark.rules("tests.amb.linked_from_versus_or_open")
@pytest.mark.parametrize(
    ("threshold", "found", "result"),
    [
        (None, 4, LinkResult.NO_EFFECT),
        (None, 0, LinkResult.NO_EFFECT),
        (2, 3, LinkResult.EXCEEDED),
        (2, 2, LinkResult.MET),
        (2, 1, LinkResult.FAILED),
    ],
)
def test_an_open_test_needs_a_threshold_to_count(
    threshold: int | None, found: int, result: LinkResult
):
    extra = {"is_open": True} | ({} if threshold is None else {"open_threshold": threshold})
    run = voyage(
        ("lookout", "Observation"), ("sailor", "Rigging"), rolls=[found, 2], each={0: extra}
    )
    assert run.outcome.links[0] is result
    after = run.outcome.outcomes[1]
    assert (after.dice.total, after.obstacle.total) == (
        4 + (result is LinkResult.EXCEEDED),
        2 + (result is LinkResult.FAILED),
    )


def test_a_link_is_of_one_kind():
    with pytest.raises(BadInput, match=r"tests\[0\]\.open_threshold: found 2"):
        voyage(*THREE, rolls=[], each={0: {"open_threshold": 2}})
    opponent = declare("lookout", "Observation")
    with pytest.raises(BadInput, match=r"tests\[0\]\.is_open"):
        voyage(*THREE, rolls=[], each={0: {"is_open": True, "opponent": opponent}})
