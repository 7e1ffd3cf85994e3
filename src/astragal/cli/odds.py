"""`astragal odds`: the chance to succeed, everything that can come of a test, and sweeps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli import test_options
from astragal.cli.common_options import DaskOption, ProcessesOption
from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.odds import Axis, Odds, Sweep, Trial


def add_to(app: typer.Typer) -> None:
    """Add the command `odds`."""
    app.command("odds", context_settings=test_options.SETTINGS)(odds)


def odds(
    context: typer.Context,
    game: test_options.GameArgument,
    dice: test_options.DiceOption = None,
    shade: test_options.ShadeOption = None,
    ob: test_options.ObOption = None,
    open_: test_options.OpenOption = False,
    fork: test_options.ForkOption = None,
    helper: test_options.HelperOption = None,
    advantage: test_options.AdvantageOption = False,
    disadvantage: test_options.DisadvantageOption = None,
    careful: test_options.CarefulOption = False,
    untrained: test_options.UntrainedOption = False,
    persona: Annotated[
        int | None, typer.Option(help="Persona spent on dice.", rich_help_panel=test_options.WHEEL)
    ] = None,
    versus: test_options.VersusOption = None,
    versus_shade: test_options.VersusShadeOption = None,
    versus_open: test_options.VersusOpenOption = False,
    sorcery: test_options.SorceryOption = None,
    will: test_options.WillOption = None,
    forte: test_options.ForteOption = None,
    spell: test_options.SpellOption = "",
    method: test_options.MethodOption = "",
    steps: test_options.StepsOption = None,
    taxed: test_options.TaxedOption = None,
    sustained: test_options.SustainedOption = None,
    wider: test_options.WiderOption = None,
    sheet: test_options.SheetOption = None,
    ability: test_options.AbilityOption = "",
    gear: test_options.GearOption = None,
    procedure: test_options.ProcedureOption = "",
    set_: test_options.SetOption = None,
    answer: test_options.AnswerOption = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME VALUES",
            help="Vary a number: dice 1..10, or shade B,G,W. Give it twice for a grid.",
        ),
    ] = None,
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    json: Annotated[bool, typer.Option("--json", help="Write the numbers as JSON.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Save the chart to this file.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Save the sweep to this file.")] = None,
) -> None:
    """Show the exact odds of a test in any game.

    The Burning Wheel has the options below; the other games take numbers by name, as in
    `astragal odds percentile --target 43` or `astragal odds cores core=d8 dn=9`.
    """
    from astragal.odds import odds as odds_of

    said = {
        "dice": dice,
        "shade": shade,
        "ob": ob,
        "open": open_,
        "fork": fork,
        "helper": helper,
        "advantage": advantage,
        "disadvantage": disadvantage,
        "careful": careful,
        "untrained": untrained,
        "boon": persona,
        "versus": versus,
        "versus_shade": versus_shade,
        "versus_open": versus_open,
        "sorcery": sorcery,
        "will": will,
        "forte": forte,
        "spell": spell,
        "method": method,
        "steps": steps,
        "taxed": taxed,
        "sustained": sustained,
        "wider": wider,
        "sheet": sheet,
        "ability": ability,
        "gear": gear,
        "procedure": procedure,
        "set": set_,
        "answer": answer,
    }
    axes, extra = _axes(sweep or [], context.args)
    fixed = {axis.name: axis.values[0] for axis in axes}
    trial = test_options.trial_from(game, said, extra, fixed)
    if axes:
        grid = _swept(trial, axes, processes, dask)
        _save_and_show(grid, json=json, svg=svg, csv=csv)
        return
    if csv is not None:
        raise BadInput("--csv", str(csv), "a --sweep along with it")
    found = odds_of(trial)
    if svg is not None:
        save(svg, found.to_svg())
    _show(found, json=json)


def save(path: Path, text: str) -> None:
    """Write a picture or a table into a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput("file", str(path), f"a file that can be written ({error})") from None


def _show(found: Odds, *, json: bool) -> None:
    from astragal.cli.screen import print_json, screen, write

    if json:
        print_json(found.as_data())
        return
    write(page(found, screen().width))


