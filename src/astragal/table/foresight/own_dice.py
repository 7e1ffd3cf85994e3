"""A seat's own next dice where no odds can be told, because a sheet is not the seat's to read.

Odds would tell what is on that sheet. How many successes a seat's own dice come to is a question of
these dice alone, which their owner is about to take into the hand: it says nothing of the other
side, of the obstacle or of how the roll comes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from astragal.dice import Count, CountWithOnes, Distribution
from astragal.play import Roll, Seat
from astragal.table.foresight.card_view import walked_card
from astragal.table.foresight.odds import lies_open
from astragal.table.log.sentences import dice_words
from astragal.table.log.state import Campaign
from astragal.table.running.session import RunningProcedure
from astragal.table.secrecy.redaction import hidden_words_for

HALF = Fraction(1, 2)


def own_dice(
    running: RunningProcedure, campaign: Campaign, seat: Seat
) -> tuple[tuple[str, float], ...]:
    """How many successes each of the seat's next rolls has at least half the time.

    Each by what it is called, with the chance. Nothing where the card is secret, or where
    something on it is still open.
    """
    if not lies_open(running.procedure, seat):
        return ()
    card = walked_card(running, campaign, seat)
    if card.open_lines or card.refusal is not None:
        return ()
    hidden = hidden_words_for(campaign.standing, seat)
    mine = [roll for roll in card.rolls if roll.owner == seat and not hidden.is_in(roll.label)]
    return tuple(each for roll in mine for each in _likely(roll))


def _likely(roll: Roll) -> Iterator[tuple[str, float]]:
    found = roll.expression.distribution()
    if not all(isinstance(value, Count | CountWithOnes) for value in found.weights):
        return
    successes = found.map(lambda value: int(value.successes))
    wanted = max(successes.weights)
    while wanted > 1 and _at_least(successes, wanted) < HALF:
        wanted -= 1
    if wanted:
        dice = dice_words(roll.expression.notation)
        yield (
            f"{roll.label}, {dice}: {wanted} or more successes",
            float(_at_least(successes, wanted)),
        )


def _at_least(successes: Distribution[int], wanted: int) -> Fraction:
    return successes.where(lambda number: number >= wanted)
