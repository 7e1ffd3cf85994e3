"""Which lines the card of a test has, and what becomes of those that nobody touches.

What is expected here is written down from what a table needs: one needed line, chips to tap, and
nothing after a roll that nobody could want. A question that is added has to be added here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from astragal.dice import Count, OpenEnded, Pool, Shaded
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.on_a_roll import ArthaAtHand, ThrownDice
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.play import Roll, rolled_from
from games.burning_wheel.playing import play, table
from games.playing import cards

MARA = {
    "stats": {"Will": "B4"},
    "skills": {"Persuasion": "B4", "Streetwise": "B3"},
    "artha": {"fate": 1, "persona": 2},
}
TAM = {"skills": {"Persuasion": "B3"}}


def plain(
    rolls: Sequence[Any], answers: Mapping[str, Any] | None = None, **more: Any
) -> list[dict[str, list[tuple[str, str]]]]:
    """The cards of a test that was begun by tapping an ability."""
    arguments = {"character": "mara", "ability": "Persuasion", **more}
    at = table(mara=MARA, tam=TAM)
    said = {"obstacle": 3, **(answers or {})}
    return cards(play("standard_test", arguments, at, said, rolls).events)


BEFORE = {
    "needed": [("gm", "obstacle")],
    "offered": [
        ("mara", "intent"),
        ("mara", "task"),
        ("gm", "on_failure"),
        ("gm", "disadvantages"),
        ("mara", "advantage"),
        ("mara", "forks"),
        ("mara", "ask_help"),
        ("mara", "boon"),
    ],
    "consent": [("gm", "fits"), ("gm", "at_stake")],
    "aside": [
        ("gm", "on_success"),
        ("gm", "deadly"),
        ("gm", "time"),
        ("gm", "gm_advantage"),
    ],
}


def test_a_plain_test_needs_an_obstacle_and_settles_by_itself_when_it_is_passed():
    before, after = plain([[4, 4, 4, 6]])
    assert before == BEFORE
    assert after == {"aside": [("mara", "after_roll"), ("mara", "allocate")]}
    assert plain([[4, 4, 4, 1]])[1] == {"aside": [("mara", "after_roll")]}


def test_after_a_failure_only_what_could_turn_it_and_how_it_fails():
    assert plain([[1, 1, 6, 4]])[1] == {"offered": [("mara", "after_roll"), ("gm", "failure")]}
    hopeless = {"aside": [("mara", "after_roll")], "offered": [("gm", "failure")]}
    assert plain([[1, 1, 5, 4]])[1] == hopeless


def test_words_that_came_with_the_test_are_not_asked_for_again():
    before, _ = plain([[4, 4, 4, 4]], intent="the gate opens", task="names the duke")
    assert before["offered"] == BEFORE["offered"][2:]
    assert before["consent"] == [("gm", "task_says_how"), *BEFORE["consent"]]


def test_help_is_one_decision_of_the_helper():
    nobody, _ = plain([[4, 4, 4, 4]], helpers=["tam"])
    assert nobody["offered"] == [*BEFORE["offered"][:6], ("tam", "help"), ("mara", "boon")]
    answers = {"help": "Persuasion"}
    helped, _ = plain([[4, 4, 4, 4, 1]], answers, helpers=["tam"])
    assert helped["needed"] == BEFORE["needed"]
    assert helped["offered"] == [
        *BEFORE["offered"][:6],
        ("tam", "help"),
        ("tam", "help_how"),
        ("mara", "boon"),
    ]
    assert helped["consent"] == [
        *BEFORE["consent"],
        ("mara", "accept_help"),
        ("gm", "allow_help"),
    ]


def test_what_is_claimed_stands_unless_the_gm_objects():
    answers = {"forks": ["Streetwise"], "advantage": "the duke's seal"}
    before, _ = plain([[4, 4, 4, 4, 1, 1]], answers)
    assert before["consent"] == [
        *BEFORE["consent"],
        ("gm", "grant_advantage"),
        ("gm", "allow_forks"),
    ]


def test_extra_successes_are_offered_where_time_can_be_saved():
    _, after = plain([[4, 4, 4, 6]], {"time": "1 hour"})
    assert after == {"aside": [("mara", "after_roll")], "offered": [("mara", "allocate")]}


def test_a_versus_test_needs_nothing():
    at = table(mara=MARA, guard={"skills": {"Persuasion": "B4"}, "npc": True})
    sides = [{"character": who, "ability": "Persuasion"} for who in ("mara", "guard")]
    before, between, after = cards(
        play("versus_test", {"sides": sides}, at, None, [[4, 4, 4, 1], [4, 4, 1, 1]]).events
    )
    assert before == {
        "offered": [
            *[("mara", "intent"), ("mara", "task"), ("gm", "intent"), ("gm", "task")],
            *[
                ("gm", "disadvantages"),
                ("mara", "advantage"),
                ("mara", "forks"),
                ("mara", "boon"),
            ],
            *[("gm", "disadvantages"), ("gm", "advantage")],
        ],
        "consent": [("gm", "fits"), ("gm", "fits")],
        "aside": [
            *[("gm", "time"), ("gm", "on_failure"), ("gm", "deadly")],
            *[("gm", "gm_advantage"), ("gm", "gm_advantage"), ("gm", "defender")],
        ],
    }
    assert between == {}
    assert after == {"aside": [("mara", "after_roll"), ("mara", "allocate")]}
    *_, lost = cards(
        play("versus_test", {"sides": sides}, at, None, [[6, 1, 1, 1], [4, 4, 1, 1]]).events
    )
    assert lost == {"offered": [("mara", "after_roll")], "aside": [("gm", "allocate")]}
    *_, lost = cards(
        play("versus_test", {"sides": sides}, at, None, [[4, 1, 1, 1], [4, 4, 1, 1]]).events
    )
    assert lost == {"aside": [("mara", "after_roll"), ("gm", "allocate")]}


@pytest.mark.parametrize("nature", list(OpenEnded))
@pytest.mark.parametrize("fate", [0, 1])
@pytest.mark.parametrize("deeds", [0, 1])
@pytest.mark.parametrize("call_ons", [(), ("Stubborn",)])
@pytest.mark.parametrize("missing", [None, 0, 1, 2, 3])
def test_what_could_still_turn_a_verdict_is_what_some_way_of_buying_reaches(
    nature: OpenEnded, fate: int, deeds: int, call_ons: tuple[str, ...], missing: int | None
):
    """Every order of buying, with the best dice there are: each of them a six where it counts."""
    for sixes in (0, 1):
        for failed in (0, 1, 2):
            thrown = ThrownDice(sixes, Shaded(sixes), Shaded(failed), nature)
            held = ArthaAtHand(Artha(fate=fate, deeds=deeds), call_ons)
            reached = 0 if missing == 0 else most(thrown, held) - thrown.successes
            expected = missing != 0 and reached >= (missing or 1)
            assert artha.could_bring(missing, thrown, held) is expected, (thrown, held)


MANY = 50


def most(thrown: ThrownDice, held: ArthaAtHand) -> int:
    """The most successes that any way of buying could come to."""
    best = thrown.successes
    for option in artha.offers(thrown, held):
        dice, left, hand = artha.buy(option.key, thrown, held)
        if dice.dice:
            best = max(best, most(left.joined(best_of(dice)), hand))
    return best


def best_of(dice: Pool) -> Count:
    """The best that dice can show: sixes, and where these bring further dice, for a long time."""
    count = dice.dice.total
    faces = [6] * count if dice.open_ended is OpenEnded.NO else [6] * MANY + [4] * count
    best: Count = rolled_from(Roll(dice, "best", "gm"), faces).value
    return best
