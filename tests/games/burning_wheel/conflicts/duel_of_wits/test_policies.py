"""Scripting without a person: by heart, at random, greedily; and whole duels by that."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.burning_wheel.conflicts.duel_of_wits.challenge import DuelSide
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import (
    answers_of,
    at_random,
    by_heart,
    greedily,
    greedy_for,
    simulate,
)
from astragal.play import Ask, Option, PickOne, Script, Text
from games.burning_wheel.dueling import hall, speaker

CARDS = tuple(Option(key=key, label=key) for key in actions())


def script(slots: int = 3, seat: str = "ann") -> Ask:
    return Ask(seat, "script", "?", Script(cards=CARDS, slots=slots), "r", secret=True)


def test_by_heart_are_always_the_same_cards_and_after_a_lost_volley_the_last_of_them():
    scripter = by_heart(("point", "rebuttal", "dismiss"))
    assert scripter(script()) == ("point", "rebuttal", "dismiss")
    assert scripter(script(2)) == ("rebuttal", "dismiss")


@pytest.mark.parametrize("cards", [("point",), ("point",) * 4, ("point", "shout", "point")])
def test_what_is_no_script_cannot_be_learned_by_heart(cards):
    with pytest.raises(BadInput, match="script"):
        by_heart(cards)


def test_at_random_every_action_is_as_likely_as_any_other():
    scripter = at_random(Seeded("cards"))
    seen = Counter(card for _ in range(2000) for card in scripter(script()))
    assert set(seen) == set(actions())
    assert all(abs(count - 6000 / 7) < 5 * (6000 * 6 / 49) ** 0.5 for count in seen.values())


def test_greedily_a_poor_liar_and_good_orator_makes_points():
    at = hall(ann=speaker("Persuasion B6", will="B3"), bob=speaker("Oratory B3"))
    debate = Debate("it", (Speaker("ann", "Persuasion"), Speaker("bob", "Oratory")))
    mine = greedily(debate, 0, at)(script())
    assert "point" in mine
    # Will 3 makes a poor Avoid, and there is nothing to Feint with.
    assert not {"avoid", "feint", "incite"} & set(mine)
    assert len(greedily(debate, 1, at)(script(2))) == 2


def test_the_greedy_scripter_chooses_the_skill_as_the_duel_would():
    at = hall(ann=speaker("Persuasion B3", "Rhetoric B6"), bob=speaker("Oratory B3"))
    arguments = DuelOfWits("it", (DuelSide("ann"), DuelSide("bob")))
    named = DuelOfWits("it", (DuelSide("ann", "Rhetoric"), DuelSide("bob", "Oratory")))
    assert greedy_for(arguments, 0, at)(script()) == greedy_for(named, 0, at)(script())


def test_everything_else_takes_its_default_or_is_said_somehow():
    answer = answers_of({"ann": by_heart(("point",) * 3)})
    assert answer(script()) == ("point",) * 3
    assert answer(Ask("ann", "speech", "?", Text(required=True), "r")) == "..."
    one = PickOne(options=CARDS, default="avoid")
    assert answer(Ask("ann", "x", "?", one, "r")) == "avoid"


def test_whole_duels_follow_one_another_and_points_beat_feints():
    at = hall(ann=speaker("Oratory B5"), bob=speaker("Oratory B5", "Falsehood B5"))
    arguments = DuelOfWits("it", (DuelSide("ann"), DuelSide("bob")), rehearsal=True)
    scripters = {"ann": by_heart(("point",) * 3), "bob": by_heart(("feint",) * 3)}
    outcomes = list(islice(simulate(arguments, at, scripters, Seeded(1), body="big_deal"), 50))
    assert all(outcome.winner == "ann" for outcome in outcomes)
    assert all(outcome.started == (10, 10) for outcome in outcomes)
    assert all(outcome.concession == "none" for outcome in outcomes)


def test_a_body_that_there_is_not_is_refused():
    arguments = DuelOfWits(
        "it", (DuelSide("ann", "Oratory"), DuelSide("bob", "Oratory")), rehearsal=True
    )
    scripters = {name: by_heart(("point",) * 3) for name in ("ann", "bob")}
    with pytest.raises(BadInput, match="body_method"):
        next(simulate(arguments, hall(), scripters, Seeded(1), body="huge"))
