"""One maneuver against another, with the shots: for planning a script, and for its odds.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
It is played as
in the skirmish itself, up to armor and wounds; nothing is left of it.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    Play,
    Step,
    Then,
    call,
    made_of,
    made_of_several,
    onward,
    rehearse,
    then,
)

from ...sheet.scene import BurningTable
from ...weapons.loading import unload
from .maneuvers import maneuver, maneuvers
from .mounted import rein_in
from .positioning import PositionResult, ReadyPositions, ReadySide, judge, make_ready, throw_sides
from .resolving import Resolved, fire, move_and_spend
from .skirmish import Shooter, SkirmishSide, StartSkirmish, begin
from .spending import most_of_use, price_of
from .state import MOST_COVER, Skirmish
from .volley import dismount


class ManeuverSide(Arguments, frozen=True):
    """One side of a volley: who, with what, and which maneuver; none for one who hesitates.

    ``head`` is that of the arrows or bolts. ``aim`` and ``cover_dice`` are dice in hand, ``cover``
    is the cover of the place. Who has ``fired`` did so in the volley before.
    """

    character: str
    maneuver: str = ""
    weapon: str = ""
    head: str = ""
    fired: bool = False
    cover: str = "open"
    cover_dice: int = 0
    aim: int = 0
    fortification: int = 0


class RehearseManeuvers(Arguments, frozen=True):
    """A single volley at a range (``start``, as for a skirmish), to see its possible results."""

    sides: tuple[ManeuverSide, ...]
    start: str = "optimal/optimal"


class ShotHit(msgspec.Struct, frozen=True, cache_hash=True):
    """A hit before armor."""

    character: str
    stage: str
    location: str
    damage: str


class ManeuverOutcome(Outcome, frozen=True, cache_hash=True):
    """The result of the volley: who won, by how much, the range after it, and what was hit."""

    characters: tuple[str, str]
    winner: str | None
    margin: int
    ranges: tuple[str, str]
    hit: tuple[bool, bool]
    hits: tuple[ShotHit, ...] = ()
    hesitates: tuple[int, int] = (0, 0)


def rehearse_maneuvers(arguments: RehearseManeuvers, table: BurningTable) -> Play[ManeuverOutcome]:
    """Play one volley as the skirmish does; it changes nothing."""
    yield from ()
    return then(rehearse(try_maneuvers), arguments, table)


MOST_AIM = 10
"""Nobody holds more aiming dice."""


def try_maneuvers(arguments: RehearseManeuvers, table: BurningTable) -> Play[ManeuverOutcome]:
    """The volley, up to the dice."""
    _check(arguments)
    said = StartSkirmish(
        tuple(
            SkirmishSide(
                (Shooter(side.character, side.weapon, side.head),), side.cover, side.fortification
            )
            for side in arguments.sides
        ),
        start=arguments.start,
        rehearsal=True,
    )
    skirmish = yield from begin(said, table)
    for number, side in enumerate(arguments.sides):
        skirmish = skirmish.with_team(number, cover=side.cover_dice)
        skirmish = skirmish.change(side.character, aim=side.aim)
        if side.fired:
            skirmish = yield from _has_fired(skirmish, side.character)
    one, other = (side.maneuver for side in arguments.sides)
    skirmish = yield from dismount(skirmish, 0, one)
    skirmish = yield from dismount(skirmish, 1, other)
    one, skirmish = yield from rein_in(skirmish, 0, one)
    other, skirmish = yield from rein_in(skirmish, 1, other)
    played = (one, other)
    ready = yield from call(make_ready, skirmish, played)
    return then(throw_both, skirmish, ready)


def _has_fired(skirmish: Skirmish, character: str) -> Step[Skirmish]:
    """After a shot: a crossbow or gun is not loaded, and has no range dice for one volley.

    range_and_cover.reload.lose_range_dice.
    """
    carried = skirmish.carried(character)
    if carried is not None:
        because = "range_and_cover.reload.one_volley"
        skirmish = skirmish.on((yield from unload(skirmish.table, character, carried, because)))
    return skirmish.change(character, fired=True)


def _check(arguments: RehearseManeuvers) -> None:
    """Refuse what cannot be played, before anything is asked."""
    if len(arguments.sides) != 2:
        rule = "range_and_cover.amb.groups"
        raise BadInput("sides", len(arguments.sides), "exactly two sides", rule)
    if not arguments.start:
        rule = "range_and_cover.range.four_categories"
        raise BadInput("start", arguments.start, "a range, as in optimal/optimal", rule)
    for at, side in enumerate(arguments.sides):
        if side.maneuver and side.maneuver not in maneuvers():
            expected = f"one of {', '.join(maneuvers())}, or empty for a side that hesitates"
            rule = "range_and_cover.script.maneuver_families"
            raise BadInput(f"sides[{at}].maneuver", side.maneuver, expected, rule)
        if not 0 <= side.cover_dice <= MOST_COVER:
            expected = f"0 to {MOST_COVER} dice"
            rule = "range_and_cover.cover.dice.max_two"
            raise BadInput(f"sides[{at}].cover_dice", side.cover_dice, expected, rule)
        rule = "range_and_cover.aim.cap"
        check_between(f"sides[{at}].aim", side.aim, 0, MOST_AIM, rule, unit="dice")
    if not any(side.maneuver for side in arguments.sides):
        rule = "range_and_cover.script.maneuver_families"
        raise BadInput("sides", "no maneuver", "at least one maneuver", rule)


def throw_both(skirmish: Skirmish, ready: ReadyPositions) -> Play[ManeuverOutcome]:
    """Both sides throw; what comes of it depends on who wins by how much, and on nothing else."""
    yield from ()
    judged = made_of_several(_judged, cast_counts, ready.sides, ready)
    return onward(_what_matters, _follows, _as_rolled, judged, skirmish, ready)


def _judged(counts: tuple[int, int], ready: ReadyPositions) -> PositionResult:
    return judge(ready, counts)


def _follows(
    result: PositionResult, skirmish: Skirmish, ready: ReadyPositions
) -> Then[ManeuverOutcome]:
    keys = (ready.sides[0].maneuver, ready.sides[1].maneuver)
    return then(move_and_shoot, skirmish, keys, ready.passive, result)


def cast_counts(sides: tuple[ReadySide, ...]) -> Play[tuple[int, ...]]:
    """The dice of each side: as nothing is paid for or logged, only what counts of them."""
    throws = yield from throw_sides(sides)
    return tuple(side.counts(thrown) for side, thrown in zip(sides, throws, strict=True))


def move_and_shoot(
    skirmish: Skirmish, keys: tuple[str, str], passive: tuple[bool, bool], result: PositionResult
) -> Play[ManeuverOutcome]:
    """The move and the shots; what was bought for the next volley is forgotten before them."""
    resolved, shots = yield from call(move_and_spend, skirmish, keys, passive, result)
    return made_of(_shown, then(fire, Resolved(resolved.skirmish), shots))


def _what_matters(
    result: PositionResult, skirmish: Skirmish, ready: ReadyPositions
) -> PositionResult:
    """A result without what makes no difference to the move and the shots.

    By how much somebody fell short of his hesitation, and more of a margin than can be used.
    """
    one_short, other_short = (min(1, missing) for missing in result.short)
    margin = result.margin
    if result.winner is not None:
        price = price_of("shot", maneuver(ready.sides[result.winner].maneuver).cost)
        most = most_of_use(skirmish, result.winner, price)
        margin = margin if most is None else min(margin, most)
    return msgspec.structs.replace(result, margin=margin, short=(one_short, other_short))


def _shown(resolved: Resolved) -> ManeuverOutcome:
    """What is seen of a move and its shots, but for the dice that led to them."""
    skirmish = resolved.skirmish
    one, other = (each.character for each in skirmish.skirmishers)
    hits = tuple(
        ShotHit(
            each.hit.character,
            each.hit.damage.stage.value,
            each.hit.damage.location,
            f"{each.hit.damage.shade}{each.hit.damage.number}",
        )
        for each in resolved.hits
    )
    struck = {each.character for each in hits}
    ladder, at = skirmish.ladder, skirmish.at
    return ManeuverOutcome(
        characters=(one, other),
        winner=None,
        margin=0,
        ranges=(ladder.category(at, 0), ladder.category(at, 1)),
        hit=(one in struck, other in struck),
        hits=hits,
    )


def _as_rolled(outcome: ManeuverOutcome, result: PositionResult) -> ManeuverOutcome:
    winner = None if result.winner is None else outcome.characters[result.winner]
    return msgspec.structs.replace(
        outcome, winner=winner, margin=result.margin, hesitates=result.short
    )


PROCEDURES = (
    Procedure(
        "rehearse_maneuvers",
        "Rehearse a volley (Range and Cover)",
        RehearseManeuvers,
        rehearse_maneuvers,
    ),
)
