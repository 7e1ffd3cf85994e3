"""One action against another, at a distance and in a stance: for planning a script, and for odds.

A section of the chapter on Fight! (``conflicts/fight/fight``). What meets what is played as in the
fight itself, up to armor and wounds; nothing is left of it.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, call, note, rehearse, then, unheard

from ...armor.block_and_strike import Stance
from ...conditions.mounted import mount_of
from ...sheet.ranged_weapons import is_missile
from ...sheet.scene import BurningTable
from ...sheet.weapon_tables import FIST, SHIELD, ways
from ...sheet.weapons_carried import armed_with
from ...weapons.damage import Damage
from ...weapons.missiles import head_of
from .clash import IncomingResult, throw_moment
from .consequences import MomentEffect, apply_effects
from .distance import Distance, gap_for
from .getting_ready import ESCAPE, ReadyMoment, make_ready
from .grappling import loosen
from .interactions import HESITATING, NO_ACTION, actors, columns
from .moment import SHOOT, escapes, settle, tell_rolls
from .shots import shoot
from .state import Fight, FightDeed, FightingCharacter, Gap, Lock, Positioning, Posture, Preparation
from .weapon_in_hand import others_at_hand, way_in_hand


class ActionSide(Arguments, frozen=True):
    """A fighter with one action: a key of the table of actions, ``hesitating`` or ``no_action``.

    Or ``escape_lock``, for one who is ``locked`` and struggles with so many dice of a Lock. Without
    a ``weapon`` it is the bare fist; ``way`` is how it is used where that is not the first, or
    what a Strike is made with beside it (``shield``, ``bare fist``), ``head`` that of the arrow or
    bolt, ``posture`` whether the fighter stands, and ``moves`` what the fighter does about the
    distance in this volley.
    """

    character: str
    action: str = "strike"
    weapon: str = ""
    way: str = ""
    stance: Stance = Stance.NEUTRAL
    posture: Posture = Posture.STANDING
    moves: Positioning | None = None
    locked: int = 0
    head: str = ""


class FightAction(Arguments, frozen=True):
    """Two fighters, each with one action, at a ``distance`` of the first one's weapon."""

    sides: tuple[ActionSide, ...]
    distance: Distance = Distance.OPTIMAL


class FightEffect(msgspec.Struct, frozen=True):
    """Something that happens to a fighter; of a hit its stage, and its damage before armor."""

    character: str
    effect: str
    amount: int = 1
    stage: str = ""
    location: str = ""
    damage: str = ""


class FightActionOutcome(Outcome, frozen=True):
    """What comes of the two actions, before armor: whether each is hit, and all effects."""

    fighters: tuple[str, str]
    hit: tuple[bool, bool]
    effects: tuple[FightEffect, ...] = ()


RULE = "fight.simultaneous.match_by_number"


def fight_action(arguments: FightAction, table: BurningTable) -> Play[FightActionOutcome]:
    """Play two actions against each other as a slot of a volley does; it changes nothing."""
    return (yield from call(rehearse(try_actions), arguments, table))


def try_actions(arguments: FightAction, table: BurningTable) -> Play[FightActionOutcome]:
    """The two actions, and what comes of them."""
    _check(arguments, table)
    fight, deeds = _set_up(arguments, table)
    ready = yield from call(make_ready, fight, deeds)
    return then(throw_both, fight, ready)


def _check(arguments: FightAction, table: BurningTable) -> None:
    """Refuse what cannot be played, before anything is asked."""
    if len(arguments.sides) != 2:
        raise BadInput("sides", len(arguments.sides), "exactly two fighters", RULE)
    for at, side in enumerate(arguments.sides):
        sheet = table.character(side.character, f"sides[{at}].character")
        for stat in ("Agility", "Speed", "Power"):
            sheet.ability(stat, f"sides[{at}].stats")
        head_of(armed_with(sheet, side.weapon, f"sides[{at}].weapon"), side.head)
        if side.action not in (*columns(), ESCAPE):
            expected = f"one of {', '.join((*actors(), ESCAPE, HESITATING, NO_ACTION))}"
            raise BadInput(f"sides[{at}].action", side.action, expected, RULE)
        if not 0 <= side.locked <= MOST_LOCKED:
            expected = f"0 (not held) to {MOST_LOCKED} dice"
            raise BadInput(f"sides[{at}].locked", side.locked, expected, "fight.lock.effect")
        _check_way(side, f"sides[{at}].way", table)
    one, other = arguments.sides
    if one.character == other.character:
        raise BadInput("sides[1].character", other.character, "another character", RULE)


MOST_LOCKED = 10
"""A Lock of more dice leaves nobody any."""


def _check_way(side: ActionSide, place: str, table: BurningTable) -> None:
    """Refuse a way of striking that the weapon does not have."""
    carried = armed_with(table.character(side.character), side.weapon)
    names = [way.name for way in ways(carried, table.options)]
    if side.action == "strike":
        alone = Fight((FightingCharacter(side.character, 0, weapon=side.weapon),), table)
        names += [each.called for each in others_at_hand(alone, side.character).values()]
    if side.way and side.way not in (*names, *(name.partition(", ")[2] for name in names)):
        raise BadInput(place, side.way, f"one of {', '.join(names)}", "weapons.gear.hilt")


