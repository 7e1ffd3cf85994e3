"""The Circles test: whom a character knows, found by a test when they are needed.

One ability covers all acquaintance, professional, casual, family and informal
(circles.ability.one_rating). Read it beside the chapter: whom it can reach and how hard the search
is (``circles/searches``), what adds dice (``circles/bonus_dice``), and what the dice bring
(``circles/search_results``).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Procedure
from astragal.play import GM, Play, Step, call, consent, note, tell, then

from ..artha.aristeia import lightened
from ..artha.complications import what_pays
from ..conditions.enmity import check_not_barred, own_contacts
from ..sheet.editions import Edition, edition
from ..sheet.facts import AtStake, IntentDeclared, TestCame
from ..sheet.parts import Contact
from ..sheet.scene import BurningTable, Ride
from ..sheet.sheet import Sheet
from ..tests.attempts import Attempt, prepare, result_of, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR, LONGEST_WORDS, Agreement, Context, Declaration
from ..tests.let_it_ride import check_no_ride, let_it_ride
from ..tests.linked import link_effect, link_of_margin
from ..tests.results import StandardOutcome, out_of_time, turn_aside
from ..tests.terms import threaten
from ..tests.tests import standard
from .bonus_dice import name_die, renown, standing_effect
from .quiet_searches import quietly
from .search_results import (
    CirclesOutcome,
    PreparedSearch,
    found_contact,
    granted_contact,
    not_found,
)
from .searches import (
    Search,
    SearchPlace,
    circles_of,
    obstacle_of_search,
    same_obstacle,
    within_reach,
)

# --- Before the roll ----------------------------------------------------------------------


def _wise_first(
    search: Search, table: BurningTable
) -> Step[tuple[BurningTable, Context, StandardOutcome | None]]:
    """A fitting Wise may be tested first, and leads into Circles (circles.test.wises).

    By the seeker or by somebody else, as in every chain (tests.linked.purpose).
    """
    if not search.wise:
        if search.wise_by:
            raise BadInput("wise_by", search.wise_by, "a wise with it", "circles.test.wises")
        return table, Context(), None
    if not search.wise.casefold().endswith("-wise"):
        raise BadInput("wise", search.wise, "a Wise, as in Noble-wise", "circles.test.wises")
    # What is wanted of the person is not had by knowing where to look.
    declaration = Declaration(
        character=search.wise_by or search.character,
        intent=f"know where to look: {search.sought}"[:LONGEST_WORDS],
        task=f"draws on {search.wise}",
        ability=search.wise,
    )
    context = msgspec.structs.replace(CALLED_FOR, may_ask_help=True)
    outcome, table = yield from call(standard, declaration, context, table)
    return table, link_effect(link_of_margin(outcome.margin)), outcome


# --- The test ------------------------------------------------------------------------------


def circles_test(arguments: Search, table: BurningTable) -> Play[CirclesOutcome]:
    """Test Circles to find one of the GM's characters (circles.ability.use).

    They need not have existed before (circles.ability.npc_made_on_demand).
    """
    outcome, _ = yield from call(seek, arguments, table)
    return outcome


def seek(search: Search, table: BurningTable) -> Play[tuple[CirclesOutcome, BurningTable]]:
    """A Circles test and the table after it."""
    sheet = table.character(search.character)
    _check(search, sheet, table)
    seat, circles = sheet.seat(search.character), circles_of(sheet)
    known = _known(search, sheet)
    yield from tell(IntentDeclared(sheet.name, search.intent, search.how, str(circles)))
    played = edition(table.options)
    if known is None:
        search = yield from within_reach(search, sheet, played)
    if (yield from _granted(search, sheet, played)):
        return (yield from granted_contact(search, known, table))
    # Not again for the same intent until circumstances change (circles.amb.let_it_ride).
    table = yield from check_no_ride(table, search.character, circles.name, search.intent)
    table, wise, linked = yield from _wise_first(search, table)
    # Searching for a name keeps the obstacle of the first search; in the later edition the name
    # only brings its die (gold.diff.circles_named).
    again = known is not None and played.names_keep_the_obstacle
    if known is not None and again:
        base = same_obstacle(known, search)
    else:
        base = yield from obstacle_of_search(search, sheet, table.options)
    effect = yield from standing_effect(sheet, seat, search.circle, played)
    if again:  # what offends was reckoned the first time
        effect = msgspec.structs.replace(effect, obstacle=())
    effect = msgspec.structs.replace(
        effect, dice=effect.dice + (yield from renown(search, seat, table)) + name_die(known)
    )
    quiet = quietly(search.quietly, inconspicuous=search.inconspicuous)
    context = msgspec.structs.replace(
        CALLED_FOR, dice=effect.dice + wise.dice, obstacle=effect.obstacle + quiet + wise.obstacle
    )
    threat, deadly = yield from threatened(played)
    attempt = yield from prepare_circles(
        search.character, search.intent, search.how, search.helpers, context, table
    )
    amount = sum(line.amount for line in quiet)
    prepared = PreparedSearch(search, attempt, base, effect, amount, known, threat, deadly, linked)
    return then(roll_search, prepared, table)


def _granted(search: Search, sheet: Sheet, played: Edition) -> Step[bool]:
    """A contact with nothing at stake is granted without a roll (gold.circles.say_yes).

    Only the later edition says so of searches (gold.diff.say_yes).
    """
    if not played.reach_is_asked:
        return False
    rule = "gold.circles.say_yes"
    prompt = f"Is anything at stake? ({search.sought})"
    at_stake = yield from consent(GM, "at_stake", prompt, because=rule)
    if not at_stake:
        yield from note(f"{sheet.name} finds: {search.sought}.", rule)
    return not at_stake


def threatened(played: Edition, success: str = "the contact is found") -> Step[tuple[str, bool]]:
    """What failing will bring, and whether that is certain death.

    The later edition has the GM say it beforehand (gold.circles.consequence).
    """
    if not played.searches_are_threatened:
        return "", False
    threat, death = yield from threaten("the wrong people hear of the search", played)
    said = f"{threat}; {death}" if death else threat
    yield from tell(AtStake(success, said, "some asking around"))
    return said, bool(death)


def prepare_circles(
    character: str,
    intent: str,
    how: str,
    helpers: tuple[str, ...],
    context: Context,
    table: BurningTable,
) -> Step[Attempt]:
    """Gather the dice of a Circles test.

    Help is allowed (circles.amb.help), FoRKs are not (circles.amb.forks, for only skills take
    them), and dice granted by rules add up with an argued advantage (circles.amb.advantage_limit).
    """
    circles = lightened(table, character, circles_of(table.character(character)))
    agreed = Agreement(character, intent, how, circles)
    attempt = yield from prepare(agreed.declared(helpers), agreed, 0, context, table)
    if attempt.all_dice.total < 1:
        name = table.character(character).name
        what = f"{name} has no Circles dice: add some with help, a reputation or an affiliation"
        raise NotAllowed(what, "circles.amb.circles_zero")
    return attempt


def _check(search: Search, sheet: Sheet, table: BurningTable) -> None:
    """Whom, what for, and how the search goes about it (gold.circles.task)."""
    rule = "circles.test.intent_and_task"
    for field in ("sought", "intent", "how"):
        words = getattr(search, field).strip()
        if not 1 <= len(words) <= LONGEST_WORDS:
            expected = f"who is sought, why and how, in at most {LONGEST_WORDS} characters each"
            raise BadInput(field, getattr(search, field), expected, rule)
    if search.place is SearchPlace.SPECIFIC and not search.place_name.strip():
        expected = "the name of the household, establishment or crew"
        raise BadInput("place_name", search.place_name, expected, "circles.test.place_local")
    check_between("renown", search.renown, 0, 10, "circles.test.sought_reputation", unit="dice")
    for field in ("person", "about", "wise_by"):
        if getattr(search, field):
            table.character(getattr(search, field), field)
    quietly(search.quietly, inconspicuous=search.inconspicuous)
    check_not_barred(sheet, table)


def _known(search: Search, sheet: Sheet) -> Contact | None:
    """The contact on the sheet who is sought again, if it is one."""
    if not search.contact:
        return None
    wanted = search.contact.casefold()
    if any(each.name.casefold() == wanted for each in sheet.relationships):
        what = f"{search.contact} is a relationship of {sheet.name}: no Circles test is needed"
        raise NotAllowed(what, "circles.relationship.no_roll_to_meet")
    contacts = own_contacts(sheet)
    for each in contacts:
        if each.name.casefold() == wanted:
            return each
    names = ", ".join(each.name for each in contacts) or "none"
    expected = f"a named contact of {sheet.name}: {names}"
    raise BadInput("contact", search.contact, expected, "circles.naming.written")


def roll_search(
    prepared: PreparedSearch, table: BurningTable
) -> Play[tuple[CirclesOutcome, BurningTable]]:
    """Throw the dice; as many successes as the obstacle find the person (circles.test.success).

    Certain death that was threatened can be bought off (gold.result.cheat_death), any disaster
    where the table plays with Complications (artha.complication.condition).
    """
    search, attempt, obstacle = prepared.search, prepared.attempt, prepared.obstacle
    thrown = yield from throw_attempt(attempt, obstacle, table)
    margin = thrown.successes - obstacle.total
    passed = margin >= 0
    verdict = "Found" if passed else f"Not found ({-margin} short)"
    # All these dice count for the class (advancement.circles.count_all_dice), but what rises is
    # Circles alone (advancement.circles.only_base_rises).
    said = f"{verdict}: {search.sought}."
    name = table.character(search.character).name
    yield from tell(TestCame(name, thrown.successes, said, passed))
    averted = complication = ""
    if attempt.careful and not passed:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    if not passed:
        averted, thrown = yield from turn_aside(
            attempt, prepared.threat, thrown, table, deadly=prepared.deadly
        )
    if averted:
        table = yield from what_pays(search.character, averted, table)
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=passed)
    ride = Ride(search.character, attempt.agreed.name, search.intent, thrown.successes, passed)
    table = yield from let_it_ride(table, ride)
    result = result_of(attempt, thrown, obstacle, earned)
    outcome = CirclesOutcome.of(result, found=passed, wise=prepared.wise, complication=complication)
    if passed:
        return then(found_contact, prepared, outcome, table)
    return then(not_found, prepared, outcome, averted, table)


PROCEDURES = (Procedure("circles_test", "Circles test", Search, circles_test, frequent=4),)
