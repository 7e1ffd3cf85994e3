"""`astragal play`: replay a scenario, or play it with fresh dice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def add_to(app: typer.Typer) -> None:
    """Add the command `play`."""
    app.command("play")(play)


def play(
    file: Annotated[Path, typer.Argument(help="A scenario file (TOML or JSON).")],
    json: Annotated[bool, typer.Option("--json", help="Write the full result as JSON.")] = False,
    seed: Annotated[
        str | None, typer.Option(help="Roll dice that are not scripted from this seed.")
    ] = None,
) -> int:
    """Play a scenario and report where it differs from what it expects.

    The exit status is 1 if anything differs.
    """
    from rich.text import Text

    from astragal.cli.files import find_sheet, read_raw
    from astragal.cli.screen import print_json, write
    from astragal.cli.transcript import transcript
    from astragal.dice import Chance, Secure, Seeded
    from astragal.games.game import game_named
    from astragal.games.scenarios import parse_scenario

    raw = read_raw(file)
    game = game_named(raw.get("game"), f"{file}.game")
    scenario = parse_scenario(
        raw, lambda name: read_raw(find_sheet(name, game, file.parent)), file.name
    )
    chance: Chance = Secure() if seed is None else Seeded(seed)
    faults = 0
    steps: list[dict[str, Any]] = []
    if not json:
        write(Text(scenario.file.title or file.stem, style="bold"))
    for number, result in enumerate(scenario.play(chance), start=1):
        faults += len(result.differences)
        if json:
            steps.append(_as_data(result, game))
            continue
        title = result.script.title or game.procedure(result.script.procedure).title
        write(Text(f"\n{number}. {title}", style="bold"))
        write(transcript(result.events))
        if result.refusal is not None:
            write(Text(f"  Refused, as expected: {result.refusal}", style="magenta"))
        for difference in result.differences:
            write(Text(f"  DIFFERS  {difference}", style="bold red"))
    if json:
        print_json({"title": scenario.file.title, "steps": steps, "differences": faults})
    elif faults:
        write(Text(f"\n{faults} difference{'' if faults == 1 else 's'}.", style="bold red"))
    else:
        write(Text("\nAs expected.", style="bold green"))
    return 1 if faults else 0


def _as_data(result: Any, game: Any) -> dict[str, Any]:
    from astragal.play import Change, DecisionEvent, RollEvent, Tell

    rolls = [event for event in result.events if isinstance(event, RollEvent)]
    return {
        "procedure": result.script.procedure,
        "outcome": game.write(result.outcome),
        "refused": None if result.refusal is None else str(result.refusal),
        "rolls": [
            {
                "label": event.roll.label,
                "owner": event.roll.owner,
                "dice": event.roll.expression.notation,
                "faces": list(event.rolled.faces),
                "value": game.write(event.rolled.value),
            }
            for event in rolls
        ],
        "decisions": [
            {"seat": event.ask.seat, "key": event.ask.key, "answer": game.write(event.answer)}
            for event in result.events
            if isinstance(event, DecisionEvent)
        ],
        "told": [
            {"sentence": event.fact.sentence(), "fact": game.write(event.fact)}
            for event in result.events
            if isinstance(event, Tell)
        ],
        "changes": [game.write(event) for event in result.changes if isinstance(event, Change)],
        "differences": list(result.differences),
    }
