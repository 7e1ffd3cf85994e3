"""The ways to describe a test on the command line, which `odds` and `advise` have in common.

A Burning Wheel test has options of its own, from plain numbers or from sheets. The other games
take the numbers that they know by name, as ``--target 43`` or ``target=43``. Any procedure of
any game can be had from sheets with ``--procedure``, ``--set`` and ``--answer``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.games import Game
    from astragal.odds import Trial

SETTINGS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""What is no option here may be a number of the game's own."""

WHEEL = "The Burning Wheel"
_SHEETS = "From sheets"


def _option(help_: str, *names: str, panel: str = WHEEL, **more: Any) -> Any:
    return typer.Option(*names, help=help_, rich_help_panel=panel, **more)


def _dice(text: str) -> int:
    from astragal.dice.notation import number_of_dice

    found = number_of_dice(text)
    if found is None:
        raise typer.BadParameter(f"found {text!r}, expected a number of dice, as in 4, 4D or B4")
    return found


GameArgument = Annotated[
    str, typer.Argument(help="bw (the Burning Wheel), percentile, signs or cores.")
]
DiceOption = Annotated[
    int | None, _option("The number of dice.", "--dice", parser=_dice, metavar="<int>")
]
ShadeOption = Annotated[
    str | None, _option("The shade: black, gray or white (or B, G, W).", "--shade")
]
ObOption = Annotated[int | None, _option("The obstacle.", "--ob")]
OpenOption = Annotated[bool, _option("The dice are open-ended.", "--open")]
ForkOption = Annotated[
    list[str] | None, _option("The number of FoRKs; with a sheet, a skill by name.", "--fork")
]
HelperOption = Annotated[
    list[str] | None,
    _option("A helper: an exponent, or SHEET:ABILITY. May be repeated.", "--helper"),
]
AdvantageOption = Annotated[bool, _option("An advantage die.", "--advantage")]
DisadvantageOption = Annotated[
    int | None, _option("The number of disadvantages.", "--disadvantage")
]
CarefulOption = Annotated[bool, _option("Work carefully.", "--careful")]
UntrainedOption = Annotated[
    bool, _option("Beginner's Luck; --dice is the root stat.", "--untrained")
]
VersusOption = Annotated[
    str | None, _option("The other side, instead of --ob: its dice, or SHEET:ABILITY.", "--versus")
]
VersusShadeOption = Annotated[str | None, _option("The other side's shade.", "--versus-shade")]
VersusOpenOption = Annotated[
    bool, _option("The other side's dice are open-ended.", "--versus-open")
]
_CASTING = "Casting a spell, with its Tax"
SorceryOption = Annotated[int | None, _option("The Sorcery exponent.", "--sorcery", panel=_CASTING)]
WillOption = Annotated[int | None, _option("The Will exponent.", "--will", panel=_CASTING)]
ForteOption = Annotated[int | None, _option("The Forte exponent.", "--forte", panel=_CASTING)]
SpellOption = Annotated[
    str, _option("With a sheet, the spell by its name.", "--spell", panel=_CASTING)
]
MethodOption = Annotated[
    str,
    _option(
        "hastily, carefully, patiently or patiently_and_carefully.", "--method", panel=_CASTING
    ),
]
StepsOption = Annotated[
    int | None,
    _option("Bonus dice, or actions that haste takes off.", "--steps", panel=_CASTING),
]
TaxedOption = Annotated[
    int | None, _option("Forte dice lost to Tax already.", "--taxed", panel=_CASTING)
]
SustainedOption = Annotated[
    int | None, _option("Spells kept up already.", "--sustained", panel=_CASTING)
]
WiderOption = Annotated[
    int | None, _option("Increments of area, +1 Ob each.", "--wider", panel=_CASTING)
]
SheetOption = Annotated[
    list[str] | None,
    _option("A sheet (a file, or a pre-made sheet by name); the first one tests.", panel=_SHEETS),
]
AbilityOption = Annotated[str, _option("The ability tested.", "--ability", panel=_SHEETS)]
GearOption = Annotated[
    list[str] | None, _option("Gear used. May be repeated.", "--gear", panel=_SHEETS)
]
ProcedureOption = Annotated[
    str, _option("Any procedure of the game, by name.", "--procedure", panel=_SHEETS)
]
SetOption = Annotated[
    list[str] | None, _option("With --procedure, an argument: FIELD=VALUE.", "--set", panel=_SHEETS)
]
AnswerOption = Annotated[
    list[str] | None, _option("With --procedure, an answer: KEY=VALUE.", "--answer", panel=_SHEETS)
]


