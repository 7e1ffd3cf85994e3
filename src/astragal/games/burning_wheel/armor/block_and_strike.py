"""Block and Strike: what a trained bearer does with a shield and a weapon in one action.

The skill dice are divided between a Block half and a Strike half, and the shield goes to the
Block (``armor/shields``). Who acts when, at what distance and in which stance belongs to Fight!,
which uses :func:`facing`, :func:`strike_lines` and :func:`block_lines`; a table that does not play
it uses :func:`block_and_strike` alone.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.errors import NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, Tally, consent, note, tell, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..conditions.armor_weight import SHIELD_TRAINING, has_training
from ..sheet.armor_tables import shield_dice
from ..sheet.catalogue_keys import check_key, key_of
from ..sheet.facts import DiceGathered, TestCame
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.attempts import Attempt
from ..tests.simultaneous import split_pool
from .halves import (
    Half,
    divide,
    log_halves,
    part_of,
    source_of,
    throw_second_half,
)
from .shields import (
    MOST_SUCCESSES,
    IncomingAttack,
    InTheFight,
    Maneuver,
    check_va,
    in_the_fight,
    may_block,
    shield_help,
    throw_with_shield,
    wear_shield,
)

STANCE = 2
"""What a stance adds, in dice or obstacle (armor.block_and_strike.aggressive_maneuver)."""

STRIKE_OBSTACLE = 1
"""The Strike half is an ordinary Strike (armor.block_and_strike.simultaneous)."""


class Stance(Enum):
    """The fighter's stance."""

    __hash__ = object.__hash__  # each member is there only once, and is looked up all the time

    NEUTRAL = "neutral"
    AGGRESSIVE = "aggressive"
    DEFENSIVE = "defensive"


# --- Against each action of the opponent -----------------------------------------------------


class OpposingAction(msgspec.Struct, frozen=True):
    """An action of the opponent, and what the two halves do against it.

    ``blocks`` if the Block half answers it, ``feinted`` if a Feint takes that half away;
    ``reduced`` if its successes reduce the Strike half, ``if_it_can`` if the Strike is only made
    where distance and footing allow.
    """

    action: str
    blocks: bool
    feinted: bool
    reduced: bool
    if_it_can: bool


@cache
def _matrix() -> dict[str, OpposingAction]:
    """Every action of the opponent, by key (armor.table.block_and_strike_matrix)."""
    found = {}
    for row in catalogue().table("armor.table.block_and_strike_matrix").records():
        action = str(row["opponent_action_same_interval"])
        block, strike = str(row["block_half"]), str(row["strike_half"])
        found[key_of(action)] = OpposingAction(
            action=action,
            blocks="subtract" in block,
            feinted=block.startswith("lost"),
            reduced=strike.startswith("reduced"),
            if_it_can=strike.startswith("made if"),
        )
    return found


def facing(action: str) -> OpposingAction:
    """What Block and Strike does against an action of the opponent on the same interval.

    For every counter and defence it is a Strike (armor.block_and_strike.counts_as_strike); a
    Feint takes away the Block half, and the Strike is still made (armor.block_and_strike.feint,
    armor.amb.block_and_strike_feint).

    >>> facing("feint").blocks, facing("avoid").reduced
    (False, True)
    """
    known = _matrix()
    return known[check_key(action, known, "against", "armor.block_and_strike.counts_as_strike")]


def check_block_and_strike(sheet: Sheet) -> None:
    """Shield Training, and a shield with a die left (armor.block_and_strike.requirement)."""
    rule = "armor.block_and_strike.requirement"
    if not has_training(sheet, SHIELD_TRAINING):
        raise NotAllowed(f"Block and Strike needs Shield Training, which {sheet.name} lacks", rule)
    if sheet.shield is None or not shield_dice(sheet.shield).total:
        raise NotAllowed(f"{sheet.name} has no shield with dice left: take one up first", rule)


# --- The halves ------------------------------------------------------------------------------


