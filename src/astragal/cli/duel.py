"""`astragal duel`: a Duel of Wits at one keyboard, or many of them by policies.

How two people share a keyboard without seeing each other's scripts is in ``one_keyboard``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from astragal.cli.common_options import (
    AnswerOption,
    AskOption,
    DaskOption,
    EveryQuestionOption,
    HouseRuleOption,
    JsonOption,
    ProcessesOption,
    SeedOption,
)
from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits
    from astragal.games.burning_wheel.sheet.scene import BurningTable
    from astragal.play import Answer, Ask, State

ASKED = (
    "duel", "case", "dueling_skill", "body_method", "terms_wins", "terms_loses", "accept_terms",
    "script", "speech", "skill", "split", "forks", "other_act", "roots", "root",
    "speak_up", "help", "help_how", "boon", "divine_inspiration", "after_roll", "break_tie",
    "reaction", "window", "concession", "accept_concession", "after_tie", "offer",
    "middle_ground", "demand_satisfaction", "satisfaction", "escalate",
)  # fmt: skip
"""The questions for the two sides; the GM's are asked with --every-question."""

READY = ("advocate_ysmay", "harbourmaster_dunn")
EXAMPLE = "['point', 'point', 'point']"


def add_to(app: typer.Typer) -> None:
    """Add the command `duel`."""
    app.command("duel")(duel)


def duel(
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help="Two sheets: files, or pre-made sheets by name."),
    ] = None,
    about: Annotated[str, typer.Option(help="What the argument is about.")] = "the matter at hand",
    ability: Annotated[
        list[str] | None, typer.Option(help="The dueling skill of each side, in order.")
    ] = None,
    helper: Annotated[
        list[str] | None, typer.Option(help="A helper of side 1 or 2: 1:SHEET or 2:SHEET.")
    ] = None,
    onlooker: Annotated[list[str] | None, typer.Option(help="A member of the audience.")] = None,
    body: Annotated[
        str, typer.Option(help="Body of Argument: standard, big_deal, not_a_big_deal, doubled.")
    ] = "",
    option: HouseRuleOption = None,
    answer: AnswerOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    every_question: EveryQuestionOption = False,
    auto: Annotated[int, typer.Option(help="Play this many duels automatically.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(help="With --auto, how each side plays: random, greedy, or CARD,CARD,CARD."),
    ] = None,
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    spar: Annotated[
        int | None,
        typer.Option(help="Let the program play side 2, from 0 (careless) to 100 (merciless)."),
    ] = None,
    temperament: Annotated[
        str, typer.Option(help="With --spar, its temperament: any, bold, careful, sly.")
    ] = "any",
    json: JsonOption = False,
) -> int:
    """Play a Duel of Wits: both scripts secret, the volleys shown one by one."""
    from astragal.cli.one_keyboard import at_one_keyboard
    from astragal.cli.test import parse_setting
    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import duel_of_wits
    from astragal.play import then

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    match sheets or []:
        case []:
            names = list(READY)
        case [one, other]:
            names = [one, other]
        case several:
            raise BadInput("sheets", ", ".join(several), "two sheets, one for each side")
    arguments, table = prepare_duel(
        names, about, ability or [], helper or [], onlooker or [], chosen
    )
    if auto:
        return _auto(
            auto,
            policy or [],
            arguments,
            table,
            body,
            seed,
            as_json=json,
            processes=processes,
            dask=dask,
        )
    partner = None
    if spar is not None:
        table, partner = _sparring(spar, temperament, arguments, table, seed)
    if policy:
        raise BadInput("--policy", ", ".join(policy), "no policy without --auto")
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    if body:
        answers["body_method"] = body
    return at_one_keyboard(
        then(duel_of_wits, arguments, table),
        answers,
        what="duel",
        example=EXAMPLE,
        for_players=for_sides,
        seed=seed,
        asking=sys.stdin.isatty() if ask is None else ask,
        every=every_question,
        as_json=json,
        partner=partner,
    )


