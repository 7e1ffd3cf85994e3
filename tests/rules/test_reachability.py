"""Which code is used: what the roots lead to, and what only a test would call."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.reachability import Code

HELPERS = '''
"""Shared by the game."""

LIMIT = 3
"""Said about the limit."""

def used(number):
    return min(number, LIMIT)

def unused(number):
    return used(number)

class Card(Base):
    """A card."""

    def shown(self):
        return self.face()

    def face(self):
        return "king"

    def hidden(self):
        return unused(1)

    def __str__(self):
        return dunder()

def dunder():
    return ""

def shadowed():
    return 1

# A comment about the bound.
BOUND = 1
'''
GAME = """
from astragal.games.solitaire import helpers as more
from astragal.games.solitaire.helpers import Card

PROCEDURES = (Procedure("deal", "Deal", Deal, deal),)

class Deal(Struct):
    cards: int

def deal(arguments, table):
    shadowed = more.used(arguments.cards)
    return Card().shown(), [shadowed for shadowed in range(shadowed)]
"""


def tree(home: Path, **files: str) -> Code:
    package = home / "src/astragal/games/solitaire"
    package.mkdir(parents=True)
    for name, text in {"helpers": HELPERS, "dealing": GAME, **files}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    return Code(home / "src")


def unused(code: Code) -> list[str]:
    return [name for module, name in code.unreachable() if module.endswith(".helpers")]


def test_what_no_procedure_leads_to_is_found(tmp_path: Path):
    assert unused(tree(tmp_path)) == ["unused", "Card.hidden", "shadowed", "BOUND"]


@pytest.mark.parametrize(
    ("use", "still_unused"),
    [
        ("from astragal.games.solitaire.helpers import unused\nGAME = Game(unused)", "unused"),
        ("from astragal.games.solitaire.helpers import BOUND as most\nAT_TABLE = [most]", "BOUND"),
        ("GAME = Game(lambda card: card.hidden)", "Card.hidden"),
        ("GAME = Game(getattr(Card, 'hidden'))", "Card.hidden"),
        ("import astragal.games.solitaire.helpers as h\nGAME = Game(h.shadowed)", "shadowed"),
        ("from .helpers import unused\nGAME = Game(unused)", "unused"),
        ("from . import helpers\nGAME = Game(helpers.shadowed)", "shadowed"),
    ],
)
def test_one_more_use(tmp_path: Path, use: str, still_unused: str):
    before = unused(tree(tmp_path / "before"))
    assert still_unused in before
    assert still_unused not in unused(tree(tmp_path / "after", more=use))


def test_a_local_name_is_no_use(tmp_path: Path):
    local = """
from astragal.games.solitaire.helpers import shadowed
def wanted(shadowed): return shadowed
GAME = Game(wanted)
"""
    assert "shadowed" in unused(tree(tmp_path, more=local))


def test_all_code_outside_the_games_is_used(tmp_path: Path):
    code = tree(tmp_path)
    outside = tmp_path / "src/astragal/odds.py"
    text = "from astragal.games.solitaire.helpers import unused\ndef odds(): return unused(1)"
    outside.write_text(text, encoding="utf-8")
    assert "unused" not in unused(code)


def test_lines_belong_to_the_smallest_unit_around_them(tmp_path: Path):
    module = tree(tmp_path).modules["astragal.games.solitaire.helpers"]
    lines = HELPERS.splitlines()
    at = {line.strip(): module.unit_at(number).place[1] for number, line in enumerate(lines, 1)}
    assert at['"""Shared by the game."""'] == ""
    assert at['"""Said about the limit."""'] == "LIMIT"
    assert at["# A comment about the bound."] == "BOUND"
    assert at['"""A card."""'] == "Card"
    assert at['return "king"'] == "Card.face"
    described = lines.index('    """A card."""') + 1
    assert module.units["Card"].describes(described)
    assert not module.units["Card"].describes(described + 2)
