"""Exchanges: scripts in secret, three volleys, and again, until it is over.

A section of the chapter on Fight! (``conflicts/fight/fight``). It follows ``conflicts/scripting``,
but actions are lost one by one and not volley by volley, and there may be more than two sides.
"""

from __future__ import annotations

from typing import cast

import msgspec

from astragal.games.about import listed
from astragal.play import (
    GM,
    Play,
    Script,
    Step,
    ask_all,
    choose,
    confirm,
    confirm_aside,
    note,
    tell,
    then,
)

from ...magic.sorcery.lasting import exchange_passes
from ...sheet.weapons_carried import can_shoot_far
from ..scripting import VOLLEYS, ExchangeBegins
from .cards import DROOL, GIVE_UP, LEAVE
from .forfeits import Scripts, offer_forfeits
from .gathering import is_immobilized
from .harm import Harm, apply_harm
from .hesitation import pass_action
from .initiative import bid, pay_bids, winner_of
from .joining import rise_again, who_joins
from .mount_nerves import mounts_tested
from .mounted import acting
from .outcome import APART, AT_RANGE, CALLED_OFF, FELLED, GAVE_UP, MISSILES, FightResult, settle
from .picture import show
from .positioning import engage, in_reach
from .script import (
    Plan,
    VolleyPlan,
    actions_of,
    ask_script,
    per_action,
    plan_of,
    spreads,
)
from .state import Fight, Positioning
from .volley import is_settled, play_volley


def exchange(fight: Fight, number: int) -> Play[FightResult]:
    """Everybody writes a script, all at once and unseen; then the volleys are played.

    An exchange is about three heartbeats (fight.exchange.definition), one for each of its volleys
    (fight.volley.three_per_exchange). The scripts are written when the distances are known
    (fight.position.start.then_script).
    fight.exchange.repeat: as long as there is a conflict, another exchange follows.
    """
    if number > 1:
        before = fight
        fight = yield from rise_again((yield from who_joins(fight)))
        yield from show(fight, before)
        fight = yield from at_mercy(fight)
        if _sides(fight) < 2:
            return then(settle, fight, FELLED)
    for each in fight.fighters:
        if each.struck:  # weapons.amb.slow_between_exchanges
            fight = fight.change(each.character, struck="")
    there = tuple(each.character for each in fight.fighters)
    table, lasting = yield from exchange_passes(fight.table, fight.lasting, there)
    fight = msgspec.structs.replace(
        fight.at(table), exchange=number, volley=0, quick="", lasting=lasting
    )
    fight, falls = yield from mounts_tested(fight)
    if falls:
        fight = yield from apply_harm(fight, tuple(Harm(hit) for hit in falls))
        if _sides(fight) < 2:
            return then(settle, fight, _how(fight))
    out = tuple(fight.name(each.character) for each in fight.standing if each.is_hesitating)
    yield from tell(ExchangeBegins(number, out))
    scripts = yield from _write(fight)
    fight = yield from _give_up(fight, scripts)
    if _sides(fight) < 2:
        return then(settle, fight, GAVE_UP)
    bids = yield from bid(fight)
    scripts = yield from pay_bids(fight, scripts, bids)
    quick = winner_of(bids)
    if quick:
        yield from note(f"{fight.name(quick)} goes first.", "fight.initiative.effect")
    return then(volley, msgspec.structs.replace(fight, quick=quick), scripts, 1)


def at_mercy(fight: Fight) -> Step[Fight]:
    """Where all others are held fast, those who hold them may say that it is over.

    Who is helpless cannot struggle any further, and is at their mercy (fight.lock.immobilized): he
    scripts nothing, so that nobody could give up.
    """
    helpless = [each for each in fight.standing if is_immobilized(fight, each.character)]
    free = [each for each in fight.standing if each not in helpless]
    if not helpless or len({each.side for each in free}) != 1:
        return fight
    if any(each.side == free[0].side for each in helpless):
        return fight
    names = listed(tuple(fight.name(each.character) for each in helpless))
    over = yield from confirm(
        fight.seat(free[0].character),
        "at_mercy",
        f"{names} cannot move, at {fight.name(free[0].character)}'s mercy: end the fight?",
        default=False,
        because="fight.lock.immobilized",
    )
    for each in helpless if over else ():
        fight = fight.change(each.character, out="helpless")
    return fight


def _sides(fight: Fight) -> int:
    return len({each.side for each in fight.standing})


# --- The scripts -----------------------------------------------------------------------------


def _write(fight: Fight) -> Step[Scripts]:
    """The scripts of all who can act; the others' actions are only counted.

    Whoever hesitates for longer than the exchange need not script
    (fight.hesitation.longer_than_exchange), nor whoever is locked and helpless.
    """
    writing = [name for name in acting(fight) if writes(fight, name)]
    asks = [ask_script(fight, name) for name in writing]
    answers = (yield from ask_all(*asks)) if asks else ()
    plans: dict[str, Plan] = {
        name: plan_of(
            cast(Script, asked.question), cast(tuple[str, ...], answer), per_action(fight, name)
        )
        for name, asked, answer in zip(writing, asks, answers, strict=True)
    }
    return tuple(
        (each.character, plans.get(each.character) or _counted(fight, each.character))
        for each in fight.fighters
    )


