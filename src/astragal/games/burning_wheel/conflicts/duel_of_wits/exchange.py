"""The exchanges of a Duel of Wits: scripts, volleys, and what carries over between them.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import GM, Fact, Line, Step, call, choose, note, tell
from astragal.rules import Options

from ...conditions.hesitation import RUN, SWOON
from ...conditions.prayers import use_up_prayers
from ...magic.sorcery.lasting import exchange_passes
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...steel.dice_and_hesitation import Cause, SteelTest
from ...steel.steel import nerves_tried
from ...tests.conclusions import after_test, pay_for
from ..scripting import (
    CarriedEffect,
    ScriptedConflict,
    Until,
    Volley,
    Writer,
    WrittenScript,
    carry,
    due,
    left_over,
)
from .actions import CONCEDE, OTHER, Speaker, cards, has_dice, label
from .bearing_pain import shrug_off
from .instead_of_words import OtherAct, break_off, carry_out, choose_act, interrupt_spells, keep_up
from .matrix import NOTHING, AfterEffect, EffectTiming, pairing, rules_of
from .matrix_in_words import met, readings
from .outcome import settle
from .state import Duel, DuelResult, bars, is_over
from .volley import Clash, volley


def unmarked(table: BurningTable) -> BurningTable:
    """The table without the tests marked so far, which make no difference to a volley."""
    if not table.scene.series:
        return table
    replace = msgspec.structs.replace
    return replace(table, scene=replace(table.scene, series=()))


# --- The exchange --------------------------------------------------------------------------


def writers(duel: Duel) -> tuple[Writer, ...]:
    """Each speaker scripts three actions, one for each volley.

    duel_of_wits.exchange.three_actions, duel_of_wits.group.primary.
    """
    table = duel.table
    return tuple(
        [_writer(s, table.character(s.character), table.options) for s in duel.debate.speakers]
    )


@lru_cache(256)
def _writer(speaker: Speaker, sheet: Sheet, options: Options) -> Writer:
    return Writer(sheet.seat(speaker.character), sheet.name, cards(speaker, sheet, options))


def opening(duel: Duel, number: int) -> Step[Duel]:
    """Exchange follows exchange, without limit; at some tables the GM may rule between them.

    duel_of_wits.exchange.repeat.
    """
    there = tuple(each.character for each in duel.debate.speakers)
    table, lasting = yield from exchange_passes(duel.table, duel.lasting, there)
    duel = msgspec.structs.replace(duel, exchanges=number, table=table, lasting=lasting)
    if number == 1:
        return duel
    if duel.table.options["duel_of_wits_audience_decides"] == "on":
        return (yield from _audience(duel))
    return duel


def _audience(duel: Duel) -> Step[Duel]:
    """The book's own rule is lost; the GM rules which side the audience takes.

    duel_of_wits.amb.lost_audience_decides.
    """
    names = [speaker.character for speaker in duel.debate.speakers]
    sides = {name: duel.name(side) for side, name in enumerate(names)}
    said = yield from choose(
        GM,
        "audience_decides",
        "Has the audience decided who wins? (Your ruling: the book does not say how.)",
        {"go_on": "Not yet", **sides},
        default="go_on",
        because="duel_of_wits.amb.lost_audience_decides",
    )
    if said == "go_on":
        return duel
    return msgspec.structs.replace(duel, ruled=names.index(said))


def concede(duel: Duel, pages: tuple[WrittenScript, ...]) -> Step[Duel]:
    """Instead of a script a side may concede; it has lost then, and its body counts as zero.

    duel_of_wits.amb.walk_away_mid_duel. No card is shown any more. If both sides do so at once,
    it is a tie.
    """
    rule = "duel_of_wits.amb.walk_away_mid_duel"
    for side, page in enumerate(pages):
        if any(CONCEDE in cards for cards in page):
            yield from note(f"{duel.name(side)} concedes.", rule)
            duel = _with_body(duel, side, 0)
    return duel


def _with_body(duel: Duel, side: int, body: int) -> Duel:
    bodies = (body, duel.bodies[1]) if side == 0 else (duel.bodies[0], body)
    return msgspec.structs.replace(duel, bodies=bodies)


# --- The volley ----------------------------------------------------------------------------


class VolleyLosses(Fact, frozen=True, tag="swayed"):
    """What a volley did to the bodies of argument."""

    names: tuple[str, str]
    successes: tuple[tuple[int, ...], tuple[int, ...]]
    actions: tuple[str, str]
    losses: tuple[int, int]
    bodies: tuple[int, int]
    started: tuple[int, int]
    stopped: tuple[bool, bool]
    rules: tuple[str, ...] = ()
    penalties: tuple[int, int] = (0, 0)
    """What has been taken from the successes of each roll of a side already."""

    def sentence(self) -> str:
        """What each side rolled, who loses how much, and what is left of both bodies."""
        rolled = [each for side in (0, 1) if (each := self._rolled(side))]
        said = []
        for side in (0, 1):
            if self.stopped[side]:
                said.append(f"{self.names[side]}'s action is stopped")
            if self.losses[side]:
                said.append(f"{self.names[side]} loses {self.losses[side]}")
        if not any(self.losses):
            said.append("neither side loses points")
        left = ", ".join(f"{n} {b}" for n, b in zip(self.names, self.bodies, strict=True))
        text = "; ".join(said)
        losses = f"{text[0].upper()}{text[1:]}. Bodies of Argument: {left}."
        return f"Successes: {', '.join(rolled)}. {losses}" if rolled else losses

    def _rolled(self, side: int) -> str:
        """The successes of a side that count; of both halves of a Rebuttal where it defends."""
        each = self.successes[side]
        if not each:
            return ""
        halves = ("defence", "riposte")[-len(each) :] if self.actions[side] == "rebuttal" else ()
        counts = " and ".join(
            f"{many} {half}".strip()
            for many, half in zip(each, halves or ("",) * len(each), strict=True)
        )
        less = f" after +{self.penalties[side]} Ob" if self.penalties[side] else ""
        return f"{self.names[side]} {counts}{less}"

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What is left of both bodies."""
        return bars(self.names, self.bodies, self.started)


