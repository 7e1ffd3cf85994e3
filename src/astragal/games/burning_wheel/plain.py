"""A Burning Wheel test to wonder about, from plain numbers or from sheets.

Plain numbers are written onto a sheet for the purpose, so that they go through the very
procedure that a group would play: FoRKs as skills, helpers as characters, penalties as what
the GM lays out. More dice than an ability can have come as gear.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.plain_test import PlainTest, Situation
from astragal.play import Answer, Ask, State, answer_in_words

from . import GAME
from .artha.on_a_roll import MOST_ON_A_ROLL, ThrownDice
from .plain_casting import casting_test, is_casting
from .plain_praying import is_praying, prayer_test
from .sheet.facts import TestCame
from .sheet.parts import Artha
from .sheet.ratings import HIGHEST_EXPONENT
from .sheet.sheet import Sheet
from .tests.simultaneous import buy_in_turn

NOBODY = "not stated"
WHO, OTHER = "somebody", "other_side"
ABILITY, SKILL = "the ability", "the skill"
MOST_DICE, MOST_OB, MOST_OF_A_KIND = 20, 20, 10
ARTHA = frozenset({"divine_inspiration", "boon", "after_roll", "break_tie"})
"""The decisions of a roller that can change the verdict."""


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of a test beforehand.

    Either ``dice`` with ``shade`` and ``open_ended``, or ``sheets`` (the first one tests) with
    ``ability``. Either ``ob``, or ``versus``: dice, or the name of a sheet and an ability.
    """

    dice: int | None = None
    shade: str = "black"
    open_ended: bool = False
    sheets: Mapping[str, Sheet] = {}
    ability: str = ""
    ob: int | None = None
    fork: int = 0
    """How many FoRKs of one die; from a sheet they are ``forks``."""
    forks: tuple[str, ...] = ()
    helpers: tuple[int | tuple[str, str], ...] = ()
    """Each the exponent of a helper, or the name of a sheet and an ability."""
    gear: tuple[str, ...] = ()
    advantage: bool = False
    disadvantages: int = 0
    careful: bool = False
    untrained: bool = False
    boon: int = 0
    """Persona spent on dice, come what may."""
    fate: int | None = None
    persona: int | None = None
    deeds: int | None = None
    """Artha in hand, for advice; from a sheet if it is not said."""
    versus: int | tuple[str, str] | None = None
    versus_shade: str = "black"
    versus_open: bool = False
    versus_fate: int | None = None
    versus_persona: int | None = None
    versus_deeds: int | None = None


def plain_test(**numbers: Any) -> PlainTest:
    """A test of the Burning Wheel, from what :class:`Numbers` lists; a casting, or a prayer.

    >>> plain_test(dice=4, ob=2).procedure, plain_test(dice=4, versus=3).procedure
    ('standard_test', 'versus_test')
    >>> plain_test(dice=4, shade="gray", ob=3, fork=1, helpers=(5,)).title
    '4D gray against Ob 3'
    """
    if is_casting(numbers):
        return casting_test(**numbers)
    if is_praying(numbers):
        return prayer_test(**numbers)
    unknown = [name for name in numbers if name not in Numbers.__struct_fields__]
    if unknown:
        known = ", ".join(Numbers.__struct_fields__)
        raise BadInput(unknown[0], numbers[unknown[0]], f"one of {known}")
    return _Making(Numbers(**numbers)).test()


