"""`astragal lab ...`: many duels at once, and what house rules change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from astragal.cli.common_options import HouseRuleOption, JsonOption
from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.lab.duel_draws import DrawnDuels, ScriptPolicy
    from astragal.lab.duel_game import DuelGame
    from astragal.lab.readings import Moved
    from astragal.lab.solved_duel import SolvedDuel

AT_ONCE = 100_000
"""Duels that a worker draws before it reports."""


def add_to(app: typer.Typer) -> None:
    """Add the commands `lab ...`."""
    lab = typer.Typer(help="Many duels at once, and what house rules change.")
    lab.command("duels")(duels)
    lab.command("readings")(readings)
    app.add_typer(lab, name="lab")

    @lab.callback()
    def about() -> None:
        """Many duels at once, and what house rules change."""


def duels(
    one: Annotated[str, typer.Argument(help="A sheet: a file, or a pre-made sheet by name.")],
    other: Annotated[str, typer.Argument(help="The other side's sheet.")],
    runs: Annotated[int, typer.Option(help="How many duels.")] = 1_000_000,
    policy: Annotated[
        list[str] | None,
        typer.Option(help="How each side scripts: best, random, bold:60, or three actions."),
    ] = None,
    bodies: Annotated[
        tuple[int, int],
        typer.Option(help="Both Bodies of Argument; by default Will and half the dueling skill."),
    ] = (0, 0),
    seed: Annotated[int, typer.Option(help="Draw from this seed.")] = 1,
    processes: Annotated[int, typer.Option(help="Processes; 0 is one for each core.")] = 0,
    dask: Annotated[str, typer.Option(help="Work on this Dask cluster instead.")] = "",
    ability: Annotated[
        list[str] | None, typer.Option(help="The dueling skill of each side, in order.")
    ] = None,
    option: HouseRuleOption = None,
    json: JsonOption = False,
) -> None:
    """Draw many Duels of Wits from the exact odds, each side by a policy."""
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.cli.solve import debate_from, find_bodies, find_solution
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.workers import executor, in_order

    if runs < 1:
        raise BadInput("--runs", runs, "1 or more")
    said = [*(policy or []), "best", "best"][: max(2, len(policy or []))]
    if len(said) > 2:
        raise BadInput("--policy", ", ".join(said), "at most one for each side")
    debate, table = debate_from(one, other, ability or [], option or [])
    solved = find_solution(debate, table, "win", find_bodies(bodies, debate, table), cache=True)
    policies = policy_of(said[0], solved, 0), policy_of(said[1], solved, 1)
    shares = [min(AT_ONCE, runs - first) for first in range(0, runs, AT_ONCE)]
    work = [Share(solved.game, many, policies, (seed, at)) for at, many in enumerate(shares)]
    with Waiting("Drawing duels") as waiting, executor(processes, dask) as on:
        parts = in_order(on, draw_share, work, waiting.counted)
    drawn = parts[0]
    for part in parts[1:]:
        drawn += part
    if json:
        print_json(_as_data(drawn, solved, said))
    else:
        write(_page(drawn, solved, said))


def readings(
    chapter: Annotated[str, typer.Option(help="Only options of this chapter.")] = "",
    processes: Annotated[int, typer.Option(help="Processes; 0 is one for each core.")] = 0,
    dask: Annotated[str, typer.Option(help="Work on this Dask cluster instead.")] = "",
    json: JsonOption = False,
) -> None:
    """Flip each house rule of the Burning Wheel, and show what moves by more than 1%."""
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.readings import option_flips, what_moves
    from astragal.lab.workers import executor

    flips = option_flips(chapter)
    if not flips:
        raise BadInput("--chapter", chapter, "a chapter with options, such as duel_of_wits")
    with Waiting("Flipping house rules") as waiting, executor(processes, dask) as on:
        moved = what_moves(flips, on, waiting.counted)
    if json:
        print_json([{**each._asdict(), "flip": each.flip._asdict()} for each in moved])
    else:
        write(_moved_page(moved, len(flips)))


def _moved_page(moved: list[Moved], tried: int) -> RenderableType:
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for name, right in (
        ("option", False), ("choice", False), ("what moves", False), ("from", True), ("to", True)
    ):  # fmt: skip
        grid.add_column(name, justify="right" if right else "left")
    for each in moved:
        shown = f"{each.before:.1%}", f"{each.after:.1%}"
        grid.add_row(each.flip.option, each.flip.choice, each.what, *shown)
    many = len({each.flip for each in moved})
    text = f"{many} of {tried} choices move something by more than 1%."
    return Group(grid, Text(), Text(text))


class Share(NamedTuple):
    """What one worker does at a time."""

    game: DuelGame
    runs: int
    policies: tuple[ScriptPolicy, ScriptPolicy]
    seed: tuple[int, int]


def draw_share(share: Share) -> DrawnDuels:
    """Draw the duels of one share, in whatever process."""
    from astragal.lab.duel_draws import simulated

    return simulated(share.game, share.runs, share.policies, share.seed)


def policy_of(text: str, solved: SolvedDuel, side: int) -> ScriptPolicy:
    """A policy by its name: best, random, or a script."""
    from astragal.lab.duel_draws import AnyScript, BestScripts, SameScript
    from astragal.lab.sparring import SparringScripts, SpeakerTemperament

    cards = solved.game.cards[side]
    if text == "best":
        return BestScripts(solved, side)
    if text == "random":
        return AnyScript(len(cards) ** 3)
    kind, colon, dial = text.partition(":")
    if colon and kind in {each.value for each in SpeakerTemperament} and dial.isdigit():
        return SparringScripts(solved, side, int(dial), SpeakerTemperament(kind))
    named = tuple(card.strip() for card in text.replace(",", " ").split())
    if len(named) != 3 or not set(named) <= {*cards}:
        expected = (
            f"best, random, a temperament and a dial (bold:60), or three of {', '.join(cards)}"
        )
        raise BadInput("--policy", text, expected)
    return SameScript(solved.game.scripts(side).index(named))


def _as_data(drawn: DrawnDuels, solved: SolvedDuel, said: list[str]) -> dict[str, Any]:
    return {
        "sides": solved.names,
        "policies": said,
        "bodies": solved.bodies,
        "duels": drawn.runs,
        "wins": drawn.wins[:2],
        "ties": drawn.wins[2],
        "ends": drawn.ends.tolist(),
        "exchanges": drawn.exchanges / drawn.runs,
        "volleys": drawn.volleys / drawn.runs,
    }


def _page(drawn: DrawnDuels, solved: SolvedDuel, said: list[str]) -> RenderableType:
    from fractions import Fraction

    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent

    grid = Grid(box=None, pad_edge=False)
    for head, justify in (("", "left"), ("scripts", "left"), ("wins", "right"), ("", "right")):
        grid.add_column(head, justify=justify)  # type: ignore[arg-type]
    names = (*solved.names, "nobody (a tie)")
    for name, policy, wins in zip(names, (*said, ""), drawn.wins, strict=True):
        grid.add_row(name, policy, f"{wins:,}", percent(Fraction(wins, drawn.runs)))
    long = (
        f"\n{drawn.runs:,} duels at bodies {solved.bodies[0]} and {solved.bodies[1]}, on average "
    )
    long += f"{drawn.exchanges / drawn.runs:.2f} exchanges and {drawn.volleys / drawn.runs:.2f} "
    return Group(grid, Text(f"{long}volleys."))
