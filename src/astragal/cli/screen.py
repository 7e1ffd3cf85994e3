"""How commands write: Rich at the terminal's width, plain text into a pipe, or JSON."""

from __future__ import annotations

import os
import sys

import msgspec
from rich.console import Console, RenderableType

_WIDTH_OF_A_PIPE = 100


def screen() -> Console:
    """Standard output; colours only on a terminal, COLUMNS respected everywhere."""
    measured = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(highlight=False, markup=False, width=None if measured else _WIDTH_OF_A_PIPE)


def write(page: RenderableType) -> None:
    """Write a page; lines that go into a pipe carry no padding."""
    console = screen()
    if console.is_terminal:
        console.print(page)
        return
    with console.capture() as captured:
        console.print(page)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_json(value: object) -> None:
    """Write a value for machines to read."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
