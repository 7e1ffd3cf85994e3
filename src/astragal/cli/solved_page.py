"""A solved Duel of Wits as `astragal solve duel` shows it: as a page, a map and plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate
    from astragal.lab.duel_certificate import Certificate
    from astragal.lab.duel_game import Bodies
    from astragal.lab.duel_volleys import Floats
    from astragal.lab.rules_of_thumb import RuleOfThumb
    from astragal.lab.solved_duel import SolvedDuel
    from astragal.odds import Sweep

LEFT_OUT = "Left out: artha, help, FoRKs, and advancement during the duel."
DIVIDED = {
    "meeting": "A Rebuttal is divided in the way that gains most in its volley.",
    "planned": "A Rebuttal is divided with regard to the rest of the duel and to what the other "
    "side may still hold.",
}


def _left_out(solved: SolvedDuel) -> str:
    return f"{LEFT_OUT} {DIVIDED['planned' if solved.is_planned else 'meeting']}"


def value_map(solved: SolvedDuel, position: int = 0) -> Sweep:
    """What the duel is worth to the first side, by both bodies."""
    from fractions import Fraction

    from astragal.odds import Axis, Sweep

    one, other = solved.names
    if one == other:
        other = f"{other} (2)"
    values = solved.values[1:, 1:, position]
    cells = tuple(tuple(Fraction(float(value)) for value in line) for line in values)
    return Sweep(
        title=f"What the duel is worth to {one}, by both Bodies of Argument",
        across=Axis(other, _up_to(solved.bodies[1])),
        down=Axis(one, _up_to(solved.bodies[0])),
        cells=cells,
    )


def solved_page(
    solved: SolvedDuel,
    debate: Debate,
    bodies: Bodies,
    position: int,
    grid: Sweep,
    proofs: tuple[Certificate | None, Certificate | None],
    *,
    every_position: bool,
) -> RenderableType:
    """What is printed of a solved duel."""
    from rich.console import Group
    from rich.text import Text

    from astragal.cli.charts import heat_map
    from astragal.cli.divided import divided_table
    from astragal.cli.screen import screen

    value = float(solved.values[bodies[0], bodies[1], position])
    value_at_start = float(solved.values[-1, -1, 0])
    who = [
        f"{name} ({speaker.skill}, body {body})"
        for name, speaker, body in zip(solved.names, debate.speakers, bodies, strict=True)
    ]
    parts: list[RenderableType] = [Text(f"{who[0]} against {who[1]}\n", style="bold")]
    if position:
        parts.append(Text(f"{solved.position_in_words(position)}.\n"))
    shown = f"Worth {value:.1%} to {solved.names[0]}, {1 - value:.1%} to {solved.names[1]}"
    meaning = {
        "win": " (a victory counts 1, a tie a half).",
        "compromise": " (a victory counts 1, an eighth less for each size of concession, a tie "
        "a half).",
    }
    parts += [Text(shown + meaning[solved.payoff.value]), Text()]
    for side, name in enumerate(solved.names):
        parts += [_mix_table(solved, side, name, bodies, position), Text()]
        divided = divided_table(solved, side, bodies, position) if solved.is_planned else None
        if divided is not None:
            parts += [divided, Text()]
    parts += [Text(grid.title), *heat_map(grid, screen().width), Text()]
    if every_position:
        lines = [f"{at:4}  {solved.position_in_words(at)}" for at in range(len(solved.positions))]
        parts += [Text("What can be carried over into an exchange"), Text("\n".join(lines)), Text()]
    proof, free = proofs
    if proof is not None:
        text = f"Checked: against these scripts nobody gains more than {proof.exploitability:.1e}"
        parts.append(Text(f"{text} (at any bodies {proof.worst:.1e})."))
    if free is not None:
        gains = max(free.most) - value_at_start, value_at_start - min(free.least)
        text = " and ".join(
            f"{name} {max(gain, 0.0):.2%}" for name, gain in zip(solved.names, gains, strict=True)
        )
        parts.append(Text(f"Who divides Rebuttals with regard to the rest gains at most: {text}."))
    parts.append(Text(_left_out(solved), style="dim"))
    return Group(*parts)


def _mix_table(
    solved: SolvedDuel, side: int, name: str, bodies: Bodies, position: int
) -> RenderableType:
    from fractions import Fraction

    from rich.table import Table as Grid

    from astragal.cli.charts import percent
    from astragal.lab.solved_duel import script_in_words

    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column(f"{name}: best scripts", no_wrap=True)
    grid.add_column("how often", justify="right")
    for cards, weight in solved.scripts(side, bodies, position):
        grid.add_row(script_in_words(cards), percent(Fraction(weight).limit_denominator(10**9)))
    return grid


def solved_data(
    solved: SolvedDuel,
    bodies: Bodies,
    position: int,
    proofs: tuple[Certificate | None, Certificate | None],
    *,
    every_position: bool,
) -> dict[str, Any]:
    """The same as plain data."""
    data: dict[str, Any] = {
        "sides": solved.names,
        "payoff": solved.payoff.value,
        "started": solved.bodies,
        "bodies": bodies,
        "position": solved.position_in_words(position),
        "value": float(solved.values[bodies[0], bodies[1], position]),
        "scripts": [
            [{"cards": cards, "chance": weight} for cards, weight in mix]
            for mix in (solved.scripts(side, bodies, position) for side in (0, 1))
        ],
        "values": solved.values[1:, 1:, 0].tolist(),
        "splits": "planned" if solved.is_planned else "meeting",
        "left_out": _left_out(solved),
    }
    if solved.is_planned:
        from astragal.cli.divided import divided_data

        data["plans"] = [divided_data(solved, side, bodies, position) for side in (0, 1)]
    proof, free = proofs
    if every_position:
        many = range(len(solved.positions))
        data["positions"] = {str(at): solved.position_in_words(at) for at in many}
    if proof is not None:
        data["exploitability"] = proof.exploitability
        data["worst_exploitability"] = proof.worst
    if free is not None:
        data["gained_by_splits"] = free.exploitability
    return data


def given_away_map(solved: SolvedDuel, given: Floats, rule: RuleOfThumb) -> Sweep:
    """What a rule of thumb gives away, by both bodies."""
    from fractions import Fraction

    from astragal.odds import Axis, Sweep

    one, other = solved.names
    return Sweep(
        title=f"Given away by {other}: {rule.text}",
        across=Axis(f"{other} (2)" if one == other else other, _up_to(solved.bodies[1])),
        down=Axis(one, _up_to(solved.bodies[0])),
        cells=tuple(tuple(Fraction(float(each)) for each in line) for line in given),
        is_loss=True,
    )


def _up_to(body: int) -> tuple[int, ...]:
    return tuple(range(1, body + 1))


def judgement_page(
    solved: SolvedDuel, kept: SolvedDuel, rule: RuleOfThumb, given: Floats, grid: Sweep
) -> RenderableType:
    """What a rule of thumb gives away at most and at least, and the best answer to it."""
    from rich.console import Group
    from rich.text import Text

    from astragal.cli.charts import heat_map
    from astragal.cli.screen import screen

    other = solved.names[1]
    most = [int(each) + 1 for each in divmod(int(given.argmax()), given.shape[1])]
    least = [int(each) + 1 for each in divmod(int(given.argmin()), given.shape[1])]
    before, after = 1 - solved.values[-1, -1, 0], 1 - kept.values[-1, -1, 0]
    lines = (
        f"{other} keeps the rule: {rule.text}.",
        f"At bodies {solved.bodies[0]} and {solved.bodies[1]} the duel is worth {before:.1%} to "
        f"{other}, and {after:.1%} with the rule: it gives away {given[-1, -1]:.1%}.",
        f"Most at bodies {most[0]} and {most[1]} ({given.max():.1%}), least at {least[0]} and "
        f"{least[1]} ({given.min():.1%}).",
    )
    return Group(
        *(Text(line) for line in lines),
        Text(),
        _mix_table(kept, 0, f"{solved.names[0]}, in answer", kept.bodies, 0),
        Text(),
        Text(grid.title),
        *heat_map(grid, screen().width),
        Text(),
        Text(_left_out(solved), style="dim"),
    )
