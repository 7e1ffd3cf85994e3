"""`astragal advise`: what to spend on a test, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli import test_options

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as Grid

    from astragal.odds import Decision, Gain, Plan, Response

_HAND = "Artha (default: the sheet's)"


def add_to(app: typer.Typer) -> None:
    """Add the command `advise`."""
    app.command("advise", context_settings=test_options.SETTINGS)(advise)


def _held(whose: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(help=whose, rich_help_panel=_HAND)
    return option


def advise(
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
    fate: Annotated[int | None, _held("Fate points.")] = None,
    persona: Annotated[int | None, _held("Persona points.")] = None,
    deeds: Annotated[int | None, _held("Deeds points.")] = None,
    versus: test_options.VersusOption = None,
    versus_shade: test_options.VersusShadeOption = None,
    versus_open: test_options.VersusOpenOption = False,
    versus_fate: Annotated[int | None, _held("The other side's fate.")] = None,
    versus_persona: Annotated[int | None, _held("The other side's persona.")] = None,
    versus_deeds: Annotated[int | None, _held("The other side's deeds.")] = None,
    rival_plays: Annotated[
        bool,
        typer.Option(
            "--rival-plays/--rival-waits",
            help="Whether the other side spends its points as well as it can.",
        ),
    ] = False,
    sheet: test_options.SheetOption = None,
    ability: test_options.AbilityOption = "",
    gear: test_options.GearOption = None,
    procedure: test_options.ProcedureOption = "",
    set_: test_options.SetOption = None,
    answer: test_options.AnswerOption = None,
    json: Annotated[bool, typer.Option("--json", help="Write the plan as JSON.")] = False,
) -> None:
    """Advise what to spend on a test and when, with the chance of each option.

    Describe the test as for `astragal odds`. In a versus test the other side spends nothing;
    with --rival-plays it spends its points as well as it can.
    """
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.odds import advise as advise_on

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
        "fate": fate,
        "persona": persona,
        "deeds": deeds,
        "versus": versus,
        "versus_shade": versus_shade,
        "versus_open": versus_open,
        "versus_fate": versus_fate,
        "versus_persona": versus_persona,
        "versus_deeds": versus_deeds,
        "sheet": sheet,
        "ability": ability,
        "gear": gear,
        "procedure": procedure,
        "set": set_,
        "answer": answer,
    }
    trial = test_options.trial_from(game, said, context.args)
    with Waiting("Calculating") as waiting:
        plan = advise_on(trial, rival_plays=rival_plays, progress=waiting.told)
    if json:
        print_json(plan.as_data())
        return
    write(page(plan))


def page(plan: Plan) -> RenderableType:
    """A plan: the two chances, the words, and the tables behind them."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from astragal.cli.charts import percent

    hand = ", ".join(f"{number} {_called(kind, number)}" for kind, number in plan.points.items())
    head = Text.assemble(
        f"To spend: {hand or 'nothing'}\n\n",
        ("Plan: ", "bold"),
        (f"{plan.words}.\n", "bold green"),
        f"{percent(plan.exact_unspent)} with nothing spent, ",
        (f"{percent(plan.exact_chance)} with the plan", "bold"),
    )
    parts: list[RenderableType] = [Text(plan.title, style="bold"), Padding(head, (0, 0, 0, 2))]
    for decision in plan.before:
        parts += [Text(), _decision(decision)]
    if plan.after:
        parts += [Text(), _after(plan.after)]
    if plan.gains:
        parts += [Text(), _gains(plan.gains)]
    return Group(*parts)


def _grid(*columns: tuple[str, str]) -> Grid:
    from rich.table import Table as Grid

    grid = Grid(box=None, padding=(0, 1), header_style="dim")
    for name, justify in columns:
        grid.add_column(name, justify="right" if justify == "right" else "left")
    return grid


def _titled(title: str, grid: Grid) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    return Group(Text(title, style="bold"), grid)


def _decision(decision: Decision) -> RenderableType:
    from rich.text import Text

    from astragal.cli.charts import percent

    whose = "Before the roll" if decision.mine else "Before the roll, the other side"
    grid = _grid(("", "left"), ("option", "left"), ("chance", "right"))
    for option in decision.options:
        best = option.words == decision.best
        style = "bold green" if best else ""
        chance = percent(option.exact_chance)
        grid.add_row("●" if best else "", Text(option.words), chance, style=style)
    return _titled(f"{whose}: {decision.prompt}", grid)


def _after(responses: tuple[Response, ...]) -> RenderableType:
    from fractions import Fraction

    from rich.text import Text

    from astragal.cli.charts import percent
    from astragal.odds.advice import RARE

    grid = _grid(
        ("if the roll is", "left"),
        ("how likely", "right"),
        ("best", "left"),
        ("chance", "right"),
    )
    open_ones = [one for one in responses if one.spends or one.situation.short > 0]
    shown = [one for one in open_ones if one.likely >= RARE]
    for one in shown:
        best = max(option.exact_chance for option in one.options)
        style = "bold green" if one.spends else "dim"
        likely = percent(Fraction(one.likely))
        grid.add_row(one.situation.words, likely, Text(one.best, style=style), percent(best))
    if len(shown) < len(open_ones):
        grid.add_row(Text("(rarer results are left out)", style="dim"))
    return _titled("After the roll", grid)


def _gains(gains: tuple[Gain, ...]) -> RenderableType:
    grid = _grid(
        ("point", "left"),
        ("alone", "right"),
        ("with the rest", "right"),
    )
    for gain in gains:
        point = f"{_ordinal(gain.point)} {_called(gain.kind, 1)}"
        grid.add_row(point, f"{gain.alone:+.1%}", f"{gain.beside_the_rest:+.1%}")
    return _titled("What each point adds", grid)


def _called(kind: str, number: int) -> str:
    name = kind.replace("_", " ")
    return name.removesuffix("s") if number == 1 and kind != "deeds" else name


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
