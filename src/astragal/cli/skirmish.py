"""`astragal skirmish`: Range and Cover at one keyboard, or many of them by policies.

How several people share a keyboard without seeing each other's scripts is in ``one_keyboard``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.sides import listed, often_wanted, seated, sides_of, wins_of
from astragal.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from astragal.dice import Seeded
    from astragal.games.burning_wheel.conflicts.range_and_cover.outcome import SkirmishOutcome
    from astragal.games.burning_wheel.conflicts.range_and_cover.policies import Scripter
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish
    from astragal.games.burning_wheel.sheet.scene import BurningTable
    from astragal.play import Answerer

READY = ("forester_wyn", "poacher_sig")
EXAMPLE = "['speed_maintain', 'speed_close', 'perception_maintain']"


def add_to(app: typer.Typer) -> None:
    """Add the command `skirmish`."""
    app.command("skirmish")(skirmish)


def skirmish(
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help="Two sheets, one for each side: files, or pre-made sheets by name."),
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(help="A side of several: SHEET,SHEET; once for each side."),
    ] = None,
    about: Annotated[str, typer.Option(help="What it is about.")] = "",
    weapon: Annotated[
        list[str] | None,
        typer.Option(help="What somebody shoots with: NAME=WEAPON, or NAME=nothing."),
    ] = None,
    cover: Annotated[
        list[str] | None,
        typer.Option(help="The cover of each side, in order: open, reasonable or dense."),
    ] = None,
    fortification: Annotated[
        list[int] | None, typer.Option(help="Prepared defences of each side, in order: 0, 3 to 10.")
    ] = None,
    start: Annotated[
        str, typer.Option(help="Where they begin, as in extreme/optimal; by default a test says.")
    ] = "",
    option: Annotated[list[str] | None, typer.Option(help="A house rule: NAME=CHOICE.")] = None,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", help="An answer: KEY=VALUE or SEAT/KEY=VALUE.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Roll the dice from this seed.")] = None,
    ask: Annotated[
        bool | None, typer.Option("--ask/--no-ask", help="Ask open questions, or use the defaults.")
    ] = None,
    every_question: Annotated[
        bool, typer.Option("--every-question", help="Ask the GM's questions as well.")
    ] = False,
    auto: Annotated[int, typer.Option(help="Play this many by policies.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            help="With --auto, one for each side: steady, bold, wary, random, or CARD,CARD,CARD."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> int:
    """Play Range and Cover: both scripts secret, the volleys shown one by one."""
    from astragal.cli.test import parse_setting

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    held = dict(parse_setting(text, "--weapon") for text in weapon or [])
    sides = sides_of(sheets or [], side or [], READY)
    arguments, table = _prepared(
        sides, about, held, cover or [], fortification or [], start, chosen
    )
    if auto:
        return _auto(auto, policy or [], arguments, table, seed, as_json=json)
    if policy:
        raise BadInput("--policy", ", ".join(policy), "no policy without --auto")
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    asking = sys.stdin.isatty() if ask is None else ask
    return _at_one_keyboard(
        arguments, table, answers, seed, asking, every=every_question, as_json=json
    )


def _prepared(
    sides: list[list[str]],
    about: str,
    weapons: dict[str, Any],
    covers: list[str],
    fortifications: list[int],
    start: str,
    options: dict[str, Any],
) -> tuple[StartSkirmish, BurningTable]:
    """The skirmish, and its table, at which everybody has a seat: two may share a player."""
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish

    keys, characters = seated(sides)
    for name in weapons:
        if name not in characters:
            raise BadInput("--weapon", name, f"one of {', '.join(characters)}")
    for place, said in (("--cover", covers), ("--fortification", fortifications)):
        if len(said) > len(sides):
            raise BadInput(place, ", ".join(map(str, said)), "at most one for each side")
    raw_sides: list[dict[str, Any]] = [
        {"shooters": [{"character": key, "weapon": str(weapons.get(key, ""))} for key in names]}
        for names in keys
    ]
    for side, level in zip(raw_sides, covers, strict=False):
        side["cover"] = level
    for side, dice in zip(raw_sides, fortifications, strict=False):
        side["fortification"] = dice
    if any(len(names) > 1 for names in keys):  # several on a side need the rule for groups
        options = {"range_and_cover_groups": "shared_margin", **options}
    raw = {"sides": raw_sides, "about": about, "start": start}
    arguments = GAME.read(raw, StartSkirmish, "skirmish")
    return arguments, GAME.table(characters, options=options)


# --- At one keyboard -----------------------------------------------------------------------


def _at_one_keyboard(
    arguments: StartSkirmish,
    table: BurningTable,
    answers: dict[str, Any],
    seed: str | None,
    asking: bool,
    *,
    every: bool,
    as_json: bool,
) -> int:
    from astragal.cli.one_keyboard import SharedKeyboard, by_default, play_here
    from astragal.cli.screen import screen
    from astragal.cli.terminal import Terminal
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import range_and_cover
    from astragal.play import then

    console = screen()
    others: Answerer = by_default(EXAMPLE)
    if asking:
        others = SharedKeyboard(console, Terminal(console), for_players=often_wanted, every=every)
    return play_here(
        then(range_and_cover, arguments, table),
        answers,
        others,
        what="skirmish",
        seed=seed,
        console=console if asking else None,
        as_json=as_json,
    )


# --- By policies ---------------------------------------------------------------------------


def _auto(
    runs: int,
    policies: list[str],
    arguments: StartSkirmish,
    table: BurningTable,
    seed: str | None,
    *,
    as_json: bool,
) -> int:
    import gc
    from time import perf_counter

    import msgspec

    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.dice import Seeded
    from astragal.games.burning_wheel.conflicts.range_and_cover.policies import simulate

    if runs < 1:
        raise BadInput("--auto", runs, "1 or more")
    if len(policies) > len(arguments.sides):
        raise BadInput("--policy", ", ".join(policies), "at most one for each side")
    chance = Seeded("astragal" if seed is None else seed)
    said = [*policies, *["steady"] * (len(arguments.sides) - len(policies))]
    scripters = {
        each.character: _scripter(text, chance)
        for text, side in zip(said, arguments.sides, strict=True)
        for each in side.shooters
    }
    arguments = msgspec.structs.replace(arguments, rehearsal=True)
    began = perf_counter()
    # Results are kept for the whole run, so frequent garbage collection would only cost time.
    gc.set_threshold(500_000)
    outcomes = []
    with Waiting("Playing skirmishes") as waiting:
        skirmishes: Iterator[SkirmishOutcome] = simulate(arguments, table, scripters, chance)
        for number in range(1, runs + 1):
            outcomes.append(next(skirmishes))
            if not number % 16:
                waiting.counted(number, runs)
    summary = _counted(outcomes, arguments)
    summary["skirmishes_per_second"] = round(runs / (perf_counter() - began))
    if as_json:
        print_json(summary)
    else:
        write(_summary(summary, said, arguments, table))
    return 0


def _scripter(text: str, chance: Seeded) -> Scripter:
    from astragal.games.burning_wheel.conflicts.range_and_cover.policies import (
        TEMPERAMENTS,
        at_random,
        by_heart,
        by_temperament,
    )

    if text == "random":
        return at_random(chance)
    if text in TEMPERAMENTS:
        return by_temperament(text, chance)
    cards = tuple(card.strip() for card in text.split(","))
    if len(cards) == 1:
        expected = (
            f"{', '.join(TEMPERAMENTS)}, random, or three maneuvers: speed_close,speed_maintain,..."
        )
        raise BadInput("--policy", text, expected)
    return by_heart(cards, "--policy")


def _counted(outcomes: list[SkirmishOutcome], arguments: StartSkirmish) -> dict[str, Any]:
    """How they came out: who won, how they were settled, and what became of everybody."""
    from collections import Counter

    runs = len(outcomes)
    wins = Counter(outcome.winner for outcome in outcomes)
    fates: dict[str, Counter[str]] = {
        each.character: Counter() for side in arguments.sides for each in side.shooters
    }
    for outcome in outcomes:
        for each in outcome.skirmishers:
            fates[each.character][each.state] += 1
    return {
        "skirmishes": runs,
        "wins": [wins[side] for side in range(len(arguments.sides))],
        "nobody": wins[None],
        "settled": dict(Counter(outcome.settled for outcome in outcomes).most_common()),
        "skirmishers": {name: dict(fate.most_common()) for name, fate in fates.items()},
        "exchanges": sum(outcome.exchanges for outcome in outcomes) / runs,
        "volleys": sum(outcome.volleys for outcome in outcomes) / runs,
    }


def _summary(
    summary: dict[str, Any], said: list[str], arguments: StartSkirmish, table: BurningTable
) -> RenderableType:
    runs = summary["skirmishes"]
    rows = [
        (", ".join(table.character(each.character).name for each in side.shooters), policy, wins)
        for side, policy, wins in zip(arguments.sides, said, summary["wins"], strict=True)
    ]
    lines = [
        f"\nOn average {summary['exchanges']:.2f} exchanges, {summary['volleys']:.2f} volleys.",
        f"Settled: {listed(summary['settled'])}.",
        *(
            f"{table.character(name).name}: {listed(fate)}."
            for name, fate in summary["skirmishers"].items()
        ),
        f"{runs} skirmishes, {summary['skirmishes_per_second']} a second.",
    ]
    return wins_of(rows, summary["nobody"], runs, lines)
