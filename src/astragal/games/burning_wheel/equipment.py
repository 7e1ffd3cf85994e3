"""The dice of equipment: thrown for armor and shields, told apart from all other dice.

They are counted like those of any ability, but their ones wear the thing out. Luck and Saving
Grace may be bought on them as on any roll; what a one does is looked at when all that is over
(armor.amb.ones_and_artha).
"""

from __future__ import annotations

import msgspec

from astragal.dice import Count, Die, OpenEnded, Pool, Shade, Shaded
from astragal.games.burning_wheel import artha
from astragal.games.burning_wheel.artha import Hand, Throw
from astragal.games.burning_wheel.harness import Piece, Shield
from astragal.games.burning_wheel.sheet import Artha
from astragal.play import PickOne, Play, Seat, Step, Then, YesNo, ask, roll, then
from astragal.rules import catalogue

NO_DICE = Shaded()
D6 = Die(6)


class Used(msgspec.Struct, frozen=True, cache_hash=True):
    """Equipment dice when nobody will touch them any more: the throw, and ones on their faces."""

    lying: Throw
    ones: int

    @property
    def successes(self) -> int:
        """The successes of the whole roll."""
        return self.lying.successes


def throw_equipment(
    own: Shaded,
    beside: Shaded,
    nature: OpenEnded,
    label: str,
    seat: Seat,
    held: Hand,
    spent: Artha,
    enough: int | None,
) -> Play[Used]:
    """Throw the dice of a thing and those ``beside`` them, then offer what may be bought.

    Only the thing's own dice can damage it: not those of a Boon
    (armor.amb.artha_boon_on_armor), not those of a skill (armor.shield.damage_ones), not the
    extra dice of an open-ended roll.
    """
    final = not held.may_buy(lucky=False)
    first = yield from roll(
        Pool(own, nature).with_ones(), label, seat, enough=None if beside else enough, final=final
    )
    lying = Throw(first.successes, first.sixes, first.traitors, nature, spent=spent)
    if beside:
        more = yield from roll(Pool(beside, nature), f"{label}: other dice", seat, final=final)
        lying = lying.joined(more)
    if final:
        return Used(lying.settled(), first.ones)
    # Extra dice fail, too: of all that failed, at most the thing's own are its own.
    failed = _at_most(first.traitors, own)
    return _seen(lying, failed, first.ones, held, label, seat, enough)


def _seen(
    lying: Throw, own: Shaded, ones: int, held: Hand, label: str, seat: Seat, enough: int | None
) -> Used | Then[Used]:
    """What becomes of the dice: there they lie, or there is something to ask."""
    if not held.may_buy(lucky=lying.lucky, failed=bool(lying.traitors)):
        return Used(lying.settled(), ones)
    return then(after_equipment, lying, own, ones, held, label, seat, enough)


def after_equipment(
    lying: Throw, own: Shaded, ones: int, held: Hand, label: str, seat: Seat, enough: int | None
) -> Play[Used]:
    """Let the player buy Luck or Saving Grace, one at a time, until content.

    artha.saving_grace.equipment: a one that is rerolled does no harm, a new one does.
    """
    count = f"{lying.successes} successes, {ones} of the dice show a 1"
    choice = yield from ask(
        seat,
        "after_roll",
        f"{label}: {count}. Use anything on the roll?",
        PickOne(options=(artha.CONTENT, *artha.offers(lying, held)), default=artha.CONTENT.key),
        because="armor.artha.allowed",
    )
    if choice == artha.CONTENT.key:
        return Used(lying.settled(), ones)
    trait = choice.removeprefix(artha.CALL_ON)
    if not (yield from artha.applies(held, trait)):
        return _seen(lying, own, ones, artha.without(held, trait), label, seat, enough)
    again, lying, held = artha.buy(choice, lying, held)
    if choice == "luck":
        more = yield from roll(again, f"{label}: Luck", seat)
        return _seen(lying.joined(more), own, ones, held, label, seat, enough)
    others = again.dice - own
    if own:
        anew = yield from roll(Pool(own, again.open_ended).with_ones(), f"{label}: reroll", seat)
        ones = anew.ones
        lying = lying.joined(Count(anew.successes, anew.sixes, anew.traitors))
    if others:
        more = yield from roll(Pool(others, again.open_ended), f"{label}: reroll others", seat)
        lying = lying.joined(more)
    return _seen(lying, NO_DICE, ones, held, label, seat, enough)


def _at_most(failed: Shaded, own: Shaded) -> Shaded:
    """Those of the failed dice that can be the thing's own, shade by shade."""
    return Shaded(*(min(count, own[shade]) for shade, count in failed.items()))


# --- What ones do ----------------------------------------------------------------------------


def ones_that_count(quality: str, ones: int) -> int:
    """How many of the ones of a roll matter.

    All of them for poor quality (armor.quality.poor), one at most otherwise
    (armor.quality.run_of_the_mill); shields are like armor (armor.shield.quality).

    >>> [ones_that_count(quality, 3) for quality in ("poor", "run_of_the_mill", "superior")]
    [3, 1, 1]
    """
    table = catalogue().table("armor.table.quality_damage")
    counted = str(table.value("ones_that_count_each_roll", quality=quality))
    return ones if counted == "all" else min(ones, int(counted.split()[-1]))


def ones_count(thing: Shade, attack: Shade) -> bool:
    """Whether an attack of one shade can damage a thing of another at all: not if it is darker.

    >>> ones_count(Shade.GRAY, Shade.BLACK), ones_count(Shade.GRAY, Shade.GRAY)
    (False, True)
    """
    table = catalogue().table("armor.table.shade_damage")
    column = f"ones_count_against_{attack.value}_attack"
    return table.value(column, armor_shade=thing.value) is not False


def dice_lost(thing: Piece | Shield, ones: int, attack: Shade, seat: Seat) -> Step[int]:
    """How many dice a thing loses to the ones of a roll.

    None to an attack that is darker than the thing (armor.damage.shade_immunity_gray,
    armor.damage.shade_immunity_white, shades.amb.shields_vs_lighter_weapons). Of superior quality
    the one may be rolled again, and only another 1 counts (armor.quality.superior); that decides
    the damage and nothing else (armor.amb.superior_reroll_success).
    """
    if not ones_count(Shade.parse(thing.shade), attack):
        return 0
    lost = ones_that_count(thing.quality, ones)
    reroll = catalogue().table("armor.table.quality_damage").value("reroll", quality=thing.quality)
    if not lost or reroll == "no":
        return lost
    wanted = yield from ask(
        seat,
        "reroll_one",
        f"A die of the {thing.called} shows a 1. Roll it again? Only another 1 damages it.",
        YesNo(default=True),
        because="armor.quality.superior",
    )
    if not wanted:
        return lost
    face = yield from roll(D6, f"{thing.called}: the 1 again", seat)
    return 1 if face == 1 else 0
