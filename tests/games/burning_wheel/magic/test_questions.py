"""Which lines the cards of a casting have, and what becomes of those that nobody touches.

Written down from what a table needs: nothing is needed before the dice of a known spell, and
nothing is offered after them that nobody could want. A new question has to be added here.
"""

from __future__ import annotations

from typing import Any

from games.burning_wheel.spellcasting import LIGHT, at_table, cast
from games.playing import cards

BEFORE = {
    "offered": [("han", "intent"), ("gm", "disadvantages"), ("han", "advantage")],
    "aside": [("gm", "gm_advantage")],
}


def lines(spell: dict[str, Any], rolls: Any, answers: Any = None, **more: Any) -> Any:
    sheet = more.pop("sheet", {})
    return cards(cast(at_table(spell, **sheet), "Glow", rolls, answers, **more).events)


def test_a_plain_casting_needs_nothing_and_settles_by_itself():
    assert lines(LIGHT, [3, 3]) == [BEFORE, {}, {}]


def test_a_script_has_no_intent_and_folds_what_could_be_added():
    assert lines(LIGHT, [3, 3], in_script=True)[0] == {
        "aside": [("gm", "disadvantages"), ("han", "advantage"), ("gm", "gm_advantage")]
    }


def test_whether_a_target_is_in_reach_is_for_the_gm_to_strike():
    before, *after = lines({**LIGHT, "origin": "Sight"}, [3, 3], targets=["foe"])
    assert before == {**BEFORE, "consent": [("gm", "in_reach")]}
    assert after == [{}, {}]


def test_extra_successes_are_divided_only_where_there_are_two_uses():
    up = {**LIGHT, "up": True}
    assert lines(up, [5, 3])[-1] == {}
    assert lines({**up, "duration": "minutes"}, [5, 3])[-1] == {
        "offered": [("han", "place_successes")]
    }


def test_artha_is_offered_where_it_can_still_matter():
    fate = {"sheet": {"artha": {"fate": 1, "persona": 1}}}
    before, after_cast, after_tax = lines(LIGHT, [3, 3], **fate)
    assert before["offered"][-1] == ("han", "boon")
    assert after_cast == {"aside": [("han", "after_roll")], "offered": [("han", "boon")]}
    assert after_tax == {"aside": [("han", "after_roll")]}  # Tax is met: nothing is gained
    *_, short, _ = lines(LIGHT, [3, [6, 6, 1, 1, 1, 1], 0], **fate)
    assert short["offered"][0] == ("han", "after_roll")  # the sixes could still save the die


def test_a_practical_stands_unless_it_is_struck():
    *_, last = lines({**LIGHT, "stage": "practicals"}, [6, 3])
    assert last == {"consent": [("gm", "legitimate_practical")]}


def test_a_summoning_asks_the_gm_once_and_folds_the_rest():
    *_, summoned, _ = lines(LIGHT, [1, 3, [1], [4]])
    assert summoned == {"offered": [("gm", "summoned")], "aside": [("gm", "summoning")]}
