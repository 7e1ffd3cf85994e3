"""Hesitation in Range and Cover: volleys that somebody loses, and what he does meanwhile.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). The Steel test
after a wound is in ``steel/steel``; it leaves the counting to the skirmish. What the four reactions
mean here is in ``range_and_cover.table.hesitation_options``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.play import GM, Number, Step, ask, call, choose, note
from astragal.rules import Record, catalogue

from ...conditions.hesitation import FALL, RUN, STAND, SWOON, comes_round, overlapping, reactions
from ...injury.injury import WoundOutcome
from ...sheet.scene import Hesitation
from ...sheet.words import counted
from ...steel.steel import SteelOutcome
from ...tests.attempts import throw_attempt
from ...tests.conclusions import after_test
from ...tests.intent import Context, Declaration
from ...tests.tests import open_result
from ..rolls import gathered
from .maneuvers import RUN_BY, maneuver
from .positioning import has_dice
from .state import MOST_COVER, Skirmish

LONGEST = 10
"""More volleys than this nobody hesitates."""

_HERE = {STAND: "stand_and_drool", RUN: "run_screaming", FALL: "fall_prone", SWOON: "swoon"}


@cache
def effects_of(reaction: str) -> Record:
    """What a reaction means in a skirmish (range_and_cover.hesitate.four_options)."""
    table = catalogue().table("range_and_cover.table.hesitation_options")
    return table.where(option=_HERE[reaction])


def begin(skirmish: Skirmish, character: str, volleys: int, reaction: str) -> Step[Skirmish]:
    """Somebody loses volleys, from the next one on, and with them all that he has prepared.

    range_and_cover.hesitate.loses_advantages, range_and_cover.hesitate.no_action_next_volley. His
    range dice go with the rest: he has none as long as it lasts. If he hesitates already, the
    longer of the two counts, or both (steel.amb.tests_while_hesitating); of what he still loses by
    the earlier one, the volley that is being played is no longer a part.
    """
    if volleys <= 0:
        return skirmish
    one = skirmish.one(character)
    now = int(character in skirmish.sits_out)
    before = None
    if one.hesitates > now:
        before = Hesitation(character, one.hesitates - now, one.reaction)
    total = overlapping(before, volleys, skirmish.table.options["steel_overlapping_hesitation"])
    if skirmish.leader(one.side).character == character:
        skirmish = skirmish.with_team(one.side, cover=0)
    skirmish = skirmish.change(character, aim=0)
    if before is not None and total <= before.heartbeats:
        return skirmish
    text = f"{skirmish.name(character)} hesitates for {counted(total, 'volley')}."
    yield from note(text, "range_and_cover.hesitate.no_action_next_volley")
    skirmish = skirmish.change(character, hesitates=total + now, reaction=reaction, hidden=0)
    if reaction == SWOON:
        return (yield from _drop_out_of_sight(skirmish, character))
    if reaction == RUN:
        text = f"{skirmish.name(character)} runs screaming."
        yield from note(text, "range_and_cover.hesitate.run.no_aim_no_shot")
    return skirmish


def shaken(skirmish: Skirmish, character: str, missing: int) -> Step[Skirmish]:
    """A Steel maneuver fell short of the hesitation by so much: as many volleys are lost.

    range_and_cover.steel_close.hesitates_volleys. The player chooses how
    (range_and_cover.hesitate.four_options).
    """
    reaction = yield from choose(
        skirmish.seat(character),
        "reaction",
        f"{skirmish.name(character)} hesitates for {counted(missing, 'volley')}. How?",
        reactions(),
        default=STAND,
        because="range_and_cover.hesitate.four_options",
    )
    return (yield from begin(skirmish, character, missing, reaction))


def after_steel(
    skirmish: Skirmish, character: str, hurt: WoundOutcome | SteelOutcome
) -> Step[Skirmish]:
    """A Steel test was failed, perhaps because of a wound: the next volley is lost, or more.

    range_and_cover.amb.hesitation_length.
    """
    steel = hurt.steel if isinstance(hurt, WoundOutcome) else hurt
    if steel is None or not steel.tested or steel.passed:
        return skirmish
    volleys = 1
    if skirmish.table.options["range_and_cover_hesitation_length"] == "gm_lengthens":
        volleys = yield from ask(
            GM,
            "hesitates_for",
            f"{skirmish.name(character)} hesitates for how many volleys?",
            Number(least=1, most=LONGEST, default=1),
            because="range_and_cover.amb.hesitation_length",
        )
    return (yield from begin(skirmish, character, volleys, steel.reaction or STAND))


def _drop_out_of_sight(skirmish: Skirmish, character: str) -> Step[Skirmish]:
    """A swooning one tests Stealthy, once; with a success nobody can shoot him.

    range_and_cover.hesitate.swoon.stealthy_test, range_and_cover.amb.swoon_timing: without the
    skill half the successes count.
    """
    rated = skirmish.sheet(character).find("Stealthy")
    trained = rated is not None and rated.exponent > 0
    if not has_dice(skirmish, character, "Stealthy" if trained else "Speed"):
        return skirmish
    context = Context(
        called_for=True, laid_down=True, several=True, lasting=True, folded=True, roots=("Speed",)
    )
    said = Declaration(character=character, task="drops out of sight", ability="Stealthy")
    attempt = yield from call(gathered, said, context, (), skirmish.table)
    thrown = yield from throw_attempt(attempt, None, skirmish.table)
    hidden = open_result(thrown.successes, attempt)
    table = skirmish.table
    if skirmish.series:
        table, _ = yield from after_test(
            attempt, thrown, max(1, hidden), table, passed=hidden > 0, is_open=True
        )
    where = "out of sight and cannot be shot" if hidden else "in plain sight"
    text = f"{skirmish.name(character)} drops {where}."
    yield from note(text, "range_and_cover.hesitate.swoon.stealthy_test")
    return skirmish.on(table).change(character, hidden=hidden)


def runs_with(skirmish: Skirmish, side: int) -> Step[str]:
    """The card of a side that cannot choose its own: none, or a Withdraw for one who runs.

    range_and_cover.hesitate.run.maneuver: with Speed or with Steel. All others hold their ground
    (range_and_cover.hesitate.drool.holds_ground).
    """
    leader = skirmish.leader(side)
    if not leader.is_hesitating or not leader.reaction:
        return ""
    if effects_of(leader.reaction)["positioning_code"] != "withdraws_without_dice":
        return ""
    return (
        yield from choose(
            skirmish.seat(leader.character),
            "run_with",
            f"{skirmish.name(leader.character)} runs screaming",
            {key: maneuver(key).label for key in RUN_BY},
            default=RUN_BY[0],
            because="range_and_cover.hesitate.run.maneuver",
        )
    )


def is_in_sight(skirmish: Skirmish, character: str) -> bool:
    """Whether somebody can be shot at all (range_and_cover.hesitate.swoon.stealthy_test)."""
    one = skirmish.one(character)
    if not one.is_hesitating or not one.reaction:
        return True
    code = effects_of(one.reaction)["shots_at_hesitator_code"]
    return code != "unless_hidden" or not one.hidden


def pass_volley(skirmish: Skirmish) -> Step[Skirmish]:
    """Those who sat out a volley have lost it; after the last one they recover.

    Whoever fell prone starts his next volley in cover
    (range_and_cover.hesitate.prone.cover_on_recovery), under the same limit as all of it
    (range_and_cover.amb.hesitation_prone_cover). A swoon ends when its player says so.
    """
    for character in skirmish.sits_out:
        one = skirmish.one(character)
        if one.out or not one.is_hesitating:
            continue
        left = one.hesitates - 1
        if left > 0:
            skirmish = skirmish.change(character, hesitates=left)
            continue
        if one.reaction == SWOON and not (yield from comes_round(skirmish.table, character)):
            continue
        rule = "range_and_cover.hesitate.prone.cover_on_recovery"
        yield from note(f"{skirmish.name(character)} recovers.", rule)
        cover = effects_of(one.reaction).number("cover_dice_on_recovery")
        skirmish = skirmish.change(character, hesitates=0, reaction="", hidden=0)
        if cover:
            skirmish = skirmish.with_team(
                one.side, cover=min(MOST_COVER, max(cover, skirmish.teams[one.side].cover))
            )
    return msgspec.structs.replace(skirmish, sits_out=())
