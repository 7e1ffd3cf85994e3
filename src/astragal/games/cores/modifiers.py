"""What bears on a test: Rocks, Sucks, Perks, tapped Angst, Factoids.

The player declares Rock, Perk and tapping; the GM says whether they bear on the test, and
names the Suck, the Relationship and the Factoid that do (cores.test.sequence). Anything may
be declared with the test itself; what is left open is asked. Relationships and assistance
have modules of their own (:mod:`~astragal.games.cores.relationships`,
:mod:`~astragal.games.cores.assisting`).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE
from astragal.play import GM, Line, Option, PickSeveral, Seat, Step, ask, note
from astragal.rules import catalogue

from .choices import pick
from .dice import Source
from .relationships import choose_relationship, own_relationship
from .scene import CoresTable
from .sheet import CoreName, Knack, Sheet, one_of


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a player says with a test; whatever is left out is asked where it could matter.

    ``tap`` is ``"positive:Guilt"`` or ``"negative:Guilt"``; ``helpers`` are those asked for
    support.
    """

    character: str
    task: str = ""
    rocks: tuple[str, ...] = ()
    sucks: tuple[str, ...] = ()
    perks: tuple[str, ...] = ()
    relationship: str = ""
    tap: str = ""
    helpers: tuple[str, ...] = ()


class TestModifiers(msgspec.Struct, frozen=True):
    """What counts on one test, by name; an empty name is none of its kind."""

    rock: str = ""
    suck: str = ""
    perk: str = ""
    relationship: str = ""
    tap: str = ""
    factoid: str = ""


# --- Rocks and Sucks -----------------------------------------------------------------------


def declared_knack(names: tuple[str, ...], own: dict[str, Knack], what: str) -> str:
    """The Rock or Suck that was declared; never two (cores.mod.one_rock, cores.mod.one_suck)."""
    found = tuple(
        one_of(name, own, f"{what}s", f"a {what.capitalize()} on the sheet") for name in names
    )
    if len(found) > 1:
        rule = "cores.mod.one_rock" if what == "rock" else "cores.mod.one_suck"
        raise NotAllowed(
            f"Only one {what.capitalize()} counts on a test; choose {' or '.join(found)}", rule
        )
    return found[0] if found else ""


def across(sheet: Sheet, core: CoreName, rock: str, suck: str) -> tuple[str, ...]:
    """Which of the two belong to another Core (cores.story.rocks_belong_to_cores)."""
    knacks = ((rock, sheet.rocks), (suck, sheet.sucks))
    return tuple(name for name, own in knacks if name and own[name].core is not core)


def points_with(sheet: Sheet, tap: str) -> int:
    """The Story Points that a test may take, with the one that tapping negatively earns at once.

    cores.mod.tap_negative_reward, cores.amb.gm_tap_when.
    """
    return sheet.story_points + tap.startswith(f"{NEGATIVE}:")


def check_across(sheet: Sheet, core: CoreName, rock: str, suck: str, tap: str) -> None:
    """One Rock or Suck of another Core may count, for a Story Point (cores.story.cross_core)."""
    foreign = across(sheet, core, rock, suck)
    if len(foreign) > 1:
        what = f"Only one of {' and '.join(foreign)} can count, as both are from another Core"
        raise NotAllowed(what, "cores.story.cross_core")
    if foreign and not points_with(sheet, tap):
        what = f"{foreign[0]} does not belong to {core}, and counting it takes a Story Point"
        raise NotAllowed(what, "cores.story.cross_core")


def paid_across(character: str, foreign: tuple[str, ...], table: CoresTable) -> Step[CoresTable]:
    """Pay for the Rock or Suck of another Core, if one counts (cores.story.cross_core)."""
    because = "cores.story.cross_core"
    for name in foreign:
        table = yield from table.add(character, "story_points", -1, because=because)
        who = table.character(character).name
        yield from note(f"{who} spends 1 Story Point: {name} is from another Core.", because)
    return table


