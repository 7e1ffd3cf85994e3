"""Prayers in a fight: what is prayed for at the top of a volley, and the test of Faith.

A section of the chapter on Fight! (``conflicts/fight/fight``). A prayer costs no action
(faith.conflict.fight_tandem) and goes with the first one of its volley; wounds do not stop it, but
who hesitates cannot speak it (faith.amb.prayer_interruption).
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed, Refusal
from astragal.games.burning_wheel.beliefs.statements_of_faith import stated_faith
from astragal.games.burning_wheel.conditions.wounds import name_of
from astragal.games.burning_wheel.conflicts.fight.casting import take_over
from astragal.games.burning_wheel.conflicts.fight.distance import Distance, distance_at
from astragal.games.burning_wheel.conflicts.fight.harm import leave_if_felled
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    FightDeed,
    PrayerUnderway,
)
from astragal.games.burning_wheel.injury.bleeding import is_bleeding
from astragal.games.burning_wheel.magic.faith.faithful import is_faithful
from astragal.games.burning_wheel.magic.faith.prayer_tables import (
    AID,
    BLESSING,
    BOON,
    CONSECRATION,
    HINDRANCE,
    MINOR_MIRACLE,
    PURIFICATION,
    PrayerKind,
    prayer_named,
    prayers,
)
from astragal.games.burning_wheel.magic.faith.praying import PrayerAnswer, offer_prayer
from astragal.games.burning_wheel.magic.faith.religions import check_works
from astragal.games.burning_wheel.magic.faith.requests import Pray, check_request, is_lesser_spirit
from astragal.games.burning_wheel.magic.sorcery.interruption import InterruptSpell
from astragal.games.burning_wheel.sheet.catalogue_keys import key_of
from astragal.games.burning_wheel.sheet.parts import AbilityKind
from astragal.play import Noted, Option, PickSeveral, Step, ask, call, choose, tell

SHORTEST = "shortest"
HELD = "restrained"
FOES = 3
"""The most foes of a Hindrance, unless the group allows more."""


# --- What is prayed for ------------------------------------------------------------------------


def may_pray(fight: Fight, character: str) -> bool:
    """Whether a fighter can pray: Faithful, and with a Belief (faith.belief.required)."""
    sheet = fight.sheet(character)
    return is_faithful(sheet) and bool(stated_faith(sheet) or sheet.beliefs)


def prayers_here(fight: Fight, character: str) -> tuple[PrayerKind, ...]:
    """The prayers that work in the faith of a fighter; a place is not made holy in a fight.

    faith.setup.pick_prayers.
    """
    faith = stated_faith(fight.sheet(character)).casefold()
    religion = next((r for r in fight.table.scene.religions if r.name.casefold() == faith), None)
    found = []
    for kind in prayers().values():
        if kind.code == CONSECRATION or (kind.code == BLESSING and not _others(fight, character)):
            continue
        if religion is not None:
            try:
                check_works(kind, religion)
            except NotAllowed:
                continue
        found.append(kind)
    return tuple(found)


def choose_prayer(fight: Fight, character: str) -> Step[Pray | None]:
    """What a fighter prays for in this volley, if for anything: one prayer at a time.

    faith.amb.prayer_timing_in_fight; with what it has to name (faith.pray.procedure).
    """
    rule = "faith.conflict.fight_tandem"
    options = [Option("none", "No prayer", rule)]
    options += [
        Option(kind.code, kind.name, rule, note=f"Ob {', '.join(map(str, kind.obstacles))}")
        for kind in prayers_here(fight, character)
    ]
    prompt = f"{fight.name(character)} prays for"
    chosen = yield from choose(
        fight.seat(character), "prayer", prompt, options, default="none", because=rule, kind="aside"
    )
    if chosen == "none":
        return None
    kind = prayer_named(chosen)
    prayer = Pray(character, chosen, intent=kind.name, in_script=True)
    details = _DETAILS.get(kind.code)
    if details is not None:
        prayer = yield from details(fight, prayer)
    check_request(prayer, kind, fight.table)
    return prayer


def _others(fight: Fight, character: str) -> list[str]:
    side = fight.fighter(character).side
    return [
        each.character
        for each in fight.standing
        if each.side == side and each.character != character
    ]


def _one_of(fight: Fight, prayer: Pray, key: str, among: list[str], what: str) -> Step[str]:
    """One of several fighters; nobody is asked where there is only one."""
    if len(among) == 1:
        return among[0]
    names = {each: fight.name(each) for each in among}
    kind = prayer_named(prayer.prayer)
    prompt = f"{kind.name}: {what}"
    seat = fight.seat(prayer.character)
    return (yield from choose(seat, key, prompt, names, default=among[0], because=kind.rule))


def _hindrance(fight: Fight, prayer: Pray) -> Step[Pray]:
    """The foes that it shall hold (faith.prayer.hindrance_obstacle)."""
    character = prayer.character
    near = sorted(fight.opponents(character), key=lambda other: fight.gap(character, other))
    rule = "faith.prayer.hindrance_obstacle"
    if len(near) == 1:
        return msgspec.structs.replace(prayer, targets=tuple(near))
    limited = fight.table.options["faith_hindrance_foes"] == "three_at_most"
    foes = yield from ask(
        fight.seat(character),
        "prayer_foes",
        "Hindrance: foes",
        PickSeveral(
            options=tuple(Option(each, fight.name(each), rule) for each in near),
            least=1,
            most=min(FOES, len(near)) if limited else len(near),
            default=tuple(near[:1]),
        ),
        because=rule,
    )
    return msgspec.structs.replace(prayer, targets=foes)


def _for_an_ability(fight: Fight, prayer: Pray) -> Step[Pray]:
    """Whom a Blessing, an Aid or a Boon is for, and which ability.

    faith.prayer.blessing, faith.prayer.aid_choose_at_prayer, faith.prayer.boon.
    """
    own, others = [prayer.character], _others(fight, prayer.character)
    alone = fight.table.options["faith_aid_recipient"] == "priest_only"
    among = {BLESSING: others, AID: own if alone else own + others}.get(prayer.prayer, own + others)
    whom = yield from _one_of(fight, prayer, "prayer_for", among, "for")
    sheet = fight.sheet(whom)
    names = [*sheet.stats, *sheet.skills, *(n for n in ("Steel", "Health") if sheet.find(n))]
    kind = prayer_named(prayer.prayer)
    first = next((n for n in names if _is_skill(fight, whom, n)), names[0])
    ability = yield from choose(
        fight.seat(prayer.character),
        "prayer_ability",
        f"{kind.name}: ability of {sheet.name}",
        {name: name for name in names},
        default=first,
        because=kind.rule,
    )
    return msgspec.structs.replace(
        prayer,
        targets=() if whom == prayer.character else (whom,),
        ability=ability,
        task="the fight",
    )


def _is_skill(fight: Fight, character: str, name: str) -> bool:
    rated = fight.sheet(character).find(name)
    return rated is not None and rated.kind is AbilityKind.SKILL


def _minor_miracle(fight: Fight, prayer: Pray) -> Step[Pray]:
    """Which small wonder: a spell broken, a wound closed, a blade made whole, or another one.

    faith.prayer.minor_miracle, faith.conflict.spellbreaker.
    """
    wonders = _wonders(fight, prayer)
    if not wonders:
        return prayer
    options = {"other": "Another small wonder"} | {
        key: label for key, (label, _) in wonders.items()
    }
    chosen = yield from choose(
        fight.seat(prayer.character),
        "wonder",
        "Minor Miracle",
        options,
        default="other",
        because="faith.prayer.minor_miracle",
    )
    return prayer if chosen == "other" else wonders[chosen][1]


def _wonders(fight: Fight, prayer: Pray) -> dict[str, tuple[str, Pray]]:
    """The wonders that the rules count, each with what it is called and the prayer for it."""
    found: dict[str, tuple[str, Pray]] = {}
    for other in fight.opponents(prayer.character):
        name, casting = fight.name(other), fight.fighter(other).casting
        aimed = msgspec.structs.replace(prayer, targets=(other,))
        if casting is not None and casting.done:
            broken = InterruptSpell(casting.declared.arguments, HELD, casting.done)
            label = f"Break off {name}'s casting of {casting.name}"
            found[f"casting:{other}"] = label, msgspec.structs.replace(aimed, castings=(broken,))
        for spell in fight.sheet(other).sustained:
            ended = msgspec.structs.replace(aimed, spell=spell.name)
            found[f"spell:{other}:{key_of(spell.name)}"] = f"End {name}'s {spell.name}", ended
    now = fight.table.scene.calendar.moment
    for friend in (prayer.character, *_others(fight, prayer.character)):
        sheet = fight.sheet(friend)
        targets = () if friend == prayer.character else (friend,)
        aimed = msgspec.structs.replace(prayer, targets=targets)
        for number, wound in enumerate(sheet.wounds, 1):
            if is_bleeding(wound, now):
                closed = msgspec.structs.replace(aimed, wound=number)
                label = f"Close {sheet.name}'s {name_of(wound)}"
                found[f"wound:{friend}:{number}"] = label, closed
        for weapon in sheet.weapons:
            if weapon.broken:
                whole = msgspec.structs.replace(aimed, thing=weapon.called)
                found[f"thing:{friend}:{key_of(weapon.called)}"] = (
                    f"Mend the {weapon.called}",
                    whole,
                )
    return found


def _purification(fight: Fight, prayer: Pray) -> Step[Pray]:
    """A lesser spirit among the opponents, if there is one (faith.prayer.purification)."""
    spirits = [o for o in fight.opponents(prayer.character) if is_lesser_spirit(fight.sheet(o))]
    if not spirits:
        return prayer
    whom = yield from _one_of(fight, prayer, "prayer_for", spirits, "drives out")
    return msgspec.structs.replace(prayer, targets=(whom,))


_DETAILS = {
    HINDRANCE: _hindrance,
    BLESSING: _for_an_ability,
    AID: _for_an_ability,
    BOON: _for_an_ability,
    MINOR_MIRACLE: _minor_miracle,
    PURIFICATION: _purification,
}


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
    yield from tell(Noted(text, "faith.conflict.fight_tandem_lost"))
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
            fight = fight.change(broken.casting.character, casting=None)
    fight = yield from take_over(fight)
    for each in fight.standing:
        fight = yield from leave_if_felled(fight, each.character)
    return fight


def _as_it_is(fight: Fight, underway: PrayerUnderway) -> Pray | None:
    """The prayer as it can be asked for by now; None if it has become pointless.

    What is purified must be touched (faith.prayer.purification).
    """
    prayer = underway.prayer
    castings: tuple[InterruptSpell, ...] = ()
    for each in prayer.castings:
        casting = fight.fighter(each.casting.character).casting
        if casting is None or not casting.done:
            return None
        castings += (msgspec.structs.replace(each, done=casting.done),)
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
