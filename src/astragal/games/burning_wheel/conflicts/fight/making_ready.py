"""Making a shot ready in a fight: drawing, nocking, aiming, loading, and what that is in length.

A section of the chapter on Fight! (``conflicts/fight/fight``). These costs count only here; at a
distance shots belong to Range and Cover (fight.shoot.costs_only_in_melee).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import Line, Option, Step, note
from astragal.rules import catalogue

from ...sheet.ranged_weapons import is_bomb, is_missile, is_reloaded
from ...sheet.weapon_tables import FIST, Weapon, melee_lines
from ...sheet.words import counted
from ...weapons.loading import load, reload_actions
from ...weapons.shooting import is_bow
from .acts import broken_off, listed_cost, lost, spend
from .state import Fight, FightDeed, Preparation, in_hand

PREPARING = ("acquire_target", "aim", "nock_arrow", "draw_bow", "hold_bow", "reload")
"""The cards that make a shot ready."""

LOOSE = {"palm-sized rock": "Throw a stone", "chair": "Throw a chair"}
"""Things that lie about and can be thrown (fight.throw_object.thrown_weapon_rules)."""


WITH_A_WEAPON = (
    "strike",
    "great_strike",
    "block_and_strike",
    "counterstrike",
    "feint",
    "block",
    "disarm",
    "beat_and_bind",
)
"""Actions that are made with the weapon in hand."""


# --- Cards and costs -----------------------------------------------------------------------


def is_shooting(card: str) -> bool:
    """Whether a card makes a shot ready."""
    return card in PREPARING


def draw_cost(weapon: str) -> int:
    """How many actions it takes to draw a bow (fight.draw_bow.cost).

    >>> draw_cost("hunting bow"), draw_cost("great bow")
    (2, 4)
    """
    return listed_cost("Draw hunting bow" if weapon == "hunting bow" else "Draw long or great bow")


def shooting_cost(card: str, fight: Fight, character: str) -> int:
    """How many actions a part of shooting takes with what is in hand.

    Six from quiver to release with a hunting bow (fight.shoot.bow_total), two with a loaded
    crossbow or gun (fight.shoot.loaded_crossbow_total); to reload see fight.shoot.reload_totals.
    """
    weapon = in_hand(fight, character).weapon
    if card == "nock_arrow":  # fight.nock.cost
        return listed_cost("Nock arrow")
    if card == "draw_bow":
        return draw_cost(weapon)
    return reload_actions(weapon) if card == "reload" else 1


def shooting_cards(fight: Fight, character: str) -> tuple[Option, ...]:
    """The cards for shooting and throwing, with what a fighter has in hand."""
    carried = in_hand(fight, character)
    cards: list[Option] = []
    if is_missile(carried.weapon):
        if is_bow(carried.weapon):
            cards += [
                _card("nock_arrow", "Nock", "fight.nock.cost", fight, character),
                _card("draw_bow", "Draw the bow", "fight.draw_bow.cost", fight, character),
                Option("hold_bow", "Hold the draw", "fight.draw_bow.hold"),
            ]
        else:
            cards += [
                _card("reload", "Reload", "fight.reload.crossbow", fight, character),
                Option("acquire_target", "Acquire target", "fight.acquire.one_action"),
            ]
        cards += [
            Option("aim", "Aim", "fight.aim.bonus"),
            Option("release", "Shoot", "fight.release.one_action"),
        ]
        return tuple(cards)
    rule = "fight.throw_object.thrown_weapon_rules"
    if carried.weapon != FIST and not is_bomb(carried.weapon):
        cards.append(Option("throw_object", f"Throw the {carried.called}", rule))
    cards += [Option(f"throw_object:{thing}", label, rule) for thing, label in LOOSE.items()]
    cards += [
        Option("acquire_target", "Acquire target", "fight.acquire.one_action"),
        Option("aim", "Aim", "fight.aim.bonus"),
    ]
    return tuple(cards)


def _card(key: str, label: str, rule: str, fight: Fight, character: str) -> Option:
    cost = counted(shooting_cost(key, fight, character), "action")
    return Option(key, label, rule, cost=cost)


# --- How long a missile weapon is ----------------------------------------------------------


def is_ready_to_shoot(fight: Fight, character: str) -> bool:
    """Whether a fighter holds a loaded crossbow or gun, or a bow with an arrow nocked."""
    return _is_ready(in_hand(fight, character), nocked=fight.fighter(character).ready.nocked)


def _is_ready(carried: Weapon, *, nocked: bool) -> bool:
    if not is_missile(carried.weapon):
        return False
    return carried.loaded if is_reloaded(carried.weapon) else nocked


def throws(fight: Fight, character: str) -> bool:
    """Whether a fighter throws something in this volley."""
    return _is_throwing(fight.fighter(character).announced)


def _is_throwing(announced: tuple[str, ...]) -> bool:
    return any(card.startswith("throw_object") for card in announced)


def missile_length(fight: Fight, character: str) -> tuple[str, Line] | None:
    """The length of a missile for positioning, and the dice it gives against anything.

    What is thrown is a longest weapon, but gives one die however short the other is
    (fight.missile.thrown_length); a loaded bow or crossbow gives two
    (fight.missile.loaded_bow_length). None for what is a melee weapon just now, an unloaded bow
    among them, which is a club (fight.missile.unloaded_is_club).
    """
    own = fight.fighter(character)
    return length_as_missile(in_hand(fight, character), own.ready.nocked, own.announced)


def length_as_missile(
    carried: Weapon, nocked: bool, announced: tuple[str, ...]
) -> tuple[str, Line] | None:
    """The same of a weapon, in a volley of these cards.

    What is for throwing is a weapon like others in a volley in which it is used without being
    thrown (fight.position.weapon_used_must_act).
    """
    throws = _is_throwing(announced)
    kept = not throws and any(card in WITH_A_WEAPON for card in announced)
    return _length(carried, nocked, throws, kept)


@cache
def is_for_throwing(weapon: str) -> bool:
    """Whether something has no line of its own for melee, and is no bow, gun or bomb."""
    return not (melee_lines(weapon) or is_missile(weapon) or is_bomb(weapon))


@lru_cache(1024)
def _length(carried: Weapon, nocked: bool, thrown: bool, kept: bool) -> tuple[str, Line] | None:
    dice = catalogue().table("fight.table.positioning_dice")
    if _is_ready(carried, nocked=nocked):
        amount = dice.number("dice", source="loaded bow or crossbow")
        return "longest", Line(amount, carried.called, "fight.missile.loaded_bow_length")
    if thrown or (is_for_throwing(carried.weapon) and not kept):
        amount = dice.number("dice", source="thrown weapon")
        return "longest", Line(amount, "thrown", "fight.missile.thrown_length")
    return None


# --- Making ready --------------------------------------------------------------------------


def prepare_shot(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """One action toward a shot."""
    fight = broken_off(fight, deed) if deed.card in ("nock_arrow", "reload") else fight
    match deed.card:
        case "acquire_target":
            return (yield from _acquire(fight, deed))
        case "aim":
            return (yield from _aim(fight, deed))
        case "hold_bow":
            return (yield from _hold(fight, deed.character))
        case "nock_arrow":
            return (yield from _nock(fight, deed))
        case "draw_bow":
            return (yield from _draw(fight, deed))
        case _:
            return (yield from _reload(fight, deed))


def _becomes(fight: Fight, character: str, ready: Preparation) -> Fight:
    return fight.change(character, ready=ready)


def target_of(fight: Fight, deed: FightDeed) -> str:
    """Whom a shot is for: as announced, as acquired, or else the first opponent."""
    acquired = fight.fighter(deed.character).ready.target
    return deed.target or acquired or next(iter(fight.opponents(deed.character)), "")


def _acquire(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Raise, level, point: one action; the shot may follow on the next (fight.acquire.one_action).

    Not needed with a bow (fight.acquire.not_for_bows).
    """
    target = target_of(fight, deed)
    if not target:
        return (yield from lost(fight, deed.character, "no target", "fight.acquire.one_action"))
    ready = fight.fighter(deed.character).ready
    now = msgspec.structs.replace(ready, target=target, aimed=0, act="", done=0)
    return _becomes(fight, deed.character, now)


