"""`astragal solve duel`: what a Duel of Wits is worth, and the best mix of scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.common_options import HouseRuleOption, JsonOption
from astragal.cli.solved_page import (
    DIVIDED,
    given_away_map,
    judgement_page,
    solved_data,
    solved_page,
    value_map,
)
from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate
    from astragal.games.burning_wheel.sheet.scene import BurningTable
    from astragal.lab import Progress
    from astragal.lab.duel_certificate import Certificate
    from astragal.lab.duel_game import Bodies
    from astragal.lab.rules_of_thumb import RuleOfThumb
    from astragal.lab.solved_duel import SolvedDuel

LARGEST_BODY = 20


def add_to(app: typer.Typer) -> None:
    """Add the commands `solve ...`."""
    solve = typer.Typer(help="Solve a conflict: its value, and how best to play it.")
    solve.command("duel")(duel)
    app.add_typer(solve, name="solve")

    @solve.callback()
    def about() -> None:
        """Solve a conflict: its value, and how best to play it."""


def duel(
    one: Annotated[str, typer.Argument(help="A sheet: a file, or a pre-made sheet by name.")],
    other: Annotated[str, typer.Argument(help="The other side's sheet.")],
    payoff: Annotated[
        str, typer.Option(help="What counts: win, or compromise (to win and concede little).")
    ] = "win",
    bodies: Annotated[
        tuple[int, int],
        typer.Option(help="Both Bodies of Argument; by default Will and half the dueling skill."),
    ] = (0, 0),
    at: Annotated[
        tuple[int, int], typer.Option(help="Show the scripts for these bodies later in the duel.")
    ] = (0, 0),
    position: Annotated[
        int, typer.Option(help="Show the scripts for what is carried over, by its number.")
    ] = 0,
    positions: Annotated[
        bool, typer.Option("--positions", help="List everything that can be carried over.")
    ] = False,
    ability: Annotated[
        list[str] | None, typer.Option(help="The dueling skill of each side, in order.")
    ] = None,
    option: HouseRuleOption = None,
    splits: Annotated[
        str,
        typer.Option(
            help="How a Rebuttal is divided: meeting (what gains most in its volley), or planned "
            "(as part of the play; takes much longer, for short duels)."
        ),
    ] = "meeting",
    against: Annotated[
        str,
        typer.Option(help="What a rule of thumb of the other side gives away: point point point."),
    ] = "",
    certify: Annotated[
        bool, typer.Option("--certify", help="Check the solution with a second program.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(help="Save the heat map to this file.")] = None,
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep solutions on disk and use them again.")
    ] = True,
    json: JsonOption = False,
) -> None:
    """Solve a Duel of Wits: what it is worth to both sides, and the best mix of scripts.

    The first side wants the value to be high. A victory counts 1, a tie a half; with
    --payoff compromise each size of a concession takes an eighth off.
    """
    from astragal.cli.odds import save
    from astragal.cli.screen import print_json, write
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.rules_of_thumb import parse_rule

    debate, table = debate_from(one, other, ability or [], option or [])
    start = find_bodies(bodies, debate, table)
    now = _within(at, start)
    rule = parse_rule(against) if against else None
    if splits not in DIVIDED:
        raise BadInput("--splits", splits, f"one of {', '.join(DIVIDED)}")
    planned = splits == "planned"
    solved = find_solution(debate, table, payoff, start, cache=cache, planned=planned)
    if rule is not None:
        kept = find_solution(debate, table, payoff, start, cache=cache, rule=rule, planned=planned)
        proofs = (_certificate(solved), _certificate(kept, rule)) if certify else ()
        _judge(solved, kept, rule, svg, proofs, as_json=json)
        return
    if not 0 <= position < len(solved.positions):
        expected = f"a number up to {len(solved.positions) - 1}; --positions lists them"
        raise BadInput("--position", position, expected)
    grid = value_map(solved)
    if svg is not None:
        save(svg, grid.to_svg())
    proof = _certificate(solved) if certify else None
    free = None if proof is None or solved.is_planned else _certificate_of_splits(solved)
    if json:
        print_json(solved_data(solved, now, position, (proof, free), every_position=positions))
        return
    write(solved_page(solved, debate, now, position, grid, (proof, free), every_position=positions))


def debate_from(
    one: str, other: str, abilities: list[str], options: list[str]
) -> tuple[Debate, BurningTable]:
    """Two speakers and their table, from sheets and options of the command line."""
    from astragal.cli.duel import prepare_duel
    from astragal.cli.test import parse_setting
    from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import debate_of

    chosen = dict(parse_setting(text, "--option") for text in options)
    arguments, table = prepare_duel([one, other], "the matter at hand", abilities, [], [], chosen)
    return debate_of(arguments, table), table


def find_bodies(given: Bodies, debate: Debate, table: BurningTable) -> Bodies:
    """Both bodies as given, or Will and half the skill, which is what is rolled on average."""
    found = []
    for body, speaker in zip(given, debate.speakers, strict=True):
        if not 0 <= body <= LARGEST_BODY or (not body and any(given)):
            raise BadInput("--bodies", body, f"a Body of Argument from 1 to {LARGEST_BODY}")
        sheet = table.character(speaker.character)
        skill = sheet.find(speaker.skill)
        dice = 0 if skill is None else skill.exponent
        found.append(body or sheet.ability("Will").exponent + (dice + 1) // 2)
    return found[0], found[1]


def _within(at: Bodies, start: Bodies) -> Bodies:
    if not any(at):
        return start
    for body, most in zip(at, start, strict=True):
        if not 1 <= body <= most:
            raise BadInput("--at", body, f"a Body of Argument from 1 to {most}")
    return at


def find_solution(
    debate: Debate,
    table: BurningTable,
    payoff: str,
    bodies: Bodies,
    *,
    cache: bool,
    rule: RuleOfThumb | None = None,
    planned: bool = False,
) -> SolvedDuel:
    """A solved duel, with a bar while it is being solved."""
    from astragal.cli.progress import Waiting
    from astragal.lab.duel_game import Payoff
    from astragal.lab.solved_duel import cache_folder, solve_duel

    if payoff not in {each.value for each in Payoff}:
        raise BadInput("--payoff", payoff, f"one of {', '.join(each.value for each in Payoff)}")
    said = {"volleys": "Working out the odds of all volleys", "states": "Solving the duel"}
    with Waiting("Duel of Wits") as waiting:

        def progress(what: str) -> Progress:
            waiting.told(said[what])
            return waiting.counted

        folder = cache_folder() if cache else None
        return solve_duel(
            debate,
            table,
            Payoff(payoff),
            bodies,
            progress=progress,
            cache=folder,
            rules=(None, rule),
            planned=planned,
        )


def _certificate(solved: SolvedDuel, rule: RuleOfThumb | None = None) -> Certificate:
    """Check a solution, with a rule that the second side keeps."""
    from astragal.cli.progress import Waiting
    from astragal.lab.duel_certificate import certify

    with Waiting("Checking the solution") as waiting:
        return certify(solved, waiting.counted, (None, None if rule is None else rule.allows))


def _certificate_of_splits(solved: SolvedDuel) -> Certificate:
    """What splits with regard to the rest of the duel gain against the usual ones."""
    from astragal.cli.progress import Waiting
    from astragal.lab.duel_certificate import certify
    from astragal.lab.usual_splits import UsualSplits

    with Waiting("Checking the splits") as waiting:
        return certify(UsualSplits(solved), waiting.counted)


# --- Rules of thumb --------------------------------------------------------------------------


def _judge(
    solved: SolvedDuel,
    kept: SolvedDuel,
    rule: RuleOfThumb,
    svg: Path | None,
    proofs: tuple[Certificate, ...],
    *,
    as_json: bool,
) -> None:
    """What a rule of thumb gives away at each pair of bodies, and the best answer to it."""
    from rich.console import Group
    from rich.text import Text

    from astragal.cli.odds import save
    from astragal.cli.screen import print_json, write

    given = (kept.values - solved.values)[1:, 1:, 0].clip(0.0)
    grid = given_away_map(solved, given, rule)
    if svg is not None:
        save(svg, grid.to_svg())
    bounds = _bounds(*proofs) if proofs else None
    if as_json:
        print_json(
            {
                "rule": rule.text,
                "checked": bounds,
                "side": solved.names[1],
                "given_away": float(given[-1, -1]),
                "by_bodies": given.tolist(),
                "answers": [
                    {"cards": cards, "chance": weight}
                    for cards, weight in kept.scripts(0, kept.bodies)
                ],
            }
        )
        return
    page = judgement_page(solved, kept, rule, given, grid)
    if bounds is not None:
        # What is below zero is rounding: who may write fewer scripts gains nothing.
        low, high = (max(0.0, bound) for bound in bounds)
        text = f"Checked: it gives away at least {low:.6%} and at most {high:.6%}."
        page = Group(page, Text(text))
    write(page)


def _bounds(free: Certificate, kept: Certificate) -> tuple[float, float]:
    """Between what and what a rule gives away, by the best answers to both solutions."""
    return min(kept.least) - max(free.most), max(kept.most) - min(free.least)
