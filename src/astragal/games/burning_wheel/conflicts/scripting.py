"""Scripted conflicts: secret scripts, shown volley by volley, and what carries over.

The Duel of Wits, Range and Cover and Fight! share one shape. Every side writes a script for the
coming exchange, all at once and in secret; then the volleys are shown one at a time, and each is
played to its end before the next is shown. Some effects wait for a later volley, some cost a side
its next ones, and when a volley has decided the matter the rest of the scripts is dropped unseen.
This module has what the conflicts share and nothing of any one of them.

A conflict uses it as it is:

1. It has a **state**, a frozen value with all that matters between two volleys (bodies of
   argument, ranges, wounds, the table), and an outcome.
2. It fills in a :class:`ScriptedConflict` at the top level of its module. ``writers`` says for a
   state who scripts, from which cards, and how many of them in each volley. ``volley`` plays one
   volley, tells first what its cards do to each other (:class:`CardEffects`), and gives the new
   state with the number of coming volleys that each side loses by it. ``is_over`` and ``end`` say
   when and how it ends. ``opening`` is what happens before the scripts are written, ``leaving``
   what becomes of a side that gives up instead of writing one; ``forfeit`` is for conflicts in
   which a side may give up cards to change its script.
3. It begins with ``return then(exchange, CONFLICT, state, 1, owed)``, where ``owed`` are volleys
   that sides have lost already (nobody: ``(0, 0)``).
4. Effects that wait are :class:`CarriedEffect` values in its state (:func:`carry` adds one);
   :func:`due` and :func:`left_over` say which of them are used in a volley and which go on
   waiting, :func:`lines_of` what they are to a side.
5. Dice that both sides throw in a volley go through
   ``throw_together`` of ``tests/simultaneous``.

What keeps the secrets: scripts are answers to secret questions, asked of all at once; they are
handed on only inside the procedure; and the one fact that shows cards shows those of its volley.
:func:`~astragal.play.views.seen_by` leaves the answers out of every other seat's view. The
procedures of a conflict only ever get the cards of the volley that is being played, so no prompt
of theirs can give away a later one.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from itertools import accumulate
from typing import Generic, TypeVar, cast

import msgspec

from astragal.play import Ask, Fact, Line, Option, Play, Script, Seat, Step, ask_all, tell, then

S = TypeVar("S")
T = TypeVar("T")

VOLLEYS = 3
"""Volleys in an exchange."""

SideCards = tuple[str, ...]
"""The cards of one side in one volley, in order; none where it has no action."""


class Writer(msgspec.Struct, frozen=True, cache_hash=True):
    """A side as it writes its script: which cards it has, and how many go in each volley."""

    seat: Seat
    name: str
    cards: tuple[Option, ...]
    slots: tuple[int, ...] = (1,) * VOLLEYS
    situation: tuple[str, ...] = ()

    def says(self, card: str) -> str:
        """What a card is called."""
        for option in self.cards:
            if option.key == card:
                return option.label
        return card


WrittenScript = tuple[SideCards, ...]
"""A script as it was written: the cards of each volley."""


class Volley(msgspec.Struct, frozen=True):
    """One volley as it is shown: its number, and the cards of each side."""

    exchange: int
    number: int
    cards: tuple[SideCards, ...]


class ScriptedConflict(msgspec.Struct, Generic[S, T], frozen=True):
    """What a conflict supplies; the module's docstring explains each part."""

    writers: Callable[[S], tuple[Writer, ...]]
    volley: Callable[[S, Volley], Step[tuple[S, tuple[int, ...]]]]
    is_over: Callable[[S], bool]
    end: Callable[[S], Play[T]]
    written: str
    """The rule by which scripts are written."""
    shown: str
    """The rule by which volleys are shown."""
    opening: Callable[[S, int], Step[S]] | None = None
    leaving: Callable[[S, tuple[WrittenScript, ...]], Step[S]] | None = None
    forfeit: (
        Callable[[S, int, tuple[WrittenScript, ...]], Step[tuple[WrittenScript, ...]]] | None
    ) = None


