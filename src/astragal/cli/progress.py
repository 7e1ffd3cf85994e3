"""A progress bar for whatever takes more than a second; nothing for what does not."""

from __future__ import annotations

import sys
from threading import Lock, Timer
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

PATIENCE = 1.0
"""Seconds before anybody needs to be told that it takes a while."""


class Waiting:
    """Hears how far something has come and shows it, on the terminal only.

    It goes to standard error and is gone when the work is done, so that a pipe or a file never
    has any of it. Where nobody knows how much is left, the bar only moves.
    """

    def __init__(self, what: str) -> None:
        """Begin to wait for something."""
        self._what = self._now = what
        self._done: int = 0
        self._total: int | None = None
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._over = False
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._begin)
        self._timer.daemon = True

    def counted(self, done: int, total: int) -> None:
        """So much of so much is done."""
        self._done, self._total = done, total
        self._update()

    def told(self, what: str) -> None:
        """Something else is being worked on; how much is left nobody knows."""
        self._now = f"{self._what}: {what}"
        self._update()

    def _begin(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._over:
                return
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._now, completed=self._done, total=self._total)

    def _update(self) -> None:
        if self._bar is not None:
            with self._lock:
                self._bar.update(
                    self._task, description=self._now, completed=self._done, total=self._total
                )

    def __enter__(self) -> Waiting:
        """Nothing is shown yet."""
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()
