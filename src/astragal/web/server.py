"""Running the application: in one process, or in several that share a PostgreSQL database.

On a signal to stop, a process accepts no new connections, answers the commands in progress,
sends every socket the reason, closes the store, and ends with status 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
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
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

import uvicorn

from astragal.errors import BadInput
from astragal.web import access_log
from astragal.web.app import Astragal, opened
from astragal.web.connections import HttpConnection, SocketConnection
from astragal.web.game_catalogue import games_compressed
from astragal.web.settings import Settings

log = logging.getLogger("astragal.web")

MAX_MESSAGE_SIZE = 256 * 1024
"""A larger message of a socket is not read to its end; one beyond 64 KB is refused."""
STOP_TIMEOUT = 5.0
"""Seconds after which a worker that has not stopped is killed."""
GC_THRESHOLDS = (50_000, 10, 100)
"""Full collections are rare, because every table waits for them and playing leaves no cycles."""
SWITCH_INTERVAL = 0.001
"""Seconds after which the loop lets another thread run, so that a finished write is noticed."""
TRIED_PORTS = 20
PORT_PATIENCE = 1.0
"""Seconds to wait for a port that a server which was just killed still has."""
BACKLOG = 2048
MOST_FILES = 10_000
"""Files and connections that the process asks to be allowed."""
FAILED_AT_START = 2.0
"""A worker that ends within this time (in seconds) is not started again."""


class Server(uvicorn.Server):
    """uvicorn, which tells the sockets before it stops, and stops with status 0."""

    def __init__(self, config: uvicorn.Config, app: Astragal) -> None:
        """Serve this application."""
        super().__init__(config)
        self._astragal = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send the sockets the reason before the connections are closed."""
        for server in self.servers:
            server.close()
        await self._astragal.presence.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal, without raising it again once everything has stopped."""
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
    """How uvicorn is set up; logs and loops are ours."""
    return uvicorn.Config(
        app,
        http=HttpConnection,
        ws=SocketConnection,
        ws_max_size=MAX_MESSAGE_SIZE,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        # The address in a proxy's headers counts only where there is meant to be a proxy.
        proxy_headers=bool(settings.public_url),
        timeout_graceful_shutdown=3,
        interface="asgi3",
    )


async def serve(
    settings: Settings, listening: socket.socket, ready: Callable[[], None] | None = None
) -> None:
    """Serve until a signal to stop; ``ready`` is called when the server answers."""
    async with opened(settings) as app:
        # All games are loaded before the first request: later, tables would wait whenever both
        # imported the same module.
        games_compressed()
        server = Server(config_for(app, settings), app)
        gc.freeze()  # what was loaded here is never collected
        watcher = asyncio.create_task(_when_started(server, ready))
        await server.serve(sockets=[listening])
        watcher.cancel()


async def _when_started(server: uvicorn.Server, ready: Callable[[], None] | None) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    if ready is not None:
        ready()


def run(
    settings: Settings, listening: socket.socket, ready: Callable[[], None] | None = None
) -> None:
    """Serve in this process, on the fastest event loop available."""
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL)
    _allow_many_files()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(settings, listening, ready))


def _allow_many_files() -> None:
    """Let the process have as many connections as the system allows, up to a bound."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, wanted), most))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


# --- Ports ---------------------------------------------------------------------------------


def bind(host: str, port: int, *, exactly: bool) -> socket.socket:
    """A socket that listens at this port, or at the next free one unless it has to be this one.

    It listens at once: two servers that start together cannot both have the port.
    """
    resolved = _resolved(host, port)
    until = time.monotonic() + (PORT_PATIENCE if exactly and port else 0)
    while True:
        last: OSError | None = None
        for at in range(port, port + (1 if exactly or port == 0 else TRIED_PORTS)):
            try:
                return _listening(resolved, at)
            except OSError as error:
                last = error
        if last is None or last.errno != errno.EADDRINUSE or time.monotonic() > until:
            why = last.strerror if last else "none"
            raise BadInput("--port", port, f"a free port at {host} ({why})")
        time.sleep(0.05)


def _listening(resolved: Any, port: int) -> socket.socket:
    family, kind, protocol, _, address = resolved
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address[0], port, *address[2:]))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def _resolved(host: str, port: int) -> Any:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise BadInput("--host", host, "an address of this machine") from None
    return found[0]


# --- Several workers -----------------------------------------------------------------------


def _run_worker(settings: Settings, listening: socket.socket, answers: Connection) -> None:
    """One worker, at the socket that all of them share."""
    access_log.set_up(settings.log)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    run(settings, listening, lambda: answers.send(None))


def _stop_with_parent() -> None:
    """Stop when the parent process has ended: nobody would replace or stop this worker."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


class Workers:
    """Several processes at one socket; one that ends is replaced.

    The socket is this process's own, so that no other server can have its port.
    """

    def __init__(
        self,
        settings: Settings,
        listening: socket.socket,
        ready: Callable[[], None] | None = None,
    ) -> None:
        """Run as many as the settings say; ``ready`` is called when the first of them answers."""
        if "forkserver" not in multiprocessing.get_all_start_methods():
            raise BadInput("--workers", settings.workers, "1 on this system")
        self._settings = settings
        self._listening = listening
        self._processes: dict[BaseProcess, float] = {}
        """Each with the time at which it was started."""
        self._is_stopping = False
        self._ready = ready
        self._answering, self._answers = multiprocessing.Pipe(duplex=False)
        # Workers are forked from a process that has read everything in, and has no threads.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["astragal.cli", "astragal.web.preload"])

    def run(self) -> int:
        """Run them until a signal to stop; the exit status."""
        before = {each: signal.signal(each, self._stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            for _ in range(self._settings.workers):
                self._start()
            failed = self._watch()
        finally:
            self._end()
            for each, handler in before.items():
                signal.signal(each, handler)
        return 1 if failed else 0

    def _start(self) -> None:
        arguments = (self._settings, self._listening, self._answers)
        process = self._context.Process(target=_run_worker, args=arguments)
        process.start()
        self._processes[process] = time.monotonic()

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self._is_stopping = True

    def _watch(self) -> bool:
        """Replace workers that end; true if one ended too soon for that."""
        while not self._is_stopping:
            wait([self._answering, *(each.sentinel for each in self._processes)], timeout=0.2)
            while self._answering.poll():
                self._answering.recv()
                if self._ready is not None:
                    self._ready()
                self._ready = None
            for process, since in list(self._processes.items()):
                if process.is_alive() or self._is_stopping:
                    continue
                del self._processes[process]
                was_killed = (process.exitcode or 0) < 0
                if time.monotonic() - since < FAILED_AT_START and not was_killed:
                    log.error("A worker ended right after its start; stopping.")
                    return True
                log.error("A worker ended with status %s; starting another.", process.exitcode)
                self._start()
        return False

    def _end(self) -> None:
        for process in self._processes:
            process.terminate()
        deadline = time.monotonic() + STOP_TIMEOUT
        for process in self._processes:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
