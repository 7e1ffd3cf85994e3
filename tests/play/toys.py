"""Small procedures of no game, whose odds and best play can be worked out by hand."""

from __future__ import annotations

import msgspec

from astragal.dice import Die, Pool, Shade
from astragal.play import (
    GM,
    Ask,
    Fact,
    Number,
    Option,
    PickOne,
    Play,
    Step,
    YesNo,
    ask,
    ask_all,
    call,
    change,
    roll,
    tell,
    then,
)


class Said(Fact, frozen=True, tag="said"):
    text: str
    won: bool = False

    def sentence(self) -> str:
        return self.text


def d6_at_least(wanted: int) -> Play[bool]:
    """One die; it must show so much."""
    face = yield from roll(Die(6), "the die", "ann")
    yield from tell(Said(f"it shows {face}", face >= wanted))
    return face >= wanted


def press_your_luck(target: int) -> Play[int]:
    """Roll a d6; keep it, or roll once more and keep that instead."""
    first = yield from roll(Die(6), "first", "ann")
    again = yield from ask(
        "ann", "again", f"{first}: again?", YesNo(default=False), because="a.b.c"
    )
    if again:
        return (yield from roll(Die(6), "second", "ann"))
    return first


def pool_then(dice: int, need: int) -> Play[bool]:
    """A pool, then a second chance with as many dice as failed, through a checkpoint."""
    count = yield from roll(Pool.of(dice, Shade.BLACK), "pool", "ann", enough=need)
    return then(second_chance, max(0, need - count.successes), count.traitors.total)


def second_chance(missing: int, traitors: int) -> Play[bool]:
    if not missing:
        return True
    more = yield from roll(Pool.of(traitors, Shade.BLACK), "again", "ann", enough=missing)
    return more.successes >= missing


def two_calls(wanted: int) -> Play[int]:
    """Two separate tries by call; how many came off."""
    one = yield from call(d6_at_least, wanted)
    two = yield from call(d6_at_least, wanted)
    return int(one) + int(two)


def nim(stones: int, turn: int) -> Play[int]:
    """Take 1 to 3 stones in turn; whoever takes the last one wins. No dice at all."""
    seat = ("ann", "ben")[turn]
    taken = yield from ask(
        seat,
        "take",
        f"{stones} stones",
        Number(least=1, most=min(3, stones), default=1),
        because="a.b.c",
    )
    if taken == stones:
        return turn
    return then(nim, stones - taken, 1 - turn)


def raise_or_fold() -> Play[tuple[int, int]]:
    """Ann rolls and shows a die; Ben, knowing it, may pay to roll against it."""
    mine = yield from roll(Die(6), "ann's die", "ann")
    options = (Option("fold", "fold"), Option("call", "roll against it"))
    choice = yield from ask(
        "ben", "bet", f"ann has {mine}", PickOne(options=options, default="fold"), because="a.b.c"
    )
    if choice == "fold":
        return (1, -1)
    theirs = yield from roll(Die(6), "ben's die", "ben")
    return (3, -3) if mine >= theirs else (-3, 3)


def secret_fingers() -> Play[str]:
    """Two seats choose at once; even or odd decides."""
    question = Number(least=1, most=2)
    fingers = yield from ask_all(
        Ask("ann", "fingers", "how many?", question, "a.b.c"),
        Ask("ben", "fingers", "how many?", question, "a.b.c"),
    )
    total = sum(int(str(each)) for each in fingers)
    yield from tell(Said(f"{total} fingers"))
    return "even" if total % 2 == 0 else "odd"


class Box(msgspec.Struct, frozen=True):
    coins: int = 3
    owners: dict[str, int] = {}
    notes: tuple[str, ...] = ()


def pay(amount: int, coins: int) -> Play[int]:
    yield from change("box", "coins", coins, coins - amount, because="a.b.c")
    return coins - amount


def greeting(seat: str) -> Step[bool]:
    return (yield from ask(seat, "well", "are you well?", YesNo(default=True), because="a.b.c"))


def small_talk() -> Play[bool]:
    yield from tell(Said("for the GM only"), GM)
    one = yield from greeting("ann")
    two = yield from greeting("ben")
    return one and two
