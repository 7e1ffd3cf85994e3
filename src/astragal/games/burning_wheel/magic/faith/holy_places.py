"""Consecrated places: whom they keep out, and how they lose it."""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, consent, note

from ...sheet.durations import parse_duration
from ...sheet.faiths import HolyPlace
from ...sheet.scene import BurningTable
from ...tests.partial_records import complete

LONG_PRAYER = 3600
"""The seconds that Consecration takes by default (faith.amb.consecration_time_and_end)."""


def consecration_time(table: BurningTable) -> Step[int]:
    """How long the prayer takes: an hour, or what the GM sets.

    faith.amb.consecration_time_and_end.
    """
    if table.options["faith_consecration_time"] == "one_hour":
        return LONG_PRAYER
    said = yield from ask(
        GM,
        "consecration_time",
        "How long does the Consecration take?",
        Text(required=True, default="1 hour"),
        because="faith.amb.consecration_time_and_end",
    )
    return parse_duration(said)


def make_holy(holy: HolyPlace, table: BurningTable) -> Step[BurningTable]:
    """The place is holy until it is desecrated (faith.prayer.consecration)."""
    rule = "faith.prayer.consecration"
    text = f"{holy.place} is holy: no spirit or demon of a Will below {holy.faith} can enter."
    yield from note(text[0].upper() + text[1:], rule)
    places = (*table.scene.holy_places, holy)
    return (yield from table.amend(SCENE, "holy_places", places, because=rule))


class EnterHolyPlace(Arguments, frozen=True):
    """A spirit or demon that would enter a holy place."""

    spirit: str
    place: str


class HolyGround(Outcome, frozen=True):
    """Whether the place keeps the spirit out, with the Will and the Faith that are compared."""

    barred: bool
    will: int
    faith: int


def enter_holy_place(arguments: EnterHolyPlace, table: BurningTable) -> Play[HolyGround]:
    """A holy place bars spirits and demons whose Will is below the Faith of its priest.

    faith.prayer.consecration: the Faith at the time of the prayer
    (faith.amb.consecration_time_and_end). Others may enter.
    """
    _, holy = _place(arguments.place, table)
    table.character(arguments.spirit, "spirit")
    table = yield from complete(table, (arguments.spirit,), ("Will",))
    sheet = table.character(arguments.spirit)
    will = sheet.ability("Will", "spirit").rating.exponent
    rule = "faith.prayer.consecration"
    prompt = f"Is {sheet.name} a spirit or a demon?"
    spirit = yield from consent(GM, "is_spirit", prompt, because=rule)
    barred = spirit and will < holy.faith
    verdict = "cannot enter" if barred else "can enter"
    yield from note(f"{sheet.name} {verdict}: {holy.place}.", rule)
    return HolyGround(barred, will, holy.faith)


class Desecrate(Arguments, frozen=True):
    """Which holy place is desecrated."""

    place: str


class Desecration(Outcome, frozen=True):
    """The places that are still holy."""

    holy: tuple[str, ...]


def desecrate(arguments: Desecrate, table: BurningTable) -> Play[Desecration]:
    """A place stops being holy (faith.amb.consecration_time_and_end)."""
    at, holy = _place(arguments.place, table)
    rule = "faith.amb.consecration_time_and_end"
    places = table.scene.holy_places
    left = (*places[:at], *places[at + 1 :])
    yield from note(f"No longer holy: {holy.place}.", rule)
    yield from table.amend(SCENE, "holy_places", left, because=rule)
    return Desecration(tuple(each.place for each in left))


def _place(name: str, table: BurningTable) -> tuple[int, HolyPlace]:
    for at, holy in enumerate(table.scene.holy_places):
        if holy.place.casefold() == name.strip().casefold():
            return at, holy
    known = ", ".join(each.place for each in table.scene.holy_places) or "none"
    raise BadInput("place", name, f"a holy place: {known}", "faith.prayer.consecration")


PROCEDURES = (
    Procedure(
        "enter_holy_place",
        "A spirit at a holy place",
        EnterHolyPlace,
        enter_holy_place,
        gm_only=True,
    ),
    Procedure("desecrate", "Desecrate a place", Desecrate, desecrate, gm_only=True),
)
