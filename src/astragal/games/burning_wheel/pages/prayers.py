"""Faith on the page: prayers in effect, stigmata, and in the scene faiths and holy places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.about import plain_words
from astragal.games.game import Procedure
from astragal.games.page import Pen, Row, Section

from ..magic.faith.prayer_tables import prayers
from ..sheet.faiths import AnsweredPrayer, FaithReach
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet

PRAY = "pray"
"""The procedure of a prayer."""


def about_attempt(
    procedure: Procedure, arguments: Mapping[str, Any], names: Mapping[str, str]
) -> str:
    """In a few words what an attempt is about; of a prayer also which one it is.

    The ability that a prayer names is what it is for, not what is tested.
    """
    kind = prayers().get(str(arguments.get("prayer", "")))
    if procedure.name != PRAY or kind is None:
        return plain_words(procedure, arguments, names)
    key = str(arguments.get("character", ""))
    said = f"{names.get(key, key)} prays for {kind.name}"
    intent = " ".join(str(arguments.get("intent", "")).split())
    return f"{intent} ({said})" if intent else said


def prayer_badges(sheet: Sheet) -> tuple[Row, ...]:
    """What prayers give, and that Faith is lost."""
    found = [Row(_name(each), _gift(each), rule=_rule(each)) for each in sheet.prayers]
    if sheet.faith_lost:
        found.append(Row("Faith", "lost", rule="faith.belief.loss"))
    return tuple(found)


def prayer_sections(pen: Pen) -> tuple[Section, ...]:
    """The prayers in effect on a sheet, and the marks of Faith."""
    sheet: Sheet = pen.sheet
    answered = tuple(
        pen.row(
            _name(each),
            "prayers",
            at,
            "intent",
            value=_gift(each),
            note=each.intent,
            rule=_rule(each),
        )
        for at, each in enumerate(sheet.prayers)
    )
    marks = tuple(
        pen.row(
            f"Faith {each.exponent}",
            "stigmata",
            at,
            "mark",
            rule=f"faith.stigmata.{each.exponent}" if each.exponent in (7, 8, 9) else "",
        )
        for at, each in enumerate(sheet.stigmata)
    )
    return (
        Section("Answered prayers", "list", answered),
        Section("Stigmata", "list", marks),
    )


def _name(prayer: AnsweredPrayer) -> str:
    return f"{prayer.prayer.capitalize()}: {prayer.thing or prayer.ability}"


def _gift(prayer: AnsweredPrayer) -> str:
    return f"+{prayer.dice}D {prayer.ability}" if prayer.dice else f"{prayer.ability} open-ended"


def _rule(prayer: AnsweredPrayer) -> str:
    return f"faith.prayer.{prayer.prayer}"


def faith_rows(table: BurningTable) -> tuple[Row, ...]:
    """The faiths that were settled, and the places that are holy."""
    rows = [
        Row(
            religion.name,
            "everyone" if religion.reach is FaithReach.EVERYONE else "only believers",
            note="; ".join(filter(None, (religion.idiom, *religion.strictures))),
            rule="faith.setup.idiom",
        )
        for religion in table.scene.religions
    ]
    rows += [
        Row(
            f"Holy: {holy.place}",
            f"bars spirits of a Will below {holy.faith}",
            rule="faith.prayer.consecration",
        )
        for holy in table.scene.holy_places
    ]
    return tuple(rows)