def choose_rock(seat: Seat, sheet: Sheet, core: CoreName, suck: str, tap: str) -> Step[str]:
    """Offer the Rocks of the Core, and for a Story Point those of the others.

    cores.mod.rock, cores.story.cross_core: the payment is for one Rock or Suck per test.
    """
    may_pay = points_with(sheet, tap) > 0 and not across(sheet, core, "", suck)
    options = tuple(
        Option(
            key=name,
            label=f"{'Really rocks' if rock.really else 'Rocks'} at {name} ({rock.core})",
            rule="cores.mod.rock" if rock.core is core else "cores.story.cross_core",
            cost="" if rock.core is core else "1 Story Point",
        )
        for name, rock in sheet.rocks.items()
        if rock.core is core or may_pay
    )
    prompt = f"Rock ({sheet.name})"
    return (yield from pick(seat, "rock", prompt, options, "cores.mod.rock"))


def choose_suck(sheet: Sheet, core: CoreName) -> Step[str]:
    """The GM says which Suck of the Core gets in the way (cores.mod.suck)."""
    options = tuple(
        Option(
            key=name,
            label=f"{'Really sucks' if suck.really else 'Sucks'} at {name}",
            rule="cores.mod.suck",
        )
        for name, suck in sheet.sucks.items()
        if suck.core is core
    )
    prompt = f"Suck ({sheet.name})"
    return (yield from pick(GM, "suck", prompt, options, "cores.mod.suck"))


def knack_sources(sheet: Sheet, bearing: TestModifiers) -> tuple[Source, ...]:
    """The d4s of the stronger sort (cores.mod.really_rocks, cores.mod.really_sucks)."""
    found = []
    if bearing.rock and sheet.rocks[bearing.rock].really:
        label = f"Really Rocks at {bearing.rock}"
        found.append(Source("Really Rocks", label, "cores.mod.really_rocks"))
    if bearing.suck and sheet.sucks[bearing.suck].really:
        label = f"Really Sucks at {bearing.suck}"
        found.append(Source("Really Sucks", label, "cores.mod.really_sucks"))
    return tuple(found)


# --- Perks ---------------------------------------------------------------------------------


def declared_perk(names: tuple[str, ...], sheet: Sheet) -> str:
    """The Perks declared: several explode no more than one (cores.amb.perk_could_impact)."""
    found = tuple(one_of(name, sheet.perks, "perks", "a Perk on the sheet") for name in names)
    for name in found:
        if not sheet.perks[name].system:
            raise NotAllowed(
                f"{name} is a story Perk and does not count on a test", "cores.mod.perk"
            )
    return ", ".join(found)


def choose_perk(seat: Seat, sheet: Sheet) -> Step[str]:
    """Offer the system Perks (cores.mod.perk)."""
    options = tuple(
        Option(key=name, label=name, rule="cores.mod.perk", note="the Base Die explodes on a 6")
        for name, perk in sheet.perks.items()
        if perk.system
    )
    prompt = f"Perk ({sheet.name})"
    return (yield from pick(seat, "perk", prompt, options, "cores.mod.perk"))


# --- Tapping Angst -------------------------------------------------------------------------

POSITIVE, NEGATIVE = "positive", "negative"


def declared_tap(tap: str, character: str, table: CoresTable) -> str:
    """A tap that was declared, if the rules allow it.

    Once per character and scene, by the player or the GM (cores.mod.tap_once,
    cores.amb.tap_once_scope), and only an Angst that has a point (cores.amb.tap_needs_angst).
    """
    sheet = table.character(character)
    way, _, kind = tap.partition(":")
    if way not in (POSITIVE, NEGATIVE) or not kind:
        raise BadInput("tap", tap, "positive or negative and a type of Angst, as in positive:Guilt")
    if character in table.scene.tapped:
        raise NotAllowed(
            f"{sheet.name} has already tapped Angst in this scene", "cores.mod.tap_once"
        )
    own = one_of(kind, sheet.angst, "tap", f"a type of Angst of {sheet.name}")
    if not sheet.angst[own]:
        raise NotAllowed(f"{sheet.name} has no points of {own} to tap", "cores.amb.tap_needs_angst")
    return f"{way}:{own}"


def choose_tap(seat: Seat, character: str, table: CoresTable) -> Step[str]:
    """Offer to tap an Angst, either way (cores.mod.tap_positive, cores.mod.tap_negative)."""
    sheet = table.character(character)
    ways = (
        (POSITIVE, "a Bonus Die, and a chance to purge it afterwards", "cores.mod.tap_positive"),
        (NEGATIVE, "a Penalty Die, and a Story Point", "cores.mod.tap_negative"),
    )
    options = tuple(
        Option(key=f"{way}:{kind}", label=f"{kind}, tapped {way}ly", rule=rule, note=note)
        for kind in _to_be_tapped(character, table)
        for way, note, rule in ways
    )
    prompt = f"Tap Angst ({sheet.name})"
    return (yield from pick(seat, "tap", prompt, options, "cores.mod.tap_once"))


