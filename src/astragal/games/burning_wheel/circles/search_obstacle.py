"""What a narrow search adds to the obstacle of a Circles test, in either edition.

The Revised Edition has five categories (``circles.table.obstacle_modifiers``); the later one has
four groups, because time and place are one (gold.diff.circles_time_place), and counts rank and
occupation in its own way (gold.diff.circles_station, gold.diff.circles_occupation). In both at
most one row of each counts, and the groups add up (gold.amb.circles_one_per_group).
"""

from __future__ import annotations

import msgspec

from astragal.play import Line, Option
from astragal.rules import catalogue

from ..sheet.editions import REVISED, Edition


class SearchModifier(msgspec.Struct, frozen=True):
    """One row of a table: what it says, what it adds at least and at most, and its rule."""

    condition: str
    least: int
    most: int
    rule: str

    def line(self, category: str, amount: int | None = None) -> tuple[Line, ...]:
        """A line for a row that adds anything: not all modifiers matter all the time."""
        price = self.most if amount is None else amount
        return (Line(price, f"{category}: {self.condition}", self.rule),) if price else ()


ROWS: dict[str, tuple[str, ...]] = {
    "occupation": ("common", "uncommon", "specific"),
    "station": ("same", "one_step", "lowest", "highest"),
    "place": ("anywhere", "local", "specific"),
    "disposition or knowledge": ("common", "different", "specific"),
    "time": ("eventually", "soon", "now"),
}
"""The rows of circles.table.obstacle_modifiers in each category, by short names."""

RULES = {
    "occupation": "circles.test.occupation",
    "station": "circles.test.station",
    "place": "circles.test.place",
    "disposition or knowledge": "circles.test.disposition",
    "time": "circles.test.time",
}

LATER: dict[str, dict[str, tuple[str, str]]] = {
    "occupation": {
        "uncommon": ("uncommon, or a lifepath the character lacks", "gold.circles.ob_uncommon"),
        "specific": ("rare", "gold.circles.ob_rare"),
    },
    "station": {
        "lower": ("lower", "gold.circles.ob_lower"),
        "higher": ("higher", "gold.circles.ob_higher"),
        "highest": ("highest of the setting", "gold.circles.ob_highest"),
    },
    "disposition or knowledge": {
        "different": ("unusual", "gold.circles.ob_unusual_disposition"),
        "specific": ("rare", "gold.circles.ob_rare_disposition"),
    },
    "time and place": {
        "unusual": ("unusual", "gold.circles.ob_time_place"),
        "here_and_now": ("here and now, amid trouble", "gold.circles.ob_here_now"),
    },
}
"""The cases of gold.table.circles_obstacle by the same short names; the others are free.

The numbers for knowledge and disposition are those of the Revised Edition
(gold.diff.circles_disposition).
"""


def modifier(category: str, key: str, played: Edition = REVISED) -> SearchModifier:
    """What one category adds, by the edition's own table.

    >>> from astragal.games.burning_wheel.sheet.editions import GOLD
    >>> modifier("time", "now").most, modifier("time and place", "unusual", GOLD).least
    (3, 1)
    """
    table = catalogue().table(played.circles_table)
    if not played.place_and_time_are_one:
        row = table.all_where(category=category)[ROWS[category].index(key)]
        least, most = row.number("ob_min"), row.number("ob_max")
        return SearchModifier(str(row["condition"]), least, most, RULES[category])
    if key not in LATER[category]:
        return SearchModifier(key.replace("_", " "), 0, 0, "circles.test.add_modifiers")
    case, rule = LATER[category][key]
    group = "knowledge or disposition" if category == "disposition or knowledge" else category
    row = table.where(group=group, case=case)
    return SearchModifier(case, row.number("ob_least"), row.number("ob_most"), rule)


def choices(category: str, keys: tuple[str, ...], played: Edition) -> tuple[Option, ...]:
    """The rows of one category, for the GM to rule on."""
    rows = {key: modifier(category, key, played) for key in keys}
    return tuple(
        Option(key=key, label=row.condition.capitalize(), rule=row.rule, note=f"+{row.most} Ob")
        for key, row in rows.items()
    )


def station_modifier(station: str, played: Edition = REVISED) -> SearchModifier:
    """What the rank of the person sought adds (circles.test.station).

    One for each step, and no more than the lowest or highest rank; one's own rank is free,
    whatever it is (circles.amb.station_gaps). In the later edition it is one for a lower station
    and two for a higher one, by however many steps (gold.diff.circles_station).

    >>> [station_modifier(s).most for s in ("same", "higher_1", "higher_2", "lower_2", "highest")]
    [0, 1, 2, 2, 3]
    """
    way, _, steps = station.partition("_")
    if played.place_and_time_are_one:
        return modifier("station", "lower" if way == "lowest" else way, played)
    if not steps:
        row = modifier("station", station, played)
    else:
        row = modifier("station", "one_step", played)
        price = int(steps) * row.most
        row = msgspec.structs.replace(row, least=price, most=price)
    return msgspec.structs.replace(row, condition=station_name(station))


def station_name(station: str) -> str:
    """A station in words.

    >>> station_name("higher_2"), station_name("lower_1"), station_name("same")
    ('2 steps higher', '1 step lower', 'same')
    """
    way, _, steps = station.partition("_")
    return f"{steps} {'step' if steps == '1' else 'steps'} {way}" if steps else way
