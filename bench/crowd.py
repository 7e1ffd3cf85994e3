"""A thousand people at their tables: the load generator, a process of its own.

It speaks the table's WebSocket with as little effort as possible, since it shares the machine
with the server that is measured: frames are cut by hand, and of a message only what a player
needs for the next answer is decoded. Whoever is asked answers as usual; the GM begins the next
procedure when one is over.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from collections import deque
from datetime import UTC, datetime
from typing import Any

import msgspec

from astragal.play import questions as ask
from astragal.play.questions import AnyQuestion

GM = "gm"
PATH = "GET /ws/{} HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
KEYS = "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n"
TOLD_BY = ("intent", "task", "goal", "source")
CARD = "card"
"""The mark of every look at a card."""
AT_ONCE = 40
"""So many sockets are opened at a time."""


class Beginning(msgspec.Struct):
    """A procedure to begin, with its arguments."""

    procedure: str
    arguments: dict[str, Any]

    def anew(self, number: int) -> dict[str, Any]:
        """The arguments of another such attempt: by the rules, what was tried once stands."""
        return {
            name: f"{value} ({number})" if name in TOLD_BY else value
            for name, value in self.arguments.items()
        }


class Group(msgspec.Struct):
    """A table: its campaign, the token of each seat, and what the GM begins in turn."""

    campaign: str
    tokens: dict[str, str]
    beginnings: list[Beginning]


class Evening(msgspec.Struct):
    """What the crowd is to do; ``rate`` is commands a second of all tables, 0: as many as go.

    With ``cards`` everybody plays as the page does: each looks at the shared card whenever it has
    changed, and who has to be ready fills in what is needed and releases the dice; else every
    question is answered by itself.
    """

    port: int
    server: int
    groups: list[Group]
    rate: float
    warm_up: float
    seconds: float
    cards: bool = False


class Report(msgspec.Struct):
    """What came of it, within the seconds that count."""

    acknowledged: int
    answers: int
    seconds: float
    waits: list[float]
    updates: int
    missed: int
    """Updates that a seat should have had and had not; a fresh view instead counts as such."""
    refused: list[str]
    server_cpu: float
    own_cpu: float
    window: tuple[str, str]
    """When the seconds that count began and ended, as the log tells the time."""


class Asked(msgspec.Struct):
    seat: str
    question: AnyQuestion | None = None
    key: str = ""
    prompt: str = ""
    step: int | None = None
    is_open: bool = False


class GoingOn(msgspec.Struct):
    id: str
    questions: list[Asked]


class Heard(msgspec.Struct):
    """Of a message what matters here."""

    type: str
    seq: int = 0
    mark: str = ""
    open: list[GoingOn] | None = None
    error: Any = None
    procedure: str = ""
    step: int = 0
    lines: list[Asked] = []
    releasers: list[str] = []
    ready: list[str] = []


_decode = msgspec.json.Decoder(Heard).decode
_encode = msgspec.json.Encoder().encode


def usual(question: AnyQuestion) -> Any:
    """What most people would answer: nothing special, or else the first thing that will do."""
    if question.default is not None:
        return question.default
    match question:
        case ask.Number(least=least, most=most):
            return min(most, max(least, 3))
        case ask.Script(cards=cards, slots=slots):
            return [card.key for card in cards[:slots]]
        case ask.PickOne(options=options):
            return options[0].key
        case ask.PickSeveral(options=options, least=least):
            return [option.key for option in options[:least]]
        case ask.Text():
            return "so be it"
        case ask.Split(amount=amount, pools=pools, least=least):
            return [amount - least * (len(pools) - 1)] + [least] * (len(pools) - 1)
        case ask.Faces(count=count):
            return [1] * count
    return True


class Crowd:
    """Everybody, and the clock."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.loop = asyncio.get_running_loop()
        self.pace = len(evening.groups) / evening.rate if evening.rate else 0.0
        self.plays = False
        self.counts = False
        self.acknowledged = self.answers = self.updates = 0
        self.waits: list[float] = []
        self.refused: list[str] = []
        self.seats: list[Seat] = []

    async def sit_down(self) -> None:
        groups = self.evening.groups
        tables = [Table(self, group, number / len(groups)) for number, group in enumerate(groups)]
        waiting = deque((table, seat) for table in tables for seat in table.group.tokens)

        async def usher() -> None:
            while waiting:
                table, name = waiting.popleft()
                seat = Seat(table, name)
                await self.loop.create_connection(lambda s=seat: s, "127.0.0.1", self.evening.port)
                await asyncio.wait_for(seat.seated, 60)
                self.seats.append(seat)

        await asyncio.gather(*(usher() for _ in range(AT_ONCE)))
        self.tables = tables

    async def play(self) -> Report:
        await self.sit_down()
        self.plays = True
        for table in self.tables:
            table.start()
        await asyncio.sleep(self.evening.warm_up)
        began, spent, own = time.monotonic(), cpu_of(self.evening.server), _own_cpu()
        first = _now()
        self.counts = True
        await asyncio.sleep(self.evening.seconds)
        self.counts = False
        seconds, last_moment = time.monotonic() - began, _now()
        server_cpu, own_cpu = cpu_of(self.evening.server) - spent, _own_cpu() - own
        self.plays = False
        await asyncio.sleep(1.0)
        missed = 0
        for table in self.tables:
            last = max(seat.last for seat in table.seats.values())
            missed += sum(last - seat.first - seat.updates for seat in table.seats.values())
        return Report(
            self.acknowledged,
            self.answers,
            seconds,
            sorted(self.waits),
            self.updates,
            missed,
            self.refused[:20],
            server_cpu,
            own_cpu,
            (first, last_moment),
        )


