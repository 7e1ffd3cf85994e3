"""Blows and what is done about them with weapon in hand: their dice, and where they land.

A section of the chapter on Fight! (``conflicts/fight/fight``): Strike, Great Strike, Feint, Disarm,
Beat and Bind, Avoid and Block. Up to the roll; the rest of a Strike is that of ``weapons/blows``,
shields are those of ``armor/shields``. What divides its dice is in
``conflicts/fight/divided_actions``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.play import Line, Option, Play, Step, choose

from ...armor.equipment_dice import ones_at_stake
from ...armor.hits import IncomingHit
from ...armor.shields import IncomingAttack, Maneuver, may_block, shield_help
from ...sheet.armor_tables import shield_dice
from ...sheet.weapon_tables import FIST, MeleeWeapon, is_articulated, is_hilt
from ...tests.attempts import Attempt
from ...tests.simultaneous import ThingDice
from ...weapons.blows import BASE, Swing, land, landed
from ...weapons.damage import Damage, struck_with, with_strength
from ...weapons.locations import on_the_body, say_location
from ...weapons.openings import Opening
from ...weapons.shaded_damage import shatters
from ...weapons.wielding import balanced, lighter_power, shatter
from .clash import AttackResult, MomentRoll
from .distance import INSIDE_GAP
from .gathering import RollKind, attempt_for
from .harm import Harm
from .hesitation import take_in_hand
from .saddle_weapons import saddle_dice, spear_way
from .skills import fighting_skill, known
from .stances import between_stances
from .state import Fight, FightDeed, in_hand
from .weapon_in_hand import beside_it, way_in_hand, wielded

# --- Attacks -----------------------------------------------------------------------------------

LABELS = {
    "strike": "Strike",
    "great_strike": "Great Strike",
    "feint": "Feint",
    "disarm": "Disarm",
    "beat_and_bind": "Beat and Bind",
    "block": "Block",
    "counterstrike": "Counterstrike",
}


def skill_attempt(
    fight: Fight,
    deed: FightDeed,
    kind: RollKind,
    action: str,
    target: str,
    obstacle: tuple[Line, ...],
) -> Step[Attempt]:
    """The dice of the skill with what is in hand, with its balance (weapons.balance.melee_use)."""
    beside = beside_it(fight, deed.character, deed.way)
    carried = in_hand(fight, deed.character) if beside is None else beside
    unarmed = carried.weapon == FIST
    attempt = yield from attempt_for(
        between_stances(fight, deed),
        deed.character,
        fighting_skill(fight, deed.character, deed.way),
        kind,
        action=action,
        target=target,
        task="fights bare-handed" if unarmed else f"uses the {carried.called}",
        dice=saddle_dice(fight, deed, target, way_in_hand(fight, deed.character, deed.way)),
        obstacle=obstacle,
        way=deed.way,
        roots=("Agility",),  # fight.amb.unskilled
    )
    maneuver = LABELS.get(deed.action, "Strike")
    used = wielded(fight, deed.character, deed.way)
    return balanced(attempt, used, fight.table.options, maneuver)


def blow_roll(
    fight: Fight, deed: FightDeed, opening: Opening, hampered: tuple[Line, ...]
) -> Play[MomentRoll]:
    """A Strike, a Great Strike, or the free Strike of a Feint, against Ob 1.

    fight.strike.obstacle, fight.strike.ability; a Feint is of the weapon skill
    (fight.feint.ability). Meeting the obstacle is a hit, and the rest damage or aim
    (fight.strike.extra).
    """
    way = spear_way(fight, deed, way_in_hand(fight, deed.character, deed.way))
    if deed.action == "great_strike":
        way = yield from _great(fight, deed, way)
    if deed.action == "feint":
        opening = yield from _named(fight, deed, opening)
    carried = wielded(fight, deed.character, deed.way)
    bonus = yield from lighter_power(deed.character, carried, fight.table)
    attempt = yield from skill_attempt(
        fight, deed, RollKind.ATTACK, deed.action, deed.target, hampered
    )
    return MomentRoll(
        deed.character,
        f"{fight.name(deed.character)}, {LABELS[deed.action]}",
        attempt,
        attempt.pool,
        base=BASE,
        rule="fight.strike.obstacle",
        swing=Swing(deed.character, carried, way, opening, bonus),
    )


def _great(fight: Fight, deed: FightDeed, way: MeleeWeapon) -> Step[MeleeWeapon]:
    """A Great Strike does more: +1 Power or +1 VA, chosen before the roll.

    fight.great_strike.bonus_choice.
    """
    rule = "fight.great_strike.bonus_choice"
    more = yield from choose(
        fight.seat(deed.character),
        "great_strike",
        f"{fight.name(deed.character)}, Great Strike",
        (Option("power", "+1 Power", rule), Option("va", "+1 VA", rule)),
        default="power",
        because=rule,
    )
    if more == "va":
        return msgspec.structs.replace(way, va=way.va + 1)
    return msgspec.structs.replace(way, power=way.power + 1)


def _named(fight: Fight, deed: FightDeed, opening: Opening) -> Step[Opening]:
    """A Feint that works hits where the attacker says, at no cost.

    fight.feint.location, fight.amb.feint_location.
    """
    named = yield from choose(
        fight.seat(deed.character),
        "feint_location",
        f"{fight.name(deed.character)}, Feint: location",
        {key: say_location(key).capitalize() for key in opening.known},
        default=opening.offered,
        because="fight.feint.location",
        kind="offered" if opening.bears else "aside",
    )
    return Opening(named, (named,), bears=opening.bears)


def weapon_roll(fight: Fight, deed: FightDeed, hampered: tuple[Line, ...]) -> Play[MomentRoll]:
    """A Disarm or a Beat and Bind, of the weapon skill (fight.disarm.ability, fight.beat.ability).

    A Disarm has an obstacle (fight.disarm.obstacle); a Beat is only compared.
    """
    attempt = yield from skill_attempt(
        fight, deed, RollKind.ATTACK, deed.action, deed.target, hampered
    )
    what = f"{fight.name(deed.character)}, {LABELS[deed.action]}"
    if deed.action == "beat_and_bind":
        return MomentRoll(deed.character, what, attempt, attempt.pool)
    rule = "fight.disarm.obstacle"
    base = disarm_obstacle(fight, deed.target)
    return MomentRoll(deed.character, what, attempt, attempt.pool, base=base, rule=rule)


def disarm_obstacle(fight: Fight, target: str) -> int:
    """The target's skill with the weapon, or half his Agility rounded up.

    fight.disarm.obstacle, fight.amb.disarm_rounding.
    """
    skill = known(fight, target, fighting_skill(fight, target))
    if skill:
        return skill[0].exponent
    return max(1, -(-fight.sheet(target).ability("Agility").exponent // 2))


# --- Defences ----------------------------------------------------------------------------------


def avoid_roll(fight: Fight, deed: FightDeed, hampered: tuple[Line, ...]) -> Play[MomentRoll]:
    """An Avoid: Speed, against everything at once (fight.avoid.ability, fight.avoid.defends_all).

    It never changes the distance (fight.avoid.distance_unchanged), and shields are no use to it
    (fight.shield.defense_dice).
    """
    attempt = yield from attempt_for(
        fight,
        deed.character,
        "Speed",
        RollKind.DEFENCE,
        action="avoid",
        target="",
        task="gets out of the way",
        obstacle=hampered,
    )
    return MomentRoll(deed.character, f"{fight.name(deed.character)}, Avoid", attempt, attempt.pool)


class Answered(msgspec.Struct, frozen=True):
    """An attack that a defence answers, and the weapon as it is used in it."""

    deed: FightDeed
    way: MeleeWeapon

    @property
    def is_armed_strike(self) -> bool:
        """Whether bare hands have a harder time against it (fight.block.unarmed_vs_armed)."""
        return self.deed.action in STRIKES and self.way.name != FIST


STRIKES = ("strike", "great_strike", "block_and_strike")
"""What counts as a Strike (fight.block_and_strike.counts_as_strike)."""


def block_roll(
    fight: Fight, deed: FightDeed, answered: tuple[Answered, ...], hampered: tuple[Line, ...]
) -> Play[MomentRoll]:
    """A Block: the skill with hands, shield or weapon (fight.block.ability), and shield dice.

    fight.shield.defense_dice, fight.shield.untrained, fight.shield.inside.
    """
    harder = hampered + unarmed_lines(fight, deed, answered)
    attempt = yield from skill_attempt(
        fight, deed, RollKind.DEFENCE, "block", first_of(answered), harder
    )
    what = f"{fight.name(deed.character)}, Block"
    roll = MomentRoll(deed.character, what, attempt, attempt.pool, rule="fight.block.ability")
    return with_shield(roll, fight, deed, Maneuver.BLOCK, answered)


def first_of(answered: tuple[Answered, ...]) -> str:
    """The attacker, or the first of several."""
    return answered[0].deed.character if answered else ""


def unarmed_lines(
    fight: Fight, deed: FightDeed, answered: tuple[Answered, ...]
) -> tuple[Line, ...]:
    """Bare hands against an armed Strike (fight.block.unarmed_vs_armed)."""
    shield = fight.sheet(deed.character).shield
    has_shield = shield is not None and shield_dice(shield).total > 0
    if in_hand(fight, deed.character).weapon != FIST or has_shield:
        return ()
    armed = any(each.is_armed_strike for each in answered)
    return (Line(1, "bare hands", "fight.block.unarmed_vs_armed"),) if armed else ()


def incoming_of(fight: Fight, deed: FightDeed, answered: tuple[Answered, ...]) -> IncomingAttack:
    """What matters to a shield about the attacks it meets: the worst of each.

    One by an articulated weapon goes round it (armor.anti_shield.articulated).
    """
    va, shade, great, inside, round_it = 0, Shade.BLACK, False, False, False
    for each in answered:
        power = fight.sheet(each.deed.character).ability("Power")
        va = max(va, with_strength(each.way.va, power).total)
        used = wielded(fight, each.deed.character, each.deed.way)
        shade = min(shade, Shade.parse(used.shade), key=lambda of: of.difficulty)  # it wears it
        round_it = round_it or (is_articulated(used) and not is_hilt(each.way))
        great = great or each.deed.action == "great_strike"
        inside = inside or fight.gap(deed.character, each.deed.character) == INSIDE_GAP
    return IncomingAttack(
        va=va, shade=shade, great_strike=great, articulated=round_it, inside=inside
    )


def may_be_blocked(fight: Fight, defender: str, attack: FightDeed) -> bool:
    """Whether a true shield is there to Block a Great Strike (fight.great_strike.shield_exception).

    Neither hands nor weapon Block it (fight.block.not_great_strike, fight.amb.great_strike_block),
    and no shield that of an articulated weapon (armor.amb.articulated_block).
    """
    inside = fight.gap(defender, attack.character) == INSIDE_GAP
    free = way_in_hand(fight, defender).takes_a_shield
    round_it = is_articulated(wielded(fight, attack.character, attack.way))
    incoming = IncomingAttack(great_strike=True, articulated=round_it, inside=inside)
    return free and may_block(fight.sheet(defender), incoming)


def with_shield(
    roll: MomentRoll,
    fight: Fight,
    deed: FightDeed,
    maneuver: Maneuver,
    answered: tuple[Answered, ...],
) -> MomentRoll:
    """A defence with the dice of a shield, if there is one that helps against these attacks.

    Its ones are kept apart where they can damage it, which they never do in a rehearsal.
    """
    shield = fight.sheet(deed.character).shield
    if shield is None or not way_in_hand(fight, deed.character).takes_a_shield:
        return roll
    incoming = incoming_of(fight, deed, answered)
    lines = shield_help(fight.sheet(deed.character), maneuver, incoming)
    dice = Shaded.of(Shade.parse(shield.shade), lines.total)
    ones = ones_at_stake(shield, incoming.shade, lines.total) if fight.series else 0
    roll = msgspec.structs.replace(roll, shield=lines, shade=incoming.shade)
    if dice and ones:
        return msgspec.structs.replace(roll, thing=ThingDice(dice, ones))
    pool = Pool(roll.pool.dice + dice, roll.pool.open_ended)
    return msgspec.structs.replace(roll, pool=pool)


# --- Where a blow lands ------------------------------------------------------------------------


def blow_damage(fight: Fight, roll: MomentRoll, result: AttackResult) -> Step[Damage | None]:
    """What is left of a blow after the defence: none if it misses (fight.strike.miss).

    Successes of a defence come off the attack; short of its obstacle it misses
    (fight.avoid.miss_if_below_ob, fight.block.subtracts, fight.counterstrike.defense_pool),
    otherwise it does as much as is left (fight.avoid.partial). The attacker divides the extra
    successes before that or after it, and those that artha brought when they came
    (weapons.amb.allocation_time).
    """
    swing, table = roll.swing, fight.table
    assert swing is not None
    if result.margin < 0:  # nobody is asked where a blow would have gone
        return None
    early = result.extra - result.late
    blow = yield from land(swing, early, result.taken, result.late, table)
    sheet = table.character(swing.character)
    numbers = struck_with(sheet, swing.carried, swing.way, with_bonus=swing.bonus)
    va = with_strength(swing.way.va, sheet.ability("Power"))
    return landed(blow, swing.way.add, numbers, va)


def harm_of(fight: Fight, roll: MomentRoll, target: str, damage: Damage) -> Harm:
    """A blow on its way to armor and wounds; who chose the location last picks the side."""
    swing = roll.swing
    assert swing is not None
    moved = damage.location != on_the_body(swing.opening.offered) or len(swing.opening.known) == 1
    hit = IncomingHit(
        character=target,
        damage=damage,
        chooser=fight.seat(roll.character if moved else target),
        source=f"{fight.name(roll.character)}'s {swing.carried.called}",
        opponent=roll.character,
        holding=fight.fighter(target).weapon,
        in_script=True,
    )
    return Harm(hit, roll.character)


def broken_by_power(fight: Fight, roll: MomentRoll, result: AttackResult) -> Step[Fight]:
    """A weapon that a lighter Power was too much for is gone (shades.power.weapon_shatters)."""
    swing = roll.swing
    if swing is None or not shatters(result.successes, result.taken, with_bonus=swing.bonus):
        return fight
    before = fight
    fight = fight.at((yield from shatter(fight.table, roll.character, swing.carried)))
    if swing.carried != wielded(before, roll.character):
        return fight
    return take_in_hand(fight, roll.character, "")
