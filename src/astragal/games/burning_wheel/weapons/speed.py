"""Weapon speed: how often a weapon may Strike in an exchange.

Fast, slow and unwieldy (weapons.speed.three_classes). Scripts belong to Fight!; here is what a
weapon allows in one.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from astragal.errors import NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, note

from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import FIST, MeleeWeapon
from ..sheet.weapons_carried import to_strike_with
from .damage import way_to_strike

STRIKE, GREAT_STRIKE, SET = "Strike", "Great Strike", "Set"
STRIKES = (STRIKE, GREAT_STRIKE, "Block and Strike")
"""What counts as a Strike, a Block and Strike included (armor.block_and_strike.script)."""
NAMED = {name.casefold(): name for name in (*STRIKES, SET)}

MOST_ACTIONS = 40
"""No exchange has more; a longer script is a typing error."""


class WeaponAction(msgspec.Struct, frozen=True):
    """One action of an exchange, and the weapon it is made with, where it is made with one.

    ``weapon`` is what that one is called, for two may be of a kind.
    """

    action: str
    way: MeleeWeapon | None = None
    weapon: str = ""

    @property
    def strikes(self) -> bool:
        """Whether it counts as a Strike; the counterattack of a Counterstrike does not.

        weapons.amb.slow_counterstrike.
        """
        return self.action in STRIKES and self.way is not None


def check_speed(exchange: Sequence[WeaponAction]) -> None:
    """Refuse an exchange in which a weapon strikes more often than it can.

    What went before the exchange does not count (weapons.amb.slow_between_exchanges).
    """
    for at, scripted in enumerate(exchange):
        way = scripted.way
        if way is None or not scripted.strikes:
            continue
        if scripted.action == GREAT_STRIKE:
            check_great_strike(way)
        if way.speed == "slow":
            _check_slow(exchange, at, way)
        elif way.speed == "unwieldy":
            _check_unwieldy(exchange, at, way)
        # A fast weapon strikes without a limit (weapons.speed.fast).


def _check_slow(exchange: Sequence[WeaponAction], at: int, way: MeleeWeapon) -> None:
    """Never twice in a row (weapons.speed.slow).

    Any other action may come between, also a Strike with the hilt or with another weapon
    (weapons.speed.slow_filler).
    """
    before = exchange[at - 1] if at else None
    same = before is not None and (before.way, before.weapon) == (way, exchange[at].weapon)
    if before is not None and before.strikes and same:
        what = f"Action {at + 1}: the {way.name} is slow, so it cannot Strike twice in a row"
        raise NotAllowed(what, "weapons.speed.slow")


def _check_unwieldy(exchange: Sequence[WeaponAction], at: int, way: MeleeWeapon) -> None:
    """A Set before each Strike (weapons.speed.unwieldy, weapons.amb.unwieldy_set_each).

    Two before a Great Strike (weapons.speed.unwieldy_great_strike).
    """
    great = exchange[at].action == GREAT_STRIKE
    sets = 2 if great else 1
    before = exchange[max(0, at - sets) : at]
    if len(before) < sets or any(scripted.action != SET for scripted in before):
        rule = "weapons.speed.unwieldy" + ("_great_strike" if great else "")
        order = ", ".join((*(SET,) * sets, exchange[at].action))
        what = f"Action {at + 1}: the {way.name} is unwieldy, so script {order}"
        raise NotAllowed(what, rule)


def check_great_strike(way: MeleeWeapon) -> None:
    """Only weapons that are marked for it are for Great Strikes (weapons.melee.note_great_strike).

    Bare hands are left to Fight! (weapons.amb.great_strike_limit).
    """
    if not way.may_great_strike and way.name != FIST:
        what = f"The {way.name} cannot make a Great Strike"
        raise NotAllowed(what, "weapons.melee.note_great_strike")


def check_with_shield(way: MeleeWeapon) -> None:
    """A weapon that takes both hands leaves none for a shield (weapons.melee.note_two_handed)."""
    if not way.takes_a_shield:
        what = f"The {way.name} takes both hands, so it cannot be used with a shield"
        raise NotAllowed(what, "weapons.melee.note_two_handed")


# --- As a procedure ------------------------------------------------------------------------


class ScriptedAction(Arguments, frozen=True):
    """An action as a player writes it; Strikes without a weapon are made with the fist."""

    action: str
    weapon: str = ""
    way: str = ""


class StrikeScript(Arguments, frozen=True):
    """The actions of one exchange, in order, and whether a shield is on the arm."""

    character: str
    actions: tuple[ScriptedAction, ...]
    shield: bool = False


class StrikeScriptOutcome(Outcome, frozen=True):
    """A script that the weapons allow, and how many Strikes are in it."""

    actions: tuple[str, ...]
    strikes: int


def strike_script(arguments: StrikeScript, table: BurningTable) -> Play[StrikeScriptOutcome]:
    """Whether weapons allow the script of an exchange."""
    sheet = table.character(arguments.character)
    check_between("actions", len(arguments.actions), 1, MOST_ACTIONS, unit="actions")
    exchange: list[WeaponAction] = []
    for action in arguments.actions:
        named, way, called = action_named(action.action), None, ""
        if named in STRIKES or action.weapon:
            carried = to_strike_with(sheet, action.weapon)
            way, called = way_to_strike(carried, action.way, table.options), carried.called
            if arguments.shield:
                check_with_shield(way)
        exchange.append(WeaponAction(named, way, called))
    check_speed(exchange)
    actions = tuple(scripted.action for scripted in exchange)
    strikes = sum(scripted.strikes for scripted in exchange)
    text = f"{sheet.name} can script {', '.join(actions)}."
    yield from note(text, "weapons.speed.three_classes", sheet.seat(arguments.character))
    return StrikeScriptOutcome(actions, strikes)


def action_named(written: str) -> str:
    """An action as the rules of speed know it, however it is written; any other as it is.

    >>> action_named("great_strike"), action_named("Push")
    ('Great Strike', 'Push')
    """
    return NAMED.get(written.strip().replace("_", " ").casefold(), written)


PROCEDURES = (
    Procedure("strike_script", "Check a script for weapon speed", StrikeScript, strike_script),
)