class ExchangeBegins(Fact, frozen=True, tag="exchange_begins"):
    """An exchange begins; everyone knows who has lost volleys of it already."""

    number: int
    sitting_out: tuple[str, ...] = ()
    role = "heading"

    def sentence(self) -> str:
        """The number, and who sits out."""
        out = f" {' and '.join(self.sitting_out)} cannot act at first." if self.sitting_out else ""
        return f"Exchange {self.number}.{out}"


class VolleyCards(Fact, frozen=True, tag="shown"):
    """The cards of one volley, and of no other."""

    exchange: int
    volley: int
    sides: tuple[tuple[str, str], ...]
    rule: str

    def sentence(self) -> str:
        """Who does what."""
        said = "; ".join(f"{name}: {cards}" for name, cards in self.sides)
        return f"Volley {self.volley}. {said}."

    @property
    def headline(self) -> str:
        """Which volley."""
        return f"Volley {self.volley}"

    @property
    def cards(self) -> tuple[tuple[str, str], ...]:
        """Each side's cards."""
        return self.sides


class CardEffects(Fact, frozen=True, tag="met"):
    """What the cards of a volley do to each other, told before anything is rolled."""

    text: str
    rule: str
    role = "effect"

    def sentence(self) -> str:
        """The effects, in one sentence."""
        return self.text


# --- Writing the scripts -------------------------------------------------------------------


def exchange(
    conflict: ScriptedConflict[S, T], state: S, number: int, owed: tuple[int, ...]
) -> Play[T]:
    """Every side writes its script, all at once and unseen; then the volleys are played."""
    if conflict.opening is not None:
        state = yield from conflict.opening(state, number)
        if conflict.is_over(state):
            return then(conflict.end, state)
    writers = conflict.writers(state)
    out = tuple(w.name for w, lost in zip(writers, owed, strict=True) if lost)
    yield from tell(ExchangeBegins(number, out))
    pages = yield from write(writers, owed, conflict.written)
    if conflict.leaving is not None:
        state = yield from conflict.leaving(state, pages)
        if conflict.is_over(state):
            return then(conflict.end, state)
    return then(play_volley, conflict, writers, state, number, 1, pages, owed)


def write(
    writers: tuple[Writer, ...], owed: tuple[int, ...], rule: str
) -> Step[tuple[WrittenScript, ...]]:
    """The scripts of all sides; volleys known to be lost are left empty."""
    slots = [
        tuple(0 if at < lost else cards for at, cards in enumerate(writer.slots))
        for writer, lost in zip(writers, owed, strict=True)
    ]
    asks = [
        secretly(writer, mine, rule)
        for writer, mine in zip(writers, slots, strict=True)
        if sum(mine)
    ]
    answers = iter((yield from ask_all(*asks)) if asks else ())
    return tuple(_page(cast(SideCards, next(answers)) if sum(mine) else (), mine) for mine in slots)


@lru_cache(1024)  # it is the same question in most exchanges
def secretly(writer: Writer, slots: tuple[int, ...], rule: str) -> Ask:
    """The question for a script, or for the rest of one; only its writer knows the answer."""
    volleys = [str(at) for at, cards in enumerate(slots, 1) if cards]
    many = sum(slots)
    what = f"{many} card{'' if many == 1 else 's'} for volley{'' if len(volleys) == 1 else 's'}"
    prompt = f"{writer.name}: script {what} {', '.join(volleys)}."
    names = tuple(f"Volley {at}" for at, cards in enumerate(slots, 1) for _ in range(cards))
    script = Script(cards=writer.cards, slots=many, names=names, situation=writer.situation)
    return Ask(writer.seat, "script", prompt, script, rule, secret=True, kind="needed")


def _page(cards: SideCards, slots: tuple[int, ...]) -> WrittenScript:
    ends = list(accumulate(slots))
    return tuple([cards[end - count : end] for end, count in zip(ends, slots, strict=True)])


