"""Lance to lance: two riders charge each other, by the conventions of Range and Cover.

A section of the chapter on riding (``riding``). No actions are counted: both Close, and whoever
wins has a Strike with the lance (riding.lance.joust_use_range_and_cover,
riding.amb.lance_unwieldy).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Step, Tally, note, tell

from ..armor.hits import HitOutcome, IncomingHit
from ..conditions.mounted import RIDING, has_harness, is_bowman, is_knight, seated
from ..conditions.reflexes import actions_in_exchange
from ..movement.movement import positioning_dice
from ..sheet.facts import DiceGathered
from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import LANCE, Weapon
from ..tests.attempts import Attempt, TestResult, agree_and_prepare
from ..tests.conclusions import after_test
from ..tests.helping import Helper, forks, help_dice
from ..tests.intent import Context, Declaration
from ..tests.simultaneous import RollingSide, throw_together
from ..tests.tests import open_result
from ..weapons.blows import AT_BASE, Strike, Swing, land, landed
from ..weapons.damage import struck_with, way_to_strike, with_strength
from ..weapons.locations import is_of_mount, on_the_body
from ..weapons.openings import open_location
from ..weapons.wielding import aim_with, hit_or_miss, lighter_power, roll_weapon, take_up
from .falls import apply_hits
from .unhorsing import push_from_saddle


class Joust(Arguments, frozen=True):
    """Two riders with lances who charge each other."""

    character: str
    opponent: str


class LanceStrike(msgspec.Struct, frozen=True):
    """A Strike with the lance: who rolled it, what came, and the net successes of its Push.

    ``push`` is none where the lance missed, or hit the mount; ``test`` is the roll itself.
    """

    lancer: str
    successes: int
    obstacle: int
    passed: bool
    push: int | None = None
    test: TestResult | None = None


class JoustOutcome(Outcome, frozen=True):
    """Who won the Close, who hit, and what became of both.

    ``successes`` and ``dice`` are those of the Close. ``strikes`` are the Strikes that followed,
    also those that missed; ``struck`` says whose lance hit. ``seats`` says for each of the two
    whether he keeps the saddle: seated, half_out or unhorsed.
    """

    winner: str | None
    successes: tuple[int, int]
    struck: tuple[str, ...] = ()
    seats: tuple[str, str] = ("seated", "seated")
    suffered: tuple[HitOutcome, ...] = ()
    strikes: tuple[LanceStrike, ...] = ()
    dice: tuple[Tally, ...] = ()


class LanceBlow(msgspec.Struct, frozen=True):
    """A lance that has hit: whose, whom, with how many successes, and what hit."""

    lancer: str
    target: str
    successes: int
    hit: IncomingHit
    at_rider: bool


def joust(arguments: Joust, table: BurningTable) -> Play[JoustOutcome]:
    """Both Close at once (riding.lance.joust_use_range_and_cover).

    The winner may Strike, and the other does not (riding.lance.joust_winner); on a tie both do, at
    the same moment (riding.lance.joust_tie).
    """
    sides = (arguments.character, arguments.opponent)
    lances = tuple(_lance_of(name, place, table) for name, place in zip(sides, PLACES, strict=True))
    if arguments.character == arguments.opponent:
        expected = "another rider"
        rule = "riding.lance.joust_use_range_and_cover"
        raise BadInput("opponent", arguments.opponent, expected, rule)
    successes, dice, table = yield from _close(sides, table)
    winner = None
    if successes[0] != successes[1]:
        winner = sides[0] if successes[0] > successes[1] else sides[1]
    rule = "riding.lance.joust_tie" if winner is None else "riding.lance.joust_winner"
    who = "Both strike" if winner is None else f"{table.character(winner).name} strikes"
    yield from note(f"{who}.", rule)
    striking = sides if winner is None else (winner,)
    blows: tuple[LanceBlow, ...] = ()
    strikes: dict[str, LanceStrike] = {}
    for name in striking:
        target = sides[1] if name == sides[0] else sides[0]
        lance = lances[sides.index(name)]
        strikes[name], blow, table = yield from _strike(name, target, lance, table)
        blows += () if blow is None else (blow,)
    mounts = {name: seated(table, name).mount for name in sides}
    seats, hits = dict.fromkeys(sides, "seated"), [blow.hit for blow in blows]
    for blow in blows:
        if blow.at_rider:
            came, table = yield from push_from_saddle(
                blow.target, blow.successes, mounts[blow.lancer], table
            )
            seats[blow.target] = {"keeps_seat": "seated"}.get(came.result, came.result)
            pushed = msgspec.structs.replace(strikes[blow.lancer], push=came.net)
            strikes[blow.lancer] = pushed
            hits += [] if came.hit is None else [came.hit]
    suffered, _ = yield from apply_hits(tuple(hits), table)
    return JoustOutcome(
        winner,
        successes,
        tuple(blow.lancer for blow in blows),
        (seats[sides[0]], seats[sides[1]]),
        suffered,
        tuple(strikes.values()),
        dice,
    )


PLACES = ("character", "opponent")


def _armed_rider(name: str, table: BurningTable) -> Weapon:
    """The lance of a rider, or a refusal (riding.lance.charge_requirements)."""
    seated(table, name)
    sheet = table.character(name)
    lance = next((each for each in sheet.weapons if each.weapon == LANCE), None)
    if lance is None:
        raise NotAllowed(f"{sheet.name} has no lance", "riding.lance.charge_requirements")
    return lance


def _lance_of(name: str, place: str, table: BurningTable) -> Weapon:
    """The lance of a rider who can use it (riding.lance.charge_requirements)."""
    rule = "riding.lance.charge_requirements"
    sheet = table.character(name, place)
    mount = table.character(seated(table, name, place).mount)
    lance = _armed_rider(name, table)
    if not has_harness(mount):
        raise NotAllowed(f"{mount.name} needs saddle, harness and stirrups for a lance", rule)
    if is_bowman(sheet) and not is_knight(sheet):
        what = f"{sheet.name} is a mounted bowman and has no lance training"
        raise NotAllowed(what, "riding.bowman.allowed_rules")
    return take_up(table, name, lance.called)


# --- Closing ---------------------------------------------------------------------------------


def _close(
    sides: tuple[str, str], table: BurningTable
) -> Step[tuple[tuple[int, int], tuple[Tally, ...], BurningTable]]:
    """The beasts' Speed, with the riders' help (riding.lance.joust_pool)."""
    mounts = {seated(table, name).mount: name for name in sides}
    faster = yield from positioning_dice(tuple(mounts), table, "riding.combat.position_multiplier")
    quick = {
        mount: max(actions_in_exchange(table, each).total for each in (mount, name))
        for mount, name in mounts.items()
    }
    best = max(quick.values()) if len(set(quick.values())) > 1 else None
    attempts = []
    for mount, name in mounts.items():
        edge: tuple[Line, ...] = (faster[mount],) if mount in faster else ()
        if quick[mount] == best:
            edge += (Line(1, "higher Reflexes", "riding.combat.position_reflexes"),)
        attempts.append((yield from _gather(name, mount, edge, table)))
    rolling = tuple(
        RollingSide(
            attempt.seat,
            f"{table.character(name).name}, lance charge",
            (("", attempt.pool),),
            attempt.hand,
            attempt.spent,
        )
        for name, attempt in zip(sides, attempts, strict=True)
    )
    thrown = [each[0] for each in (yield from throw_together(rolling))]
    counts = [open_result(t.successes, a) for t, a in zip(thrown, attempts, strict=True)]
    for at, attempt in enumerate(attempts):
        against = max(1, counts[1 - at])
        table, _ = yield from after_test(
            attempt,
            thrown[at],
            against + attempt.penalties.total,
            table,
            passed=counts[at] > counts[1 - at],
            base=against,
        )
    return (counts[0], counts[1]), tuple(attempt.all_dice for attempt in attempts), table


def _gather(rider: str, mount: str, edge: tuple[Line, ...], table: BurningTable) -> Step[Attempt]:
    """Speed of the beast; Riding helps it, and the rider's other skills FoRK.

    riding.lance.joust_pool, riding.amb.lance_help_skill. It is help, so that the rider learns as
    every helper does (advancement.help.helper_earns).
    """
    sheet = table.character(rider)
    dice = edge
    helpers: tuple[Helper, ...] = ()
    skill = sheet.find(RIDING)
    if skill is not None and skill.exponent:
        line = help_dice(skill)
        dice += (msgspec.structs.replace(line, rule="riding.lance.joust_pool"),)
        helpers = (Helper(rider, skill, "rides", line.amount),)
        dice += yield from forks(rider, skill, table)
    said = Declaration(character=mount, task="charges", ability="Speed")
    context = Context(dice=dice, called_for=True, laid_down=True, several=True)
    attempt = yield from agree_and_prepare(said, context, table)
    seat, helpers = sheet.seat(rider), (*attempt.helpers, *helpers)
    attempt = msgspec.structs.replace(attempt, seat=seat, helpers=helpers)
    against = attempt.penalties if attempt.penalties.lines else None
    yield from tell(DiceGathered(f"{sheet.name}, lance charge,", attempt.all_dice, against))
    return attempt


# --- The Strike ------------------------------------------------------------------------------


def _strike(
    lancer: str, target: str, lance: Weapon, table: BurningTable
) -> Step[tuple[LanceStrike, LanceBlow | None, BurningTable]]:
    """A normal Strike (riding.lance.joust_winner); the target declares what is open."""
    opening = yield from open_location(target, table, mounted=True)
    way = way_to_strike(lance, "", table.options)
    bonus = yield from lighter_power(lancer, lance, table)
    said = Strike(lancer, target, lance.called)
    test = yield from aim_with(said, lance, AT_BASE, (), table)
    throw = yield from roll_weapon(test, table)
    result, table = yield from hit_or_miss(test, throw, table)
    obstacle = result.obstacle.total
    strike = LanceStrike(lancer, result.successes, obstacle, result.passed, test=result)
    if not result.passed:
        return strike, None, table
    swing = Swing(lancer, lance, way, opening, bonus)
    landing = yield from land(swing, result.margin, 0, 0, table)
    sheet = table.character(lancer)
    numbers = struck_with(sheet, lance, way, with_bonus=bonus)
    va = with_strength(way.va, sheet.ability("Power"))
    damage = landed(landing, way.add, numbers, va)
    assert damage is not None
    on_mount = is_of_mount(damage.location)
    victim = seated(table, target).mount if on_mount else target
    damage = msgspec.structs.replace(damage, location=on_the_body(damage.location))
    name = table.character(victim).name
    yield from note(f"{sheet.name} hits {name}. {damage}.", "riding.lance.joust_winner")
    hit = IncomingHit(
        victim,
        damage,
        table.character(target).seat(target),
        source=f"{sheet.name}'s {lance.called}",
        opponent=lancer,
    )
    return strike, LanceBlow(lancer, target, result.successes, hit, not on_mount), table


PROCEDURES = (Procedure("joust", "Joust: lance to lance", Joust, joust, check=_armed_rider),)