def _aim(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Each action of aiming at an acquired target is a die (fight.aim.bonus).

    For as many as half the Perception, rounded up (fight.aim.limit).
    """
    character = deed.character
    ready = fight.fighter(character).ready
    if not ready.target:
        return (yield from lost(fight, character, "no target acquired", "fight.aim.bonus"))
    perception = fight.sheet(character).ability("Perception", "stats.Perception").exponent
    if ready.aimed >= (perception + 1) // 2:
        fight = yield from lost(fight, character, "no better aim to be had", "fight.aim.limit")
    else:
        aimed = msgspec.structs.replace(ready, aimed=ready.aimed + 1)
        fight = _becomes(fight, character, aimed)
    return (yield from _hold(fight, character)) if ready.drawn else fight


def _hold(fight: Fight, character: str) -> Step[Fight]:
    """Power says how many actions a bow can be kept drawn (fight.draw_bow.hold)."""
    ready = fight.fighter(character).ready
    if not ready.drawn:
        return (yield from lost(fight, character, "no bow drawn", "fight.draw_bow.hold"))
    held = ready.drawn + 1 - draw_cost(in_hand(fight, character).weapon)
    if held <= fight.sheet(character).ability("Power", "stats.Power").exponent:
        return _becomes(fight, character, msgspec.structs.replace(ready, drawn=ready.drawn + 1))
    text = f"{fight.name(character)} cannot hold the bow any longer and lets it down."
    yield from note(text, "fight.draw_bow.hold")
    return _becomes(fight, character, Preparation(nocked=True))


def _nock(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """From the quiver to the string: three actions (fight.nock.cost).

    The arrow may then stay there, undrawn (fight.nock.prep).
    """
    character, rule = deed.character, "fight.nock.cost"
    if not is_bow(in_hand(fight, character).weapon):
        return (yield from lost(fight, character, "no bow in hand", rule))
    if fight.fighter(character).ready.nocked:
        return (yield from lost(fight, character, "an arrow is already nocked", rule))
    fight, left = spend(fight, character, "nock_arrow", listed_cost("Nock arrow"))
    if left:
        return fight
    yield from note(f"{fight.name(character)} has nocked an arrow.", rule)
    return _becomes(fight, character, Preparation(nocked=True))


def _draw(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Draw a bow, and acquire the target with it (fight.draw_bow.cost, fight.acquire.not_for_bows).

    Who stops one action short of it can still shoot, at a target that is not acquired
    (fight.draw_bow.snapshot).
    """
    character, rule = deed.character, "fight.draw_bow.cost"
    ready = fight.fighter(character).ready
    if not is_bow(in_hand(fight, character).weapon) or not ready.nocked:
        return (yield from lost(fight, character, "no arrow nocked", rule))
    cost = draw_cost(in_hand(fight, character).weapon)
    if ready.drawn >= cost:
        return (yield from _hold(fight, character))
    drawn = ready.drawn + 1
    target = target_of(fight, deed) if drawn == cost else ""
    return _becomes(fight, character, msgspec.structs.replace(ready, drawn=drawn, target=target))


def _reload(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Span and load a crossbow, or load a gun, action by action (fight.reload.crossbow)."""
    character, carried = deed.character, in_hand(fight, deed.character)
    rule = "fight.shoot.reload_totals"
    if not is_reloaded(carried.weapon) or carried.loaded:
        return (yield from lost(fight, character, "nothing to reload", rule))
    fight, left = spend(fight, character, "reload", reload_actions(carried.weapon))
    if left:
        return fight
    yield from note(f"{fight.name(character)} has reloaded the {carried.called}.", rule)
    return fight.at((yield from load(fight.table, character, carried)))
