"""`astragal fight`: a Fight! at one keyboard, or many of them by policies.

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
    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight
    from astragal.games.burning_wheel.conflicts.fight.outcome import FightOutcome
    from astragal.games.burning_wheel.conflicts.fight.policies import Scripter
    from astragal.games.burning_wheel.sheet.scene import BurningTable
    from astragal.play import Answerer

READY = ("serjeant_hale", "ketil_the_loud")
EXAMPLE = "['close', 'strike', 'block', 'maintain', 'avoid', 'stay', 'push']"


def add_to(app: typer.Typer) -> None:
    """Add the command `fight`."""
    app.command("fight")(fight)


def fight(
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help="Two sheets, one for each side: files, or pre-made sheets by name."),
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(help="A side of several fighters: SHEET,SHEET; once for each side."),
    ] = None,
    about: Annotated[str, typer.Option(help="What the fight is about.")] = "",
    weapon: Annotated[
        list[str] | None, typer.Option(help="The weapon in somebody's hand: FIGHTER=WEAPON.")
    ] = None,
    ambush: Annotated[list[str] | None, typer.Option(help="A fighter who lies in wait.")] = None,
    ground: Annotated[
        list[str] | None, typer.Option(help="A condition of the place, such as near_darkness.")
    ] = None,
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
    auto: Annotated[int, typer.Option(help="Play this many fights by policies.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            help="With --auto, one for each side: fierce, careful, sly, random, or CARD,CARD,..."
        ),
    ] = None,
    against: Annotated[
        str, typer.Option(help="Show the odds against this action of the other fighter.")
    ] = "",
    action: Annotated[str, typer.Option(help="With --against, one action (default: all).")] = "",
    at: Annotated[
        str, typer.Option(help="With --against, the distance: outside, lunging, optimal, inside.")
    ] = "optimal",
    stance: Annotated[
        str, typer.Option(help="With --against, the stances of both, as in aggressive,neutral.")
    ] = "neutral,neutral",
    json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> int:
    """Play a Fight!: all scripts secret, the volleys shown one by one.

    Or show the exact odds of actions against one of the other fighter's, with --against.
    """
    from astragal.cli.test import parse_setting

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    held = dict(parse_setting(text, "--weapon") for text in weapon or [])
    sides = sides_of(sheets or [], side or [], READY)
    arguments, table = _prepared(sides, about, held, ambush or [], ground or [], chosen)
    if against or action:
        return _odds(arguments, table, action, against, at, stance, as_json=json)
    if auto:
        return _auto(auto, policy or [], arguments, table, seed, as_json=json)
    if policy:
        raise BadInput("--policy", ", ".join(policy), "no policy without --auto")
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    asking = sys.stdin.isatty() if ask is None else ask
    return _at_one_keyboard(
        arguments, table, answers, seed, asking, every=every_question, as_json=json
    )


def _odds(
    arguments: StartFight,
    table: BurningTable,
    action: str,
    against: str,
    at: str,
    stance: str,
    *,
    as_json: bool,
) -> int:
    from astragal.cli.fight_odds import show_odds

    mine, _, theirs = stance.partition(",")
    stances = (mine.strip(), theirs.strip() or "neutral")
    return show_odds(arguments, table, action, against or "no_action", at, stances, as_json=as_json)


def _prepared(
    sides: list[list[str]],
    about: str,
    weapons: dict[str, Any],
    ambushers: list[str],
    ground: list[str],
    options: dict[str, Any],
) -> tuple[StartFight, BurningTable]:
    """The fight, and its table, at which each fighter has a seat: two may share a player."""
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight

    keys, characters = seated(sides)
    for name in weapons:
        if name not in characters:
            raise BadInput("--weapon", name, f"one of {', '.join(characters)}")
    raw = {
        "sides": [
            {"fighters": [{"character": key, "weapon": str(weapons.get(key, ""))} for key in names]}
            for names in keys
        ],
        "about": about,
        "ambushers": ambushers,
        "ground": ground,
    }
    return GAME.read(raw, StartFight, "fight"), GAME.table(characters, options=options)


# --- At one keyboard -----------------------------------------------------------------------


def _at_one_keyboard(
    arguments: StartFight,
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
    from astragal.games.burning_wheel.conflicts.fight.fight import fight as procedure
    from astragal.play import then

    console = screen()
    others: Answerer = by_default(EXAMPLE)
    if asking:
        others = SharedKeyboard(console, Terminal(console), for_players=for_fighters, every=every)
    return play_here(
        then(procedure, arguments, table),
        answers,
        others,
        what="fight",
        seed=seed,
        console=console if asking else None,
        as_json=as_json,
    )


for_fighters = often_wanted


# --- By policies ---------------------------------------------------------------------------


def _auto(
    runs: int,
    policies: list[str],
    arguments: StartFight,
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
    from astragal.games.burning_wheel.conflicts.fight.policies import simulate

    if runs < 1:
        raise BadInput("--auto", runs, "1 or more")
    if len(policies) > len(arguments.sides):
        raise BadInput("--policy", ", ".join(policies), "at most one for each side")
    chance = Seeded("astragal" if seed is None else seed)
    said = [*policies, *["fierce"] * (len(arguments.sides) - len(policies))]
    scripters = {
        each.character: _scripter(text, chance)
        for text, side in zip(said, arguments.sides, strict=True)
        for each in side.fighters
    }
    arguments = msgspec.structs.replace(arguments, rehearsal=True)
    began = perf_counter()
    # Results are kept for the whole run, so frequent garbage collection would only cost time.
    gc.set_threshold(500_000)
    outcomes = []
    with Waiting("Playing fights") as waiting:
        fights: Iterator[FightOutcome] = simulate(arguments, table, scripters, chance)
        for number in range(1, runs + 1):
            outcomes.append(next(fights))
            if not number % 16:
                waiting.counted(number, runs)
    summary = _counted(outcomes, arguments)
    summary["fights_per_second"] = round(runs / (perf_counter() - began))
    if as_json:
        print_json(summary)
    else:
        write(_summary(summary, said, arguments, table))
    return 0


def _scripter(text: str, chance: Seeded) -> Scripter:
    from astragal.games.burning_wheel.conflicts.fight.policies import (
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
        expected = f"{', '.join(TEMPERAMENTS)}, random, or a script: close,strike,maintain,..."
        raise BadInput("--policy", text, expected)
    return by_heart(cards, "--policy")


def _counted(outcomes: list[FightOutcome], arguments: StartFight) -> dict[str, Any]:
    """How the fights came out: who won, how they were settled, and what became of everybody."""
    from collections import Counter

    runs = len(outcomes)
    wins = Counter(outcome.winner for outcome in outcomes)
    fates: dict[str, Counter[str]] = {
        each.character: Counter() for side in arguments.sides for each in side.fighters
    }
    for outcome in outcomes:
        for fighter in outcome.fighters:
            fates[fighter.character][fighter.state] += 1
    return {
        "fights": runs,
        "wins": [wins[side] for side in range(len(arguments.sides))],
        "nobody": wins[None],
        "settled": dict(Counter(outcome.settled for outcome in outcomes).most_common()),
        "fighters": {name: dict(fate.most_common()) for name, fate in fates.items()},
        "exchanges": sum(outcome.exchanges for outcome in outcomes) / runs,
        "volleys": sum(outcome.volleys for outcome in outcomes) / runs,
    }


def _summary(
    summary: dict[str, Any], said: list[str], arguments: StartFight, table: BurningTable
) -> RenderableType:
    runs = summary["fights"]
    rows = [
        (", ".join(table.character(each.character).name for each in side.fighters), policy, wins)
        for side, policy, wins in zip(arguments.sides, said, summary["wins"], strict=True)
    ]
    lines = [
        f"\nOn average {summary['exchanges']:.2f} exchanges, {summary['volleys']:.2f} volleys.",
        f"Settled: {listed(summary['settled'])}.",
        *(
            f"{table.character(name).name}: {listed(fate)}."
            for name, fate in summary["fighters"].items()
        ),
        f"{runs} fights, {summary['fights_per_second']} a second.",
    ]
    return wins_of(rows, summary["nobody"], runs, lines)
