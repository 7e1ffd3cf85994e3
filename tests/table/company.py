"""People at a table, for tests: they give commands, listen, and keep what they were told.

What a client knows is put together from the messages alone, as the page does it, so that it can
be compared with a view that is built from nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from astragal.play import GM, Faces, Script, Text
from astragal.table.commands import commands as do
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.host import Tables
from astragal.table.hosted import Subscription
from astragal.table.log.events import LogEntry
from astragal.table.log.state import Campaign, OpenProcedure, OpenQuestion, Role
from scripts_at_random import filled
from table.memory import MemoryStore

encode, decode = msgspec.json.encode, msgspec.json.decode


def merged(view: dict[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    """A view with what is new in it."""
    news = {key: value for key, value in update.items() if key not in ("type", "log")}
    after = {**view, **news}
    if "open" in update:
        had = {each["id"]: each["story"] for each in view["open"]}
        after["open"] = [_with_story(each, had.get(each["id"], [])) for each in update["open"]]
    if "characters" in update:
        both = {**view["characters"], **update["characters"]}
        after["characters"] = {key: each for key, each in both.items() if each is not None}
    log, new = view["log"], update.get("log", [])
    undone_after = after.pop("undone_after", None)
    if undone_after is not None:
        upto = new[0]["seq"] if new else float("inf")
        log = [
            {**entry, "undone": True} if undone_after < entry["seq"] < upto else entry
            for entry in log
        ]
    after["log"] = log + new
    return after


def _with_story(procedure: dict[str, Any], had: list[Any]) -> dict[str, Any]:
    kept = had[: procedure["told"] - len(procedure["story"])]
    return {**procedure, "story": kept + procedure["story"]}


def usual(question: Any) -> Any:
    """The default, or else something that will do."""
    if question.default is not None:
        return question.default
    if isinstance(question, Text):
        return "words"
    if isinstance(question, Script) and question.openers:
        return list(filled(question, "block"))
    if isinstance(question, Script):
        return [card.key for card in question.cards][: question.slots]
    if isinstance(question, Faces):
        return [2] * question.count
    return next(iter(question.every_answer(5000)))


class Client:
    """Somebody who listens at a seat."""

    def __init__(self, subscription: Subscription) -> None:
        self.seat = subscription.seat
        self.subscription = subscription
        self.view: dict[str, Any] = {}
        self.turned_out = False

    def has_news(self) -> bool:
        """Whether anything has been sent since."""
        return self.subscription.has_news

    async def hear(self) -> list[bytes]:
        """Everything that has been sent since."""
        heard: list[bytes] = []
        while self.has_news():
            message = await self.subscription.next()
            if message is None:
                self.turned_out = True
                continue
            heard.append(message)
            told = decode(message)
            self.view = told if told["type"] == "view" else merged(self.view, told)
        return heard


class Company:
    """A campaign and everybody at it."""

    def __init__(self, tables: Tables, campaign: str, token: str) -> None:
        self.tables = tables
        self.id = campaign
        self.token = token
        self.clients: dict[str, Client] = {}

    @property
    def store(self) -> Any:
        return self.tables.store

    async def do(self, seat: str, command: Any, mark: str = "") -> int:
        return await self.tables.do(self.id, seat, command, mark)

    async def gm(self, command: Any) -> int:
        return await self.do(GM, command)

    async def sit(self, seat: str, role: Role = Role.PLAYER, plays: str = "") -> None:
        await self.gm(do.ChangeSeat(seat, seat.capitalize(), role))
        if plays:
            await self.gm(do.GiveCharacter(plays, seat))
        await self.listen(seat)

    async def listen(self, seat: str) -> Client:
        client = Client(await self.tables.subscribe(self.id, seat))
        await client.hear()
        self.clients[seat] = client
        return client

    async def state(self) -> Campaign:
        return await self.tables.campaign(self.id)

    async def sheet(self, key: str) -> dict[str, Any]:
        return (await self.state()).standing.characters[key].sheet

    async def scene(self) -> dict[str, Any]:
        return (await self.state()).standing.scene

    async def log(self) -> list[LogEntry]:
        return await self.store.entries(self.id)

    async def last(self) -> Any:
        return (await self.log())[-1].event

    async def view(self, seat: str) -> dict[str, Any]:
        return decode(encode(await self.tables.view(self.id, seat)))

    async def open(self, procedure: str) -> OpenProcedure:
        return (await self.state()).standing.open[procedure]

    async def begin(
        self, seat: str, procedure: str, secret: bool = False, /, **arguments: Any
    ) -> str:
        return f"p{await self.do(seat, do.BeginProcedure(procedure, arguments, secret))}"

    async def asked(self, procedure: str, seat: str = "", key: str = "") -> OpenQuestion:
        """The open question of a seat, or the first there is."""
        found = [
            question
            for question in (await self.open(procedure)).questions
            if seat in ("", question.seat) and key in ("", question.key)
        ]
        assert found, f"{seat} is not asked {key} in {procedure}"
        return found[0]

    async def answer(self, procedure: str, seat: str, answer: Any, key: str = "") -> int:
        asked = await self.asked(procedure, seat, key)
        return await self.do(seat, do.AnswerQuestion(procedure, asked.step, answer))

    async def is_open(self, procedure: str) -> bool:
        return procedure in (await self.state()).standing.open

    async def play_on(
        self, procedure: str, until: str = "", answers: dict[str, Any] | None = None
    ) -> None:
        """Give every question its default (or the answer said), up to a question or the end."""
        for _ in range(200):
            if not await self.is_open(procedure):
                return
            asked = await self.asked(procedure)
            if until and asked.key == until:
                return
            answer = (answers or {}).get(asked.key)
            answer = usual(asked.question) if answer is None else answer
            await self.do(asked.seat, do.AnswerQuestion(procedure, asked.step, answer))
        raise AssertionError(f"{procedure} does not end")


@asynccontextmanager
async def table(
    game: str = "burning_wheel",
    demo: bool = True,
    store: Any = None,
    in_session: bool = True,
    **options: Any,
):
    """A company at a new campaign: the GM alone, in its first session."""
    # A busy machine is no reason for odds to be missing.
    tables = Tables(store or MemoryStore(), OddsProcess(seconds=30.0))
    await tables.start()
    try:
        campaign, token = await tables.create(game, "", options=options, demo=demo)
        if in_session:
            await tables.do(campaign, GM, do.BeginDiceSession())
        company = Company(tables, campaign, token)
        await company.listen(GM)
        yield company
    finally:
        await tables.close()


def played(test: Callable[..., Coroutine[None, None, None]]) -> Callable[..., None]:
    """A test at a table of the demo, with Anna playing Mara and Ben playing Tam."""
    from functools import wraps

    @wraps(test)
    def run(**given: Any) -> None:
        async def play() -> None:
            async with table() as company:
                await company.sit("anna", plays="mara")
                await company.sit("ben", plays="tam")
                await test(company, **given)

        asyncio.run(play())

    import inspect

    parameters = list(inspect.signature(test).parameters.values())[1:]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def everything(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping within plain data."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            yield each
            left += each.values()
        elif isinstance(each, (list, tuple)):
            left += each