class _Making:
    """The sheets, arguments and answers of one test."""

    def __init__(self, said: Numbers) -> None:
        self.said = said
        self.characters: dict[str, Sheet] = dict(said.sheets)
        self.answers: dict[str, Any] = {}
        _check(said)
        self.who = self._roller()
        sheet = self.characters[self.who]
        self.seat = sheet.seat(self.who)
        self._surroundings(sheet)

    def test(self) -> PlainTest:
        said = self.said
        mine: dict[str, Any] = {
            "character": self.who,
            "intent": NOBODY,
            "task": NOBODY,
            "ability": self.ability,
            "helpers": [self._helper(number, each) for number, each in enumerate(said.helpers, 1)],
            "gear": self.gear,
        }
        rival = None
        if said.versus is None:
            procedure, arguments = "standard_test", mine
            self.answers["obstacle"] = said.ob
            against = f"Ob {said.ob}"
        else:
            name, ability, against, gear = self._rival(said.versus)
            rival = self.characters[name].seat(name)
            theirs = {**mine, "character": name, "ability": ability, "helpers": [], "gear": gear}
            procedure, arguments = "versus_test", {"sides": [mine, theirs]}
        table = GAME.table(self.characters)
        artha = self.characters[self.who].artha
        kind = GAME.procedure(procedure).arguments
        return PlainTest(
            procedure=procedure,
            arguments=GAME.read(arguments, kind, "test"),
            table=table,
            title=f"{self.title} against {against}",
            answers=self.answers,
            seat=self.seat,
            rival=rival,
            until=TestCame,
            about=ARTHA,
            points={
                kind: min(getattr(artha, kind), getattr(MOST_ON_A_ROLL, kind))
                for kind in ("fate", "persona", "deeds")
                if getattr(artha, kind)
            },
            all_asked=True,
            say=in_words,
            see=situation,
        )

    def _roller(self) -> str:
        said = self.said
        if not said.sheets:
            assert said.dice is not None
            self.ability = SKILL if said.untrained else ABILITY
            self.gear = [MORE] if said.dice > HIGHEST_EXPONENT else []
            shade = Shade.parse(said.shade)
            self.title = _dice_in_words(said.dice, shade, said.open_ended)
            self.characters[WHO] = _plain_sheet(said)
            if said.untrained:
                self.title += " untrained"
                self.answers["roots"] = ("Perception" if said.open_ended else "Will",)
            return WHO
        who, sheet = next(iter(said.sheets.items()))
        rated = sheet.find(said.ability)
        if rated is None and not said.untrained:
            rated = sheet.ability(said.ability)
        self.ability, self.gear = said.ability, list(said.gear)
        self.title = f"{sheet.name}, {said.ability if rated is None else rated}"
        artha = _artha(sheet.artha, said.fate, said.persona, said.deeds)
        self.characters[who] = msgspec.structs.replace(sheet, artha=artha)
        return who

    def _surroundings(self, sheet: Sheet) -> None:
        said, mine = self.said, self.seat
        forks = said.forks or tuple(f"FoRK {number + 1}" for number in range(said.fork))
        if forks:
            self.answers[f"{mine}/forks"] = forks
        if said.advantage:
            self.answers[f"{mine}/advantage"] = "a good position"
        if said.disadvantages:
            names = tuple(f"disadvantage {number + 1}" for number in range(said.disadvantages))
            self.answers[f"disadvantages@{sheet.name}"] = names
        if said.careful:
            self.answers |= {f"{mine}/carefully": True, "time": "1 hour"}
        if said.boon:
            self.answers[f"{mine}/boon"] = said.boon

    def _helper(self, number: int, helper: int | tuple[str, str]) -> str:
        if isinstance(helper, int):
            name, ability = f"helper {number}", f"Helping {number}"
            raw = {"name": f"Helper {number}", "skills": {ability: f"B{helper}"}}
            if self.said.untrained:  # who helps a stat may do so with a stat
                ability, raw = "Will", {"name": f"Helper {number}", "stats": {"Will": f"B{helper}"}}
            self.characters[name] = GAME.read_sheet(raw, "helper")
        else:
            name, ability = helper
        sheet = self.characters[name]
        seat = sheet.seat(name)
        self.answers[f"{seat}/help"] = sheet.ability(ability, "helper").name
        self.answers[f"{seat}/help_how"] = NOBODY
        return name

    def _rival(self, versus: int | tuple[str, str]) -> tuple[str, str, str, list[str]]:
        said = self.said
        hand = said.versus_fate, said.versus_persona, said.versus_deeds
        if isinstance(versus, int):
            shade = Shade.parse(said.versus_shade)
            skill = _skill(versus, shade, said.versus_open)
            raw = {"name": "The other side", "npc": True, "skills": {ABILITY: skill}}
            raw |= _more_dice(versus, shade)
            sheet = GAME.read_sheet(raw, "versus")
            self.characters[OTHER] = msgspec.structs.replace(sheet, artha=_artha(Artha(), *hand))
            title = _dice_in_words(versus, shade, said.versus_open)
            return OTHER, ABILITY, title, [MORE] if versus > HIGHEST_EXPONENT else []
        name, ability = versus
        sheet = self.characters[name]
        self.characters[name] = msgspec.structs.replace(sheet, artha=_artha(sheet.artha, *hand))
        rated = sheet.ability(ability, "versus")
        return name, ability, f"{sheet.name}, {rated}", []


MORE = "further dice"


def _plain_sheet(said: Numbers) -> Sheet:
    assert said.dice is not None
    shade = Shade.parse(said.shade)
    skills = {f"FoRK {number + 1}": {"rating": "B3"} for number in range(said.fork)}
    raw: dict[str, Any] = {"name": "Somebody", "skills": skills}
    if said.untrained:
        root = "Perception" if said.open_ended else "Will"
        raw["stats"] = {root: f"{shade.letter}{min(said.dice, HIGHEST_EXPONENT)}"}
    else:
        skills[ABILITY] = _skill(said.dice, shade, said.open_ended)
    raw |= _more_dice(said.dice, shade)
    sheet: Sheet = GAME.read_sheet(raw, "dice")
    persona = max(said.persona or 0, said.boon)
    return msgspec.structs.replace(sheet, artha=_artha(Artha(), said.fate, persona, said.deeds))


def _skill(dice: int, shade: Shade, open_ended: bool) -> dict[str, Any]:
    """An ability of so many dice; open-ended by nature are those of magic."""
    rating = f"{shade.letter}{min(dice, HIGHEST_EXPONENT)}"
    return {"rating": rating, "magical": open_ended}


