"""What a Circles test brings: a contact met and perhaps named, nobody, or an enemy.

The test itself is in ``circles/circles_test``. Contacts and enemies once found are in
``circles/contacts``, keeping a search hidden in ``circles/quiet_searches``.
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Play, Step, Tally, Text, ask, confirm_aside, note, then
from astragal.rules import catalogue

from ..conditions.enmity import enemy
from ..sheet.parts import Contact
from ..sheet.scene import BurningTable, SearchRecord
from ..sheet.words import as_sentence
from ..tests.attempts import Attempt, TestResult
from ..tests.results import StandardOutcome, who_shares
from .bonus_dice import StandingEffect
from .contacts import invoke_enmity, name_contact
from .quiet_searches import Secrecy, inconspicuously, leave_traces
from .relationships import Bond, tap
from .searches import Search, SearchPlace, SearchTime


class CirclesOutcome(TestResult, frozen=True, kw_only=True):
    """Who was found, and in what mood.

    ``wise`` is the test of a Wise that led into it, ``inconspicuous`` the one that hides it,
    ``complication`` what careful work that failed has cost.
    """

    found: bool
    disposition: str = ""
    may_be_named: bool = False
    name: str = ""
    where: str = ""
    when: str = ""
    bond: Bond | None = None
    veil: Secrecy = Secrecy()
    ability: str = "Circles"
    consequence: str = ""
    shared_by: tuple[str, ...] = ()
    granted: bool = False
    wise: StandardOutcome | None = None
    inconspicuous: StandardOutcome | None = None
    complication: str = ""


class PreparedSearch(msgspec.Struct, frozen=True):
    """A search when the dice are about to be thrown."""

    search: Search
    attempt: Attempt
    base: Tally
    effect: StandingEffect
    quiet: int
    known: Contact | None
    threat: str = ""
    deadly: bool = False
    """Whether certain death was threatened."""
    wise: StandardOutcome | None = None

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


# --- Found, or not -------------------------------------------------------------------------


def granted_contact(
    search: Search, known: Contact | None, table: BurningTable
) -> Step[tuple[CirclesOutcome, BurningTable]]:
    """Met without a roll, for nothing is at stake (gold.circles.say_yes).

    Somebody who has a name is contacted all the same, and it counts (gold.circles.relationship).
    """
    outcome = CirclesOutcome(passed=True, found=True, disposition="friendly", granted=True)
    if known is None:
        return outcome, table
    if enemy(table, search.character, known.name) is not None:
        return msgspec.structs.replace(outcome, name=known.name, disposition="hostile"), table
    table, bond = yield from tap(table, search.character, known.name)
    return msgspec.structs.replace(outcome, name=known.name, bond=bond), table


def found_contact(
    prepared: PreparedSearch, plain: CirclesOutcome, table: BurningTable
) -> Play[tuple[CirclesOutcome, BurningTable]]:
    """Somebody who fits is found, and well disposed (circles.test.success).

    What they know or can do must still be won (circles.ability.finds_not_extracts). A search that
    exceeded the obstacle lets the player name them (circles.naming.condition_exceed); one that
    just met the obstacle serves the present need only (circles.naming.not_if_merely_met).
    """
    search, known = prepared.search, prepared.known
    result = "successes exceed the obstacle" if plain.margin else "successes equal the obstacle"
    row = catalogue().table("circles.table.results").where(result=result)
    text = "The contact is found, but their knowledge or help must still be won."
    yield from note(text, "circles.ability.finds_not_extracts")
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
        entry = prepared.entry(table.character(search.character).identity)
        table, name = yield from name_contact(table, search.character, entry)
        if name:
            table, bond = yield from tap(table, search.character, name)
    else:
        text = "The contact serves the present need, then drops out of sight."
        yield from note(text, "circles.naming.not_if_merely_met")
    outcome = msgspec.structs.replace(
        plain,
        disposition=disposition,
        may_be_named=may_be_named,
        name=name,
        where=where,
        when=when,
        bond=bond,
    )
    return then(cover_tracks, prepared, outcome, table)


def not_found(
    prepared: PreparedSearch, plain: CirclesOutcome, averted: str, table: BurningTable
) -> Play[tuple[CirclesOutcome, BurningTable]]:
    """Not found as wished, or found as an enemy (circles.test.failure).

    That nobody was found does not mean that there is nobody (circles.test.existence). In the
    later edition what was threatened comes about, and helpers share in it (gold.circles.failure),
    unless the GM brings the enemy instead (gold.circles.enmity); so does what ``averted`` death.
    """
    search = prepared.search
    entry = prepared.entry(table.character(search.character).identity)
    known = prepared.known.name if prepared.known is not None else ""
    table, name = yield from invoke_enmity(table, search.character, entry, known=known)
    if not name:
        threat = averted or prepared.threat
        if threat:
            yield from note(as_sentence(threat), "gold.circles.failure")
            sharing = yield from who_shares(prepared.attempt, table)
            plain = msgspec.structs.replace(plain, consequence=threat, shared_by=sharing)
        text = f"Nobody turns up in time; such a person may still exist: {search.sought}."
        yield from note(text, "circles.test.existence")
        return then(cover_tracks, prepared, plain, table)
    # Met as was asked for, but as an enemy (circles.amb.enmity_wish_partly_met).
    where, when = yield from _meeting(search, table)
    outcome = msgspec.structs.replace(
        plain, found=True, disposition="hostile", name=name, where=where, when=when
    )
    return then(cover_tracks, prepared, outcome, table)


def _meeting(search: Search, table: BurningTable) -> Step[tuple[str, str]]:
    """Where and when they meet: the player chooses what was paid for in the obstacle."""
    where = yield from _where(search)
    when = yield from _when(search, table)
    return where, when


def _where(search: Search) -> Step[str]:
    """Without a place the GM decides, however far off (circles.test.place_gm_decides).

    Local is the character's immediate area: city, territory or hunting grounds; a specific place
    has a name (circles.test.place_local).
    """
    if search.place is SearchPlace.SPECIFIC:
        return search.place_name.strip()
    local = search.place is SearchPlace.LOCAL
    within = "nearby: city, territory or hunting grounds" if local else "however far off"
    where: str = yield from ask(
        GM,
        "where",
        f"Where is the contact? ({within})",
        Text(default="nearby" if local else "somewhere in the region", required=True),
        because="circles.test.place_local" if local else "circles.test.place_gm_decides",
        kind="aside",
    )
    return where


def _when(search: Search, table: BurningTable) -> Step[str]:
    """When they meet: as the GM decides, this session, or when the player picks.

    circles.test.time_eventually, circles.test.time_soon, circles.test.time_now.
    """
    if search.time is not SearchTime.NOW:
        soon = search.time is SearchTime.SOON
        when: str = yield from ask(
            GM,
            "when",
            "When in this session do they meet?" if soon else "When and how do they meet?",
            Text(default="later this session" if soon else "in good time", required=True),
            because=f"circles.test.time_{search.time.value}",
            kind="aside",
        )
        return when
    sheet = table.character(search.character)
    picked: str = yield from ask(
        sheet.seat(search.character),
        "when",
        "When do they meet?",
        Text(default="at once", required=True),
        because="circles.test.time_now",
        kind="aside",
    )
    interrupts = yield from confirm_aside(
        GM,
        "interrupts",
        f"Would that interrupt another scene? ({picked})",
        because="circles.test.time_now",
    )
    return "after the scene in progress" if interrupts else picked


def cover_tracks(
    prepared: PreparedSearch, outcome: CirclesOutcome, table: BurningTable
) -> Play[tuple[CirclesOutcome, BurningTable]]:
    """Hide the search, if that was wanted, and record it for those who may detect it."""
    search = prepared.search
    veil = Secrecy(obstacle=prepared.quiet)  # circles.quiet.same_penalty_to_detectors
    if search.inconspicuous:
        veil, hiding, table = yield from inconspicuously(
            search.character, search.sought, outcome.margin, table
        )
        outcome = msgspec.structs.replace(outcome, inconspicuous=hiding)
    made = SearchRecord(
        seeker=search.character,
        sought=search.sought,
        obstacle=prepared.obstacle.total - prepared.quiet,
        about=search.about or search.person,
        contact=outcome.name,
        standings=prepared.effect.standings,
        reputation_dice=prepared.effect.reputation_dice,
        hidden=veil.obstacle,
        traces=veil.dice,
        failed=not outcome.passed,
    )
    table = yield from leave_traces(table, made)
    return msgspec.structs.replace(outcome, veil=veil), table
