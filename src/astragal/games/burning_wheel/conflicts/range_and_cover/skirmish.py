"""Range and Cover: a conflict with missiles, from the first positioning test to the end.

Read it beside the chapter; the order is that of its sequence (range_and_cover.sequence.overall).
One test fixes the range (``conflicts/range_and_cover/starting``), each side scripts three maneuvers
(``conflicts/range_and_cover/exchange``), and volley follows volley
(``conflicts/range_and_cover/volley``). It ends when somebody is out of range, too close to shoot,
or cannot go on (``conflicts/range_and_cover/outcome``).
"""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import BadInput, check_one_of
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Play, Step, call, choose, consent, rehearse, then

from ...advancement.log import begin_series
from ...armor.shield_cover import STEPS
from ...conditions.hesitation import hesitation_of, set_hesitation
from ...conditions.mounted import mount_of
from ...conditions.shield_cover import stop_hiding
from ...magic.faith.in_conflict import may_pray
from ...magic.sorcery.in_conflict import castable_spells
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import FIST
from ...sheet.weapons_carried import armed_with, can_shoot_far
from ...tests.intent import LONGEST_WORDS
from ...tests.partial_records import complete, supposed
from ...weapons.missiles import check_may_use
from ..scripting import exchange
from .exchange import CONFLICT
from .mounted import in_saddle
from .outcome import SkirmishOutcome, SkirmishResult
from .picture import show
from .ranges import RangedArm, arm_of, ladder_of
from .starting import engage, engage_after_fight
from .state import Skirmish, Skirmisher, Team

ABILITIES = ("Speed", "Perception", "Agility", "Will", "Steel", "Reflexes")
"""What everybody in a skirmish needs on the sheet."""

LEAST_FORT, MOST_FORT = 3, 10
"""range_and_cover.fort.dice."""

NOTHING = "nothing"
"""The weapon of one who has none that reaches so far."""


class Shooter(Arguments, frozen=True):
    """Somebody in a skirmish, and what he shoots or throws with.

    Without a ``weapon`` it is the first one carried that is made for it; ``nothing`` is none.
    ``head`` is that of the arrows or bolts, ``mount`` what he rides.
    """

    character: str
    weapon: str = ""
    head: str = ""
    mount: str = ""


class SkirmishSide(Arguments, frozen=True):
    """Those who keep together, the leader first; the cover of their place, and prepared defences.

    ``fortification`` are dice: none, or three to ten.
    """

    shooters: tuple[Shooter, ...]
    cover: str = "open"
    fortification: int = 0


class StartSkirmish(Arguments, frozen=True):
    """Who is against whom with missiles, and what it is about.

    Exactly two sides. ``start`` is where the situation has put them, as when a fight turns into
    this, in the words of the first side: the range of its own weapon and of the other's
    (``optimal/extreme``); without it the first test decides. What follows ``after_a_fight`` begins
    where the GM says, or where the first test does, as the group plays it. A ``rehearsal`` leaves
    nothing behind.
    """

    sides: tuple[SkirmishSide, ...]
    about: str = ""
    start: str = ""
    rehearsal: bool = False
    after_a_fight: bool = False


def range_and_cover(arguments: StartSkirmish, table: BurningTable) -> Play[SkirmishOutcome]:
    """From the first positioning test to the end (range_and_cover.sequence.overall).

    range_and_cover.use.when_missiles_oppose.
    """
    whole = rehearse(skirmish_on) if arguments.rehearsal else skirmish_on
    outcome, _ = yield from call(whole, arguments, table)
    return outcome


def skirmish_on(arguments: StartSkirmish, table: BurningTable) -> Play[SkirmishResult]:
    """The whole skirmish, with the table after it."""
    skirmish = yield from begin(arguments, table)
    if arguments.after_a_fight:
        skirmish = yield from engage_after_fight(skirmish)
    elif not arguments.start:
        skirmish = yield from engage(skirmish)
    yield from show(skirmish)
    owed = []
    for side in (0, 1):
        there = skirmish.active(side)
        owed.append(min(each.hesitates for each in there))
    return then(exchange, CONFLICT, skirmish, 1, tuple(owed))


