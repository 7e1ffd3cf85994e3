"""The dice of equipment: thrown for armor and shields, kept apart from all other dice.

They are counted like those of any ability, but their ones damage the equipment. Luck and Saving
Grace may be bought on them as on any roll; ones are counted when all that is over
(armor.amb.ones_and_artha).
"""

from __future__ import annotations

import msgspec

from astragal.dice import Die, OpenEnded, Pool, Shade, Shaded
from astragal.play import Play, Seat, Step, call, confirm, roll, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..artha.before_the_roll import Boost, before_roll
from ..artha.on_a_roll import ArthaAtHand, ThrownDice
from ..sheet.armor_tables import ArmorPiece, Shield
from ..sheet.editions import edition
from ..sheet.parts import Ability, AbilityKind, Artha
from ..sheet.ratings import Rating
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated

D6 = Die(6)


def boost_equipment(
    character: str, called: str, shade: Shade, dice: int, table: BurningTable
) -> Step[Boost]:
    """Offer artha before the roll of a thing's dice.

    As on any ability (armor.artha.allowed), but for doubling
    (artha.divine_inspiration.not_reflexes_or_equipment).
    """
    sheet = table.character(character)
    rated = Rated(called, AbilityKind.SKILL, Ability(Rating(shade, dice)))
    hand = ArthaAtHand(artha.hand(sheet, rated).artha)
    played = edition(table.options)
    return before_roll(sheet.seat(character), rated, hand, equipment=True, played=played)


class EquipmentRoller(msgspec.Struct, frozen=True, cache_hash=True):
    """Who rolls equipment dice for what: ``enough`` successes decide it, ``ones`` can count."""

    label: str
    seat: Seat
    enough: int | None
    ones: int


def throw_alone(shade: Shade, dice: int, boost: Boost, roller: EquipmentRoller) -> Step[ThrownDice]:
    """Throw the dice of a thing with nothing beside them but what artha has bought."""
    bought = Shaded.of(shade, sum(line.amount for line in boost.lines))
    own, nature = Shaded.of(shade, dice), OpenEnded.NO
    return call(throw_equipment, own, bought, nature, roller, boost.hand, boost.spent)


def throw_equipment(
    own: Shaded,
    beside: Shaded,
    nature: OpenEnded,
    roller: EquipmentRoller,
    held: ArthaAtHand,
    spent: Artha,
) -> Play[ThrownDice]:
    """Throw the dice of a thing and those ``beside`` them, then offer what may be bought.

    Only the thing's own dice can damage it: not those of a Boon
    (armor.amb.artha_boon_on_armor), not those of a skill (armor.shield.damage_ones), not the
    extra dice of an open-ended roll.
    """
    label, seat = roller.label, roller.seat
    thrown = yield from artha.throw_thing(
        own, nature, label, seat, held, spent, roller.ones, roller.enough
    )
    if beside:
        others, what = Pool(beside, nature), "other dice"
        return then(artha.roll_again, others, what, thrown, held, label, seat, roller.enough)
    return artha.seen(thrown, held, label, seat, roller.enough)


# --- What ones do ----------------------------------------------------------------------------


def ones_that_count(quality: str, ones: int) -> int:
    """How many of the ones of a roll matter.

    All of them for poor quality (armor.quality.poor), at most one for any other
    (armor.quality.run_of_the_mill); shields are like armor (armor.shield.quality).

    >>> [ones_that_count(quality, 3) for quality in ("poor", "run_of_the_mill", "superior")]
    [3, 1, 1]
    """
    table = catalogue().table("armor.table.quality_damage")
    most = table.number("most_ones_each_roll", quality=quality)
    return min(ones, most) if most else ones


def ones_count(thing: Shade, attack: Shade) -> bool:
    """Whether an attack of one shade can damage a thing of another at all: not if it is darker.

    >>> ones_count(Shade.GRAY, Shade.BLACK), ones_count(Shade.GRAY, Shade.GRAY)
    (False, True)
    """
    table = catalogue().table("armor.table.shade_damage")
    column = f"ones_count_against_{attack.value}_attack"
    return table.value(column, armor_shade=thing.value) is not False


def ones_at_stake(thing: ArmorPiece | Shield, attack: Shade, dice: int) -> int:
    """How many ones on these dice can count at all, against this attack."""
    if not ones_count(Shade.parse(thing.shade), attack):
        return 0
    return ones_that_count(thing.quality, dice)


def dice_lost(thing: ArmorPiece | Shield, ones: int, attack: Shade, seat: Seat) -> Step[int]:
    """How many dice a thing loses to the ones of a roll.

    None to an attack that is darker than the thing (armor.damage.shade_immunity_gray,
    armor.damage.shade_immunity_white, shades.amb.shields_vs_lighter_weapons). Of superior quality
    the one may be rolled again, and only another 1 counts (armor.quality.superior); that decides
    the damage and nothing else (armor.amb.superior_reroll_success).
    """
    lost = ones_at_stake(thing, attack, ones)
    reroll = (
        catalogue().table("armor.table.quality_damage").value("may_reroll", quality=thing.quality)
    )
    if not lost or not reroll:
        return lost
    wanted = yield from confirm(
        seat,
        "reroll_one",
        f"A die of the {thing.called} shows a 1. Reroll it? Only another 1 damages it.",
        default=True,
        because="armor.quality.superior",
        kind="aside",
    )
    if not wanted:
        return lost
    face = yield from roll(D6, f"{thing.called}: reroll of the 1", seat)
    return 1 if face == 1 else 0
