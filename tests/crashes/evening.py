"""People who play on, whatever becomes of the server, and remember what it told them."""

from __future__ import annotations

import asyncio
import random
from itertools import count
from typing import Any

import msgspec

from astragal.client import Client, Refused, SeatClient
from astragal.games import game_named
from astragal.play import GM
from astragal.play import questions as ask
from astragal.table.commands.commands import (
    AnswerQuestion,
    AnyCommand,
    BeginProcedure,
    CancelProcedure,
    ChangeSeat,
    GiveCharacter,
    SendMessage,
)
from astragal.table.views.types import TableView
from scripts_at_random import random_script

PLAYERS = ("anna", "bo")
THINKING = 0.04
PATIENCE = 120.0
"""Seconds in which something has to happen, however busy the machine is."""
ENOUGH = 60
"""Commands after which the GM cancels what was begun: a fight by chance may go on and on."""
FRIGHT = "steel_test"
"""Whoever fails it can do nothing for a while; nobody here has the time."""
WHILE_OUT = BeginProcedure("heartbeats", {"count": 10})
"""Those who hesitate come round, so that a Shocking Defeat does not end the evening."""
TOO_FAST = "Too many at once"
OURS = ("intent", "task", "goal", "source")
"""What an attempt is told by; once it was made, by the rules it cannot be made again."""


class Acknowledged(msgspec.Struct, frozen=True):
    """What the server said is in the log."""

    seq: int
    seat: str
    mark: str
    command: AnyCommand