def _more_dice(dice: int, shade: Shade) -> dict[str, Any]:
    """Dice beyond the highest exponent there is, as gear for whichever ability is rolled."""
    further = dice - HIGHEST_EXPONENT
    if further <= 0:
        return {}
    abilities = dict.fromkeys((ABILITY, "Will", "Perception"), further)
    return {"gear": [{"name": MORE, "dice": abilities, "shade": shade.letter}]}


def _dice_in_words(dice: int, shade: Shade, open_ended: bool) -> str:
    """The dice as players name them: black goes without saying."""
    words = [f"{dice}D"]
    words += [shade.value] if shade is not Shade.BLACK else []
    words += ["open-ended"] if open_ended else []
    return " ".join(words)


def _artha(held: Artha, fate: int | None, persona: int | None, deeds: int | None) -> Artha:
    said = {"fate": fate, "persona": persona, "deeds": deeds}
    return msgspec.structs.replace(
        held, **{kind: number for kind, number in said.items() if number is not None}
    )


def _check(said: Numbers) -> None:
    if not said.sheets and said.dice is None:
        raise BadInput("dice", None, "a number of dice, or a sheet")
    if said.sheets and not said.ability:
        raise BadInput("ability", "", "the ability that is tested")
    if (said.ob is None) == (said.versus is None):
        found = said.ob if said.ob is None else f"{said.ob} and versus"
        raise BadInput("ob", found, "an obstacle, or else another side (versus)")
    ranges = {
        "dice": (1, MOST_DICE),
        "ob": (1, MOST_OB),
        "versus": (1, MOST_DICE),
        "fork": (0, MOST_OF_A_KIND),
        "disadvantages": (0, MOST_OF_A_KIND),
        "boon": (0, MOST_ON_A_ROLL.persona),
        **dict.fromkeys(("fate", "persona", "deeds"), (0, 99)),
        **dict.fromkeys(("versus_fate", "versus_persona", "versus_deeds"), (0, 99)),
    }
    for name, (least, most) in ranges.items():
        value = getattr(said, name)
        if isinstance(value, int) and not least <= value <= most:
            what = " persona for dice" if name == "boon" else ""
            raise BadInput(name, value, f"{least} to {most}{what}")
    if len(said.helpers) > MOST_OF_A_KIND:
        raise BadInput("helper", len(said.helpers), f"at most {MOST_OF_A_KIND} helpers")
    for helper in said.helpers:
        if isinstance(helper, int) and not 1 <= helper <= HIGHEST_EXPONENT:
            expected = f"the exponent of somebody who helps, 1 to {HIGHEST_EXPONENT}"
            raise BadInput("helper", helper, expected, "tests.help.dice_exponent_4_or_less")
    if said.untrained and (said.fork or said.forks):
        expected = "no FoRKs: Beginner's Luck takes none"
        raise BadInput("fork", said.fork or said.forks, expected, "tests.amb.fork_into_stat")


# --- In words -------------------------------------------------------------------------------


def in_words(ask: Ask, answer: Answer) -> str:
    """What is spent, as players say it."""
    match ask.key, answer:
        case "boon", 0:
            return "no persona"
        case "boon", _:
            return f"{answer} persona"
        case "divine_inspiration", False:
            return "no deeds"
        case "divine_inspiration", True:
            return "1 deeds (Divine Inspiration)"
        case "after_roll", "nothing":
            return "keep the roll"
        case "after_roll", "luck":
            return "1 fate (Luck)"
        case "after_roll", "saving_grace":
            return "1 deeds (Saving Grace)"
        case "break_tie", "accept":
            return "accept the tie"
        case "break_tie", trait:
            return f"call on {trait} to break the tie"
    if isinstance(answer, str) and answer.startswith("call_on:"):
        return f"call on {answer.removeprefix('call_on:')}"
    return answer_in_words(ask, answer)


def situation(state: State, ask: Ask) -> Situation:
    """How many successes are missing when something may be bought, and which sixes show."""
    top = state[-1].start
    if top.procedure is buy_in_turn:
        rollers, throws = top.args[0], [throw for (throw,) in top.args[1]]
        mine = [roller.seat for roller in rollers].index(ask.seat)
        best = max(throw.successes for side, throw in enumerate(throws) if side != mine)
        return _situation(best - throws[mine].successes, throws[mine], level="level")
    lying = next((value for value in top.args if isinstance(value, ThrownDice)), None)
    enough = top.args[-1]
    if lying is None or not isinstance(enough, int):
        return Situation(0, 0, ask.prompt)
    return _situation(enough - lying.successes, lying, level="just enough")


def _situation(short: int, lying: ThrownDice, level: str) -> Situation:
    words = f"{short} short" if short > 0 else level if not short else f"{-short} ahead"
    sixes = 0 if lying.lucky else lying.sixes.total
    if sixes:
        words += f", {sixes} six{'es' if sixes > 1 else ''}"
    return Situation(short, sixes, words)