def gm_tap(character: str, table: CoresTable) -> Step[str]:
    """The GM may tap an Angst negatively, whatever the player wants (cores.amb.gm_tap_when)."""
    sheet = table.character(character)
    options = tuple(
        Option(key=kind, label=kind, rule="cores.mod.tap_negative", note="a Penalty Die")
        for kind in _to_be_tapped(character, table)
    )
    prompt = f"Tap an Angst of {sheet.name} negatively"
    kind = yield from pick(GM, "gm_tap", prompt, options, "cores.mod.tap_negative")
    return f"{NEGATIVE}:{kind}" if kind else ""


def _to_be_tapped(character: str, table: CoresTable) -> tuple[str, ...]:
    if character in table.scene.tapped:
        return ()
    return tuple(kind for kind, points in table.character(character).angst.items() if points)


def tap_sources(bearing: TestModifiers) -> tuple[Source, ...]:
    """The d4 of a tapped Angst (cores.mod.tap_positive, cores.mod.tap_negative)."""
    way, _, kind = bearing.tap.partition(":")
    if way == POSITIVE:
        label = f"{kind} tapped"
        return (Source("Angst tapped positively", label, "cores.mod.tap_positive"),)
    if way == NEGATIVE:
        label = f"{kind} tapped"
        return (Source("Angst tapped negatively", label, "cores.mod.tap_negative"),)
    return ()


def tapped(character: str, tap: str, table: CoresTable) -> Step[CoresTable]:
    """Note the one tap of the scene; a negative one earns its Story Point at once.

    cores.mod.tap_negative_reward: whatever comes of the test, and to be spent on it already
    (cores.amb.gm_tap_when).
    """
    if not tap:
        return table
    names = (*table.scene.tapped, character)
    table = yield from table.amend(SCENE, "tapped", names, because="cores.mod.tap_once")
    way, _, kind = tap.partition(":")
    name = table.character(character).name
    if way == POSITIVE:
        yield from note(f"{name} taps {kind} positively.", "cores.mod.tap_positive")
        return table
    yield from note(
        f"{kind} gets in {name}'s way; {name} gains 1 Story Point.", "cores.mod.tap_negative_reward"
    )
    return (
        yield from table.add(character, "story_points", 1, because="cores.mod.tap_negative_reward")
    )


def overwhelming(sheet: Sheet) -> tuple[Line, ...]:
    """The penalty of 4 points of Angst or more, of all types together.

    cores.mod.overwhelming; beyond the table it goes on by 1 for each point
    (cores.mod.overwhelming_step).
    """
    total = sheet.total_angst
    rows = catalogue().table("cores.table.overwhelming")
    last = rows.records()[-1]["total_angst"]
    assert isinstance(last, int)
    modifier = rows.value("modifier", total_angst=min(total, last))
    assert isinstance(modifier, int)
    modifier -= max(0, total - last)
    if not modifier:
        return ()
    return (Line(modifier, f"overwhelming Angst ({total} points)", "cores.mod.overwhelming"),)


# --- Factoids ------------------------------------------------------------------------------

HELPS, HINDERS = "helps", "hinders"


def choose_factoid(character: str, table: CoresTable) -> Step[str]:
    """Once per scene a Factoid of a GMC helps or hinders (cores.mod.factoid)."""
    sheet = table.character(character)
    if not sheet.gmc or character in table.scene.factoids_used:
        return ""
    options = tuple(
        Option(key=f"{way}:{factoid}", label=f"{factoid} {way}", rule="cores.mod.factoid")
        for factoid in sheet.factoids
        for way in (HELPS, HINDERS)
    )
    prompt = f"Factoid ({sheet.name})"
    return (yield from pick(GM, "factoid", prompt, options, "cores.mod.factoid"))


