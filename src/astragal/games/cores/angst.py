"""Angst tests: keeping Angst away, and being rid of it.

An Angst test is called for when Angst threatens, and when somebody tries to purge some
(cores.angst.when). It is a Resolve test (cores.angst.resolve) against 7 and the points in the
type of Angst in question; Angst cannot be tapped for it, and overwhelming Angst does not weigh
on it. Tapping Angst on other tests is in :mod:`~astragal.games.cores.modifiers`.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    confirm,
    consent,
    note,
    path_of,
    tell,
    then,
)

from .attempts import Attempt, check_declared, is_able, prepare, unable
from .dice import Source
from .facts import AngstMoved, TestAnnounced, TestCame
from .modifiers import Declaration
from .scene import CoresTable, present
from .sheet import CoreName, Sheet, check_angst_type, one_of
from .spending import pay, throw

BASE_DN = 7
"""Before the points of the type are added (cores.angst.dn)."""

STORY_PURGE_COST = 2
"""The exact price in Story Points (cores.story.purge)."""


class AngstOutcome(Outcome, frozen=True):
    """How an Angst test came out, and what the type of Angst went from and to."""

    kind: str
    before: int
    after: int
    passed: bool = False
    total: int | None = None
    dn: Tally = Tally()
    dice: str = ""
    modifiers: Tally = Tally()
    story_spent: int = 0
    life_spent: int = 0


def angst_dn(sheet: Sheet, kind: str) -> Tally:
    """7, and the points the character now has in that type (cores.angst.dn)."""
    dn = Tally.of(BASE_DN, "Angst test", "cores.angst.dn")
    return dn + Line(sheet.angst_points(kind), kind, "cores.angst.dn")


def _announce(declaration: Declaration, dn: Tally, table: CoresTable) -> Step[None]:
    name = table.character(declaration.character).name
    yield from tell(TestAnnounced(name, declaration.task, str(CoreName.RESOLVE), dn))


def _move(
    character: str, kind: str, by: int, table: CoresTable, *, because: str
) -> Step[tuple[int, CoresTable]]:
    """Angst goes up or down, never below 0 (cores.amb.purge_six_exploding)."""
    sheet = table.character(character)
    before = sheet.angst_points(kind)
    after = max(0, before + by)
    table = yield from table.amend(character, path_of("angst", kind), after, because=because)
    yield from tell(AngstMoved(sheet.name, kind, before, after, because))
    return after, table


# --- Avoiding Angst ------------------------------------------------------------------------


class AvoidAngst(Declaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something happens that threatens Angst; ``types`` are the types it could be.

    ``stressors`` are the character's Stressors that it touches.
    """

    types: tuple[str, ...]
    stressors: tuple[str, ...] = ()


def avoid_angst(arguments: AvoidAngst, table: CoresTable) -> Play[AngstOutcome]:
    """A point of Angst threatens (cores.angst.threat): succeed in an Angst test, or gain it.

    It is a Resolve test (cores.angst.resolve).
    """
    sheet = table.character(arguments.character)
    check_declared(arguments, CoreName.RESOLVE, table, angst_test=True)
    touched = tuple(
        one_of(name, sheet.stressors, "stressors", f"a Stressor of {sheet.name}")
        for name in arguments.stressors
    )
    kind = yield from _threatened(arguments, table)
    dn = angst_dn(sheet, kind)
    yield from _announce(arguments, dn, table)
    if not is_able(arguments.character, CoreName.RESOLVE, table):
        yield from unable(arguments.character, CoreName.RESOLVE, table)
        return then(gain_angst, AngstOutcome(kind, 0, 0, dn=dn), arguments.character, table)
    sources: tuple[Source, ...] = ()
    if touched:
        # One Penalty Die, however many Stressors (cores.angst.stressor).
        label = f"Stressor: {', '.join(touched)}"
        sources = (Source("a Stressor prompted the test", label, "cores.angst.stressor"),)
    attempt, table = yield from prepare(
        arguments, CoreName.RESOLVE, table, angst_test=True, sources=sources
    )
    return then(roll_avoid, attempt, dn, kind, table)


