"""A Duel of Wits reckoned a second time, from the text and not from the table of pairs.

It throws its own dice and keeps the bodies, what is carried over and the hardest test of each
ability. Both speakers fight with Oratory and have Falsehood; both have Steel B4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

ACTIONS = ("avoid", "dismiss", "feint", "incite", "obfuscate", "point", "rebuttal")
CLASSES = ("routine", "difficult", "challenging")
STEEL = 4
MOST_ROUTINE = (1, 1, 2, 2, 3, 4, 4)
"""The highest routine obstacle for one die to seven; for more it is three less than the dice."""


@dataclass
class Duelist:
    will: int
    oratory: int
    falsehood: int
    body: int = 0
    dice: int = 0
    """Of a lost Obfuscate, for the next action."""
    obstacle: int = 0
    """Of a won one, for the next action."""
    insulted: int = 0
    """Dice of a failed Incite, for the next roll."""
    lost: bool = False
    tests: dict[str, tuple[int, int]] = field(default_factory=dict)

    def log(self, ability: str, dice: int, obstacle: int, *, is_open: bool = False) -> None:
        most = MOST_ROUTINE[dice - 1] if dice <= 7 else dice - 3
        obstacle = max(1, obstacle)
        hard = 0 if is_open or obstacle <= most else 1 if obstacle <= dice else 2
        self.tests[ability] = max(self.tests.get(ability, (0, 0)), (hard, obstacle))

    @property
    def logged(self) -> dict[str, str]:
        return {ability: CLASSES[hard] for ability, (hard, _) in self.tests.items()}


@dataclass
class Thrown:
    """What one side rolls in a volley: raw successes, roll by roll, and what takes some off."""

    ability: str
    dice: int
    raw: list[int]
    less: int

    @property
    def net(self) -> list[int]:
        return [max(0, each - self.less) for each in self.raw]


@dataclass
class Reckoned:
    rolls: list[int] = field(default_factory=list)
    scripts: list[tuple[list[str], list[str]]] = field(default_factory=list)
    volleys: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    """The bodies after each volley in which anybody acts, and what they lost in it."""
    heartbeats: int = 0


def reckon(random: Random, sides: tuple[Duelist, Duelist]) -> Reckoned:
    """A whole duel with random scripts and dice."""
    told = Reckoned()
    for side in sides:
        side.body = side.will + side.oratory
    while True:
        scripts = [_script(random, side) for side in sides]
        told.scripts.append((scripts[0], scripts[1]))
        cards = [["", *each] if len(each) == 2 else each for each in scripts]
        for side in sides:
            side.lost = False
        for number in range(3):
            played = ["" if s.lost else c[number] for s, c in zip(sides, cards, strict=True)]
            _volley(random, sides, (played[0], played[1]), told)
            if min(side.body for side in sides) <= 0:
                _shock(random, sides, told)
                return told


def _script(random: Random, side: Duelist) -> list[str]:
    return [random.choice(ACTIONS) for _ in range(2 if side.lost else 3)]


def _volley(
    random: Random, sides: tuple[Duelist, Duelist], cards: tuple[str, str], told: Reckoned
) -> None:
    thrown: list[Thrown | None] = []
    for at, side in enumerate(sides):
        side.lost = False
        thrown.append(_throw(random, side, cards[at], cards[1 - at]))
        told.rolls += thrown[-1].raw if thrown[-1] else []
    losses, shaken = [0, 0], [False, False]
    for at in (0, 1):
        mine, theirs = thrown[at], thrown[1 - at]
        if mine:
            _log(sides, at, cards, mine, theirs)
    left: list[tuple[int, str, int]] = []
    for at, rival in ((0, 1), (1, 0)):
        mine, theirs = thrown[at], thrown[rival]
        card, other = cards[at], cards[rival]
        if card == "dismiss":
            sides[at].lost = True
        if mine is None:
            continue
        through = _gets_through(cards, at, thrown)
        if card == "obfuscate":
            left += _confusion(cards, at, thrown)
        elif card == "incite" and through:
            less = sum(theirs.net) if theirs and other == "avoid" else 0
            needed = sides[rival].will + (0 if other == "obfuscate" else mine.less)
            got = sum(mine.net if other == "obfuscate" else mine.raw)
            short = needed - max(0, got - less)
            if short > 0:
                left.append((rival, "insulted", short))
            shaken[rival] = short <= 0
        elif through:
            held = 0
            if theirs and (other == "rebuttal" and len(theirs.raw) == 2):
                held = theirs.net[0]
            elif theirs and other == "avoid":
                held = sum(theirs.net)
            if card != "avoid" and not (card == "feint" and other == "obfuscate"):
                losses[rival] += max(0, mine.net[-1] - held)
    for side, loss in zip(sides, losses, strict=True):
        side.body -= loss
    if any(cards):
        bodies = sides[0].body, sides[1].body
        told.volleys.append((bodies, (losses[0], losses[1])))
    for at, what, amount in left:
        setattr(sides[at], what, getattr(sides[at], what) + amount)
    if min(side.body for side in sides) > 0:
        for side, shaky in zip(sides, shaken, strict=True):
            if shaky:
                rolled = random.randint(0, 6)
                told.rolls.append(rolled)
                side.log("Steel", STEEL, 10 - side.will)
                side.lost |= rolled < 10 - side.will


def _throw(random: Random, side: Duelist, card: str, other: str) -> Thrown | None:
    if not card:
        return None
    more, less = side.dice, side.obstacle
    side.dice = side.obstacle = 0  # an action uses them up, rolled or not
    silent = {
        "avoid": ("", "avoid", "dismiss", "feint", "rebuttal"),
        "feint": ("", "avoid", "dismiss", "feint", "incite", "point"),
        "rebuttal": ("avoid", "feint"),
    }
    if other in silent.get(card, ()):
        return None
    once, side.insulted = side.insulted, 0
    better = "Oratory" if side.oratory >= side.falsehood else "Falsehood"
    free = "Falsehood" if side.falsehood >= side.oratory else "Oratory"
    ability = {
        "avoid": "Will",
        "feint": free if other == "rebuttal" else "Falsehood",
        "incite": "Falsehood",
        "obfuscate": better,
    }.get(card, "Oratory")
    dice = {"Will": side.will, "Oratory": side.oratory, "Falsehood": side.falsehood}[ability]
    dice += more + once + (2 if card == "dismiss" else 0)
    pools = [dice]
    if card == "feint" and other == "obfuscate":
        pools = [dice, dice - once]
    elif card == "rebuttal":
        unprovoked = other in ("", "incite")
        defence = 1 if unprovoked else dice // 2
        pools = [dice - defence] if unprovoked else [defence, dice - defence]
    return Thrown(ability, dice, [random.randint(0, pool) for pool in pools], less)


def _total(card: str, thrown: Thrown) -> int:
    """All that counts in a versus test: both rolls of a Feint are one, the halves are two."""
    return max(0, sum(thrown.raw) - thrown.less) if card == "feint" else sum(thrown.net)


def _lead(cards: tuple[str, str], at: int, thrown: list[Thrown | None]) -> int:
    mine, theirs = thrown[at], thrown[1 - at]
    assert mine
    assert theirs
    return _total(cards[at], mine) - _total(cards[1 - at], theirs)


def _gets_through(cards: tuple[str, str], at: int, thrown: list[Thrown | None]) -> bool:
    """Against an Obfuscate only who is ahead does, but for those who defend against it."""
    if cards[1 - at] != "obfuscate":
        return True
    lead = _lead(cards, at, thrown)
    return lead > 0 or (lead == 0 and cards[at] in ("avoid", "feint"))


def _confusion(
    cards: tuple[str, str], at: int, thrown: list[Thrown | None]
) -> list[tuple[int, str, int]]:
    mine, rival = thrown[at], 1 - at
    assert mine
    if not cards[rival]:
        return [(rival, "obstacle", 1)] if sum(mine.net) else []
    lead = _lead(cards, at, thrown)
    if lead > 0:
        return [(rival, "obstacle", 1)]
    beaten = lead < 0 or cards[rival] in ("avoid", "feint")
    return [(rival, "dice", 1)] if beaten else []


def _log(
    sides: tuple[Duelist, Duelist],
    at: int,
    cards: tuple[str, str],
    mine: Thrown,
    theirs: Thrown | None,
) -> None:
    """Against what the other side rolled, as far as it stood against this roll."""
    card, other = cards[at], cards[1 - at]
    against: int | None = None
    if theirs and ("obfuscate" in cards or "avoid" in cards):
        against = sum(theirs.raw)
    elif theirs and card == "rebuttal" and len(mine.raw) == 2:
        against = theirs.raw[-1]
    elif theirs and other == "rebuttal" and len(theirs.raw) == 2:
        against = theirs.raw[0]
    if card == "incite":
        will = sides[1 - at].will
        against = max(will, against or 0) if other == "obfuscate" else will
    sides[at].log(mine.ability, mine.dice, (against or 0) + mine.less, is_open=against is None)


def _shock(random: Random, sides: tuple[Duelist, Duelist], told: Reckoned) -> None:
    """The loser tests Steel, each point below zero making it harder; after a tie nobody does."""
    losers = [side for side in sides if side.body <= 0]
    if len(losers) == 1:
        obstacle = 10 - losers[0].will - losers[0].body
        rolled = random.randint(0, 4)
        told.rolls.append(rolled)
        losers[0].log("Steel", STEEL, obstacle)
        told.heartbeats = max(0, obstacle - rolled)
