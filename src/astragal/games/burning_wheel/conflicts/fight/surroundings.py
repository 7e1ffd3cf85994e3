"""The place of a fight: ground, light and weather, and on which rolls they weigh.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from functools import cache

from astragal.play import GM, Line, Option, PickSeveral, Step, ask
from astragal.rules import catalogue

from ...sheet.catalogue_keys import key_of

_COUNTED = (
    "acting against a target",
    "Closing or Withdrawing",
    "hilt strike",
    "defending from",
    "unarmed Block",
    "Natural Defenses",
    "small sword",
    "sword or axe",
    "attacking from",
)
"""What the fight itself counts; the rest of the list is for the GM to see."""


@cache
def conditions() -> dict[str, tuple[str, int]]:
    """The conditions of a place that make all actions harder, by key.

    fight.disadvantage.melee.

    >>> sorted(conditions())[:2]
    ['dim_light_lantern_or_bad_visibility', 'driving_rain_or_snow']
    """
    rows = catalogue().table("fight.table.melee_obstacles").records()
    return {
        key_of(row["condition"]): (str(row["condition"]), row.number("ob_penalty"))
        for row in rows
        if not str(row["condition"]).startswith(_COUNTED)
    }


def ask_surroundings(said: tuple[str, ...]) -> Step[tuple[Line, ...]]:
    """What makes everybody's actions harder here, by the GM's word (fight.disadvantage.melee)."""
    rule = "fight.disadvantage.melee"
    known = conditions()
    options = tuple(
        Option(key, words.capitalize(), rule, note=f"+{penalty} Ob")
        for key, (words, penalty) in known.items()
    )
    chosen = yield from ask(
        GM,
        "ground",
        "Ground, light and weather",
        PickSeveral(options=options, default=tuple(key_of(key) for key in said)),
        because=rule,
        kind="aside",
    )
    return tuple(Line(known[key][1], known[key][0], rule) for key in chosen)


WEATHER_AND_LIGHT = ("rain", "light", "visibility", "darkness")
"""What of the conditions of a place is in the way of a shot as well."""


def in_the_way(ground: tuple[Line, ...], *, shot: bool) -> tuple[Line, ...]:
    """What of a place makes an action harder: all of it, or of a shot the weather and the light.

    fight.disadvantage.melee, fight.release.base_obstacle; for the rest shots have a list of their
    own.
    """
    if not shot:
        return ground
    return tuple(line for line in ground if any(word in line.label for word in WEATHER_AND_LIGHT))
