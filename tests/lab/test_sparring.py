"""The sparring partner: what it wins falls with the dial, and its scripts fit what is asked."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.duel_of_wits.challenge import DuelSide
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits, duel_of_wits
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import answers_of
from astragal.games.game import Table
from astragal.lab.duel_draws import BestScripts, DuelDraws
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from astragal.lab.sparring import SparringPartner, SparringScripts, SpeakerTemperament, habit
from astragal.play import Script, Session, by, then
from lab.duels import DEBATE, small_hall

RUNS = 60_000


@pytest.fixture(scope="module")
def solved() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(), Payoff.WIN, (3, 3))


@pytest.mark.parametrize("temperament", SpeakerTemperament)
def test_what_it_wins_against_the_best_play_falls_evenly_with_the_dial(solved, temperament):
    draws, best = DuelDraws(solved.game), BestScripts(solved, 1)

    def worth(dial: int) -> float:
        mine = SparringScripts(solved, 0, dial, temperament)
        wins, _, ties = draws.draw(RUNS, (mine, best), 11).wins
        return (wins + ties / 2) / RUNS

    worths = [worth(dial) for dial in range(100, -1, -20)]
    assert worths[0] == pytest.approx(0.5, abs=4 * 0.5 / RUNS**0.5)
    steps = [more - less for more, less in pairwise(worths)]
    evenly = (worths[0] - worths[-1]) / 5
    assert evenly > 0.02
    assert all(0.5 * evenly < step < 1.6 * evenly for step in steps)


def test_a_temperament_has_its_favourite_cards():
    cards = ("avoid", "dismiss", "feint", "incite", "obfuscate", "point", "rebuttal")
    bold = dict(zip(cards, habit(cards, SpeakerTemperament.BOLD), strict=True))
    assert bold["point"] == bold["dismiss"] == pytest.approx(4 / 13)
    assert habit(cards, SpeakerTemperament.ANY).tolist() == pytest.approx([1 / 7] * 7)
    assert all(
        set(temperament.cards) <= set(cards) and habit(cards, temperament).sum() == pytest.approx(1)
        for temperament in SpeakerTemperament
    )


def test_a_dial_beyond_its_ends_is_refused(solved):
    with pytest.raises(BadInput, match="merciless"):
        SparringScripts(solved, 0, 101)


def test_it_scripts_a_whole_duel_from_its_own_side_alone(solved):
    """Bob is the partner; Ann only avoids."""
    hall = small_hall()
    alone = {
        name: msgspec.structs.replace(sheet, player=name) for name, sheet in hall.characters.items()
    }
    table = Table(alone, hall.scene, hall.options)
    arguments = DuelOfWits(
        "it", (DuelSide("ann", "Rhetoric"), DuelSide("bob", "Rhetoric")), rehearsal=True
    )
    partner = SparringPartner("bob", 1, 100, SpeakerTemperament.ANY, lambda duel: solved, 3)
    session = Session(then(duel_of_wits, arguments, table), by(Seeded("spar")))
    others = answers_of({"ann": lambda ask: ("avoid",) * ask.question.slots})
    written = 0
    while session.waiting:
        ask = session.waiting[0]
        own = partner.answer(session.state, ask)
        assert (own is not None) == (ask.seat == "bob" and isinstance(ask.question, Script))
        if own is None and ask.key == "body_method":
            own = "big_deal"
        if ask.seat == "bob" and isinstance(ask.question, Script):
            written += 1
            assert len(own) == ask.question.slots
        session.answer(ask.seat, others(ask) if own is None else own)
    assert written >= 1
    assert session.result.winner == "bob"  # nobody wins by avoiding


def test_merciless_it_plays_only_what_the_solution_plays(solved):
    scripts = SparringScripts(solved, 0, 100)
    start = (3 * 4 + 3) * len(solved.positions)
    drawn = set(scripts.draw(np.full(200, start), np.random.default_rng(1)).tolist())
    assert drawn <= set(solved.mix(0, (3, 3)).scripts)
