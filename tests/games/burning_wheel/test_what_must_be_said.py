"""Some questions have no empty answer: their rule needs words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from astragal.errors import BadInput
from games.burning_wheel.dueling import argue, hall, speaker
from games.burning_wheel.frights import fright
from games.burning_wheel.playing import Played, a_test, play, table
from games.burning_wheel.seeking import at_court, both, listen, seek

Saying = Callable[[dict[str, Any]], Played]

INFAMY = {"infamy": "escalate", "deed": "murders them all", "infamous_for": "Killer"}
POINTS = ("point",) * 3
COMPROMISE = {"after_tie": "compromise", "ann/offer": "a ferry", "bob/offer": "a ford"}
CAREFULLY = {"time": "2 hours", "carefully": True}


def a_disaster(said: dict[str, Any]) -> Played:
    """The duel was lost, for somebody who had used a reputation to get there."""
    at = seek(at_court(reputations=[{"name": "Stern", "dice": 2}])).table
    fallen = {"character": "knight", "standing": "Stern", "what": "The duel was lost."}
    return play("disaster", fallen, at, {**INFAMY, **said}, ())


def a_win(said: dict[str, Any]) -> Played:
    """Ann wins a duel and loses a point of her body on the way."""
    at = hall(ann=speaker("Oratory B9"))
    return argue([POINTS], [POINTS], [5, 1, 5, 0, 5], said, at, side_a={"wins": ""})


def a_tie(said: dict[str, Any]) -> Played:
    return argue([POINTS], [POINTS], [5, 5, 5, 5], {**COMPROMISE, **said})


def a_careful_test(said: dict[str, Any], edition: str = "gold") -> Played:
    at = table(options={"edition": edition}, rich={"skills": {"Sword": "B4"}})
    return a_test(at, "Sword", 1, [4], {**CAREFULLY, "allocate": [0, 2], **said})


def an_enemy(said: dict[str, Any]) -> Played:
    return seek(rolls=[0], answers={"enmity": True, "enemy_name": "Lord Ash", **said})


def a_flight(said: dict[str, Any]) -> Played:
    return fright(rolls=[0], answers={"reaction": "run_screaming", **said})


def an_act(said: dict[str, Any]) -> Played:
    at = table(rich={"skills": {"Sword": "B4"}})
    return a_test(at, "Sword", 1, [1], {"task_says_how#1": False, "how": "slowly", **said})


MUST_BE_SAID: tuple[tuple[str, str, Saying], ...] = (
    ("circles.naming.gm_names_enemies", "enemy_name", an_enemy),
    ("circles.detect.nobody_failure", "rumours", lambda said: listen(both(), [0], said)),
    ("circles.reputation.infamy_choice", "deed", a_disaster),
    ("circles.reputation.infamy_effect", "infamous_for", a_disaster),
    ("circles.test.place_gm_decides", "where", lambda said: seek(answers=said)),
    ("circles.test.time_eventually", "when", lambda said: seek(answers=said)),
    ("circles.test.time_soon", "when", lambda said: seek(answers=said, time="soon", rolls=[4])),
    ("circles.test.time_now", "when", lambda said: seek(answers=said, time="now", rolls=[4])),
    ("duel_of_wits.terms.agree_before_start", "ann/terms_wins", a_win),
    ("duel_of_wits.compromise.agreed_by_players", "concession", a_win),
    ("duel_of_wits.tie.no_original_terms", "ann/offer", a_tie),
    ("gold.dice.carefully", "time_threat", a_careful_test),
    ("gold.result.extra_successes", "time_taken", a_careful_test),
    ("steel.fail.run_direction", "flees_from", a_flight),
    ("steel.fail.run_screaming", "cry", a_flight),
    ("tests.task.must_say_how", "how", an_act),
)


@pytest.mark.parametrize(
    ("rule", "key", "run"),
    [pytest.param(*each, marks=pytest.mark.rules(each[0]), id=each[0]) for each in MUST_BE_SAID],
)
def test_what_a_rule_needs_words_for_is_not_left_empty(rule: str, key: str, run: Saying):
    assert key.rpartition("/")[2] in run({}).asked
    with pytest.raises(BadInput, match=rf"{key}: found ''.*\[{rule}\]"):
        run({key: ""})
