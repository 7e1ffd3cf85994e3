"""What a campaign begins with: starting artha, artha of the older edition, Complications or not."""

from __future__ import annotations

from collections import Counter

import msgspec

from astragal.errors import BadInput, NotAllowed, check_at_least
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import Play
from astragal.rules import catalogue

from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from .epiphany import add_artha

# --- Starting artha ------------------------------------------------------------------------


class StartArtha(Arguments, frozen=True):
    """Who begins, with how many lifepaths, and extra artha for one of the GM's characters.

    Without a number the lifepaths on the sheet count.
    """

    character: str
    lifepaths: int = 0
    extra: Artha = Artha()


class ArthaOutcome(Outcome, frozen=True):
    """The artha a character has after it."""

    artha: Artha


ROWS = {
    "gritty": "gritty, long-term (recommended)",
    "medium": "medium-term",
    "one_shot": "one-shot",
}


def starting_artha(method: str, lifepaths: int) -> Artha:
    """What a method gives (artha.start.gritty, artha.start.medium, artha.start.one_shot).

    By lifepath the pattern of the table goes round in fives (artha.start.by_lifepath).

    >>> starting_artha("by_lifepath", 7)
    Artha(fate=4, persona=2, deeds=1)
    """
    if method != "by_lifepath":
        row = catalogue().table("artha.table.starting").where(method=ROWS[method])
        return Artha(*(row.number(kind) for kind in Artha.__struct_fields__))
    cycle = catalogue().table("artha.table.starting_by_lifepath").column("type")[:5]
    kinds = Counter(str(cycle[number % 5]).casefold() for number in range(lifepaths))
    return Artha(kinds["fate"], kinds["persona"], kinds["deeds"])


def start_artha(arguments: StartArtha, table: BurningTable) -> Play[ArthaOutcome]:
    """Give a new character its starting artha, as the group has chosen (artha.amb.start_default).

    The GM's characters begin like the others or with a little more, but without Deeds unless
    the table allows them (artha.npc.starting, artha.amb.npc_deeds_binding).
    """
    sheet = table.character(arguments.character)
    method = table.options["artha_starting_points"]
    lifepaths = arguments.lifepaths or len(sheet.lifepaths)
    if method == "by_lifepath" and lifepaths < 1:
        expected = "the number of lifepaths, 1 or more"
        raise BadInput("lifepaths", lifepaths, expected, "artha.start.by_lifepath")
    if arguments.extra != Artha() and not sheet.npc:
        raise NotAllowed("Extra artha is only for the GM's characters", "artha.npc.starting")
    _check_points(arguments.extra, "extra", "artha.npc.starting")
    start = starting_artha(method, lifepaths) + arguments.extra
    if sheet.npc and table.options["artha_npc_starting_deeds"] == "none":
        start = msgspec.structs.replace(start, deeds=arguments.extra.deeds)
    rule = "artha.npc.starting" if sheet.npc else f"artha.start.{method}"
    yield from table.amend(arguments.character, "artha", start, because=rule)
    return ArthaOutcome(start)


def _check_points(artha: Artha, place: str, rule: str) -> None:
    """Refuse less than no points of any kind."""
    for kind in Artha.__struct_fields__:
        points = getattr(artha, kind)
        check_at_least(f"{place}.{kind}", points, 0, rule)


class ConvertArtha(Arguments, frozen=True):
    """Points of artha from the older edition, and what they are exchanged for."""

    character: str
    old: int
    buys: Artha


def convert_artha(arguments: ConvertArtha, table: BurningTable) -> Play[ArthaOutcome]:
    """Exchange artha of the older edition at the listed prices (artha.convert.old)."""
    _check_points(arguments.buys, "buys", "artha.convert.old")
    prices = {
        row.text("buys").casefold(): row.number("old_artha")
        for row in catalogue().table("artha.table.conversion").records()
    }
    cost = sum(price * getattr(arguments.buys, kind) for kind, price in prices.items())
    if cost != arguments.old:
        raise BadInput(
            "buys",
            cost,
            f"a purchase worth exactly {arguments.old} old points",
            "artha.convert.old",
        )
    character, because = arguments.character, "artha.convert.old"
    table = yield from add_artha(table, character, "artha", arguments.buys, because=because)
    return ArthaOutcome(table.character(arguments.character).artha)


# --- Complications -------------------------------------------------------------------------


class PlayWithComplications(Arguments, frozen=True):
    """Whether Complications are in play."""

    allowed: bool


class ComplicationsOutcome(Outcome, frozen=True):
    """Whether Complications are in play from now on."""

    complications: bool


def play_with_complications(
    arguments: PlayWithComplications, table: BurningTable
) -> Play[ComplicationsOutcome]:
    """The table decides whether Complications are in play (artha.complication.optional)."""
    because = "artha.complication.optional"
    yield from table.amend(SCENE, "complications", arguments.allowed, because=because)
    return ComplicationsOutcome(arguments.allowed)


PROCEDURES = (
    Procedure("start_artha", "Starting artha", StartArtha, start_artha, gm_only=True),
    Procedure(
        "convert_artha",
        "Convert artha from the older edition",
        ConvertArtha,
        convert_artha,
        gm_only=True,
    ),
    Procedure(
        "play_with_complications",
        "Complications: on or off",
        PlayWithComplications,
        play_with_complications,
        gm_only=True,
    ),
)