def _sparring(
    dial: int, temperament: str, arguments: DuelOfWits, table: BurningTable, seed: str | None
) -> tuple[BurningTable, Callable[[State, Ask], Answer | None]]:
    """Side 2 gets a seat of its own, at which the program answers everything."""
    from astragal.cli.solve import find_solution
    from astragal.games.game import Table
    from astragal.lab import check_installed

    check_installed()
    from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import answers_of
    from astragal.lab.sparring import MERCILESS, SparringPartner, SpeakerTemperament

    if not 0 <= dial <= MERCILESS:
        raise BadInput("--spar", dial, "0 (careless) to 100 (merciless)")
    if temperament not in {each.value for each in SpeakerTemperament}:
        known = ", ".join(each.value for each in SpeakerTemperament)
        raise BadInput("--temperament", temperament, f"one of {known}")
    key = arguments.sides[1].character
    theirs = msgspec.structs.replace(table.character(key), player=key)
    table = Table({**table.characters, key: theirs}, table.scene, table.options)
    said = None if seed is None else int.from_bytes(seed.encode()[:16], "big")
    player = SparringPartner(
        key,
        1,
        dial,
        SpeakerTemperament(temperament),
        lambda duel: find_solution(duel.debate, duel.table, "win", duel.started, cache=True),
        said,
    )

    def partner(state: State, ask: Ask) -> Answer | None:
        own = player.answer(state, ask)
        if own is None and ask.seat == key:
            return answers_of({})(ask)
        return own

    return table, partner


def prepare_duel(
    names: list[str],
    about: str,
    abilities: list[str],
    helpers: list[str],
    onlookers: list[str],
    options: dict[str, Any],
) -> tuple[DuelOfWits, BurningTable]:
    """The arguments of a duel and its table, from sheets and options of the command line."""
    from astragal.cli.files import find_sheet, read_raw
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits

    characters: dict[str, Any] = {}

    def seat(name: str) -> str:
        path = find_sheet(name, GAME)
        key = path.stem
        if key in characters:  # the same sheet on both sides
            key = f"{key}_{len(characters) + 1}"
        characters[key] = GAME.read_sheet(read_raw(path), key)
        return key

    sides: list[dict[str, Any]] = [{"character": seat(name), "helpers": []} for name in names]
    if len(abilities) > len(sides):
        raise BadInput("--ability", ", ".join(abilities), "at most one for each side")
    for side, skill in zip(sides, abilities, strict=False):
        side["skill"] = skill
    for text in helpers:
        number, _, name = text.partition(":")
        if number not in ("1", "2") or not name:
            raise BadInput("--helper", text, "1:SHEET or 2:SHEET")
        sides[int(number) - 1]["helpers"].append(seat(name))
    raw = {"about": about, "sides": sides, "onlookers": onlookers}
    return GAME.read(raw, DuelOfWits, "duel"), GAME.table(characters, options=options)


def for_sides(ask: Ask) -> bool:
    """Whether a question is for one of the two sides."""
    return ask.key in ASKED


# --- By policies ---------------------------------------------------------------------------


DUELS_AT_ONCE = 5000
"""How many duels are played from one seed; more are shared out among processes."""


class DuelShare(msgspec.Struct, frozen=True):
    """So many duels from a seed, in one piece for a worker."""

    arguments: DuelOfWits
    table: BurningTable
    policies: tuple[str, ...]
    body: str
    runs: int
    seed: str


def play_share(share: DuelShare, progress: Callable[[int, int], None] | None = None) -> list[Any]:
    """Play a share of the duels, in whatever process, and give all outcomes."""
    from astragal.cli.many_runs import first_of
    from astragal.dice import Seeded
    from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import simulate

    chance = Seeded(share.seed)
    names = [side.character for side in share.arguments.sides]
    scripters = {
        name: _scripter(text, side, share.arguments, share.table, chance)
        for side, (name, text) in enumerate(zip(names, share.policies, strict=True))
    }
    duels = simulate(share.arguments, share.table, scripters, chance, body=share.body)
    return first_of(duels, share.runs, progress)


