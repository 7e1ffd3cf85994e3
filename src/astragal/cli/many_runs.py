"""Many conflicts by policies, one after the other, and how they came out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.dice import Seeded
    from astragal.games.burning_wheel.sheet.scene import BurningTable


class ManyRuns(msgspec.Struct, frozen=True):
    """A conflict that is played many times, and how it is called.

    ``usual`` is the policy that a side has by default, and ``own`` an example of a script of
    one's own; ``sides`` are the keys of those on each side, and ``people`` the field of its
    outcome that says what became of them; ``needed`` are abilities that everybody has in it. The
    last five are what its module of policies offers.
    """

    what: str
    people: str
    usual: str
    own: str
    sides: list[list[str]]
    needed: tuple[str, ...]
    temperaments: Collection[str]
    by_temperament: Callable[[str, Seeded], Any]
    at_random: Callable[[Seeded], Any]
    by_heart: Callable[[tuple[str, ...], str], Any]
    simulate: Callable[..., Iterator[Any]]


class RunShare(msgspec.Struct, frozen=True):
    """So many of them from a seed, in one piece for a worker."""

    conflict: ManyRuns
    arguments: Any
    table: BurningTable
    policies: tuple[str, ...]
    runs: int
    seed: str


AT_ONCE = 1000
"""How many are played from one seed; more are shared out among processes.