def page(found: Odds, width: int) -> RenderableType:
    """The odds of one test: the reasons, the chance, the class, and every number with its bar."""
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import chance_table, percent

    reasons = Grid(box=None, padding=(0, 1), show_header=False)
    for name, reason in found.reasons.items():
        reasons.add_row(name, reason)
    verdict = Text(f"  {percent(found.exact_chance)} {found.hope}", style="bold green")
    if found.classes is not None:
        verdict.append(f"; counts as {_class(found)}", style="not bold dim default")
    title = Text(found.title, style="bold")
    rows = chance_table(found.rows, found.unit, width)
    return Group(title, reasons, Text(), verdict, Text(), rows)


def _class(found: Odds) -> str:
    from astragal.cli.charts import percent

    assert found.classes is not None
    if len(found.classes) == 1:
        return f"a {next(iter(found.classes))} test"
    parts = [f"{name} {percent(found.classes.chance(name))}" for name in found.classes]
    return ", ".join(parts)


# --- Sweeps --------------------------------------------------------------------------------

_LIBRARY_NAMES = {"persona": "boon", "disadvantage": "disadvantages", "open": "open_ended"}


def _axes(sweeps: list[str], extra: list[str]) -> tuple[list[Axis], list[str]]:
    """What varies, and the words of the command that are about something else.

    The parser hands over the values of each sweep among the words that it does not know.
    """
    from astragal.odds import Axis

    if len(sweeps) > 2:
        raise BadInput("--sweep", len(sweeps), "at most two numbers to vary")
    axes, left = [], list(extra)
    for sweep in sweeps:
        name, _, values = sweep.partition("=")
        at = next((place for place, word in enumerate(left) if _is_values(left, place)), None)
        if not values:
            if at is None:
                raise BadInput(f"--sweep {name}", None, "values, as in --sweep dice 1..10")
            values = left.pop(at)
        name = name.lstrip("-").replace("-", "_")
        axes.append(Axis.parse(_LIBRARY_NAMES.get(name, name), values))
    return axes, left


def _is_values(words: list[str], place: int) -> bool:
    """Whether a word can be the values of a sweep: no option, no NAME=VALUE, no option's value."""
    word, before = words[place], words[place - 1] if place else ""
    if ".." in word or "," in word:
        return True
    return not word.startswith("--") and "=" not in word and not before.startswith("--")


PATIENCE = 3.0
"""Seconds of work before it is worth starting other processes."""


def _swept(trial: Trial, axes: list[Axis], processes: int, dask: str) -> Sweep:
    """The grid; what takes long is done by several processes, or on a Dask cluster."""
    from functools import partial

    from astragal.cli.progress import Waiting
    from astragal.lab.workers import done_by_many
    from astragal.odds import sweep

    by = partial(done_by_many, processes=processes, dask=dask, patience=PATIENCE)
    with Waiting("Sweeping") as waiting:
        down = axes[1] if len(axes) > 1 else None
        return sweep(trial, axes[0], down, progress=waiting.counted, by=by)


def _save_and_show(grid: Sweep, *, json: bool, svg: Path | None, csv: Path | None) -> None:
    from astragal.cli.screen import print_json

    if svg is not None:
        save(svg, grid.to_svg())
    if csv is not None:
        save(csv, grid.to_csv())
    if json:
        print_json(_as_data(grid))
        return
    _show_grid(grid)


def _as_data(grid: Sweep) -> dict[str, object]:
    return {
        "title": grid.title,
        "across": {"name": grid.across.name, "values": grid.across.values},
        "down": grid.down and {"name": grid.down.name, "values": grid.down.values},
        "chances": grid.chances,
        "exact": [[str(chance) for chance in line] for line in grid.cells],
    }


def _show_grid(grid: Sweep) -> None:
    from rich.console import Group
    from rich.text import Text

    from astragal.cli.charts import heat_map, labelled_bars
    from astragal.cli.screen import screen, write

    title = Text(f"{grid.title}\n", style="bold")
    if grid.down is None:
        pairs = [(str(v), c) for v, c in zip(grid.across.values, grid.cells[0], strict=True)]
        write(Group(title, labelled_bars(pairs, grid.across.name, screen().width)))
        return
    write(Group(title, *heat_map(grid, screen().width)))