def begin(arguments: StartSkirmish, table: BurningTable) -> Step[Skirmish]:
    """The skirmish before the first test: everybody is out of range.

    range_and_cover.start.default_out_of_range, unless the situation says otherwise.
    """
    those = tuple(each.character for _, each in _everybody(arguments))
    names = _checked(arguments, supposed(table, those, ABILITIES))
    table = yield from complete(table, names, ABILITIES)
    table = yield from stop_hiding(table, names)
    for place, each in _everybody(arguments):
        if each.mount:
            table = yield from in_saddle(table, each.character, each.mount, f"{place}.mount")
    people = tuple(
        _skirmisher(each, side, table)
        for side, those in enumerate(arguments.sides)
        for each in those.shooters
    )
    series = ""
    if not arguments.rehearsal:
        said = arguments.about.strip() or ", ".join(table.character(name).name for name in names)
        series = f"Range and Cover: {said}"
        # Mounts are rolled as well, and earn one test as everybody does
        # (riding.combat.position_mount_speed).
        mounts = tuple(each.mount for each in people if each.mount)
        table = yield from begin_series(table, series, (*names, *mounts))
    for name in names:  # what is left of a failed Steel test goes on as lost volleys
        if hesitation_of(table, name) is not None:
            because = "steel.amb.heartbeats_in_scripts"
            table = yield from set_hesitation(table, name, None, because=because)
    arms = [_arm(those.shooters[0], table) for those in arguments.sides]
    ladder = ladder_of(arms[0], arms[1])
    states = {ladder.name(state, 0): state for state in ladder.states()}
    at = states[arguments.start] if arguments.start else ladder.states()[0]
    one = yield from _team(arguments.sides[0], table)
    other = yield from _team(arguments.sides[1], table)
    return Skirmish(people, (one, other), ladder, at, table, series)


def _skirmisher(each: Shooter, side: int, table: BurningTable) -> Skirmisher:
    left = hesitation_of(table, each.character)
    volleys = 0 if left is None else left.heartbeats
    return Skirmisher(
        each.character,
        side,
        weapon=weapon_of(each, table),
        head=each.head,
        mount=each.mount or mount_of(table, each.character),
        hesitates=min(volleys, 1),  # range_and_cover.amb.hesitation_length
        reaction=left.reaction if left is not None and volleys else "",
    )


def weapon_of(each: Shooter, table: BurningTable) -> str:
    """What somebody shoots or throws with, by name; empty for nothing."""
    sheet = table.character(each.character)
    said = each.weapon.strip()
    if said.casefold() == NOTHING:
        return ""
    if said:
        return armed_with(sheet, said).called
    return first_weapon(sheet)


def first_weapon(sheet: Sheet) -> str:
    """The first weapon on a sheet that is made for shooting or throwing."""
    for carried in sheet.weapons:
        if can_shoot_far(carried):
            return carried.called
    return ""


def _arm(each: Shooter, table: BurningTable) -> RangedArm | None:
    weapon = weapon_of(each, table)
    if not weapon:
        return None
    return arm_of(armed_with(table.character(each.character), weapon), table.options, each.head)


def _team(side: SkirmishSide, table: BurningTable) -> Step[Team]:
    """The cover of a side's place, by the GM's word, and its prepared defences.

    range_and_cover.cover.level_from_setting, range_and_cover.cover.sources,
    range_and_cover.fort.dice.
    """
    name = table.character(side.shooters[0].character).name
    level = yield from choose(
        GM,
        "cover_level",
        f"Cover where {name} is",
        {"open": "Open", "reasonable": "Reasonable cover", "dense": "Dense cover"},
        default=side.cover,
        because="range_and_cover.cover.level_from_setting",
        kind="aside",
    )
    strong = side.fortification
    if strong and not (
        yield from consent(
            GM,
            "fortification",
            f"Prepared defences of {name}: +{strong}D",
            because="range_and_cover.fort.dice",
        )
    ):
        strong = 0
    return Team(level=level, fortification=strong)


