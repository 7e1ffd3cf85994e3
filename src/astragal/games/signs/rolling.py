"""The roll itself: the dice, the rerolls of Advantage, a Boon after the fact, and what is taken.

Once the dice are rolled, all that matters is what each is worth and whether it was rerolled; the
rest of the roll goes on with just that. No die is rerolled twice (signs.amb.boon_after_adv).
"""

from __future__ import annotations

import msgspec

from astragal.dice import Die, Each
from astragal.play import AskKind, Number, Option, Play, Seat, Step, ask, choose, roll, then

from .before_the_roll import PreparedRoll
from .boons import KEEP
from .modifiers import DieToRoll
from .successes import chances, counted, most_successes, successes_on


class RolledDie(msgspec.Struct, frozen=True, cache_hash=True):
    """One die on the table: what it is, what it is worth, whether it was rolled again."""

    key: str
    label: str
    die: Die
    successes: int
    rerolled: bool = False


class Roller(msgspec.Struct, frozen=True, cache_hash=True):
    """Whose roll it is, and what may still be done with it."""

    name: str
    seat: Seat
    rerolls: int
    boons: tuple[str, ...]
    keep_the_better: bool
    boon: str = ""


class RollResult(msgspec.Struct, frozen=True, cache_hash=True):
    """What a roll came to: the Successes rolled, those taken, and the Boon used on it, if any."""

    rolled: int
    taken: int
    boon: str = ""


def throw(ready: PreparedRoll) -> Play[RollResult]:
    """Roll all dice together and read them one by one (signs.roll.two_dice)."""
    label = f"{ready.name}, {ready.score}"
    faces = yield from _roll(ready.dice, label, ready.seat)
    lying = tuple(
        RolledDie(each.key, each.label, each.die, successes_on(face))
        for each, face in zip(ready.dice, faces, strict=True)
    )
    roller = Roller(
        ready.name, ready.seat, ready.rerolls, ready.boons_after, ready.keep_the_better, ready.boon
    )
    return then(advantage, lying, roller)


def _roll(dice: tuple[DieToRoll, ...], label: str, seat: Seat) -> Step[tuple[int, ...]]:
    if len(dice) == 1:
        return ((yield from roll(dice[0].die, label, seat)),)
    return (yield from roll(Each(tuple(each.die for each in dice)), label, seat))


STAND = Option(key="stand", label="Keep the dice", rule="signs.mod.adv")


def advantage(lying: tuple[RolledDie, ...], roller: Roller) -> Play[RollResult]:
    """With Advantage, dice are rerolled now that they are seen, one after the other.

    One of them (signs.mod.adv) or each of them (signs.mod.excess_adv), never one twice, in
    the order the player likes (signs.amb.excess_adv_order, signs.amb.reroll_stands). By
    default the best die that shows no Success is rerolled, which cannot hurt.
    """
    again = _not_yet_rerolled(lying)
    if not roller.rerolls or not again:
        return then(boon_after, lying, roller)
    chosen = yield from choose(
        roller.seat,
        "reroll",
        f"{_said(lying)}. Reroll a die?",
        (STAND, *(_option(each, "signs.mod.adv") for each in again)),
        default=_harmless(again),
        because="signs.mod.adv" if roller.rerolls == 1 else "signs.mod.excess_adv",
        kind=_worth_asking(again),
    )
    if chosen == STAND.key:
        return then(boon_after, lying, roller)
    lying = yield from _reroll(lying, chosen, roller)
    return then(advantage, lying, msgspec.structs.replace(roller, rerolls=roller.rerolls - 1))


def boon_after(lying: tuple[RolledDie, ...], roller: Roller) -> Play[RollResult]:
    """The result is known: a Boon without conditions may still reroll one die.

    signs.boon.retroactive. Not a die that was rerolled (signs.amb.boon_after_adv); and it is
    the die as it was rolled, one that Disadvantage took away stays away
    (signs.amb.boon_after_dis).
    """
    again = _not_yet_rerolled(lying)
    if not roller.boons or not again:
        return then(take, sum(each.successes for each in lying), roller)
    rule = "signs.boon.retroactive"
    options = tuple(Option(key=name, label=name, rule=rule) for name in roller.boons)
    boon = yield from choose(
        roller.seat,
        "boon_after",
        f"{_said(lying)}. Use a Boon to reroll a die?",
        (KEEP, *options),
        default=KEEP.key,
        because=rule,
        kind=_worth_asking(again),
    )
    if boon == KEEP.key:
        return then(take, sum(each.successes for each in lying), roller)
    chosen = again[0].key
    if len(again) > 1:
        best = max(again, key=lambda each: (-each.successes, each.die))
        chosen = yield from choose(
            roller.seat,
            "boon_die",
            "Which die to reroll?",
            tuple(_option(each, rule) for each in again),
            default=best.key,
            because=rule,
        )
    lying = yield from _reroll(lying, chosen, roller)
    roller = msgspec.structs.replace(roller, boon=boon)
    return then(take, sum(each.successes for each in lying), roller)


def take(rolled: int, roller: Roller) -> Play[RollResult]:
    """The player may take fewer Successes than were rolled, none even (signs.success.downgrade)."""
    taken = rolled
    if rolled:
        taken = yield from ask(
            roller.seat,
            "take",
            f"{counted(rolled)}. How many to take?",
            Number(least=0, most=rolled, names=((0, "fail"),), default=rolled),
            because="signs.success.downgrade",
            kind="aside",
        )
    return RollResult(rolled, taken, roller.boon)


def _not_yet_rerolled(lying: tuple[RolledDie, ...]) -> tuple[RolledDie, ...]:
    return tuple(each for each in lying if not each.rerolled)


def _worth_asking(again: tuple[RolledDie, ...]) -> AskKind:
    """Offered where a die could show more than it does; otherwise a reroll is of no use."""
    better = any(each.successes < most_successes(each.die) for each in again)
    return "offered" if better else "aside"


def _harmless(again: tuple[RolledDie, ...]) -> str:
    """The largest die that shows nothing and could show something, or no die at all."""
    idle = [each for each in again if not each.successes and most_successes(each.die)]
    return max(idle, key=lambda each: each.die).key if idle else STAND.key


def _reroll(lying: tuple[RolledDie, ...], key: str, roller: Roller) -> Step[tuple[RolledDie, ...]]:
    """Roll one die again: the new face stands, or the better one, as the table plays it.

    signs.amb.reroll_stands.
    """
    old = next(each for each in lying if each.key == key)
    face = yield from roll(old.die, f"{roller.name}, {old.label}: reroll", roller.seat)
    worth = successes_on(face)
    if roller.keep_the_better:
        worth = max(worth, old.successes)
    new = msgspec.structs.replace(old, successes=worth, rerolled=True)
    return tuple(new if each is old else each for each in lying)


def _option(lying: RolledDie, rule: str) -> Option:
    one, two = chances(lying.die)
    note = f"shows {counted(lying.successes)}; rolls 1 Success in {one}, 2 in {two}"
    return Option(key=lying.key, label=f"Reroll {lying.label}", rule=rule, note=note)


def _said(lying: tuple[RolledDie, ...]) -> str:
    return ", ".join(f"{each.label}: {counted(each.successes)}" for each in lying)
