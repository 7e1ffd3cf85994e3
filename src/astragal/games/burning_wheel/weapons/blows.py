"""The blow: where it lands, how deep, and what a defence takes away from it.

With melee weapons hitting and hurting are one roll (weapons.hit.one_roll). The defender says
which part of him is open; the attacker may move the blow with extra successes, and the rest go
into damage; a defence takes them away again. Scripted conflicts use the pure functions here
(:func:`divide`, :func:`defended`, :func:`landed`) and the steps that ask.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.weapon_tables import FIST, MeleeWeapon, Weapon
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with
from astragal.games.burning_wheel.tests.attempts import after_test
from astragal.games.burning_wheel.weapons.damage import (
    Damage,
    Ims,
    stage_of,
    struck_with,
    way_to_strike,
    with_strength,
)
from astragal.games.burning_wheel.weapons.locations import (
    TORSO,
    areas,
    move_cost,
    moving_rule,
    say_location,
    sided,
)
from astragal.games.burning_wheel.weapons.shaded_damage import add_bonus, shatters
from astragal.games.burning_wheel.weapons.wielding import (
    Aimed,
    Attack,
    aim_with,
    hindrances,
    name_of_target,
    roll_weapon,
    seat_of_target,
    shatter,
    take_up,
)
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Option,
    Play,
    Step,
    Tally,
    ask,
    choose,
    confirm,
    tell,
    then,
)

# --- What is open --------------------------------------------------------------------------


class Opening(msgspec.Struct, frozen=True):
    """What the defender leaves open, and between which locations the blow can be moved."""

    offered: str
    known: tuple[str, ...]
    hampered: tuple[Line, ...] = ()


def open_location(target: str, table: BurningTable) -> Step[Opening]:
    """Before any dice the defender says where he is open (weapons.location.defender_declares).

    Whoever strongly favors a side makes left and right count (weapons.location.left_right); if
    the GM finds that it hampers him, it is a disadvantage on what he does
    (weapons.location.favoring_penalty).
    """
    seat = seat_of_target(target, table)
    name = name_of_target(target, table)
    rule = "weapons.location.left_right"
    favors = yield from confirm(
        seat, "favors_side", f"Does {name} strongly favor a side?", default=False, because=rule
    )
    known = sided() if favors else areas()
    rule = "weapons.location.defender_declares"
    options = tuple(Option(key=key, label=say_location(key), rule=rule) for key in known)
    offered = yield from choose(
        seat,
        "open",
        f"How does {name} stand, and which location is open to attack?",
        options,
        default=TORSO,
        because=rule,
    )
    hampered: tuple[Line, ...] = ()
    if favors:
        rule = "weapons.location.favoring_penalty"
        hampers = yield from confirm(
            GM,
            "favoring_hampers",
            f"Does favoring a side hamper {name} (+1 Ob)?",
            default=False,
            because=rule,
        )
        hampered = (Line(1, "favors a side", rule),) if hampers else ()
    rule = "weapons.location.defender_declares"
    yield from tell(Noted(f"{name} leaves the {say_location(offered)} open.", rule))
    return Opening(offered, known, hampered)


# --- Dividing successes --------------------------------------------------------------------


class Divided(msgspec.Struct, frozen=True):
    """The extra successes of a hit, divided: for moving it to ``aimed_at``, and for damage.

    Only these two uses there are (weapons.melee.extra_successes_two_uses).
    """

    offered: str
    aimed_at: str
    aim: int
    damage: int

    @property
    def extra(self) -> int:
        """All successes above the obstacle."""
        return self.aim + self.damage


def divide(offered: str, aimed_at: str, extra: int) -> Divided:
    """Pay for the location; every other extra success must go to damage.

    These are all their uses (weapons.melee.extra_successes_two_uses).
    Only successes above the obstacle can be spent (weapons.location.only_extras); those that
    move the blow do not hurt (weapons.location.aim_not_damage), and there is no holding back
    (weapons.location.rest_to_damage).
    """
    cost = move_cost(offered, aimed_at)
    if cost > extra:
        expected = f"a location within {extra} extra successes of the {offered}"
        raise BadInput("aim", aimed_at, expected, "weapons.location.only_extras")
    return Divided(offered, aimed_at, cost, extra - cost)


def reachable(offered: str, extra: int, known: tuple[str, ...]) -> tuple[Option, ...]:
    """Where a blow may go, with what it costs; the offered location first."""
    costs = {there: move_cost(offered, there) for there in (offered, *known)}
    return tuple(
        Option(
            key=there,
            label=say_location(there),
            rule=moving_rule(offered, there),
            cost=f"{cost} extra",
        )
        for there, cost in costs.items()
        if cost <= extra
    )


def allocate(character: str, opening: Opening, extra: int, table: BurningTable) -> Step[Divided]:
    """The attacker divides his extra successes (weapons.location.attacker_allocates)."""
    aimed_at = opening.offered
    options = reachable(opening.offered, extra, opening.known)
    if len(options) > 1:
        sheet = table.character(character)
        aimed_at = yield from choose(
            sheet.seat(character),
            "aim",
            f"{extra} extra successes. Move the blow from the {say_location(opening.offered)}?",
            options,
            default=opening.offered,
            because="weapons.location.attacker_allocates",
        )
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


def defended(blow: Divided, taken: int) -> Landing:
    """A Block, Counterstrike or Avoid takes away extra successes.

    weapons.defense.knocks_off_extras: those on aim first, then those on damage, then the hit
    itself (weapons.amb.defense_order). A move that is no longer paid for does not happen: the
    blow strikes what the defender offered (weapons.defense.restores_location), and what is left
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


