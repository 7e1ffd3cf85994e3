"""Help from others: one person, declared before the roll, worth one Advantage.

Helping takes a physical position to do so and a Tag of use (signs.help.conditions), and the
GM has the last word (signs.help.gm). Members of a group Test cannot help one another; that
bar is in :mod:`~astragal.games.signs.groups`.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Procedure
from astragal.play import GM, Line, Option, PickSeveral, Play, Seat, Step, ask, choose, note

from .scene import Offer, SignsTable, same_words
from .sheet import NOTHING, Sheet


def offers_ahead(
    character: str, goal: str, barred: tuple[str, ...], table: SignsTable
) -> Step[tuple[Offer, ...]]:
    """Help declared ahead of a Test; those ``barred`` give none (signs.group.no_help)."""
    offers: tuple[Offer, ...] = ()
    for offer in table.scene.offers:
        if offer.character != character or not same_words(offer.goal, goal):
            continue
        if offer.helper in barred:
            name = table.character(offer.helper).name
            said = f"{name} takes part in the group Test and cannot help in it."
            yield from note(said, "signs.group.no_help")
        else:
            offers += (offer,)
    return offers


def gather_help(
    seat: Seat,
    character: str,
    goal: str,
    ahead: tuple[Offer, ...],
    asked: tuple[str, ...],
    table: SignsTable,
) -> Step[Offer | None]:
    """Take the offers made ahead, ask those named, and settle on one helper or none.

    All of it is before the roll (signs.help.before); nobody is asked again once dice are seen.
    """
    offers = list(ahead)
    for helper in asked:
        if all(offer.helper != helper for offer in offers):
            offered = yield from _offered(helper, character, goal, table)
            offers += [] if offered is None else [offered]
    if not offers:
        return None
    who = tuple(
        Option(
            key=offer.helper,
            label=f"{table.character(offer.helper).name}, with {offer.tag}",
            rule="signs.help.conditions",
        )
        for offer in offers
    )
    everyone = tuple(offer.helper for offer in offers)
    possible = yield from ask(
        GM,
        "help_possible",
        "Who can help, in position and with a useful Tag?",
        PickSeveral(options=who, default=everyone),
        because="signs.help.gm",
        kind="consent",
    )
    if not possible:
        return None
    alone = Option(key=NOTHING, label="Nobody", rule="signs.help.adv")
    able = tuple(option for option in who if option.key in possible)
    chosen = yield from choose(
        seat,
        "helper",
        "Who helps? One person at most.",
        (*able, alone),
        default=able[0].key,
        because="signs.help.adv",
        kind="consent" if len(able) == 1 else "offered",
    )
    return next((offer for offer in offers if offer.helper == chosen), None)


def _offered(helper: str, character: str, goal: str, table: SignsTable) -> Step[Offer | None]:
    """Ask one person for help; without a Tag there is nothing to help with."""
    sheet = table.character(helper)
    tags = tuple(sheet.all_tags())
    if not tags:
        return None
    options = tuple(
        Option(key=tag.name, label=f"Help with {tag.name}", rule="signs.help.conditions")
        for tag in tags
    )
    nothing = Option(key=NOTHING, label="Don't help", rule="signs.help.adv")
    chosen = yield from choose(
        sheet.seat(helper),
        "help",
        f"Help from {sheet.name} for {table.character(character).name}",
        (nothing, *options),
        default=NOTHING,
        because="signs.help.before",
    )
    return None if chosen == NOTHING else Offer(helper, chosen, character, goal)


def check_helper(helper: str, character: str, table: SignsTable, place: str = "helpers") -> Sheet:
    """The sheet of somebody who may be asked for help: not the character who makes the Test."""
    sheet = table.character(helper, place)
    if helper == character:
        raise BadInput(
            place, helper, "a character other than the one making the Test", "signs.help.adv"
        )
    return sheet


def help_line(offer: Offer, table: SignsTable) -> Line:
    """The one Advantage that help gives (signs.help.adv)."""
    name = table.character(offer.helper).name
    return Line(1, f"help from {name} ({offer.tag})", "signs.help.adv")


# --- Procedures ----------------------------------------------------------------------------


class OfferHelp(Arguments, frozen=True):
    """Who offers help, with which Tag, to whom and for what."""

    helper: str
    tag: str
    character: str
    goal: str


def offer_help(arguments: OfferHelp, table: SignsTable) -> Play[Offer]:
    """Declare help ahead of a Test; once its dice are rolled it is too late (signs.help.before)."""
    sheet = check_helper(arguments.helper, arguments.character, table, "helper")
    other = table.character(arguments.character)
    for attempt in table.scene.attempts:
        here = (attempt.character, attempt.scene) == (arguments.character, table.scene.number)
        if here and same_words(attempt.goal, arguments.goal):
            what = (
                f"{other.name} has already rolled for this; help must be declared before the roll"
            )
            raise NotAllowed(what, "signs.help.before")
    if not any(tag.name.casefold() == arguments.tag.casefold() for tag in sheet.all_tags()):
        what = f"{sheet.name} has no Tag called {arguments.tag}"
        raise NotAllowed(what, "signs.help.conditions")
    tag = sheet.tag(arguments.tag).name
    offer = Offer(arguments.helper, tag, arguments.character, arguments.goal)
    # A helper who offers anew has changed the Tag, and still is only one person.
    others = tuple(
        each
        for each in table.scene.offers
        if (each.helper, each.character) != (offer.helper, offer.character)
        or not same_words(each.goal, offer.goal)
    )
    yield from table.amend(SCENE, "offers", (*others, offer), because="signs.help.before")
    said = f"{sheet.name} offers to help {other.name} with {tag} ({arguments.goal})."
    yield from note(said, "signs.help.before")
    return offer


PROCEDURES = (Procedure("offer_help", "Offer help", OfferHelp, offer_help, frequent=5),)
