"""Write a database and exports with the present version, to be opened by every later one.

    PYTHONPATH=src:tests python -m table.old_campaigns.write 0.1.0-first

It plays the scenarios of ``tests/examples`` at a table, once to their ends and once up to the
middle of every procedure, and for each game an evening in which everything happens that can happen
at a table. Seeds, ids and times are fixed: the same version writes the same files.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from astragal.cli.files import find_sheet
from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games import game_named, games
from astragal.games.scenarios import Scenario, StepResult, parse_scenario
from astragal.play import GM, Change, DecisionEvent, RollEvent, Tell
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.log.state import Role
from astragal.table.store import open_store
from table.company import Company, encode, usual
from table.memory import MemoryStore
from table.old_campaigns.recorded import (
    Player,
    Recorded,
    Rest,
    Version,
    essentials,
    game_data,
    write_version,
)
from table.random_play import RandomPlay

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_CHAIRS = 45
STEPS_OF_AN_EVENING = 100
STOPS = {"duel_of_wits": 6, "versus_test": 3, "test": 3}
"""At how many places a procedure is left open; the others are left at one before and after dice."""


@contextmanager
def settled() -> Iterator[None]:
    """Ids, tokens, seeds and times that are the same each time."""
    chance = random.Random("old campaigns")
    ids, minutes = count(1), count()
    began = datetime(2026, 1, 1, 20, tzinfo=UTC)

    def time() -> str:
        return (began + timedelta(minutes=next(minutes))).isoformat(timespec="milliseconds")

    with (
        patch.object(secrets, "token_bytes", chance.randbytes),
        patch.object(secrets, "token_hex", lambda n: f"{next(ids):0{2 * n}x}"),
        patch.object(secrets, "token_urlsafe", lambda n: chance.randbytes(n).hex()),
        patch(f"{Tables.__module__}.now", time),
    ):
        yield


class Step(msgspec.Struct, frozen=True):
    """One procedure of a scenario, with what it was given when it was played alone."""

    procedure: str
    arguments: dict[str, Any]
    answers: list[tuple[str, str, Any]]
    faces: list[int]
    thrown_before: list[int]
    """How many handfuls were thrown before each answer."""


class Piece(msgspec.Struct, frozen=True):
    """A scenario that was played alone, ready to be played at a table."""

    name: str
    scenario: Scenario
    steps: list[Step]
    seats: frozenset[str]
    features: frozenset[tuple[str, ...]]


def piece(path: Path) -> Piece:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    game = game_named(raw["game"])

    def sheet(name: str) -> dict[str, Any]:
        return tomllib.loads(find_sheet(name, game, path.parent).read_text(encoding="utf-8"))

    scenario = parse_scenario(raw, sheet, path.stem)
    results = [each for each in scenario.play(Seeded("old")) if each.refusal is None]
    seats = {each.seat(key) for key, each in scenario.table.characters.items()}
    features: set[tuple[str, ...]] = set()
    for result in results:
        for event in result.events:
            match event:
                case DecisionEvent(ask=ask):
                    seats.add(ask.seat)
                case RollEvent(roll=roll):
                    seats.add(roll.owner)
        features |= set(_features(game.name, result))
    steps = [_step(scenario, each) for each in results]
    name = str(path.relative_to(EXAMPLES).with_suffix(""))
    return Piece(name, scenario, steps, frozenset(seats), frozenset(features))


def _features(game: str, result: StepResult) -> Iterator[tuple[str, ...]]:
    procedure = result.script.procedure
    yield game, procedure
    for event in result.events:
        match event:
            case Tell(fact=fact):
                yield game, procedure, "told", str(type(fact).__struct_config__.tag)
            case DecisionEvent(ask=ask):
                yield game, "asked", ask.key, type(ask.question).__name__
                yield game, procedure, "asked", ask.key
            case Change(target=target, path=path):
                whose = "scene" if target == "scene" else "sheet"
                yield game, whose, path.partition(".")[0]


def _step(scenario: Scenario, result: StepResult) -> Step:
    answers, faces, before, thrown = [], [], [], 0
    for event in result.events:
        match event:
            case DecisionEvent(ask=ask, answer=answer):
                answers.append((ask.seat, ask.key, scenario.game.write(answer)))
                before.append(thrown)
            case RollEvent(rolled=rolled):
                faces += rolled.faces
                thrown += 1
    return Step(result.script.procedure, result.script.arguments, answers, faces, before)


def chosen(pieces: list[Piece]) -> list[Piece]:
    """Fewest scenarios in which everything occurs that occurs in any, roughly."""
    missing = set().union(*(each.features for each in pieces))
    kept = []
    while missing:
        best = max(pieces, key=lambda each: len(each.features & missing) / (2 + len(each.steps)))
        kept.append(best)
        missing -= best.features
    return sorted(kept, key=lambda each: each.name)


class Writer:
    """One database in the making."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.campaigns: dict[str, Recorded] = {}
        self.exports: dict[str, bytes] = {}

    async def found(self, game: str, title: str, **options: Any) -> tuple[Player, str]:
        id, token = await self.tables.create(game, title, **options)
        return Player(self.tables, id), token

    async def keep(self, name: str, at: Player, token: str, rest: Rest | None = None) -> None:
        """Record how a campaign stands, and export it if that may be."""
        state = essentials(await at.state())
        try:
            self.exports[at.id] = encode(await self.tables.export(at.id))
        except Refusal as refusal:
            print(f"  {name} is not exported: {refusal}")
        self.campaigns[at.id] = Recorded(name, token, state, at.id in self.exports, rest)

    # ------------------------------------------------------------------ scenarios

    async def set_up(self, at: Player, piece: Piece) -> None:
        """Bring the characters and the scene of a scenario to the table."""
        scenario = piece.scenario
        game, table = scenario.game, scenario.table
        state = await at.state()
        new = sorted(piece.seats - set(state.chairs))
        for key in state.standing.characters:
            if key not in table.characters or key in new:
                await at.gm(do.RemoveCharacter(key))
        for seat in new:
            await at.gm(do.ChangeSeat(seat, seat.capitalize()))
        for key, sheet in table.characters.items():
            await at.gm(do.AddCharacter(key, game.write(sheet), seat=sheet.seat(key)))
        now, wanted = game.write(state.standing.scene), game.write(table.scene)
        values = tuple(
            do.RuledValue("scene", field, value)
            for field, value in wanted.items()
            if encode(now[field]) != encode(value)
        )
        if values:
            await at.gm(do.MakeRuling("another scene", values))
        await at.own_dice(True)

    async def play(self, at: Player, step: Step, most: int = 10**6) -> tuple[str, Any]:
        """Play a step of a scenario, up to so many answers."""
        id = f"p{await at.gm(do.Begin(step.procedure, step.arguments))}"
        return id, await at.give(id, step.answers, step.faces, most)

    async def write_scenarios(self, pieces: list[Piece]) -> None:
        """Play scenarios to their ends, those of one chapter and one reading in one campaign."""
        at, token, name, last = None, "", "", None
        for each in pieces:
            file = each.scenario.file
            reading = (each.name.rpartition("/")[0], tuple(file.options.items()))
            if at is None or reading != last or len((await at.state()).chairs) > MOST_CHAIRS:
                if at is not None:
                    await self.end(name, at, token)
                name, last = f"{each.name}, finished", reading
                at, token = await self.found(file.game, name, options=file.options)
            await self.set_up(at, each)
            for step in each.steps:
                await self.play(at, step)
        assert at is not None
        await self.end(name, at, token)

    async def end(self, name: str, at: Player, token: str) -> None:
        await at.own_dice(False)
        await at.gm(do.ThrowDice("3d6", "a last throw"))
        await at.gm(do.EndDiceSession())
        await self.keep(name, at, token)

    async def write_open(self, pieces: list[Piece]) -> None:
        """Leave every procedure open, where it asks anything at all."""
        longest: dict[tuple[str, str], tuple[int, Piece, int]] = {}
        for each in pieces:
            for number, step in enumerate(each.steps):
                key = (each.scenario.game.name, step.procedure)
                worth = 2 * len(step.answers) - sum(
                    len(before.answers) for before in each.steps[:number]
                )
                if key not in longest or worth > longest[key][0]:
                    longest[key] = worth, each, number
        for (_, procedure), (_, each, number) in sorted(longest.items()):
            step = each.steps[number]
            for most in _stops(step, STOPS.get(procedure, 2)):
                await self.leave_open(each, number, most)

    async def leave_open(self, piece: Piece, number: int, most: int) -> None:
        file = piece.scenario.file
        step = piece.steps[number]
        name = f"{piece.name}, {step.procedure} after {most} of {len(step.answers)} answers"
        at, token = await self.found(file.game, name, options=file.options)
        await self.set_up(at, piece)
        for before in piece.steps[:number]:
            await self.play(at, before)
        id, (answers, faces) = await self.play(at, step, most)
        if id not in (await at.state()).standing.open:
            raise AssertionError(f"{name} is over")
        aside = await self.aside(at)
        assert await aside.give(id, answers, faces) == ([], [])
        rest = Rest(id, answers, faces, game_data(await aside.state()))
        await self.keep(name, at, token, rest)

    async def aside(self, at: Player) -> Player:
        """The same campaign once more, in a database that is not kept."""
        store = MemoryStore()
        state = await at.state()
        await store.create(at.id, state.game, state.title, "", await at.log())
        return Player(Tables(store), at.id)

    # ------------------------------------------------------------------ whole evenings

    async def write_evening(self, game: str, **options: str) -> None:
        """A random evening of the demo, left open; and one that everybody brought to its end."""
        demo = game_named(game).demo
        assert demo is not None
        for ended in (False, True):
            name = f"{game}, an evening {'ended' if ended else 'in the middle'} {options or ''}"
            at, token = await self.found(game, "", options=options, demo=True)
            company = Company(self.tables, at.id, token)
            evening = RandomPlay(company, game_named(game), random.Random(f"{name} of old"))
            await evening.gather()
            for _ in range(STEPS_OF_AN_EVENING):
                await evening.step()
            if (await at.state()).paused is not None:
                await at.gm(do.ResumeGame())
            if (await at.state()).session is None:
                await at.gm(do.BeginDiceSession())
            await self.customs(at, evening.players[0])
            if ended:
                for id in list((await at.state()).standing.open):
                    await at.gm(do.CancelProcedure(id, "it is late"))
                await at.gm(do.EndDiceSession())
            await self.keep(name.strip(), at, token)

    async def customs(self, at: Player, player: str) -> None:
        """What a random evening may miss: each thing that can stand in a log, once."""
        state = await at.state()
        for id in list(state.standing.open):
            await at.gm(do.CancelProcedure(id, "something else first"))
        if "watcher" not in state.chairs:
            await at.gm(do.ChangeSeat("watcher", "Watcher", Role.SPECTATOR))
        await at.gm(do.ChangeSeat("late", "Late"))
        await at.gm(do.ChangeTitle("A title", free_edits=False))
        await at.do("watcher", do.SendMessage("a word to one", (player,)), "sent once")
        await at.gm(do.WriteNote("of_the_gm", "for all", shared=True))
        await at.do(player, do.WriteNote("of_a_player", "for oneself"))
        await at.gm(do.AddCharacter("guest", sketch=f"Guest{SKETCHED[state.game]}", seat=player))
        for value, yes in (("a stranger", True), ("a friend", False), ("a foe", None)):
            seq = await at.do(player, do.EditSheet("guest", "concept", value, "it fits"))
            if yes is not None:
                await at.gm(do.ReviewEdit(f"e{seq}", yes, "" if yes else "not yet"))
        await at.gm(do.ThrowDice("2d6", "openly"))
        await at.do(player, do.ThrowDice("4B", "for oneself", secret=True))
        poll = do.BeginProcedure(
            "vote", {"question": "On?", "choices": ["yes", "no"], "voters": [GM, player]}
        )
        for voted in (True, False):
            id = f"p{await at.gm(poll)}"
            await self._vote(at, id, player, "no")
            if voted:
                await self._vote(at, id, GM, "yes")
        # The second vote stays open, with one ballot in; an undo takes back what is after it.
        seq = (await at.state()).seq
        await at.gm(do.MakeRuling("it is so", (do.RuledValue("guest", "concept", "somebody"),)))
        await at.gm(do.UndoEntries(seq, "it is not so"))
        await at.gm(do.ChangeSeat("late", "Late", gone=True))
        await at.gm(do.PauseGame("tea"))
        await at.gm(do.ResumeGame())

    async def _vote(self, at: Player, id: str, seat: str, choice: str) -> None:
        asked = (await at.state()).standing.open[id].questions
        (step,) = (each.step for each in asked if each.seat == seat)
        await at.answer(id, seat, step, choice)

    async def write_asking(self) -> None:
        """What no scenario has: a player asks for a test, and names somebody hidden by chance."""
        at, token = await self.found("burning_wheel", "", demo=True)
        await at.gm(do.ChangeSeat("anna", "Anna"))
        await at.gm(do.GiveCharacter("mara", "anna"))
        wish = {"character": "mara", "ability": "Streetwise", "situation": "a crowded market"}
        await at.finish(f"p{await at.do('anna', do.Begin('ask_for_test', wish))}")
        test = {"character": "mara", "intent": "find him", "task": "asks", "ability": "Streetwise"}
        await at.do("anna", do.BeginProcedure("standard_test", {**test, "target": "captain_orrin"}))
        await self.keep("burning_wheel, a player asks", at, token)

    async def write_throwing(self, game: str) -> None:
        """Real dice lie on the table in part: what is thrown next is asked for."""
        demo = game_named(game).demo
        assert demo is not None
        for number, suggestion in enumerate(demo.suggestions):
            at, token = await self.found(game, "", demo=True)
            await at.gm(do.ChangeSeat("anna", "Anna"))
            first = next(key for key, cast in demo.characters.items() if not cast.is_gms)
            await at.gm(do.GiveCharacter(first, "anna"))
            await at.do("anna", do.UseOwnDice(True))
            id = f"p{await at.gm(do.Begin(suggestion.procedure, suggestion.arguments))}"
            for _ in range(60):
                procedure = (await at.state()).standing.open.get(id)
                if procedure is None or procedure.pending is not None:
                    break
                question = procedure.questions[0]
                await at.answer(id, question.seat, question.step, usual(question.question))
            await self.keep(f"{game}, dice of suggestion {number}", at, token)

    async def write_demo(self, game: str, **options: str) -> None:
        """What the demo suggests, in the middle, with dice of the server and secrets of nobody."""
        demo = game_named(game).demo
        assert demo is not None
        for suggestion in demo.suggestions:
            for most in (1, 4, 9, 16):
                name = f"{game}, {suggestion.procedure} of the demo, {most} {options or ''}"
                at, token = await self.found(game, "", options=options, demo=True)
                id = f"p{await at.gm(do.Begin(suggestion.procedure, suggestion.arguments))}"
                if await self._answer_some(at, id, most):
                    await self.keep(name.strip(), at, token)
                else:
                    await self.end(f"{name.strip()}, over", at, token)
                    break

    async def _answer_some(self, at: Player, id: str, many: int) -> bool:
        for _ in range(many):
            procedure = (await at.state()).standing.open.get(id)
            if procedure is None:
                return False
            question = procedure.questions[0]
            await at.answer(id, question.seat, question.step, usual(question.question))
        return id in (await at.state()).standing.open


