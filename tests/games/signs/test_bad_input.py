"""What does not fit is refused in one line, before anything happens."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import Recorded
from astragal.errors import BadInput, Refusal
from astragal.games.signs import GAME
from astragal.play import Session, by
from games.signs.playing import play, rules_test, start, table_of

TWO = {"ana": {"signs": {"Stag": "D8: Climber"}}, "bo": {"signs": {"Owl": "D6: Lookout"}}}
TEST = {"character": "ana", "score": "Skill", "goal": "up", "success": "y", "failure": "n"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"character": "zoe"}, "character: found 'zoe', expected one of ana, bo"),
        ({"score": "Luck"}, r"score: found 'Luck', .*Skill, Think, Social, Rune .signs\.roll"),
        ({"tags": ["Climbing"]}, "tags: found 'Climbing', expected a Tag of Ana: Climber"),
        ({"tags": ["Climber", "climber"]}, "without gaps or repeats"),
        ({"helpers": ["zoe"]}, "helpers: found 'zoe', expected one of ana, bo"),
        ({"helpers": ["bo", "bo"]}, "without gaps or repeats"),
        ({"advantages": ["rope", "rope"]}, "without gaps or repeats"),
        ({"disadvantages": [""]}, "without gaps or repeats"),
        ({"luck": 3}, r"arguments\.luck"),
        ({"tags": "Climber"}, r"arguments\.tags"),
    ],
)
def test_arguments_that_do_not_fit(arguments: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message) as refused:
        Session(start(table_of(**TWO), "rules_test", **(TEST | arguments)), by(Recorded(())))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"remove": "both"}, "remove: found 'both', expected one of score, tag"),
        ({"helpful": ["Lookout"]}, "helpful: found 'Lookout', expected one of Climber"),
        ({"roll_or_fail": "cheat"}, "one of roll, fail"),
    ],
)
def test_answers_that_do_not_fit(answers: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        rules_test(table_of(**TWO), [[1]], answers, tags=["Climber"], disadvantages=["rain"])


@pytest.mark.parametrize("faces", [[7, 1], [1, 9], [1], [1, 1, 1], [0, 1]])
def test_faces_that_do_not_fit_the_dice(faces: list[int]):
    with pytest.raises(Refusal, match="faces of Ana, Skill"):
        rules_test(table_of(**TWO), [faces], tags=["Climber"])


def test_a_wrong_answer_leaves_everything_as_it_was():
    session = Session(start(table_of(**TWO), "rules_test", **TEST), by(Recorded(())))
    before = (list(session.record), list(session.events), session.waiting)
    with pytest.raises(BadInput):
        session.answer("gm", "yes")
    with pytest.raises(BadInput, match="somebody who is being asked now: gm"):
        session.answer("ana", [])
    assert (session.record, session.events, session.waiting) == before


def test_options_and_scenes_that_do_not_fit():
    with pytest.raises(BadInput, match=r"options\.signs_reroll"):
        table_of({"signs_reroll": "twice"}, **TWO)
    with pytest.raises(BadInput, match=r"scene\.attempts"):
        GAME.read({"attempts": [{"who": "ana"}]}, GAME.scene, "scene")


def test_whoever_does_not_exist_gets_nothing():
    with pytest.raises(BadInput, match="character: found 'zoe'"):
        play(table_of(**TWO), "grant_boon", character="zoe", name="a map")
