"""Whom a Circles test looks for: what is asked for, whether it can be reached, how hard it is.

The test itself is in ``circles/circles_test``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments
from astragal.play import GM, Line, Number, Option, Step, Tally, ask, choose, consent, note
from astragal.rules import Options, catalogue

from ..conditions.enmity import own_standings
from ..sheet.editions import REVISED, Edition, edition
from ..sheet.parts import Contact, Lifepath, SocialStanding
from ..sheet.sheet import Rated, Sheet
from .search_obstacle import choices, modifier, station_modifier, station_name

# --- What is asked for ---------------------------------------------------------------------


class Occupation(Enum):
    """How common the occupation sought is in the character's circle."""

    COMMON = "common"
    UNCOMMON = "uncommon"
    SPECIFIC = "specific"


class Station(Enum):
    """The rank of the person sought, as seen from the character's own, step by step.

    More than two steps down are as the lowest rank, more than three up as the highest.
    """

    SAME = "same"
    HIGHER_1 = "higher_1"
    HIGHER_2 = "higher_2"
    HIGHER_3 = "higher_3"
    LOWER_1 = "lower_1"
    LOWER_2 = "lower_2"
    LOWEST = "lowest"
    HIGHEST = "highest"


class SearchPlace(Enum):
    """Where the person is to be found."""

    ANYWHERE = "anywhere"
    LOCAL = "local"
    SPECIFIC = "specific"


class Outlook(Enum):
    """The disposition or knowledge the person is to have."""

    COMMON = "common"
    DIFFERENT = "different"
    SPECIFIC = "specific"


class SearchTime(Enum):
    """When the person is to be met."""

    EVENTUALLY = "eventually"
    SOON = "soon"
    NOW = "now"


class Search(Arguments, frozen=True):
    """Who is sought, why and how, and how narrow the search is (circles.test.intent_and_task).

    ``through`` is what connects them (a lifepath, an affiliation, an infamous reputation),
    ``setting`` the setting of the person sought, ``circle`` the group or realm that is asked.
    ``person`` is a character at the table who is sought; for anyone else, ``renown`` is their
    reputation dice. ``about`` is the character the questions are about. ``contact`` is someone
    found before. ``wise`` is a Wise to test first, ``wise_by`` who tests it for the seeker.
    """

    character: str
    sought: str
    intent: str
    how: str
    through: str = ""
    setting: str = ""
    unlawful: bool = False
    circle: str = ""
    occupation: Occupation | None = None
    station: Station = Station.SAME
    place: SearchPlace = SearchPlace.ANYWHERE
    place_name: str = ""
    disposition: Outlook = Outlook.COMMON
    time: SearchTime = SearchTime.EVENTUALLY
    contact: str = ""
    person: str = ""
    renown: int = 0
    about: str = ""
    quietly: int = 0
    inconspicuous: bool = False
    wise: str = ""
    wise_by: str = ""
    helpers: tuple[str, ...] = ()


# --- The ability ---------------------------------------------------------------------------


def suggested_circles(sheet: Sheet) -> int:
    """What Circles might begin at: it is rooted in Will (circles.ability.root).

    Half of it, rounded down (circles.amb.starting_rating).
    """
    will = sheet.find("Will")
    return 0 if will is None else will.exponent // 2


def circles_of(sheet: Sheet) -> Rated:
    """The one Circles ability of a character (circles.ability.one_rating)."""
    circles = sheet.find("Circles")
    if circles is None:
        usual = suggested_circles(sheet)
        hint = f", as in B{usual} by Will" if usual else ""
        expected = f"a Circles rating on {sheet.name}'s sheet{hint}"
        raise BadInput("circles", None, expected, "circles.ability.root")
    return circles


# --- Scope ---------------------------------------------------------------------------------


CITY_AND_VILLAGE = ("City Dweller", "Villager")


def _own_settings(paths: tuple[Lifepath, ...], played: Edition) -> dict[str, str]:
    """The settings of some lifepaths, by their names in lower case.

    Those of city dwellers and villagers are one circle (circles.test.occupation_city_village), of
    which the later edition does not speak.
    """
    own = {path.setting.casefold(): path.setting for path in paths if path.setting}
    one_circle = {each.casefold(): each for each in CITY_AND_VILLAGE}
    if own.keys() & one_circle.keys() and not played.only_own_settings:
        own = {**one_circle, **own}
    return own


def _led_to(paths: tuple[Lifepath, ...], played: Edition) -> dict[str, str]:
    """The settings to which some lifepaths led, taken or not (circles.scope.leads)."""
    if played.only_own_settings:
        return {}
    return {lead.casefold(): lead for path in paths for lead in path.leads}