def rewritten(page: WrittenScript, volley: int, cards: SideCards) -> WrittenScript:
    """The script with other cards in one volley: what a forfeit may buy (volleys from 1)."""
    return (*page[: volley - 1], cards, *page[volley:])


# --- Volley by volley ----------------------------------------------------------------------


def play_volley(
    conflict: ScriptedConflict[S, T],
    writers: tuple[Writer, ...],
    state: S,
    number: int,
    at: int,
    pages: tuple[WrittenScript, ...],
    owed: tuple[int, ...],
) -> Play[T]:
    """Show the cards of one volley, play it, and go on with what is left of the exchange.

    The cards of a side that has lost this volley are dropped and never shown.
    """
    if conflict.forfeit is not None:
        pages = yield from conflict.forfeit(state, at, pages)
    cards = tuple([() if lost else page[at - 1] for page, lost in zip(pages, owed, strict=True)])
    yield from tell(VolleyCards(number, at, _said(writers, cards), conflict.shown))
    state, lost = yield from conflict.volley(state, Volley(number, at, cards))
    if conflict.is_over(state):
        return then(conflict.end, state)
    # Newly lost volleys overlap with those still owed.
    owed = tuple([max(0, before - 1, now) for before, now in zip(owed, lost, strict=True)])
    if at < VOLLEYS:
        return then(play_volley, conflict, writers, state, number, at + 1, pages, owed)
    return then(exchange, conflict, state, number + 1, owed)


@lru_cache(1024)
def _said(writers: tuple[Writer, ...], cards: tuple[SideCards, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (writer.name, ", ".join(map(writer.says, played)) or "no action")
        for writer, played in zip(writers, cards, strict=True)
    )


# --- What carries over ---------------------------------------------------------------------


class Until(Enum):
    """What an effect waits for, and is used up by."""

    ACTION = "next action"
    ROLL = "next roll"


class CarriedEffect(msgspec.Struct, frozen=True):
    """Dice or an obstacle that one side has coming."""

    side: int
    until: Until
    line: Line
    is_obstacle: bool = False


def due(
    carried: tuple[CarriedEffect, ...], acts: tuple[bool, ...], rolls: tuple[bool, ...]
) -> tuple[CarriedEffect, ...]:
    """What is used in a volley in which some sides act and some roll."""
    return tuple(e for e in carried if _is_due(e, acts[e.side], rolls[e.side])) if carried else ()


def left_over(
    carried: tuple[CarriedEffect, ...], acts: tuple[bool, ...], rolls: tuple[bool, ...]
) -> tuple[CarriedEffect, ...]:
    """What goes on waiting after such a volley."""
    return tuple([e for e in carried if not _is_due(e, acts[e.side], rolls[e.side])])


def carry(carried: tuple[CarriedEffect, ...], new: CarriedEffect) -> tuple[CarriedEffect, ...]:
    """What waits, with something more; effects of one kind and reason add up to one."""
    kept = []
    for each in carried:
        if _kind(each) == _kind(new):
            more = each.line.amount + new.line.amount
            new = msgspec.structs.replace(new, line=msgspec.structs.replace(new.line, amount=more))
        else:
            kept.append(each)
    return tuple(sorted((*kept, new), key=_kind))


def _kind(carried: CarriedEffect) -> tuple[int, str, str, bool]:
    return carried.side, carried.until.value, carried.line.label, carried.is_obstacle


def lines_of(
    carried: tuple[CarriedEffect, ...], side: int
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The dice and the obstacle that one side has from what is used."""
    mine = [each for each in carried if each.side == side]
    return (
        tuple(each.line for each in mine if not each.is_obstacle),
        tuple(each.line for each in mine if each.is_obstacle),
    )


def _is_due(carried: CarriedEffect, acts: bool, rolls: bool) -> bool:
    return acts if carried.until is Until.ACTION else rolls
