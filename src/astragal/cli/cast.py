"""`astragal cast`: cast a spell of the Burning Wheel, with its odds and its Tax.

From a sheet that has the spell, or from plain numbers. Before the dice stands what they can come
to: the chance to cast the spell, to cast it and stay on one's feet, and what Tax will cost.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.common_options import AnswerOption, AskOption, FacesOption, JsonOption, SeedOption

if TYPE_CHECKING:
    from astragal.odds import Trial

NUMBERS = "From plain numbers"
SHEETS = "From a sheet"


def add_to(app: typer.Typer) -> None:
    """Add the command `cast`."""
    app.command("cast")(cast)


def cast(
    sheet: Annotated[
        list[str] | None,
        typer.Option(help="A sheet; the first one casts.", rich_help_panel=SHEETS),
    ] = None,
    spell: Annotated[
        str, typer.Option(help="The spell, by its name.", rich_help_panel=SHEETS)
    ] = "",
    target: Annotated[
        list[str] | None,
        typer.Option(help="A target: one of the sheets. May be repeated.", rich_help_panel=SHEETS),
    ] = None,
    sorcery: Annotated[
        int | None, typer.Option(help="The Sorcery exponent.", rich_help_panel=NUMBERS)
    ] = None,
    will: Annotated[
        int | None, typer.Option(help="The Will exponent.", rich_help_panel=NUMBERS)
    ] = None,
    forte: Annotated[
        int | None, typer.Option(help="The Forte exponent.", rich_help_panel=NUMBERS)
    ] = None,
    taxed: Annotated[
        int, typer.Option(help="Forte dice lost to Tax already.", rich_help_panel=NUMBERS)
    ] = 0,
    sustained: Annotated[
        int, typer.Option(help="Spells kept up already.", rich_help_panel=NUMBERS)
    ] = 0,
    actions: Annotated[
        int, typer.Option(help="The actions of the spell.", rich_help_panel=NUMBERS)
    ] = 0,
    ob: Annotated[
        int | None, typer.Option("--ob", help="The obstacle of the spell, where it has several.")
    ] = None,
    wider: Annotated[int, typer.Option(help="Increments of area, +1 Ob each.")] = 0,
    method: Annotated[
        str,
        typer.Option(help="normally, hastily, carefully, patiently or patiently_and_carefully."),
    ] = "normally",
    steps: Annotated[int, typer.Option(help="Bonus dice, or actions that haste takes off.")] = 0,
    disadvantage: Annotated[int, typer.Option(help="The number of disadvantages.")] = 0,
    intent: Annotated[str, typer.Option(help="The intent.")] = "",
    answer: AnswerOption = None,
    faces: FacesOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    odds_only: Annotated[
        bool, typer.Option("--odds", help="Only show the odds; do not cast.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Cast a spell: the chance to cast it and stay on your feet, then the dice."""
    from astragal.cli.screen import print_json
    from astragal.cli.test import one_source_of_dice, play_foretold
    from astragal.cli.test_options import sheets_named
    from astragal.odds.plain import find_game, plain

    one_source_of_dice(faces, seed)
    game = find_game("burning_wheel")
    said: dict[str, Any] = {
        "sheets": sheets_named(game, sheet or []),
        "spell": spell,
        "sorcery": sorcery,
        "will": will,
        "forte": forte,
        "taxed": taxed,
        "sustained": sustained,
        "actions": actions,
        "ob": ob,
        "wider": wider,
        "method": method,
        "steps": steps,
        "disadvantages": disadvantage,
        "targets": tuple(target or ()),
        "intent": intent,
    }
    trial = plain("burning_wheel", **said)
    chances = casting_chances(trial)
    if odds_only:
        if json:
            print_json({"title": trial.title, **{name: float(x) for name, x in chances.items()}})
        else:
            _show(trial, chances)
        return 0
    if not json:
        _show(trial, chances)
    asking = sys.stdin.isatty() if ask is None else ask
    return play_foretold(game, trial, answer or [], asking, faces, seed, as_json=json)


def casting_chances(trial: Trial) -> dict[str, Any]:
    """The chances of a casting by name, and the Forte that it costs on average."""
    from astragal.play import exact

    raised = exact(trial.start, trial.policy(), until=trial.until, verdict_only=True)
    return {
        "cast": raised.where(lambda fact: fact.cast),
        "cast_and_awake": raised.where(lambda fact: fact.passed),
        "awake": raised.where(lambda fact: fact.awake),
        "no_tax": raised.where(lambda fact: not fact.lost),
        "forte_lost": raised.map(lambda fact: fact.lost).mean(),
    }


def _show(trial: Trial, chances: dict[str, Any]) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent
    from astragal.cli.screen import write

    write(Text(trial.title, style="bold"))
    both = f"{percent(chances['cast_and_awake'])} chance to cast it and stay on your feet"
    write(Text(f"  {both}", style="bold green"))
    rows = Grid(box=None, padding=(0, 1), show_header=False)
    rows.add_row("cast", percent(chances["cast"]))
    rows.add_row("stay on your feet", percent(chances["awake"]))
    rows.add_row("no Tax", percent(chances["no_tax"]))
    rows.add_row("Forte lost on average", f"{float(chances['forte_lost']):.2f}D")
    write(rows)