# --- What is refused -------------------------------------------------------------------------

RULE = "range_and_cover.use.when_missiles_oppose"


def _checked(arguments: StartSkirmish, table: BurningTable) -> tuple[str, ...]:
    """Refuse what cannot be a skirmish, before anything is asked."""
    if len(arguments.about.strip()) > LONGEST_WORDS:
        expected = f"what it is about, in at most {LONGEST_WORDS} characters"
        raise BadInput("about", arguments.about, expected, RULE)
    if len(arguments.sides) != 2:
        raise BadInput("sides", len(arguments.sides), "exactly two sides", RULE)
    names: list[str] = []
    for at, side in enumerate(arguments.sides):
        _check_side(side, f"sides[{at}]", table)
    for place, each in _everybody(arguments):
        sheet = table.character(each.character, f"{place}.character")
        if each.character in names:
            expected = "a character who is not in this yet"
            raise BadInput(f"{place}.character", each.character, expected, RULE)
        names.append(each.character)
        for ability in ABILITIES:
            sheet.ability(ability, f"{each.character}.{ability}")
        _check_weapon(each, place, table)
        if each.mount:
            table.character(each.mount, f"{place}.mount").ability("Speed", f"{each.mount}.Speed")
    if not any(_reaches(each, table) for _, each in _everybody(arguments)):
        expected = "at least one missile or thrown weapon, or somebody who can cast or pray"
        raise BadInput("sides", "nobody has one", expected, RULE)
    _check_start(arguments, table)
    return tuple(names)


def _reaches(each: Shooter, table: BurningTable) -> bool:
    """Whether somebody can do anything at a distance.

    With a weapon, a spell (sorcery.duel.spells_are_weapons) or a prayer.
    """
    sheet = table.character(each.character)
    return bool(weapon_of(each, table) or castable_spells(sheet) or may_pray(sheet))


def _check_side(side: SkirmishSide, place: str, table: BurningTable) -> None:
    if not side.shooters:
        raise BadInput(f"{place}.shooters", 0, "at least one", RULE)
    rule = "range_and_cover.amb.groups"
    if len(side.shooters) > 1 and table.options["range_and_cover_groups"] == "one_against_one":
        expected = "one on each side (the house rule range_and_cover_groups plays with more)"
        raise BadInput(f"{place}.shooters", len(side.shooters), expected, rule)
    check_one_of(f"{place}.cover", side.cover, STEPS, "range_and_cover.cover.three_levels")
    dice = side.fortification
    if dice and not LEAST_FORT <= dice <= MOST_FORT:
        expected = f"0, or {LEAST_FORT} to {MOST_FORT} dice"
        raise BadInput(f"{place}.fortification", dice, expected, "range_and_cover.fort.dice")


def _check_weapon(each: Shooter, place: str, table: BurningTable) -> None:
    sheet = table.character(each.character)
    weapon = weapon_of(each, table)
    if not weapon:
        return
    carried = armed_with(sheet, weapon, f"{place}.weapon")
    if carried.weapon == FIST:
        raise BadInput(f"{place}.weapon", each.weapon, "a missile or thrown weapon", RULE)
    arm_of(carried, table.options, each.head)
    check_may_use(sheet, carried.weapon)


def _check_start(arguments: StartSkirmish, table: BurningTable) -> None:
    arms = [_arm(side.shooters[0], table) for side in arguments.sides]
    ladder = ladder_of(arms[0], arms[1])
    known = [ladder.name(state, 0) for state in ladder.states()]
    if arguments.start and arguments.start not in known:
        rule = "range_and_cover.start.never_too_close"
        raise BadInput("start", arguments.start, f"empty, or one of {', '.join(known)}", rule)


def _everybody(arguments: StartSkirmish) -> Iterator[tuple[str, Shooter]]:
    for at, side in enumerate(arguments.sides):
        for index, each in enumerate(side.shooters):
            yield f"sides[{at}].shooters[{index}]", each


PROCEDURES = (
    Procedure("range_and_cover", "Range and Cover", StartSkirmish, range_and_cover, frequent=16),
)
