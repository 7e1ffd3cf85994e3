"""The games, each one package, and what they have in common.

A game package offers one value, ``GAME`` (see :mod:`astragal.games.game`). The packages
never import each other, and nothing outside them knows more of a game than ``GAME`` tells.
"""

from astragal.games.at_table import SuggestedScript
from astragal.games.game import Game, Procedure, Table, game_named, games

__all__ = ["Game", "Procedure", "SuggestedScript", "Table", "game_named", "games"]
