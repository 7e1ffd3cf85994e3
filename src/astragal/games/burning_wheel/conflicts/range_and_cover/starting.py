"""Where a skirmish begins: the one positioning test before any script.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Line, Step, call, choose, note, tell

from ...conditions.hesitation import RUN
from ...sheet.facts import DiceGathered
from .maneuvers import Tested
from .mounted import cue_first, cue_lines, cue_obstacle, edges
from .position_dice import range_lines
from .positioning import (
    ReadyPositions,
    ReadySide,
    cast,
    gather,
    helpers_of,
    judge,
    log_rolls,
    settle_tie,
)
from .ranges import EXTREME, MELEE
from .state import Skirmish


def engage(skirmish: Skirmish) -> Step[Skirmish]:
    """One test before any script and any shot sets the starting range.

    range_and_cover.start.initial_test: each side chooses Speed or Perception. Its margin buys
    nothing (range_and_cover.amb.initial_margin). Who still hesitates loses it as every other
    positioning test (range_and_cover.hesitate.drool.opponent_wins), unless he runs.
    """
    edge = yield from edges(skirmish)
    one, skirmish = yield from _first_dice(skirmish, 0, edge[0])
    other, skirmish = yield from _first_dice(skirmish, 1, edge[1])
    sides = (one, other)
    for side, ready in enumerate(sides):
        if ready.attempt is not None:
            name = skirmish.name(skirmish.leader(side).character)
            yield from tell(DiceGathered(f"{name}, first positioning,", ready.attempt.all_dice))
    both = ReadyPositions(sides, (one.attempt is None, other.attempt is None))
    rolls = yield from call(cast, both)
    result, rolls = yield from settle_tie(both, rolls, judge(both, rolls.counts))
    skirmish = yield from log_rolls(skirmish, both, rolls, result.winner)
    if result.winner is None:
        return (yield from _tied_start(skirmish, "A tie" if result.tied else "Both hesitate"))
    return (yield from _pick_start(skirmish, result.winner))


def engage_after_fight(skirmish: Skirmish) -> Step[Skirmish]:
    """Where a fight goes on as Range and Cover: at the range that the GM sets.

    extended_example.leave.to_range_and_cover, or by the first test where the group wants it
    (extended_example.amb.range_start).
    """
    if skirmish.table.options["extended_example_range_after_fight"] == "initial_test":
        return (yield from engage(skirmish))
    ladder = skirmish.ladder
    names = {ladder.name(state, 0): state for state in ladder.states()}
    said = yield from choose(
        GM,
        "starting_range",
        f"The range of {skirmish.title(0)} after the fight",
        {name: say_ranges(skirmish, 0, state) for name, state in names.items()},
        default=ladder.name(skirmish.at, 0),
        because="extended_example.leave.to_range_and_cover",
    )
    return skirmish.moved(names[said])


def _first_dice(
    skirmish: Skirmish, side: int, edge: tuple[Line, ...]
) -> Step[tuple[ReadySide, Skirmish]]:
    """Speed or Perception, with the full range dice of the weapon: those of extreme range.

    range_and_cover.start.initial_dice, range_and_cover.amb.initial_dice. The two basic contests are
    Speed against Speed, and Perception against Speed (range_and_cover.basics.simple_pairs).
    """
    leader = skirmish.leader(side)
    name = skirmish.name(leader.character)
    if leader.is_hesitating and leader.reaction != RUN:
        text = f"{name} hesitates and takes no part in the first positioning test."
        yield from note(text, "range_and_cover.hesitate.drool.opponent_wins")
        return ReadySide("", name=name), skirmish
    speed, perception = (
        skirmish.sheet(leader.character).ability(name) for name in ("Speed", "Perception")
    )
    said = yield from choose(
        skirmish.seat(leader.character),
        "first_positioning",
        f"{name}, first positioning",
        {"Speed": f"Speed {speed.rating}", "Perception": f"Perception {perception.rating}"},
        default="Speed" if speed.exponent >= perception.exponent else "Perception",
        because="range_and_cover.start.initial_test",
    )
    tested = Tested.SPEED if said == "Speed" else Tested.PERCEPTION
    who = leader.mount if leader.mount and tested is Tested.SPEED else leader.character
    if who == leader.mount:
        skirmish = yield from cue_first(skirmish, side)
    # Who runs screaming has lost his range dice (range_and_cover.hesitate.loses_advantages).
    lines = edge if leader.is_hesitating else edge + range_lines(skirmish, side, EXTREME)
    attempt = yield from gather(
        skirmish,
        who,
        said,
        lines + cue_lines(skirmish, side, tested),
        helpers=helpers_of(skirmish, side),
        obstacle=cue_obstacle(skirmish, side, tested),
    )
    attempt = msgspec.structs.replace(attempt, seat=skirmish.seat(leader.character))
    ready = ReadySide("", None, attempt, name=skirmish.name(who))
    return ready, skirmish.change(leader.character, cue=0)


def _pick_start(skirmish: Skirmish, winner: int) -> Step[Skirmish]:
    """The winner says where they begin (range_and_cover.start.winner_picks_range)."""
    leader = skirmish.leader(winner).character
    states = skirmish.ladder.starts(winner)
    return (
        yield from _choose_start(
            skirmish, skirmish.seat(leader), winner, states, f"{skirmish.name(leader)}: range"
        )
    )


def _choose_start(
    skirmish: Skirmish, seat: str, side: int, states: tuple[str, ...], prompt: str
) -> Step[Skirmish]:
    ladder = skirmish.ladder
    names = {ladder.name(state, side): state for state in states}
    said = yield from choose(
        seat,
        "starting_range",
        prompt,
        {name: say_ranges(skirmish, side, state) for name, state in names.items()},
        default=next(iter(names)),
        because="range_and_cover.start.winner_picks_range",
    )
    return skirmish.moved(names[said])


def say_ranges(skirmish: Skirmish, side: int, state: str) -> str:
    """A state in words, seen from one side."""
    mine, theirs = (skirmish.ladder.category(state, each) for each in (side, 1 - side))
    if state == MELEE or mine == theirs:
        return f"both {mine}" if state != MELEE else mine
    return f"{mine} ({skirmish.title(1 - side)}: {theirs})"


def _tied_start(skirmish: Skirmish, why: str) -> Step[Skirmish]:
    """Where nobody has won, both begin out of range, or where the GM says.

    range_and_cover.amb.initial_tie, range_and_cover.start.default_out_of_range.
    """
    states = skirmish.ladder.states()
    if skirmish.table.options["range_and_cover_initial_tie"] == "gm_names_range":
        prompt = f"{why}: the range of {skirmish.title(0)}"
        return (yield from _choose_start(skirmish, GM, 0, states, prompt))
    yield from note(f"{why}: both begin out of range.", "range_and_cover.amb.initial_tie")
    return skirmish.moved(states[0])
