"""A hundred tables on one server: how many answers a second it acknowledges, and how soon.

Beside it a boardgame.io server with as many seats, which keeps its matches in memory. Server and
load generator share two cores. ``python -m bench.tables`` prints these figures alone, for one
process on SQLite; ``python -m bench.tables postgresql://...`` for two processes on that (empty)
database, with twice as many tables. ``bench.processes`` compares several processes that each have
their own campaigns, and ``bench.age`` an old campaign with a young one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from astragal.games import game_named
from astragal.play import GM
from astragal.table.clock import now
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.state import Campaign
from astragal.table.open_campaigns import SNAPSHOT_EVERY
from astragal.table.store import open_store
from astragal.web.server import Workers, bind, run
from astragal.web.settings import Limits, Rate, Rates, Settings
from bench import age
from bench.clock import Figure
from bench.crowd import Beginning, Evening, Group, Report, usual

GAMES = ("burning_wheel", "percentile", "signs", "cores")
PLAYERS = ("anna", "bo", "cem", "dora")
TESTS = ("test", "opposed_test", "standard_test", "steel_test", "called_test", "rules_test")
TABLES = 100
"""For each process of the server."""
SHARE = 0.7
"""Of the most that it can do: so much is offered where it matters how soon a command is done."""
BAR = 1000.0
"""Answers a second for each process."""
WARM_UP, SECONDS = 4.0, 15.0
LONG = 100_000
"""Entries of a long campaign."""

FREELY = Rate(1e9, 10**9)
UNLIMITED = Rates(**dict.fromkeys(Rates.__struct_fields__, FREELY))
"""Everybody comes from one address here, so that limits by address would be hit."""

PEER = Path(__file__).parent / "peers" / "boardgame"


# --- Our tables ----------------------------------------------------------------------------


async def created(database: str, tables: int) -> list[Group]:
    """Campaigns of the four games with five seats each, ready to be played."""
    async with await open_store(database) as store:
        host = Tables(store)
        groups = [await _group(host, GAMES[number % len(GAMES)]) for number in range(tables)]
        await host.close()
        return groups


async def _group(host: Tables, game: str) -> Group:
    campaign, token = await host.create(game, "", demo=True)
    demo = game_named(game).at_table.demo
    assert demo is not None
    tokens = {GM: token}
    for seat in PLAYERS:
        await host.do(campaign, GM, do.ChangeSeat(seat, seat.title()))
        tokens[seat] = await host.new_link(campaign, seat)
    theirs = [key for key, cast in demo.characters.items() if cast.seat != GM]
    for key, seat in zip(theirs, PLAYERS, strict=False):
        await host.do(campaign, GM, do.GiveCharacter(key, seat))
    tests = [each for each in demo.suggestions if each.procedure in TESTS]
    return Group(campaign, tokens, [Beginning(each.procedure, each.arguments) for each in tests])


@contextmanager
def serving(database: str, workers: int = 1) -> Iterator[tuple[int, int]]:
    """A running server: its port, and the id of its first process."""
    command = [sys.executable, "-m", "bench.tables", "serve", database, str(workers)]
    # A log line for each of a thousand sockets is of no use here.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline()), process.pid
    finally:
        process.terminate()
        process.wait(30)


def serve(database: str, workers: int) -> int:
    """Run the server as ``astragal serve`` does, but without limits by address."""
    listening = bind("127.0.0.1", 0, exactly=True)
    port = listening.getsockname()[1]
    settings = Settings(
        database=database,
        port=port,
        rates=UNLIMITED,
        limits=Limits(connections=100_000),
        workers=workers,
    )
    if workers == 1:
        run(settings, listening, lambda: print(port, flush=True))
        return 0
    return Workers(settings, listening, lambda: print(port, flush=True)).run()


def played(
    rate: float, database: str = "", seconds: float = SECONDS, cards: bool = False
) -> Report:
    """Play on a server with new campaigns; with cards, as the page does."""
    workers = 2 if database else 1
    with tempfile.TemporaryDirectory() as folder:
        database = database or f"sqlite:///{folder}/astragal.db"
        groups = asyncio.run(created(database, TABLES * workers))
        with serving(database, workers) as (port, process):
            evening = Evening(port, process, groups, rate, WARM_UP, seconds, cards)
            crowd = subprocess.run(
                [sys.executable, "-m", "bench.crowd"],
                input=msgspec.json.encode(evening),
                stdout=subprocess.PIPE,
                check=True,
            )
        report = msgspec.json.decode(crowd.stdout, type=Report)
        answers = asyncio.run(logged(database, groups, report.window))
    return msgspec.structs.replace(report, answers=answers)


async def logged(database: str, groups: Sequence[Group], window: tuple[str, str]) -> int:
    """The answers that are in the logs from within a window of time."""
    answers = 0
    async with await open_store(database) as store:
        for group in groups:
            for entry in await store.entries(group.campaign):
                if isinstance(entry.event, happened.AnswerGiven) and _within(entry.at, window):
                    answers += sum(given.faces is None for given in entry.event.given)
    return answers


def _within(at: str, window: tuple[str, str]) -> bool:
    return window[0] <= at <= window[1]


def told(report: Report) -> str:
    """What a report comes to, in a line."""
    acknowledged, seconds = report.acknowledged, report.seconds
    return (
        f"    {acknowledged / seconds:.0f} commands/s, {report.answers / seconds:.0f} of them "
        f"answers; {report.updates / seconds:.0f} updates/s, {report.missed} missing; "
        f"p50 {within(report, 0.5) * 1000:.0f} ms, p99 {within(report, 0.99) * 1000:.0f} ms; "
        f"for a command the server needs {report.server_cpu / acknowledged * 1e6:.0f} us and the "
        f"load generator {report.own_cpu / acknowledged * 1e6:.0f} us of processor time"
        + "".join(f"\n    refused: {each}" for each in report.refused[:3])
    )


def within(report: Report, share: float) -> float:
    """The time within which a share of the commands was acknowledged."""
    return report.waits[min(len(report.waits) - 1, int(len(report.waits) * share))]


# --- The peer ------------------------------------------------------------------------------


def boardgame(matches: int, seconds: float = SECONDS) -> dict[str, float] | str:
    """Moves and updates of a boardgame.io server with five seats a match, or why not."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "there is no node here"
    with tempfile.TemporaryDirectory() as folder:
        for file in PEER.iterdir():
            shutil.copy(file, folder)
        install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"boardgame.io could not be installed: {done.stderr.strip()[:200]}"
        server = subprocess.Popen(
            ["node", "server.js"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NODE_ENV": "production"},
        )
        try:
            assert server.stdout is not None
            port = next(line.strip() for line in server.stdout if line.strip().isdigit())
            numbers = (server.pid, matches, WARM_UP, seconds)
            players = ["node", "players.js", port, *map(str, numbers)]
            said = subprocess.run(
                players, cwd=folder, capture_output=True, text=True, check=True, timeout=300
            )
        finally:
            server.terminate()
            server.wait(20)
    result: dict[str, float] = json.loads(said.stdout)
    return result


# --- A long campaign -----------------------------------------------------------------------


async def long_campaign(database: str) -> tuple[str, str]:
    """A campaign of many evenings: its key and the GM's token; the last snapshot is old."""
    async with await open_store(database) as store:
        host = Tables(store)
        group = await _group(host, "burning_wheel")
        first = await store.entries(group.campaign)
        said = happened.MessageSent(
            "The tide turns at four; by then we are through the door, or not."
        )
        last = LONG - SNAPSHOT_EVERY
        log = first + [LogEntry(n, now(), GM, said) for n in range(len(first) + 1, last + 1)]
        await store.delete(group.campaign)
        at = now()
        await store.create(group.campaign, "burning_wheel", "The long one", at, log)
        state = fold(Campaign(group.campaign, "burning_wheel", "The long one"), log)
        await store.keep_snapshot(group.campaign, last, msgspec.json.encode(state))
        host = Tables(store)
        token = await host.new_link(group.campaign, GM)
        await _played_on(host, group, SNAPSHOT_EVERY - 1)
        return group.campaign, token


async def _played_on(host: Tables, group: Group, entries: int) -> None:
    """Real play, test after test."""
    wanted = (await host.campaign(group.campaign)).seq + entries
    while (here := await host.campaign(group.campaign)).seq < wanted:
        if not here.standing.open:
            which = group.beginnings[here.seq % len(group.beginnings)]
            arguments = which.anew(here.seq)
            await host.do(group.campaign, GM, do.BeginProcedure(which.procedure, arguments))
            continue
        (going_on,) = here.standing.open.values()
        asked = going_on.questions[0]
        answer = do.AnswerQuestion(going_on.id, asked.step, usual(asked.question))
        await host.do(group.campaign, asked.seat, answer)


def opened() -> float:
    """Seconds from the first request to a fresh server until the whole view is there."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/astragal.db"
        campaign, token = asyncio.run(long_campaign(database))
        with serving(database, workers=1) as (port, _):
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/api/t/{campaign}/view",
                headers={"Authorization": f"Bearer {token}"},
            )
            began = time.perf_counter()
            with urllib.request.urlopen(request) as answer:
                view: dict[str, Any] = json.load(answer)
            took = time.perf_counter() - began
    assert view["seq"] >= LONG - 1
    return took


# --- All of it -----------------------------------------------------------------------------


def figures(database: str = "") -> Iterator[Figure]:
    """Answers as the page gives them and one by one, beside the peer; a long campaign.

    One process on SQLite; with an (empty) PostgreSQL database, two processes on that.
    """
    workers = 2 if database else 1
    tables = TABLES * workers
    seats = tables * (1 + len(PLAYERS))
    most_by_cards = played(0.0, database, cards=True)
    print(told(most_by_cards), flush=True)
    name = f"{seats} seats at {tables} tables answer by cards, as the page does"
    each = most_by_cards.seconds / most_by_cards.answers
    yield Figure(f"{name}: an answer", each, within=1 / (BAR * workers))
    fastest = played(0.0, database)
    print(told(fastest), flush=True)
    seconds = fastest.seconds / fastest.answers
    yield Figure("they answer one by one: an answer", seconds, within=1 / (BAR * workers))
    # By card everybody also looks at the card whenever it changes; an answer must not cost more.
    yield Figure(
        "server time for an answer by card",
        most_by_cards.server_cpu / most_by_cards.answers,
        fastest.server_cpu / fastest.answers,
        peer="one by one",
        times=0.9,
    )
    for most, cards in ((most_by_cards, True), (fastest, False)):
        offered = SHARE * most.acknowledged / most.seconds
        calmly = played(offered, database, cards=cards)
        print(told(calmly), flush=True)
        how = "by cards" if cards else "one by one"
        name = f"{how}, at {SHARE:.0%} of that: 99 in 100 acknowledged within"
        yield Figure(name, within(calmly, 0.99), within=0.1)
    peer = boardgame(tables)
    theirs = None
    if isinstance(peer, str):
        print(f"    no ratio beside boardgame.io: {peer}", flush=True)
    else:
        theirs = peer["seconds"] / peer["moves"]
        print(
            f"    boardgame.io, in memory: {peer['moves'] / peer['seconds']:.0f} moves/s, "
            f"{peer['updates'] / peer['seconds']:.0f} updates/s, p99 {peer['p99'] * 1000:.0f} ms; "
            f"for a move the server needs {peer['server_cpu'] / peer['moves'] * 1e6:.0f} us and "
            f"the load generator {peer['own_cpu'] / peer['moves'] * 1e6:.0f} us of processor time",
            flush=True,
        )
    ours = fastest.seconds / fastest.acknowledged
    yield Figure(
        "one answer by itself, as fast as they go", ours, theirs, peer="boardgame.io", times=0.9
    )
    # Who shares the cores decides how many there are in a second, but hardly what each costs.
    if not isinstance(peer, str):
        yield Figure(
            "server time for an answer by itself",
            fastest.server_cpu / fastest.acknowledged,
            peer["server_cpu"] / peer["moves"],
            peer="boardgame.io",
        )
    yield Figure(f"a cold server opens {LONG} entries", opened(), within=1.0)
    yield from age.figures()


def main(arguments: Sequence[str]) -> int:
    """Print the figures, or run the server that is measured."""
    if arguments[:1] == ["serve"]:
        return serve(arguments[1], int(arguments[2]))
    for figure in figures(*arguments):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
