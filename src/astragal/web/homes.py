"""Several processes at one SQLite file: each campaign is at home in one of them.

All sockets and requests of a campaign meet in one process, so nobody has to be told what another
has appended, and nobody decides twice. Every process opens the door to whoever comes; before
anything is read it looks at the address that is asked for, and hands the connection itself on
to where it belongs. That holds for a connection's first request, so answers over HTTP are the
last on theirs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

log = logging.getLogger("astragal.web")

BACKLOG = 2048
AT_ONCE = 64
"""So many are let in before others get a turn."""
HEAD = 2048
"""Within so many bytes a request has said what it asks for."""
PATIENCE = 10.0
"""So many seconds somebody may take to say it, and a busy process to come for a connection."""
SHORTLY = 0.01
PAUSE = 1.0
"""So many seconds nobody is let in when there is no room."""


def campaign_in(path: str) -> str:
    """The campaign that an address is about, or nothing.

    >>> campaign_in("/ws/0123abcd"), campaign_in("/api/t/0123abcd/view?x=1"), campaign_in("/health")
    ('0123abcd', '0123abcd', '')
    """
    match path.partition("?")[0].split("/"):
        case ["", "ws", campaign] | ["", "api", "t", campaign, *_]:
            return unquote(campaign)
    return ""


class Place(NamedTuple):
    """One process among several: which of them it is, and the doors to all."""

    here: int
    inbox: socket.socket
    """Through this, connections come from the others."""
    doors: Sequence[socket.socket]

    def home_of(self, campaign: str) -> int:
        """The process in which a campaign is at home; what is about none is at home anywhere."""
        return zlib.crc32(campaign.encode()) % len(self.doors) if campaign else self.here

    def is_home(self, campaign: str) -> bool:
        """Whether a campaign is at home here."""
        return self.home_of(campaign) == self.here


def places(count: int) -> list[Place]:
    """Places for so many processes.

    Whoever starts them holds all doors open: nobody on the way gets lost when one falls over.
    """
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(count)]
    for inbox, door in pairs:
        inbox.setblocking(False)
        door.setblocking(False)
    doors = [door for _, door in pairs]
    return [Place(here, inbox, doors) for here, (inbox, _) in enumerate(pairs)]


class Porter:
    """Opens the door, and brings everybody to where they are at home."""

    def __init__(
        self,
        place: Place,
        listening: socket.socket,
        protocol: Callable[[], asyncio.BaseProtocol],
    ) -> None:
        """Whoever is at home here is served by such a protocol."""
        self._place = place
        self._listening = listening
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._waiting: set[socket.socket] = set()
        self._reopening: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Let people in, from outside and from the other processes."""
        self._listening.listen(BACKLOG)
        self._open_again()
        self._loop.add_reader(self._place.inbox, self._fetch)

    def close(self) -> None:
        """Let nobody in any more; those who have not said where they want to go are sent away."""
        if self._reopening is not None:
            self._reopening.cancel()
        self._loop.remove_reader(self._listening)
        self._loop.remove_reader(self._place.inbox)
        for visitor in list(self._waiting):
            self._loop.remove_reader(visitor)
            self._let_go(visitor)

    def _open_again(self) -> None:
        self._loop.add_reader(self._listening, self._let_in)

    def _let_in(self) -> None:
        for _ in range(AT_ONCE):
            try:
                visitor, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return  # nobody else, or gone again
            except OSError:  # too many are here already
                log.warning("nobody can be let in for now", exc_info=True)
                self._loop.remove_reader(self._listening)
                self._reopening = self._loop.call_later(PAUSE, self._open_again)
                return
            visitor.setblocking(False)
            self._waiting.add(visitor)
            self._loop.add_reader(visitor, self._look, visitor)
            self._loop.call_later(PATIENCE, self._give_up, visitor)

    def _give_up(self, visitor: socket.socket) -> None:
        if visitor in self._waiting:
            self._loop.remove_reader(visitor)
            self._let_go(visitor)

    def _look(self, visitor: socket.socket) -> None:
        """See where somebody wants to go, without taking anything of what they say."""
        if visitor not in self._waiting:
            return
        self._loop.remove_reader(visitor)
        try:
            head = visitor.recv(HEAD, socket.MSG_PEEK)
        except BlockingIOError:
            head = b" "
        except OSError:
            head = b""
        if not head:
            self._let_go(visitor)
        elif head.count(b" ") < 2 and b"\n" not in head and len(head) < HEAD:
            self._loop.call_later(SHORTLY, self._look, visitor)  # there is more to come
        else:
            asked = [*head.split(b" ", 2), b""][1]
            self._bring(visitor, campaign_in(asked.decode("latin-1")))

    def _bring(self, visitor: socket.socket, campaign: str) -> None:
        if visitor not in self._waiting:
            return
        home = self._place.home_of(campaign)
        if home == self._place.here:
            self._waiting.discard(visitor)
            self._welcome(visitor)
            return
        try:
            socket.send_fds(self._place.doors[home], [b"."], [visitor.fileno()])
        except BlockingIOError:  # they have their hands full there
            self._loop.call_later(SHORTLY, self._bring, visitor, campaign)
            return
        except OSError:
            log.warning("a connection could not be handed on", exc_info=True)
        self._let_go(visitor)  # the other process has it open

    def _fetch(self) -> None:
        for _ in range(AT_ONCE):
            try:
                said, files, _, _ = socket.recv_fds(self._place.inbox, 1, 1)
            except OSError:
                return
            if not said:
                return
            for file in files:
                visitor = socket.socket(fileno=file)
                visitor.setblocking(False)
                self._welcome(visitor)

    def _welcome(self, visitor: socket.socket) -> None:
        task = asyncio.create_task(self._serve(visitor))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, visitor: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, visitor)
        except OSError:  # gone again
            visitor.close()

    def _let_go(self, visitor: socket.socket) -> None:
        self._waiting.discard(visitor)
        with contextlib.suppress(OSError):
            visitor.close()
