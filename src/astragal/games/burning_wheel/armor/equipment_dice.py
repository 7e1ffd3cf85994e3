"""The dice of equipment: thrown for armor and shields, kept apart from all other dice.

They are counted like those of any ability, but their ones damage the equipment. Luck and Saving
Grace may be bought on them as on any roll; ones are counted when all that is over
(armor.amb.ones_and_artha).
"""

from __future__ import annotations

import msgspec

from astragal.dice import Count, Die, OpenEnded, Pool, Shade, Shaded
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.on_a_roll import ArthaAtHand, ThrownDice
from astragal.games.burning_wheel.sheet.armor_tables import ArmorPiece, Shield
from astragal.games.burning_wheel.sheet.editions import edition
from astragal.games.burning_wheel.sheet.parts import Ability, AbilityKind, Artha
from astragal.games.burning_wheel.sheet.ratings import Rating
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Rated
from astragal.play import Play, Seat, Step, Then, call, choose, confirm, roll, then
from astragal.rules import catalogue

NO_DICE = Shaded()
D6 = Die(6)


class EquipmentThrow(msgspec.Struct, frozen=True, cache_hash=True):
    """Equipment dice as thrown, with all dice beside them."""

    thrown: ThrownDice
    ones: int
    """Those that can count; further ones do not matter."""
    failed: Shaded = NO_DICE
    """The thing's own failed dice, while anything can still be bought on them."""

    @property
    def successes(self) -> int:
        """The successes of the whole roll."""
        return self.thrown.successes

    def settled(self, more: int = 0) -> EquipmentThrow:
        """The dice when nothing more can be bought, with ``more`` successes."""
        return EquipmentThrow(self.thrown.settled(more), self.ones)


def boost_equipment(
    character: str, called: str, shade: Shade, dice: int, table: BurningTable
) -> Step[artha.Boost]:
    """Offer artha before the roll of a thing's dice.

    As on any ability (armor.artha.allowed), but for doubling
    (artha.divine_inspiration.not_reflexes_or_equipment).
    """
    sheet = table.character(character)
    rated = Rated(called, AbilityKind.SKILL, Ability(Rating(shade, dice)))
    hand = ArthaAtHand(artha.hand(sheet, rated).artha)
    played = edition(table.options)
    return artha.before_roll(sheet.seat(character), rated, hand, equipment=True, played=played)


class EquipmentRoller(msgspec.Struct, frozen=True, cache_hash=True):
    """Who rolls equipment dice for what: ``enough`` successes decide it, ``ones`` can count."""

    label: str
    seat: Seat
    enough: int | None
    ones: int

    def missing(self, thrown: ThrownDice) -> int | None:
        """The successes still needed."""
        return None if self.enough is None else max(0, self.enough - thrown.successes)


def throw_alone(
    shade: Shade, dice: int, boost: artha.Boost, roller: EquipmentRoller
) -> Step[EquipmentThrow]:
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
) -> Play[EquipmentThrow]:
    """Throw the dice of a thing and those ``beside`` them, then offer what may be bought.

    Only the thing's own dice can damage it: not those of a Boon
    (armor.amb.artha_boon_on_armor), not those of a skill (armor.shield.damage_ones), not the
    extra dice of an open-ended roll.
    """
    final = not held.may_buy(lucky=False)
    pool = Pool(own, nature).with_ones()
    first = yield from roll(pool, roller.label, roller.seat, enough=roller.enough, final=final)
    thrown = ThrownDice(first.successes, first.sixes, first.traitors, nature, spent=spent)
    # Extra dice fail, too: of all that failed, at most the thing's own are its own.
    dice = EquipmentThrow(thrown, min(first.ones, roller.ones), _at_most(first.traitors, own))
    dice = dice.settled() if final else dice
    if beside:
        return then(roll_on, Pool(beside, nature), "other dice", dice, roller, held)
    return _seen(dice, roller, held)


def _seen(
    dice: EquipmentThrow, roller: EquipmentRoller, held: ArthaAtHand
) -> EquipmentThrow | Then[EquipmentThrow]:
    """The dice as they are, or the question what to buy on them."""
    if not held.may_buy(lucky=dice.thrown.lucky, failed=bool(dice.thrown.traitors)):
        return dice.settled()
    return then(after_equipment, dice, roller, held)


def after_equipment(
    dice: EquipmentThrow, roller: EquipmentRoller, held: ArthaAtHand
) -> Play[EquipmentThrow]:
    """Let the player buy Luck or Saving Grace, one at a time, until done.

    artha.saving_grace.equipment: a one that is rerolled does no harm, a new one does.
    """
    successes = "1 success" if dice.successes == 1 else f"{dice.successes} successes"
    damage = f" (1s that can damage it: {dice.ones})" if dice.ones else ""
    choice = yield from choose(
        roller.seat,
        "after_roll",
        f"{roller.label}: {successes}{damage}. Spend artha?",
        (artha.CONTENT, *artha.offers(dice.thrown, held)),
        default=artha.CONTENT.key,
        because="armor.artha.allowed",
        # Nothing is gained once the blow is stopped and no 1 can do damage.
        kind="offered" if roller.missing(dice.thrown) != 0 or dice.ones else "aside",
    )
    if choice == artha.CONTENT.key:
        return dice.settled()
    trait = choice.removeprefix(artha.CALL_ON)
    if not (yield from artha.applies(held, trait)):
        return _seen(dice, roller, artha.without(held, trait))
    again, thrown, held = artha.buy(choice, dice.thrown, held)
    dice = msgspec.structs.replace(dice, thrown=thrown)
    if choice == "luck" or not dice.failed:
        what = "Luck" if choice == "luck" else "reroll"
        return then(roll_on, again, what, dice, roller, held)
    return then(reroll_own, again, dice, roller, held)


def roll_on(
    pool: Pool, what: str, dice: EquipmentThrow, roller: EquipmentRoller, held: ArthaAtHand
) -> Play[EquipmentThrow]:
    """Roll further dice, which cannot damage the thing."""
    final = not held.may_buy(lucky=dice.thrown.lucky)
    label, enough = f"{roller.label}: {what}", roller.missing(dice.thrown)
    more = yield from roll(pool, label, roller.seat, enough=enough, final=final)
    if final:
        return dice.settled(more.successes)
    return _seen(msgspec.structs.replace(dice, thrown=dice.thrown.joined(more)), roller, held)


def reroll_own(
    again: Pool, dice: EquipmentThrow, roller: EquipmentRoller, held: ArthaAtHand
) -> Play[EquipmentThrow]:
    """Reroll all failed dice, the thing's own apart: only the ones of the reroll count."""
    final = not held.may_buy(lucky=dice.thrown.lucky)
    own, others = Pool(dice.failed, again.open_ended).with_ones(), again.dice - dice.failed
    label, enough = f"{roller.label}: reroll", roller.missing(dice.thrown)
    anew = yield from roll(own, label, roller.seat, enough=enough, final=final)
    thrown = dice.thrown.joined(Count(anew.successes, anew.sixes, anew.traitors))
    dice = EquipmentThrow(thrown, min(anew.ones, roller.ones))
    dice = dice.settled() if final else dice
    if others:
        rest = Pool(others, again.open_ended)
        return then(roll_on, rest, "reroll of other dice", dice, roller, held)
    return _seen(dice, roller, held)


def _at_most(failed: Shaded, own: Shaded) -> Shaded:
    """Those of the failed dice that can be the thing's own, shade by shade."""
    return Shaded(*(min(count, own[shade]) for shade, count in failed.items()))


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
