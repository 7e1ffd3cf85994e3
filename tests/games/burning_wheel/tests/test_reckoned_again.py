"""Hundreds of tests with everything at once, reckoned a second time from the book alone.

Characters, what they bring and what players decide are drawn at random, the same ones every time.
Dice, obstacle, successes, the test logged, artha, epiphanies and new skills are then worked out
here without the game's code, from the tables as the book prints them, and have to agree with it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from astragal.errors import NotAllowed
from astragal.play import Answer, Ask, PickOne, RollEvent
from games.burning_wheel.playing import Played, declare, play, somehow, table

STATS = ("Will", "Perception", "Agility", "Power", "Speed", "Forte")
SKILLS = {
    "Sword": ("Agility",),
    "Axe": ("Agility",),
    "Oratory": ("Will",),
    "History": ("Perception",),
    "Climbing": ("Speed", "Power"),
    "Song": ("Will",),  # magical, and everybody has it
}
SHADES = "BGW"
LOWEST_SUCCESS = {"B": 4, "G": 3, "W": 2}
LOST = {"Superficial": 0, "Light": 1, "Midi": 2}
CLASSES = ("routine", "difficult", "challenging")
MOST_ROUTINE = (1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)  # on 1D to 18D
SKILL_NEEDS = ((1, 1, 1), (2, 1, 1), (3, 2, 1), (4, 2, 1))  # routine, and either of the others
HIGH_NEEDS = ((3, 1), (3, 2), (4, 2), (4, 3), (5, 3))  # difficult and challenging, from 5 to 9
LOW_STAT_NEEDS = ((1, 1), (1, 1), (2, 1), (2, 1))
EPIPHANY = (20, 10, 3)


@dataclass
class Rating:
    """An ability as a player has it on paper."""

    is_stat: bool
    shade: str
    exponent: int
    log: list[int] = field(default_factory=lambda: [0, 0, 0])
    spent: list[int] = field(default_factory=lambda: [0, 0, 0])

    @property
    def is_full(self) -> bool:
        routine, difficult, challenging = self.log
        if self.exponent in (0, 10):
            return self.exponent == 0 and any(self.log)
        if self.exponent >= 5:
            needs = HIGH_NEEDS[self.exponent - 5]
            return difficult >= needs[0] and challenging >= needs[1]
        if self.is_stat:
            needs = LOW_STAT_NEEDS[self.exponent - 1]
            return difficult >= needs[0] and challenging >= needs[1]
        least, *harder = SKILL_NEEDS[self.exponent - 1]
        return routine >= least and (difficult >= harder[0] or challenging >= harder[1])


@dataclass
class Paper:
    """A character on paper: what of the sheet a test can change, and the wounds."""

    abilities: dict[str, Rating]
    artha: list[int]
    wounds: list[str]
    learning: dict[str, int] = field(default_factory=dict)

    @property
    def lost(self) -> int:
        return sum(LOST[wound] for wound in self.wounds)

    def mark(self, name: str, earned: str) -> None:
        rating = self.abilities[name]
        rating.log[CLASSES.index(earned)] += 1
        if rating.is_full:
            rating.exponent, rating.log = rating.exponent + 1, [0, 0, 0]
            if rating.is_stat:
                self.open_skills()

    def aptitude(self, skill: str) -> tuple[int, Rating]:
        """How many tests a skill takes, and what it opens as."""
        roots = [self.abilities[root] for root in SKILLS[skill]]
        shade = min((root.shade for root in roots), key=SHADES.index)
        mixed = any(root.shade != shade for root in roots)
        total = sum(root.exponent for root in roots) + (2 if mixed else 0)
        fewer = 0 if mixed else SHADES.index(shade)
        opened = Rating(False, shade, total // (2 * len(roots)))
        return max(1, 10 - total // len(roots) - fewer), opened

    def open_skills(self) -> None:
        for skill, tests in tuple(self.learning.items()):
            needed, opened = self.aptitude(skill)
            if tests >= needed:
                del self.learning[skill]
                self.abilities[skill] = opened

    def pay(self, name: str, spent: Sequence[int]) -> None:
        rating = self.abilities[name]
        self.artha = [held - each for held, each in zip(self.artha, spent, strict=True)]
        rating.spent = [has + each for has, each in zip(rating.spent, spent, strict=True)]
        reached = all(has >= each for has, each in zip(rating.spent, EPIPHANY, strict=True))
        if any(spent) and reached and rating.shade != "W":
            rating.shade, rating.spent = SHADES[SHADES.index(rating.shade) + 1], [0, 0, 0]

    def raw(self, **more: Any) -> dict[str, Any]:
        """The same as a sheet is written."""
        sheet: dict[str, Any] = {"stats": {}, "skills": {}, "wounds": self.wounds, **more}
        sheet["artha"] = dict(zip(("fate", "persona", "deeds"), self.artha, strict=True))
        for name, each in self.abilities.items():
            written = {
                "rating": f"{each.shade}{each.exponent}",
                "log": dict(zip(CLASSES, each.log, strict=True)),
                "spent": dict(zip(("fate", "persona", "deeds"), each.spent, strict=True)),
            }
            if not each.is_stat:
                written |= {"roots": list(SKILLS[name]), "magical": name == "Song"}
            sheet["stats" if each.is_stat else "skills"][name] = written
        sheet["learning"] = {
            name: {"roots": list(SKILLS[name]), "tests": tests}
            for name, tests in self.learning.items()
        }
        return sheet


def on_paper(draw: random.Random) -> Paper:
    wounds = draw.choice([[], [], ["Superficial"], ["Superficial"] * 2, ["Light"], ["Midi"]])
    paper = Paper({}, [draw.randint(0, most) for most in (2, 4, 3)], list(wounds))
    for name in (*STATS, *SKILLS):
        if name in SKILLS and name != "Song" and draw.random() < 0.35:
            continue
        exponent = draw.randint(0, 9) if name in SKILLS else draw.randint(3, 6)
        rating = Rating(name in STATS, draw.choice("BBBGW"), exponent)
        rating.log = [draw.randint(0, most) for most in (4, 3, 2)]
        rating.log = [0, 0, 0] if rating.is_full else rating.log
        rating.spent = [draw.choice(near) for near in ((0, 19, 20), (0, 9, 10), (0, 2, 3))]
        paper.abilities[name] = rating
    for name in SKILLS:
        if name not in paper.abilities and draw.random() < 0.5:
            needed, _ = paper.aptitude(name)
            paper.learning[name] = draw.randint(0, needed - 1)
    return paper


def class_of(dice: int, obstacle: int) -> str:
    obstacle = max(1, obstacle)
    if obstacle > dice:
        return "challenging"
    routine = MOST_ROUTINE[dice - 1] if dice <= 18 else dice - 3
    return "routine" if obstacle <= routine else "difficult"


class Lying:
    """The dice on the table, and what is done to them."""

    def __init__(self, rolls: list[RollEvent], nature: bool) -> None:
        self.rolls, self.nature, self.lucky = rolls, nature, False
        self.successes, self.spent = 0, [0, 0, 0]
        self.sixes, self.failed = dict.fromkeys(SHADES, 0), dict.fromkeys(SHADES, 0)

    def lay(self, dice: dict[str, int], open_ended: bool) -> None:
        """Count the next roll, face by face; it must be of these dice, if there are any."""
        event = self.rolls.pop(0)
        pool: Any = event.roll.expression
        assert dice == {"B": pool.dice.black, "G": pool.dice.gray, "W": pool.dice.white}
        faces = list(event.rolled.faces)
        thrown = [shade for shade in SHADES for _ in range(dice[shade])]
        while thrown:
            further = []
            for shade in thrown:
                face = faces.pop(0)
                self.successes += face >= LOWEST_SUCCESS[shade]
                self.failed[shade] += face < LOWEST_SUCCESS[shade]
                if face == 6 and open_ended:
                    further.append(shade)
                elif face == 6:
                    self.sixes[shade] += 1
            thrown = further
        assert not faces

    def use(self, choice: str) -> None:
        if choice == "luck":
            self.spent[0], self.lucky = 1, True
            if self.nature:  # one failed die again, of the lightest shade, and not open-ended
                again = dict.fromkeys(SHADES, 0)
                shade = next((each for each in "WGB" if self.failed[each]), "")
                if shade:
                    again[shade], self.failed[shade] = 1, self.failed[shade] - 1
                self.lay(again, False)
            else:
                again, self.sixes = self.sixes, dict.fromkeys(SHADES, 0)
                self.lay(again, True)
        elif choice != "nothing":
            self.spent[2] += choice == "saving_grace"
            again, self.failed = self.failed, dict.fromkeys(SHADES, 0)
            self.lay(again, self.nature or self.lucky)


@dataclass
class Situation:
    """One test as it was declared and decided."""

    ability: str
    rolled: str
    dice: int
    gear: dict[str, int]
    bought: int
    base: int
    penalties: int
    one_die_as: str
    spent: list[int]
    helping: str = ""

    @property
    def untrained(self) -> bool:
        return self.ability != self.rolled

    @property
    def obstacle(self) -> int:
        return self.base * (2 if self.untrained else 1) + self.penalties

    def earned(self, dice: int, obstacle: int) -> str:
        return self.one_die_as if (dice, max(1, obstacle)) == (1, 1) else class_of(dice, obstacle)


def situation(
    draw: random.Random, me: Paper, friend: Paper, gear: Sequence[dict[str, Any]]
) -> tuple[Situation, dict[str, Any], list[str]]:
    """Draw a test: what it comes to, the answers, and the gear in use."""
    ability = draw.choice((*STATS, *SKILLS))
    known = me.abilities.get(ability)
    trained = known is not None and (known.is_stat or known.exponent > 0)
    rolled = ability if trained else draw.choice(SKILLS[ability])
    rating = me.abilities[rolled]
    used = [piece for piece in gear if draw.random() < 0.7]
    against = draw.sample(["darkness", "smoke", "noise"], draw.randint(0, 2))
    careful, better = draw.random() < 0.3, draw.choice([0, 0, 1, 3])
    base, as_one = draw.randint(1, 9), draw.choice(["routine", "difficult"])
    answers: dict[str, Any] = {
        "obstacle": base,
        "on_failure": "x",
        "time": "2 hours",
        "disadvantages": against,
        "gm_advantage": better,
        "carefully": careful,
        "roots": list(SKILLS.get(ability, ())),
        "root": rolled,
        "log_as": as_one,
    }
    dice = rating.exponent - me.lost + better + careful
    if draw.random() < 0.4:
        answers["advantage"] = "higher ground"
        dice += 1
    if not rating.is_stat:
        usable = [
            name
            for name, each in me.abilities.items()
            if not each.is_stat and name != rolled and each.exponent > me.lost
        ]
        answers["forks"] = [name for name in usable if draw.random() < 0.5]
        dice += sum(2 if me.abilities[name].exponent >= 7 else 1 for name in answers["forks"])
    may_help = [
        name
        for name, each in friend.abilities.items()
        if (rating.is_stat if each.is_stat else each.exponent > friend.lost)
    ]
    answers["help"] = draw.choice(["none", "none", *may_help])
    helping = "" if answers["help"] == "none" else answers["help"]
    if helping:
        dice += 2 if friend.abilities[helping].exponent >= 5 else 1
    added = dict.fromkeys(SHADES, 0)
    for piece in used:
        added[piece.get("shade", "B")] += piece.get("dice", {}).get(rolled, 0)
        if ability != rolled:
            added[piece.get("shade", "B")] += piece.get("dice", {}).get(ability, 0)
    names = [piece["name"] for piece in used]
    penalties = len(against) + ("Superficial" in me.wounds) + ("Cloak" in names)
    penalties -= "Lamp" in names and "darkness" in against
    doubled = me.artha[2] > 0 and draw.random() < 0.5
    persona = draw.randint(0, min(3, me.artha[1]))
    answers |= {"divine_inspiration": doubled, "boon": persona}
    bought = persona + (rating.exponent if doubled else 0)
    dice += sum(added.values())
    drawn = Situation(
        ability, rolled, dice, added, bought, base, penalties, as_one, [0, persona, 0], helping
    )
    drawn.spent[2] = int(doubled)
    return drawn, answers, names


def check_same(paper: Paper, sheet: Any) -> None:
    """Whether a sheet is as it is on paper."""
    found = {each.name: each for each in sheet.abilities()}
    assert set(found) == set(paper.abilities)
    for name, rating in paper.abilities.items():
        log, spent = found[name].ability.log, found[name].ability.spent
        assert str(found[name].rating) == f"{rating.shade}{rating.exponent}", name
        assert [log.routine, log.difficult, log.challenging] == rating.log, name
        assert [spent.fate, spent.persona, spent.deeds] == rating.spent, name
    assert [sheet.artha.fate, sheet.artha.persona, sheet.artha.deeds] == paper.artha
    assert {name: each.tests for name, each in sheet.learning.items()} == paper.learning


def check_played(drawn: Situation, played: Played, used: list[str], me: Paper) -> bool:
    """Whether dice, obstacle and successes are right; and whether the test was passed."""
    outcome = played.outcome
    assert outcome.dice.total == drawn.dice + drawn.bought
    assert outcome.obstacle.total == drawn.obstacle
    events = [event for event in played.events if isinstance(event, RollEvent)]
    nature = drawn.rolled in ("Perception", "Song")
    lying = Lying(events, nature)
    own = drawn.dice + drawn.bought - sum(drawn.gear.values())
    pool = {shade: drawn.gear[shade] for shade in SHADES}
    pool[me.abilities[drawn.rolled].shade] += own
    lying.lay(pool, nature)
    for choice in used:
        lying.use(choice)
    assert not lying.rolls
    drawn.spent = [a + b for a, b in zip(drawn.spent, lying.spent, strict=True)]
    spent = outcome.spent
    assert [spent.fate, spent.persona, spent.deeds] == drawn.spent
    assert outcome.successes == lying.successes
    assert outcome.passed == (lying.successes >= drawn.obstacle)
    return bool(outcome.passed)


def what_is_logged(drawn: Situation, passed: bool, me: Paper, friend: Paper) -> str:
    """Mark the test on paper, for the roller and for the helper, and say its class."""
    obstacle = drawn.obstacle
    against = drawn.base if drawn.untrained else obstacle
    earned = drawn.earned(drawn.dice, against)
    if drawn.untrained:
        obstacle = drawn.base + drawn.penalties
    if drawn.untrained and earned == "routine":
        if drawn.ability in me.abilities:
            me.mark(drawn.ability, earned)
        else:
            me.learning[drawn.ability] = me.learning.get(drawn.ability, 0) + 1
            me.open_skills()
    elif drawn.rolled == "Perception" and not passed:
        earned = ""
    else:
        me.mark(drawn.rolled, earned)
    if drawn.helping and (passed or drawn.helping != "Perception"):
        alone = max(1, friend.abilities[drawn.helping].exponent - friend.lost)
        friend.mark(drawn.helping, drawn.earned(alone, obstacle))
    return earned


@pytest.mark.rules(
    "advancement.class.dice_against_obstacle",
    "advancement.help.helper_class",
    "artha.epiphany.immediate",
    "artha.amb.after_roll_order",
    "shades.gear.different_shade",
)
@pytest.mark.parametrize("seed", range(60))
def test_three_tests_in_a_row_come_out_as_on_paper(seed: int):
    draw = random.Random(seed)
    me, friend = on_paper(draw), on_paper(draw)
    gear = [
        {"name": "Tool", "dice": {draw.choice((*STATS, *SKILLS)): 2}, "shade": draw.choice("BGW")},
        {"name": "Lamp", "removes": ["darkness"]},
        {"name": "Cloak", "hinders": ["dress"]},
    ]
    traits = [{"name": "Lucky", "kind": "call_on"}]
    at = table(me=me.raw(gear=gear, traits=traits), friend=friend.raw())
    for number in range(3):
        drawn, answers, pieces = situation(draw, me, friend, gear)
        used: list[str] = []

        def answer(ask: Ask, answers: dict[str, Any] = answers, used: list[str] = used) -> Answer:
            if ask.key == "after_roll":
                assert isinstance(ask.question, PickOne)
                used.append(draw.choice([option.key for option in ask.question.options]))
                return used[-1]
            said: Answer = answers[ask.key] if ask.key in answers else somehow(ask)
            return said

        arguments = declare(
            "me", drawn.ability, intent=f"goal {number}", gear=pieces, helpers=["friend"]
        )
        if me.abilities[drawn.rolled].exponent <= me.lost:
            with pytest.raises(NotAllowed, match="Wounds leave"):
                play("standard_test", arguments, at, otherwise=answer)
            continue
        played = play("standard_test", arguments, at, otherwise=answer)
        passed = check_played(drawn, played, used, me)
        me.pay(drawn.rolled, drawn.spent)
        assert played.outcome.earned == what_is_logged(drawn, passed, me, friend)
        at = played.table
        check_same(me, at.character("me"))
        check_same(friend, at.character("friend"))
