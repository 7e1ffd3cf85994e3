"""One volley: maneuvers are shown, positions tested, the range moves, and then there are shots.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). Positioning
always comes first, and what it buys second (range_and_cover.sequence.position_then_act).
"""

from __future__ import annotations

import msgspec

from astragal.play import Fact, Step, call, confirm_aside, note, tell

from ...conditions.hesitation import RUN, STAND
from ...conditions.mounted import mount_of
from ...magic.sorcery.lasting import exchange_passes
from ...riding.mounts import out_of_saddle
from ...sheet.ranged_weapons import is_reloaded
from ...weapons.loading import load
from ..scripting import Volley
from .hesitation import begin, pass_volley, runs_with, shaken
from .maneuvers import CLOSE, WITHDRAW, maneuver, rules_of
from .maneuvers_in_words import met
from .melee import into_melee
from .mounted import rein_in
from .picture import show
from .positioning import PositionResult, cast, judge, log_rolls, make_ready, settle_tie
from .ranges import MELEE, OUT, OVER
from .resolving import Resolved, places_of, resolve
from .shots import apply_hits
from .spells_and_prayers import after_volley, declare_magic, pray, raise_spells, take_effect
from .state import MOST_COVER, Skirmish

ESCAPED, FELLED, MELEE_JOINED = "escaped", "felled", "melee"


class PositionTold(Fact, frozen=True, tag="positioned"):
    """How a positioning test came out."""

    names: tuple[str, str]
    counts: tuple[int, int]
    winner: int | None
    margin: int
    tied: bool
    rules: tuple[str, ...] = ()
    are_several: tuple[bool, bool] = (False, False)
    role = "outcome"

    def sentence(self) -> str:
        """Who wins, and by how much."""
        one, other = self.counts
        if self.winner is not None:
            loser = 1 - self.winner
            mine, theirs = self.counts[self.winner], self.counts[loser]
            beats = "beat" if self.are_several[self.winner] else "beats"
            names = f"{self.names[self.winner]} ({mine}) {beats} {self.names[loser]} ({theirs})"
            return f"{names}: {self.margin} to spend."
        if self.tied:
            return f"{self.names[0]} and {self.names[1]} are tied ({one} to {other})."
        return "Nobody gets into position."

    @property
    def headline(self) -> str:
        """The same, shorter."""
        if self.winner is None:
            return "Tied" if self.tied else "Nobody wins"
        wins = "win" if self.are_several[self.winner] else "wins"
        return f"{self.names[self.winner]} {wins} by {self.margin}"


# --- The whole volley ------------------------------------------------------------------------


def play(skirmish: Skirmish, shown: Volley) -> Step[tuple[Skirmish, tuple[int, ...]]]:
    """Play one volley to its end, before the next is shown (range_and_cover.sequence.overall).

    The result is the skirmish after it, and how many coming volleys each side has lost.
    """
    if shown.number == 1:
        there = tuple(each.character for each in skirmish.skirmishers)
        table, lasting = yield from exchange_passes(skirmish.table, skirmish.lasting, there)
        skirmish = msgspec.structs.replace(skirmish.on(table), lasting=lasting)
    skirmish = msgspec.structs.replace(skirmish, exchange=shown.exchange, volley=shown.number)
    started = skirmish
    one, skirmish = yield from _card(skirmish, 0, shown.cards[0])
    other, skirmish = yield from _card(skirmish, 1, shown.cards[1])
    out = tuple(each.character for each in skirmish.skirmishers if each.is_hesitating)
    skirmish = msgspec.structs.replace(skirmish, sits_out=out)
    skirmish = yield from dismount(skirmish, 0, one)
    skirmish = yield from dismount(skirmish, 1, other)
    one, skirmish = yield from rein_in(skirmish, 0, one)
    other, skirmish = yield from rein_in(skirmish, 1, other)
    if not one and not other:
        text = "Both sides hesitate, and nothing happens."
        yield from note(text, "range_and_cover.hesitate.drool.holds_ground")
        skirmish = yield from pass_volley(skirmish)
        return skirmish, _lost(skirmish)
    names = (skirmish.title(0), skirmish.title(1))
    several = (skirmish.are_several(0), skirmish.are_several(1))
    leaders = (
        skirmish.name(skirmish.leader(0).character),
        skirmish.name(skirmish.leader(1).character),
    )
    yield from tell(met(leaders, (one, other)))
    skirmish = yield from declare_magic(skirmish, (one, other))
    # It does not matter to the dice which volley it is.
    bare = msgspec.structs.replace(skirmish, exchange=0, volley=0)
    ready = yield from call(make_ready, bare, (one, other))
    rolls = yield from call(cast, ready)
    result, rolls = yield from settle_tie(ready, rolls, judge(ready, rolls.counts))
    skirmish = yield from log_rolls(skirmish, ready, rolls, result.winner)
    keys = (ready.sides[0].maneuver, ready.sides[1].maneuver)
    yield from tell(
        PositionTold(
            names,
            rolls.counts,
            result.winner,
            result.margin,
            result.tied,
            rules_of(*keys),
            several,
        )
    )
    resolved = yield from call(resolve, skirmish, keys, ready.passive, result)
    skirmish = _aimed(resolved)
    skirmish, raised = yield from raise_spells(skirmish, resolved.magic, resolved.ducking)
    skirmish = yield from pray(skirmish, resolved.magic)
    skirmish = yield from take_effect(skirmish, raised)
    skirmish = yield from apply_hits(skirmish, resolved.hits)
    skirmish = yield from after_volley(started, skirmish, (one, other))
    skirmish = yield from _aftermath(skirmish, keys, resolved, result, started)
    yield from show(skirmish, started)
    return skirmish, _lost(skirmish)


