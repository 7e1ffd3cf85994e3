"""The same work many times, on several processes or on many machines.

Everything goes through :class:`concurrent.futures.Executor`: processes of this machine by default,
a Dask cluster where its address is given. Results come in the order of what was asked for; if
something fails or is interrupted, what has not begun is cancelled, and nothing is left running.
What is too little for that is done here (:func:`done_by_many`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import active_children, get_context
from time import monotonic
from typing import TypeVar

from astragal.errors import BadInput, Refusal
from astragal.lab import Progress, unheard

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def executor(processes: int = 0, dask: str = "") -> Iterator[Executor]:
    """Where work is done: so many processes (0: one for each core), or a Dask cluster."""
    _check_processes(processes)
    if dask:
        if find_spec("distributed") is None:
            raise Refusal("A Dask cluster needs distributed: pip install 'astragal[dask]'.")
        with _cluster(dask) as cluster:
            yield cluster
        return
    others = active_children()
    # Begun anew and not forked: other threads may hold locks by now.
    many = processes or os.cpu_count() or 1
    pool = ProcessPoolExecutor(many, get_context("spawn"))
    try:
        yield pool
    except BaseException:
        for process in active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _check_processes(processes: int) -> None:
    if processes < 0:
        raise BadInput("--processes", processes, "0 (one for each core) or more")


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold a Ctrl-C back while processes are started; they never get one themselves.

    A terminal sends it to all of its processes, but only the one that waits is to answer it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    from distributed import Client

    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        expected = f"the address of a Dask scheduler, as in tcp://127.0.0.1:8786 ({error})"
        raise BadInput("--dask", address, expected) from None
    with client:
        yield client.get_executor(pure=False)


def done_by_many(
    work: Callable[[T], R],
    items: Iterable[T],
    progress: Progress = unheard,
    *,
    processes: int = 0,
    dask: str = "",
    patience: float = 0.0,
) -> list[R]:
    """The results of the same work on every item, in their order, done by several if it is much.

    On a Dask cluster where one is named. Otherwise one item, or whatever is done within
    ``patience`` seconds, is done here; the rest by so many processes (0: one for each core).
    """
    _check_processes(processes)
    left = list(items)
    total = len(left)
    results: list[R] = []
    if not dask:
        until = monotonic() + patience
        alone = processes == 1 or (os.cpu_count() or 1) == 1
        while left and (alone or len(left) == 1 or monotonic() < until):
            results.append(work(left.pop(0)))
            progress(len(results), total)
    if left:
        before = len(results)
        with executor(processes, dask) as on:
            results += in_order(on, work, left, lambda done, _: progress(before + done, total))
    return results


def in_order(
    on: Executor, work: Callable[[T], R], items: Iterable[T], progress: Progress = unheard
) -> list[R]:
    """The results of the same work on every item, in the order of the items."""
    with _interrupts_held():
        futures: list[Future[R]] = [on.submit(work, item) for item in items]
    results = []
    try:
        for done, future in enumerate(futures, 1):
            results.append(future.result())
            progress(done, len(futures))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results
