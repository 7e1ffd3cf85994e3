"""What two maneuvers do to each other, in words, before anything is rolled.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). No pair has a
text of its own: the words are built from what its row says
(``conflicts/range_and_cover/maneuvers``), so they always agree with what is worked out.
"""

from __future__ import annotations

from functools import lru_cache

from ...sheet.words import counted
from ..scripting import CardEffects
from .maneuvers import (
    MINE,
    STANDING,
    THEIRS,
    TIED,
    ManeuverPair,
    Shooting,
    Tested,
    maneuver,
    meeting,
    rules_of,
)

_ROLLED = {
    Tested.AUTOMATIC: "Stealthy (the exponent as successes)",
    Tested.STEEL: "Steel (at least as much as the hesitation)",
}


@lru_cache(1024)
def met(names: tuple[str, str], played: tuple[str, str]) -> CardEffects:
    """What two maneuvers do to each other; a side that cannot act has an empty one."""
    keys = (played[0] or STANDING, played[1] or STANDING)
    return CardEffects(meets(names, played), rules_of(*keys)[0])


def meets(names: tuple[str, str], played: tuple[str, str]) -> str:
    """The same, as text.

    >>> print(meets(("Ann", "Bob"), ("speed_close", "perception_maintain")))
    Ann tests Speed, Bob Perception. Ann wins: Ann comes nearer, and may shoot (1 success). \
Tie: the range stays; both shoot or duck. Bob wins: the range stays; Bob may shoot (1 success).
    """
    pair = meeting(played[0] or STANDING, played[1] or STANDING)
    for side in (0, 1):
        if not played[side]:
            won = _ends(names, played, pair, THEIRS if side == 0 else MINE, passive=side)
            other = names[1 - side]
            test = f"{other} tests {_tested(pair.tests[1 - side])}"
            return f"{names[side]} cannot act. {test}. {other} wins: {won}."
    one, other = names
    tests = f"{one} tests {_tested(pair.tests[0])}, {other} {_tested(pair.tests[1])}"
    mine, tied, theirs = (_ends(names, played, pair, at) for at in (MINE, TIED, THEIRS))
    return f"{tests}. {one} wins: {mine}. Tie: {tied}. {other} wins: {theirs}."


def _tested(tested: Tested) -> str:
    return _ROLLED.get(tested, tested.ability)


def _ends(
    names: tuple[str, str],
    played: tuple[str, str],
    pair: ManeuverPair,
    at: int,
    passive: int | None = None,
) -> str:
    """What comes of one result: the range, and who may shoot."""
    who, _, what = pair.ranges[at].partition("_")
    verbs = {"advance": ("comes nearer", "come nearer"), "retreat": ("falls back", "fall back")}
    mover = {"i": 0, "they": 1}.get(who)
    if what not in verbs:
        moved = "the range stays"
    elif mover is None:
        moved = f"both {verbs[what][1]}"
    else:
        moved = f"{names[mover]} {verbs[what][0]}"
    shots = tuple(
        Shooting.NONE if side == passive else shot for side, shot in enumerate(pair.shots[at])
    )
    if shots == (Shooting.FREE_OR_DUCK, Shooting.FREE_OR_DUCK):
        return f"{moved}; both shoot or duck"
    parts = [moved]
    for side in (1, 0) if mover == 1 else (0, 1):
        shot = shots[side]
        if shot is Shooting.PAID:
            price = counted(maneuver(played[side]).cost, "success")
            said = f"may shoot ({price})"
        elif shot is Shooting.FREE:
            said = "shoots for free"
        else:
            continue
        parts.append(f", and {said}" if side == mover else f"; {names[side]} {said}")
    return "".join(parts)