def _card(skirmish: Skirmish, side: int, cards: tuple[str, ...]) -> Step[tuple[str, Skirmish]]:
    """What a side does: its card, or what hesitation leaves it; nothing is an empty card.

    A side that has forfeited its last volley stands and drools in it, with all that follows
    (range_and_cover.script.forfeit.cost).
    """
    if cards and not skirmish.is_passive(side):
        return cards[0], skirmish
    if not skirmish.is_passive(side):
        for each in skirmish.active(side):
            if not each.is_hesitating:
                skirmish = yield from begin(skirmish, each.character, 1, STAND)
        return "", skirmish
    return (yield from runs_with(skirmish, side)), skirmish


def dismount(skirmish: Skirmish, side: int, card: str) -> Step[Skirmish]:
    """Against a prepared position nobody rides the last step: the rider gets off.

    range_and_cover.fort.mounts_stop_at_optimal, range_and_cover.fort.dismount_for_last_step; only
    against prepared positions (range_and_cover.amb.mounted_limit_scope).
    """
    leader = skirmish.leader(side)
    if not (leader.mount and card and skirmish.teams[1 - side].fortification):
        return skirmish
    if maneuver(card).intent != CLOSE or places_of(skirmish, skirmish.at, side, CLOSE)[0] != MELEE:
        return skirmish
    text = f"{skirmish.name(leader.character)} dismounts for the last step."
    rule = "range_and_cover.fort.dismount_for_last_step"
    yield from note(text, rule)
    if mount_of(skirmish.table, leader.character):
        table = yield from out_of_saddle(skirmish.table, leader.character, rule)
        skirmish = skirmish.on(table)
    return skirmish.change(leader.character, mount="")


def ended_if_felled(skirmish: Skirmish) -> Skirmish:
    """The skirmish, settled if one of the sides has nobody left."""
    there = [bool(skirmish.active(side)) for side in (0, 1)]
    if all(there):
        return skirmish
    return skirmish.ended(FELLED, None if not any(there) else there.index(True))


def _lost(skirmish: Skirmish) -> tuple[int, int]:
    """How many coming volleys each side loses, because all of it hesitate."""
    found = []
    for side in (0, 1):
        there = skirmish.active(side)
        found.append(min((each.hesitates for each in there), default=0))
    return found[0], found[1]


# --- Afterwards ------------------------------------------------------------------------------


def _aftermath(
    skirmish: Skirmish,
    keys: tuple[str, str],
    resolved: Resolved,
    result: PositionResult,
    before: Skirmish,
) -> Step[Skirmish]:
    """What stays of a volley: aim, cover, loading, hesitation, and whether it is over."""
    for side in (0, 1):
        skirmish = _keep(skirmish, side, keys[side], resolved)
    for side in (0, 1):
        leader = skirmish.leader(side)
        if result.short[side] and not leader.out:
            skirmish = yield from shaken(skirmish, leader.character, result.short[side])
    for each in skirmish.skirmishers:
        skirmish = yield from _reload(skirmish, each.character, resolved.fired)
    skirmish = yield from _run_clear(skirmish, before, result)
    skirmish = yield from pass_volley(skirmish)
    skirmish = yield from _ends(skirmish, result, resolved)
    return (yield from _let_go(skirmish, keys))


def _aimed(resolved: Resolved) -> Skirmish:
    """Aim is used up by a shot; what was not used stays, with what was bought just now.

    range_and_cover.aim.carry. So it is in hand when a hit may spoil it (range_and_cover.aim.lost).
    """
    skirmish = resolved.skirmish
    for side in (0, 1):
        for each in skirmish.active(side):
            aim = each.aim + resolved.bought[side].aim_of(each.character)
            used = each.character in resolved.fired
            skirmish = skirmish.change(each.character, aim=0 if used else aim)
    return skirmish