def _set_up(arguments: FightAction, table: BurningTable) -> tuple[Fight, tuple[FightDeed, ...]]:
    """A fight in which the two are about to act, with everything done that comes before."""
    one, other = arguments.sides
    fighters = (_fighter(one, 0, other), _fighter(other, 1, one))
    fight = Fight(
        fighters=(*fighters, *_mounts(fighters, table)),
        table=table,
        gaps=(Gap(one.character, other.character, 0),),
        locks=tuple(
            Lock(holder.character, held.character, held.locked)
            for holder, held in ((one, other), (other, one))
            if held.locked
        ),
        volley=1,
        action=1,
    )
    length = way_in_hand(fight, one.character, one.way).length
    fight = fight.moved(one.character, other.character, gap_for(arguments.distance, length))
    deeds = tuple(
        FightDeed(side.character, _action(side), _card(side, table), target.character, side.way)
        for side, target in ((one, other), (other, one))
    )
    return fight, deeds


def _fighter(side: ActionSide, number: int, other: ActionSide) -> FightingCharacter:
    return FightingCharacter(
        side.character,
        number,
        weapon=side.weapon,
        way="" if side.way in BESIDE else side.way,
        stance=side.stance,
        posture=side.posture,
        moves=side.moves,
        avoids=side.action == "avoid",
        charges=side.action == "charge_tackle",
        hesitates=int(side.action == HESITATING),
        ready=Preparation(nocked=True, drawn=9, target=other.character, sets=2),
        head=side.head,
    )


BESIDE = (SHIELD, FIST)
"""What a Strike may be made with that is no part of the weapon in hand."""


def _mounts(
    fighters: tuple[FightingCharacter, ...], table: BurningTable
) -> tuple[FightingCharacter, ...]:
    """The beasts under those who ride: they count for two who act from the saddle.

    riding.combat.tandem_mount_stats.
    """
    return tuple(
        FightingCharacter(mount, each.side, carries=each.character)
        for each in fighters
        if (mount := mount_of(table, each.character))
    )


def _action(side: ActionSide) -> str:
    return "non_martial" if side.action == ESCAPE else side.action


def _card(side: ActionSide, table: BurningTable) -> str:
    if side.action != SHOOT:
        return side.action
    carried = armed_with(table.character(side.character), side.weapon)
    return "release" if is_missile(carried.weapon) else "throw_object"


def throw_both(fight: Fight, ready: ReadyMoment) -> Play[FightActionOutcome]:
    """Throw everything at once.

    Where somebody listens, all of it is remembered, so that each roll can be told; a walk forgets
    what does not matter to the outcome.
    """
    if not (yield from unheard()):
        logged = tuple(msgspec.structs.replace(each, logged=True) for each in ready.incoming)
        ready = msgspec.structs.replace(ready, incoming=logged)
    shots: tuple[MomentEffect, ...] = ()
    for deed in ready.plan.deeds:
        if deed.action == SHOOT:
            shots += yield from call(hits_of_shot, fight, deed)
    results = yield from throw_moment(ready.incoming)
    return then(both_done, fight, ready, results, shots)


def hits_of_shot(fight: Fight, deed: FightDeed) -> Play[tuple[MomentEffect, ...]]:
    """Whom a shot hits; of everything else about it nothing is left."""
    _, harms = yield from shoot(fight, deed)
    return tuple(
        MomentEffect("hit", harm.hit.character, harm.by, damage=harm.hit.damage) for harm in harms
    )


def both_done(
    fight: Fight,
    ready: ReadyMoment,
    results: tuple[IncomingResult, ...],
    shots: tuple[MomentEffect, ...],
) -> Play[FightActionOutcome]:
    """What each action does."""
    if all(each.logged for each in ready.incoming):
        yield from tell_rolls(fight, ready, results)
    come = yield from settle(fight, ready, results)
    loose = tuple(
        MomentEffect("lock_loosened", character, character, min(held, successes))
        for character, successes in escapes(ready, results)
        if (held := fight.lock_on(character)) and successes
    )
    effects = come.effects + shots + loose
    if not effects:
        yield from note("Nothing comes of it.", RULE)
    after = yield from apply_effects(fight, effects)
    for effect in loose:
        yield from loosen(after, effect.character, effect.amount)
    one, other = (fighter.character for fighter in fight.standing)
    return FightActionOutcome(
        (one, other),
        (_is_hit(one, effects), _is_hit(other, effects)),
        tuple(_said(effect) for effect in effects),
    )


def _is_hit(character: str, effects: tuple[MomentEffect, ...]) -> bool:
    return any(effect.step == "hit" and effect.character == character for effect in effects)


def _said(effect: MomentEffect) -> FightEffect:
    damage: Damage | None = effect.damage
    if damage is None:
        return FightEffect(effect.character, effect.step, effect.amount)
    return FightEffect(
        effect.character,
        effect.step,
        effect.amount,
        damage.stage.value,
        damage.location,
        f"{damage.shade}{damage.number}",
    )


PROCEDURES = (Procedure("fight_action", "Try one action (Fight!)", FightAction, fight_action),)
