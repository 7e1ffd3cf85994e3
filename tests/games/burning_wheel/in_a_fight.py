"""How the tests of Fight! put somebody into a fight and let them do one thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from astragal.games.burning_wheel.conflicts.fight.other_actions import carry_out
from astragal.games.burning_wheel.conflicts.fight.shots import shoot
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    FightDeed,
    FightingCharacter,
    Gap,
)
from astragal.play import Change, Play, Scripted, Session, Step, then
from games.burning_wheel.hurting import STATS
from games.burning_wheel.playing import AnyRolls, Dice, Played, somehow, table

FIGHTER: dict[str, Any] = {
    "stats": STATS,
    "attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B5"},
    "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
    "skills": {"Sword": "B4", "Brawling": "B3"},
    "weapons": [{"weapon": "sword"}],
}
"""Stats of 4, hesitation 6, a sword."""

GAP = 2
"""Two swords at optimal distance."""


def fight(
    options: Mapping[str, str] | None = None,
    scene: Mapping[str, Any] | None = None,
    gap: int = GAP,
    ann: Mapping[str, Any] | None = None,
    bob: Mapping[str, Any] | None = None,
    cat: Mapping[str, Any] | None = None,
    **more: Any,
) -> Fight:
    """Ann against Bob, with what they have in hand; ``cat`` is on Ann's side, if she is there."""
    sheets = {"ann": {**FIGHTER, **(ann or {})}, "bob": {**FIGHTER, **(bob or {})}}
    sides = {"ann": 0, "bob": 1}
    if cat is not None:
        sheets["cat"], sides["cat"] = {**FIGHTER, **cat}, 0
    at = table(scene, options, **sheets)
    fighters = tuple(
        FightingCharacter(who, side, weapon=_first(at.character(who).weapons))
        for who, side in sides.items()
    )
    gaps = tuple(Gap(who, "bob", gap) for who in sides if who != "bob")
    begun: Fight = msgspec.structs.replace(Fight(fighters, at, gaps, series="the fight"), **more)
    return begun


def _first(weapons: tuple[Any, ...]) -> str:
    return weapons[0].called if weapons else ""


class Moment(NamedTuple):
    """What came of one thing that was done."""

    fight: Fight
    played: Played
    given: Any = None

    @property
    def told(self) -> str:
        return self.played.told

    def who(self, character: str = "ann") -> FightingCharacter:
        return self.fight.fighter(character)


def run(
    step: Callable[..., Step[Any]],
    *args: Any,
    answers: Mapping[str, Any] | None = None,
    rolls: AnyRolls | None = (),
) -> Moment:
    """Run a part of a fight by itself; ``given`` is what it gives beside the fight."""

    def whole() -> Play[Any]:
        return (yield from step(*args))

    scripted = Scripted(answers or {}, somehow)
    dice = Dice(rolls or ())
    session: Session[Any] = Session(then(whole), dice)
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    assert not scripted.unused, f"never asked: {scripted.unused}"
    assert not dice.left, f"never rolled: {dice.left}"
    changes = [event for event in session.events if isinstance(event, Change)]
    result = session.result
    after, given = result if isinstance(result, tuple) else (result, None)
    before = next(arg for arg in args if isinstance(arg, Fight)).table
    return Moment(after, Played(result, tuple(session.events), before.changed(*changes)), given)


def do(
    at: Fight,
    *cards: str,
    by: str = "ann",
    target: str = "",
    answers: Mapping[str, Any] | None = None,
    rolls: AnyRolls = (),
    way: str = "",
) -> Moment:
    """Carry out some cards, one after the other; answers and dice are for the last."""
    for card in cards[:-1]:
        at = one(at, card, by, target, {}, (), way).fight
    return one(at, cards[-1], by, target, answers or {}, rolls, way)


def one(
    at: Fight,
    card: str,
    by: str,
    target: str,
    answers: Mapping[str, Any],
    rolls: AnyRolls,
    way: str,
) -> Moment:
    shot = card.startswith(("release", "throw_object"))
    action = "shoot_or_throw_object" if shot else "non_martial"
    deed = FightDeed(by, action, card, target, way)
    return run(shoot if shot else carry_out, at, deed, answers=answers, rolls=rolls)
