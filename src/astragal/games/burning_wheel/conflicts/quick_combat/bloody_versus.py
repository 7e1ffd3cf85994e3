"""Bloody versus tests: quick combat in one roll, from two sheets to a wound.

One attacks and the other defends. If both mean to kill, they divide their dice, in
``conflicts/quick_combat/two_pools``; where no life is at stake a plain versus test is enough
(``conflicts/quick_combat/simple``). How wounds heal is in the chapter on injury.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Fact, Line, Play, Seat, Step, Tally, call, choose, note, tell, then
from astragal.rules import catalogue

from ...armor.hits import HitOutcome, IncomingHit, Protection, take_hit
from ...sheet.scene import BurningTable, Ride
from ...sheet.weapon_tables import FIST, MeleeWeapon, Weapon
from ...sheet.weapons_carried import check_whole, to_strike_with
from ...tests.attempts import Attempt
from ...tests.let_it_ride import check_no_ride, let_it_ride
from ...tests.versus import roll_versus
from ...tests.versus_verdict import VersusContest
from ...weapons.blows import AT_BASE, BASE, Landing, allocate, landed
from ...weapons.damage import Damage, struck_with, way_to_strike, with_strength
from ...weapons.from_the_saddle import check_lance, rides_on_without_spear, swung
from ...weapons.openings import Opening, open_location
from ...weapons.shaded_damage import shatters
from ...weapons.wielding import (
    Attack,
    WeaponTest,
    aim_with,
    check_skill_left,
    hindrances,
    lighter_power,
    shatter,
    usual_skill,
)

# --- Who fights, and how it came out ---------------------------------------------------------


class Fighter(Arguments, frozen=True):
    """A character in quick combat: the weapon (bare fists without one) and how it is used."""

    character: str
    weapon: str = ""
    way: str = ""
    skill: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class BloodyVersus(Arguments, frozen=True):
    """An attacker and a defender."""

    attacker: Fighter
    defender: Fighter


class BloodyOutcome(Outcome, frozen=True):
    """How quick combat ended; of each pair the first is the first fighter's.

    ``attack`` and ``defence`` are the successes that counted, ``left`` those of the attack after
    the other's defence; ``harm`` is what each has suffered. The loser is ``at_mercy``;
    ``then_does`` is what a defender who won does, ``shared_by`` are the loser's helpers, if they
    share the defeat. Without a ``winner`` it is inconclusive.
    """

    winner: str | None
    sides: tuple[str, str]
    attack: tuple[int, int]
    defence: tuple[int, int]
    left: tuple[int, int]
    harm: tuple[HitOutcome | None, HitOutcome | None]
    dice: tuple[Tally, Tally]
    tie: bool = False
    broken_by: str = ""
    at_mercy: str = ""
    then_does: str = ""
    shared_by: tuple[str, ...] = ()


class ReadyFighter(msgspec.Struct, frozen=True):
    """A fighter with everything gathered, before the dice are thrown."""

    character: str
    carried: Weapon
    way: MeleeWeapon
    opening: Opening
    aimed: WeaponTest
    bonus: bool = False
    leaves_spear: bool = False

    @property
    def attempt(self) -> Attempt:
        """The test of the weapon skill."""
        return self.aimed.attempt


def check_fighters(
    fighters: tuple[Fighter, ...], places: tuple[str, ...], table: BurningTable, *, strike: int
) -> None:
    """Refuse all but two characters, each with a working weapon and their own helpers.

    The first ``strike`` of them strike, and need Power for it.
    """
    taken = [fighter.character for fighter in fighters]
    rule = "fight.bloody.single_versus"
    for index, (fighter, place) in enumerate(zip(fighters, places, strict=True)):
        sheet = table.character(fighter.character, f"{place}.character")
        if fighter.character in taken[:index]:
            expected = "another character"
            raise BadInput(f"{place}.character", fighter.character, expected, rule)
        carried = to_strike_with(sheet, fighter.weapon, f"{place}.weapon")
        check_whole(carried)
        way_to_strike(carried, fighter.way, table.options)
        check_skill_left(table, fighter.character, _skill(fighter, table))
        if index < strike:
            sheet.ability("Power", f"{place}.stats")
            check_lance(table, fighter.character, carried, fighter.way)
        for helper in fighter.helpers:
            if helper in taken:
                expected = "a character with no other part in the fight"
                raise BadInput(f"{place}.helpers", helper, expected, rule)
        taken += fighter.helpers


def not_again(fighter: Fighter, intent: str, table: BurningTable) -> Step[BurningTable]:
    """Refuse a second roll for the same fight (fight.bloody.one_roll_ends_fight)."""
    skill = _skill(fighter, table)
    return (yield from check_no_ride(table, fighter.character, skill, intent))


def _skill(fighter: Fighter, table: BurningTable) -> str:
    carried = to_strike_with(table.character(fighter.character), fighter.weapon)
    return fighter.skill or usual_skill(carried, thrown=False, options=table.options)


def make_ready(
    fighter: Fighter,
    opponent: str,
    intent: str,
    opening: Opening,
    table: BurningTable,
    *,
    strikes: bool = True,
) -> Step[ReadyFighter]:
    """Gather the dice of a fighter's weapon skill, and what counts against it.

    A fighter who ``strikes`` needs Power, and may put a lighter shade of it into the weapon.
    """
    sheet = table.character(fighter.character)
    carried = to_strike_with(sheet, fighter.weapon)
    way = way_to_strike(carried, fighter.way, table.options)
    against = yield from hindrances(
        "fight.table.melee_obstacles",
        f"Disadvantages ({sheet.name})",
        "weapons.strike.modifiers",
        with_others=True,
    )
    named = bool(fighter.way) or not strikes
    from_above = yield from swung(table, fighter.character, opponent, carried, way, named=named)
    against += from_above.against
    bonus = False
    dice: tuple[Line, ...] = ()
    if strikes:
        bonus = yield from lighter_power(fighter.character, carried, table)
        dice = from_above.dice
    target = opponent if strikes else ""  # sorcery.spell.turn_aside_the_blade: of attacks alone
    attack = Attack(
        fighter.character, target, fighter.weapon, fighter.skill, fighter.helpers, fighter.gear
    )
    against += opening.hampered
    aimed = yield from aim_with(
        attack, carried, AT_BASE, against, table, intent=intent, named=True, dice=dice
    )
    ready = ReadyFighter(fighter.character, carried, from_above.way, opening, aimed, bonus)
    return msgspec.structs.replace(ready, leaves_spear=from_above.leaves_spear)


def fight_ends(
    table: BurningTable, ready: ReadyFighter, successes: int, *, passed: bool
) -> Step[BurningTable]:
    """Quick combat is over after the one roll (fight.bloody.one_roll_ends_fight)."""
    if ready.leaves_spear:
        yield from rides_on_without_spear(table.character(ready.character).name)
    agreed = ready.attempt.agreed
    ride = Ride(ready.character, agreed.name, agreed.intent, successes, passed)
    return (yield from let_it_ride(table, ride))


# --- Damage ----------------------------------------------------------------------------------


def damage_done(
    ready: ReadyFighter, extra: int, target: Opening, table: BurningTable
) -> Step[Damage | None]:
    """The damage of a hit with ``extra`` successes above its obstacle, as of any Strike."""
    if extra < 0:
        return None
    sheet = table.character(ready.character)
    divided = yield from allocate(ready.character, target, extra, table)
    blow = Landing(divided.aimed_at, divided.damage)
    numbers = struck_with(sheet, ready.carried, ready.way, with_bonus=ready.bonus)
    va = with_strength(ready.way.va, sheet.ability("Power"))
    damage = landed(blow, ready.way.add, numbers, va)
    rule = "fight.bloody.remaining_attack_damages"
    by = f"IMS {numbers}; {blow.damage} extra for damage, Add {ready.way.add}"
    yield from note(f"{sheet.name} hits: {damage} ({by}).", rule)
    return damage


def hit_on(
    striker: ReadyFighter,
    struck: ReadyFighter,
    damage: Damage,
    how: Protection,
    table: BurningTable,
) -> IncomingHit:
    """A blow of one fighter at the other; the last to choose the location picks the side."""
    moved = damage.location != struck.opening.offered
    by = striker if moved else struck
    holding = "" if struck.carried.weapon == FIST else struck.carried.called
    return IncomingHit(
        character=struck.character,
        damage=damage,
        chooser=seat_of(by, table),
        protection=how,
        source=f"{table.character(striker.character).name}'s {striker.carried.called}",
        opponent=striker.character,
        holding=holding,
    )


def seat_of(ready: ReadyFighter, table: BurningTable) -> Seat:
    """The player of a fighter."""
    return table.character(ready.character).seat(ready.character)


class FightEnded(Fact, frozen=True, tag="fight_ended"):
    """How quick combat ended: the wounds, and who is at whose mercy."""

    wounds: tuple[str, ...]
    verdict: str
    rule: str
    role = "conclusion"

    def sentence(self) -> str:
        """The wounds, then the verdict."""
        return " ".join((*self.wounds, self.verdict))


def ended(outcome: BloodyOutcome, table: BurningTable) -> FightEnded:
    """The end of quick combat (fight.bloody.one_roll_ends_fight).

    A tie is inconclusive (fight.bloody.tie): nobody wins, not even the defender.
    """
    names = [table.character(side).name for side in outcome.sides]
    wounds = tuple(
        _wound(name, harm)
        for name, harm in zip(names, outcome.harm, strict=True)
        if harm is not None
    )
    if outcome.winner is None:
        ties = catalogue().table("tests.table.ties_by_conflict")
        says = ties.value("on_equal_successes", contest="quick combat in one roll")
        return FightEnded(wounds, f"The fight is {says}.", "fight.bloody.tie")
    loser, winner = (table.character(each).name for each in (outcome.at_mercy, outcome.winner))
    verdict = f"The fight is over; {loser} is at {winner}'s mercy."
    return FightEnded(wounds, verdict, "fight.bloody.one_roll_ends_fight")


def _wound(name: str, harm: HitOutcome) -> str:
    if harm.level:
        return f"{name} has a {harm.level} wound."
    return f"{name}'s armor stops the blow." if harm.armor else f"{name} is not wounded."


# --- One attacks, one defends ----------------------------------------------------------------


def bloody_versus(arguments: BloodyVersus, table: BurningTable) -> Play[BloodyOutcome]:
    """One versus test between the weapon skills of attacker and defender.

    fight.bloody.single_versus.
    """
    attacker, defender = arguments.attacker, arguments.defender
    check_fighters((attacker, defender), ("attacker", "defender"), table, strike=1)
    aim, guard = _intents(arguments, table)
    table = yield from not_again(attacker, aim, table)
    table = yield from not_again(defender, guard, table)
    opening = yield from open_location(defender.character, table, attacker=attacker.character)
    unopened = Opening("", ())
    one = yield from make_ready(attacker, defender.character, aim, unopened, table)
    other = yield from make_ready(
        defender, attacker.character, guard, opening, table, strikes=False
    )
    return then(cross_blades, one, other, table)


def _intents(arguments: BloodyVersus, table: BurningTable) -> tuple[str, str]:
    names = [
        table.character(fighter.character).name
        for fighter in (arguments.attacker, arguments.defender)
    ]
    return f"hurt {names[1]}", f"defend against {names[0]}"


def contest_of(one: ReadyFighter, other: ReadyFighter) -> VersusContest:
    """The two sides; nobody wins a tie (fight.bloody.tie), as between two aggressors."""
    return VersusContest(
        attempts=(one.attempt, other.attempt),
        aggressors=(True, True),
        kept=(None, None),
        threats=("", ""),
        seconds=0,
        is_one_of_many=True,
    )


def cross_blades(
    one: ReadyFighter, other: ReadyFighter, table: BurningTable
) -> Play[BloodyOutcome]:
    """Both roll once; each earns a test against what the other rolled."""
    rolled, table = yield from call(roll_versus, contest_of(one, other), table)
    for ready, successes in zip((one, other), rolled.counted, strict=True):
        passed = rolled.winner == ready.character
        table = yield from fight_ends(table, ready, successes, passed=passed)
    left = rolled.margin if rolled.winner == one.character else 0
    if shatters(rolled.counted[0], rolled.counted[1], with_bonus=one.bonus):
        table = yield from shatter(table, one.character, one.carried)
    outcome = BloodyOutcome(
        winner=rolled.winner,
        sides=(one.character, other.character),
        attack=(rolled.counted[0], 0),
        defence=(0, rolled.counted[1]),
        left=(left, 0),
        harm=(None, None),
        dice=(rolled.dice[0], rolled.dice[1]),
        tie=rolled.tie,
        broken_by=rolled.broken_by,
        shared_by=rolled.shared_by,
    )
    if rolled.winner is None:
        yield from tell(ended(outcome, table))
        return outcome
    if rolled.winner == one.character:
        return then(wound_defender, one, other, outcome, table)
    return then(ward_off, one, other, outcome, table)


def wound_defender(
    one: ReadyFighter, other: ReadyFighter, outcome: BloodyOutcome, table: BurningTable
) -> Play[BloodyOutcome]:
    """The margin hurts, and its first success is the hit (fight.amb.two_pool_obstacle).

    Where a trait has broken the tie it is a plain hit. Armor is tested as against any Strike.
    """
    damage = yield from damage_done(one, max(0, outcome.left[0] - BASE), other.opening, table)
    assert damage is not None, "the winner hits"
    hit = hit_on(one, other, damage, Protection.TESTED, table)
    suffered, table = yield from call(take_hit, hit, table)
    outcome = msgspec.structs.replace(outcome, harm=(None, suffered), at_mercy=other.character)
    yield from tell(ended(outcome, table))
    return outcome


STAY = "stay"
AFTER_DEFENCE = {STAY: "Stay", "withdraw": "Withdraw", "escape": "Escape", "flee": "Flee"}
LEAVES = {"withdraw": "withdraws", "escape": "escapes", "flee": "flees"}


def ward_off(
    one: ReadyFighter, other: ReadyFighter, outcome: BloodyOutcome, table: BurningTable
) -> Play[BloodyOutcome]:
    """A defender who wins is unharmed and may leave (fight.bloody.defender_wins)."""
    rule = "fight.bloody.defender_wins"
    name = table.character(other.character).name
    yield from note(f"{name} is unharmed.", rule)
    does = yield from choose(
        seat_of(other, table),
        "then_does",
        f"{name} has fought off the attack. What next?",
        AFTER_DEFENCE,
        default=STAY,
        because=rule,
    )
    if does in LEAVES:
        yield from note(f"{name} {LEAVES[does]}.", rule)
    return msgspec.structs.replace(outcome, at_mercy=one.character, then_does=does)


PROCEDURES = (
    Procedure("bloody_versus", "Bloody versus test", BloodyVersus, bloody_versus, frequent=10),
)
