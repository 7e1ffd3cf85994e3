"""Fights without people: every one of them comes to an end."""

from __future__ import annotations

from collections import Counter

import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
)
from astragal.games.burning_wheel.conflicts.fight.policies import simulate, stopped
from astragal.games.burning_wheel.conflicts.fight.script import ask_script
from astragal.games.burning_wheel.conflicts.fight.scripters import (
    by_heart,
    by_temperament,
)
from astragal.play import Ask
from games.burning_wheel.in_a_fight import FIGHTER, fight


class GoesOn(Exception):
    """A fight that ought to be over by now."""


def ends(ann, bob, at, within):
    """How a fight ends in which nobody writes more scripts than that."""
    written = Counter()

    def counted(scripter):
        def script(ask: Ask):
            written[ask.seat] += 1
            if written[ask.seat] > within:
                raise GoesOn
            return scripter(ask)

        return script

    sides = tuple(FightSide((ArmedFighter(name),)) for name in ("ann", "bob"))
    scripters = {"ann": counted(ann), "bob": counted(bob)}
    start = StartFight(sides, "nothing", rehearsal=True)
    return next(simulate(start, at.table, scripters, Seeded("e")))


NEARLY_DOWN = {"wounds": ["light", "light", "light", "superficial"]}


def test_those_whose_wounds_leave_them_one_action_do_not_try_to_meet_for_ever():
    chance = Seeded("w")
    careful, sly = by_temperament("careful", chance), by_temperament("sly", chance)
    outcome = ends(careful, sly, fight(ann=NEARLY_DOWN, bob=NEARLY_DOWN), 60)
    assert (outcome.settled, outcome.winner) == ("gave_up", None)
    assert [each.state for each in outcome.fighters] == ["left", "left"]


DEFENCE = ("close", "block", "block", "maintain", "block", "maintain", "block")


def test_those_who_only_defend_stop_at_last():
    outcome = ends(by_heart(DEFENCE), by_heart(DEFENCE), fight(), 40)
    assert (outcome.settled, outcome.winner, outcome.exchanges) == ("gave_up", None, 40)


@pytest.mark.parametrize(
    ("exchange", "wounds", "stops"),
    [(29, ["light"], False), (30, ["light"], True), (39, [], False), (41, [], True)],
)
def test_the_wounded_give_up_a_long_fight_and_the_others_a_very_long_one(exchange, wounds, stops):
    question = ask_script(fight(ann={"wounds": wounds}, exchange=exchange), "ann").question
    assert ("give_up" in (stopped(question) or ())) is stops


def test_who_has_no_action_left_can_still_give_up():
    none = {**FIGHTER["attributes"], "Reflexes": "B0"}
    at = fight(ann={"attributes": none}, bob={"attributes": none}, exchange=41)
    assert stopped(ask_script(at, "ann").question) == ("give_up",) * 3
    outcome = ends(by_heart(MAINTAINED), by_heart(MAINTAINED), at, 40)
    assert (outcome.settled, outcome.winner) == ("gave_up", None)


MAINTAINED = ("maintain",) * 3
