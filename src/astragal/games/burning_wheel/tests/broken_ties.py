"""Ties between two rolls that are compared in a conflict, and the traits that break them.

A section of the chapter on tests (``tests/tests``). What an unbroken tie comes to is for each
conflict to say (``tests.table.ties_by_conflict``).
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from astragal.play import Step

from ..artha.on_a_roll import ArthaAtHand, ThrownDice, without
from .attempts import Attempt
from .versus_verdict import VersusContest, call_ons

D = TypeVar("D", ThrownDice, ThrownDice | None)
"""The dice of a side; one may have had none to throw."""


def break_tie(
    attempts: tuple[Attempt, Attempt], throws: tuple[D, D]
) -> Step[tuple[int | None, tuple[D, D]]]:
    """Which of two sides a trait lets win a tie, if one does, and the throws with the traits used.

    beliefs.trait.call_on.break_tie; two of them offset each other
    (tests.amb.tie_trait_against_defender).
    """
    hands = tuple(
        _not_called_yet(each.hand, thrown) for each, thrown in zip(attempts, throws, strict=True)
    )
    contest = VersusContest(attempts, (True, True), (None, None), ("", ""), 0)
    called = yield from call_ons(contest, hands, [0, 1])
    both = (_called(throws[0], 0, called), _called(throws[1], 1, called))
    return (called[0][0] if len(called) == 1 else None), both


def _called(thrown: D, side: int, called: tuple[tuple[int, str], ...]) -> D:
    """The dice of a side with the traits that it has called on."""
    traits = tuple(trait for whose, trait in called if whose == side)
    if thrown is None or not traits:
        return thrown
    return msgspec.structs.replace(thrown, called=thrown.called + traits)


def _not_called_yet(hand: ArthaAtHand, thrown: ThrownDice | None) -> ArthaAtHand:
    """The traits that can still break a tie; none without a roll to call on them for."""
    if thrown is None:
        return ArthaAtHand()
    for trait in thrown.called:
        hand = without(hand, trait)
    return hand
