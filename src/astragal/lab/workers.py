"""The same work many times, on several processes or on many machines.

Everything goes through :class:`concurrent.futures.Executor`: processes of this machine by default,
a Dask cluster where its address is given. Results come in the order of what was asked for; if
something fails or is interrupted, what has not begun is cancelled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context
from typing import TypeVar

from astragal.errors import BadInput, Refusal
from astragal.lab import Progress, unheard

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def executor(processes: int = 0, dask: str = "") -> Iterator[Executor]:
    """Where work is done: so many processes (0: one for each core), or a Dask cluster."""
    if processes < 0:
        raise BadInput("--processes", processes, "0 (one for each core) or more")
    if dask:
        if find_spec("distributed") is None:
            raise Refusal("A Dask cluster needs distributed: pip install 'astragal[dask]'.")
        with _cluster(dask) as cluster:
            yield cluster
        return
    # Begun anew and not forked: other threads may hold locks by now.
    pool = ProcessPoolExecutor(processes or os.cpu_count() or 1, get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


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


def in_order(
    on: Executor, work: Callable[[T], R], items: Iterable[T], progress: Progress = unheard
) -> list[R]:
    """The results of the same work on every item, in the order of the items."""
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
