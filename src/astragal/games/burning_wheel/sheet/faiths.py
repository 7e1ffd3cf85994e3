"""Faith as a sheet and a scene have it: religions, answered prayers, stigmata, holy places.

What praying does is in ``magic/faith``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec

FAITH = "Faith"
NATURAL_MAGIC = ("air of gates", "black-metal artifice")
"""The natural magic that the book describes, in small letters."""


class FaithReach(Enum):
    """Whom the prayers of a faith touch (faith.setup.believer_or_infidel)."""

    EVERYONE = "everyone"
    BELIEVERS = "believers"


class RiteLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many priests may pray together in a rite or a prayer."""

    rite: str
    priests: int


class Religion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A faith as the group has settled it (faith.setup.idiom).

    ``stigmata`` are those for exponents 7, 8 and 9, in this order; of the ``prayers`` none means
    that all of the list work.
    """

    name: str
    idiom: str = ""
    reach: FaithReach = FaithReach.EVERYONE
    strictures: tuple[str, ...] = ()
    stigmata: tuple[str, ...] = ()
    prayers: tuple[str, ...] = ()
    rites: tuple[RiteLimit, ...] = ()


class Creed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The faith that a Belief states, by its number from 1, or that a trait is about."""

    faith: str
    belief: int = 0
    trait: str = ""


class AnsweredPrayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Blessing, an Aid that waits, or a Boon: for which ability, and by whose prayer.

    ``intent`` is what a Blessing or a Boon is for; a blessed ``thing`` works for whoever has it in
    hand. ``obstacle`` is that of the prayer.
    """

    prayer: str
    ability: str
    dice: int = 0
    by: str = ""
    intent: str = ""
    thing: str = ""
    obstacle: int = 0


LASTING_PRAYERS = ("blessing", "aid", "boon")
"""The prayers whose answers stay on a sheet until they are used."""


def answered_prayer_forms(values: Sequence[Any], abilities: Iterable[str]) -> list[Any]:
    """Answered prayers as people write them, written out.

    A Blessing is +1D unless more is said (faith.prayer.blessing); prayer and ability may be
    written in any case, those of the sheet being its ``abilities``.
    """
    known = {name.casefold(): name for name in abilities}
    found: list[Any] = []
    for value in values:
        if not isinstance(value, Mapping):
            found.append(value)
            continue
        said = dict(value)
        for field, names in (
            ("prayer", {each: each for each in LASTING_PRAYERS}),
            ("ability", known),
        ):
            if isinstance(said.get(field), str):
                said[field] = names.get(said[field].strip().casefold(), said[field])
        if said.get("prayer") == "blessing":
            said.setdefault("dice", 1)
        found.append(said)
    return found


class Stigma(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lasting mark of Faith, and the exponent that brought it."""

    exponent: int
    mark: str


class HolyPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A consecrated place, and the Faith of its priest at the time of the prayer."""

    place: str
    faith: int
    by: str = ""
    obstacle: int = 0
