"""The Strike: where it lands, how much it does, and what a defence takes away from it.

With melee weapons one roll decides hit and damage (weapons.hit.one_roll). The defender says
which location is open; the attacker may move the blow with extra successes, and the rest go
into damage; a defence takes them away again. Scripted conflicts use the pure functions here
(:func:`divide`, :func:`defended`, :func:`landed`) and the steps that ask.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.dice import Shaded
from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Procedure
from astragal.play import (
    GM,
    Ask,
    Line,
    Number,
    Option,
    PickOne,
    Play,
    Seat,
    Step,
    Tally,
    ask,
    consent,
    note,
    then,
)

from ..artha import on_a_roll as artha
from ..conditions.mounted import mount_of
from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import MeleeWeapon, Weapon
from ..sheet.weapons_carried import to_strike_with
from ..tests.attempts import TestResult
from ..tests.conclusions import after_test
from .damage import Damage, Ims, sources, stage_of, struck_with, way_to_strike, with_strength
from .from_the_saddle import check_lance, rides_on_without_spear, swung
from .locations import (
    is_of_mount,
    move_cost,
    moving_rule,
    on_the_body,
    say_location,
)
from .openings import Opening, open_location
from .shaded_damage import shatters
from .wielding import (
    Attack,
    WeaponTest,
    aim_with,
    check_skill_left,
    hindrances,
    lighter_power,
    name_of_target,
    roll_weapon,
    say_whether_it_hits,
    shatter,
    take_up,
    usual_skill,
)

# --- Dividing successes --------------------------------------------------------------------


class Allocation(msgspec.Struct, frozen=True):
    """The extra successes of a hit, divided: for moving it to ``aimed_at``, and for damage.

    There are only these two uses (weapons.melee.extra_successes_two_uses).
    """

    offered: str
    aimed_at: str
    aim: int
    damage: int

    @property
    def extra(self) -> int:
        """All successes above the obstacle."""
        return self.aim + self.damage


def divide(offered: str, aimed_at: str, extra: int) -> Allocation:
    """Pay for the location; every other extra success must go to damage.

    They have no other use (weapons.melee.extra_successes_two_uses).
    Only successes above the obstacle can be spent (weapons.location.only_extras); those that
    move the blow do no damage (weapons.location.aim_not_damage), and all others must
    (weapons.location.rest_to_damage).
    """
    cost = move_cost(offered, aimed_at)
    if cost > extra:
        expected = f"a location that costs at most {extra} extra successes from the {offered}"
        raise BadInput("aim", aimed_at, expected, "weapons.location.only_extras")
    return Allocation(offered, aimed_at, cost, extra - cost)


@lru_cache(1024)
def reachable(offered: str, extra: int, known: tuple[str, ...]) -> tuple[Option, ...]:
    """Where a blow may go, with what it costs; the offered location first."""
    costs = {there: move_cost(offered, there) for there in (offered, *known)}
    return tuple(
        Option(
            key=there,
            label=say_location(there).capitalize(),
            rule=moving_rule(offered, there),
            cost=f"{cost} extra",
        )
        for there, cost in costs.items()
        if cost <= extra
    )


def aim_question(seat: Seat, opening: Opening, extra: int) -> Ask | None:
    """The question where a blow goes, if it can go anywhere else."""
    options = reachable(opening.offered, extra, opening.known)
    if len(options) < 2:
        return None
    return Ask(
        seat,
        "aim",
        f"Location to hit ({extra} extra; open: {say_location(opening.offered)})",
        PickOne(options=options, default=opening.offered),
        because="weapons.location.attacker_allocates",
        kind="offered" if opening.bears else "aside",
    )


def allocate(character: str, opening: Opening, extra: int, table: BurningTable) -> Step[Allocation]:
    """The attacker allocates the extra successes (weapons.location.attacker_allocates)."""
    asked = aim_question(table.character(character).seat(character), opening, extra)
    aimed_at: str = opening.offered if asked is None else (yield asked)
    return divide(opening.offered, aimed_at, extra)


# --- Defence -------------------------------------------------------------------------------


class Landing(msgspec.Struct, frozen=True):
    """What a defence has left of a blow: where it is now, and how much goes into damage.

    ``lacking`` successes are missing for a hit at all.
    """

    location: str
    damage: int
    lacking: int = 0

    @property
    def hits(self) -> bool:
        """Whether it still lands (weapons.hit.miss)."""
        return not self.lacking


def defended(blow: Allocation, taken: int) -> Landing:
    """A Block, Counterstrike or Avoid takes away extra successes.

    weapons.defense.knocks_off_extras: those on aim first, then those on damage, then the hit
    itself (weapons.amb.defense_order). A move that is not fully paid for does not happen: the
    blow strikes what the defender left open (weapons.defense.restores_location), and what is left
    of its price is wasted.
    """
    from_aim = min(taken, blow.aim)
    from_damage = min(taken - from_aim, blow.damage)
    location = blow.offered if from_aim else blow.aimed_at
    return Landing(location, blow.damage - from_damage, taken - from_aim - from_damage)


def with_late_successes(blow: Landing, gained: int) -> tuple[Landing, int]:
    """Successes gained when the defence is known make good what the hit lacks; the rest is free.

    weapons.amb.allocation_time. Gives the blow, and how many are still to be divided.
    """
    used = min(gained, blow.lacking)
    return Landing(blow.location, blow.damage, blow.lacking - used), gained - used


def landed(blow: Landing, add: int, numbers: Ims, va: Tally) -> Damage | None:
    """The damage of a blow after the defence, or None if it misses (weapons.hit.miss)."""
    if not blow.hits:
        return None
    stage = stage_of(blow.damage, add)
    number = numbers.at(stage)
    return Damage(blow.location, stage, numbers.shade, number, va.total, sources(va))


# --- A Strike ------------------------------------------------------------------------------


class Strike(Attack, frozen=True):
    """A Strike in close combat; ``way`` names another way of striking, such as the hilt."""

    way: str = ""


class RolledStrike(Arguments, frozen=True):
    """A Strike that was rolled elsewhere.

    ``defence`` is how many successes the defence had; ``later`` how many the attacker gained
    after it.
    """

    character: str
    successes: int
    obstacle: int = 1
    target: str = ""
    weapon: str = ""
    way: str = ""
    defence: int = 0
    later: int = 0


class Swing(msgspec.Struct, frozen=True):
    """A Strike to be rolled: the weapon, what is open, and whether a lighter Power is added.

    ``leaves_spear`` says that it is a spear that the rider lets go.
    """

    character: str
    carried: Weapon
    way: MeleeWeapon
    opening: Opening
    bonus: bool = False
    leaves_spear: bool = False


class StrikeOutcome(TestResult, frozen=True, kw_only=True):
    """How a Strike came out; ``damage`` is before armor, and none for a miss.

    ``hampered`` is what favouring a side adds to the obstacles of the defender's own tests.
    ``ims`` are the numbers of the weapon, ``for_damage`` the extra successes that went into it.
    ``struck`` is the defender's mount, where the blow landed there.
    """

    offered: str
    damage: Damage | None = None
    hampered: Tally = Tally()
    ims: str = ""
    for_damage: int = 0
    struck: str = ""


BASE = 1
"""The obstacle of a Strike (fight.strike.obstacle)."""

AT_BASE = Line(BASE, "base obstacle", "fight.strike.obstacle")


def strike(arguments: Strike, table: BurningTable) -> Play[StrikeOutcome]:
    """A Strike: one roll for hit and damage (weapons.hit.one_roll)."""
    sheet = table.character(arguments.character)
    carried = take_up(table, arguments.character, arguments.weapon, strikes=True)
    way = way_to_strike(carried, arguments.way, table.options)
    check_lance(table, arguments.character, carried, arguments.way)
    skill = arguments.skill or usual_skill(carried, thrown=False, options=table.options)
    check_skill_left(table, arguments.character, skill)
    yield from _near_enough(arguments, way, table)
    opening = yield from _opening(arguments, table)
    against = yield from hindrances(
        "fight.table.melee_obstacles",
        f"Disadvantages ({sheet.name})",
        "weapons.strike.modifiers",
        with_others=True,
    )
    character, named = arguments.character, bool(arguments.way)
    from_above = yield from swung(table, character, arguments.target, carried, way, named=named)
    against, dice = against + from_above.against, from_above.dice
    bonus = yield from lighter_power(character, carried, table)
    swing = Swing(character, carried, from_above.way, opening, bonus, from_above.leaves_spear)
    test = yield from aim_with(arguments, carried, AT_BASE, against, table, named=True, dice=dice)
    throw = yield from roll_weapon(test, table)
    return then(after_strike, swing, test, throw, table)


def _opening(arguments: Strike | RolledStrike, table: BurningTable) -> Step[Opening]:
    mounted = bool(arguments.target and mount_of(table, arguments.target))
    attacker = arguments.character
    return (yield from open_location(arguments.target, table, mounted=mounted, attacker=attacker))


def _near_enough(arguments: Strike, way: MeleeWeapon, table: BurningTable) -> Step[None]:
    """The spider's fangs can be used only on the Inside (rogues.burned.fangs_inside)."""
    if not way.inside_only:
        return
    rule = "rogues.burned.fangs_inside"
    name = table.character(arguments.character).name
    target = name_of_target(arguments.target, table)
    inside = yield from consent(GM, "inside", f"Is {name} Inside {target}'s reach?", because=rule)
    if not inside:
        what = f"{name} can use the {way.name} only on the Inside: close in first"
        raise NotAllowed(what, rule)