What has come up often in a share is drawn and no longer played out, so small ones would be slow.
"""


def shares_of(runs: int, seed: str | None, at_once: int = AT_ONCE) -> list[tuple[int, str]]:
    """How many are played from which seed; who plays them makes no difference."""
    if runs < 1:
        raise BadInput("--auto", runs, "1 or more")
    first = "astragal" if seed is None else seed
    return [
        (min(at_once, runs - begun), f"{first}/{begun}" if begun else first)
        for begun in range(0, runs, at_once)
    ]


def play_many(
    runs: int,
    policies: list[str],
    conflict: ManyRuns,
    arguments: Any,
    table: BurningTable,
    seed: str | None,
    *,
    as_json: bool,
    processes: int = 0,
    dask: str = "",
) -> int:
    """Play so many of them, and print who won how often."""
    from time import perf_counter

    from astragal.cli.progress import Waiting
    from astragal.cli.screen import print_json, write
    from astragal.dice import Seeded

    counts = shares_of(runs, seed)
    if len(policies) > len(conflict.sides):
        raise BadInput("--policy", ", ".join(policies), "at most one for each side")
    said = [*policies, *[conflict.usual] * (len(conflict.sides) - len(policies))]
    for text in said:
        _scripter(text, conflict, Seeded(""))  # what is no policy is refused before anything begins
    say_what_is_assumed(table, chain.from_iterable(conflict.sides), conflict.needed)
    arguments = msgspec.structs.replace(arguments, rehearsal=True)
    work = [RunShare(conflict, arguments, table, tuple(said), *each) for each in counts]
    began = perf_counter()
    with Waiting(f"Playing {conflict.what}") as waiting:
        outcomes = played_by_many(play_share, work, waiting.counted, processes, dask)
    summary = _counted(outcomes, conflict)
    summary[f"{conflict.what}_per_second"] = round(runs / (perf_counter() - began))
    if as_json:
        print_json(summary)
    else:
        write(_summary(summary, said, conflict, table))
    return 0


def say_what_is_assumed(table: BurningTable, names: Iterable[str], needed: tuple[str, ...]) -> None:
    """Nobody is asked for what sheets with few numbers lack: say what is taken instead."""
    from astragal.games.burning_wheel.tests.partial_records import BASE, missing

    for name in names:
        sheet = table.character(name)
        if lacks := missing(sheet, needed):
            has_no = f"{sheet.name} has no {', no '.join(lacks)}"
            print(f"{has_no}: played with stats and Steel of {BASE}.", file=sys.stderr)


def played_by_many(
    play: Callable[..., list[Any]],
    work: list[Any],
    progress: Callable[[int, int], None],
    processes: int,
    dask: str,
) -> list[Any]:
    """All outcomes in order; one share is played here, and tells of every few runs."""
    from astragal.lab.workers import done_by_many

    if len(work) == 1 and not dask:
        return play(work[0], progress)
    parts = done_by_many(play, work, progress, processes=processes, dask=dask)
    return [outcome for part in parts for outcome in part]


def play_share(share: RunShare, progress: Callable[[int, int], None] | None = None) -> list[Any]:
    """Play a share, in whatever process, and give all outcomes."""
    from astragal.dice import Seeded

    conflict, chance = share.conflict, Seeded(share.seed)
    scripters = {
        key: _scripter(text, conflict, chance)
        for text, keys in zip(share.policies, conflict.sides, strict=True)
        for key in keys
    }
    played = conflict.simulate(share.arguments, share.table, scripters, chance)
    return first_of(played, share.runs, progress)


def first_of(
    played: Iterator[Any], runs: int, progress: Callable[[int, int], None] | None
) -> list[Any]:
    """The first outcomes of a simulation without end."""
    import gc

    # What is remembered is kept for the whole share, and what is played leaves no cycles:
    # looking through all of it for garbage again and again would only cost time.
    collected = gc.isenabled()
    gc.disable()
    outcomes = []
    try:
        for number in range(1, runs + 1):
            outcomes.append(next(played))
            if progress is not None and not number % 16:
                progress(number, runs)
    finally:
        if collected:
            gc.enable()
    return outcomes


def _scripter(text: str, conflict: ManyRuns, chance: Seeded) -> Any:
    if text == "random":
        return conflict.at_random(chance)
    if text in conflict.temperaments:
        return conflict.by_temperament(text, chance)
    cards = tuple(card.strip() for card in text.split(","))
    if len(cards) == 1:
        expected = f"{', '.join(conflict.temperaments)}, random, or {conflict.own}"
        raise BadInput("--policy", text, expected)
    return conflict.by_heart(cards, "--policy")


def _counted(outcomes: list[Any], conflict: ManyRuns) -> dict[str, Any]:
    """How they came out: who won, how they were settled, and what became of everybody."""
    from collections import Counter

    runs = len(outcomes)
    wins = Counter(outcome.winner for outcome in outcomes)
    fates: dict[str, Counter[str]] = {key: Counter() for keys in conflict.sides for key in keys}
    for outcome in outcomes:
        for each in getattr(outcome, conflict.people):
            fates.setdefault(each.character, Counter())[each.state] += 1
    return {
        conflict.what: runs,
        "wins": [wins[side] for side in range(len(conflict.sides))],
        "nobody": wins[None],
        "settled": dict(Counter(outcome.settled for outcome in outcomes).most_common()),
        conflict.people: {name: dict(fate.most_common()) for name, fate in fates.items()},
        "exchanges": sum(outcome.exchanges for outcome in outcomes) / runs,
        "volleys": sum(outcome.volleys for outcome in outcomes) / runs,
    }


def _summary(
    summary: dict[str, Any], said: list[str], conflict: ManyRuns, table: BurningTable
) -> RenderableType:
    """A table of sides, how they scripted and how often they won, with lines below it."""
    from fractions import Fraction

    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent

    what, runs = conflict.what, summary[conflict.what]
    grid = Grid(box=None, pad_edge=False)
    for head, justify in (("", "left"), ("scripts", "left"), ("wins", "right"), ("", "right")):
        grid.add_column(head, justify=justify)  # type: ignore[arg-type]
    sides = [", ".join(table.character(key).name for key in keys) for keys in conflict.sides]
    rows = [*zip(sides, said, summary["wins"], strict=True), ("nobody", "", summary["nobody"])]
    for who, policy, wins in rows:
        grid.add_row(who, policy, str(wins), percent(Fraction(wins, runs)))
    lines = [
        f"\nOn average {summary['exchanges']:.2f} exchanges, {summary['volleys']:.2f} volleys.",
        f"Settled: {_listed(summary['settled'])}.",
        *(
            f"{table.character(name).name}: {_listed(fate)}."
            for name, fate in summary[conflict.people].items()
        ),
        f"{runs} {what}, {summary[f'{what}_per_second']} a second.",
    ]
    return Group(grid, *(Text(line) for line in lines))


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{what.replace('_', ' ')} {many}" for what, many in counts.items())