class Evening:
    """One campaign, everybody at it, and all that was acknowledged."""

    try_again: tuple[str, ...] = (TOO_FAST,)
    """Refusals after which the same command is sent again, with the same mark."""

    def __init__(self, game: str, chance: random.Random, first: str = "") -> None:
        self.game = game
        self.chance = chance
        self.acknowledged: list[Acknowledged] = []
        self.goes_on = True
        self.campaign = ""
        self.seats: dict[str, SeatClient] = {}
        demo = game_named(game).at_table.demo
        self._demo = demo
        self._beginnings = [
            BeginProcedure(each.procedure, each.arguments)
            for each in demo.suggestions
            if each.procedure not in (first, FRIGHT)
        ]
        self._first: list[BeginProcedure] = [
            BeginProcedure(each.procedure, each.arguments)
            for each in demo.suggestions
            if each.procedure == first
        ]
        self._numbers = count(1)
        self._playing: list[asyncio.Task[None]] = []
        self._begins_nothing = asyncio.Event()
        """Set when the GM is done for the evening; until then something may still be asked."""
        self._to_finish = 0
        self._cancelled: set[str] = set()

    async def sit_down(self, client: Client) -> None:
        """Create the campaign, and give the players their characters."""
        created = await client.create(self.game, demo=True, name="Gus")
        self.campaign = created.campaign
        self.seats[GM] = gm = client.sit(self.campaign, created.token)
        await gm.open(PATIENCE)
        theirs = (key for key, cast in self._demo.characters.items() if cast.seat != GM)
        for seat, character in zip(PLAYERS, theirs, strict=False):
            await gm.do(ChangeSeat(seat, seat.title()))
            await gm.do(GiveCharacter(character, seat))
            link = await gm.new_link(seat)
            self.seats[seat] = client.sit(self.campaign, link.token)
            await self.seats[seat].open(PATIENCE)

    def begin(self) -> None:
        """Play, each at their own pace."""
        self._playing = [
            asyncio.create_task(self._play(name, seat), name=name)
            for name, seat in self.seats.items()
        ]

    def check_alive(self) -> None:
        """Raise what has made somebody give up."""
        for task in self._playing:
            if task.done():
                task.result()

    async def end(self) -> None:
        """Begin nothing more, and finish what was begun, or cancel it."""
        self._to_finish = len(self.acknowledged) + ENOUGH
        self.goes_on = False
        ended = asyncio.gather(*self._playing)
        known = -1
        while known < len(self.acknowledged):  # a busy machine may take long, but goes on
            known = len(self.acknowledged)
            await asyncio.wait([ended], timeout=PATIENCE)
            if ended.done():
                ended.result()  # raises what made somebody give up
                return
        stands = self.stands()
        ended.cancel()
        raise AssertionError(f"this does not end: {stands}")

    def stands(self) -> str:
        """How far everybody has come, for whoever has to find out why it is no further."""
        seen = {name: (seat.view.seq, seat.connections) for name, seat in self.seats.items()}
        open_now = [
            (name, each.id, [(q.seat, q.step) for q in each.questions], each.waiting)
            for name, seat in self.seats.items()
            for each in seat.view.open
        ]
        done = [task.get_name() for task in self._playing if task.done()]
        return f"{self.game} {self.campaign}: {seen}, {open_now}, gone: {done}"

    async def close(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for seat in self.seats.values():
            await seat.close()

    async def _play(self, name: str, seat: SeatClient) -> None:
        answered: set[tuple[str, int]] = set()
        while (command := self._next(name, seat.view, answered)) is not None or not self._is_over(
            name, seat.view
        ):
            if command is None:
                await asyncio.sleep(0.02)
                continue
            await asyncio.sleep(self.chance.uniform(0, THINKING) if self.goes_on else 0.01)
            await self._do(name, seat, command)
            if self.goes_on and self.chance.random() < 0.2:
                await self._do(
                    name, seat, SendMessage(f"{name} has something to say, {next(self._numbers)}")
                )
        if name == GM:
            self._begins_nothing.set()

    def _is_over(self, name: str, view: TableView) -> bool:
        done = not self.goes_on if name == GM else self._begins_nothing.is_set()
        return done and not view.open

    def _next(
        self, name: str, view: TableView, answered: set[tuple[str, int]]
    ) -> AnyCommand | None:
        """What this seat does next, if it is its turn."""
        ends = name == GM and not self.goes_on and len(self.acknowledged) > self._to_finish
        for procedure in view.open:
            if ends and procedure.id not in self._cancelled:
                self._cancelled.add(procedure.id)
                return CancelProcedure(procedure.id)
            for asked in procedure.questions:
                here = (procedure.id, asked.step)
                if asked.seat == name and here not in answered:
                    answered.add(here)
                    return AnswerQuestion(procedure.id, asked.step, self._answer(asked.question))
        if name == GM and self.goes_on and not view.open:
            return self._beginning()
        return None

    def _beginning(self) -> BeginProcedure:
        number = next(self._numbers)
        chosen = self._first.pop() if self._first else self.chance.choice(self._beginnings)
        arguments = {
            key: f"{value}, for the {number}. time" if key in OURS else value
            for key, value in chosen.arguments.items()
        }
        return BeginProcedure(chosen.procedure, arguments)

    async def _do(self, name: str, seat: SeatClient, command: AnyCommand) -> None:
        mark = f"{name} {next(self._numbers)}"
        while True:
            try:
                seq = await seat.do(command, mark, timeout=PATIENCE)
            except Refused as refusal:
                if str(refusal).startswith(self.try_again):
                    await asyncio.sleep(1)
                    continue
                if isinstance(command, BeginProcedure) and refusal.rule:
                    if refusal.rule.startswith("steel."):
                        self._first.append(WHILE_OUT)
                    return  # not by the rules, as things stand; the GM thinks of something else
                if self._is_cancelled(command):
                    return
                raise AssertionError(f"{name}, {command}: {refusal}") from refusal
            self.acknowledged.append(Acknowledged(seq, name, mark, command))
            return

    def _is_cancelled(self, command: AnyCommand) -> bool:
        """Whether this came too late, or the procedure has ended by itself just before."""
        return (
            isinstance(command, AnswerQuestion | CancelProcedure)
            and command.procedure in self._cancelled
        )

    def _answer(self, question: ask.AnyQuestion) -> Any:
        """As usual, and where nothing is usual, something that is allowed."""
        if question.default is not None:
            return msgspec.json.decode(msgspec.json.encode(question.default))
        chance = self.chance
        match question:
            case ask.Number(least=least, most=most):
                return chance.randint(least, min(most, least + 4))
            case ask.Script(openers=openers) if openers:
                return list(random_script(question, chance))
            case ask.Script(cards=cards, slots=slots):
                return chance.sample([card.key for card in cards], slots)
            case ask.PickOne(options=options):
                return chance.choice(options).key
            case ask.PickSeveral(options=options, least=least):
                return [option.key for option in options[:least]]
            case ask.Text():
                return "so be it"
            case ask.Split(amount=amount, pools=pools, least=least):
                rest = [least] * (len(pools) - 1)
                return [amount - sum(rest), *rest]
        raise AssertionError(f"nobody knows what to answer to {question}")
