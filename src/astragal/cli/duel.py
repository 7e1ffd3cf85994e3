"""`astragal duel`: a Duel of Wits at one keyboard, or many of them by policies.

Two people share a keyboard and a screen: whatever is secret is asked on a cleared screen and
cleared away again, and no script is ever printed before its volley is shown. Into a pipe
everything is plain.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits
    from astragal.games.burning_wheel.sheet.scene import BurningTable
    from astragal.play import Answer, Answerer, Ask, Session

ASKED = (
    "duel", "case", "dueling_skill", "body_method", "terms_wins", "terms_loses", "accept_terms",
    "script", "speech", "skill", "split", "forks", "other_act", "roots", "root",
    "speak_up", "help", "help_how", "boon", "divine_inspiration", "after_roll", "break_tie",
    "concede", "reaction", "window", "concession", "accept_concession", "after_tie", "offer",
    "middle_ground", "demand_satisfaction", "satisfaction", "escalate",
)  # fmt: skip
"""What two people argue about; the rest is the GM's to raise (--every-question)."""

READY = ("advocate_ysmay", "harbourmaster_dunn")


def add_to(app: typer.Typer) -> None:
    """Add the command `duel`."""
    app.command("duel")(duel)


def duel(
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help="Two sheets (files, or ready sheets by name)."),
    ] = None,
    about: Annotated[str, typer.Option(help="What is argued about.")] = "the matter at hand",
    ability: Annotated[
        list[str] | None, typer.Option(help="The dueling skill of each side, in order.")
    ] = None,
    helper: Annotated[
        list[str] | None, typer.Option(help="1:SHEET or 2:SHEET of somebody who helps a side.")
    ] = None,
    onlooker: Annotated[list[str] | None, typer.Option(help="Somebody who listens.")] = None,
    body: Annotated[str, typer.Option(help="standard, big_deal, not_a_big_deal or doubled.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="A reading of the table: NAME=CHOICE.")
    ] = None,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", help="An answer: KEY=VALUE or SEAT/KEY=VALUE.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Dice from this seed.")] = None,
    ask: Annotated[
        bool | None, typer.Option("--ask/--no-ask", help="Ask what is left open, or take defaults.")
    ] = None,
    every_question: Annotated[
        bool, typer.Option("--every-question", help="Ask the GM's questions, too.")
    ] = False,
    auto: Annotated[int, typer.Option(help="Play so many duels by policies.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(help="For --auto, one for each side: random, greedy, or CARD,CARD,CARD."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> int:
    """A Duel of Wits: both scripts secret, the volleys shown one by one."""
    from astragal.cli.screen import screen
    from astragal.cli.test import parse_setting

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    match sheets or []:
        case []:
            names = list(READY)
        case [one, other]:
            names = [one, other]
        case several:
            raise BadInput("sheets", ", ".join(several), "two sheets, one for each side")
    arguments, table = _prepared(names, about, ability or [], helper or [], onlooker or [], chosen)
    if auto:
        return _auto(auto, policy or [], arguments, table, body, seed, as_json=json)
    if policy:
        raise BadInput("--policy", ", ".join(policy), "nothing, unless --auto says how many duels")
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    if body:
        answers["body_method"] = body
    asking = sys.stdin.isatty() if ask is None else ask
    return _hot_seat(
        arguments, table, answers, seed, screen(), asking, every=every_question, as_json=json
    )


def _prepared(
    names: list[str],
    about: str,
    abilities: list[str],
    helpers: list[str],
    onlookers: list[str],
    options: dict[str, Any],
) -> tuple[DuelOfWits, BurningTable]:
    from astragal.cli.files import find_sheet, read_raw
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits

    characters: dict[str, Any] = {}

    def sit(name: str) -> str:
        path = find_sheet(name, GAME)
        key = path.stem
        if key in characters:  # somebody argues with a double
            key = f"{key}_{len(characters) + 1}"
        characters[key] = GAME.read_sheet(read_raw(path), key)
        return key

    sides: list[dict[str, Any]] = [{"character": sit(name), "helpers": []} for name in names]
    if len(abilities) > len(sides):
        raise BadInput("--ability", ", ".join(abilities), "one for each of the two sides at most")
    for side, skill in zip(sides, abilities, strict=False):
        side["skill"] = skill
    for text in helpers:
        number, _, name = text.partition(":")
        if number not in ("1", "2") or not name:
            raise BadInput("--helper", text, "1:SHEET or 2:SHEET")
        sides[int(number) - 1]["helpers"].append(sit(name))
    raw = {"about": about, "sides": sides, "onlookers": onlookers}
    return GAME.read(raw, DuelOfWits, "duel"), GAME.table(characters, options=options)


# --- At one keyboard -----------------------------------------------------------------------


def _hot_seat(
    arguments: DuelOfWits,
    table: BurningTable,
    answers: dict[str, Any],
    seed: str | None,
    console: Console,
    asking: bool,
    *,
    every: bool,
    as_json: bool,
) -> int:
    from astragal.cli.screen import print_json, write
    from astragal.cli.terminal import Terminal
    from astragal.dice import Secure, Seeded
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import duel_of_wits
    from astragal.play import Scripted, Session, by, then

    otherwise = _Chair(console, Terminal(console), every=every) if asking else _nobody
    answerer = Scripted(answers, otherwise)
    chance = Secure() if seed is None else Seeded(seed)
    session: Session[Any] = Session(then(duel_of_wits, arguments, table), by(chance))
    shown = 0
    while session.waiting:
        ask = session.waiting[0]
        if asking and not as_json:
            console.print(_story(_public(session)[shown:]))
            shown = len(_public(session))
        session.answer(ask.seat, answerer(ask))
    if answerer.unused:
        key = answerer.unused[0]
        raise BadInput(f"--answer {key}", answers[key], "a question that is asked in this duel")
    if as_json:
        print_json(GAME.write(session.result))
    else:
        write(_story(_public(session)[shown:]))
    return 0


def _public(session: Session[Any]) -> list[Any]:
    """What anybody at the screen may see: what was said, shown, rolled; nobody's script.

    Words that were spoken are told as facts already, and who keeps which books is for the sheet.
    """
    from astragal.play import Change, DecisionEvent, SealedEvent, seen_by

    seen = seen_by(session.events, "whoever looks at the screen")
    return [event for event in seen if not isinstance(event, Change | DecisionEvent | SealedEvent)]


def _story(events: list[Any]) -> RenderableType:
    """The bones of the debate: exchanges, volleys and the end stand out, the rolls do not."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from astragal.cli.transcript import told
    from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Concluded
    from astragal.games.burning_wheel.conflicts.scripting import ExchangeBegins, Met, Shown
    from astragal.games.burning_wheel.sheet.facts import DiceGathered
    from astragal.play import RollEvent, Tell

    lines: list[RenderableType] = []
    for event in events:
        fact = event.fact if isinstance(event, Tell) else None
        text = told(event)
        if text is None:
            continue
        if isinstance(fact, ExchangeBegins):
            lines.append(Text(f"\n{text}", style="bold cyan"))
        elif isinstance(fact, Shown):
            lines.append(Text(f"\n{text}", style="bold"))
        elif isinstance(fact, Met):
            lines.append(Padding(Text(f"{text}", style="italic"), (0, 0, 0, 2)))
        elif isinstance(fact, Concluded):
            lines.append(Text(f"\n{text}\n", style="bold"))
        elif isinstance(fact, DiceGathered) and len(fact.dice.lines) == 1 and fact.obstacle is None:
            continue  # the roll itself says as much
        elif isinstance(event, RollEvent) or isinstance(fact, DiceGathered):
            lines.append(Padding(text, (0, 0, 0, 4)))
        else:
            lines.append(Padding(text, (0, 0, 0, 2)))
    return Group(*lines)


class _Chair:
    """Whoever sits at the keyboard now; a secret is asked on a screen that is wiped afterwards."""

    def __init__(self, console: Console, terminal: Answerer, *, every: bool) -> None:
        self._console = console
        self._terminal = terminal
        self._every = every

    def __call__(self, ask: Ask) -> Answer:
        if not self._every and ask.key not in ASKED and ask.question.default is not None:
            default: Answer = ask.question.default
            return default
        if not ask.secret:
            return self._terminal(ask)
        if not self._console.is_terminal:
            return self._terminal(ask)
        # On a screen of its own, which leaves nothing behind, not even to be scrolled back to.
        self._console.set_alt_screen(True)
        self._console.clear()
        try:
            self._console.print(f"\nOnly {ask.seat} looks now. [Enter]", end="")
            sys.stdin.readline()
            return self._terminal(ask)
        finally:
            self._console.clear()
            self._console.set_alt_screen(False)


def _nobody(ask: Ask) -> Answer:
    """What holds where nobody is asked; a script has to be given all the same."""
    from astragal.play import Script
    from astragal.play import Text as Words

    if ask.question.default is not None:
        default: Answer = ask.question.default
        return default
    if isinstance(ask.question, Words):
        return "..."
    if isinstance(ask.question, Script):
        expected = f"a script: --answer {ask.seat}/script=['point', 'point', 'point'], or --auto"
        raise BadInput("script", None, expected, ask.because)
    from astragal.play import Unanswered

    raise Unanswered(ask)


# --- By policies ---------------------------------------------------------------------------


def _auto(
    runs: int,
    policies: list[str],
    arguments: DuelOfWits,
    table: BurningTable,
    body: str,
    seed: str | None,
    *,
    as_json: bool,
) -> int:
    import gc
    from collections import Counter
    from time import perf_counter

    import msgspec

    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.dice import Seeded
    from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import simulate
    from astragal.games.game import Table

    if runs < 1:
        raise BadInput("--auto", runs, "1 duel or more")
    if len(policies) > 2:
        raise BadInput("--policy", ", ".join(policies), "one for each of the two sides at most")
    chance = Seeded("astragal" if seed is None else seed)
    # Everybody sits alone here, also two characters of the GM's.
    alone = {
        name: msgspec.structs.replace(sheet, player=name)
        for name, sheet in table.characters.items()
    }
    table = Table(alone, table.scene, table.options)
    arguments = msgspec.structs.replace(arguments, rehearsal=True)
    names = [side.character for side in arguments.sides]
    said = [*policies, *["random"] * (2 - len(policies))]
    scripters = {
        name: _scripter(text, side, arguments, table, chance)
        for side, (name, text) in enumerate(zip(names, said, strict=True))
    }
    wins: Counter[str] = Counter()
    owed: Counter[str] = Counter()
    volleys = exchanges = 0
    began = perf_counter()
    # What is worked out stays, so that looking through it for garbage again and again only costs.
    gc.set_threshold(500_000)
    with Waiting("Arguing") as waiting:
        duels = simulate(arguments, table, scripters, chance, body=body)
        for number in range(1, runs + 1):
            outcome = next(duels)
            wins[outcome.winner or "tie"] += 1
            owed[outcome.concession or "nobody won"] += 1
            volleys += outcome.volleys
            exchanges += outcome.exchanges
            if not number % 64:
                waiting.counted(number, runs)
    seconds = perf_counter() - began
    summary = {
        "duels": runs,
        "wins": {name: wins[name] for name in (*names, "tie")},
        "concessions": dict(owed.most_common()),
        "volleys": volleys / runs,
        "exchanges": exchanges / runs,
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
