"""The emotional attributes: which there are, to whom they belong, and how magics differ."""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Procedure
from astragal.play import Play
from astragal.rules import catalogue

from ...sheet.lookups import Entries, LookUp, look_up
from ...sheet.reading import stock_of_attribute
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet

MAN = "Man"


def stock_of(sheet: Sheet) -> str:
    """The stock that a sheet names, else that of a body that is not a Man's; or nothing."""
    if sheet.stock or sheet.body_type == MAN:
        return sheet.stock
    return sheet.body_type


def check_stock(sheet: Sheet, wanted: str, what: str, rule: str) -> None:
    """Refuse what belongs to another stock, as far as a sheet says whose it is."""
    stock = stock_of(sheet)
    if stock and stock != wanted:
        raise NotAllowed(f"{what} belongs to {wanted}, and {sheet.name} is {stock}", rule)


def check_own_emotion(sheet: Sheet, attribute: str) -> None:
    """Faith is for Men, Grief for Elves, Greed for Dwarves, Hatred for Orcs.

    faith.emotional.by_stock.
    """
    wanted = stock_of_attribute()[attribute]
    check_stock(sheet, wanted, attribute, "faith.emotional.by_stock")


def look_up_emotions(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Look up the emotional attributes and to whom they belong (faith.emotional.list)."""
    rows = catalogue().table("faith.table.emotional_attributes").records()
    known = {"yes": "its rules are in this chapter", "no": "its rules are in another book"}
    said = {
        row.text("attribute"): f"{row.text('stock')}; {known[row.text('rules_in_this_book')]}"
        for row in rows
    }
    return (yield from look_up(said, arguments.entry, "faith.emotional.list"))


def look_up_magic(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Compare sorcery, Faith and natural magic, feature by feature.

    faith.pray.no_tax, faith.natural.no_tax_no_failure.
    """
    rows = catalogue().table("faith.table.magic_compared").records()
    said = {
        row.text("feature"): f"sorcery {row.text('sorcery')}; Faith {row.text('faith')}; "
        f"natural magic {row.text('natural_magic')}"
        for row in rows
    }
    return (yield from look_up(said, arguments.entry, "faith.natural.as_skill"))


PROCEDURES = (
    Procedure("look_up_emotions", "Emotional attributes", LookUp, look_up_emotions),
    Procedure("look_up_magic", "Kinds of magic compared", LookUp, look_up_magic),
)