def strike_lines(stance: Stance) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Dice and obstacle that a stance brings to the Strike half.

    It belongs with Strike: two dice in an Aggressive stance
    (armor.block_and_strike.aggressive_maneuver), two obstacles in a Defensive one and no dice
    anywhere (armor.amb.block_and_strike_defensive_stance).
    """
    if stance is Stance.AGGRESSIVE:
        rule = "armor.block_and_strike.aggressive_maneuver"
        return (Line(STANCE, "Aggressive stance", rule),), ()
    if stance is Stance.DEFENSIVE:
        rule = "armor.amb.block_and_strike_defensive_stance"
        return (), (Line(STANCE, "Defensive stance", rule),)
    return (), ()


def block_lines(stance: Stance) -> tuple[Line, ...]:
    """What a stance costs the Block half: each takes one of its successes away.

    armor.block_and_strike.aggressive_stance_block_penalty.
    """
    if stance is not Stance.AGGRESSIVE:
        return ()
    rule = "armor.block_and_strike.aggressive_stance_block_penalty"
    return (Line(STANCE, "Aggressive stance", rule),)


# --- Played outside a scripted fight ----------------------------------------------------------


class BlockAndStrike(Arguments, frozen=True):
    """A scripted Strike that a trained bearer carries out as a Block and Strike.

    ``against`` is the opponent's action, ``attack`` the successes of an attack, ``defence`` the
    successes of a defence, which reduce the Strike. ``va`` and ``shade`` are the attack's. The
    ``weapon`` in hand may bring balance dice.
    """

    character: str
    skill: str
    against: str = "strike"
    attack: int = 0
    defence: int = 0
    va: int = 0
    shade: str = "B"
    articulated: bool = False
    inside: bool = False
    stance: Stance = Stance.NEUTRAL
    weapon: str = ""


class BlockAndStrikeOutcome(Outcome, frozen=True):
    """How the two halves came out; ``passed`` if the Strike lands.

    ``actions`` is the cost. ``margin`` are the successes of the Strike above its obstacle,
    ``remaining`` those left of the opponent's attack.
    """

    passed: bool
    strike_dice: Tally
    strike_obstacle: Tally
    strike: int
    margin: int
    block_dice: Tally
    blocked: bool
    block: int
    remaining: int
    shield_lost: int = 0
    shield_left: int = 0
    actions: int = 1


class Halves(msgspec.Struct, frozen=True):
    """The two pools when the dice are about to be thrown."""

    strike: Pool
    block: Pool
    shield: Tally
    strike_dice: Tally
    block_dice: Tally


def block_and_strike(arguments: BlockAndStrike, table: BurningTable) -> Play[BlockAndStrikeOutcome]:
    """Carry a scripted Strike out as a Block and Strike, for its one action.

    armor.block_and_strike.script: it is announced when the volley is, and the dice are divided
    before anyone rolls (armor.amb.block_and_strike_allocation_time).
    """
    sheet = table.character(arguments.character)
    check_block_and_strike(sheet)
    check_va(arguments.va)
    for field in ("attack", "defence"):
        check_between(field, getattr(arguments, field), 0, MOST_SUCCESSES, unit="successes")
    against = facing(arguments.against)
    fighter = InTheFight(arguments.character, arguments.skill, arguments.weapon)
    attempt = yield from in_the_fight(fighter, "strike", "Strike", table)
    halves = yield from _divide(arguments, attempt, sheet)
    if against.feinted:
        text = f"{sheet.name} is feinted out of position: no Block, but the Strike is still made."
        yield from note(text, "armor.block_and_strike.feint")
    possible = yield from _may_strike(against)
    incoming = _incoming(arguments, against)
    if against.blocks and may_block(sheet, incoming) and halves.block_dice.total:
        costs = _block_costs(arguments, attempt)
        harder = costs if costs.lines else None
        yield from tell(DiceGathered(f"{sheet.name}, Block,", halves.block_dice, harder))
        return then(roll_block, arguments, attempt, halves, possible, table)
    return then(roll_strike, arguments, attempt, halves, None, possible, table)


def roll_block(
    arguments: BlockAndStrike, attempt: Attempt, halves: Halves, possible: bool, table: BurningTable
) -> Play[BlockAndStrikeOutcome]:
    """Throw the Block half."""
    sheet = table.character(arguments.character)
    enough = arguments.attack + _block_costs(arguments, attempt).total
    shade = Shade.parse(arguments.shade)
    used = yield from throw_with_shield(attempt, halves.block, halves.shield, sheet, shade, enough)
    return then(roll_strike, arguments, attempt, halves, used, possible, table)


def _block_costs(arguments: BlockAndStrike, attempt: Attempt) -> Tally:
    """What is against the Block half: each +1 Ob removes one of its successes."""
    return attempt.penalties + block_lines(arguments.stance)


def _incoming(arguments: BlockAndStrike, against: OpposingAction) -> IncomingAttack:
    return IncomingAttack(
        arguments.attack,
        arguments.va,
        Shade.parse(arguments.shade),
        great_strike=key_of(against.action) == "great_strike",
        articulated=arguments.articulated,
        inside=arguments.inside,
    )


def _divide(arguments: BlockAndStrike, attempt: Attempt, sheet: Sheet) -> Step[Halves]:
    """Skill dice to either half, all the shield dice to the Block (armor.block_and_strike.split).

    With a single skill die it goes to the Strike, and the Block is the shield's dice alone
    (armor.amb.block_and_strike_minimum).
    """
    total = attempt.pool.dice.total
    rule = "armor.block_and_strike.split"
    striking = total
    if total > 1:
        striking, _ = yield from divide(attempt, ("strike", "block"), rule, sheet.name)
    strike, block = split_pool(attempt.pool, striking)
    more, _ = strike_lines(arguments.stance)
    shade = attempt.agreed.tested.rating.shade
    bonus = Shaded.of(shade, _sum(more))
    incoming = _incoming(arguments, facing(arguments.against))
    shield = shield_help(sheet, Maneuver.BLOCK_HALF, incoming)
    name = source_of(attempt)
    return Halves(
        strike=Pool(strike.dice + bonus, strike.open_ended),
        block=block,
        shield=shield,
        strike_dice=Tally.of(striking, name, rule) + more,
        block_dice=Tally.of(total - striking, name, rule) + shield.lines,
    )


def _may_strike(against: OpposingAction) -> Step[bool]:
    """Whether distance and footing still allow the Strike, where that is in question."""
    if not against.if_it_can:
        return True
    can: bool = yield from consent(
        GM,
        "strike_possible",
        f"Do distance and footing allow the Strike? ({against.action})",
        because="armor.block_and_strike.simultaneous",
    )
    return can


def strike_obstacle(attempt: Attempt, stance: Stance) -> Tally:
    """An ordinary Strike: 1 and its penalties (armor.block_and_strike.simultaneous)."""
    base = Tally.of(STRIKE_OBSTACLE, "Strike", "armor.block_and_strike.simultaneous")
    return base + attempt.penalties.lines + strike_lines(stance)[1]


def roll_strike(
    arguments: BlockAndStrike,
    attempt: Attempt,
    halves: Halves,
    used: artha.ThrownDice | None,
    possible: bool,
    table: BurningTable,
) -> Play[BlockAndStrikeOutcome]:
    """Throw the Strike half, on the same action (armor.block_and_strike.simultaneous)."""
    if not possible:
        return then(both_halves, arguments, attempt, halves, used, None, table)
    name = table.character(arguments.character).name
    obstacle = strike_obstacle(attempt, arguments.stance)
    enough = obstacle.total + (arguments.defence if facing(arguments.against).reduced else 0)
    yield from tell(DiceGathered(f"{name}, Strike,", halves.strike_dice, obstacle))
    label = f"{name}, {attempt.agreed.name} (Strike)"
    struck = yield from throw_second_half(attempt, halves.strike, label, used, enough)
    return then(both_halves, arguments, attempt, halves, used, struck, table)


def both_halves(
    arguments: BlockAndStrike,
    attempt: Attempt,
    halves: Halves,
    used: artha.ThrownDice | None,
    struck: artha.ThrownDice | None,
    table: BurningTable,
) -> Play[BlockAndStrikeOutcome]:
    """What is left of the attack, and whether the Strike lands."""
    sheet = table.character(arguments.character)
    against = facing(arguments.against)
    block = 0
    if used is not None:
        block = max(0, used.successes - _block_costs(arguments, attempt).total)
    remaining = max(0, arguments.attack - block)
    if used is not None:
        verdict = f"Successes left of the attack: {remaining}."
        yield from tell(TestCame(f"{sheet.name}, Block", block, verdict, not remaining))
    obstacle = strike_obstacle(attempt, arguments.stance)
    strike = 0 if struck is None else struck.successes
    left = max(0, strike - arguments.defence) if against.reduced else strike
    margin = left - obstacle.total
    lands = struck is not None and margin >= 0
    verdict = "The Strike lands." if lands else "The Strike misses."
    yield from tell(TestCame(sheet.name, left, verdict, lands))
    thrown = struck or used
    lost = 0
    if thrown is not None:
        rolled = _as_rolled(arguments, attempt, halves, obstacle, (struck, used))
        table = yield from log_halves(attempt, rolled, thrown, table, passed=lands)
    if used is not None:
        shade = Shade.parse(arguments.shade)
        table, lost = yield from wear_shield(table, arguments.character, used.ones, shade)
    shield = table.character(arguments.character).shield
    return BlockAndStrikeOutcome(
        passed=lands,
        strike_dice=halves.strike_dice,
        strike_obstacle=obstacle,
        strike=left,
        margin=margin,
        block_dice=halves.block_dice,
        blocked=used is not None,
        block=block,
        remaining=remaining,
        shield_lost=lost,
        shield_left=0 if shield is None else shield_dice(shield).total,
    )


def _as_rolled(
    arguments: BlockAndStrike,
    attempt: Attempt,
    halves: Halves,
    obstacle: Tally,
    thrown: tuple[artha.ThrownDice | None, artha.ThrownDice | None],
) -> tuple[Half, ...]:
    """Strike and Block as tests, as far as they were thrown.

    The Strike against its obstacle and what a defence took (advancement.amb.versus_penalties).
    """
    found: tuple[Half, ...] = ()
    rule = "armor.block_and_strike.split"
    if thrown[0] is not None:
        more, _ = strike_lines(arguments.stance)
        part = part_of(attempt, halves.strike.dice.total - _sum(more), rule, first=True)
        part = msgspec.structs.replace(part, dice=part.dice + more)
        met = arguments.defence if facing(arguments.against).reduced else 0
        found += (Half(part, obstacle.total + met, STRIKE_OBSTACLE + met),)
    if thrown[1] is not None and halves.block.dice:  # a shield's dice alone test no skill
        costs = _block_costs(arguments, attempt).total
        part = part_of(attempt, halves.block.dice.total, rule, first=not found)
        part = msgspec.structs.replace(part, dice=part.dice + halves.shield.lines)
        against = max(1, arguments.attack)
        found += (Half(part, against + costs, against),)
    return found


def _sum(lines: tuple[Line, ...]) -> int:
    return sum(line.amount for line in lines)


PROCEDURES = (
    Procedure(
        "block_and_strike", "Block and Strike", BlockAndStrike, block_and_strike, gm_only=True
    ),
)
