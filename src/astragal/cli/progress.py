"""A progress bar for whatever takes more than a second; nothing for what does not."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

PATIENCE = 1.0
"""Seconds before anybody needs to be told that it takes a while."""


class Waiting:
    """Hears how far something has come and shows it, on the terminal only.

    It goes to standard error and is gone when the work is done, so that a pipe or a file never
    has any of it.
    """

    def __init__(self, what: str) -> None:
        """Begin to wait for something."""
        self._what = what
        self._since = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def counted(self, done: int, total: int) -> None:
        """So much of so much is done."""
        self._show(self._what, done, total)

    def told(self, what: str) -> None:
        """Something else is being worked on; how much is left nobody knows."""
        self._show(f"{self._what}: {what}", None, None)

    def _show(self, what: str, done: int | None, total: int | None) -> None:
        if self._bar is None:
            if time.monotonic() - self._since < PATIENCE or not sys.stderr.isatty():
                return
            columns = [TextColumn("{task.description}"), BarColumn()]
            if total is not None:
                columns.append(MofNCompleteColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(what, total=total)
        assert self._task is not None
        self._bar.update(self._task, description=what, completed=done, total=total)

    def __enter__(self) -> Waiting:
        """Nothing is shown yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
