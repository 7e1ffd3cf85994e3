"""The eight field maneuvers, and what happens when two of them meet.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). There is no
branch for any pair: ``range_and_cover.table.maneuver_matrix`` says in closed codes who tests what,
what becomes of the range, and who may shoot; here its rows are read.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

import msgspec

from astragal.play import Option
from astragal.rules import catalogue

CLOSE, WITHDRAW, MAINTAIN = "close", "withdraw", "maintain"

RUN_BY = ("speed_withdraw", "steel_withdraw")
"""How somebody runs screaming (range_and_cover.hesitate.run.maneuver)."""

STANDING = "speed_maintain"
"""What a side that cannot act counts as (range_and_cover.amb.hesitation_margin)."""

OBSERVING = "observation_maintain"
"""The row of a Perception Maintain that is made with Observation."""


class Tested(Enum):
    """What a side tests."""

    SPEED = "speed"
    STEALTHY = "stealthy"
    AUTOMATIC = "stealthy_automatic"
    STEEL = "steel"
    PERCEPTION = "perception"
    OBSERVATION = "observation"

    @property
    def ability(self) -> str:
        """The ability on the sheet."""
        return self.value.partition("_")[0].capitalize()


class Shooting(Enum):
    """What a side may shoot, and at what price."""

    NONE = "none"
    PAID = "paid"
    FREE = "free"
    FREE_OR_DUCK = "free_or_duck"


class FieldManeuver(msgspec.Struct, frozen=True):
    """One row of ``range_and_cover.table.maneuvers``."""

    key: str
    intent: str
    ability: str
    bonus: int
    cost: int
    keeps_cover: bool
    special: tuple[str, ...]

    @property
    def label(self) -> str:
        """What people call it."""
        return self.key.replace("_", " ").title()

    @property
    def is_steel(self) -> bool:
        """Whether it is made by nerve alone."""
        return "own_hesitation" in self.special

    @property
    def is_stealthy(self) -> bool:
        """Whether it is made unseen."""
        return "automatic_exponent" in self.special

    @property
    def holds_ground(self) -> bool:
        """Whether it uses prepared defences (range_and_cover.fort.maintain_only)."""
        return "fortification_dice" in self.special


def maneuvers() -> tuple[str, ...]:
    """All of them (range_and_cover.script.maneuver_families).

    >>> len(maneuvers())
    8
    """
    return tuple(map(str, catalogue().table("range_and_cover.table.maneuvers").column("maneuver")))


@cache
def maneuver(key: str) -> FieldManeuver:
    """A maneuver by its key; the one with Observation is the one with Perception."""
    name = "perception_maintain" if key == OBSERVING else key
    row = catalogue().table("range_and_cover.table.maneuvers").where(maneuver=name)
    special = row["special_codes"]
    assert isinstance(special, tuple | list)
    return FieldManeuver(
        key,
        str(row["intent"]),
        str(row["ability_code"]),
        row.number("bonus_dice"),
        row.number("action_cost"),
        row["cover_dice_after"] == "kept",
        tuple(map(str, special)),
    )


_NOTES = {
    "speed_close": ("range_and_cover.speed_close.test", "come nearer, running"),
    "stealthy_close": (
        "range_and_cover.stealthy_close.automatic",
        "come nearer unseen; the exponent is automatic",
    ),
    "steel_close": (
        "range_and_cover.steel_close.test",
        "come nearer in the open; the opponent always shoots",
    ),
    "speed_withdraw": (
        "range_and_cover.speed_withdraw.test",
        "fall back, +2D; actions cost three",
    ),
    "stealthy_withdraw": ("range_and_cover.stealthy_withdraw.test", "fall back unseen"),
    "steel_withdraw": (
        "range_and_cover.steel_withdraw.test",
        "fall back in the open; the opponent always shoots",
    ),
    "speed_maintain": ("range_and_cover.speed_maintain.test", "hold the range on the move"),
    "perception_maintain": (
        "range_and_cover.perception_maintain.test",
        "hold the range and watch; open-ended",
    ),
}


def card(key: str) -> Option:
    """A maneuver as a card of a script."""
    rule, note = _NOTES[key]
    return Option(key, maneuver(key).label, rule, note=note)


# --- Two maneuvers ---------------------------------------------------------------------------

MINE, TIED, THEIRS = 0, 1, 2


class ManeuverPair(msgspec.Struct, frozen=True):
    """Two maneuvers in one volley; of three results the first is that side 0 wins, then a tie."""

    tests: tuple[Tested, Tested]
    ranges: tuple[str, str, str]
    shots: tuple[tuple[Shooting, Shooting], ...]


class _Row(msgspec.Struct, frozen=True):
    i_test_code: Tested
    they_test_code: Tested
    range_if_i_win_code: str
    range_on_tie_code: str
    range_if_they_win_code: str
    shots_if_i_win_codes: tuple[Shooting, Shooting]
    shots_on_tie_codes: tuple[Shooting, Shooting]
    shots_if_they_win_codes: tuple[Shooting, Shooting]


@cache
def meeting(mine: str, theirs: str) -> ManeuverPair:
    """The row of two maneuvers.

    >>> meeting("speed_close", "speed_close").ranges
    ('i_advance', 'both_advance', 'they_advance')
    """
    table = catalogue().table("range_and_cover.table.maneuver_matrix")
    row = table.where(mine=mine, theirs=theirs).as_struct(_Row)
    return ManeuverPair(
        (row.i_test_code, row.they_test_code),
        (row.range_if_i_win_code, row.range_on_tie_code, row.range_if_they_win_code),
        (row.shots_if_i_win_codes, row.shots_on_tie_codes, row.shots_if_they_win_codes),
    )


_RULES = (
    ("speed_close", ("range_and_cover.close.purpose", "range_and_cover.speed_close.test")),
    (
        "stealthy_close",
        ("range_and_cover.close.purpose", "range_and_cover.stealthy_close.automatic"),
    ),
    ("steel_close", ("range_and_cover.close.purpose", "range_and_cover.steel_close.test")),
    ("speed_withdraw", ("range_and_cover.withdraw.purpose", "range_and_cover.speed_withdraw.test")),
    ("stealthy_withdraw", ("range_and_cover.stealthy_withdraw.test",)),
    ("steel_withdraw", ("range_and_cover.steel_withdraw.test",)),
    ("speed_maintain", ("range_and_cover.speed_maintain.effect",)),
    ("perception_maintain", ("range_and_cover.perception_maintain.effect",)),
    (OBSERVING, ("range_and_cover.perception_maintain.observation",)),
)


@cache
def rules_of(mine: str, theirs: str) -> tuple[str, ...]:
    """The rules of two maneuvers that meet."""
    known = dict(_RULES)
    return tuple(dict.fromkeys((*known[mine], *known[theirs])))
