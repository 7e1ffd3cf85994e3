"""Detecting whether anybody has been asking."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.circles.detection import detection_obstacle
from astragal.games.burning_wheel.sheet.scene import SearchRecord
from astragal.play import Change, Tell
from games.burning_wheel.playing import Played, table
from games.burning_wheel.seeking import MARK, both, knight, listen, seek


def asked(rolls: Any = (1,), answers: Any = None, at: Any = None, **more: Any) -> Any:
    """The table after the knight has asked about the mark."""
    return seek(at or both(), rolls, answers, **{"about": "mark", **more}).table


def heard(run: Played) -> list[str]:
    """What everybody at the table hears."""
    return [e.fact.sentence() for e in run.events if isinstance(e, Tell) and not e.audience]


# --- Nobody --------------------------------------------------------------------------------


@pytest.mark.rules("circles.detect.use", "circles.detect.nobody_obstacle")
@pytest.mark.parametrize("obstacle", [3, 4, 5, 6])
def test_if_nobody_asked_the_test_is_rolled_all_the_same(obstacle: int):
    run = listen(both(), [6], {"sham_obstacle": obstacle})
    assert run.seats["sham_obstacle"] == "gm"
    assert run.asks["sham_obstacle"].secret  # or everybody would know that nobody asked
    assert f"Mark listens: Ob {obstacle}." in heard(run)
    assert run.outcome.passed


@pytest.mark.rules("circles.detect.nobody_obstacle")
@pytest.mark.parametrize("obstacle", [2, 7])
def test_the_sham_obstacle_is_between_three_and_six(obstacle: int):
    with pytest.raises(BadInput, match="sham_obstacle"):
        listen(both(), [6], {"sham_obstacle": obstacle})


@pytest.mark.rules("circles.detect.nobody_success", "circles.detect.nobody_failure")
def test_a_sham_test_teaches_that_nobody_asked_or_false_rumours():
    passed = listen(both(), [3], {"sham_obstacle": 3})
    assert (passed.outcome.passed, passed.outcome.inquiries) == (True, 0)
    assert "Learns that nobody asked." in passed.told
    failed = listen(both(), [2], {"sham_obstacle": 3, "rumours": "the duke has sold you"})
    assert failed.outcome.rumours == "the duke has sold you"
    assert failed.seats["rumours"] == "gm"
    assert "The rumour: the duke has sold you." in failed.told


# --- Somebody ------------------------------------------------------------------------------


@pytest.mark.rules("circles.detect.somebody_obstacle", "circles.detect.somebody_success")
@pytest.mark.parametrize(
    ("more", "obstacle"),
    [({}, 9), ({"occupation": "specific", "place": "local"}, 5), ({"time": "now"}, 6)],
)
def test_the_obstacle_is_ten_less_that_of_the_search(more: dict[str, Any], obstacle: int):
    at = asked(**more)
    run = listen(at, [6])
    assert f"Mark listens: Ob {obstacle}." in run.told
    assert "sham_obstacle" not in run.asked
    assert run.outcome.passed is (obstacle <= 6)
    if run.outcome.passed:
        assert run.outcome.inquiries == 1
        assert "Learns that someone asked." in run.told
    else:  # the same false rumours: the player cannot tell the cases apart
        assert run.outcome.rumours


def test_the_test_counts_for_advancement_at_the_obstacle_used():
    """circles.amb.detect_secrecy: six dice against Ob 6 is difficult."""
    assert listen(asked(time="now"), [6]).outcome.earned == "difficult"


@pytest.mark.parametrize(("custom", "shown"), [("shown", True), ("hidden", False)])
def test_the_obstacle_is_shown_or_hidden_and_what_makes_it_up_always_is(custom: str, shown: bool):
    """circles.amb.detect_secrecy."""
    at = asked(at=both({"circles_detection_obstacle": custom}), time="now")
    run = listen(at, [6])
    assert any("Ob 6" in text for text in heard(run)) is shown
    assert not any("obstacle of the search" in text for text in heard(run))
    assert "obstacle of the search" in run.told
    assert (run.outcome.dice, run.outcome.obstacle) == (6, 6 if shown else 0)
    failed = listen(at, [1]).outcome
    assert (failed.passed, failed.dice, failed.obstacle) == (False, 6, 6 if shown else 0)


@given(st.integers(1, 16), st.integers(0, 5))
@pytest.mark.rules("circles.detect.somebody_obstacle", "circles.quiet.same_penalty_to_detectors")
def test_detection_is_harder_by_what_was_done_for_secrecy_and_never_below_one(
    obstacle: int, hidden: int
):
    """circles.amb.quiet_and_detection_arithmetic, circles.amb.detect_minimum."""
    made = SearchRecord("knight", "a squire", obstacle, hidden=hidden)
    assert detection_obstacle(made).total == max(1, 10 - obstacle + hidden)


@pytest.mark.rules("circles.detect.opponent_reputation")
def test_the_askers_reputation_counts_only_if_he_used_it():
    at = both(
        reputations=[{"name": "Brave", "dice": 2}], affiliations=[{"name": "Guild", "dice": 1}]
    )
    used = asked(at=at, time="now")
    assert listen(used, [6]).rolls[0].expression.dice.total == 8
    unused = asked(at=at, time="now", answers={"standings": ["Guild"]})
    assert listen(unused, [6]).rolls[0].expression.dice.total == 6


@pytest.mark.rules("circles.detect.same_contact")
def test_the_detector_comes_upon_the_same_contact_and_only_the_gm_is_told():
    """circles.amb.detect_who_does_not_know."""
    near = asked([4], {"name_contact": "Wat", "gm_advantage": 3}, occupation="uncommon")
    assert near.scene.searches[0].contact == "Wat"
    (made,) = near.scene.searches
    near = near.changed(
        Change("scene", "searches.0.obstacle", made.obstacle, 5, "circles.detect.use")
    )
    met = listen(near, [5])
    assert met.seats["same_contact"] == "gm"
    assert "The source is Wat, whom Knight asked too." in met.told
    assert not any("Wat" in text for text in heard(met))
    unfit = listen(near, [5], {"same_contact": False})
    assert "Wat" not in unfit.told
    assert "same_contact" not in listen(near, [4]).asked


def test_one_roll_is_held_against_every_search_since_the_last():
    """circles.amb.detect_which_search."""
    searches = [
        {"seeker": "knight", "sought": "x", "obstacle": obstacle, "about": about}
        for obstacle, about in ((8, "mark"), (5, "mark"), (4, "mark"), (9, "knight"))
    ]
    at = table(scene={"searches": searches}, knight=knight(), mark=MARK)
    run = listen(at, [5])
    assert run.outcome.inquiries == 2  # Ob 2 and 5 are met, Ob 6 is not
    assert "Mark listens: Ob 6." in run.told
    assert run.outcome.earned == "difficult"
    assert [made.compared for made in run.table.scene.searches] == [True, True, True, False]
    with pytest.raises(NotAllowed, match="already rolled Circles"):
        listen(run.table, [5])
    later = listen(
        run.table, [3], {"conditions_changed": "a month has gone by", "sham_obstacle": 3}
    )
    assert later.outcome.inquiries == 0
