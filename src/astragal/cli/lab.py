"""`astragal lab ...`: many duels at once, and what house rules change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from astragal.cli.common_options import (
    DaskOption,
    HouseRuleOption,
    JsonOption,
    ProcessesOption,
    SamplesOption,
)
from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.lab.duel_draws import DrawnDuels, ScriptPolicy
    from astragal.lab.duel_game import DuelGame
    from astragal.lab.readings import Moved
    from astragal.lab.solved_duel import SolvedDuel
    from astragal.play import Then

PATIENCE = 2.0
"""Seconds of work before it is worth starting other processes."""

AT_ONCE = 100_000
"""Duels that a worker draws before it reports."""


def add_to(app: typer.Typer) -> None:
    """Add the commands `lab ...`."""
    lab = typer.Typer(help="Many duels at once, and what house rules change.")
    lab.command("duels")(duels)
    lab.command("readings")(readings)
    lab.command("sparring")(sparring)
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
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    ability: Annotated[
        list[str] | None, typer.Option(help="The dueling skill of each side, in order.")
    ] = None,
    option: HouseRuleOption = None,
    json: JsonOption = False,
) -> None:
    """Simulate many Duels of Wits by the exact odds, each side with a policy."""
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.cli.solve import debate_from, find_bodies, find_solution
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.workers import done_by_many

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
    with Waiting("Drawing duels") as waiting:
        parts = done_by_many(
            draw_share, work, waiting.counted, processes=processes, dask=dask, patience=PATIENCE
        )
    drawn = parts[0]
    for part in parts[1:]:
        drawn += part
    if json:
        print_json(_as_data(drawn, solved, said))
    else:
        write(_page(drawn, solved, said))


def readings(
    chapter: Annotated[str, typer.Option(help="Only options of this chapter.")] = "",
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    json: JsonOption = False,
) -> None:
    """Flip each house rule of the Burning Wheel, and show what moves by more than 1%."""
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.readings import option_flips, what_moves

    flips = option_flips(chapter)
    if not flips:
        raise BadInput("--chapter", chapter, "a chapter with options, such as duel_of_wits")
    with Waiting("Flipping house rules") as waiting:
        moved = what_moves(flips, waiting.counted, processes=processes, dask=dask)
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


# --- Sparring partners -------------------------------------------------------------------------

RUNS_AT_ONCE = 4
"""Conflicts that a worker plays before it reports."""


def sparring(
    conflict: Annotated[str, typer.Argument(help="What is played: fight or skirmish.")],
    one: Annotated[str, typer.Argument(help="A sheet: a file, or a pre-made sheet by name.")],
    other: Annotated[str, typer.Argument(help="The other side's sheet.")],
    spar: Annotated[int, typer.Option(help="The partner's dial, from 0 to 100.")] = 100,
    temperament: Annotated[str, typer.Option(help="The partner's temperament.")] = "any",
    runs: Annotated[int, typer.Option(help="Conflicts against each opponent.")] = 40,
    samples: SamplesOption = 240,
    rehearsed: Annotated[
        int, typer.Option(help="Scripts that the partner writes for training.")
    ] = 48,
    training: Annotated[
        int, typer.Option(help="Whole conflicts in which each opponent is trained.")
    ] = 4000,
    seed: Annotated[str, typer.Option(help="Play from this seed.")] = "astragal",
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    option: HouseRuleOption = None,
    json: JsonOption = False,
) -> None:
    """Play a sparring partner against an opponent trained to beat it: what it gives away."""
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.trained_opponent import (
        SparringMatch,
        SparringPlayer,
        Training,
        check_player,
        given_away,
        trained,
        worths,
    )
    from astragal.lab.workers import done_by_many

    if runs < 2:
        raise BadInput("--runs", runs, "2 or more")
    for name, many in (("--rehearsed", rehearsed), ("--training", training)):
        if many < 1:
            raise BadInput(name, many, "1 or more")
    start, seats = _conflict(conflict, one, other, option or [])
    partner = SparringPlayer(spar, temperament)
    check_player(conflict, partner)
    to_train = [
        Training(
            conflict, start, seats, side, partner, samples, f"{seed}/training", rehearsed, training
        )
        for side in (0, 1)
    ]
    with Waiting("Training") as waiting:
        habits = done_by_many(trained, to_train, waiting.counted, processes=processes, dask=dask)
    mine, theirs = (SparringPlayer(spar, habit=habit) for habit in habits)
    pairs = {
        "careless": (SparringPlayer(0), partner),
        "trained": (mine, partner),
        "trained_as_other": (partner, theirs),
    }
    work = [
        SparringMatch(
            conflict,
            start,
            seats,
            players,
            samples,
            tuple(f"{seed}/{name}/{at}" for at in range(first, min(runs, first + RUNS_AT_ONCE))),
        )
        for name, players in pairs.items()
        for first in range(0, runs, RUNS_AT_ONCE)
    ]
    with Waiting("Sparring") as waiting:
        parts = iter(done_by_many(worths, work, waiting.counted, processes=processes, dask=dask))
    shares = len(work) // len(pairs)
    won = {name: [each for _ in range(shares) for each in next(parts)] for name in pairs}
    won["trained_as_other"] = [1 - each for each in won["trained_as_other"]]
    lost = given_away(won["trained"], won["trained_as_other"])
    summary = {
        "conflict": conflict,
        "runs": runs,
        "samples": samples,
        "training": training,
        "worth": {name: sum(each) / runs for name, each in won.items()},
        "given_away": lost._asdict(),
    }
    if json:
        print_json(summary)
    else:
        write(_sparring_page(summary, (one, other)))


def _conflict(
    conflict: str, one: str, other: str, options: list[str]
) -> tuple[Then[Any], tuple[str, str]]:
    """A conflict of two for practice, as it begins, and both seats."""
    from astragal.cli.sides import seated
    from astragal.cli.test import parse_setting
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight, fight_on
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
        StartSkirmish,
        skirmish_on,
    )
    from astragal.play import then

    keys, characters = seated([[one], [other]])
    (mine,), (theirs,) = keys
    chosen = dict(parse_setting(text, "--option") for text in options)
    table = GAME.table(characters, options=chosen)
    people = [{"character": mine}, {"character": theirs}]
    if conflict == "fight":
        sides = [{"fighters": [each]} for each in people]
        fight = GAME.read({"sides": sides, "rehearsal": True}, StartFight, "fight")
        return then(fight_on, fight, table), (mine, theirs)
    if conflict == "skirmish":
        sides = [{"shooters": [each]} for each in people]
        skirmish = GAME.read({"sides": sides, "rehearsal": True}, StartSkirmish, "skirmish")
        return then(skirmish_on, skirmish, table), (mine, theirs)
    raise BadInput("conflict", conflict, "fight or skirmish")


def _sparring_page(summary: dict[str, Any], names: tuple[str, str]) -> RenderableType:
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    worth, lost = summary["worth"], summary["given_away"]
    one, other = names
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("against the partner")
    grid.add_column("gets", justify="right")
    for who, key in (
        (f"{one}, scripts at random", "careless"),
        (f"{one}, trained against it", "trained"),
        (f"{other}, trained against it", "trained_as_other"),
    ):
        grid.add_row(who, f"{worth[key]:.1%}")
    is_sure = lost["at_least"] > 0
    lines = (
        "\nA victory counts 1, a conflict without a winner a half.",
        f"Partners on both sides give away {lost['counted']:.2f} of a victory together, "
        f"at least {lost['at_least']:.2f} with 95% certainty."
        if is_sure
        else f"No opponent was found who reliably does better than even: "
        f"{lost['counted']:+.2f} of a victory was counted, which may be luck.",
        f"{summary['runs']} against each, scripts searched with {summary['samples']} plays, "
        f"opponents trained in {summary['training']}.",
    )
    return Group(grid, *(Text(line) for line in lines))
