"""`astragal play`: replay scenarios, or play them with fresh dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.errors import Refusal

if TYPE_CHECKING:
    from astragal.games.scenarios import Scenario, StepResult

DIFFERS, NOT_VALID = 1, 2


def add_to(app: typer.Typer) -> None:
    """Add the command `play`."""
    app.command("play")(play)


def play(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="Scenario files (TOML or JSON), folders of them, or a scenario that comes with "
            "a game, by name: red_widow.",
        ),
    ],
    story: Annotated[
        bool, typer.Option("--story", help="Tell the whole story even of several files.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write the full result as JSON.")] = False,
    seed: Annotated[
        str | None, typer.Option(help="Roll dice that are not scripted from this seed.")
    ] = None,
) -> int:
    """Play scenarios and report where they differ from what they expect.

    One file is told as a story. With several files, or a folder, each file
    gets one line, with its differences below it.

    The exit status is 1 if anything differs, and 2 if a file is not valid.
    """
    from astragal.cli.screen import print_json

    paths = [_ready(path) for path in paths]
    if len(paths) == 1 and not paths[0].is_dir():
        scenario = _scenario(paths[0])
        results = _played(scenario, paths[0], seed, story=not json)
        if json:
            print_json(_as_data(scenario, results))
        else:
            _write_sum([paths[0]], _count(results), 0)
        return DIFFERS if _count(results) else 0
    return _play_many(_files(paths), seed, story=story and not json, json=json)


def _play_many(files: list[Path], seed: str | None, *, story: bool, json: bool) -> int:
    """Play file after file; one that is not valid keeps none of the others from being played."""
    from rich.text import Text

    from astragal.cli.screen import print_json, write

    records: list[dict[str, Any]] = []
    differences = not_valid = 0
    for file in files:
        try:
            scenario = _scenario(file)
            results = _played(scenario, file, seed, story=story)
        except Refusal as refusal:
            not_valid += 1
            records.append({"file": str(file), "not_valid": str(refusal)})
            if not json:
                write(Text.assemble(f"{file}: ", ("NOT VALID", "bold red"), f"  {refusal}"))
            continue
        differences += _count(results)
        records.append({"file": str(file), **_as_data(scenario, results)})
        if not json:
            _write_line(file, scenario, results, with_differences=not story)
    if json:
        print_json({"files": records, "differences": differences, "not_valid": not_valid})
    else:
        _write_sum(files, differences, not_valid)
    return NOT_VALID if not_valid else DIFFERS if differences else 0


# --- Files ---------------------------------------------------------------------------------


def _ready(path: Path) -> Path:
    """A path as it is, or that of the scenario of this name that comes with a game."""
    if path.exists() or len(path.parts) != 1:
        return path
    from astragal.games.game import games
    from astragal.games.ready import scenario_paths

    for game in games().values():
        found = scenario_paths(game).get(path.name)
        if found is not None:
            return found
    return path


def _files(paths: list[Path]) -> list[Path]:
    """Every file that is named, and every scenario in the folders, each once."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = list(_scenarios_in(path)) if path.is_dir() else [path]
        if not inside:
            raise Refusal(f"There is no scenario in the folder {path}.")
        found.update(dict.fromkeys(inside))
    return list(found)


def _scenarios_in(folder: Path) -> Iterator[Path]:
    """The scenarios of a folder; a sheet that lies beside them has no steps and is none.

    A file that cannot be read is taken for one, so that its fault is reported.
    """
    from astragal.cli.files import read_raw

    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if hidden or path.suffix not in (".toml", ".json") or not path.is_file():
            continue
        try:
            is_scenario = "step" in read_raw(path)
        except Refusal:
            is_scenario = True
        if is_scenario:
            yield path


def _scenario(file: Path) -> Scenario:
    from astragal.cli.files import find_sheet, read_raw
    from astragal.games.game import game_named
    from astragal.games.scenarios import parse_scenario

    raw = read_raw(file)
    game = game_named(raw.get("game"), f"{file}.game")
    return parse_scenario(
        raw, lambda name: read_raw(find_sheet(name, game, file.parent)), file.name
    )