def _threatened(arguments: AvoidAngst, table: CoresTable) -> Step[str]:
    """Of several types the one with most points; in a tie the player chooses.

    cores.angst.which_type, cores.amb.which_type_otherwise.
    """
    sheet = table.character(arguments.character)
    own = {kind.casefold(): kind for kind in sheet.angst}
    types = tuple(dict.fromkeys(own.get(t.casefold(), t.strip()) for t in arguments.types))
    if not types:
        raise BadInput("types", [], "at least one type of Angst", "cores.angst.threat")
    for kind in types:
        check_angst_type(kind, "types")
    most = max(sheet.angst_points(kind) for kind in types)
    tied = tuple(kind for kind in types if sheet.angst_points(kind) == most)
    if len(tied) == 1:
        return tied[0]
    prompt = "Which type of Angst?"
    return (
        yield from _ask_type(arguments.character, tied, prompt, "cores.angst.which_type", table)
    )


def _ask_type(
    character: str, kinds: tuple[str, ...], prompt: str, rule: str, table: CoresTable
) -> Step[str]:
    sheet = table.character(character)
    options = tuple(
        Option(key=kind, label=f"{kind} ({sheet.angst_points(kind)})", rule=rule) for kind in kinds
    )
    seat = sheet.seat(character)
    return (yield from choose(seat, "angst_type", prompt, options, because=rule))


def roll_avoid(attempt: Attempt, dn: Tally, kind: str, table: CoresTable) -> Play[AngstOutcome]:
    """Success: no Angst is gained (cores.angst.avoid_pass). Failure: it is."""
    thrown = yield from call(throw, attempt.cast(dn.total))
    table = yield from pay(attempt.character, thrown, table)
    passed = thrown.total >= dn.total
    yield from tell(TestCame(attempt.name, thrown.total, dn.total, passed))
    points = table.character(attempt.character).angst_points(kind)
    outcome = AngstOutcome(
        kind=kind,
        before=points,
        after=points,
        passed=passed,
        total=thrown.total,
        dn=dn,
        dice=attempt.dice.notation,
        modifiers=attempt.modifiers,
        story_spent=thrown.story,
        life_spent=thrown.life,
    )
    return outcome if passed else then(gain_angst, outcome, attempt.character, table)


def gain_angst(outcome: AngstOutcome, character: str, table: CoresTable) -> Play[AngstOutcome]:
    """The threatened type goes up by 1 (cores.angst.avoid_fail)."""
    before = table.character(character).angst_points(outcome.kind)
    after, _ = yield from _move(character, outcome.kind, 1, table, because="cores.angst.avoid_fail")
    return msgspec.structs.replace(outcome, before=before, after=after)


# --- Purging Angst -------------------------------------------------------------------------


class Occasion(Enum):
    """What gives a character the chance to purge Angst (cores.angst.purge_when)."""

    COMFORT = "comfort"
    VERY_POSITIVE = "very_positive"
    MILESTONE = "milestone"


