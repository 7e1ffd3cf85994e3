"""The exchanges of a skirmish: three maneuvers in secret, shown volley by volley.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import msgspec

from astragal.play import GM, Ask, Option, Step, YesNo, ask_all, choose, note

from ...sheet.sheet import Sheet
from ..scripting import (
    VOLLEYS,
    ScriptedConflict,
    SideCards,
    Writer,
    WrittenScript,
    rewritten,
    secretly,
)
from .maneuvers import Tested, card, maneuver, maneuvers
from .mounted import who_tests
from .mounts_hit import mounts_tested
from .outcome import SkirmishResult, is_over, settle
from .shots import PlannedHit, apply_hits
from .state import Skirmish
from .volley import ended_if_felled, play


def opening(skirmish: Skirmish, _number: int) -> Step[Skirmish]:
    """Before the scripts are written: the nerve of mounts (riding.untrained.mount_steel)."""
    skirmish, falls = yield from mounts_tested(skirmish)
    skirmish = yield from apply_hits(skirmish, tuple(PlannedHit(fall, "") for fall in falls))
    return ended_if_felled(skirmish)


GIVE_UP = "give_up"
"""The card of a side that gives up instead of writing a script."""

LONG = 40
"""After how many exchanges a skirmish is a long one."""

LONG_SKIRMISH = "long_skirmish"
"""The code for that in the situation of a script."""

GAVE_UP = "gave_up"


def writers(skirmish: Skirmish) -> tuple[Writer, ...]:
    """The leader of each side scripts three maneuvers, one for each volley.

    range_and_cover.script.three_volleys.
    """
    found = []
    for side in (0, 1):
        leader = skirmish.leader(side).character
        who = who_tests(skirmish, leader, skirmish.leader(side).mount, Tested.STEALTHY)
        sheet, mover = skirmish.sheet(leader), skirmish.sheet(who)
        is_long = skirmish.exchange >= LONG
        found.append(_writer(skirmish.seat(leader), sheet, mover, is_long=is_long))
    return tuple(found)


@lru_cache(256)
def _writer(seat: str, sheet: Sheet, mover: Sheet, *, is_long: bool) -> Writer:
    """The cards of a leader; only who has learned Stealthy can move unseen, or his mount."""
    stealthy = mover.find("Stealthy")
    unseen = stealthy is not None and stealthy.exponent > 0
    cards = tuple(card(key) for key in maneuvers() if unseen or not maneuver(key).is_stealthy)
    rule = "range_and_cover.use.no_body_to_reduce"
    lasted = f", after {LONG} exchanges or more" if is_long else ""
    give_up = Option(GIVE_UP, "Give up", rule, note=f"instead of a script{lasted}")
    situation = (LONG_SKIRMISH,) if is_long else ()
    return Writer(seat, sheet.name, (*cards, give_up), situation=situation)


def give_up(skirmish: Skirmish, pages: tuple[WrittenScript, ...]) -> Step[Skirmish]:
    """Instead of a script a side may give up; no card is shown any more.

    range_and_cover.use.no_body_to_reduce.
    """
    gone = [any(GIVE_UP in cards for cards in page) for page in pages]
    for side in (0, 1):
        if gone[side]:
            give = "give" if skirmish.are_several(side) else "gives"
            text = f"{skirmish.title(side)} {give} up."
            yield from note(text, "range_and_cover.use.no_body_to_reduce")
            for each in skirmish.active(side):
                skirmish = skirmish.change(each.character, out="gave up")
    if any(gone):
        skirmish = skirmish.ended(GAVE_UP, None if all(gone) else int(gone[0]))
    return skirmish


FORFEIT_BEFORE = 2
"""The volley before which the last one may be given up (range_and_cover.amb.forfeit_timing)."""


def forfeit(
    skirmish: Skirmish, at: int, pages: tuple[WrittenScript, ...]
) -> Step[tuple[WrittenScript, ...]]:
    """A side may give up its third maneuver to change its second one, and no other.

    range_and_cover.script.forfeit.trade, range_and_cover.script.forfeit.only_second: after volley
    one and before volley two is shown (range_and_cover.amb.forfeit_timing).
    """
    if at != FORFEIT_BEFORE:
        return pages
    both = writers(skirmish)
    able = []
    for side in (0, 1):
        free = pages[side][1] and pages[side][2] and not skirmish.is_passive(side)
        if free and (yield from _wants_to_change(both[side])):
            able.append(side)
    said = yield from ask_all(*(_forfeit_ask(both[side]) for side in able))
    trading = [side for side, yes in zip(able, said, strict=True) if yes]
    slots = (0, 1, 0)
    rule = "range_and_cover.script.forfeit.trade"
    again = [msgspec.structs.replace(both[side], cards=both[side].cards[:-1]) for side in trading]
    answers = yield from ask_all(*(secretly(writer, slots, rule) for writer in again))
    changed = list(pages)
    for side, cards in zip(trading, answers, strict=True):
        give = "give" if skirmish.are_several(side) else "gives"
        text = f"{skirmish.title(side)} {give} up the third volley to change the second."
        yield from note(text, rule)
        page = rewritten(changed[side], FORFEIT_BEFORE, cast(SideCards, cards))
        changed[side] = rewritten(page, VOLLEYS, ())
    return tuple(changed)


def _wants_to_change(writer: Writer) -> Step[bool]:
    """Whether a player wants to be asked for forfeits; it can be changed at any time.

    Players are asked unless they say otherwise, the GM is not.
    """
    said = yield from choose(
        writer.seat,
        "forfeits",
        f"{writer.name}: forfeits",
        {"ask": "Ask me before the second volley", "play_on": "Play on without asking"},
        default="play_on" if writer.seat == GM else "ask",
        because="range_and_cover.script.forfeit.trade",
        kind="aside",
        standing=True,
    )
    return said == "ask"


def _forfeit_ask(writer: Writer) -> Ask:
    return Ask(
        writer.seat,
        "forfeit",
        f"{writer.name}: give up volley 3 to change volley 2",
        YesNo(default=False),
        "range_and_cover.script.forfeit.trade",
        secret=True,
    )


CONFLICT: ScriptedConflict[Skirmish, SkirmishResult] = ScriptedConflict(
    writers=writers,
    volley=play,
    is_over=is_over,
    end=settle,
    written="range_and_cover.script.three_volleys",
    shown="range_and_cover.script.secret_until_revealed",
    opening=opening,
    leaving=give_up,
    forfeit=forfeit,
)
