"""Temperaments: how often somebody does what, as weights against each other.

For those who script without a person (``policies``), and for the scripts that a GM is offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from ...magic.faith.in_conflict import NO_PRAYER
from .card_runs import SHOOT, THROW
from .spells import INCANT

Weights: TypeAlias = Mapping[str, int]
"""How often each card comes up, against the others."""


class Temperament(msgspec.Struct, frozen=True):
    """How somebody fights: how they move, by the distance they are at, and what they do.

    ``inside`` are the actions of those whose weapon is too long for it. The next are for those
    who have the means: ``orders`` to a mount, each of the ``runs`` of cards for a spell or a shot,
    by its kind, and ``prayers``, of which there is one question in each volley. Against somebody
    who is plainly at a disadvantage ``opening`` comes in place of the cards, and
    ``opening_inside`` of those for the inside; without them it makes no difference.
    """

    moves: Mapping[str, Weights]
    cards: Weights
    inside: Weights
    orders: Weights
    runs: Weights
    prayers: Weights
    opening: Weights = {}
    opening_inside: Weights = {}


TEMPERAMENTS = {
    "fierce": Temperament(
        {
            "outside": {"close": 1},
            "lunging": {"close": 4, "maintain": 1},
            "optimal": {"maintain": 6, "close": 1},
            "inside": {"withdraw": 3, "maintain": 2},
        },
        {
            "strike": 12,
            "great_strike": 8,
            "block_and_strike": 6,
            "counterstrike": 3,
            "push": 2,
            "feint": 1,
            "charge_tackle": 1,
            "change_stance:aggressive": 1,
        },
        {"strike:hilt_or_pommel": 6, "push": 3, "throw_opponent": 3, "lock": 3, "strike": 2},
        {"order:charge": 8, "order:bite": 8, "order:push": 4},
        {INCANT: 16, SHOOT: 16, THROW: 12},
        {NO_PRAYER: 12, "aid": 3, "hindrance": 1},
    ),
    "careful": Temperament(
        {
            "outside": {"close": 3, "maintain": 1},
            "lunging": {"close": 2, "maintain": 3},
            "optimal": {"maintain": 8, "withdraw": 1},
            "inside": {"withdraw": 1},
        },
        {
            "counterstrike": 8,
            "strike": 8,
            "block": 5,
            "block_and_strike": 6,
            "avoid": 3,
            "beat_and_bind": 1,
            "change_stance:defensive": 1,
        },
        {"avoid": 4, "strike:hilt_or_pommel": 4, "push": 4, "counterstrike": 2},
        {"order:avoid": 5, "order:push": 3, "order:charge": 3, "order:bite": 2},
        {INCANT: 24, SHOOT: 24, THROW: 12},
        {NO_PRAYER: 8, "hindrance": 3, "aid": 1},
    ),
    "sly": Temperament(
        {
            "outside": {"close": 1},
            "lunging": {"close": 3, "maintain": 2},
            "optimal": {"maintain": 1},
            "inside": {"withdraw": 2, "maintain": 1},
        },
        {
            "strike": 10,
            "counterstrike": 8,
            "feint": 4,
            "push": 4,
            "great_strike": 3,
            "disarm": 1,
            "beat_and_bind": 1,
            "avoid": 1,
        },
        {"strike:hilt_or_pommel": 6, "throw_opponent": 5, "lock": 4, "push": 3},
        {"order:lock": 4, "order:throw": 4, "order:push": 4, "order:charge": 3},
        {INCANT: 20, SHOOT: 20, THROW: 12},
        {NO_PRAYER: 8, "hindrance": 4},
        opening={"strike": 8, "great_strike": 5, "counterstrike": 4},
        opening_inside={"strike:hilt_or_pommel": 6, "lock": 3},
    ),
}
"""The fierce close and strike, the careful defend first, the sly look for an opening and use it."""
