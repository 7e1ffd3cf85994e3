"""Circles: whom a character knows, found by a test when he is needed.

One ability covers all acquaintance, professional, casual, family and informal
(circles.ability.one_rating). Read it beside the chapter: whom it can reach, how hard the search
is, what adds dice, and what the dice bring. Contacts and enemies once found are in
``circles/contacts``, keeping a search hidden in
``circles/quiet_searches``, detecting one in
``circles/detection``, and what becomes of reputations and affiliations
in ``circles/losing_standing`` and
``circles/affiliations``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.aristeia import lightened
from astragal.games.burning_wheel.circles.bonus_dice import Bearing, bear_on, name_die, renown
from astragal.games.burning_wheel.circles.contacts import invoke_enmity, name_contact
from astragal.games.burning_wheel.circles.quiet_searches import (
    Veil,
    inconspicuously,
    leave_traces,
    quietly,
)
from astragal.games.burning_wheel.circles.relationships import Bond, tap
from astragal.games.burning_wheel.circles.searches import (
    Place,
    Search,
    Time,
    circles_of,
    obstacle_of_search,
    same_obstacle,
    within_reach,
)
from astragal.games.burning_wheel.conditions.enmity import check_not_barred, enemy, own_contacts
from astragal.games.burning_wheel.conditions.hesitation import check_in_control
from astragal.games.burning_wheel.sheet.editions import Edition, edition
from astragal.games.burning_wheel.sheet.facts import AtStake, DiceGathered, IntentDeclared, TestCame
from astragal.games.burning_wheel.sheet.parts import Artha, Contact
from astragal.games.burning_wheel.sheet.scene import BurningTable, Ride, SearchRecord
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test, prepare
from astragal.games.burning_wheel.tests.intent import (
    CALLED_FOR,
    LONGEST_WORDS,
    Agreement,
    Context,
    Declaration,
)
from astragal.games.burning_wheel.tests.let_it_ride import check_no_ride, let_it_ride
from astragal.games.burning_wheel.tests.linked import link_effect, link_of_margin
from astragal.games.burning_wheel.tests.results import who_shares
from astragal.games.burning_wheel.tests.terms import threaten
from astragal.games.burning_wheel.tests.tests import standard
from astragal.games.game import Outcome, Procedure
from astragal.play import (
    GM,
    Noted,
    Play,
    Seat,
    Step,
    Tally,
    Text,
    ask,
    call,
    confirm,
    tell,
    then,
)
from astragal.rules import Record, catalogue


class Found(Outcome, frozen=True):
    """Who was found, and in what mood."""

    found: bool
    passed: bool
    successes: int
    margin: int
    dice: Tally
    obstacle: Tally
    disposition: str = ""
    may_be_named: bool = False
    name: str = ""
    where: str = ""
    when: str = ""
    bond: Bond | None = None
    veil: Veil = Veil()
    earned: str = ""
    spent: Artha = Artha()
    ability: str = "Circles"
    consequence: str = ""
    shared_by: tuple[str, ...] = ()
    granted: bool = False


# --- Before the roll ----------------------------------------------------------------------


def _wise_first(search: Search, table: BurningTable) -> Step[tuple[BurningTable, Context]]:
    """A fitting Wise may be tested first, and leads into Circles (circles.test.wises)."""
    if not search.wise:
        return table, Context()
    if not search.wise.casefold().endswith("-wise"):
        raise BadInput("wise", search.wise, "a Wise, as in Noble-wise", "circles.test.wises")
    task = f"draws on {search.wise}"
    declaration = Declaration(search.character, search.intent, task, search.wise)
    alone = CALLED_FOR
    outcome, table = yield from call(standard, declaration, alone, table)
    return table, link_effect(link_of_margin(outcome.margin))


# --- The test ------------------------------------------------------------------------------


class Hunt(msgspec.Struct, frozen=True):
    """A search when the dice are about to be thrown."""

    search: Search
    attempt: Attempt
    base: Tally
    bearing: Bearing
    quiet: int
    known: Contact | None
    threat: str = ""

    @property
    def obstacle(self) -> Tally:
        """All that counts against it."""
        return self.base + self.attempt.penalties

    def entry(self, identity: str) -> Contact:
        """What would be written down of it: the obstacle without what was added for secrecy."""
        return Contact(
            name="",
            sought=self.search.sought,
            obstacle=max(1, self.obstacle.total - self.quiet),
            place=self.search.place.value,
            time=self.search.time.value,
            identity=identity,
        )


def circles_test(arguments: Search, table: BurningTable) -> Play[Found]:
    """Test Circles to find one of the GM's characters (circles.ability.use).

    He need not have existed before (circles.ability.npc_made_on_demand).
    """
    outcome, _ = yield from call(seek, arguments, table)
    return outcome


def seek(search: Search, table: BurningTable) -> Play[tuple[Found, BurningTable]]:
    """A Circles test and the table after it."""
    sheet = table.character(search.character)
    _check(search, sheet, table)
    seat, circles = sheet.seat(search.character), circles_of(sheet)
    known = _known(search, sheet)
    yield from tell(IntentDeclared(sheet.name, search.intent, search.how, str(circles)))
    played = edition(table.options)
    if known is None:
        yield from within_reach(search, sheet, played)
    if (yield from _granted(search, sheet, played)):
        nothing = Tally()
        return Found(True, True, 0, 0, nothing, nothing, "friendly", granted=True), table
    # Not again for the same intent until circumstances change (circles.amb.let_it_ride).
    table = yield from check_no_ride(table, search.character, circles.name, search.intent)
    table, wise = yield from _wise_first(search, table)
    # Searching for a name keeps the obstacle of the first search; in the later edition the name
    # only brings its die (gold.diff.circles_named).
    again = known is not None and played.names_keep_the_obstacle
    if known is not None and again:
        base = same_obstacle(known, search)
    else:
        base = yield from obstacle_of_search(search, sheet, table.options)
    bearing = yield from bear_on(sheet, seat, search.circle, played)
    if again:  # what offends was reckoned the first time
        bearing = msgspec.structs.replace(bearing, obstacle=())
    bearing = msgspec.structs.replace(
        bearing,
        dice=bearing.dice + (yield from renown(search, seat, table)) + name_die(known),
    )
    quiet = quietly(search.quietly, inconspicuous=search.inconspicuous)
    context = Context(
        dice=bearing.dice + wise.dice,
        obstacle=bearing.obstacle + quiet + wise.obstacle,
        called_for=True,
        laid_down=True,
    )
    threat = yield from _threatened(played)
    attempt = yield from prepare_circles(
        search.character, search.intent, search.how, search.helpers, context, table
    )
    amount = sum(line.amount for line in quiet)
    return then(roll_search, Hunt(search, attempt, base, bearing, amount, known, threat), table)


def _granted(search: Search, sheet: Sheet, played: Edition) -> Step[bool]:
    """A contact on which nothing hangs is granted without a roll (gold.circles.say_yes).

    Only the later edition says so of searches (gold.diff.say_yes).
    """
    if not played.reach_is_asked:
        return False
    rule = "gold.circles.say_yes"
    prompt = f"Is anything at stake in this search? {search.sought}"
    at_stake = yield from confirm(GM, "at_stake", prompt, default=True, because=rule)
    if not at_stake:
        yield from tell(Noted(f"{sheet.name} finds: {search.sought}.", rule))
    return not at_stake


def _threatened(played: Edition) -> Step[str]:
    """What failing will bring, which the later edition has the GM say beforehand.

    gold.circles.consequence.
    """
    if not played.searches_are_threatened:
        return ""
    threat, death = yield from threaten("the wrong people hear of the search", played)
    said = f"{threat}; {death}" if death else threat
    yield from tell(AtStake("somebody is found", said, "some asking around"))
    return said


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
    declaration = Declaration(character, intent, how, circles.name, helpers)
    attempt = yield from prepare(declaration, agreed, 0, context, table)
    if attempt.all_dice.total < 1:
        what = f"{table.character(character).name} has no Circles dice, and nothing adds any"
        raise NotAllowed(what, "circles.amb.circles_zero")
    return attempt


def _check(search: Search, sheet: Sheet, table: BurningTable) -> None:
    """Whom, what for, and how the search goes about it (gold.circles.task)."""
    rule = "circles.test.intent_and_task"
    for field in ("sought", "intent", "how"):
        words = getattr(search, field).strip()
        if not 1 <= len(words) <= LONGEST_WORDS:
            expected = f"whom, what for and how, in at most {LONGEST_WORDS} characters each"
            raise BadInput(field, getattr(search, field), expected, rule)
    if search.place is Place.SPECIFIC and not search.place_name.strip():
        expected = "the household, establishment or crew by name"
        raise BadInput("place_name", search.place_name, expected, "circles.test.place_local")
    if not 0 <= search.renown <= 10:
        raise BadInput("renown", search.renown, "0 to 10 dice", "circles.test.sought_reputation")
    for field in ("person", "about"):
        if getattr(search, field):
            table.character(getattr(search, field), field)
    quietly(search.quietly, inconspicuous=search.inconspicuous)
    check_in_control(table, search.character)
    check_not_barred(sheet, table)


def _known(search: Search, sheet: Sheet) -> Contact | None:
    """The contact on the sheet who is sought again, if it is one."""
    if not search.contact:
        return None
    wanted = search.contact.casefold()
    if any(each.name.casefold() == wanted for each in sheet.relationships):
        what = f"{search.contact} is a relationship of {sheet.name}: no test is needed"
        raise NotAllowed(what, "circles.relationship.no_roll_to_meet")
    contacts = own_contacts(sheet)
    for each in contacts:
        if each.name.casefold() == wanted:
            return each
    names = ", ".join(each.name for each in contacts) or "none"
    expected = f"a name that {sheet.name} has written down: {names}"
    raise BadInput("contact", search.contact, expected, "circles.naming.written")


def throw_circles(
    attempt: Attempt, obstacle: Tally, name: str, *audience: Seat
) -> Step[artha.Throw]:
    """Throw the dice of a Circles test."""
    yield from tell(DiceGathered(name, attempt.all_dice, obstacle), *audience)
    lying: artha.Throw = yield from call(
        artha.throw,
        attempt.pool,
        f"{name}, {attempt.agreed.name}",
        attempt.seat,
        attempt.hand,
        attempt.spent,
        obstacle.total,
    )
    return lying


def roll_search(hunt: Hunt, table: BurningTable) -> Play[tuple[Found, BurningTable]]:
    """Throw the dice; as many successes as the obstacle find the person (circles.test.success)."""
    search, attempt = hunt.search, hunt.attempt
    name = table.character(search.character).name
    lying = yield from throw_circles(attempt, hunt.obstacle, name)
    margin = lying.successes - hunt.obstacle.total
    passed = margin >= 0
    found = row_of_result(margin, enmity=False)["contact found"]
    verdict = f"Found: {found}. {search.sought}."
    yield from tell(TestCame(name, lying.successes, verdict, passed))
    # All these dice count for the class (advancement.circles.count_all_dice), but what rises is
    # Circles alone (advancement.circles.only_base_rises).
    table, earned = yield from after_test(attempt, lying, hunt.obstacle.total, table, passed=passed)
    ride = Ride(search.character, attempt.agreed.name, search.intent, lying.successes, passed)
    table = yield from let_it_ride(table, ride)
    plain = Found(
        found=passed,
        passed=passed,
        successes=lying.successes,
        margin=margin,
        dice=attempt.all_dice,
        obstacle=hunt.obstacle,
        earned=earned,
        spent=lying.spent,
    )
    return then(found_contact if passed else not_found, hunt, plain, table)


def row_of_result(margin: int, *, enmity: bool) -> Record:
    """The row of circles.table.results for what the dice brought."""
    words = {
        margin > 0: "successes exceed the obstacle",
        margin == 0: "successes equal the obstacle",
        margin < 0 and not enmity: "successes below the obstacle, no Enmity Clause",
        margin < 0 and enmity: "successes below the obstacle, Enmity Clause invoked by the GM",
    }
    return catalogue().table("circles.table.results").where(result=words[True])


# --- Found, or not -------------------------------------------------------------------------


def found_contact(
    hunt: Hunt, plain: Found, table: BurningTable
) -> Play[tuple[Found, BurningTable]]:
    """Somebody who fits is found, and well disposed (circles.test.success).

    What he knows or can do must still be won (circles.ability.finds_not_extracts). A search that
    did better than it must lets the player name him (circles.naming.condition_exceed); one that
    just met the obstacle serves the present need only (circles.naming.not_if_merely_met).
    """
    search, known = hunt.search, hunt.known
    row = row_of_result(plain.margin, enmity=False)
    text = "Found, no more: what he knows or can do must still be won."
    yield from tell(Noted(text, "circles.ability.finds_not_extracts"))
    where, when = yield from _meeting(search, table)
    may_be_named = known is None and row["named by"] == "player"
    name, bond, disposition = "", None, str(row["disposition"])
    if known is not None:
        name = known.name
        if enemy(table, search.character, name) is not None:
            disposition = "hostile"
        else:
            table, bond = yield from tap(table, search.character, name)
    elif may_be_named:
        entry = hunt.entry(table.character(search.character).identity)
        table, name = yield from name_contact(table, search.character, entry)
        if name:
            table, bond = yield from tap(table, search.character, name)
    else:
        text = "He serves the present need and drops out of sight again."
        yield from tell(Noted(text, "circles.naming.not_if_merely_met"))
    outcome = msgspec.structs.replace(
        plain,
        disposition=disposition,
        may_be_named=may_be_named,
        name=name,
        where=where,
        when=when,
        bond=bond,
    )
    return then(cover_tracks, hunt, outcome, table)


def not_found(hunt: Hunt, plain: Found, table: BurningTable) -> Play[tuple[Found, BurningTable]]:
    """Not found as wished, or found as an enemy (circles.test.failure).

    That nobody was found does not mean that there is nobody (circles.test.existence). In the
    later edition what was threatened comes about, and helpers share in it (gold.circles.failure).
    """
    search = hunt.search
    if hunt.threat:
        yield from tell(Noted(f"{hunt.threat}.", "gold.circles.failure"))
        sharing = yield from who_shares(hunt.attempt, table)
        plain = msgspec.structs.replace(plain, consequence=hunt.threat, shared_by=sharing)
    entry = hunt.entry(table.character(search.character).identity)
    known = hunt.known.name if hunt.known is not None else ""
    table, name = yield from invoke_enmity(table, search.character, entry, known=known)
    if not name:
        text = f"Not found when needed; that says nothing of whether there is one: {search.sought}."
        yield from tell(Noted(text, "circles.test.existence"))
        return then(cover_tracks, hunt, plain, table)
    # Met as was asked for, in spite of all (circles.amb.enmity_wish_partly_met).
    where, when = yield from _meeting(search, table)
    outcome = msgspec.structs.replace(
        plain, found=True, disposition="hostile", name=name, where=where, when=when
    )
    return then(cover_tracks, hunt, outcome, table)


def _meeting(search: Search, table: BurningTable) -> Step[tuple[str, str]]:
    """Where and when they meet: whoever paid for the choice in the obstacle has it."""
    where = yield from _where(search)
    when = yield from _when(search, table)
    return where, when


def _where(search: Search) -> Step[str]:
    """Without a place the GM decides, however far off (circles.test.place_gm_decides).

    Local is the character's immediate area: city, territory or hunting grounds; a specific place
    has a name (circles.test.place_local).
    """
    if search.place is Place.SPECIFIC:
        return search.place_name.strip()
    local = search.place is Place.LOCAL
    within = "in the city, territory or hunting grounds at hand" if local else "however far off"
    where: str = yield from ask(
        GM,
        "where",
        f"Where is the contact, {within}?",
        Text(default="nearby" if local else "somewhere in the region", required=True),
        because="circles.test.place_local" if local else "circles.test.place_gm_decides",
    )
    return where


def _when(search: Search, table: BurningTable) -> Step[str]:
    """When they meet: as the GM decides, this session, or when the player picks.

    circles.test.time_eventually, circles.test.time_soon, circles.test.time_now.
    """
    if search.time is not Time.NOW:
        soon = search.time is Time.SOON
        when: str = yield from ask(
            GM,
            "when",
            "When, in this session, is contact made?" if soon else "When and how is he found?",
            Text(default="later this session" if soon else "in good time", required=True),
            because=f"circles.test.time_{search.time.value}",
        )
        return when
    sheet = table.character(search.character)
    picked: str = yield from ask(
        sheet.seat(search.character),
        "when",
        "When do you want to play the meeting?",
        Text(default="at once", required=True),
        because="circles.test.time_now",
    )
    interrupts = yield from confirm(
        GM,
        "interrupts",
        f"Would that break into another scene in progress? {picked}",
        default=False,
        because="circles.test.time_now",
    )
    return "after the scene in progress" if interrupts else picked


def cover_tracks(
    hunt: Hunt, outcome: Found, table: BurningTable
) -> Play[tuple[Found, BurningTable]]:
    """Hide the search, if that was wanted, and leave behind what others may get wind of."""
    search = hunt.search
    veil = Veil(obstacle=hunt.quiet)  # circles.quiet.same_penalty_to_detectors
    if search.inconspicuous:
        veil, table = yield from inconspicuously(
            search.character, search.sought, outcome.margin, table
        )
    made = SearchRecord(
        seeker=search.character,
        sought=search.sought,
        obstacle=hunt.obstacle.total - hunt.quiet,
        about=search.about or search.person,
        contact=outcome.name,
        standings=hunt.bearing.standings,
        reputation_dice=hunt.bearing.reputation_dice,
        hidden=veil.obstacle,
        traces=veil.dice,
        failed=not outcome.passed,
    )
    table = yield from leave_traces(table, made)
    return msgspec.structs.replace(outcome, veil=veil), table


PROCEDURES = (
    Procedure(
        "circles_test",
        "Find somebody whom the character may know",
        Search,
        circles_test,
        frequent=4,
    ),
)
