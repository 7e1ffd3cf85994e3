"""The dice of a roll in Fight!: what stance, distance, posture and the volley do to it.

A section of the chapter on Fight! (``conflicts/fight/fight``). Up to the roll each is a test like
any other (``tests/attempts``). Where it has no obstacle of its own, as a Block or a positioning
test, each +1 Ob takes a success off it (fight.roll.obstacle_penalty_on_versus): ``open_result``
of ``tests/tests``.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Line, Step, call
from astragal.rules import catalogue

from ...armor.block_and_strike import Stance, block_lines, strike_lines
from ...conditions.armor_weight import dead_weight, is_fighting
from ...conditions.every_test import conditions_on
from ...conditions.hesitation import RUN
from ...conditions.lines import Tester
from ...sheet.parts import AbilityKind
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated
from ...tests.attempts import Attempt, with_doublings
from ...tests.intent import Context, Declaration
from ..rolls import gathered
from .distance import Distance
from .mounted import avoids_of, doublings, lock_lines_of, saddle_lines
from .state import Fight, FightingCharacter, HindranceUntil, Positioning, Posture
from .surroundings import in_the_way
from .turned_aside import turned_aside_lines
from .weapon_in_hand import beside_it, distance_to, inside_lines, way_in_hand

Burdens = tuple[tuple[Line, ...], tuple[Line, ...]]
"""Dice and obstacle."""

NONE: Burdens = ((), ())


class RollKind(Enum):
    """What a roll is for; most burdens weigh on some of these only."""

    ATTACK = "attack"
    DEFENCE = "defence"
    NATURAL = "Natural Defenses"
    POSITION = "positioning"
    SHOT = "shot"
    OTHER = "other"

    @property
    def is_action(self) -> bool:
        """Whether it is an action: neither Natural Defenses nor positioning are.

        fight.nd.free, fight.position.tandem.
        """
        return self not in (RollKind.NATURAL, RollKind.POSITION)


PHYSICAL = ("Agility", "Speed", "Power", "Forte")
"""The stats that a Lock takes dice from (fight.lock.immobilized)."""

CHARGE = "charge_tackle"
"""A Close that is also an action (fight.charge.is_close)."""

GRIPS = ("lock", "throw_opponent")
"""Maneuvers with distance penalties of their own (fight.amb.lock_base)."""

WITH_THE_WEAPON = (
    "strike",
    "great_strike",
    "riposte",
    "feint",
    "disarm",
    "beat_and_bind",
    "strike_half",
)
"""What a long weapon is in the way of on the inside (fight.amb.inside_penalty_scope)."""

BLOCKS = ("block", "counterstrike", "block_half")
"""Defences that are made with what is in hand."""

BOTH_HALVES = "both halves"
"""What is common to the halves of a Block and Strike, in place of an action."""


def burdens(
    fight: Fight,
    character: str,
    kind: RollKind,
    action: str = "",
    target: str = "",
    *,
    ability: str = "",
    way: str = "",
) -> Burdens:
    """What the fight does to a roll: lines of dice, and lines of obstacle.

    ``action`` is what it is rolled for: a key of ``fight.table.interactions``, or ``riposte``,
    ``strike_half`` and ``block_half`` for parts of one. ``ability`` is what is rolled, which a
    Lock may spare, ``way`` how a weapon is used where that is not its first. Of a shot, what the
    target does is not here.
    """
    fighter = fight.fighter(character)
    dice, obstacle = part_burdens(fight, character, kind, action, target, ability=ability, way=way)
    dice += lock_lines(fight, character, kind, action, ability)
    obstacle += _movement(fight, fighter, kind, action, ability)
    obstacle += lock_lines_of(fight, character, action)
    obstacle += _avoiding(fight, fighter, kind, action)
    obstacle += _shield_in_the_way(fight, character, kind, action, ability)
    beside = beside_it(fight, character, way) is not None
    obstacle += tuple(
        h.line for h in fighter.hindrances if _waits_for(h.until, kind, action, beside=beside)
    )
    if kind is not RollKind.NATURAL:
        obstacle += in_the_way(fight.ground, shot=kind is RollKind.SHOT)
    return dice, obstacle


def part_burdens(
    fight: Fight,
    character: str,
    kind: RollKind,
    action: str,
    target: str = "",
    *,
    ability: str = "",
    way: str = "",
) -> Burdens:
    """What differs between the parts of one action: stance, posture and distance."""
    fighter = fight.fighter(character)
    dice, obstacle = stance_lines(fighter, kind, action, ability)
    obstacle += _posture(fight, fighter, kind)
    if target:
        obstacle += distance_lines(fight, character, target, kind, action, way)
        if kind is RollKind.ATTACK:
            obstacle += turned_aside_lines(fight, character, target, action, ability)
    return dice, obstacle


# --- Stance ----------------------------------------------------------------------------------

_STANCE_ROWS = {
    "avoid": "Avoid",
    "block": "Block",
    "counterstrike": "Counterstrike",
    "riposte": "Counterstrike",
    "strike": "Strike",
    "great_strike": "Great Strike",
    "charge_tackle": "Charge/Tackle",
}


def stance_lines(
    fighter: FightingCharacter, kind: RollKind, action: str = "", ability: str = ""
) -> Burdens:
    """What a stance adds to a roll (``fight.table.stance_effects``).

    Two dice for what it favors (fight.stance.favored) and +2 Ob on its opposite
    (fight.stance.aggressive_defense, fight.stance.defensive_attack), on Speed in Natural Defenses
    in an Aggressive one (fight.stance.aggressive_speed_nd), and nothing for neutral maneuvers
    (fight.stance.neutral_moves), of which the free Strike of a Feint is a part
    (fight.amb.feint_free_strike). Dice that were put into positioning are there and nowhere else,
    while the penalties stay (fight.stance.to_position). One may hold a stance anywhere and in
    any posture (fight.stance.allowed). A riposte is part of a defence, and has its line
    (fight.amb.counterstrike_penalties).
    """
    if fighter.stance is Stance.NEUTRAL:  # fight.stance.start_neutral: no bonus, no penalty
        return NONE
    if kind is RollKind.POSITION:
        if not fighter.steps or action == CHARGE:  # fight.amb.stance_dice_and_charge
            return NONE
        return _stance(fighter.stance, "Positioning", "fight.stance.to_position")[0], ()
    if action == "strike_half":  # fight.block_and_strike.stance
        dice, obstacle = strike_lines(fighter.stance)
    elif action == "block_half":  # fight.amb.block_and_strike_defensive
        dice, obstacle = (), block_lines(fighter.stance)
    elif kind is RollKind.NATURAL:
        row = "Natural Defenses with Speed" if ability == "Speed" else "Natural Defenses otherwise"
        dice, obstacle = _stance(fighter.stance, row, "fight.stance.aggressive_speed_nd")
    elif action in _STANCE_ROWS:
        aggressive = fighter.stance is Stance.AGGRESSIVE
        rule = "aggressive_defense" if aggressive else "defensive_attack"
        dice, obstacle = _stance(fighter.stance, _STANCE_ROWS[action], f"fight.stance.{rule}")
    else:
        return NONE
    return () if fighter.steps else dice, obstacle


@cache
def _stance(stance: Stance, action: str, rule: str) -> Burdens:
    row = catalogue().table("fight.table.stance_effects").where(action=action)
    dice, obstacle = row.number(f"{stance.value}_dice"), row.number(f"{stance.value}_ob")
    label = f"{stance.value.capitalize()} stance"
    return (
        (Line(dice, label, "fight.stance.favored"),) if dice else (),
        (Line(obstacle, label, rule),) if obstacle else (),
    )


# --- Locks -----------------------------------------------------------------------------------


def lock_lines(
    fight: Fight, character: str, kind: RollKind, action: str = "", ability: str = ""
) -> tuple[Line, ...]:
    """The dice that Locks take from physical stats and skills (fight.lock.effect).

    From every action, defences among them (fight.lock.penalty_on_actions); never from attributes
    (fight.lock.attributes_safe). Against a new Lock (fight.lock.resist_full_power) and to escape
    (fight.lock.escape_full_power) Power is not reduced.
    """
    held = fight.lock_on(character)
    if not held:
        return ()
    resists = kind is RollKind.NATURAL and action == "lock"
    if ability == "Power" and (resists or action == "escape_lock"):
        return ()
    if not _is_physical(fight, character, ability):
        return ()
    return (Line(-held, "Lock", "fight.lock.effect"),)


def _is_physical(fight: Fight, character: str, ability: str) -> bool:
    """Whether a Lock touches it: a physical stat or a skill, which may be one he lacks."""
    found = fight.sheet(character).find(ability) if ability else None
    if found is None or found.kind is AbilityKind.SKILL:
        return True
    return found.name in PHYSICAL


def is_immobilized(fight: Fight, character: str) -> bool:
    """Whether Locks leave a fighter no dice of some physical stat (fight.lock.immobilized)."""
    held = fight.lock_on(character)
    if not held:
        return False
    sheet = fight.sheet(character)
    stats = [sheet.find(name) for name in PHYSICAL]
    return any(dice_left(fight, character, stat) - held < 1 for stat in stats if stat is not None)


def dice_left(fight: Fight, character: str, rated: Rated) -> int:
    """The dice of an ability that a fighter has after wounds and the like, before any are added."""
    return _rolled_with(fight.table, character, rated.name)[1]


def is_usable(fight: Fight, character: str, ability: str, kind: RollKind, action: str = "") -> bool:
    """Whether a fighter has any dice for a roll, for none can be added to none.

    tests.amb.zero_dice, fight.lock.skill_zero. Without the skill it is Agility
    (fight.amb.unskilled).
    """
    rolled, dice = _rolled_with(fight.table, character, ability)
    if fight.locks:
        dice += sum(line.amount for line in lock_lines(fight, character, kind, action, rolled))
    return dice >= 1


@lru_cache(4096)  # it is asked again for every action
def _rolled_with(table: BurningTable, character: str, ability: str) -> tuple[str, int]:
    """What is rolled for an ability, and its dice before any are added; none without either."""
    sheet, missing = table.character(character), ""
    rated = sheet.find(ability)
    if rated is None or (rated.kind is AbilityKind.SKILL and not rated.exponent):
        rated, missing = sheet.find("Agility"), ability
    if rated is None:
        return ability, 0
    conditions = conditions_on(Tester(character, rated, table, missing))
    return rated.name, rated.exponent - sum(each.lost for each in conditions)


# --- Posture, movement, hindrances -----------------------------------------------------------


def _posture(fight: Fight, fighter: FightingCharacter, kind: RollKind) -> tuple[Line, ...]:
    """What it costs to fight from the ground, or from one knee.

    +4 Ob on attacks (fight.get_up.prone_attack) and +2 on defences, Natural Defenses and
    positioning (fight.get_up.prone_defense), each once (fight.amb.ground_duplicates). Half up it
    is +1 on all of them, or on defences alone (fight.amb.crouch); but whom a hit on the leg has
    brought down runs as from the ground (injury.steel.option_leg_run).
    """
    defends = kind in (RollKind.DEFENCE, RollKind.NATURAL)
    if kind in (RollKind.SHOT, RollKind.OTHER) or fighter.posture is Posture.STANDING:
        return ()
    flees = kind is RollKind.POSITION and fighter.is_hesitating and fighter.reaction == RUN
    limps = flees and fight.table.scene.argh_my_arm
    if fighter.posture is Posture.KNEELING and not limps:
        if not defends and fight.table.options["fight_crouch_penalty"] == "defence_only":
            return ()
        condition, rule = "defending from the knees", "fight.amb.crouch"
    elif kind is RollKind.ATTACK:
        condition, rule = "attacking from the ground", "fight.get_up.prone_attack"
    else:
        condition = "Natural Defenses, positioning or defending from the ground or back"
        rule = "fight.get_up.prone_defense"
    amount = (
        catalogue().table("fight.table.melee_obstacles").number("ob_penalty", condition=condition)
    )
    return (Line(amount, fighter.posture.value, rule),)


QUICKLY = 1
"""fight.position.moving_quickly."""


def _movement(
    fight: Fight, fighter: FightingCharacter, kind: RollKind, action: str, ability: str
) -> tuple[Line, ...]:
    """What it costs to act while closing or withdrawing (fight.position.moving_quickly).

    It is on the mover alone, and not on whoever strikes at him
    (extended_example.strike.target_movement_free).
    Also on an Avoid (fight.avoid.moving_quickly_applies), but not on Natural Defenses, which are
    no actions (fight.amb.moving_quickly_nd), nor on a Charge (fight.charge.no_moving_quickly),
    or on anything in its volley (fight.amb.charge_other_actions). Who does not position has no
    such penalties (fight.position.let_them_come). Shots are +1 Ob more for any positioning
    (fight.position.move_and_shoot, fight.amb.shoot_penalties).
    """
    moves = fighter.moves
    if not kind.is_action:
        return ()
    if fight.mount(fighter.character):  # in their place (riding.amb.penalties_stack)
        return saddle_lines(fight, fighter.character, ability, action, kind.value)
    if moves is None or moves is Positioning.STAY:
        return ()
    whole = fight.table.options["fight_charge_volley_exemption"] == "whole_volley"
    exempt = action == CHARGE or (fighter.charges and whole)
    lines: tuple[Line, ...] = ()
    if moves.is_quick and not exempt:
        lines += (Line(QUICKLY, "moving quickly", "fight.position.moving_quickly"),)
    if kind is RollKind.SHOT:
        lines += (Line(QUICKLY, "shooting on the move", "fight.position.move_and_shoot"),)
    return lines


def _is_action(kind: RollKind, action: str) -> bool:
    """Whether a roll is that of an action: a Charge is one, though it is rolled as positioning."""
    return kind.is_action or action == CHARGE


def _avoiding(
    fight: Fight, fighter: FightingCharacter, kind: RollKind, action: str
) -> tuple[Line, ...]:
    """An Avoid makes all other actions of its volley harder, rolled or not, before or after it.

    fight.avoid.penalty_other_actions, fight.amb.avoid_penalty_when: also a Charge before it. Of two
    Avoids each is another action to the other. A Block has no such price
    (fight.block.no_side_penalty).
    """
    if not fighter.avoids or not _is_action(kind, action):
        return ()
    if action == "avoid" and avoids_of(fight, fighter.character) < 2:
        return ()
    return (Line(1, "Avoids in this volley", "fight.avoid.penalty_other_actions"),)


def _shield_in_the_way(
    fight: Fight, character: str, kind: RollKind, action: str, ability: str
) -> tuple[Line, ...]:
    """What a destroyed shield costs the martial actions of a stat: Avoid, Push, Lock, Charge.

    armor.shield.destroyed_hindrance; tests of fighting skills know it (``armor_weight``).
    """
    rated = fight.sheet(character).find(ability) if ability else None
    martial = kind in (RollKind.ATTACK, RollKind.DEFENCE) or action == CHARGE
    if not martial or rated is None or is_fighting(rated):
        return ()
    return dead_weight(fight.sheet(character))


def _waits_for(until: HindranceUntil, kind: RollKind, action: str, *, beside: bool) -> bool:
    """Whether this roll is what a hindrance waits for; it may be ``beside`` the weapon in hand."""
    if until is HindranceUntil.ANYTHING:  # fight.push.win_by_one
        return kind.is_action or kind is RollKind.POSITION
    if until is HindranceUntil.ACTION:  # fight.charge.win_by_one
        return _is_action(kind, action)
    used = (*WITH_THE_WEAPON, *BLOCKS, BOTH_HALVES, "block_and_strike")
    return kind.is_action and action in used and not beside  # fight.beat.win_by_two


def spent(fight: Fight, character: str, kind: RollKind, action: str = "", way: str = "") -> Fight:
    """The fight when a fighter has done what his hindrances waited for, rolled or not."""
    fighter = fight.fighter(character)
    if not fighter.hindrances:
        return fight
    beside = beside_it(fight, character, way) is not None
    left = tuple(
        h for h in fighter.hindrances if not _waits_for(h.until, kind, action, beside=beside)
    )
    if left == fighter.hindrances:
        return fight
    return fight.put(msgspec.structs.replace(fighter, hindrances=left))


# --- Distance --------------------------------------------------------------------------------


def distance_lines(
    fight: Fight, character: str, target: str, kind: RollKind, action: str, way: str = ""
) -> tuple[Line, ...]:
    """What the distance adds to an action against an opponent.

    At lunging +1 Ob (fight.distance.lunging.penalty), though not to defend
    (fight.distance.lunging.defense_exempt) nor on a shot (fight.amb.lunging_for_missiles); none
    at optimal (fight.distance.optimal.no_penalty). Lock and Throw have their own, which replace it
    (fight.lock.distance_penalty, fight.throw.distance_penalty, fight.amb.lock_base). On the inside
    long weapons are in the way (fight.distance.inside.weapon_penalty).
    """
    if kind in (RollKind.NATURAL, RollKind.POSITION, RollKind.SHOT):
        return ()
    distance = distance_to(fight, character, target, way)
    if kind is RollKind.DEFENCE and action != "riposte":
        scope = fight.table.options["fight_inside_penalty_scope"]
        if distance is Distance.INSIDE and scope == "attacks_and_block" and action in BLOCKS:
            return inside_lines(way_in_hand(fight, character, way))
        return ()
    if distance is Distance.INSIDE:
        used = action in WITH_THE_WEAPON
        return inside_lines(way_in_hand(fight, character, way)) if used else ()
    row = catalogue().table("fight.table.fighting_distances").where(distance=distance.value)
    grip = action in GRIPS
    amount = row.number("lock_throw_ob" if grip else "attack_ob")
    if not amount:
        return ()
    rule = "fight.distance.lunging.penalty"
    if grip:
        rule = "fight.lock.distance_penalty" if action == "lock" else "fight.throw.distance_penalty"
    return (Line(amount, f"{distance.value} distance", rule),)


# --- The attempt -----------------------------------------------------------------------------


def was_rolled(fight: Fight, character: str, ability: str) -> bool:
    """Whether a fighter has rolled an ability in this fight; in a rehearsal nobody asks.

    All its rolls are in the series of the fight (fight.xref.one_test_per_fight).
    """
    if not fight.series:
        return True
    return any(
        test.character == character and test.ability == ability
        for series in fight.table.scene.series
        if series.title == fight.series
        for test in series.tests
    )


def attempt_for(
    fight: Fight,
    character: str,
    ability: str,
    kind: RollKind,
    *,
    action: str,
    target: str,
    task: str,
    dice: tuple[Line, ...] = (),
    obstacle: tuple[Line, ...] = (),
    way: str = "",
    roots: tuple[str, ...] = (),
    forks_into_stat: str = "",
) -> Step[Attempt]:
    """Gather everything for a roll: the fight's burdens, these lines, and what every test has.

    Advantages of the situation are claimed and granted there, as for any test
    (fight.advantage.situational). Refused where there are no dice at all (:func:`is_usable` says
    so beforehand). What players could add is offered when an ability is rolled for the first time
    in the fight; afterwards it is folded away, and what was said holds.
    """
    if not is_usable(fight, character, ability, kind, action):
        what = f"{fight.name(character)} has no dice of {ability} left: choose another action"
        raise NotAllowed(what, "fight.lock.skill_zero")
    more, harder = burdens(fight, character, kind, action, target, ability=ability, way=way)
    context = Context(
        dice=more + dice,
        obstacle=harder + obstacle,
        called_for=True,
        laid_down=True,
        roots=roots,
        forks_into_stat=forks_into_stat,
        folded=True,
        in_passing=kind is RollKind.POSITION,
        newly=kind is not RollKind.POSITION and not was_rolled(fight, character, ability),
        several=True,
        lasting=True,
    )
    defends = kind in (RollKind.DEFENCE, RollKind.NATURAL)
    at = "" if defends else target  # what protects an attacker does not hinder the defence
    said = Declaration(character=character, task=task, ability=ability, target=at)
    attempt = yield from call(gathered, said, context, (), fight.table)
    return with_doublings(attempt, doublings(fight, character, ability, kind.value))
