"""How the tests of Range and Cover play: two archers, their scripts, and the dice.

Ann and Bob are alike but for what a test says: all stats B4, Reflexes B4, Steel B6, Will B5 (a
hesitation of 5), a hunting bow with Bow B5, and no armor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.games.burning_wheel import BurningTable
from astragal.play import Answer, Ask, Script
from games.burning_wheel.playing import AnyRolls, Played, play, somehow, table

STATS = {
    "Agility": "B4", "Speed": "B4", "Power": "B4", "Forte": "B4", "Perception": "B4", "Will": "B5",
}  # fmt: skip

ARCHER: dict[str, Any] = {
    "stats": STATS,
    "attributes": {"Reflexes": "B4", "Steel": "B6", "Health": "B4"},
    "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
    "skills": {"Bow": {"rating": "B5", "roots": ["Agility"]}},
    "weapons": [{"weapon": "hunting bow"}],
}


def archer(weapon: str = "", stats: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
    """An archer with another weapon, other stats or further fields; skills are added."""
    made = {**ARCHER, "stats": {**STATS, **(stats or {})}}
    if weapon:
        made["weapons"] = [] if weapon == "nothing" else [{"weapon": weapon}]
    skills = {**made["skills"], **more.pop("skills", {})}
    attributes = {**made["attributes"], **more.pop("attributes", {})}
    return {**made, **more, "skills": skills, "attributes": attributes}


def field(
    ann: Mapping[str, Any] | None = None,
    bob: Mapping[str, Any] | None = None,
    options: Mapping[str, str] | None = None,
    scene: Mapping[str, Any] | None = None,
    **others: Mapping[str, Any],
) -> BurningTable:
    return table(scene, options, ann=dict(ann or ARCHER), bob=dict(bob or ARCHER), **others)


def sides(one: Mapping[str, Any] | None = None, other: Mapping[str, Any] | None = None) -> Any:
    """The sides of a skirmish; what is said of one may be of the shooter or of the side."""
    found = []
    for name, said in (("ann", one or {}), ("bob", other or {})):
        shooter = {"character": name}
        shooter |= {k: v for k, v in said.items() if k in ("weapon", "head", "mount")}
        side = {k: v for k, v in said.items() if k in ("cover", "fortification", "shooters")}
        found.append({"shooters": [shooter], **side})
    return found


def skirmish(
    ann: Sequence[Sequence[str]] = (),
    bob: Sequence[Sequence[str]] = (),
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    start: str = "optimal/optimal",
    one: Mapping[str, Any] | None = None,
    other: Mapping[str, Any] | None = None,
    **more: Any,
) -> Played:
    """A whole skirmish: the scripts of each exchange; when they are over, Ann gives up."""
    said: dict[str, Any] = {}
    for name, scripts in (("ann", ann), ("bob", bob)):
        for number, script in enumerate(scripts, 1):
            said[f"{name}/script#{number}"] = list(script)
    said |= answers or {}

    def otherwise(ask: Ask) -> Answer:
        if isinstance(ask.question, Script):
            card = "give_up" if ask.seat == "ann" else "speed_maintain"
            return (card,) * ask.question.slots
        return somehow(ask)

    arguments = {"sides": more.pop("sides", None) or sides(one, other), "start": start, **more}
    return play("range_and_cover", arguments, at or field(), said, rolls, otherwise)


def one_volley(
    mine: str,
    theirs: str,
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    start: str = "optimal/optimal",
    one: Mapping[str, Any] | None = None,
    other: Mapping[str, Any] | None = None,
) -> Played:
    """One volley by itself, Ann's maneuver against Bob's."""
    both = [
        {"character": "ann", "maneuver": mine, **(one or {})},
        {"character": "bob", "maneuver": theirs, **(other or {})},
    ]
    arguments = {"sides": both, "start": start}
    return play("rehearse_maneuvers", arguments, at or field(), answers, rolls)


def last_of(played: Played) -> Any:
    """The last picture of a skirmish."""
    from astragal.games.burning_wheel.conflicts.range_and_cover.picture import SkirmishPositions
    from astragal.play import Tell

    pictures = [
        event.fact
        for event in played.events
        if isinstance(event, Tell) and isinstance(event.fact, SkirmishPositions)
    ]
    return pictures[-1]


def positioned_with(played: Played, name: str = "Ann") -> list[int]:
    """How many dice somebody rolled for each maneuver."""
    words = ("Close", "Withdraw", "Maintain")
    return [
        roll.expression.dice.total  # type: ignore[attr-defined]
        for roll in played.rolls
        if roll.label.startswith(f"{name}, ") and any(word in roll.label for word in words)
    ]
