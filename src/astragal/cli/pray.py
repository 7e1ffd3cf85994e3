"""`astragal pray`: a prayer of the Burning Wheel, with its odds.

From the sheet of a priest, or from plain numbers. Before the dice stands the chance that the prayer
is granted.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.common_options import AnswerOption, AskOption, FacesOption, JsonOption, SeedOption

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.odds import Trial

NUMBERS = "From plain numbers"
SHEETS = "From a sheet"


def add_to(app: typer.Typer) -> None:
    """Add the command `pray`."""
    app.command("pray")(pray)


def pray(
    prayer: Annotated[str, typer.Argument(help="The prayer: blessing, aid, hindrance, ...")],
    sheet: Annotated[
        list[str] | None,
        typer.Option(help="A sheet; the first one prays.", rich_help_panel=SHEETS),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(help="A target: one of the sheets. May be repeated.", rich_help_panel=SHEETS),
    ] = None,
    ability: Annotated[
        str,
        typer.Option(help="What a Blessing, an Aid or a Boon is for.", rich_help_panel=SHEETS),
    ] = "",
    faith: Annotated[
        int | None, typer.Option(help="The Faith exponent.", rich_help_panel=NUMBERS)
    ] = None,
    foes: Annotated[
        int, typer.Option(help="How many foes a Hindrance affects.", rich_help_panel=NUMBERS)
    ] = 1,
    disadvantage: Annotated[int, typer.Option(help="The number of disadvantages.")] = 0,
    intent: Annotated[str, typer.Option(help="The intent.")] = "",
    answer: AnswerOption = None,
    faces: FacesOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    odds_only: Annotated[
        bool, typer.Option("--odds", help="Only show the odds; do not pray.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Pray: the chance that the prayer is granted, then the dice."""
    from astragal.cli.screen import print_json
    from astragal.cli.test import one_source_of_dice, play_foretold
    from astragal.cli.test_options import sheets_named
    from astragal.odds import odds
    from astragal.odds.plain import find_game, plain

    one_source_of_dice(faces, seed)
    game = find_game("burning_wheel")
    said: dict[str, Any] = {
        "prayer": prayer,
        "sheets": sheets_named(game, sheet or []),
        "targets": tuple(target or ()),
        "ability": ability,
        "faith": faith,
        "foes": foes,
        "disadvantages": disadvantage,
        "intent": intent,
    }
    trial = plain("burning_wheel", **said)
    chance = odds(trial).exact_chance
    if odds_only and json:
        print_json({"title": trial.title, "granted": float(chance)})
        return 0
    if not json:
        _show(trial, chance)
    if odds_only:
        return 0
    asking = sys.stdin.isatty() if ask is None else ask
    return play_foretold(game, trial, answer or [], asking, faces, seed, as_json=json)


def _show(trial: Trial, chance: Fraction) -> None:
    from rich.text import Text

    from astragal.cli.charts import percent
    from astragal.cli.screen import write

    write(Text(trial.title, style="bold"))
    write(Text(f"  {percent(chance)} {trial.hope}", style="bold green"))