class PurgeAngst(Declaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An Angst test to purge Angst; ``angst`` is the type, ``comfort`` the Comfort used."""

    occasion: Occasion
    comfort: str = ""
    angst: str = ""


def purge_angst(arguments: PurgeAngst, table: CoresTable) -> Play[AngstOutcome]:
    """Try to purge Angst on one of the three occasions (cores.angst.purge_when)."""
    character = arguments.character
    sheet = table.character(character)
    check_declared(arguments, CoreName.RESOLVE, table, angst_test=True)
    comfort = _comfort(arguments, sheet)
    kind = yield from _to_purge(character, arguments.angst, table)
    granted = yield from consent(
        GM,
        "granted",
        f"May {sheet.name} try to purge Angst? ({_occasion(arguments, comfort)})",
        because="cores.angst.purge_when",
    )
    if not granted:
        points = sheet.angst_points(kind)
        yield from note("The GM sees no occasion to purge Angst here.", "cores.angst.purge_when")
        return AngstOutcome(kind, points, points)
    if comfort:
        used = (*sheet.comforts_used, comfort)
        because = "cores.angst.comfort_limit"
        table = yield from table.amend(character, "comforts_used", used, because=because)
    outcome, _ = yield from call(purge, arguments, kind, comfort, table)
    return outcome


def _comfort(arguments: PurgeAngst, sheet: Sheet) -> str:
    """The Comfort that is acted out, if it has not been used today (cores.angst.comfort_limit)."""
    if arguments.occasion is not Occasion.COMFORT:
        if arguments.comfort:
            expected = f"no Comfort when the occasion is {arguments.occasion.value}"
            raise BadInput("comfort", arguments.comfort, expected, "cores.angst.purge_when")
        return ""
    comfort = one_of(arguments.comfort, sheet.comforts, "comfort", f"a Comfort of {sheet.name}")
    if comfort in sheet.comforts_used:
        raise NotAllowed(
            f"The Comfort {comfort} has been used today; it can help again tomorrow",
            "cores.angst.comfort_limit",
        )
    return comfort


def _occasion(arguments: PurgeAngst, comfort: str) -> str:
    what = f"Comfort: {comfort}" if comfort else arguments.occasion.value.replace("_", " ")
    return f"{what}; {arguments.task}" if arguments.task else what


def _has_angst(character: str, table: CoresTable) -> tuple[str, ...]:
    """The types of Angst that somebody could purge, or a refusal."""
    sheet = table.character(character)
    if sheet.dead:
        raise NotAllowed(f"{sheet.name} is dead", "cores.crucial.death")
    kinds = tuple(kind for kind, points in sheet.angst.items() if points)
    if not kinds:
        raise NotAllowed(f"{sheet.name} has no Angst to purge", "cores.angst.purge_choice")
    return kinds


def _to_purge(character: str, wanted: str, table: CoresTable) -> Step[str]:
    """The player chooses which type to purge (cores.angst.purge_choice)."""
    sheet = table.character(character)
    kinds = _has_angst(character, table)
    if wanted:
        return one_of(wanted, kinds, "angst", f"a type of Angst that {sheet.name} has")
    if len(kinds) == 1:
        return kinds[0]
    prompt = "Which type of Angst to purge?"
    return (yield from _ask_type(character, kinds, prompt, "cores.angst.purge_choice", table))


def purge(
    declaration: Declaration, kind: str, comfort: str, table: CoresTable
) -> Play[tuple[AngstOutcome, CoresTable]]:
    """An Angst test to purge a point or two; the table after it."""
    sheet = table.character(declaration.character)
    points = sheet.angst_points(kind)
    dn = angst_dn(sheet, kind)
    yield from _announce(declaration, dn, table)
    if not is_able(declaration.character, CoreName.RESOLVE, table):
        yield from unable(declaration.character, CoreName.RESOLVE, table)
        return AngstOutcome(kind, points, points, dn=dn), table
    sources: tuple[Source, ...] = ()
    if comfort:
        sources = (Source("using a Comfort", f"Comfort: {comfort}", "cores.angst.comfort_bonus"),)
    attempt, table = yield from prepare(
        declaration, CoreName.RESOLVE, table, angst_test=True, sources=sources
    )
    return then(roll_purge, attempt, dn, kind, table)


def roll_purge(
    attempt: Attempt, dn: Tally, kind: str, table: CoresTable
) -> Play[tuple[AngstOutcome, CoresTable]]:
    """Success takes 1 point off, or 2 with a 6 on the Base Die; failure changes nothing.

    cores.angst.purge_pass, cores.angst.purge_six, cores.angst.purge_fail. A 6 is of no further
    use where there is only 1 point to lose.
    """
    points = table.character(attempt.character).angst_points(kind)
    thrown = yield from call(throw, attempt.cast(dn.total, sixes=points > 1))
    table = yield from pay(attempt.character, thrown, table)
    passed = thrown.total >= dn.total
    yield from tell(TestCame(attempt.name, thrown.total, dn.total, passed))
    after = points
    if passed:
        off, because = (2, "cores.angst.purge_six") if thrown.six else (1, "cores.angst.purge_pass")
        after, table = yield from _move(attempt.character, kind, -off, table, because=because)
    outcome = AngstOutcome(
        kind=kind,
        before=points,
        after=after,
        passed=passed,
        total=thrown.total,
        dn=dn,
        dice=attempt.dice.notation,
        modifiers=attempt.modifiers,
        story_spent=thrown.story,
        life_spent=thrown.life,
    )
    return outcome, table


def after_tap(attempt: Attempt, table: CoresTable) -> Step[tuple[AngstOutcome | None, CoresTable]]:
    """After a positive tap, pass or fail, it may be purged (cores.mod.tap_positive_purge)."""
    kind = attempt.tapped
    sheet = table.character(attempt.character)
    if not kind or sheet.dead:
        return None, table
    tries = yield from confirm(
        attempt.seat,
        "purge",
        f"Try to purge {kind} ({sheet.angst_points(kind)}) now?",
        default=False,
        because="cores.mod.tap_positive_purge",
    )
    if not tries:
        return None, table
    helpers = yield from _supporters(attempt, table)
    declaration = Declaration(character=attempt.character, task=f"purge {kind}", helpers=helpers)
    return (yield from call(purge, declaration, kind, "", table))


def _supporters(attempt: Attempt, table: CoresTable) -> Step[tuple[str, ...]]:
    """Who is asked for support in the purge, as in any Resolve test (cores.amb.angst_modifiers)."""
    rule = "cores.assist.present"
    others = tuple(
        Option(key=key, label=sheet.name, rule=rule)
        for key, sheet in table.characters.items()
        if key != attempt.character and key not in table.hidden and present(key, table)
    )
    if not others:
        return ()
    question = PickSeveral(options=others, default=())
    prompt = "Ask for support in the Angst test"
    return (
        yield from ask(attempt.seat, "purge_helpers", prompt, question, because=rule, kind="aside")
    )


# --- Story Points --------------------------------------------------------------------------


class StoryPurge(Arguments, frozen=True):
    """Spend 2 Story Points to purge a point of Angst, without a test."""

    character: str
    angst: str = ""


def _may_story_purge(character: str, table: CoresTable) -> None:
    """Refuse somebody who cannot pay, has done it in this session, or has no Angst."""
    sheet = table.character(character)
    if sheet.story_purge_used:
        what = f"{sheet.name} has already purged Angst with Story Points in this session"
        raise NotAllowed(what, "cores.story.purge")
    if sheet.story_points < STORY_PURGE_COST:
        what = f"{sheet.name} needs 2 Story Points for this and has {sheet.story_points}"
        raise NotAllowed(what, "cores.story.purge")
    _has_angst(character, table)


def story_purge(arguments: StoryPurge, table: CoresTable) -> Play[AngstOutcome]:
    """Once per session, exactly 2 Story Points take off 1 point of Angst (cores.story.purge)."""
    character = arguments.character
    _may_story_purge(character, table)
    sheet = table.character(character)
    kind = yield from _to_purge(character, arguments.angst, table)
    because = "cores.story.purge"
    before = sheet.angst_points(kind)
    table = yield from table.add(character, "story_points", -STORY_PURGE_COST, because=because)
    table = yield from table.amend(character, "story_purge_used", True, because=because)
    after, _ = yield from _move(character, kind, -1, table, because=because)
    return AngstOutcome(kind, before, after, passed=True, story_spent=STORY_PURGE_COST)


PROCEDURES = (
    Procedure("avoid_angst", "Angst test to avoid Angst", AvoidAngst, avoid_angst, frequent=3),
    Procedure(
        "purge_angst",
        "Angst test to purge Angst",
        PurgeAngst,
        purge_angst,
        frequent=4,
        check=_has_angst,
    ),
    Procedure(
        "story_purge",
        "Purge Angst with Story Points",
        StoryPurge,
        story_purge,
        check=_may_story_purge,
    ),
)
