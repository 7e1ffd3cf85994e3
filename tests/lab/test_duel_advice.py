"""Advice by what one side knows: a sheet that may not be read is assumed, and not looked at."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel, DuelTerms
from astragal.games.game import Table
from astragal.lab.duel_advice import ShownExponents, as_known, assumed_sheet, best_mix
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import solve_duel
from lab.duels import DEBATE, small_hall


def duel_in(hall, debate: Debate = DEBATE, bodies: tuple[int, int] = (3, 3)) -> Duel:
    terms = DuelTerms("", "")
    return Duel(debate, (terms, terms), (), "", (3, 3), bodies, hall)


def test_an_assumed_sheet_has_ones_own_abilities_but_for_what_was_shown():
    ann = small_hall(ann=4, wills=(3, 1)).character("ann")
    hurt = msgspec.structs.replace(ann, staggered=True, concept="a liar")
    bob = assumed_sheet(hurt, "Bob", "Rhetoric", ShownExponents(will=5, skill=2))
    found = {name: bob.ability(name).exponent for name in ("Will", "Rhetoric", "Ugly Truth")}
    assert found == {"Will": 5, "Rhetoric": 2, "Ugly Truth": 4}
    assert (bob.name, bob.staggered, bob.concept) == ("Bob", False, "")
    alike = assumed_sheet(ann, "Bob", "Rhetoric", ShownExponents())
    assert (alike.stats, alike.skills) == (ann.stats, ann.skills)


def test_a_sheet_that_may_not_be_read_is_not_needed():
    hall = small_hall(bob=6)
    debate = Debate("it", (Speaker("ann", "Rhetoric", ("bob",)), Speaker("bob", "Etiquette")))
    only_ann = Table({"ann": hall.character("ann")}, hall.scene, hall.options)
    known = as_known(duel_in(hall, debate), 0, only_ann, ShownExponents(will=2))
    assert known.debate.speakers == (Speaker("ann", "Rhetoric"), Speaker("bob", "Rhetoric"))
    assert known.table.character("bob").ability("Will").exponent == 2
    assert known.table.character("bob").ability("Etiquette").exponent == 2
    assert known.bodies == (3, 3)


def test_one_that_may_be_read_counts_as_it_is():
    hall = small_hall(bob=6)
    known = as_known(duel_in(hall), 1, hall, None)
    assert known.table.character("bob") == hall.character("bob")
    assert known.debate == DEBATE


def test_the_best_mix_is_worth_what_the_other_side_lacks():
    hall = small_hall()
    solved = solve_duel(DEBATE, hall, Payoff.WIN, (3, 3))
    duel = duel_in(hall, bodies=(3, 1))
    (mine, scripts), (other, answers) = (best_mix(solved, side, duel, (0, 0)) for side in (0, 1))
    assert mine > 0.5
    assert mine + other == pytest.approx(1)
    for mix in (scripts, answers):
        assert sum(share for _, share in mix) == pytest.approx(1)
        assert [share for _, share in mix] == sorted((s for _, s in mix), reverse=True)
    lost, _ = best_mix(solved, 0, duel, (0, 1))
    assert lost > mine
    _, shorter = best_mix(solved, 1, duel, (0, 1))
    assert {len(cards) for cards, _ in shorter} == {2}
    assert len({cards for cards, _ in shorter}) == len(shorter)
