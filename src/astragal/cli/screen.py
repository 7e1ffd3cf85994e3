"""How commands write: Rich at the terminal's width, plain text into a pipe, or JSON."""

from __future__ import annotations

import os
import sys

import msgspec
from rich.console import Console, RenderableType

from astragal.cli import SeenEnough

_WIDTH_OF_A_PIPE = 100


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """The reader has closed the output."""
        raise SeenEnough


def screen(*, beside_json: bool = False) -> Console:
    """Standard output (beside JSON: standard error); colours only on a terminal.

    COLUMNS is respected everywhere.
    """
    measured = sys.stdout.isatty() or "COLUMNS" in os.environ
    width = None if measured else _WIDTH_OF_A_PIPE
    return _Screen(highlight=False, markup=False, width=width, stderr=beside_json)


def write(page: RenderableType) -> None:
    """Write a page; lines that go into a pipe carry no padding."""
    console = screen()
    if console.is_terminal:
        console.print(page)
        return
    with console.capture() as captured:
        console.print(page)
    _print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_json(value: object) -> None:
    """Write a value for machines to read."""
    _print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print(text: str) -> None:
    try:
        print(text)
    except BrokenPipeError:
        raise SeenEnough from None