SKETCHED = {
    "burning_wheel": ", Sword 3",
    "cores": ", others d6",
    "percentile": ", 35s",
    "signs": ", others d6",
}


def _stops(step: Step, many: int) -> list[int]:
    """After how many answers a step is left: spread over it, and once after dice, if they are."""
    asked = len(step.answers)
    if not asked:
        return []
    spread = {asked * each // many for each in range(1, many)}
    after_dice = [place for place, thrown in enumerate(step.thrown_before) if thrown]
    return sorted({*spread, *after_dice[-1:]})


async def write(version: str) -> None:
    everything = [piece(path) for path in sorted(EXAMPLES.rglob("*.toml")) if _is_scenario(path)]
    pieces = chosen(everything)
    print(f"{len(pieces)} of {len(everything)} scenarios")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        async with await open_store(f"sqlite:///{file}") as store:
            tables = Tables(store)
            writer = Writer(tables)
            try:
                await writer.write_scenarios(pieces)
                await writer.write_open(pieces)
                for game in games():
                    await writer.write_evening(game)
                    await writer.write_demo(game)
                    await writer.write_throwing(game)
                await writer.write_asking()
                await writer.write_evening("burning_wheel", edition="gold")
                await writer.write_demo("burning_wheel", edition="gold")
            finally:
                await tables.close()
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
        connection.close()
        write_version(Version(version, writer.campaigns, file.read_bytes(), writer.exports))
    print(f"{len(writer.campaigns)} campaigns, {len(writer.exports)} exports")


def _is_scenario(path: Path) -> bool:
    return "[[step]]" in path.read_text(encoding="utf-8")


if __name__ == "__main__":
    with settled():
        asyncio.run(write(sys.argv[1]))