def after_strike(
    swing: Swing, test: WeaponTest, throw: artha.ThrownDice, table: BurningTable
) -> Play[StrikeOutcome]:
    """If it hits, allocate and defend; the one test is logged when the defence is known."""
    result = yield from say_whether_it_hits(test, throw, table)
    outcome = StrikeOutcome.of(
        result, passed=False, offered=swing.opening.offered, hampered=Tally(swing.opening.hampered)
    )
    none = Shaded()
    paid = artha.ThrownDice(
        throw.successes, none, none, throw.open_ended, spent=throw.spent, called=throw.called
    )
    if not result.passed:
        missed = Landing("", 0, -result.margin)
        return (yield from _logged(swing, test, paid, missed, 0, outcome, table))
    return then(settle_blow, swing, test, paid, outcome, table)


def settle_blow(
    swing: Swing,
    test: WeaponTest,
    paid: artha.ThrownDice,
    outcome: StrikeOutcome,
    table: BurningTable,
) -> Play[StrikeOutcome]:
    """Where a blow that hit goes, what the defence takes away, and how much it does."""
    extra = outcome.margin
    if table.options["weapons_allocation_time"] == "before_defence":
        divided = yield from allocate(swing.character, swing.opening, extra, table)
        taken = yield from _defence()
        blow = yield from _warded(divided, taken)
    else:
        taken = yield from _defence()
        blow = Landing(swing.opening.offered, 0, max(0, taken - extra))
        if blow.hits:
            divided = yield from allocate(swing.character, swing.opening, extra - taken, table)
            blow = defended(divided, 0)
    return (yield from _logged(swing, test, paid, blow, taken, outcome, table))


