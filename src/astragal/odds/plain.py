"""A test of any game to wonder about, from the plain numbers that the game knows, or from sheets.

Each game package has a module ``plain`` with a function ``plain_test``
(:mod:`astragal.games.plain_test`); nothing here knows more of a game than what that gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from astragal.errors import BadInput
from astragal.games import Game, game_named, games
from astragal.games.plain_test import PlainTest
from astragal.odds.trial import Trial
from astragal.play import Seat


def find_game(name: str) -> Game:
    """A game by its name, its initials or the beginning of its name.

    >>> find_game("bw").title
    'The Burning Wheel'
    >>> find_game("percent").name
    'percentile'
    """
    known = games()
    wanted = name.casefold().replace("-", "_")
    for game in known.values():
        initials = "".join(word[0] for word in game.name.split("_"))
        if wanted in (game.name, initials if len(initials) > 1 else ""):
            return game
    begun = [game for game in known.values() if wanted and game.name.startswith(wanted)]
    return begun[0] if len(begun) == 1 else game_named(name)


def plain(game: str, **numbers: Any) -> Trial:
    """A test of a game, from the numbers that its ``plain_test`` takes.

    >>> from astragal.odds import odds
    >>> odds(plain("percentile", target=43)).exact_chance
    Fraction(43, 100)
    """
    found = find_game(game)
    module = f"{found.package}.plain"
    if find_spec(module) is None:
        raise BadInput("game", game, "a game that can make tests from numbers")
    test: PlainTest = import_module(module).plain_test(**numbers)
    seats = _seats(test.arguments, test.table)
    said = ", ".join(f"{number} {value}" for number, value in numbers.items())
    return Trial(
        game=found,
        title=test.title or (f"{found.title}: {said}" if said else found.title),
        start=found.procedure(test.procedure).start(test.arguments, test.table),
        answers=dict(test.answers),
        seat=test.seat or seats[0],
        rival=test.rival or (seats[1] if len(seats) > 1 else None),
        until=test.until,
        reads_fact=test.reads_fact,
        hope=test.hope,
        about=test.about,
        points=dict(test.points),
        numbers=numbers,
        make=partial(plain, found.name),
        say=test.say,
        see=test.see,
        all_asked=test.all_asked,
    )


def from_sheets(
    game: str,
    procedure: str,
    characters: Mapping[str, Any],
    arguments: Mapping[str, Any],
    answers: Mapping[str, Any],
) -> Trial:
    """Any procedure of any game that can succeed or fail, with sheets and what is said of it.

    The first character is whose test it is, unless the arguments name somebody else. In a sweep
    numbers are answers to the questions of the procedure.
    """
    found = find_game(game)
    begun = found.procedure(procedure)
    who = next(iter(characters), "")
    fields = begun.arguments.__struct_fields__
    whole = {"character": who, **arguments} if "character" in fields else dict(arguments)
    table = found.table(characters)
    typed = found.read(whole, begun.arguments, "arguments")
    seats = _seats(typed, table)

    def make(**numbers: Any) -> Trial:
        return from_sheets(game, procedure, characters, arguments, {**answers, **numbers})

    return Trial(
        game=found,
        title=f"{found.title}: {begun.title}",
        start=begun.start(typed, table),
        answers=dict(answers),
        seat=seats[0],
        rival=seats[1] if len(seats) > 1 else None,
        numbers={},
        make=make,
    )


def _seats(arguments: Any, table: Any) -> list[Seat]:
    """Whose test it is, and who is on the other side."""
    names = [side.character for side in getattr(arguments, "sides", ())]
    names = names or [getattr(arguments, "character", next(iter(table.characters), ""))]
    return [table.character(name).seat(name) for name in names]