def _auto(
    runs: int,
    policies: list[str],
    arguments: DuelOfWits,
    table: BurningTable,
    body: str,
    seed: str | None,
    *,
    as_json: bool,
    processes: int,
    dask: str,
) -> int:
    from collections import Counter
    from time import perf_counter

    from astragal.cli.many_runs import played_by_many, say_what_is_assumed, shares_of
    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.dice import Seeded
    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import NEEDED
    from astragal.games.game import Table

    counts = shares_of(runs, seed, DUELS_AT_ONCE)
    if len(policies) > 2:
        raise BadInput("--policy", ", ".join(policies), "at most one for each side")
    # Each character has a seat of its own, even two that the GM plays.
    alone = {
        name: msgspec.structs.replace(sheet, player=name)
        for name, sheet in table.characters.items()
    }
    table = Table(alone, table.scene, table.options)
    arguments = msgspec.structs.replace(arguments, rehearsal=True)
    names = [side.character for side in arguments.sides]
    said = [*policies, *["random"] * (2 - len(policies))]
    for side, text in enumerate(said):  # what is no policy is refused before anything begins
        _scripter(text, side, arguments, table, Seeded(""))
    say_what_is_assumed(table, names, NEEDED)
    work = [DuelShare(arguments, table, tuple(said), body, *each) for each in counts]
    began = perf_counter()
    with Waiting("Playing duels") as waiting:
        outcomes = played_by_many(play_share, work, waiting.counted, processes, dask)
    seconds = perf_counter() - began
    wins = Counter(outcome.winner or "tie" for outcome in outcomes)
    owed = Counter(outcome.concession or "nobody won" for outcome in outcomes)
    summary = {
        "duels": runs,
        "wins": {name: wins[name] for name in (*names, "tie")},
        "concessions": dict(owed.most_common()),
        "volleys": sum(outcome.volleys for outcome in outcomes) / runs,
        "exchanges": sum(outcome.exchanges for outcome in outcomes) / runs,
        "duels_per_second": round(runs / seconds),
    }
    if as_json:
        print_json(summary)
    else:
        write(_summary(summary, dict(zip(names, said, strict=True)), table))
    return 0


def _scripter(text: str, side: int, arguments: DuelOfWits, table: BurningTable, chance: Any) -> Any:
    from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import (
        at_random,
        by_heart,
        greedy_for,
    )

    if text == "random":
        return at_random(chance)
    if text == "greedy":
        return greedy_for(arguments, side, table)
    cards = tuple(card.strip() for card in text.split(","))
    if len(cards) == 1:
        raise BadInput("--policy", text, "random, greedy, or three actions: point,rebuttal,dismiss")
    return by_heart(cards, "--policy")


def _summary(summary: dict[str, Any], said: dict[str, str], table: BurningTable) -> RenderableType:
    from fractions import Fraction

    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent

    runs = summary["duels"]
    grid = Grid(box=None, pad_edge=False)
    for head, justify in (("", "left"), ("scripts", "left"), ("wins", "right"), ("", "right")):
        grid.add_column(head, justify=justify)  # type: ignore[arg-type]
    for name, wins in summary["wins"].items():
        who = "nobody (a tie)" if name == "tie" else table.character(name).name
        grid.add_row(who, said.get(name, ""), str(wins), percent(Fraction(wins, runs)))
    owed = ", ".join(f"{what.replace('_', ' ')} {n}" for what, n in summary["concessions"].items())
    lines = (
        f"\nOn average {summary['exchanges']:.2f} exchanges, {summary['volleys']:.2f} volleys.",
        f"Concessions owed: {owed}.",
        f"{runs} duels, {summary['duels_per_second']} a second.",
    )
    return Group(grid, *(Text(line) for line in lines))
