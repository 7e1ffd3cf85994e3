"""Whole duels, played and reckoned a second time: every body, every test, every heartbeat."""

from __future__ import annotations

from random import Random

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.exchange import VolleyLosses
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.play import Tell
from games.burning_wheel.playing import play, table
from games.burning_wheel.reckoned_duels import CLASSES, Duelist, reckon

NAMES = ("ann", "bob")


def logged_by(sheet: Sheet) -> dict[str, str]:
    found = {}
    for group in (sheet.skills, sheet.stats, sheet.attributes):
        for name, ability in group.items():
            logged = [each for each in CLASSES if getattr(ability.log, each)]
            assert len(logged) <= 1, "one test of each ability in a duel"
            if logged:
                found[name] = logged[0]
    return found


@pytest.mark.rules(
    "duel_of_wits.amb.modifier_on_lost_action",
    "duel_of_wits.amb.modifiers_stack",
    "duel_of_wits.amb.lost_volleys_overlap",
    "duel_of_wits.dismiss.hesitate_placement",
    "duel_of_wits.amb.advancement",
    "duel_of_wits.amb.below_zero",
    "duel_of_wits.lose.steel_obstacle",
    "advancement.series.one_test",
)
@pytest.mark.parametrize("seed", range(30))
def test_a_duel_comes_out_as_it_is_reckoned_from_the_text(seed: int):
    random = Random(seed)
    one, other = (Duelist(*(random.randint(3, 6) for _ in range(3))) for _ in NAMES)
    told = reckon(random, (one, other))
    answers: dict[str, object] = {"body_method": "big_deal"}
    for number, scripts in enumerate(told.scripts, 1):
        for name, script in zip(NAMES, scripts, strict=True):
            answers[f"{name}/script#{number}"] = script
    sheets = {
        name: {
            "stats": {"Will": f"B{side.will}"},
            "attributes": {"Steel": "B4"},
            "skills": {"Oratory": f"B{side.oratory}", "Falsehood": f"B{side.falsehood}"},
        }
        for name, side in zip(NAMES, (one, other), strict=True)
    }
    sides = [{"character": name, "skill": "Oratory"} for name in NAMES]
    arguments = {"about": "the bridge", "sides": sides}
    run = play("duel_of_wits", arguments, table(**sheets), answers, told.rolls)
    facts = [event.fact for event in run.events if isinstance(event, Tell)]
    volleys = [(each.bodies, each.losses) for each in facts if isinstance(each, VolleyLosses)]
    assert volleys == told.volleys
    assert run.outcome.bodies == (one.body, other.body)
    assert run.outcome.heartbeats == told.heartbeats
    assert logged_by(run.table.character("ann")) == one.logged
    assert logged_by(run.table.character("bob")) == other.logged
