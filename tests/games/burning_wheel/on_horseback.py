"""Riders and their beasts, for the tests of riding, and how they come into a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.conflicts.fight.script import VolleyPlan
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    FightingCharacter,
    Gap,
    Positioning,
)
from astragal.games.burning_wheel.conflicts.fight.volley import play_volley
from astragal.play import Change, Play, Roll, RollEvent, Scripted, Session, Step, rolled_from, then
from games.burning_wheel.in_a_fight import FIGHTER, Moment
from games.burning_wheel.playing import Played, somehow, table

TACK = ["saddle and stirrups", "bit and bridle", "harness"]

HORSE: dict[str, Any] = {
    "npc": True,
    "body_type": "Horse",
    "stats": {"Will": "B3", "Perception": "B3", "Agility": "B3", "Speed": "B5", "Power": "B6"}
    | {"Forte": "B6"},
    "attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B5"},
    "skills": {"Brawling": "B3"},
    "tolerances": ["B4", "B7", "B9", "B10", "B11", "B12"],
    "training": ["Rider Training", "Mounted Combat Training"],
    "gear": TACK,
}
"""Will 3, Speed 5, Power 6: trained for the saddle and for war."""

WOLF: dict[str, Any] = {
    **HORSE,
    "body_type": "Great Wolf",
    "weapons": [{"weapon": "crushing jaws", "skill": "Savage Attack"}],
    "skills": {"Savage Attack": "B5", "Brawling": "B3", "Stealthy": "B6"},
}

RIDER: dict[str, Any] = {
    **FIGHTER,
    "skills": {**FIGHTER["skills"], "Riding": "B4"},
    "tolerances": ["B3", "B12", "B13", "B14", "B15", "B16"],
}
"""A fighter with Riding 4, no training for the saddle, and few wounds that call for Steel."""

KNIGHT: dict[str, Any] = {
    **RIDER,
    "skills": {**RIDER["skills"], "Lance": "B4", "Spear": "B4", "Bow": "B4"},
    "training": ["Mounted Combat Training"],
}
BOWMAN: dict[str, Any] = {**KNIGHT, "training": ["Mounted Combat Training (bowman)"]}
LANCER: dict[str, Any] = {**KNIGHT, "weapons": ["lance", "sword"]}


def riders(*pairs: str, **more: Any) -> dict[str, Any]:
    """A scene in which each pair, as in ``ann:horse``, is rider and mount."""
    each = [dict(zip(("rider", "mount"), pair.split(":"), strict=True)) | more for pair in pairs]
    return {"riders": each}


def ridden(
    ann: Mapping[str, Any] = RIDER,
    horse: Mapping[str, Any] = HORSE,
    options: Mapping[str, str] | None = None,
    seat: Mapping[str, Any] | None = None,
    **others: Mapping[str, Any],
) -> BurningTable:
    """Ann on her horse, and others."""
    scene = riders("ann:horse", **(seat or {}))
    return table(scene, options, ann=ann, horse=horse, **others)


def mounted_fight(
    ann: Mapping[str, Any] = KNIGHT,
    horse: Mapping[str, Any] = HORSE,
    bob: Mapping[str, Any] = FIGHTER,
    bobs: Mapping[str, Any] | None = None,
    *,
    options: Mapping[str, str] | None = None,
    gap: int = 2,
    moves: Any = None,
    seat: Mapping[str, Any] | None = None,
    **more: Any,
) -> Fight:
    """Ann on her horse against Bob, who is on foot unless ``bobs`` is his horse."""
    sheets: dict[str, Any] = {"ann": ann, "bob": bob, "horse": horse}
    pairs = ["ann:horse"]
    if bobs is not None:
        sheets["mare"], pairs = bobs, ["ann:horse", "bob:mare"]
    scene = riders(*pairs)
    scene["riders"][0] |= seat or {}
    at = table(scene, options, **sheets)
    fighters = [
        FightingCharacter("ann", 0, weapon=_weapon(at, "ann"), moves=moves),
        FightingCharacter("horse", 0, weapon=_weapon(at, "horse"), carries="ann", moves=moves),
        FightingCharacter("bob", 1, weapon=_weapon(at, "bob")),
    ]
    if bobs is not None:
        fighters.append(FightingCharacter("mare", 1, weapon=_weapon(at, "mare"), carries="bob"))
    begun = Fight(tuple(fighters), at, (Gap("ann", "bob", gap),), series="the fight", volley=1)
    return msgspec.structs.replace(begun, **more)


def _weapon(at: BurningTable, who: str) -> str:
    weapons = at.character(who).weapons
    return weapons[0].called if weapons else ""


# --- Playing parts of a fight --------------------------------------------------------------


def by_label(successes: Mapping[str, int]) -> Callable[[Roll], Any]:
    """Dice that show so many successes by what a roll is called; all others show none."""

    def roll(effect: Roll) -> Any:
        wanted = [many for part, many in successes.items() if part in effect.label]
        faces = effect.expression.faces_for(wanted[0] if wanted else 0)  # type: ignore[attr-defined]
        return rolled_from(effect, faces)

    return roll


def act(
    step: Callable[..., Step[Any]],
    *args: Any,
    answers: Mapping[str, Any] | None = None,
    dice: Mapping[str, int] | None = None,
) -> Moment:
    """Run a part of a fight, with successes by the labels of the rolls."""

    def whole() -> Play[Any]:
        return (yield from step(*args))

    scripted = Scripted(answers or {}, somehow)
    session: Session[Any] = Session(then(whole), by_label(dice or {}))
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    assert not scripted.unused, f"never asked: {scripted.unused}"
    changes = [event for event in session.events if isinstance(event, Change)]
    result = session.result
    after, given = result if isinstance(result, tuple) else (result, None)
    before = next(arg for arg in args if isinstance(arg, Fight)).table
    return Moment(after, Played(result, tuple(session.events), before.changed(*changes)), given)


def labels(moment: Moment) -> list[str]:
    """What was rolled."""
    return [event.roll.label for event in moment.played.events if isinstance(event, RollEvent)]


def planned(*cards: str) -> VolleyPlan:
    """One volley of a script: how to move, then the actions."""
    return VolleyPlan(Positioning(cards[0]), tuple((card,) for card in cards[1:]))


def volley(
    at: Fight,
    ann: tuple[str, ...],
    bob: tuple[str, ...] = ("maintain",),
    horse: tuple[str, ...] = ("maintain",),
    answers: Mapping[str, Any] | None = None,
    dice: Mapping[str, int] | None = None,
    later: tuple[tuple[str, ...], ...] = (),
) -> Moment:
    """The first volley of an exchange; ``later`` are the horse's own next ones."""
    rest = tuple(planned(*cards) for cards in later) or (planned("maintain"),) * 2
    scripts = tuple(
        (each.character, (planned(*cards), *rest))
        for each in at.fighters
        for cards in [{"ann": ann, "bob": bob, "horse": horse}.get(each.character, ("maintain",))]
    )
    return act(play_volley, at, scripts, 1, answers=answers, dice=dice)
