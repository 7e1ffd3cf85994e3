"""Rolling a test, and what may be spent once it is rolled.

Story Points reroll dice, Life Experience adds to the result; each once per test, in either
order (cores.amb.spend_order). What was spent is taken off the sheet by :func:`pay`, after the
test. Other uses of Story Points are where they belong: counting a Rock or Suck for another
Core in :mod:`~astragal.games.cores.modifiers`, purging in :mod:`~astragal.games.cores.angst`.

Nobody is asked to spend on what is already won: only while the total is below ``goal``, or
at any time where there is no limit to what a higher total, or a 6, is good for.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Exploded
from astragal.play import (
    Line,
    Number,
    Option,
    PickSeveral,
    Play,
    Seat,
    Step,
    Tally,
    ask,
    note,
    roll,
    tell,
    then,
)

from .dice import BASE_DIE, D4, Dice, line_of
from .facts import DiceFell, DiceRerolled
from .scene import CoresTable
from .sheet import Sheet

MOST_STORY_POINTS = 3
"""On one reroll (cores.story.reroll); a test never has more dice than that."""

MOST_LIFE_EXPERIENCE = 3
"""On one test (cores.life.add)."""


class Hand(msgspec.Struct, frozen=True, cache_hash=True):
    """What the roller may spend on this test."""

    story: int = 0
    life: int = 0


class RollPlan(msgspec.Struct, frozen=True, cache_hash=True):
    """A roll about to be made: the dice, what is added to them, and who rolls for what.

    ``goal`` is the total beyond which nothing more can be gained; None: there is always more.
    ``sixes`` says that a 6 on the Base Die matters as well (cores.angst.purge_six). ``lighter`` is
    a total below the goal from which a failure costs less (cores.crucial.gradual_margin).
    """

    name: str
    seat: Seat
    label: str
    dice: Dice
    modifiers: Tally
    hand: Hand
    goal: int | None
    sixes: bool = False
    lighter: int | None = None

    def reached(self, total: int) -> bool:
        """Whether a total is as good as any higher one."""
        return self.goal is not None and total >= self.goal

    def gains(self, total: int, best: int) -> bool:
        """Whether it makes a difference to have the best total instead of this one."""
        return self.reached(best) or (self.lighter is not None and total < self.lighter <= best)

    def met(self, total: int, six: bool) -> bool:
        """Whether nothing on the dice could be better."""
        return self.reached(total) and (six or not self.sixes)


class Throw(msgspec.Struct, frozen=True, cache_hash=True):
    """What a roll came to, all spending included; ``six`` only where sixes matter."""

    total: int
    six: bool = False
    story: int = 0
    life: int = 0


def hand_of(sheet: Sheet) -> Hand:
    """What a character can spend on one test: up to 3 of each.

    cores.story.reroll, cores.life.add.
    """
    story = min(sheet.story_points, MOST_STORY_POINTS)
    return Hand(story, min(sheet.life_experience.left, MOST_LIFE_EXPERIENCE))


def throw(cast: RollPlan) -> Play[Throw]:
    """Roll the dice and add them together with all modifiers (cores.test.roll)."""
    dice = cast.dice
    fell = yield from roll(dice.thrown(dice.names), cast.label, cast.seat)
    lines = tuple(line_of(n, v, dice.core) for n, v in zip(dice.names, fell, strict=True))
    total = Tally(lines) + cast.modifiers
    yield from tell(DiceFell(cast.name, total))
    six = cast.sixes and _shows_six(fell[0])
    hand = cast.hand
    if cast.met(total.total, six) or not (hand.story or hand.life):
        return Throw(total.total, six)
    if not hand.story:
        return then(experience, cast, total.total, six, 0)
    return then(after_roll, cast, tuple(line.amount for line in lines), six)


def _shows_six(base: int | Exploded) -> bool:
    """The first face decides, never the second of an explosion (cores.amb.purge_six_exploding)."""
    return (base.first if isinstance(base, Exploded) else base) == 6


def after_roll(cast: RollPlan, dice: tuple[int, ...], six: bool) -> Play[Throw]:
    """The dice are seen: reroll some, add Life Experience, or let it stand."""
    total = sum(dice) + cast.modifiers.total
    chosen = yield from _which_dice(cast, dice, total, "reroll")
    if chosen:
        return then(reroll, cast, *_kept(cast, dice, chosen), six, 0)
    might_reroll = _could_meet(cast, dice, total)
    added = yield from _how_much(cast, total, might_reroll=might_reroll)
    if added and not cast.met(total + added, six):
        # The other order: experience first, and then the reroll (cores.amb.spend_order).
        chosen = yield from _which_dice(cast, dice, total + added, "reroll_after")
        if chosen:
            return then(reroll, cast, *_kept(cast, dice, chosen), six, added)
    return Throw(total + added, six, 0, added)


def _kept(
    cast: RollPlan, dice: tuple[int, ...], chosen: tuple[str, ...]
) -> tuple[tuple[str, ...], int]:
    """The dice to be rolled again, and the sum of those that are kept."""
    names = cast.dice.names
    again = tuple(name for name in names if name in chosen)
    kept = sum(value for name, value in zip(names, dice, strict=True) if name not in again)
    return again, kept


def reroll(cast: RollPlan, names: tuple[str, ...], kept: int, six: bool, added: int) -> Play[Throw]:
    """Throw some dice again; they replace the first roll, better or worse.

    cores.story.reroll_replaces. The Base Die and its explosion are one die for this and start
    afresh, explosive (cores.story.reroll_explosive, cores.amb.reroll_exploded).
    """
    fell = yield from roll(cast.dice.thrown(names, again=True), f"{cast.label}: reroll", cast.seat)
    lines = tuple(line_of(n, v, cast.dice.core) for n, v in zip(names, fell, strict=True))
    total = Tally(lines)
    if len(names) < len(cast.dice.names):
        total += Line(kept, "dice kept", "cores.story.reroll")
    total += cast.modifiers
    if added:
        total += Line(added, "Life Experience", "cores.life.add")
    yield from tell(DiceRerolled(cast.name, total, len(names)))
    if "base" in names:
        six = cast.sixes and _shows_six(fell[0])
    if added:
        return Throw(total.total, six, len(names), added)
    return then(experience, cast, total.total, six, len(names))


def experience(cast: RollPlan, total: int, six: bool, story: int) -> Play[Throw]:
    """Nothing is left to reroll; Life Experience may still be added."""
    added = yield from _how_much(cast, total)
    return Throw(total + added, six, story, added)


def _which_dice(
    cast: RollPlan, dice: tuple[int, ...], total: int, key: str
) -> Step[tuple[str, ...]]:
    """Offer a reroll: a Story Point for each die, once per test (cores.story.reroll).

    Any of the roller's own dice, the Penalty Die included (cores.amb.which_dice_reroll).
    """
    options = tuple(
        Option(
            key=name,
            label=f"{name.capitalize()} Die ({abs(value)})",
            rule="cores.story.reroll",
            cost="1 Story Point",
        )
        for name, value in zip(cast.dice.names, dice, strict=True)
    )
    return (
        yield from ask(
            cast.seat,
            key,
            f"{cast.label}: {_standing(cast, total)}. Reroll dice for Story Points?",
            PickSeveral(options=options, most=min(cast.hand.story, len(options)), default=()),
            because="cores.story.reroll",
            kind="offered" if _could_meet(cast, dice, total) else "aside",
        )
    )


def _could_meet(cast: RollPlan, dice: tuple[int, ...], total: int) -> bool:
    """Whether the best dice there are, and all the Life Experience at hand, would be enough."""
    bests = (_best(cast.dice, name) for name in cast.dice.names)
    gains = sorted((best - shown for best, shown in zip(bests, dice, strict=True)), reverse=True)
    best = total + sum(max(0, gain) for gain in gains[: cast.hand.story])
    if cast.goal is None:
        return best > total
    return cast.sixes or cast.gains(total, best + cast.hand.life)


def _best(dice: Dice, name: str) -> int:
    """The most that a die can add when it is rolled again; a Base Die may then explode."""
    if name == "penalty":
        return -1
    return {"base": 2 * BASE_DIE.sides, "core": dice.core, "bonus": D4.sides}[name]


def _how_much(cast: RollPlan, total: int, *, might_reroll: bool = False) -> Step[int]:
    """Offer Life Experience: 1 to 3 points, once per test (cores.life.add).

    It ``might_reroll`` what is still too low with it.
    """
    if not cast.hand.life or cast.reached(total):
        return 0
    wanted = cast.goal is None or cast.gains(total, total + cast.hand.life)
    added = yield from ask(
        cast.seat,
        "experience",
        f"{cast.label}: {_standing(cast, total)}. Add Life Experience?",
        Number(least=0, most=cast.hand.life, default=0),
        because="cores.life.add",
        kind="offered" if wanted or might_reroll else "aside",
    )
    if added:
        yield from note(
            f"{cast.name} adds {added} Life Experience: {total + added}.", "cores.life.add"
        )
    return added


def _standing(cast: RollPlan, total: int) -> str:
    if cast.goal is None:
        return f"{total} so far"
    return f"{total}, {cast.goal - total} short" if total < cast.goal else f"{total}, enough"


def pay(character: str, thrown: Throw, table: CoresTable) -> Step[CoresTable]:
    """Take what was spent on the roll off the sheet."""
    table = yield from table.add(
        character, "story_points", -thrown.story, because="cores.story.reroll"
    )
    return (
        yield from table.add(
            character, "life_experience.left", -thrown.life, because="cores.life.add"
        )
    )