def factoid_sources(bearing: TestModifiers) -> tuple[Source, ...]:
    """The d4 of a Factoid: a Bonus Die if it helps, a Penalty Die if it hinders."""
    way, _, factoid = bearing.factoid.partition(":")
    if not way:
        return ()
    name = "GMC Factoid that helps" if way == HELPS else "GMC Factoid that hinders"
    return (Source(name, factoid, "cores.mod.factoid"),)


def factoid_used(character: str, bearing: TestModifiers, table: CoresTable) -> Step[CoresTable]:
    """The Factoid is used up for the scene (cores.mod.factoid)."""
    if not bearing.factoid:
        return table
    used = (*table.scene.factoids_used, character)
    return (yield from table.amend(SCENE, "factoids_used", used, because="cores.mod.factoid"))


# --- All of it -----------------------------------------------------------------------------


def declared(
    declaration: Declaration, core: CoreName, table: CoresTable, *, angst_test: bool
) -> tuple[str, str, str, str]:
    """Rock, Suck, Perk and tap that were declared with the test, if the rules allow them."""
    sheet = table.character(declaration.character)
    if angst_test and declaration.tap:
        raise NotAllowed("Angst cannot be tapped for an Angst test", "cores.angst.no_tapping")
    rock = declared_knack(declaration.rocks, sheet.rocks, "rock")
    suck = declared_knack(declaration.sucks, sheet.sucks, "suck")
    tap = ""
    if declaration.tap:
        tap = declared_tap(declaration.tap, declaration.character, table)
    check_across(sheet, core, rock, suck, tap)
    perk = declared_perk(declaration.perks, sheet)
    if declaration.relationship:
        own_relationship(declaration.relationship, sheet)
    return rock, suck, perk, tap


def what_bears(
    declaration: Declaration,
    meant: CoreName,
    core: CoreName,
    table: CoresTable,
    *,
    angst_test: bool,
) -> Step[TestModifiers]:
    """Settle everything that bears on a test, in the order of cores.test.sequence.

    ``meant`` is the Core that the player had in mind, ``core`` the one that the GM picked.
    """
    character = declaration.character
    sheet = table.character(character)
    seat = sheet.seat(character)
    rock, suck, perk, tap = declared(declaration, meant, table, angst_test=angst_test)
    if core is not meant:  # for another Core a Rock may cost a Story Point: the player decides anew
        rock = "" if across(sheet, core, rock, "") else rock
        suck = "" if across(sheet, core, "", suck) else suck
    rock = rock or (yield from choose_rock(seat, sheet, core, suck, tap))
    perk = perk or (yield from choose_perk(seat, sheet))
    if not angst_test and not tap:
        tap = yield from choose_tap(seat, character, table)
    rock, suck, perk, tap = yield from _confirmed(sheet, rock, suck, perk, tap)
    if not points_with(sheet, tap):  # the point for it was to come from a tap that does not count
        foreign = across(sheet, core, rock, suck)
        rock, suck = ("" if name in foreign else name for name in (rock, suck))

    suck = suck or (yield from choose_suck(sheet, core))
    relationship = yield from choose_relationship(sheet, declaration.relationship, table.options)
    if not angst_test and not tap:
        tap = yield from gm_tap(character, table)
    factoid = yield from choose_factoid(character, table)
    return TestModifiers(rock, suck, perk, relationship, tap, factoid)


def _confirmed(
    sheet: Sheet, rock: str, suck: str, perk: str, tap: str
) -> Step[tuple[str, str, str, str]]:
    """The GM says which of the things declared really bear on the test.

    cores.amb.perk_could_impact, cores.amb.tap_needs_angst.
    """
    rules = ("cores.mod.rock", "cores.mod.suck", "cores.mod.perk", "cores.amb.tap_needs_angst")
    names = ("rock", "suck", "perk", "tap")
    claims = tuple(
        Option(key=key, label=f"{key.capitalize()}: {value}", rule=rule)
        for key, value, rule in zip(names, (rock, suck, perk, tap), rules, strict=True)
        if value
    )
    if not claims:
        return rock, suck, perk, tap
    fits = yield from ask(
        GM,
        "bears_on",
        f"What applies to the test of {sheet.name}?",
        PickSeveral(options=claims, default=tuple(option.key for option in claims)),
        because="cores.test.sequence",
        kind="consent",
    )
    return (
        rock if "rock" in fits else "",
        suck if "suck" in fits else "",
        perk if "perk" in fits else "",
        tap if "tap" in fits else "",
    )
