"""What two actions of a slot roll and come to, reckoned a second time from the book's words.

It shares nothing with the code but the names of weapons and actions: neither the catalogue's
tables nor a function of the chapter. ``test_second_reading`` compares both at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Arm(NamedTuple):
    """A weapon: how long, how hard to use inside, its skill, Great Strikes, and Add."""

    length: int
    inside: int
    skill: str
    great: bool
    add: int


ARMS = {
    "sword": Arm(2, 3, "Sword", great=True, add=2),
    "spear": Arm(4, 4, "Spear", great=True, add=2),
    "dirk": Arm(0, 0, "Knives", great=False, add=1),
    "small sword": Arm(1, 2, "Sword", great=False, add=2),
    "light axe": Arm(2, 3, "Axe", great=True, add=2),
    "mace": Arm(1, 3, "Mace", great=True, add=2),
    "": Arm(0, 0, "Brawling", great=True, add=2),
}
SKILLS = ("Sword", "Spear", "Knives", "Axe", "Mace", "Brawling", "Boxing")

ATTACKS = {
    "strike": "Strike",
    "great_strike": "Great Strike",
    "feint": "Feint",
    "disarm": "Disarm",
    "beat_and_bind": "Beat and Bind",
    "push": "Push",
    "lock": "Lock",
    "throw_opponent": "Throw",
}
BLOWS = ("strike", "great_strike", "feint")
ARMED = (*BLOWS, "disarm", "beat_and_bind")
RESISTED = ("beat_and_bind", "push", "lock", "throw_opponent")
STOPS = {
    "avoid": set(ATTACKS) - {"feint"},
    "block": {"strike", "disarm", "beat_and_bind"},
    "counterstrike": {"strike", "great_strike", "disarm", "beat_and_bind", "push"},
}
OUT_OF_REACH, LUNGING, OPTIMAL, INSIDE = "outside", "lunging", "optimal", "inside"
DISTANCES = (OUT_OF_REACH, LUNGING, OPTIMAL, INSIDE)
STANDING, KNEELING, DOWN = "standing", "on one knee", "down"


class Combatant(NamedTuple):
    """One of the two: what is scripted, with what, how, and with how many dice."""

    name: str
    action: str
    weapon: str
    stance: str
    posture: str
    moves: str
    ratings: Mapping[str, int]

    @property
    def arm(self) -> Arm:
        return ARMS[self.weapon]

    @property
    def bare_hands(self) -> int:
        return max(self.ratings["Brawling"], self.ratings["Boxing"])

    @property
    def skill(self) -> int:
        return self.ratings[self.arm.skill] if self.weapon else self.bare_hands

    @property
    def hurries(self) -> int:
        return int(self.moves in ("close", "withdraw"))

    def posed(self, down: int) -> int:
        return {STANDING: 0, KNEELING: 1, DOWN: down}[self.posture]


class Dice(NamedTuple):
    """A roll: how many dice, and the obstacle, or what comes off the successes."""

    dice: int
    against: int


def distances(one: Combatant, other: Combatant, at: str) -> tuple[str, str]:
    """Both fighting distances, where the first one is given."""
    if at == INSIDE:
        return INSIDE, INSIDE
    gap = one.arm.length + {OPTIMAL: 0, LUNGING: 1, OUT_OF_REACH: 2}[at]
    beyond = gap - other.arm.length
    return at, OPTIMAL if beyond <= 0 else LUNGING if beyond == 1 else OUT_OF_REACH


def counts_as(me: Combatant, other: Combatant, mine: str, theirs: str) -> str:
    """What an action still is when stance, distance and weapons are known."""
    if me.action == "avoid" and me.stance == "aggressive":
        return "hesitating"
    if me.action not in ATTACKS:
        return me.action
    near = mine != OUT_OF_REACH
    if me.action in ("disarm", "beat_and_bind"):
        near = near or theirs != OUT_OF_REACH
    if not near or (me.action == "great_strike" and not me.arm.great):
        return "no_action"
    return "no_action" if me.action == "disarm" and not other.weapon else me.action


def attack(me: Combatant, other: Combatant, what: str, at: str) -> Dice:
    """An attack: its dice, and its obstacle with everything that makes it harder."""
    dice, against = me.skill, me.hurries + me.posed(4)
    against += 1 if what in BLOWS else other.skill if what == "disarm" else 0
    if what in ("push", "lock"):
        dice = me.ratings["Power"]
    elif what == "throw_opponent":
        dice = me.bare_hands
    if what in ("lock", "throw_opponent"):
        against += {OPTIMAL: 2, LUNGING: 4, INSIDE: 0}[at]
    elif at == LUNGING:
        against += 1
    elif at == INSIDE and what in ARMED:
        against += me.arm.inside
    if what in ("strike", "great_strike"):
        dice += 2 * (me.stance == "aggressive")
        against += 2 * (me.stance == "defensive")
    return Dice(dice, against)


def defence(me: Combatant, attacker: Combatant, how: str, what: str) -> Dice:
    """An Avoid, a Block or a Counterstrike before it is divided."""
    dice = me.ratings["Speed"] if how == "avoid" else me.skill
    against = me.hurries + me.posed(2)
    if how != "avoid":
        against += 2 * (me.stance == "aggressive")
        armed = bool(attacker.weapon) and what in ("strike", "great_strike")
        against += int(armed and not me.weapon)
    return Dice(dice + 2 * (me.stance == "defensive"), against)


def riposte(me: Combatant, whole: Dice, at: str) -> int:
    """The obstacle of a riposte."""
    return 1 + whole.against + {LUNGING: 1, INSIDE: me.arm.inside, OPTIMAL: 0}[at]


def resisting(me: Combatant, what: str) -> Dice:
    """Natural Defenses, with the ability that has most dice."""
    speed = Dice(me.ratings["Speed"], me.posed(2) + 2 * (me.stance == "aggressive"))
    power = Dice(me.ratings["Power"], me.posed(2))
    if what == "lock":
        return power
    if what == "beat_and_bind":
        return Dice(me.skill, me.posed(2))
    if what == "push":
        return speed if me.hurries or speed.dice > power.dice else power
    return speed if speed.dice >= me.bare_hands else Dice(me.bare_hands, me.posed(2))


def stage(over: int, arm: Arm) -> str:
    """How bad a hit is, with so many successes over the obstacle."""
    return ("incidental", "mark", "superb")[min(2, over // arm.add)]


class Slot:
    """Two actions that meet: which dice are rolled, and what comes of successes."""

    def __init__(self, one: Combatant, other: Combatant, at: str) -> None:
        self.both = (one, other)
        self.at = distances(one, other, at)
        self.does = tuple(
            counts_as(me, self.both[1 - n], self.at[n], self.at[1 - n])
            for n, me in enumerate(self.both)
        )
        self.rolls: dict[str, Dice] = {}
        for n in (0, 1):
            self._gather(n)

    def _gather(self, n: int) -> None:
        me, other, what, how = self.both[n], self.both[1 - n], self.does[n], self.does[1 - n]
        works = what != "feint" or how in ("block", "counterstrike")
        if what not in ATTACKS or not works:
            return
        self.rolls[f"{me.name}, {ATTACKS[what]}"] = attack(me, other, what, self.at[n])
        if what in STOPS.get(how, ()):
            whole = defence(other, me, how, what)
            self.rolls[f"{other.name}, {how.capitalize()}"] = whole
            if how == "counterstrike" and self.at[1 - n] != OUT_OF_REACH:
                at = riposte(other, whole, self.at[1 - n])
                self.rolls[f"{other.name}, riposte"] = Dice(whole.dice, at)
        if what in RESISTED and how != "hesitating":
            self.rolls[f"{other.name}, Natural Defenses"] = resisting(other, what)

    def comes_to(self, successes: Mapping[str, int]) -> list[tuple[str, str, object]]:
        """What happens to whom, with these successes of each roll."""
        found: list[tuple[str, str, object]] = []
        for n, me in enumerate(self.both):
            other, what = self.both[1 - n], self.does[n]
            if what == "feint":
                works = self.does[1 - n] in ("block", "counterstrike")
                found.append((other.name if works else me.name, "hesitates", 1))
            mine = f"{me.name}, {ATTACKS.get(what, '')}"
            if mine in self.rolls:
                found += self._attacked(n, mine, successes)
            back = f"{me.name}, riposte"
            over = successes.get(back, 0) - self.rolls[back].against if back in self.rolls else -1
            if over >= 0:
                found.append((other.name, "hit", stage(over, me.arm)))
        return found

    def _attacked(
        self, n: int, mine: str, successes: Mapping[str, int]
    ) -> list[tuple[str, str, object]]:
        me, whom, what = self.both[n], self.both[1 - n].name, self.does[n]
        over = successes[mine] - self.rolls[mine].against
        if what in RESISTED:
            over = max(0, over)
        for how in ("Avoid", "Block", "Counterstrike", "Natural Defenses"):
            theirs = f"{whom}, {how}"
            if theirs in self.rolls:
                over -= max(0, successes.get(theirs, 0) - self.rolls[theirs].against)
        if what in BLOWS:
            return [(whom, "hit", stage(over, me.arm))] if over >= 0 else []
        if what == "disarm":
            return [(whom, "weapon_away", over // 2)] if over >= 0 else []
        if over < 1:
            return []
        if what == "lock":
            return [(whom, "dice_lost", over)]
        if what == "throw_opponent":
            return [(whom, "down", 1)]
        if what == "push":
            return [(whom, "down" if over > 1 else "off_balance", 1)]
        harder: list[tuple[str, str, object]] = [(whom, "weapon_harder", 1)]
        return [(whom, "no_length_dice", 0), *(harder if over > 1 else [])]