def _keep(skirmish: Skirmish, side: int, key: str, resolved: Resolved) -> Skirmish:
    """Cover is lost by moving, but for what was bought just now.

    range_and_cover.cover.dice.lost_by_moving,
    range_and_cover.speed_close.cover_lost, range_and_cover.steel_close.cover_lost,
    range_and_cover.amb.cover_new_when_moving; who Maintains keeps cover, won or lost
    (range_and_cover.cover.dice.kept_by_maintaining,
    range_and_cover.lose.keeps_cover_if_maintained).
    """
    bought = resolved.bought[side]
    if skirmish.is_passive(side):  # a wound has left nobody who could use it
        return skirmish
    held = skirmish.teams[side].cover if maneuver(key).keeps_cover else 0
    return skirmish.with_team(side, cover=min(MOST_COVER, held + bought.cover))


def _reload(skirmish: Skirmish, character: str, fired: tuple[str, ...]) -> Step[Skirmish]:
    """A crossbow or gun that was not fired in a volley is loaded again by its end.

    range_and_cover.reload.conditions, range_and_cover.reload.one_volley; whether the test was won
    or lost (range_and_cover.reload.loser_may_reload), but not by one who hesitates
    (range_and_cover.amb.reload_while_hesitating) or is in melee.
    """
    carried = skirmish.carried(character)
    shot = character in fired
    skirmish = skirmish.change(character, fired=shot)
    if carried is None or shot or character in skirmish.sits_out or skirmish.at == MELEE:
        return skirmish
    if skirmish.one(character).out or not is_reloaded(carried.weapon) or carried.loaded:
        return skirmish
    text = f"{skirmish.name(character)} reloads the {carried.called}."
    yield from note(text, "range_and_cover.reload.one_volley")
    return skirmish.on((yield from load(skirmish.table, character, carried)))


def _run_clear(skirmish: Skirmish, before: Skirmish, result: PositionResult) -> Step[Skirmish]:
    """Who runs screaming, and comes out of the reach of the other side, has escaped.

    range_and_cover.hesitate.run.escape_ends_all: whatever his own weapon could still reach.
    """
    if skirmish.settled or skirmish.at in (before.at, OVER):
        return skirmish
    for side in (0, 1):
        ran = before.leader(side)
        runs = ran.is_hesitating and ran.reaction == RUN and not skirmish.one(ran.character).out
        reached = skirmish.ladder.category(skirmish.at, 1 - side) != OUT
        if not runs or reached or result.winner not in (side, None):
            continue
        text = f"{skirmish.title(1 - side)} can no longer reach {skirmish.title(side)}."
        yield from note(text, "range_and_cover.hesitate.run.escape_ends_all")
        return _escaped(skirmish)
    return skirmish


def _escaped(skirmish: Skirmish) -> Skirmish:
    """Out of range: the conflict ends, and all hesitation with it.

    range_and_cover.hesitate.run.escape_ends_all.
    """
    for each in skirmish.skirmishers:
        skirmish = skirmish.change(each.character, hesitates=0, reaction="", hidden=0)
    return skirmish.ended(ESCAPED)


def _ends(skirmish: Skirmish, result: PositionResult, resolved: Resolved) -> Step[Skirmish]:
    """It ends when one side is gone, or melee begins (range_and_cover.use.no_body_to_reduce)."""
    if skirmish.settled:
        return skirmish
    felled = ended_if_felled(skirmish)
    if felled.settled:
        if skirmish.at == MELEE:
            text = "Nobody is left to fight: there is no melee."
            yield from note(text, "range_and_cover.lastditch.may_prevent_melee")
        return felled
    if skirmish.at == OVER:
        text = "Out of range of both weapons: the conflict is over."
        yield from note(text, "range_and_cover.range.out_of_range.escape")
        return _escaped(skirmish)
    if skirmish.at == MELEE:
        skirmish = yield from into_melee(skirmish, result.winner, resolved.fired)
        return skirmish.ended(MELEE_JOINED)
    return skirmish


def _let_go(skirmish: Skirmish, keys: tuple[str, str]) -> Step[Skirmish]:
    """Against those who only withdraw the others may leave it at that, and let them go.

    extended_example.leave.to_range_and_cover.
    """
    leaving = [maneuver(key).intent == WITHDRAW for key in keys]
    if skirmish.settled or leaving.count(True) != 1:
        return skirmish
    side = leaving.index(False)
    if skirmish.is_passive(side):
        return skirmish
    rule = "extended_example.leave.to_range_and_cover"
    leader = skirmish.leader(side).character
    let_go = yield from confirm_aside(
        skirmish.seat(leader),
        "let_go",
        f"{skirmish.title(side)}: let {skirmish.title(1 - side)} go?",
        because=rule,
    )
    if not let_go:
        return skirmish
    lets = "let" if skirmish.are_several(side) else "lets"
    yield from note(f"{skirmish.title(side)} {lets} {skirmish.title(1 - side)} go.", rule)
    return skirmish.ended(ESCAPED)
