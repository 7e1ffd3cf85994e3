"""The cards of Strikes: with each part of what is in hand, and with what there is beside it.

A section of the chapter on Fight! (``conflicts/fight/fight``). Weapon speed limits how often each
of them may be scripted.
"""

from __future__ import annotations

from astragal.play import CardLimit, CardRule, Option

from ...sheet.catalogue_keys import key_of
from ...sheet.weapon_tables import FIST, LANCE, MeleeWeapon, Weapon, ways
from .cards import EFFECTS, GREAT, MANEUVERS, SET, STRIKE
from .footing import named_way
from .mounted_cards import no_lance
from .state import Fight, in_hand
from .weapon_in_hand import others_at_hand, way_in_hand, way_in_melee, wielded


def known_ways(fight: Fight, character: str) -> tuple[MeleeWeapon, ...]:
    """The ways in which a fighter can use the weapon in hand, the usual one first."""
    found = ways(in_hand(fight, character), fight.table.options)
    return found or (way_in_hand(fight, character),)


def strike_cards(fight: Fight, character: str, card: str) -> list[Option]:
    """The cards of a Strike, or of a Great Strike with what is meant for it.

    A Strike is made with any part of the weapon in hand, with the one in the other hand, with a
    shield (armor.shield.as_weapon), or with bare hands (fight.strike.ability).
    """
    label, rule = MANEUVERS[card]
    known, lance = known_ways(fight, character), no_lance(fight, character)
    cards = [
        Option(
            _key(card, way, known[0]),
            _named(label, way, known[0]),
            rule,
            note=f"{way.name}: {EFFECTS[card]}{_where(way)}",
        )
        for way in known
        if card == STRIKE or may_great_strike(fight, way)
        if lance is None or way.name != LANCE
    ]
    if card == STRIKE:
        cards += [
            Option(f"{card}:{key}", f"{label} ({each.called})", rule, note=_said_of(each))
            for key, each in others_at_hand(fight, character).items()
        ]
    return cards


def _said_of(beside: Weapon) -> str:
    """What a Strike with something beside the weapon does.

    Nothing of bare hands, which few want who are armed: cards without a note are folded away.
    """
    return "" if beside.weapon == FIST else EFFECTS[STRIKE]


def _key(card: str, way: MeleeWeapon, first: MeleeWeapon) -> str:
    return card if way is first else f"{card}:{key_of(way.name)}"


def _where(way: MeleeWeapon) -> str:
    """Fangs and the like are of use only on the inside (rogues.burned.fangs_inside)."""
    return ", on the inside only" if way.inside_only else ""


def _named(label: str, way: MeleeWeapon, first: MeleeWeapon) -> str:
    return label if way is first else f"{label} ({way.name.rpartition(', ')[2]})"


def may_great_strike(fight: Fight, way: MeleeWeapon) -> bool:
    """Whether a weapon is for Great Strikes, or the bare hands are.

    fight.great_strike.weapon_allows, fight.amb.great_strike_unarmed.
    """
    if way.name == FIST:
        return fight.table.options["fight_great_strike_unarmed"] == "allowed"
    return way.may_great_strike


def needs_set(fight: Fight, known: tuple[MeleeWeapon, ...]) -> bool:
    """Whether any of these ways to strike takes a Set."""
    return any(may_great_strike(fight, way) or way.speed == "unwieldy" for way in known)


# --- Weapon speed ----------------------------------------------------------------------------


def strike_rules(fight: Fight, character: str, there: set[str]) -> list[CardRule]:
    """How often each weapon strikes, of the cards that are there.

    Not when another is drawn: then it is the speed of that one which counts (:func:`slow_strike`).
    """
    drawn = tuple(sorted(card for card in there if card.startswith(DRAW)))
    known, before = known_ways(fight, character), fight.fighter(character).ready.sets
    rules: list[CardRule] = []
    for way in known:
        strikes = tuple(k for k in (_key(STRIKE, way, known[0]),) if k in there)
        greats = tuple(k for k in (_key(GREAT, way, known[0]),) if k in there)
        also = ("block_and_strike",) if way is known[0] and "block_and_strike" in there else ()
        rules += _speed_rules(way, strikes + also, greats, before, drawn)
    for key, each in others_at_hand(fight, character).items():
        way = way_in_melee(each, "", fight.table.options)
        strikes = tuple(k for k in (f"{STRIKE}:{key}",) if k in there)
        rules += _speed_rules(way, strikes, (), before)
    return rules


def _speed_rules(
    way: MeleeWeapon,
    strikes: tuple[str, ...],
    greats: tuple[str, ...],
    before: int,
    drawn: tuple[str, ...] = (),
) -> list[CardRule]:
    """How often a weapon strikes (fight.xref.weapon_speed), and what a Great Strike needs.

    A Set directly before it, also in the volley before (fight.amb.great_strike_set_gap); two with
    an unwieldy weapon (fight.great_strike.unwieldy). ``before`` are the Sets with which the last
    exchange ended.
    """
    unwieldy = way.speed == "unwieldy"
    found = []
    if greats:
        words = "a Set directly before each Great Strike"
        rule, needed = "fight.great_strike.two_actions", 1
        if unwieldy:
            rule, needed = "fight.great_strike.unwieldy", 2
            words = f"two Sets directly before a Great Strike: the {way.name} is unwieldy"
        found.append(CardRule(CardLimit.AFTER, greats, words, rule, (SET,), needed, before))
    if unwieldy:
        words = f"a Set directly before each Strike: the {way.name} is unwieldy"
        rule = "weapons.speed.unwieldy"
        found.append(CardRule(CardLimit.AFTER, strikes, words, rule, (SET,), 1, before, drawn))
    elif way.speed == "slow":
        words = f"another action between two Strikes: the {way.name} is slow"
        rule = "weapons.speed.slow"
        found.append(CardRule(CardLimit.NOT_TWICE, strikes + greats, words, rule, until=drawn))
    return found


STRIKES = (STRIKE, GREAT, "block_and_strike")
DRAW = "draw_weapon:"


def slow_strike(fight: Fight, character: str, card: str) -> str:
    """The slow weapon with which a card Strikes, by name and use; empty for all other cards.

    A script keeps to the speed of what was in hand when it was written (:func:`strike_rules`). By
    this its Strikes keep to that of a weapon which was drawn since (weapons.speed.slow).
    """
    if card.partition(":")[0] not in STRIKES:  # nor is an order to the mount one
        return ""
    named = named_way(fight, character, card)
    way = way_in_hand(fight, character, named)
    if way.speed != "slow":
        return ""
    return f"{wielded(fight, character, named).called}, {way.name}"
