"""The catalogue of the rules: every rule, table, worked example and reading, by id.

The chapters are TOML files in `catalogue/`, one folder for each game, written
in our own words. A rule id in the code, in the log or on the page is a link
into it. Nothing here plays a game: the procedures in `games` do, and read
their tables and options from here.

>>> from astragal.rules import catalogue
>>> catalogue().table("tests.table.shade").value("difficulty_number", letter="B")
4
"""

from astragal.rules.bands import Band
from astragal.rules.chapter import Chapter
from astragal.rules.check import faults
from astragal.rules.entries import Cell, Entry, Example, Reading, Record, Rule, RuleKind, RuleTable
from astragal.rules.lookup import Catalogue, catalogue
from astragal.rules.mentions import Mentions
from astragal.rules.option_specs import OptionSpec
from astragal.rules.options import Options
from astragal.rules.search import Hit

__all__ = [
    "Band",
    "Catalogue",
    "Cell",
    "Chapter",
    "Entry",
    "Example",
    "Hit",
    "Mentions",
    "OptionSpec",
    "Options",
    "Reading",
    "Record",
    "Rule",
    "RuleKind",
    "RuleTable",
    "catalogue",
    "faults",
]