def writes(fight: Fight, character: str) -> bool:
    """Whether a fighter scripts this exchange."""
    fighter = fight.fighter(character)
    if is_immobilized(fight, character):
        return False
    many = actions_of(fight, character)
    return not fighter.is_hesitating or fighter.hesitates < many


def _counted(fight: Fight, character: str) -> Plan:
    """The actions of somebody who does not script, all of them lost."""
    fighter = fight.fighter(character)
    if fighter.carries and not fighter.is_hesitating:  # it waits (riding.script.conditions)
        return (VolleyPlan(Positioning.MAINTAIN),) * VOLLEYS
    spread = spreads(actions_of(fight, character))[0]
    lost = is_immobilized(fight, character)
    card = () if lost else (DROOL,) * per_action(fight, character)
    return tuple(VolleyPlan(Positioning.MAINTAIN, (card,) * many) for many in spread)


def _give_up(fight: Fight, scripts: Scripts) -> Step[Fight]:
    """Instead of a script somebody may give up, or leave if nobody is near enough to stop him.

    fight.sequence.9_end, fight.distance.outside.fight_over. No card of his is shown.
    """
    for character, plan in scripts:
        cards = {card for planned in plan for slot in planned.slots for card in slot}
        name = fight.name(character)
        if GIVE_UP in cards:
            yield from note(f"{name} gives up.", "fight.sequence.9_end")
            fight = fight.change(character, out="gave up")
        elif LEAVE in cards:
            rule = "fight.distance.outside.fight_over"
            yield from note(f"{name} leaves the fight.", rule)
            fight = fight.change(character, out="left")
    if not fight.locks:
        return fight
    here = {each.character for each in (*fight.standing, *fight.mounts)}
    locks = tuple(lock for lock in fight.locks if {lock.holder, lock.victim} <= here)
    return msgspec.structs.replace(fight, locks=locks)


# --- Volley by volley ------------------------------------------------------------------------


def volley(fight: Fight, scripts: Scripts, at: int) -> Play[FightResult]:
    """One volley, and what is left of the exchange."""
    if at > 1:
        scripts = yield from offer_forfeits(fight, scripts, at)
    fight, scripts = yield from play_volley(fight, scripts, at)
    if _sides(fight) < 2:
        return then(settle, fight, _how(fight))
    settled, last = is_settled(fight), at == VOLLEYS
    # Those who have never been in reach play the exchange to its end.
    if (fight.engaged or last or settled) and not in_reach(fight):
        return then(out_of_reach, fight)
    if not last and not settled:
        return then(volley, fight, scripts, at + 1)
    if settled:
        return then(nobody_acts, fight)
    if (yield from _goes_on_at_range(fight)):
        return then(settle, fight, AT_RANGE)
    return then(exchange, fight, fight.exchange + 1)


def _goes_on_at_range(fight: Fight) -> Step[bool]:
    """Whether it goes on as Range and Cover: somebody withdraws, and an opponent would shoot.

    extended_example.leave.to_range_and_cover.
    """
    withdraws = [each for each in fight.standing if each.moved is Positioning.WITHDRAW]
    if not any(
        can_shoot_far(weapon)
        for each in withdraws
        for other in fight.opponents(each.character)
        for weapon in fight.sheet(other).weapons
    ):
        return False
    return (
        yield from confirm_aside(
            GM,
            "go_to_range",
            f"{fight.name(withdraws[0].character)} withdraws: go on with missiles "
            "(Range and Cover)?",
            because="extended_example.leave.to_range_and_cover",
        )
    )


def _how(fight: Fight) -> str:
    gone = {each.out for each in fight.fighters if each.out}
    return GAVE_UP if gone <= {"gave up", "left"} else FELLED


def out_of_reach(fight: Fight) -> Play[FightResult]:
    """All are out of everybody's reach: it is over, unless they engage again.

    fight.distance.outside.fight_over, fight.amb.fight_over_who.
    """
    rule = "fight.distance.outside.fight_over"
    said = yield from choose(
        GM,
        "out_of_reach",
        "Everyone is out of reach. What next?",
        {
            "over": "The fight is over",
            "engage": "Engage again",
            MISSILES: "Continue with missiles (Range and Cover)",
            "chase": "Somebody flees and is chased",
            "duel": "Talk (Duel of Wits)",
        },
        default="engage" if not fight.engaged else "over",
        because=rule,
    )
    if said != "engage":
        return then(settle, fight, AT_RANGE if said == MISSILES else APART)
    fight = msgspec.structs.replace(fight, gaps=())
    fight = yield from engage(fight)
    return then(exchange, fight, fight.exchange + 1)


def nobody_acts(fight: Fight) -> Play[FightResult]:
    """Everybody hesitates or flees: the exchange is over, and the GM says whether the fight is.

    fight.sequence.9_end.
    """
    said = yield from choose(
        GM,
        "nobody_acts",
        "Everybody hesitates",
        {"go_on": "Another exchange", "over": "The fight is over"},
        default="go_on",
        because="fight.sequence.9_end",
        kind="aside",
    )
    if said == "over":
        return then(settle, fight, CALLED_OFF)
    # Their actions go by until the first of them recovers.
    for _ in range(min(each.hesitates for each in fight.standing)):
        for each in fight.standing:
            fight = yield from pass_action(fight, each.character)
    return then(exchange, fight, fight.exchange + 1)