def landed(blow: Landing, add: int, numbers: Ims, va: int) -> Damage | None:
    """What a blow does when all is said, or None if it misses (weapons.hit.miss)."""
    if not blow.hits:
        return None
    stage = stage_of(blow.damage, add)
    return Damage(blow.location, stage, numbers.shade, numbers.at(stage), va)


# --- A Strike ------------------------------------------------------------------------------


class Strike(Attack, frozen=True):
    """A blow in close combat; ``way`` names another way of striking, as with the hilt."""

    way: str = ""


class Blow(Arguments, frozen=True):
    """A Strike that was rolled already, and what is known of it.

    ``defence`` are the successes of the defence; ``later`` those that the attacker gained when
    it was known.
    """

    character: str
    successes: int
    obstacle: int = 1
    target: str = ""
    weapon: str = ""
    way: str = ""
    defence: int = 0
    later: int = 0


class Swung(msgspec.Struct, frozen=True):
    """A Strike on its way: with what, at which opening, and whether a lighter Power is in it."""

    character: str
    carried: Weapon
    way: MeleeWeapon
    opening: Opening
    bonus: bool = False


class StrikeOutcome(Outcome, frozen=True):
    """How a blow came out; ``damage`` is before armor, and none for a miss.

    ``hampered`` is what favoring a side costs the defender on his own tests.
    """

    passed: bool
    successes: int
    obstacle: Tally
    dice: Tally
    offered: str
    damage: Damage | None = None
    earned: str = ""
    hampered: Tally = Tally()


BASE = 1
"""What it takes to strike somebody at all (fight.strike.obstacle)."""


def strike(arguments: Strike, table: BurningTable) -> Play[StrikeOutcome]:
    """Strike at somebody: one roll to hit and to hurt (weapons.hit.one_roll)."""
    sheet = table.character(arguments.character)
    carried = take_up(table, arguments.character, arguments.weapon)
    way = way_to_strike(carried, arguments.way, table.options)
    power = sheet.ability("Power", "stats").rating
    opening = yield from open_location(arguments.target, table)
    against = yield from hindrances(
        "fight.table.melee_obstacles",
        f"What hampers {sheet.name}'s blow?",
        "weapons.strike.modifiers",
    )
    bonus = False
    if carried.weapon != FIST:
        seat, shade = sheet.seat(arguments.character), Shade.parse(carried.shade)
        bonus = yield from add_bonus(seat, power, shade, carried.called)
    swung = Swung(arguments.character, carried, way, opening, bonus)
    aimed = yield from aim_with(arguments, carried, BASE, against, table)
    lying = yield from roll_weapon(aimed, table)
    return then(after_strike, swung, aimed, lying, table)


def after_strike(
    swung: Swung, aimed: Aimed, lying: artha.Throw, table: BurningTable
) -> Play[StrikeOutcome]:
    """With the dice seen: divide, defend, and log the one test."""
    extra = lying.successes - aimed.obstacle.total
    name = table.character(swung.character).name
    verdict = "A hit." if extra >= 0 else "A miss."
    yield from tell(TestCame(name, lying.successes, verdict, extra >= 0))
    table, earned = yield from after_test(
        aimed.attempt, lying, aimed.obstacle.total, table, passed=extra >= 0, base=aimed.base
    )
    outcome = StrikeOutcome(
        passed=False,
        successes=lying.successes,
        obstacle=aimed.obstacle,
        dice=aimed.attempt.all_dice,
        offered=swung.opening.offered,
        earned=earned,
        hampered=Tally(swung.opening.hampered),
    )
    if extra < 0:
        return (yield from _hurt(swung, Landing("", 0, -extra), 0, outcome, table))
    return then(settle_blow, swung, extra, outcome, table)