def trial_from(
    game: str,
    said: Mapping[str, Any],
    extra: Sequence[str],
    fixed: Mapping[str, int | str] | None = None,
) -> Trial:
    """The test that the options of a command describe; ``fixed`` is where a sweep begins."""
    from astragal.cli.test import parse_setting
    from astragal.odds import find_game, from_sheets, plain

    found = find_game(game)
    given = {name: value for name, value in said.items() if value not in (None, False, "", [], 0)}
    if said.get("procedure"):
        _no_more(extra)
        characters = sheets_named(found, said.get("sheet") or [])
        arguments = dict(parse_setting(text, "--set") for text in said.get("set") or [])
        answers = dict(parse_setting(text, "--answer") for text in said.get("answer") or [])
        return from_sheets(
            found.name, said["procedure"], characters, arguments, {**answers, **(fixed or {})}
        )
    if found.name == "burning_wheel":
        _no_more(extra)
        # Nought is a number too: it is refused with the range, not passed over.
        given |= {name: value for name, value in said.items() if type(value) is int}
        return plain(found.name, **{**_of_the_wheel(found, given), **(fixed or {})})
    numbers = {**given, **plain_numbers(extra), **(fixed or {})}
    for name in ("sheet", "set", "answer"):
        if name in numbers:
            names = ", ".join(found.procedures)
            raise BadInput("procedure", "", f"one of {names} to go with the sheets")
    return plain(found.name, **numbers)


def plain_numbers(words: Sequence[str]) -> dict[str, int | str | bool]:
    """Numbers of a game: ``--name value``, ``--name=value``, ``name=value``, or a bare ``--name``.

    >>> plain_numbers(["--target", "43", "difficulty=Hard", "--untrained"])
    {'target': 43, 'difficulty': 'Hard', 'untrained': True}
    """
    found: dict[str, int | str | bool] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if not equals and not word.startswith("--"):
            raise BadInput(word, word, "NAME=VALUE or --NAME VALUE")
        name = name.lstrip("-").replace("-", "_")
        if not equals:
            bare = not left or left[0].startswith("--") or "=" in left[0]
            found[name] = True if bare else _number(left.pop(0))
        else:
            found[name] = _number(value)
    return found


def _number(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() and len(text) < 10 else text


def _no_more(extra: Sequence[str]) -> None:
    if extra:
        raise BadInput(extra[0], " ".join(extra[1:]), "an option of this command (see --help)")


def sheets_named(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """Sheets by the names of their files, or pre-made ones."""
    from astragal.cli.files import find_sheet, read_raw

    found = {}
    for name in names:
        path: Path = find_sheet(name, game)
        found[path.stem] = game.read_sheet(read_raw(path), path.stem)
    return found


def _of_the_wheel(game: Game, given: dict[str, Any]) -> dict[str, Any]:
    """The options of a Burning Wheel test as the library's numbers."""
    numbers = {
        library: given[option]
        for option, library in {
            "dice": "dice",
            "shade": "shade",
            "ob": "ob",
            "open": "open_ended",
            "advantage": "advantage",
            "disadvantage": "disadvantages",
            "careful": "careful",
            "untrained": "untrained",
            "ability": "ability",
            "versus_shade": "versus_shade",
            "versus_open": "versus_open",
            "boon": "boon",
            "fate": "fate",
            "persona": "persona",
            "deeds": "deeds",
            "versus_fate": "versus_fate",
            "versus_persona": "versus_persona",
            "versus_deeds": "versus_deeds",
            "sorcery": "sorcery",
            "will": "will",
            "forte": "forte",
            "spell": "spell",
            "method": "method",
            "steps": "steps",
            "taxed": "taxed",
            "sustained": "sustained",
            "wider": "wider",
        }.items()
        if option in given
    }
    sheets = sheets_named(game, given.get("sheet", []))
    if sheets and "dice" in numbers:
        raise BadInput("--dice", numbers["dice"], "either dice or a sheet")
    if "gear" in given:
        numbers["gear"] = tuple(given["gear"])
    counts = [text for text in given.get("fork", []) if text.isdigit()]
    if counts and not sheets:
        numbers["fork"] = sum(map(int, counts))
    elif "fork" in given:
        numbers["forks"] = tuple(given["fork"])
    if "helper" in given:
        numbers["helpers"] = tuple(
            _side(game, text, sheets, "--helper", "an exponent") for text in given["helper"]
        )
    if "versus" in given:
        numbers["versus"] = _side(game, given["versus"], sheets, "--versus", "a number of dice")
    return numbers | ({"sheets": sheets} if sheets else {})


def _side(
    game: Game, text: str, sheets: dict[str, Any], option: str, number: str
) -> int | tuple[str, str]:
    """A number, or a sheet (which then takes part) with an ability."""
    if text.lstrip("-").isdigit():
        return int(text)
    from astragal.dice.notation import number_of_dice

    if (spoken := number_of_dice(text)) is not None:
        return spoken
    name, colon, ability = text.partition(":")
    if not colon or not ability:
        raise BadInput(option, text, f"{number}, or SHEET:ABILITY")
    seated = sheets_named(game, [name])
    sheets |= {who: sheet for who, sheet in seated.items() if who not in sheets}
    return next(iter(seated)), ability