def _logged(
    swing: Swing,
    test: WeaponTest,
    paid: artha.ThrownDice,
    blow: Landing,
    taken: int,
    outcome: StrikeOutcome,
    table: BurningTable,
) -> Step[StrikeOutcome]:
    """The end of a Strike, and its test.

    What a defence takes counts as added to the obstacle
    (extended_example.strike.defense_raises_obstacle).
    """
    obstacle = test.obstacle.total + taken
    table, earned = yield from after_test(
        test.attempt, paid, obstacle, table, passed=blow.hits, base=test.base + taken
    )
    outcome = msgspec.structs.replace(outcome, earned=earned)
    return (yield from _hurt(swing, blow, taken, outcome, table))


def _defence() -> Step[int]:
    return (
        yield from ask(
            GM,
            "defence",
            "Successes of the defence (Block, Counterstrike or Avoid)",
            Number(least=0, most=60, default=0),
            because="weapons.defense.knocks_off_extras",
        )
    )


def _hurt(
    swing: Swing, blow: Landing, taken: int, outcome: StrikeOutcome, table: BurningTable
) -> Step[StrikeOutcome]:
    sheet = table.character(swing.character)
    if swing.leaves_spear:
        yield from rides_on_without_spear(sheet.name)
    if shatters(outcome.successes, taken, with_bonus=swing.bonus):
        yield from shatter(table, swing.character, swing.carried)
    numbers = struck_with(sheet, swing.carried, swing.way, with_bonus=swing.bonus)
    va = with_strength(swing.way.va, sheet.ability("Power"))
    damage = landed(blow, swing.way.add, numbers, va)
    if damage is None:
        yield from note(f"{sheet.name}'s Strike does no damage.", "weapons.hit.miss")
        return outcome
    # riding.location.rider_to_mount: a blow may have been moved to the mount.
    struck = swing.opening.mount if is_of_mount(damage.location) else ""
    damage = msgspec.structs.replace(damage, location=on_the_body(damage.location))
    by = f"IMS {numbers}; {blow.damage} extra for damage, Add {swing.way.add}"
    whom = f" {table.character(struck).name}" if struck else ""
    yield from note(f"{sheet.name} hits{whom}: {damage} ({by}).", "weapons.ims.three_stages")
    return msgspec.structs.replace(
        outcome, passed=True, damage=damage, ims=str(numbers), for_damage=blow.damage, struck=struck
    )