def connection(sheet: Sheet, search: Search, played: Edition = REVISED) -> str | None:
    """The rule by which a character may know such a person, or None.

    circles.scope.lifepaths: each lifepath is like a small affiliation. The player explains how
    (circles.scope.narration); people of the same setting may be sought, too
    (circles.scope.indirect), and those to whom a lifepath led, taken or not
    (circles.scope.leads). In the later edition the person must belong to a setting of the
    character's lifepaths (gold.circles.intent, gold.diff.circles_scope).
    """
    setting = search.setting.casefold()
    named = _lifepath(sheet, search.through)
    if played.only_own_settings:
        own = _own_settings(sheet.lifepaths, played)
        known = setting in own if setting else named is not None
        return "gold.circles.intent" if known else None
    standing = _standing(sheet, search.through)
    if standing is not None:
        infamous = standing.infamous
        return "circles.infamy.opens_circles" if infamous else "circles.scope.narration"
    if named is not None and setting in ("", named.setting.casefold()):
        return "circles.scope.narration"
    paths = sheet.lifepaths if named or not search.through else ()
    if setting in _own_settings(paths, played):
        return "circles.scope.indirect"
    return "circles.scope.leads" if setting in _led_to(paths, played) else None


def _lifepath(sheet: Sheet, name: str) -> Lifepath | None:
    wanted = name.casefold()
    return next((path for path in sheet.lifepaths if path.name.casefold() == wanted), None)


def _standing(sheet: Sheet, name: str) -> SocialStanding | None:
    wanted = name.casefold()
    return next((each for each in own_standings(sheet) if each.name.casefold() == wanted), None)


def within_reach(search: Search, sheet: Sheet, played: Edition = REVISED) -> Step[Search]:
    """Refuse people with no connection to any of the character's settings.

    circles.scope.out_of_reach. Where player and GM disagree, lifepaths and leads decide
    (circles.scope.leads), not the GM; only without lifepaths on the sheet is it the GM's word.
    Somebody sought through a lifepath is taken to be of its setting. The search comes back with
    the setting; whether that fits the person is for the GM, who rules on the occupation.
    """
    ways = [p.name for p in sheet.lifepaths] + [s.name for s in own_standings(sheet)]
    if search.through and ways and search.through.casefold() not in _casefolded(tuple(ways)):
        expected = f"a lifepath or standing of {sheet.name}: {', '.join(ways)}"
        raise BadInput("through", search.through, expected, "circles.scope.narration")
    path = _lifepath(sheet, search.through)
    if path is not None and not search.setting:
        search = msgspec.structs.replace(search, setting=path.setting)
    rule = connection(sheet, search, played)
    if rule is None and not sheet.lifepaths:
        rule = "circles.scope.narration"
        prompt = f"Could {sheet.name} know such a person? ({search.sought}: {search.how})"
        knows = yield from consent(GM, "could_know", prompt, because=rule)
        rule = rule if knows else None
    if rule is None:
        raise _out_of_reach(search, sheet)
    yield from note(f"{sheet.name} may know such a person: {search.how}.", rule)
    return search


def _out_of_reach(search: Search, sheet: Sheet) -> NotAllowed:
    what = f"Nothing connects {sheet.name} to this person ({search.sought}): seek someone else"
    return NotAllowed(what, "circles.scope.out_of_reach")


def _casefolded(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words)


def usual_occupation(sheet: Sheet, search: Search, played: Edition = REVISED) -> Occupation:
    """How common the occupation is, unless the player or the GM says differently.

    Among city dwellers and villagers every lawful lifepath is common, criminals are uncommon
    (circles.test.occupation_city_village). Beyond the character's settings it is outside the
    circle (circles.amb.outside_circle_versus_out_of_reach). In the later edition a lifepath that
    the character does not have is uncommon (gold.diff.circles_occupation).
    """
    if played.only_own_settings:
        own = _casefolded(tuple(path.name for path in sheet.lifepaths))
        shared = not own or search.contact or search.through.casefold() in own
        return Occupation.COMMON if shared else Occupation.UNCOMMON
    setting = search.setting.casefold()
    if setting in _own_settings(sheet.lifepaths, played):
        criminal = search.unlawful and setting in _casefolded(CITY_AND_VILLAGE)
        return Occupation.UNCOMMON if criminal else Occupation.COMMON
    return Occupation.SPECIFIC if setting and sheet.lifepaths else Occupation.COMMON


# --- The obstacle --------------------------------------------------------------------------


def base_obstacle() -> Line:
    """A common occupation and disposition, in the usual place (circles.test.base_obstacle)."""
    row = catalogue().table("circles.table.obstacle_modifiers").where(category="base")
    return Line(row.number("ob_min"), "base obstacle", "circles.test.base_obstacle")


def obstacle_of_search(search: Search, sheet: Sheet, options: Options) -> Step[Tally]:
    """The base and one row for each category that matters (circles.test.add_modifiers).

    The GM rules on occupation, station and disposition; place and time are what the player
    asked for.
    """
    tally = Tally((base_obstacle(),))
    tally += yield from who_lines(search, sheet, options)
    return tally + (yield from _where_and_when(search, edition(options)))


def who_lines(search: Search, sheet: Sheet, options: Options) -> Step[tuple[Line, ...]]:
    """What occupation, station and disposition add."""
    played = edition(options)
    occupation = yield from _occupation(search, sheet, played)
    station = yield from _station(search, played)
    disposition = yield from _disposition(search, options)
    return occupation + station + disposition


