"""A test from plain numbers, without a sheet: for odds at the command line."""

from __future__ import annotations

from typing import Any

from astragal.errors import BadInput
from astragal.games.game import Table
from astragal.games.plain_test import PlainTest
from astragal.play import Answer, Ask, answer_in_words
from astragal.rules import Options

from .assisting import DIRECT, MORAL
from .scene import Scene
from .sheet import Core, CoreName, Cores, Knack, Life, Perk, Sheet, check
from .tests import OrdinaryTest

WHO = "somebody"
"""The character that plain numbers belong to."""


def plain_test(**numbers: int | str) -> PlainTest:
    """A test from plain numbers: procedure, arguments, table, and answers to script.

    ===================  ==========================================================
    ``dn``               the Difficulty Number, 3 to 17 (required)
    ``core``             the Core's die type, as ``"d8"`` or 8 (required)
    ``rock``, ``suck``   0 none, 1 Rocks or Sucks, 2 Really Rocks or Really Sucks
    ``perk``             1 if the Base Die is explosive
    ``relationship``     the grade of the Relationship that matters, as ``"B"``
    ``tap``              ``"positive"`` or ``"negative"``: a tapped Angst
    ``angst``            all points of Angst together
    ``help``             how many give direct support
    ``moral``            the grade of the character giving moral support
    ``story_points``     to be spent on a reroll
    ``life_experience``  to be added to the result
    ===================  ==========================================================

    Numbers may be written as text. A tapped Angst counts among the points of ``angst``.

    >>> from astragal.games.cores import GAME
    >>> from astragal.play import Scripted, exact
    >>> name, arguments, table, answers = plain_test(core="d8", dn=9).parts
    >>> start = GAME.procedure(name).start(arguments, table)
    >>> exact(start, Scripted(answers)).where(lambda outcome: outcome.passed)
    Fraction(7, 16)
    """
    wanted = _Numbers(numbers)
    die = wanted.text("core").strip().casefold() or str(wanted.number("core"))
    if die == "0":
        raise BadInput("core", None, "the die of the Core, as in d8")
    dn = wanted.number("dn", least=3, most=17)
    rock, suck = wanted.number("rock", most=2), wanted.number("suck", most=2)
    tap = wanted.text("tap")
    if tap not in ("", "positive", "negative"):
        raise BadInput("tap", tap, "positive or negative")
    angst = max(wanted.number("angst"), 1 if tap else 0)
    helpers = wanted.number("help")
    relationship, moral = wanted.text("relationship"), wanted.text("moral")
    perk, life = wanted.number("perk", most=1), wanted.number("life_experience")
    story = wanted.number("story_points")
    wanted.finish()

    same = Core(die if die.startswith("d") else f"d{die}")
    own, other = CoreName.PHYSICAL, Cores(same, same, same, same)
    sheet = Sheet(
        name="Somebody",
        core=other,
        rocks={"it": Knack(own, rock == 2)} if rock else {},
        sucks={"it": Knack(own, suck == 2)} if suck else {},
        perks={"a Perk": Perk()} if perk else {},
        relationships={"someone": relationship} if relationship else {},
        angst={"Angst": angst} if angst else {},
        story_points=story,
        life_experience=Life(life, life),
    )
    check(sheet)
    characters = {WHO: sheet}
    for number in range(helpers):
        characters[f"helper {number + 1}"] = Sheet(name=f"Helper {number + 1}", core=other)
    if moral:
        friend = Sheet(name="A friend", core=other, relationships={"Somebody": moral})
        check(friend)
        characters["friend"] = friend
    answers: dict[str, Any] = {"dn": dn}
    if suck:
        answers["suck"] = "it"
    for name in list(characters)[1:]:
        answers[f"{name}/support"] = MORAL if name == "friend" else DIRECT
    arguments = OrdinaryTest(
        character=WHO,
        core=own,
        rocks=("it",) if rock else (),
        perks=("a Perk",) if perk else (),
        relationship="someone" if relationship else "",
        tap=f"{tap}:Angst" if tap else "",
        helpers=tuple(list(characters)[1:]),
    )
    signed = any(grade[-1:] in "+-" for grade in (relationship, moral) if grade)
    chosen = {"cores_relationship_grades": "plus_and_minus"} if signed else {}
    points = {"story_points": story, "life_experience": life}
    return PlainTest(
        procedure="test",
        arguments=arguments,
        table=Table(characters, Scene(), Options.of("cores", chosen)),
        answers=answers,
        points={name: number for name, number in points.items() if number},
        say=_say,
    )


def _say(ask: Ask, answer: Answer) -> str:
    """An answer as players of the game would say it."""
    if ask.key in ("reroll", "reroll_after") and isinstance(answer, tuple):
        dice = " and ".join(f"{name.capitalize()} Die" for name in answer)
        return f"reroll the {dice}" if dice else "no reroll"
    if ask.key == "experience":
        return f"{answer} Life Experience"
    return answer_in_words(ask, answer)


class _Numbers:
    """What was given, taken out name by name."""

    def __init__(self, given: dict[str, int | str]) -> None:
        self._left = dict(given)

    def number(self, name: str, *, least: int = 0, most: int = 99) -> int:
        value = self._left.pop(name, least if name != "dn" else "")
        try:
            found = int(value)
        except ValueError:
            found = least - 1
        if isinstance(value, bool) or not least <= found <= most:
            shown = None if value == "" else value
            raise BadInput(name, shown, f"a whole number, {least} to {most}")
        return found

    def text(self, name: str) -> str:
        value = self._left.get(name, "")
        return str(self._left.pop(name)) if isinstance(value, str) and value else ""

    def finish(self) -> None:
        if self._left:
            name = next(iter(self._left))
            raise BadInput(name, self._left[name], "a number that a test of this game takes")
