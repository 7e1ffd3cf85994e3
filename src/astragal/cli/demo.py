"""`astragal demo`: a short guided tour that plays one test and shows its odds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.common_options import SeedOption

if TYPE_CHECKING:
    from rich.console import RenderableType

SCENE = {
    "obstacle": 5,
    "on_success": "she slips in before anybody looks",
    "on_failure": "the door opens, and there sits Captain Orrin",
    "time": "2 hours",
    "disadvantages": ("darkness",),
}
DICE = {"forks": ("Harbour-wise",), "tam/help": "Observation", "help_how": "keeps his eyes open"}
ARTHA = frozenset({"boon", "divine_inspiration", "after_roll"})


def add_to(app: typer.Typer) -> None:
    """Add the command `demo`."""
    app.command("demo")(demo)


def demo(
    seed: SeedOption = None,
    pause: Annotated[
        bool | None, typer.Option("--pause/--no-pause", help="Wait for Enter after each page.")
    ] = None,
) -> None:
    """Take a one-minute tour: a test, its odds, advice, and the roll."""
    from astragal.cli.screen import screen, write

    console = screen()
    waits = sys.stdin.isatty() and sys.stdout.isatty() if pause is None else pause
    for page in pages(seed):
        write(page)
        if waits:
            console.print("\n[Enter]", end="")
            sys.stdin.readline()
        console.print()


def pages(seed: str | None) -> Iterator[RenderableType]:
    """The tour, page by page."""
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import bars, percent
    from astragal.cli.files import read_raw, ready_sheets
    from astragal.cli.screen import screen
    from astragal.cli.transcript import transcript
    from astragal.dice import Secure, Seeded
    from astragal.games.burning_wheel import GAME
    from astragal.play import Best, Scripted, Session, by, exact

    sheets = {
        name: GAME.read_sheet(read_raw(ready_sheets(GAME)[name]), name) for name in ("mara", "tam")
    }
    table = GAME.table(sheets)
    procedure = GAME.procedure("standard_test")

    def begin(**more: Any) -> Any:
        arguments = {
            "character": "mara",
            "intent": "get into the customs house unseen",
            "task": "asks the night porters for the smugglers' door",
            "ability": "Streetwise",
            **more,
        }
        return procedure.start(GAME.read(arguments, procedure.arguments, "demo"), table)

    yield Text.assemble(
        ("Astragal: the game table that knows the rules\n\n", "bold"),
        "Mara wants to get into the customs house unseen. She asks the night porters for the "
        "smugglers' door: a Streetwise test at Ob 5, and it is dark. "
        "If she fails, the GM says, the door opens and there sits Captain Orrin.",
    )

    ways: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("on her own", {}, {}),
        ("with a lantern", {"gear": ["lantern"]}, {}),
        ("and a FoRK from Harbour-wise", {"gear": ["lantern"]}, {"forks": DICE["forks"]}),
        ("and help from Tam", {"gear": ["lantern"], "helpers": ["tam"]}, DICE),
        (
            "and working carefully",
            {"gear": ["lantern"], "helpers": ["tam"]},
            {**DICE, "carefully": True},
        ),
    ]
    grid = Grid("What she brings", "Dice", "Ob", "Chance", box=None, padding=(0, 2))
    for label, arguments, answers in ways:
        odds = exact(begin(**arguments), Scripted({**SCENE, **answers}))
        (outcome, *_) = odds.weights
        chance = percent(odds.where(lambda o: o.passed))
        grid.add_row(label, f"{outcome.dice.total}D", str(outcome.obstacle.total), chance)
    yield grid

    brought = {"gear": ["lantern"], "helpers": ["tam"]}
    script = Scripted({**SCENE, **DICE})
    odds = exact(begin(**brought), script)
    (outcome, *_) = odds.weights
    picture = Text.assemble(
        ("With the lantern, Harbour-wise and Tam\n", "bold"),
        f"  dice      {outcome.dice}\n  obstacle  {outcome.obstacle}\n\n",
    )
    wanted = outcome.obstacle.total
    successes = odds.map(lambda o: o.successes)
    picture.append_text(bars(successes, lambda n: n >= wanted, screen_width=screen().width))
    yield picture

    advisor = Best({"mara": lambda outcome: int(outcome.passed)}, script, about=ARTHA)
    advice = advisor.advise(begin(**brought))
    plan = Text.assemble(
        ("She has 2 fate, 1 persona and the trait Cool-headed. What are they worth?\n", "bold")
    )
    for choice in advice.choices:
        what = "spend the persona on a die" if choice.answer else "keep the persona"
        plan.append(f"  {what}: {percent(choice.worth)} if she plays her best from there\n")
    plan.append("  (computed from the rules themselves, over every roll and choice)", style="dim")
    yield plan

    dice = by(Secure() if seed is None else Seeded(seed))
    session: Session[Any] = Session(begin(**brought), dice)
    while session.waiting:
        ask = session.waiting[0]
        advised = ask.seat == "mara" and ask.key in ARTHA
        answer = advisor.advise(session.state).best if advised else script(ask)
        session.answer(ask.seat, answer)
    yield Group(Text("She follows the advice and rolls:", style="bold"), transcript(session.events))
    yield Text.assemble(
        ("What to try next\n", "bold"),
        '  astragal rules "let it ride"      search the rules\n'
        "  astragal test mara --ability Streetwise --ob 3\n"
        "                                    make a test, with the odds in view\n"
        "  astragal play FILE                replay a scenario\n"
        "  astragal --help                   everything else",
    )