def _where_and_when(search: Search, played: Edition) -> Step[tuple[Line, ...]]:
    """What the place and the time add: one modifier each, or one for both.

    In the later edition it is for the GM to say how unusual they are
    (gold.diff.circles_time_place).
    """
    if not played.place_and_time_are_one:
        place = modifier("place", search.place.value).line("place")
        return place + modifier("time", search.time.value).line("time")
    category = "time and place"
    wishes = (search.place is not SearchPlace.ANYWHERE) + (search.time is not SearchTime.EVENTUALLY)
    usual = "unusual" if wishes else "usual"
    if search.time is SearchTime.NOW:
        usual = "here_and_now"
    rows = choices(category, ("usual", "unusual", "here_and_now"), played)
    prompt = "Time and place of the meeting"
    rule = "gold.circles.ob_time_place"
    key = yield from choose(
        GM, "time_and_place", prompt, rows, default=usual, because=rule, kind="consent"
    )
    row = modifier(category, key, played)
    if row.least == row.most:
        return row.line(category)
    amount = yield from ask(
        GM,
        "how_unusual",
        "Added obstacle for time and place",
        Number(least=row.least, most=row.most, default=min(row.most, max(row.least, wishes))),
        because=rule,
        kind="aside",
    )
    return row.line(category, amount)


def _occupation(search: Search, sheet: Sheet, played: Edition) -> Step[tuple[Line, ...]]:
    """circles.test.occupation; the higher row if two would fit (circles.amb.occupation_wording).

    The GM may also say that nothing links the character to such a person at all, whatever was
    said of the setting (circles.amb.outside_circle_versus_out_of_reach): then there is no test
    (circles.scope.out_of_reach). gold.diff.circles_occupation.
    """
    said = search.occupation or usual_occupation(sheet, search, played)
    beyond = Option(OUT_OF_REACH, "Out of reach: no test", "circles.scope.out_of_reach")
    rows = choices("occupation", tuple(each.value for each in Occupation), played)
    options = (*rows, beyond)
    prompt = f"Occupation, in {sheet.name}'s circle"
    rule = "circles.test.occupation"
    key = yield from choose(
        GM, "occupation", prompt, options, default=said.value, because=rule, kind="consent"
    )
    if key == OUT_OF_REACH:
        raise _out_of_reach(search, sheet)
    return modifier("occupation", key, played).line("occupation")


OUT_OF_REACH = "out_of_reach"


def _station(search: Search, played: Edition) -> Step[tuple[Line, ...]]:
    """circles.test.station; "high-ranking" is the highest unless a step is agreed.

    circles.amb.noble_highest_rank.
    """
    rows = {each.value: station_modifier(each.value, played) for each in Station}
    options = tuple(
        Option(key, station_name(key).capitalize(), row.rule, note=f"+{row.most} Ob")
        for key, row in rows.items()
    )
    prompt, default = "Station, compared with the character's own", search.station.value
    rule = "circles.test.station"
    key = yield from choose(
        GM, "station", prompt, options, default=default, because=rule, kind="consent"
    )
    return rows[key].line("station")


def _disposition(search: Search, options: Options) -> Step[tuple[Line, ...]]:
    """circles.test.disposition; a narrower row replaces the wider one.

    circles.amb.disposition_not_cumulative. How much "different" adds is for the GM to say; the
    table's custom is what it is without a word (circles.amb.disposition_range,
    gold.diff.circles_disposition).
    """
    rule, category = "circles.test.disposition", "disposition or knowledge"
    played = edition(options)
    prompt, default = "Disposition or knowledge, in the circle", search.disposition.value
    rows = choices(category, tuple(each.value for each in Outlook), played)
    key = yield from choose(
        GM, "disposition", prompt, rows, default=default, because=rule, kind="consent"
    )
    row = modifier(category, key, played)
    amount = None
    if row.least != row.most:
        custom = options["circles_different_disposition"]
        usual = row.least if custom == "plus_1_ob" else row.most
        amount = yield from ask(
            GM,
            "how_different",
            "Added obstacle for a different disposition",
            Number(least=row.least, most=row.most, default=usual),
            because="circles.amb.disposition_range",
            kind="offered" if custom == "gm_each_time" else "aside",
        )
    return row.line(category, amount)


def same_obstacle(contact: Contact, search: Search) -> Tally:
    """Searching again is as hard as the first time (circles.naming.same_obstacle).

    Only a different time or place is reckoned anew (circles.amb.naming_same_obstacle).
    """
    tally = Tally.of(contact.obstacle, "as the first time", "circles.naming.same_obstacle")
    for category, before, now in (
        ("place", contact.place, search.place.value),
        ("time", contact.time, search.time.value),
    ):
        change = modifier(category, now).most - modifier(category, before).most
        if change:
            tally += Line(change, f"different {category}", "circles.amb.naming_same_obstacle")
    return tally