# --- Playing and telling -------------------------------------------------------------------


def _played(scenario: Scenario, file: Path, seed: str | None, *, story: bool) -> list[StepResult]:
    """Every step; each file begins with its own dice, whatever was played before it."""
    from rich.text import Text

    from astragal.cli.screen import write
    from astragal.dice import Chance, Secure, Seeded

    chance: Chance = Secure() if seed is None else Seeded(seed)
    if story:
        write(Text(scenario.file.title or file.stem, style="bold"))
    results = []
    for number, result in enumerate(scenario.play(chance), start=1):
        results.append(result)
        if story:
            _tell(scenario, number, result)
    return results


def _tell(scenario: Scenario, number: int, result: StepResult) -> None:
    """One step as a story, up to where it ended."""
    from rich.padding import Padding
    from rich.text import Text

    from astragal.cli.screen import write
    from astragal.cli.transcript import transcript

    write(Text(f"\n{_heading(scenario, number, result)}", style="bold"))
    if result.script.rules:
        shown = Text(f"Shows {', '.join(result.script.rules)}", style="dim")
        write(Padding(shown, (0, 0, 0, 2)))
    if result.events:
        write(transcript(result.events, with_rules=True))
    if result.is_refused_as_expected:
        refused = Text(f"Refused, as expected: {result.refusal}", style="magenta")
        write(Padding(refused, (0, 0, 0, 2)))
    for difference in result.differences:
        write(_difference(difference))
    if result.refusal is not None and not result.is_refused_as_expected:
        left_out = "The step ends here and changes nothing."
        write(Padding(Text(left_out, style="dim"), (0, 0, 0, 2)))


def _write_line(
    file: Path, scenario: Scenario, results: list[StepResult], *, with_differences: bool
) -> None:
    """One file in a line, with its differences below it unless its story has told them."""
    from rich.text import Text

    from astragal.cli.screen import write

    count = _count(results)
    steps = "1 step" if len(results) == 1 else f"{len(results)} steps"
    said = ("as expected", "green") if not count else (_differences(count), "bold red")
    write(Text.assemble(f"{file}: ", said, (f"  {steps}", "dim")))
    for number, result in enumerate(results, start=1):
        if not with_differences or not result.differences:
            continue
        write(Text(f"  {_heading(scenario, number, result)}"))
        for difference in result.differences:
            write(_difference(difference))


def _write_sum(files: list[Path], differences: int, not_valid: int) -> None:
    from rich.text import Text

    from astragal.cli.screen import write

    parts = [f"{len(files)} scenarios"] if len(files) > 1 else []
    if not_valid:
        parts.append(f"{not_valid} not valid")
    if differences:
        parts.append(_differences(differences))
    if not differences and not not_valid:
        parts.append("all as expected" if parts else "As expected")
    style = "bold red" if differences or not_valid else "bold green"
    write(Text(f"\n{', '.join(parts)}.", style=style))


def _heading(scenario: Scenario, number: int, result: StepResult) -> str:
    title = result.script.title or scenario.game.procedure(result.script.procedure).title
    return f"{number}. {title}"


def _difference(difference: str) -> Any:
    """A difference, its further lines under the first."""
    from rich.padding import Padding
    from rich.text import Text

    return Padding(Text(f"DIFFERS  {difference}", style="bold red"), (0, 0, 0, 2))


def _differences(count: int) -> str:
    return f"{count} difference{'' if count == 1 else 's'}"


def _count(results: list[StepResult]) -> int:
    return sum(len(result.differences) for result in results)


# --- As data -------------------------------------------------------------------------------


def _as_data(scenario: Scenario, results: list[StepResult]) -> dict[str, Any]:
    return {
        "title": scenario.file.title,
        "steps": [_step_as_data(result, scenario.game) for result in results],
        "differences": _count(results),
    }


def _step_as_data(result: StepResult, game: Any) -> dict[str, Any]:
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
        "asked": [{"seat": ask.seat, "key": ask.key} for ask in result.asked],
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