class Table:
    """One group: it answers one question after the other, at the pace of the evening."""

    def __init__(self, crowd: Crowd, group: Group, share: float) -> None:
        self.crowd = crowd
        self.group = group
        self.seats: dict[str, Seat] = {}
        self.next = 0
        self.due = 0.0
        self.share = share
        self.sent = 0
        self.settled: set[tuple[str, str, int]] = set()

    def start(self) -> None:
        now = self.crowd.loop.time()
        self.due = now + self.share * (self.crowd.pace or 0.2)
        self.seats[GM].begin_or_answer([])

    def later(self, seat: Seat, key: tuple[str, str, int], command: dict[str, Any]) -> None:
        """Send a command when it is its turn."""
        if key in self.settled or not self.crowd.plays:
            return
        self.settled.add(key)
        now = self.crowd.loop.time()
        if self.due <= now:
            seat.command(command)
        else:
            self.crowd.loop.call_at(self.due, seat.command, command)
        self.due = max(self.due + self.crowd.pace, now)

    def beginning(self) -> dict[str, Any]:
        which = self.group.beginnings[self.next % len(self.group.beginnings)]
        self.next += 1
        return {"do": "begin", "procedure": which.procedure, "arguments": which.anew(self.next)}


class Seat(asyncio.Protocol):
    """One person's connection."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.crowd = table.crowd
        self.name = name
        self.seated: asyncio.Future[None] = self.crowd.loop.create_future()
        self.first = self.last = self.updates = 0
        self._buffer = b""
        self._is_open = False
        self._sent: dict[str, tuple[float, bool]] = {}
        table.seats[name] = self

    # --- The line --------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        head = PATH.format(self.table.group.campaign, "127.0.0.1", self.crowd.evening.port)
        token = self.table.group.tokens[self.name]
        transport.write(f"{head}{KEYS}Authorization: Bearer {token}\r\n\r\n".encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.seated.done():
            self.seated.set_exception(ConnectionError(f"{self.name} was turned away: {error}"))
        elif self.crowd.plays:
            self.crowd.refused.append(f"{self.name} was cut off: {error}")

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        at, end = 0, len(data)
        if not self._is_open:
            head = data.find(b"\r\n\r\n")
            if head < 0:
                self._buffer = data
                return
            if b" 101 " not in data[:40]:
                self.seated.set_exception(ConnectionError(data[:400].decode(errors="replace")))
                return
            self._is_open, at = True, head + 4
        while end - at >= 2:
            size, head = data[at + 1], 2
            if size == 126:
                size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
            if end - at < head + size or (head > 2 and end - at < head):
                break
            if data[at] == 0x81:
                self.hear(data[at + head : at + head + size])
            elif data[at] == 0x89:
                self._write(0x8A, data[at + head : at + head + size])
            at += head + size
        self._buffer = data[at:]

    def _write(self, kind: int, body: bytes) -> None:
        size = len(body)
        long = (0xFE, size >> 8, size & 255)
        head = bytes((kind, *(long if size > 125 else (0x80 | size,))))
        self._transport.write(head + b"\0\0\0\0" + body)  # masked with zeros: as good as any

    # --- The game --------------------------------------------------------------------------

    def hear(self, message: bytes) -> None:
        heard = _decode(message)
        if heard.type == "update":
            self.updates += 1
            self.last = heard.seq
            self.crowd.updates += self.crowd.counts
            if heard.open is not None:
                self.begin_or_answer(heard.open)
        elif heard.type == "ack":
            self._acknowledged(heard.mark)
        elif heard.type == "view":
            if not self.seated.done():
                self.seated.set_result(None)
                self.first = self.last = heard.seq
        elif heard.type == "card":
            self._fill_in(heard)
        elif heard.type == "refused" and heard.mark == CARD:
            pass  # somebody else has just released the last dice: as on the page, nothing is amiss
        elif heard.type in ("refused", "bye"):
            self.crowd.refused.append(message.decode())

    def _acknowledged(self, mark: str) -> None:
        sent, is_answer = self._sent.pop(mark)
        if self.crowd.counts:
            self.crowd.acknowledged += 1
            self.crowd.answers += is_answer
            self.crowd.waits.append(self.crowd.loop.time() - sent)

    def begin_or_answer(self, going_on: list[GoingOn]) -> None:
        if not going_on:
            if self.name == GM:
                self.table.settled.clear()
                self.table.later(self, (self.name, "", self.last), self.table.beginning())
            return
        for each in going_on:
            if self.crowd.evening.cards:
                self._write(0x81, _encode({"card": each.id, "mark": CARD}))
                continue
            for asked in each.questions:
                if asked.seat != self.name:  # the GM sees everybody's
                    continue
                command = {
                    "do": "answer",
                    "procedure": each.id,
                    "step": asked.step,
                    "answer": usual(asked.question),
                }
                self.table.later(self, (self.name, each.id, asked.step), command)

    def _fill_in(self, card: Heard) -> None:
        """Fill in what is needed of this seat, and be ready if all wait for that."""
        mine = [each for each in card.lines if each.seat == self.name and each.is_open]
        apart = next((each for each in mine if each.step is not None), None)
        if apart is not None and apart.question is not None:
            answer = usual(apart.question)
            command = {"procedure": card.procedure, "step": apart.step, "answer": answer}
            key = (self.name, card.procedure, card.step, "answer")
            self.table.later(self, key, {"do": "answer", **command})
            return
        answers = [
            {"key": each.key, "prompt": each.prompt, "answer": usual(each.question)}
            for each in mine
            if each.question is not None
        ]
        is_late = self.name in card.releasers and self.name not in card.ready
        if answers or is_late:
            what = "release" if is_late else "draft"
            command = {"do": what, "procedure": card.procedure, "answers": answers}
            self.table.later(self, (self.name, card.procedure, card.step, what), command)

    def command(self, command: dict[str, Any]) -> None:
        if not self.crowd.plays:
            return
        self.table.sent += 1
        mark = f"{self.name}{self.table.sent}"
        self._sent[mark] = (self.crowd.loop.time(), command["do"] == "answer")
        self._write(0x81, _encode({"mark": mark, "command": command}))


def cpu_of(process: int) -> float:
    """Processor seconds that a process and those it has started have used so far."""
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as children:
        started = children.read().split()
    return (int(fields[11]) + int(fields[12])) / 100 + sum(cpu_of(int(each)) for each in started)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Play the evening that is given on standard input, and report on standard output."""
    import uvloop

    evening = msgspec.json.decode(sys.stdin.buffer.read(), type=Evening)

    async def play() -> Report:
        return await Crowd(evening).play()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        report = runner.run(play())
    # Where standard output is unbuffered, a long report would only be written in part.
    with open(sys.stdout.fileno(), "wb", closefd=False) as output:
        output.write(_encode(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