def _taken(clash: Clash) -> tuple[int, int]:
    """What penalties take from each roll of a side; an Incite has an obstacle to raise instead.

    duel_of_wits.amb.ob_penalty_without_obstacle.
    """
    against_words = pairing(*clash.cards).is_versus
    taken = [tested.attempt.penalties.total if tested is not None else 0 for tested in clash.tested]
    for side in (0, 1):
        if clash.cards[side] == "incite" and not against_words:
            taken[side] = 0
    return taken[0], taken[1]


def play(duel: Duel, shown: Volley) -> Step[tuple[Duel, tuple[int, ...]]]:
    """Play one volley to its end: what it does at once, and what it leaves for later.

    Both actions are spoken and resolved before the next volley is shown
    (duel_of_wits.exchange.reveal_by_volley). The result is the duel after it and how many coming
    volleys each side has lost.
    """
    duel = yield from shrug_off(duel)
    started, names = duel, (duel.name(0), duel.name(1))
    spoken = tuple([c[0] if c and c[0] != OTHER else NOTHING for c in shown.cards])
    yield from tell(met(names, (spoken[0], spoken[1]), readings(duel.table.options)))
    duel, one, mine = yield from _verbal(duel, 0, shown.cards[0])
    duel, other, theirs = yield from _verbal(duel, 1, shown.cards[1])
    played = yield from _able(duel, (one, other))
    # +1 Ob and +1D are used up by an action, rolled or not, advantage dice by a roll, in this
    # exchange or a later one (duel_of_wits.amb.modifier_on_lost_action).
    pair = pairing(*played)
    used = due(duel.carried, pair.acts, pair.rolling)
    clash = yield from call(volley, duel.debate, played, used, unmarked(duel.table))
    table = yield from _log(clash, duel)
    # Losses are counted after both rolls, for both at once, and may go below zero
    # (duel_of_wits.exchange.simultaneous, duel_of_wits.amb.below_zero).
    bodies = (duel.bodies[0] - clash.losses[0], duel.bodies[1] - clash.losses[1])
    if any(played):
        yield from tell(
            VolleyLosses(
                names,
                clash.counted,
                played,
                clash.losses,
                bodies,
                duel.started,
                clash.stopped,
                rules_of(*played),
                _taken(clash),
            )
        )
    duel = msgspec.structs.replace(
        duel,
        bodies=bodies,
        table=table,
        carried=carry_over(duel.carried, clash),
        volleys=duel.volleys + 1,
    )
    # At the same time as what the other side says.
    duel, held = yield from carry_out(duel, (mine, theirs))
    duel = yield from interrupt_spells(started, duel)
    if is_over(duel):  # nothing is left to be lost (duel_of_wits.amb.dismiss_tie)
        return (yield from keep_up(duel)), (0, 0)
    duel, after = yield from aftermath(duel, clash)
    return (yield from keep_up(duel)), (max(held[0], after[0]), max(held[1], after[1]))


def _verbal(
    duel: Duel, side: int, scripted: tuple[str, ...]
) -> Step[tuple[Duel, str, OtherAct | None]]:
    """The verbal action of a side; anything else in its place is no defence.

    duel_of_wits.amb.other_acts_in_a_volley.
    """
    action = scripted[0] if scripted else NOTHING
    if action != OTHER:
        return (yield from break_off(duel, side)), action, None
    duel, act = yield from choose_act(duel, side)
    return duel, NOTHING, act


def _able(duel: Duel, spoken: tuple[str, str]) -> Step[tuple[str, str]]:
    """Who has no dice for an action that is rolled takes none (tests.amb.zero_dice).

    The script was written before, so it is no time to choose another one.
    """
    pair, room = pairing(*spoken), unmarked(duel.table)
    for side, speaker in enumerate(duel.debate.speakers):
        action = spoken[side]
        if not pair.rolling[side] or has_dice(action, pair.rolls[side], speaker, room):
            continue
        text = f"{duel.name(side)} has no dice left for {label(action)}: no action."
        yield from note(text, "tests.amb.zero_dice")
        left = (NOTHING, spoken[1]) if side == 0 else (spoken[0], NOTHING)
        return (yield from _able(duel, left))
    return spoken


