"""Lock, Push and Throw Opponent: overpowering somebody, and getting loose again.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.conflicts.fight.clash import MomentRoll
from astragal.games.burning_wheel.conflicts.fight.consequences import MomentEffect
from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP, Distance, stepped
from astragal.games.burning_wheel.conflicts.fight.eight_legs import lock_ability, lock_dice
from astragal.games.burning_wheel.conflicts.fight.gathering import RollKind, attempt_for
from astragal.games.burning_wheel.conflicts.fight.harm import Harm
from astragal.games.burning_wheel.conflicts.fight.skills import unarmed_skill
from astragal.games.burning_wheel.conflicts.fight.state import Fight, FightDeed
from astragal.games.burning_wheel.conflicts.fight.weapon_in_hand import distance_to
from astragal.games.burning_wheel.materials.thrown_against import ThrowAgainst, fly, hard_landing
from astragal.games.burning_wheel.sheet.words import counted
from astragal.play import GM, Line, Noted, Option, Play, Step, choose, confirm, tell

LABELS = {"lock": "Lock", "push": "Push", "throw_opponent": "Throw"}
TASKS = {"lock": "grapples with", "push": "pushes", "throw_opponent": "tries to throw"}


def grip_roll(fight: Fight, deed: FightDeed, hampered: tuple[Line, ...]) -> Play[MomentRoll]:
    """A Lock or a Push of Power (fight.lock.ability, fight.push.ability), or a Throw.

    That is of Brawling or Boxing (fight.throw.ability).
    """
    dice = yield from weight_dice(fight, deed)
    ability = "Power"
    if deed.action == "throw_opponent":
        ability = unarmed_skill(fight, deed.character)
    elif deed.action == "lock":
        ability = yield from lock_ability(fight, deed.character)
        dice += lock_dice(fight.sheet(deed.character))
    attempt = yield from attempt_for(
        fight,
        deed.character,
        ability,
        RollKind.ATTACK,
        action=deed.action,
        target=deed.target,
        task=f"{TASKS[deed.action]} {fight.name(deed.target)}",
        dice=dice,
        obstacle=hampered,
        roots=("Agility",),
    )
    what = f"{fight.name(deed.character)}, {LABELS[deed.action]}"
    return MomentRoll(deed.character, what, attempt, attempt.pool)


def weight_dice(fight: Fight, deed: FightDeed) -> Step[tuple[Line, ...]]:
    """A clear advantage of weight or size, if the GM sees one (fight.advantage.weight).

    Anywhere, or on the inside alone (fight.amb.weight_on_push).
    """
    rule = "fight.advantage.weight"
    inside = fight.gap(deed.character, deed.target) == INSIDE_GAP
    if not inside and fight.table.options["fight_weight_dice"] == "inside_only":
        return ()
    heavier = yield from confirm(
        GM,
        "weight",
        f"Weight: {fight.name(deed.character)} over {fight.name(deed.target)} (+1D)",
        default=False,
        because=rule,
        kind="aside",
        standing=True,
    )
    return (Line(1, "weight", rule),) if heavier else ()


# --- Push --------------------------------------------------------------------------------------


def push_effects(fight: Fight, deed: FightDeed, margin: int) -> Step[tuple[MomentEffect, ...]]:
    """What a Push does: off balance for one, down for two, back a distance for every two.

    fight.push.win_by_one, fight.push.win_by_two, fight.push.shove_back. More is divided by the
    attacker (fight.push.divide), each success spent once (fight.amb.push_cost).
    """
    if margin < 1:
        return ()
    ways = _push_ways(fight, deed, margin)
    chosen = next(iter(ways))
    if len(ways) > 1:
        chosen = yield from choose(
            fight.seat(deed.character),
            "push",
            f"{fight.name(deed.character)}, Push won by {margin}",
            tuple(Option(key, label, "fight.push.divide") for key, (label, _) in ways.items()),
            default=chosen,
            because="fight.push.divide",
        )
    steps = ways[chosen][1]
    return tuple(MomentEffect(step, deed.target, deed.character, n) for step, n in steps if n)


def _push_ways(
    fight: Fight, deed: FightDeed, margin: int
) -> dict[str, tuple[str, tuple[tuple[str, int], ...]]]:
    """Every way to spend the margin of a Push, the first the usual one."""
    reach = distance_to(fight, deed.character, deed.target)
    farthest = sum(1 for n in (1, 2, 3) if stepped(reach, -n) is not stepped(reach, 1 - n))
    found: dict[str, tuple[str, tuple[tuple[str, int], ...]]] = {}
    for down in (1, 0) if margin > 1 else (0,):
        for back in range(min((margin - 2 * down) // 2, farthest) + 1):
            left = margin - 2 * (down + back)
            off = int(left == 1 and not down)
            if not (down or back or off):
                continue
            parts = ["down"] * down + ([f"back {counted(back, 'distance')}"] if back else [])
            parts += ["off balance"] * off
            steps = (("off_balance", off), ("down", down), ("moved_a_distance", back))
            label = " and ".join(parts).capitalize()
            found[f"down{down}_back{back}"] = (label, steps)
    return found


# --- Lock --------------------------------------------------------------------------------------


def escape_roll(fight: Fight, deed: FightDeed, hampered: tuple[Line, ...] = ()) -> Step[MomentRoll]:
    """An Escape with full Power (fight.lock.escape, fight.lock.escape_full_power)."""
    attempt = yield from attempt_for(
        fight,
        deed.character,
        "Power",
        RollKind.OTHER,
        action="escape_lock",
        target="",
        task="struggles",
        obstacle=hampered,
    )
    what = f"{fight.name(deed.character)}, Escape"
    return MomentRoll(deed.character, what, attempt, attempt.pool)


def loosen(fight: Fight, character: str, successes: int) -> Step[Fight]:
    """Each success takes a die off the Locks on a fighter; one without dice is gone.

    fight.lock.escape, fight.lock.duration. The tightest is loosened first.
    """
    left = successes
    locks = []
    for lock in sorted(fight.locks, key=lambda lock: -lock.dice):
        off = min(left, lock.dice) if lock.victim == character else 0
        left -= off
        if lock.dice > off:
            locks.append(msgspec.structs.replace(lock, dice=lock.dice - off))
    fight = msgspec.structs.replace(fight, locks=tuple(locks))
    held = fight.lock_on(character)
    said = f"is held by {held}D" if held else "is free of the Lock"
    yield from tell(Noted(f"{fight.name(character)} {said}.", "fight.lock.escape"))
    return fight


def holders_let_go(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[Fight]:
    """Who holds somebody may let go when he acts (fight.lock.duration).

    He does not have to: other actions he may take all the same (fight.lock.act_while_holding).
    """
    acting = {deed.character for deed in deeds}
    for lock in fight.locks:
        if lock.holder not in acting:
            continue
        name = fight.name(lock.victim)
        free = yield from confirm(
            fight.seat(lock.holder),
            "let_go",
            f"{fight.name(lock.holder)} lets go of {name}",
            default=False,
            because="fight.lock.duration",
            kind="aside",
        )
        if free:
            fight = let_go(fight, lock.holder, lock.victim)
            yield from tell(Noted(f"{name} is free of the Lock.", "fight.lock.duration"))
    return fight


def let_go(fight: Fight, holder: str, victim: str = "") -> Fight:
    """The fight in which a holder has let go of one victim, or of all."""
    locks = tuple(
        lock for lock in fight.locks if lock.holder != holder or (victim and lock.victim != victim)
    )
    return msgspec.structs.replace(fight, locks=locks)


# --- Throw -------------------------------------------------------------------------------------


class ThrowEffects(msgspec.Struct, frozen=True):
    """What a Throw does: effects, and the harm of the landing."""

    effects: tuple[MomentEffect, ...] = ()
    harms: tuple[Harm, ...] = ()


def throw_effects(fight: Fight, deed: FightDeed, margin: int) -> Step[ThrowEffects]:
    """The target is on the ground (fight.throw.win), perhaps farther away, perhaps hurt.

    fight.throw.walls, fight.throw.toss: successes for distance do no damage
    (fight.amb.throw_successes).
    """
    if margin < 1:
        return ThrowEffects()
    thrown = ThrowAgainst(deed.character, deed.target, margin)
    flight = yield from fly(thrown, fight.table)
    effects = [MomentEffect("down", deed.target, deed.character)]
    reach = distance_to(fight, deed.character, deed.target)
    if flight.distances and reach is not Distance.OUTSIDE:
        effects.append(
            MomentEffect("moved_a_distance", deed.target, deed.character, flight.distances)
        )
    _, hit = yield from hard_landing(thrown, flight, fight.table)
    if hit is None:
        return ThrowEffects(tuple(effects))
    hurt = MomentEffect("hit", deed.target, deed.character, damage=hit.damage)
    return ThrowEffects((*effects, hurt), (Harm(hit, deed.character),))
