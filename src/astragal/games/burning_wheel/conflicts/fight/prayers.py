"""Prayers in a fight: what is prayed for at the top of a volley, and the test of Faith.

A section of the chapter on Fight! (``conflicts/fight/fight``). A prayer costs no action
(faith.conflict.fight_tandem) and goes with the first one of its volley; wounds do not stop it, but
who hesitates cannot speak it (faith.amb.prayer_interruption).
"""

from __future__ import annotations

import msgspec

from astragal.errors import Refusal
from astragal.play import Step, call, note

from ...magic.faith.in_conflict import choose_prayer
from ...magic.faith.prayer_tables import PURIFICATION, prayer_named
from ...magic.faith.praying import PrayerAnswer, offer_prayer
from ...magic.faith.requests import Pray, check_request
from ...magic.sorcery.in_conflict import PeopleAround
from ...magic.sorcery.interruption import InterruptSpell
from .casting import take_over
from .distance import Distance, distance_at
from .harm import leave_if_felled
from .state import Fight, FightDeed, PrayerUnderway

SHORTEST = "shortest"
HELD = "restrained"


def prayer_chosen(fight: Fight, character: str) -> Step[Pray | None]:
    """What a fighter prays for in this volley, if for anything (faith.conflict.fight_tandem)."""
    near = sorted(fight.opponents(character), key=lambda other: fight.gap(character, other))
    friends = [e.character for e in fight.standing if e.character not in (character, *near)]
    castings = tuple(
        InterruptSpell(casting.declared.arguments, HELD, casting.done, held=bool(casting.held))
        for other in near
        if (casting := fight.fighter(other).casting) is not None and casting.is_begun
    )
    around = PeopleAround(character, tuple(near), tuple(friends))
    return (yield from choose_prayer(around, castings, fight.table))


# --- The test ----------------------------------------------------------------------------------


def pray_with(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[Fight]:
    """A prayer whose words end in this volley is rolled with the first action of its priest.

    faith.amb.prayer_timing_in_fight.
    """
    for deed in deeds:
        prayer = fight.fighter(deed.character).prayer
        if prayer is not None and prayer.volleys == 1:
            fight = yield from _roll(fight, deed.character)
    return fight


def pray_without_action(fight: Fight) -> Step[Fight]:
    """At the end of a volley: prayers of those who had no action in it, and those that go on.

    With an action that was lost the prayer is lost, too (faith.conflict.fight_tandem_lost), and
    who hesitates does not go on with it (faith.conflict.fight_word_limit).
    """
    for fighter in fight.standing:
        prayer, name = fighter.prayer, fighter.character
        if prayer is None:
            continue
        drools = bool(fighter.announced) and set(fighter.announced) == {"stand_and_drool"}
        if fighter.is_hesitating or drools:
            fight = yield from lose_prayer(fight, name)
        elif prayer.volleys > 1:
            left = msgspec.structs.replace(prayer, volleys=prayer.volleys - 1)
            fight = fight.change(name, prayer=left)
        else:
            fight = yield from _roll(fight, name)
    return fight


def lose_prayer(fight: Fight, character: str) -> Step[Fight]:
    """A prayer that is not spoken to its end has no power (faith.conflict.fight_tandem_lost)."""
    text = f"{fight.name(character)}'s prayer is lost."
    yield from note(text, "faith.conflict.fight_tandem_lost")
    return fight.change(character, prayer=None, prays=False)


def _roll(fight: Fight, character: str) -> Step[Fight]:
    """The test of Faith, and what the answer does to the fighters.

    Whom it holds loses actions (faith.prayer.hindrance_effect), and a casting that it holds up is
    broken off.
    """
    underway = fight.fighter(character).prayer
    assert underway is not None
    fight = fight.change(character, prayer=None)
    prayer = _as_it_is(fight, underway)
    if prayer is None:
        return (yield from lose_prayer(fight, character))
    outcome, table = yield from call(offer_prayer, prayer, fight.table)
    fight = fight.at(table)
    if outcome.answer is PrayerAnswer.GRANTED:
        for broken in prayer.castings:
            caster = broken.casting.character
            if caster in outcome.touched:  # faith.setup.believer_or_infidel
                fight = fight.change(caster, casting=None)
    fight = yield from take_over(fight)
    for each in fight.standing:
        fight = yield from leave_if_felled(fight, each.character)
    return fight


def _as_it_is(fight: Fight, underway: PrayerUnderway) -> Pray | None:
    """The prayer as it can be asked for by now; None if it has become pointless.

    What is purified must be touched (faith.prayer.purification). A spell that is held by then is
    done in full (sorcery.coup.distracted).
    """
    prayer = underway.prayer
    castings: tuple[InterruptSpell, ...] = ()
    for each in prayer.castings:
        casting = fight.fighter(each.casting.character).casting
        if casting is None or not casting.is_begun:
            return None
        as_it_is = msgspec.structs.replace(each, done=casting.done, held=bool(casting.held))
        castings += (as_it_is,)
    prayer = msgspec.structs.replace(prayer, castings=castings)
    if prayer.prayer == PURIFICATION:
        for target in prayer.targets:
            near = distance_at(fight.gap(prayer.character, target), SHORTEST)
            if near not in (Distance.OPTIMAL, Distance.INSIDE):
                return None
    try:
        check_request(prayer, prayer_named(prayer.prayer), fight.table)
    except Refusal:
        return None
    return prayer
