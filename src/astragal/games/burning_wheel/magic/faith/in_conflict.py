"""Praying in a scripted conflict: what is prayed for, with all that it has to name.

A section of the chapter on Faith that all conflicts share.
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Option, PickSeveral, Seat, Step, ask, choose

from ...beliefs.statements_of_faith import stated_faith
from ...conditions.wounds import name_of
from ...injury.bleeding import is_bleeding
from ...sheet.catalogue_keys import key_of
from ...sheet.parts import AbilityKind
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ..sorcery.in_conflict import PeopleAround
from ..sorcery.interruption import InterruptSpell
from .faithful import is_faithful
from .prayer_tables import (
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
from .religions import check_works
from .requests import Pray, check_request, is_lesser_spirit

PRAYER, NO_PRAYER = "prayer", "none"
"""The key of the question for a prayer, and the answer that is its default."""

FOES = 3
"""The most foes of a Hindrance, unless the group allows more."""


class _Asking(msgspec.Struct, frozen=True):
    """Who is asked for the details of a prayer, and among whom."""

    around: PeopleAround
    castings: tuple[InterruptSpell, ...]
    table: BurningTable

    @property
    def seat(self) -> Seat:
        """The player of the priest."""
        return self.table.character(self.around.character).seat(self.around.character)

    def name(self, character: str) -> str:
        """What somebody is called."""
        return self.table.character(character).name


def may_pray(sheet: Sheet) -> bool:
    """Whether somebody can pray: Faithful, and with a Belief (faith.belief.required)."""
    return is_faithful(sheet) and bool(stated_faith(sheet) or sheet.beliefs)


def prayers_here(around: PeopleAround, table: BurningTable) -> tuple[PrayerKind, ...]:
    """The prayers that work in somebody's faith; a place is not made holy in a conflict.

    faith.setup.pick_prayers. Aid is for those for whom none waits yet (faith.amb.aid_zero_extra).
    """
    faith = stated_faith(table.character(around.character)).casefold()
    religion = next((r for r in table.scene.religions if r.name.casefold() == faith), None)
    found = []
    for kind in prayers().values():
        if kind.code == CONSECRATION or (kind.code == BLESSING and not around.friends):
            continue
        if kind.code == AID and not _not_yet_aided(around, table):
            continue
        if religion is not None:
            try:
                check_works(kind, religion)
            except NotAllowed:
                continue
        found.append(kind)
    return tuple(found)


def choose_prayer(
    around: PeopleAround, castings: tuple[InterruptSpell, ...], table: BurningTable
) -> Step[Pray | None]:
    """What somebody prays for in a volley, if for anything: one prayer at a time.

    faith.amb.prayer_timing_in_fight; with what it has to name (faith.pray.procedure).
    """
    rule, character = "faith.pray.procedure", around.character
    asking = _Asking(around, castings, table)
    options = [Option(NO_PRAYER, "No prayer", rule)]
    options += [
        Option(kind.code, kind.name, rule, note=_obstacles(kind, len(around.foes)))
        for kind in prayers_here(around, table)
    ]
    prompt = f"{asking.name(character)} prays for"
    chosen = yield from choose(
        asking.seat, PRAYER, prompt, options, default=NO_PRAYER, because=rule
    )
    if chosen == NO_PRAYER:
        return None
    kind = prayer_named(chosen)
    prayer = Pray(character, chosen, intent=kind.name, in_script=True)
    details = _DETAILS.get(kind.code)
    if details is not None:
        prayer = yield from details(asking, prayer)
    check_request(prayer, kind, table)
    return prayer


def _obstacles(kind: PrayerKind, foes: int) -> str:
    """What the prayer may be tested against, with so many foes around.

    faith.prayer.hindrance_obstacle.

    >>> _obstacles(prayer_named("hindrance"), 2)
    'Ob 4 for 1 foe, 5 for 2'
    """
    first, *more = kind.obstacles[: max(1, foes)]
    if not more:
        return f"Ob {first}"
    return f"Ob {first} for 1 foe, " + ", ".join(f"{ob} for {n}" for n, ob in enumerate(more, 2))


def _one_of(
    asking: _Asking, prayer: Pray, key: str, among: tuple[str, ...], what: str
) -> Step[str]:
    """One of several people; nobody is asked where there is only one."""
    if len(among) == 1:
        return among[0]
    names = {each: asking.name(each) for each in among}
    kind = prayer_named(prayer.prayer)
    prompt = f"{kind.name}: {what}"
    return (yield from choose(asking.seat, key, prompt, names, default=among[0], because=kind.rule))


def _hindrance(asking: _Asking, prayer: Pray) -> Step[Pray]:
    """The foes that it shall hold (faith.prayer.hindrance_obstacle)."""
    near = asking.around.foes
    rule = "faith.prayer.hindrance_obstacle"
    if len(near) == 1:
        return msgspec.structs.replace(prayer, targets=near)
    limited = asking.table.options["faith_hindrance_foes"] == "three_at_most"
    foes = yield from ask(
        asking.seat,
        "prayer_foes",
        "Hindrance: foes",
        PickSeveral(
            options=tuple(Option(each, asking.name(each), rule) for each in near),
            least=1,
            most=min(FOES, len(near)) if limited else len(near),
            default=near[:1],
        ),
        because=rule,
    )
    return msgspec.structs.replace(prayer, targets=foes)


def _for_an_ability(asking: _Asking, prayer: Pray) -> Step[Pray]:
    """Whom a Blessing, an Aid or a Boon is for, and which ability.

    faith.prayer.blessing, faith.prayer.aid_choose_at_prayer, faith.prayer.boon.
    """
    own, others = (prayer.character,), asking.around.friends
    among = own + others
    if prayer.prayer == BLESSING:
        among = others
    elif prayer.prayer == AID:
        among = _not_yet_aided(asking.around, asking.table)
    whom = yield from _one_of(asking, prayer, "prayer_for", among, "for")
    sheet = asking.table.character(whom)
    names = [*sheet.stats, *sheet.skills, *(n for n in ("Steel", "Health") if sheet.find(n))]
    kind = prayer_named(prayer.prayer)
    first = next((n for n in names if _is_skill(sheet, n)), names[0])
    ability = yield from choose(
        asking.seat,
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
        task="the conflict",
    )


def _not_yet_aided(around: PeopleAround, table: BurningTable) -> tuple[str, ...]:
    """Those who could be aided: the priest, and friends if the group allows it.

    faith.amb.aid_recipient, faith.amb.aid_zero_extra.
    """
    alone = table.options["faith_aid_recipient"] == "priest_only"
    among = (around.character, *(() if alone else around.friends))
    return tuple(
        each
        for each in among
        if all(prayer.prayer != AID for prayer in table.character(each).prayers)
    )


def _is_skill(sheet: Sheet, name: str) -> bool:
    rated = sheet.find(name)
    return rated is not None and rated.kind is AbilityKind.SKILL


def _minor_miracle(asking: _Asking, prayer: Pray) -> Step[Pray]:
    """Which small wonder: a spell broken, a wound closed, a blade made whole, or another one.

    faith.prayer.minor_miracle, faith.conflict.spellbreaker.
    """
    wonders = _wonders(asking, prayer)
    if not wonders:
        return prayer
    options = {"other": "Another small wonder"} | {
        key: label for key, (label, _) in wonders.items()
    }
    chosen = yield from choose(
        asking.seat,
        "wonder",
        "Minor Miracle",
        options,
        default="other",
        because="faith.prayer.minor_miracle",
    )
    return prayer if chosen == "other" else wonders[chosen][1]


def _wonders(asking: _Asking, prayer: Pray) -> dict[str, tuple[str, Pray]]:
    """The wonders that the rules count, each with what it is called and the prayer for it.

    A casting is broken off, which is a Spell Interrupt, or it only comes to nothing
    (faith.amb.spellbreaker_backlash).
    """
    found: dict[str, tuple[str, Pray]] = {}
    for broken in asking.castings:
        other = broken.casting.character
        stopped = msgspec.structs.replace(prayer, targets=(other,), castings=(broken,))
        casting = f"{asking.name(other)}'s casting of {broken.casting.spell}"
        found[f"casting:{other}"] = f"Break off {casting}", stopped
        harmless = msgspec.structs.replace(stopped, neutral=True)
        found[f"neutral:{other}"] = f"Neutralise {casting}, without harm to the caster", harmless
    for other in asking.around.foes:
        name = asking.name(other)
        aimed = msgspec.structs.replace(prayer, targets=(other,))
        for spell in asking.table.character(other).sustained:
            ended = msgspec.structs.replace(aimed, spell=spell.name)
            found[f"spell:{other}:{key_of(spell.name)}"] = f"End {name}'s {spell.name}", ended
    now = asking.table.scene.calendar.moment
    for friend in (prayer.character, *asking.around.friends):
        sheet = asking.table.character(friend)
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


def _purification(asking: _Asking, prayer: Pray) -> Step[Pray]:
    """A lesser spirit among the opponents, if there is one (faith.prayer.purification)."""
    table = asking.table
    spirits = tuple(o for o in asking.around.foes if is_lesser_spirit(table.character(o)))
    if not spirits:
        return prayer
    whom = yield from _one_of(asking, prayer, "prayer_for", spirits, "drives out")
    return msgspec.structs.replace(prayer, targets=(whom,))


_DETAILS = {
    HINDRANCE: _hindrance,
    BLESSING: _for_an_ability,
    AID: _for_an_ability,
    BOON: _for_an_ability,
    MINOR_MIRACLE: _minor_miracle,
    PURIFICATION: _purification,
}
