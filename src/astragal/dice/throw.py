"""Throwing a pool: judging dice one by one, and rolling on while it is open-ended.

The order of the throws is a promise to everyone who records faces; `pool` states it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.dice.chance import Chance
from astragal.dice.count import NO_DICE, Count, OpenEnded
from astragal.dice.expression import Rolled, ThrownDie
from astragal.dice.shades import Shade, Shaded


class Judged(NamedTuple):
    """The dice of one throw: how many succeeded, and by shade what the others need."""

    successes: int
    sixes: Shaded
    traitors: Shaded
    ones: Shaded


def judge(dice: Shaded, faces: list[int]) -> Judged:
    """Judge each die on its own by its shade (tests.dice.judged_singly).

    The faces are those of the black dice, then the gray, then the white.
    """
    sixes, traitors, ones = [0, 0, 0], [0, 0, 0], [0, 0, 0]
    start = 0
    for i, (shade, count) in enumerate(dice.items()):
        if count:
            shown = faces[start : start + count]
            start += count
            sixes[i] = shown.count(6)
            ones[i] = shown.count(1)
            # tests.shade.difficulty_number: a face below it is a traitor
            traitors[i] = sum(map(shade.difficulty.__gt__, shown))
    return Judged(len(faces) - sum(traitors), Shaded(*sixes), Shaded(*traitors), Shaded(*ones))


def throw(dice: Shaded, open_ended: OpenEnded, chance: Chance) -> Rolled[Count]:
    """Throw the dice, and every extra die they bring."""
    if open_ended is OpenEnded.HARSH_ONES:
        return _throw_harsh(dice, chance)
    wave = chance.dice(6, dice.total)
    judged = judge(dice, wave)
    if open_ended is OpenEnded.NO:
        return Rolled(Count(judged.successes, judged.sixes, judged.traitors), tuple(wave))
    faces, successes, traitors = wave, judged.successes, judged.traitors
    # An extra die has its parent's shade, so each wave is again in order of shade.
    while extra := _brought(judged, open_ended):
        wave = chance.dice(6, extra.total)
        judged = judge(extra, wave)
        faces = faces + wave
        successes += judged.successes
        traitors += judged.traitors
    return Rolled(Count(successes, NO_DICE, traitors), tuple(faces))


def _brought(judged: Judged, open_ended: OpenEnded) -> Shaded:
    """The extra dice of a throw (tests.open_ended.six_gives_a_die, gold.roll.astrology_ones)."""
    if open_ended is OpenEnded.ONES_AND_SIXES:
        return judged.sixes + judged.ones
    return judged.sixes


_ROLLS_ON = {OpenEnded.NO: (), OpenEnded.SIXES: (6,), OpenEnded.ONES_AND_SIXES: (6, 1)}


def lay_out(dice: Shaded, open_ended: OpenEnded, faces: tuple[int, ...]) -> Iterator[ThrownDie]:
    """Each die of a throw, with its success and the die that brought it.

    By the harsh reading of ones a die is judged by what its threats come to, so a face there is
    no more than a face.
    """
    if open_ended is OpenEnded.HARSH_ONES:
        yield from map(ThrownDie, faces)
        return
    wave: list[tuple[Shade, int | None]] = [(shade, None) for shade in dice]
    order = [shade for shade, _ in dice.items()]
    at = 0
    while wave:
        brought: list[tuple[Shade, int]] = []
        for place, (shade, parent) in enumerate(wave, start=at):
            yield ThrownDie(faces[place], faces[place] >= shade.difficulty, parent)
            if faces[place] in _ROLLS_ON[open_ended]:
                brought.append((shade, place))
        at += len(wave)
        # Each wave is in order of shade; within a shade sixes come before ones.
        brought.sort(key=lambda die: (order.index(die[0]), -faces[die[1]]))
        wave = [*brought]


class _Thrown(NamedTuple):
    """A die of a pool whose ones are rolled again as threats."""

    shade: Shade
    threat: bool


def _throw_harsh(dice: Shaded, chance: Chance) -> Rolled[Count]:
    """Throw a pool by the harsh reading of ones, told in full in `harsh`."""
    thrown = [_Thrown(shade, threat=False) for shade in dice]
    faces: list[int] = []
    successes = cancelled = 0
    traitors = NO_DICE
    while thrown:
        wave = chance.dice(6, len(thrown))
        faces += wave
        brought: list[_Thrown] = []
        for (shade, threat), face in zip(thrown, wave, strict=True):
            failed = face < shade.difficulty
            if threat:
                cancelled += failed
            elif failed:
                traitors += Shaded.of(shade, 1)
            else:
                successes += 1
            if face == 1 or (face == 6 and not threat):
                brought.append(_Thrown(shade, threat=face == 1))
        thrown = brought
    return Rolled(Count(max(0, successes - cancelled), NO_DICE, traitors), tuple(faces))
