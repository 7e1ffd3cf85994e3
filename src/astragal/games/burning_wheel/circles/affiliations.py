"""Buying into affiliations, and advancing in rank: first Circles, then Resources.

A section of the chapter on Circles; what a failed Resources test costs is in
``resources/resources_test``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, Tally, call, consent, note, then
from astragal.rules import Options, Record, catalogue

from ..artha.complications import what_pays
from ..conditions.enmity import check_not_barred
from ..resources.resources_test import ResourcesOutcome, Spending, spend
from ..sheet.editions import edition
from ..sheet.parts import SocialStanding
from ..sheet.scene import BurningTable, Ride
from ..sheet.sheet import Sheet
from ..sheet.words import as_sentence
from ..tests.attempts import Attempt, TestResult, throw_attempt
from ..tests.conclusions import conclude_test
from ..tests.intent import CALLED_FOR, LONGEST_WORDS
from ..tests.let_it_ride import check_no_ride, let_it_ride
from ..tests.results import turn_aside, who_shares
from .bonus_dice import standing_effect
from .circles_test import prepare_circles, threatened
from .searches import Occupation, Outlook, Search, Station, base_obstacle, circles_of, who_lines


class GroupKind(Enum):
    """What makes a group expensive (circles.affiliation.cost_modifiers)."""

    COSTLY = "costly"
    EXALTED = "exalted"
    SECRET = "secret"


class BuyAffiliation(Arguments, frozen=True):
    """Join a group, or rise in rank: a Circles test, then a Resources test.

    ``dice`` is how many the affiliation will have, ``invitation`` what happened in play to
    allow it. ``letters`` are letters of credit for the Resources test.
    """

    character: str
    affiliation: str
    dice: int
    invitation: str
    group: tuple[GroupKind, ...] = ()
    scope: str = ""
    occupation: Occupation = Occupation.COMMON
    station: Station = Station.SAME
    disposition: Outlook = Outlook.COMMON
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()


class JoiningOutcome(Outcome, frozen=True):
    """How it came out: the dice on the sheet, and both tests; none that was not made.

    ``consequence`` is what a failed Circles test brought, ``shared_by`` are helpers who share it.
    """

    joined: bool
    dice: int
    circles_obstacle: Tally
    circles_passed: bool
    resources_obstacle: Tally = Tally()
    resources_dice: Tally = Tally()
    resources_passed: bool = False
    tax: int = 0
    circles_dice: Tally = Tally()
    circles: TestResult | None = None
    resources: ResourcesOutcome | None = None
    consequence: str = ""
    shared_by: tuple[str, ...] = ()


# --- The price -----------------------------------------------------------------------------


def _row(code: str) -> Record:
    return catalogue().table("circles.table.affiliation_cost").where(item_code=code)


_GROUP_ROWS = {GroupKind.COSTLY: "costly", GroupKind.EXALTED: "exalted", GroupKind.SECRET: "secret"}


def affiliation_price(
    dice: int, group: tuple[GroupKind, ...], options: Options, *, raising: bool
) -> tuple[Tally, tuple[Line, ...]]:
    """The obstacle for Resources, and the dice for rising in one's own group.

    circles.affiliation.resources_test, circles.affiliation.advance. Of the modifiers only the
    highest counts (circles.affiliation.cost_modifiers, circles.amb.affiliation_modifiers_stack).
    Three dice are not for sale, or two steps more expensive (circles.amb.affiliation_3d). The later
    edition has a price for each (gold.diff.affiliation_3d, gold.diff.affiliation_surcharge).
    """
    if edition(options).third_die_for_sale:
        return _listed_price(dice, group, raising=raising)
    rule = "circles.affiliation.advance" if raising else "circles.affiliation.resources_test"
    row = _row("raise" if raising else f"new_{min(dice, 2)}d")
    price = Tally.of(row.number("resources_ob"), f"affiliation {dice}D", rule)
    if dice == 3:
        if options["circles_affiliation_3d"] == "not_for_sale":
            raise BadInput("dice", dice, "1 or 2: no more can be bought", rule)
        step = _row("new_2d").number("resources_ob") - _row("new_1d").number("resources_ob")
        price += Line(step, "a third die", "circles.amb.affiliation_3d")
    if group:
        dearest = max(
            (_row(_GROUP_ROWS[each]) for each in group), key=lambda row: row.number("resources_ob")
        )
        amount = dearest.number("resources_ob")
        price += Line(amount, dearest.text("item"), "circles.affiliation.cost_modifiers")
    advantage = row.number("advantage_dice")
    lines = (Line(advantage, "own group", rule),) if advantage else ()
    return price, lines


_LATER_COLUMNS = {
    GroupKind.COSTLY: ("low_nobility", "gold.resources.ob_low_nobility"),
    GroupKind.EXALTED: ("high_nobility", "gold.resources.ob_high_nobility"),
    GroupKind.SECRET: ("elite_or_secretive", "gold.resources.ob_elite"),
}
"""The columns of gold.table.affiliation_price, in rising order of price, with their rules."""


def _listed_price(
    dice: int, group: tuple[GroupKind, ...], *, raising: bool
) -> tuple[Tally, tuple[Line, ...]]:
    """The price as the later edition lists it (gold.resources.affiliation_ob).

    At most one surcharge, the highest that applies.
    """
    row = catalogue().table("gold.table.affiliation_price").where(dice=dice)
    base = row.number("common")
    price = Tally.of(base, f"affiliation {dice}D", "gold.resources.affiliation_ob")
    dearest = [each for each in _LATER_COLUMNS if each in group][-1:]
    for each in dearest:
        column, rule = _LATER_COLUMNS[each]
        price += Line(row.number(column) - base, column.replace("_", " "), rule)
    if not raising:
        return price, ()
    rule = "circles.affiliation.advance"
    advantage = _row("raise").number("advantage_dice")
    return price, (Line(advantage, "own group", rule),)


# --- The two tests -------------------------------------------------------------------------


def buy_affiliation(arguments: BuyAffiliation, table: BurningTable) -> Play[JoiningOutcome]:
    """Join a group, or rise in it: an occasion, a Circles test, a Resources test.

    The same for a new affiliation and for a higher rank (circles.amb.advance_rank_circles_test).
    """
    character = arguments.character
    sheet = table.character(character)
    own = _own(arguments, sheet)
    _check(arguments, own, table.options)
    check_not_barred(sheet, table)
    yield from _invited(arguments, sheet)
    circles = circles_of(sheet)
    intent = f"{arguments.dice}D of {arguments.affiliation}"
    table = yield from check_no_ride(table, character, circles.name, intent)
    search = Search(
        character,
        arguments.affiliation,
        intent,
        arguments.invitation,
        occupation=arguments.occupation,
        station=arguments.station,
        disposition=arguments.disposition,
    )
    # Occupation, station and disposition, and nothing else (circles.affiliation.circles_test).
    base = Tally((base_obstacle(),)) + (yield from who_lines(search, sheet, table.options))
    played = edition(table.options)
    effect = yield from standing_effect(sheet, sheet.seat(character), arguments.scope, played)
    context = msgspec.structs.replace(CALLED_FOR, dice=effect.dice, obstacle=effect.obstacle)
    threat = yield from threatened(played, f"{arguments.affiliation} will have {sheet.name}")
    attempt = yield from prepare_circles(
        character, intent, arguments.invitation, arguments.helpers, context, table
    )
    obstacle = base + attempt.penalties
    return then(first_circles, arguments, attempt, obstacle, intent, table, *threat)


def _own(arguments: BuyAffiliation, sheet: Sheet) -> SocialStanding | None:
    wanted = arguments.affiliation.casefold()
    return next((a for a in sheet.affiliations if a.name.casefold() == wanted), None)


def _check(arguments: BuyAffiliation, own: SocialStanding | None, options: Options) -> None:
    rule = "circles.affiliation.resources_test"
    if not 1 <= len(arguments.affiliation.strip()) <= 80:
        raise BadInput("affiliation", arguments.affiliation, "the name of a group", rule)
    check_between("dice", arguments.dice, 1, 3, rule)
    if own is not None and own.dice and arguments.dice != own.dice + 1:
        expected = f"{own.dice + 1}, one more than the affiliation has"
        raise BadInput("dice", arguments.dice, expected, "circles.affiliation.advance")
    raising = own is not None and own.dice > 0
    affiliation_price(arguments.dice, arguments.group, options, raising=raising)


def _invited(arguments: BuyAffiliation, sheet: Sheet) -> Step[None]:
    """Nobody simply buys their way in: something in play must give the chance.

    circles.affiliation.needs_invitation.
    """
    rule = "circles.affiliation.needs_invitation"
    words = arguments.invitation.strip()
    if not 1 <= len(words) <= LONGEST_WORDS:
        expected = "what happened in play that gives the chance to join"
        raise BadInput("invitation", arguments.invitation, expected, rule)
    prompt = f"Has play given {sheet.name} this chance? ({words})"
    invited = yield from consent(GM, "invited", prompt, because=rule)
    if not invited:
        what = f"{sheet.name} needs a chance in play to join {arguments.affiliation} first"
        raise NotAllowed(what, rule)


def first_circles(
    arguments: BuyAffiliation,
    attempt: Attempt,
    obstacle: Tally,
    intent: str,
    table: BurningTable,
    threat: str = "",
    deadly: bool = False,
) -> Play[JoiningOutcome]:
    """First comes the Circles test (circles.affiliation.circles_test).

    In the later edition a failure brings what was threatened, for helpers as well
    (gold.circles.failure). Certain death can be bought off (gold.result.cheat_death), any disaster
    where the table plays with Complications (artha.complication.condition).
    """
    character = arguments.character
    thrown = yield from throw_attempt(attempt, obstacle, table)
    passed = thrown.successes >= obstacle.total
    verdict = f"{'Accepted' if passed else 'Turned away'}: {arguments.affiliation}."
    if not passed:
        averted, thrown = yield from turn_aside(attempt, threat, thrown, table, deadly=deadly)
        if averted:
            table = yield from what_pays(character, averted, table)
        threat = averted or threat
    test, table = yield from conclude_test(attempt, thrown, obstacle, verdict, table)
    ride = Ride(character, attempt.agreed.name, intent, thrown.successes, passed)
    table = yield from let_it_ride(table, ride)
    if not passed:
        own = _own(arguments, table.character(character))
        had = own.dice if own else 0
        sharing: tuple[str, ...] = ()
        if threat:
            yield from note(as_sentence(threat), "gold.circles.failure")
            sharing = yield from who_shares(attempt, table)
        return JoiningOutcome(
            False,
            had,
            obstacle,
            False,
            circles_dice=test.dice,
            circles=test,
            consequence=threat,
            shared_by=sharing,
        )
    return then(then_resources, arguments, test, intent, table)


def then_resources(
    arguments: BuyAffiliation, circles: TestResult, intent: str, table: BurningTable
) -> Play[JoiningOutcome]:
    """Every affiliation, however humble, costs a Resources test (circles.affiliation.always_costs).

    It follows the Circles test at once (gold.circles.join).

    If that fails the dice are not gained, and the chapter on Resources says what is lost
    (circles.amb.affiliation_failed_resources).
    """
    character = arguments.character
    own = _own(arguments, table.character(character))
    had = own.dice if own is not None else 0
    price, advantage = affiliation_price(
        arguments.dice, arguments.group, table.options, raising=had > 0
    )
    # The dice of one's own group are for Resources only.
    spending = Spending(
        character,
        intent,
        arguments.invitation,
        price,
        arguments.helpers,
        arguments.letters,
        dice=advantage,
    )
    spent, table = yield from call(spend, spending, table)
    dice = had
    if spent.acquired:
        dice = arguments.dice
        table = yield from _write_down(arguments, table)
    return JoiningOutcome(
        joined=spent.acquired,
        dice=dice,
        circles_obstacle=circles.obstacle,
        circles_passed=True,
        resources_obstacle=spent.obstacle,
        resources_dice=spent.dice,
        resources_passed=spent.passed,
        tax=spent.tax,
        circles_dice=circles.dice,
        circles=circles,
        resources=spent,
    )


def _write_down(arguments: BuyAffiliation, table: BurningTable) -> Step[BurningTable]:
    """The dice go on the sheet."""
    character, because = arguments.character, "circles.affiliation.always_costs"
    sheet = table.character(character)
    own = _own(arguments, sheet)
    if own is None:
        new = SocialStanding(
            arguments.affiliation, arguments.dice, scope=arguments.scope, identity=sheet.identity
        )
        after = (*sheet.affiliations, new)
    else:
        # Dice that were lost and are bought again cannot be won back as well
        # (circles.amb.affiliation_regain_amount: up to all that were lost).
        lost = max(0, own.lost - (arguments.dice - own.dice))
        risen = msgspec.structs.replace(own, dice=arguments.dice, lost=lost)
        after = tuple(risen if each == own else each for each in sheet.affiliations)
    text = f"{sheet.name}'s affiliation: {arguments.affiliation}, {arguments.dice}D."
    yield from note(text, because)
    return (yield from table.amend(character, "affiliations", after, because=because))


PROCEDURES = (Procedure("buy_affiliation", "Buy an affiliation", BuyAffiliation, buy_affiliation),)