def settle_blow(
    swung: Swung, extra: int, outcome: StrikeOutcome, table: BurningTable
) -> Play[StrikeOutcome]:
    """Where a blow that hit goes, what the defence makes of it, and how much it does."""
    if table.options["weapons_allocation_time"] == "before_defence":
        divided = yield from allocate(swung.character, swung.opening, extra, table)
        taken = yield from _defence()
        blow = defended(divided, taken)
    else:
        taken = yield from _defence()
        blow = Landing(swung.opening.offered, 0, max(0, taken - extra))
        if blow.hits:
            divided = yield from allocate(swung.character, swung.opening, extra - taken, table)
            blow = defended(divided, 0)
    return (yield from _hurt(swung, blow, taken, outcome, table))


def _defence() -> Step[int]:
    return (
        yield from ask(
            GM,
            "defence",
            "How many successes has the defence (Block, Counterstrike, Avoid)?",
            Number(least=0, most=60, default=0),
            because="weapons.defense.knocks_off_extras",
        )
    )


def _hurt(
    swung: Swung, blow: Landing, taken: int, outcome: StrikeOutcome, table: BurningTable
) -> Step[StrikeOutcome]:
    sheet = table.character(swung.character)
    if shatters(outcome.successes, taken, with_bonus=swung.bonus):
        yield from shatter(table, swung.character, swung.carried)
    numbers = struck_with(sheet, swung.carried, swung.way, with_bonus=swung.bonus)
    va = with_strength(swung.way.va, sheet.ability("Power")).total
    damage = landed(blow, swung.way.add, numbers, va)
    if damage is None:
        yield from tell(Noted(f"{sheet.name}'s blow does no harm.", "weapons.hit.miss"))
        return outcome
    yield from tell(Noted(f"{sheet.name} hits. {damage}.", "weapons.ims.three_stages"))
    return msgspec.structs.replace(outcome, passed=True, damage=damage)


def settle(arguments: Blow, table: BurningTable) -> Play[StrikeOutcome]:
    """A Strike that was rolled elsewhere: location, stage and damage.

    Successes that came after the defence was known are divided when they come
    (weapons.location.attacker_allocates, weapons.amb.allocation_time).
    """
    _check_blow(arguments)
    sheet = table.character(arguments.character)
    carried = armed_with(sheet, arguments.weapon)
    way = way_to_strike(carried, arguments.way, table.options)
    opening = yield from open_location(arguments.target, table)
    obstacle = Tally.of(arguments.obstacle, "the Strike", "fight.strike.obstacle")
    outcome = StrikeOutcome(
        passed=False,
        successes=arguments.successes,
        obstacle=obstacle,
        dice=Tally(),
        offered=opening.offered,
        hampered=Tally(opening.hampered),
    )
    extra = arguments.successes - arguments.obstacle
    late = table.options["weapons_allocation_time"] == "after_defence"
    if late or extra < 0:
        blow = Landing(opening.offered, 0, max(0, arguments.defence - extra))
        blow, free = with_late_successes(blow, max(0, extra - arguments.defence) + arguments.later)
    else:
        divided = yield from allocate(arguments.character, opening, extra, table)
        blow, free = with_late_successes(defended(divided, arguments.defence), arguments.later)
    if blow.hits and free:
        now = Opening(blow.location, opening.known)
        more = yield from allocate(arguments.character, now, free, table)
        blow = Landing(more.aimed_at, blow.damage + more.damage)
    swung = Swung(arguments.character, carried, way, opening)
    return (yield from _hurt(swung, blow, arguments.defence, outcome, table))


def _check_blow(arguments: Blow) -> None:
    for field, least in (("successes", 0), ("obstacle", 1), ("defence", 0), ("later", 0)):
        found = getattr(arguments, field)
        if not least <= found <= MOST:
            raise BadInput(field, found, f"{least} to {MOST}", "weapons.hit.one_roll")


MOST = 99
"""More successes than this are a slip of the keyboard."""


PROCEDURES = (
    Procedure("strike", "A Strike with a weapon or with bare hands", Strike, strike),
    Procedure("blow", "What a Strike that was rolled does", Blow, settle, gm_only=True),
)
