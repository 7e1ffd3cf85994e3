"""Artha before the roll: Divine Inspiration and Boons, declared before the dice are thrown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from astragal.play import AskKind, Line, Number, Option, Seat, Step, ask, choose, confirm

from ..sheet.editions import REVISED, Edition
from ..sheet.parts import Artha
from ..sheet.sheet import Rated
from .on_a_roll import ArthaAtHand

NOTHING_GONE: Mapping[str, int] = MappingProxyType({})
"""Every exponent is as it is written."""


class Boost(msgspec.Struct, frozen=True):
    """What was bought before the roll: dice, and what is left for afterwards.

    ``inspired`` is the ability beside the tested one, if that one was doubled.
    """

    lines: tuple[Line, ...]
    hand: ArthaAtHand
    spent: Artha
    inspired: Rated | None = None


def before_roll(
    seat: Seat,
    tested: Rated,
    held: ArthaAtHand,
    *,
    beside: Rated | None = None,
    gone: Mapping[str, int] = NOTHING_GONE,
    equipment: bool = False,
    played: Edition = REVISED,
    whose: str = "",
    in_passing: bool = False,
) -> Step[Boost]:
    """Offer Divine Inspiration and a Boon, both declared ahead of the roll.

    artha.divine_inspiration.timing, artha.boon.timing; on any ability (artha.spend.any_ability).
    ``beside`` is a second ability rolled with the first, as Will is with Sorcery; ``gone`` has the
    dice by which the exponent of an ability is lower for the time; ``equipment``
    marks the dice of armor and the like; ``whose`` roll it is stands in the question where one
    player may be asked for several. The later edition doubles the exponent of whatever is
    tested, without exception (gold.tests.deeds_double, gold.diff.deeds_double_scope). On a roll
    ``in_passing`` nobody is waited for.
    """
    kind: AskKind = "aside" if in_passing else "offered"
    left, lines = held.artha, []
    inspired: Rated | None = None
    if not played.inspiration_has_exceptions:
        beside, equipment = None, False
    if left.deeds and not equipment:  # artha.divine_inspiration.not_reflexes_or_equipment
        doubled = yield from _double(seat, tested, beside, gone, kind)
        if doubled is not None:
            # Only the written exponent is doubled; every other die is added as it is
            # (artha.divine_inspiration.base_only), and the second deeds point is for
            # Saving Grace alone (artha.spend.two_deeds). What Tax has lowered is doubled as it is
            # (artha.amb.divine_inspiration_and_penalties).
            label = f"Divine Inspiration: {doubled.name}"
            amount = max(0, doubled.exponent - gone.get(doubled.name, 0))
            lines.append(Line(amount, label, "artha.divine_inspiration.effect"))
            left -= Artha(deeds=1)
            inspired = None if doubled.path == tested.path else doubled
    if left.persona:
        points = yield from ask(
            seat,
            "boon",
            f"{whose}, {tested.name}: Boon, +1D for each persona"
            if whose
            else "Boon: +1D for each persona",
            Number(least=0, most=left.persona, default=0),
            because="artha.boon.effect",
            kind=kind,
        )
        if points:
            lines.append(Line(points, "Boon", "artha.boon.effect"))
            left -= Artha(persona=points)
    spent = held.artha - left
    # One Saving Grace at most: a second deeds point left over has no use on this roll.
    left = msgspec.structs.replace(left, deeds=min(left.deeds, 1))
    return Boost(tuple(lines), msgspec.structs.replace(held, artha=left), spent, inspired)


def _double(
    seat: Seat, tested: Rated, beside: Rated | None, gone: Mapping[str, int], kind: AskKind
) -> Step[Rated | None]:
    """Which ability is doubled, if any: of two that are rolled together only one.

    artha.divine_inspiration.sorcery.
    """
    if beside is None:
        more = max(0, tested.exponent - gone.get(tested.name, 0))
        wanted = yield from confirm(
            seat,
            "divine_inspiration",
            f"Divine Inspiration: 1 deeds point to double {tested.name} (+{more}D)?",
            default=False,
            because="artha.divine_inspiration.effect",
            kind=kind,
        )
        return tested if wanted else None
    rule = "artha.divine_inspiration.sorcery"
    neither = Option(key="neither", label="Neither", rule=rule)
    options = tuple(
        Option(key=each.name, label=f"Double {each}", rule=rule, cost="1 deeds")
        for each in (tested, beside)
    )
    chosen = yield from choose(
        seat,
        "divine_inspiration",
        "Divine Inspiration: 1 deeds point to double one ability?",
        (neither, *options),
        default="neither",
        because=rule,
        kind=kind,
    )
    return {tested.name: tested, beside.name: beside}.get(chosen)
