"""Running the application: one process or several, until somebody asks them to stop.

On a signal to stop, a worker takes no new connections, answers the commands that are under way,
tells every socket that it will be back, closes the store, and ends with status 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, NamedTuple

import uvicorn

from astragal.errors import BadInput
from astragal.web import access_log
from astragal.web.app import Astragal, opened
from astragal.web.game_catalogue import offered_packed
from astragal.web.homes import Place, Porter, places
from astragal.web.lines import Line
from astragal.web.settings import Settings

log = logging.getLogger("astragal.web")

HARD_MESSAGE_LIMIT = 256 * 1024
"""A socket's message beyond this is not even read to its end; beyond 64 KB it is refused."""
STOPPING = 5.0
"""Within so many seconds a worker has to be gone."""
SELDOM = (10_000, 5, 1_000)
"""When the collector looks for cycles: in short looks, and through all of memory hardly ever, as
everybody waits meanwhile. Playing leaves none behind."""
YIELDING = 0.001
"""Within so many seconds the loop lets a thread that has heard from the disk go on."""
TRIED_PORTS = 20
FAILED_AT_ONCE = 2.0
"""A worker that ends within so many seconds will not do better when it is started again."""


class Server(uvicorn.Server):
    """uvicorn, with a goodbye for the sockets, and an end that counts as a success."""

    def __init__(self, config: uvicorn.Config, app: Astragal, place: Place | None = None) -> None:
        """Serve this application; with a place, those who are at home there."""
        super().__init__(config)
        self._astragal = app
        self._place = place
        self._porter: Porter | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the door, by a porter where there are several processes behind it."""
        if self._place is None or not sockets:
            await super().startup(sockets)
            return
        await super().startup([])
        self._porter = Porter(self._place, sockets[0], self._protocol)
        self._porter.open()

    def _protocol(self) -> asyncio.Protocol:
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye before the connections are closed."""
        if self._porter is not None:
            self._porter.close()
        for server in self.servers:
            server.close()
        await self._astragal.company.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal, without passing it on once everything has stopped."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
            self.force_exit = self.should_exit
            self.should_exit = True

        before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def config_for(app: Astragal, settings: Settings) -> uvicorn.Config:
    """How uvicorn is set up; it leaves logs and loops to us."""
    return uvicorn.Config(
        app,
        ws=Line,
        ws_max_size=HARD_MESSAGE_LIMIT,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        # Only a proxy may say on whose behalf it asks, and only where there is meant to be one.
        proxy_headers=bool(settings.public_url),
        timeout_graceful_shutdown=3,
        interface="asgi3",
    )


async def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None] | None = None,
    place: Place | None = None,
) -> None:
    """One worker, until it is asked to stop; ``ready`` is called when it answers."""
    async with opened(settings, place) as app:
        # All games are read in before the door opens: were it done beside the tables, they
        # would stand still whenever both wanted the same module.
        offered_packed()
        server = Server(config_for(app, settings), app, place)
        gc.freeze()  # what is there by now stays
        watcher = asyncio.create_task(_when_started(server, ready))
        await server.serve(sockets=[listening])
        watcher.cancel()


async def _when_started(server: uvicorn.Server, ready: Callable[[], None] | None) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    if ready is not None:
        ready()


def run(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None] | None = None,
    place: Place | None = None,
) -> None:
    """One worker in this process, on the fastest event loop there is."""
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(YIELDING)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(settings, listening, ready, place))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


# --- Ports ---------------------------------------------------------------------------------


def bound(host: str, port: int, *, exactly: bool, shared: bool = False) -> socket.socket:
    """A socket at this port, or at the next free one unless it has to be exactly this."""
    family, kind, protocol, _, address = _resolved(host, port)
    last: OSError | None = None
    for at in range(port, port + (1 if exactly or port == 0 else TRIED_PORTS)):
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listening.bind((address[0], at, *address[2:]))
        except OSError as error:
            listening.close()
            last = error
            continue
        listening.setblocking(False)
        return listening
    why = last.strerror if last else "none"
    raise BadInput("--port", port, f"a free port at {host} ({why})")


def _resolved(host: str, port: int) -> Any:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise BadInput("--host", host, "an address of this machine") from None
    return found[0]


# --- Several workers -----------------------------------------------------------------------


def _work(settings: Settings, place: Place | None, answers: Connection) -> None:
    """A worker's whole life: its own socket at the port that all share."""
    access_log.set_up(settings.log)
    threading.Thread(target=_stop_if_left_alone, daemon=True).start()
    listening = bound(settings.host, settings.port, exactly=True, shared=True)
    run(settings, listening, lambda: answers.send(None), place)


def _stop_if_left_alone() -> None:
    """Stop when whoever started this worker is gone: nobody would replace or stop it."""
    starter = multiprocessing.parent_process()
    if starter is not None:
        starter.join()
        os.kill(os.getpid(), signal.SIGTERM)


class _Since(NamedTuple):
    """Which worker a process is, and since when."""

    number: int
    started: float


class Workers:
    """Several processes at one port; whoever falls over is replaced."""

    def __init__(self, settings: Settings, ready: Callable[[], None] | None = None) -> None:
        """Have as many as the settings say; ``ready`` is called when the first of them answers."""
        if not hasattr(socket, "SO_REUSEPORT"):
            raise BadInput("--workers", settings.workers, "1 on this system")
        self._settings = settings
        self._processes: dict[Any, _Since] = {}
        self._is_stopping = False
        self._ready = ready
        self._answering, self._answers = multiprocessing.Pipe(duplex=False)
        # Workers are forked from a process that has read everything in, and has no threads.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["astragal.cli", "astragal.web.preload"])
        # Workers at PostgreSQL hear from each other; at a file, each has campaigns of its own.
        shared = settings.is_shared
        self._places = [None] * settings.workers if shared else places(settings.workers)

    def run(self) -> int:
        """Keep them going until a signal; the status with which to end."""
        before = {each: signal.signal(each, self._stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self._settings.workers):
                self._start(number)
            failed = self._watch()
        finally:
            self._end()
            for each, handler in before.items():
                signal.signal(each, handler)
        return 1 if failed else 0

    def _start(self, number: int) -> None:
        arguments = (self._settings, self._places[number], self._answers)
        process = self._context.Process(target=_work, args=arguments)
        process.start()
        self._processes[process] = _Since(number, time.monotonic())

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self._is_stopping = True

    def _watch(self) -> bool:
        """Replace those that end; whether one ended so soon that it makes no sense."""
        while not self._is_stopping:
            wait([self._answering, *(each.sentinel for each in self._processes)], timeout=0.2)
            while self._answering.poll():
                self._answering.recv()
                if self._ready is not None:
                    self._ready()
                self._ready = None
            for process, (number, since) in list(self._processes.items()):
                if process.is_alive() or self._is_stopping:
                    continue
                del self._processes[process]
                was_killed = (process.exitcode or 0) < 0
                if time.monotonic() - since < FAILED_AT_ONCE and not was_killed:
                    log.error("a worker ended as soon as it was started")
                    return True
                log.error("a worker ended with status %s and is replaced", process.exitcode)
                self._start(number)
        return False

    def _end(self) -> None:
        for process in self._processes:
            process.terminate()
        deadline = time.monotonic() + STOPPING
        for process in self._processes:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
