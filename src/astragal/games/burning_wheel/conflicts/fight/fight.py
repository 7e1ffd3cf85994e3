"""Fight!: combat with secret scripts, from the first positioning test to the end.

Read it beside the chapter; the order is that of its sequence (fight.sequence.1_engage): somebody
wants to fight, the first test sets the distances (``conflicts/fight/positioning``), all write
scripts (``conflicts/fight/script``, ``conflicts/fight/exchange``), and volley follows volley
(``conflicts/fight/volley``). What two actions do to each other is in ``conflicts/fight/moment``
and its table. Fights are uncertain and bloody (fight.overview.goal).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Procedure
from astragal.play import (
    Play,
    Step,
    call,
    rehearse,
    then,
    unheard,
)

from ...advancement.log import begin_series
from ...conditions.hesitation import hesitation_of, set_hesitation
from ...conditions.mounted import mount_of, rider_of
from ...conditions.shield_cover import stop_hiding
from ...riding.mounts import check_mount, into_saddle
from ...sheet.catalogue_keys import check_key
from ...sheet.ranged_weapons import heads
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import FIST, ways
from ...sheet.weapons_carried import armed_with, can_shoot_far
from ...tests.intent import LONGEST_WORDS
from ...tests.partial_records import complete, supposed
from .after_missiles import STATES, held_arrow
from .exchange import exchange
from .joining import ABILITIES, MOST_FIGHTERS, NEEDED, first_weapon
from .outcome import FightOutcome, FightResult
from .picture import show
from .positioning import engage
from .state import Fight, FightingCharacter, Posture
from .surprise import ambush
from .surroundings import ask_surroundings, conditions


class ArmedFighter(Arguments, frozen=True):
    """Who fights, and with what in hand.

    Without a ``weapon`` it is the first one carried; ``bare fist`` is none. ``way`` is how it is
    used where that is not the usual one; one in the ``other_hand`` can Strike as well. Weapons
    that are ``readied`` are drawn faster, those that are ``concealed`` more slowly. ``head`` is
    that of the arrows or bolts, ``mount`` what the fighter rides; who is in the saddle already
    need not say so. After a skirmish ``ready`` says how a missile weapon has come out of it:
    ready, unloaded, or by_melee_positioning.
    """

    character: str
    weapon: str = ""
    way: str = ""
    readied: tuple[str, ...] = ()
    concealed: tuple[str, ...] = ()
    ready: str = ""
    mount: str = ""
    other_hand: str = ""
    head: str = ""


class FightSide(Arguments, frozen=True):
    """Those who fight together."""

    fighters: tuple[ArmedFighter, ...]


class StartFight(Arguments, frozen=True):
    """Who fights whom, and what it is about.

    Two sides or more, with up to eight fighters in all, among them the ``reserves``, who are not
    there yet and may join between two exchanges. ``ambushers`` lie in wait for the others;
    ``ground`` are the conditions of the place that make everybody's actions harder. ``react``
    plays the optional rule by which an announced action may become a defence. A ``rehearsal`` is
    a fight for practice: it leaves nothing behind.
    """

    sides: tuple[FightSide, ...]
    about: str = ""
    reserves: tuple[ArmedFighter, ...] = ()
    ambushers: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    react: bool = False
    rehearsal: bool = False


def fight(arguments: StartFight, table: BurningTable) -> Play[FightOutcome]:
    """From the first positioning test until nobody fights any more (fight.sequence.1_engage)."""
    whole = rehearse(fight_on) if arguments.rehearsal else fight_on
    outcome, _ = yield from call(whole, arguments, table)
    return outcome


def fight_on(arguments: StartFight, table: BurningTable) -> Play[FightResult]:
    """The whole fight, with the table after it."""
    if (yield from unheard()):
        begun = yield from call(opened, arguments, table)
    else:
        begun = yield from opened(arguments, table)
    yield from show(begun)
    return then(exchange, begun, 1)


def opened(arguments: StartFight, table: BurningTable) -> Step[Fight]:
    """The fight after the first test, when the distances are known."""
    begun = yield from _begin(arguments, table)
    begun = yield from ambush(begun, arguments.ambushers)
    return (yield from engage(begun))


def _begin(arguments: StartFight, table: BurningTable) -> Step[Fight]:
    """The fight before the first test; all stand in Neutral stance (fight.stance.start_neutral)."""
    those = tuple(each.character for _, each in _everybody(arguments))
    names = _checked(arguments, supposed(table, those, NEEDED))
    table = yield from complete(table, names, NEEDED)
    table = yield from stop_hiding(table, names)
    for place, each in _everybody(arguments):
        if each.mount and mount_of(table, each.character) != each.mount:
            table = yield from into_saddle(table, each.character, each.mount, f"{place}.mount")
    fighters = [
        fighter
        for side, those in enumerate(arguments.sides)
        for each in those.fighters
        for fighter in _with_mount(each, side, table)
    ]
    names += tuple(each.character for each in fighters if each.carries)
    series = ""
    if not arguments.rehearsal:
        # All rolls of one ability in a fight are one test (fight.xref.one_test_per_fight).
        said = arguments.about.strip() or ", ".join(table.character(name).name for name in names)
        series = f"Fight!: {said}"
        table = yield from begin_series(table, series, names)
    for name in names:  # what is left of a failed Steel test goes on as lost actions
        if hesitation_of(table, name) is not None:
            because = "steel.amb.heartbeats_in_scripts"
            table = yield from set_hesitation(table, name, None, because=because)
    ground = yield from ask_surroundings(arguments.ground)
    return Fight(
        tuple(fighters),
        table,
        ground=ground,
        series=series,
        reserves=tuple(
            fighter for each in arguments.reserves for fighter in _with_mount(each, 0, table)
        ),
        may_react=arguments.react,
    )


def _with_mount(
    each: ArmedFighter, side: int, table: BurningTable
) -> tuple[FightingCharacter, ...]:
    """A fighter, and the mount that he sits on."""
    fighter = _combatant(each, side, table)
    mount = mount_of(table, each.character)
    if not mount:
        return (fighter,)
    beast = _combatant(ArmedFighter(mount), side, table)
    return fighter, msgspec.structs.replace(beast, carries=each.character)


def _combatant(each: ArmedFighter, side: int, table: BurningTable) -> FightingCharacter:
    sheet = table.character(each.character)
    weapon = first_weapon(sheet) if not each.weapon.strip() else each.weapon
    carried = armed_with(sheet, weapon)
    left = hesitation_of(table, each.character)
    posture = Posture.STANDING
    if left is not None and (left.prone or left.kneeling):
        posture = Posture.DOWN if left.prone else Posture.KNEELING
    dropped = left is not None and left.dropped.casefold() == carried.called.casefold()
    armed = carried.weapon != FIST and not dropped
    return FightingCharacter(
        each.character,
        side,
        weapon=carried.called if armed else "",
        way=each.way if armed else "",
        posture=posture,
        hesitates=0 if left is None else left.heartbeats,
        reaction="" if left is None else left.reaction,
        readied=each.readied,
        concealed=each.concealed,
        other_hand=armed_with(sheet, each.other_hand).called if each.other_hand else "",
        missile=each.ready if armed and can_shoot_far(carried) else "",
        ready=held_arrow(each.ready, carried),
        head=each.head,
    )


# --- What is refused -------------------------------------------------------------------------


def _checked(arguments: StartFight, table: BurningTable) -> tuple[str, ...]:
    """Refuse what cannot be a fight, before anything is asked."""
    rule = "fight.sequence.1_engage"
    if len(arguments.about.strip()) > LONGEST_WORDS:
        expected = f"what the fight is about, in at most {LONGEST_WORDS} characters"
        raise BadInput("about", arguments.about, expected, rule)
    if len(arguments.sides) < 2:
        raise BadInput("sides", len(arguments.sides), "two sides or more", rule)
    names: list[str] = []
    for at, side in enumerate(arguments.sides):
        if not side.fighters:
            raise BadInput(f"sides[{at}].fighters", 0, "at least one fighter", rule)
    for place, each in _everybody(arguments):
        sheet = table.character(each.character, f"{place}.character")
        if each.character in names:
            expected = "a character who is not in this fight yet"
            raise BadInput(f"{place}.character", each.character, expected, rule)
        names.append(each.character)
        for ability in ABILITIES:
            sheet.ability(ability, f"{each.character}.{ability}")
        armed_with(sheet, each.weapon, f"{place}.weapon")
        _check_head(each, place, sheet)
        if each.ready not in STATES:
            expected = f"empty, or one of {', '.join(filter(None, STATES))}"
            after = "range_and_cover.lastditch.won_or_tied"
            raise BadInput(f"{place}.ready", each.ready, expected, after)
        _check_other_hand(each, place, table)
        _check_mount(each, place, table)
    ridden = {each.mount for _, each in _everybody(arguments) if each.mount}
    if ridden & set(names):
        expected = "a beast that does not fight for itself"
        raise BadInput("sides", sorted(ridden & set(names))[0], expected, rule)
    if len(names) > MOST_FIGHTERS:
        raise BadInput("sides", len(names), f"at most {MOST_FIGHTERS} fighters", rule)
    for index, name in enumerate(arguments.ambushers):
        if name not in names:
            raise BadInput(f"ambushers[{index}]", name, f"one of {', '.join(names)}", rule)
    for index, key in enumerate(arguments.ground):
        check_key(key, conditions(), f"ground[{index}]", "fight.disadvantage.melee")
    return tuple(names)


def _check_head(each: ArmedFighter, place: str, sheet: Sheet) -> None:
    """A head for something that the fighter shoots with (weapons.head.arrows_for_bows)."""
    fitting = [head for weapon in sheet.weapons for head in heads(weapon.weapon)]
    if each.head and each.head not in fitting:
        expected = f"one of {', '.join(fitting)}" if fitting else "no head: no bow or crossbow"
        raise BadInput(f"{place}.head", each.head, expected, "weapons.head.arrows_for_bows")


def _check_other_hand(each: ArmedFighter, place: str, table: BurningTable) -> None:
    """Another weapon than the one in hand, and a hand for it (weapons.speed.slow_filler)."""
    if not each.other_hand.strip():
        return
    sheet, rule = table.character(each.character), "weapons.speed.slow_filler"
    other = armed_with(sheet, each.other_hand, f"{place}.other_hand")
    first = armed_with(sheet, each.weapon if each.weapon.strip() else first_weapon(sheet))
    both = (first, other)
    lines = [way for carried in both for way in ways(carried, table.options)[:1]]
    fits = len(lines) == len(both) and all(way.takes_a_shield for way in lines)
    if first == other or other.weapon == FIST or sheet.shield is not None or not fits:
        expected = "another melee weapon for one hand, beside one for one hand and no shield"
        raise BadInput(f"{place}.other_hand", each.other_hand, expected, rule)


def _check_mount(each: ArmedFighter, place: str, table: BurningTable) -> None:
    """A mount that can be ridden and can fight; and no fighter who carries a rider."""
    rule = "riding.combat.tandem_mount_stats"
    if rider_of(table, each.character):
        expected = "a character who carries no rider"
        raise BadInput(f"{place}.character", each.character, expected, rule)
    sits_on = mount_of(table, each.character)
    if each.mount and sits_on != each.mount:
        check_mount(table, each.character, each.mount, f"{place}.mount")
    mount = sits_on or each.mount
    if mount:
        beast = table.character(mount, f"{place}.mount")
        for ability in (*ABILITIES, "Steel"):
            beast.ability(ability, f"{mount}.{ability}")


def _everybody(arguments: StartFight) -> Iterator[tuple[str, ArmedFighter]]:
    """All who fight or may join, each with its place among the arguments."""
    for at, side in enumerate(arguments.sides):
        for index, each in enumerate(side.fighters):
            yield f"sides[{at}].fighters[{index}]", each
    for index, each in enumerate(arguments.reserves):
        yield f"reserves[{index}]", each


PROCEDURES = (Procedure("fight", "Fight!", StartFight, fight, frequent=14),)
