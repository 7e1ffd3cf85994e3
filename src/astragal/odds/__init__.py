"""Odds, advice and pictures.

Three steps lead to everything here: make a :class:`Trial` (a test somebody wonders about) with
:func:`plain`; ask for its :func:`odds`, for what to spend on it
(:func:`advise`), or for a :func:`sweep`; read the result as numbers, or let a notebook show it.

>>> from astragal.odds import odds, plain
>>> odds(plain("burning_wheel", dice=5, shade="gray", ob=2)).exact_chance
Fraction(232, 243)
>>> odds(plain("percentile", target=43)).exact_chance
Fraction(43, 100)

Whatever is told here comes from the procedures themselves, run by the drivers of
:mod:`astragal.play`: odds and play cannot disagree.
"""

from astragal.games.plain_test import Situation
from astragal.odds.advice import Decision, Gain, OptionChance, Plan, Response, advise
from astragal.odds.chances import Odds, OddsRow, odds, sampled, success
from astragal.odds.plain import find_game, from_sheets, plain
from astragal.odds.sweeps import Axis, Sweep, sweep
from astragal.odds.trial import Trial

__all__ = [
    "Axis",
    "Decision",
    "Gain",
    "Odds",
    "OddsRow",
    "OptionChance",
    "Plan",
    "Response",
    "Situation",
    "Sweep",
    "Trial",
    "advise",
    "find_game",
    "from_sheets",
    "odds",
    "plain",
    "sampled",
    "success",
    "sweep",
]