def settle(arguments: RolledStrike, table: BurningTable) -> Play[StrikeOutcome]:
    """A Strike that was rolled elsewhere: location, stage and damage.

    Successes that came after the defence are allocated when they come
    (weapons.location.attacker_allocates, weapons.amb.allocation_time).
    """
    _check_blow(arguments)
    sheet = table.character(arguments.character)
    carried = to_strike_with(sheet, arguments.weapon)
    way = way_to_strike(carried, arguments.way, table.options)
    opening = yield from _opening(arguments, table)
    obstacle = Tally.of(arguments.obstacle, "the Strike", "fight.strike.obstacle")
    extra = arguments.successes - arguments.obstacle
    outcome = StrikeOutcome(
        passed=False,
        successes=arguments.successes,
        margin=extra,
        obstacle=obstacle,
        offered=opening.offered,
        hampered=Tally(opening.hampered),
    )
    swing = Swing(arguments.character, carried, way, opening)
    blow = yield from land(swing, extra, arguments.defence, arguments.later, table)
    return (yield from _hurt(swing, blow, arguments.defence, outcome, table))


def land(swing: Swing, extra: int, taken: int, later: int, table: BurningTable) -> Step[Landing]:
    """Where a blow lands after a defence that took some successes off it.

    Those that came ``later`` are allocated when they come, the others before the defence or after
    it (weapons.location.attacker_allocates, weapons.amb.allocation_time).
    """
    opening = swing.opening
    late = table.options["weapons_allocation_time"] == "after_defence"
    if late or extra < 0:
        blow = Landing(opening.offered, 0, max(0, taken - extra))
        blow, free = with_late_successes(blow, max(0, extra - taken) + later)
    else:
        divided = yield from allocate(swing.character, opening, extra, table)
        blow, free = with_late_successes((yield from _warded(divided, taken)), later)
    if blow.hits and free:
        now = Opening(blow.location, opening.known, bears=opening.bears)
        more = yield from allocate(swing.character, now, free, table)
        blow = Landing(more.aimed_at, blow.damage + more.damage)
    return blow


def _warded(divided: Allocation, taken: int) -> Step[Landing]:
    """What a defence leaves of a blow; it is told if that turns it back to where it was offered."""
    blow = defended(divided, taken)
    if blow.hits and blow.location != divided.aimed_at:
        text = f"The defence turns the blow back: {say_location(blow.location)}."
        yield from note(text, "weapons.defense.restores_location")
    return blow


def _check_blow(arguments: RolledStrike) -> None:
    for field, least in (("successes", 0), ("obstacle", 1), ("defence", 0), ("later", 0)):
        found = getattr(arguments, field)
        check_between(field, found, least, MOST, "weapons.hit.one_roll")


MOST = 99
"""More successes than this are a typing error."""


PROCEDURES = (
    Procedure("strike", "Strike", Strike, strike),
    Procedure("blow", "Damage of a Strike rolled elsewhere", RolledStrike, settle, gm_only=True),
)