def _log(clash: Clash, duel: Duel) -> Step[BurningTable]:
    """Pay for what was used on the rolls, and mark them (duel_of_wits.amb.advancement)."""
    table = duel.table
    for tested in clash.tested:
        if tested is None:
            continue
        attempt, against = tested.attempt, max(1, tested.against)
        if not duel.series:
            agreed = attempt.agreed
            table = yield from pay_for(attempt, tested.throw, table)
            table = yield from use_up_prayers(table, agreed.character, agreed.tested.name)
            continue
        table, _ = yield from after_test(
            attempt,
            tested.throw,
            against if tested.is_open else against + attempt.penalties.total,
            table,
            passed=tested.passed,
            base=against,
            is_open=tested.is_open,
        )
    return table


_WAITS = {
    AfterEffect.ADVANTAGE: ("failed Incite", "duel_of_wits.incite.failure"),
    AfterEffect.OBSTACLE: ("Obfuscate", "duel_of_wits.obfuscate.exceed"),
    AfterEffect.DIE: ("lost Obfuscate", "duel_of_wits.obfuscate.lose"),
}


@cache
def _until(after: AfterEffect) -> Until:
    """Whether an effect waits for the next action or for the next roll."""
    return {EffectTiming.NEXT_ACTION: Until.ACTION, EffectTiming.NEXT_TEST: Until.ROLL}[after.when]


def carry_over(carried: tuple[CarriedEffect, ...], clash: Clash) -> tuple[CarriedEffect, ...]:
    """What waits for a later volley, after this one (duel_of_wits.amb.modifier_on_lost_action)."""
    pair = pairing(*clash.cards)
    left = left_over(carried, pair.acts, pair.rolling) if carried else ()
    for side, after, amount in clash.after:
        if after in _WAITS and amount:
            why, rule = _WAITS[after]
            line = Line(amount, why, rule)
            left = carry(
                left, CarriedEffect(side, _until(after), line, after is AfterEffect.OBSTACLE)
            )
    return left


def aftermath(duel: Duel, clash: Clash) -> Step[tuple[Duel, tuple[int, ...]]]:
    """Tell what follows later, and test the Steel of a side that was incited.

    A Dismiss that did not win costs its speaker the very next volley
    (duel_of_wits.dismiss.hesitate_if_not_won, duel_of_wits.dismiss.hesitate_placement), and so
    does a Steel test failed to an Incite (duel_of_wits.incite.hesitation), whatever its margin
    (duel_of_wits.amb.incite_hesitation_length); both fall on the same volley
    (duel_of_wits.amb.lost_volleys_overlap).
    """
    lost = [0, 0]
    for side, after, amount in clash.after:
        name = duel.name(side)
        if after is AfterEffect.STEEL:
            duel, steady = yield from _incited(duel, side)
            if steady:
                continue
        if after in (AfterEffect.STEEL, AfterEffect.HESITATES):
            lost[side] = 1
            rule = (
                "duel_of_wits.incite.hesitation"
                if after is AfterEffect.STEEL
                else "duel_of_wits.dismiss.hesitate_if_not_won"
            )
            yield from note(f"{name} loses the next volley.", rule)
        elif amount:
            what = f"+{amount} Ob" if after is AfterEffect.OBSTACLE else f"+{amount}D"
            yield from note(f"{name} has {what} on the {_until(after).value}.", _WAITS[after][1])
    return duel, (lost[0], lost[1])


def _incited(duel: Duel, victim: int) -> Step[tuple[Duel, bool]]:
    """The insulted side tests Steel at plain hesitation (duel_of_wits.incite.success).

    duel_of_wits.amb.incite_steel_modifiers. A speaker who runs or swoons carries on after the lost
    volley, or concedes, by house rule (duel_of_wits.amb.incite_reaction).
    """
    table = duel.table
    test = SteelTest(
        character=duel.debate.speakers[victim].character,
        cause=Cause.FEAR,
        source=f"an insult by {duel.name(1 - victim)}",
        forced_by="duel_of_wits.incite.success",
        plain=table.options["duel_of_wits_incite_steel"] == "plain_hesitation",
        in_script=True,
    )
    outcome, table = yield from call(nerves_tried, test, table)
    duel = msgspec.structs.replace(duel, table=table)
    leaves = outcome.reaction in (RUN, SWOON)
    if leaves and table.options["duel_of_wits_flight_after_incite"] == "concedes":
        text = f"{duel.name(victim)} leaves the debate and so concedes."
        yield from note(text, "duel_of_wits.amb.incite_reaction")
        duel = _with_body(duel, victim, min(0, duel.bodies[victim]))
    return duel, outcome.passed


CONFLICT: ScriptedConflict[Duel, DuelResult] = ScriptedConflict(
    writers=writers,
    volley=play,
    is_over=is_over,
    end=settle,
    written="duel_of_wits.exchange.script_in_advance",
    shown="duel_of_wits.exchange.reveal_by_volley",
    opening=opening,
    leaving=concede,
)
