"""The command line: `astragal COMMAND ...`.

Each command is a module of this package with a function `add_to(app)`; it is
found here and is in no list. So that every command starts quickly, such a
module imports what is slow (a game, a table of the catalogue) inside the
command, not at its top. What a command refuses becomes one line on standard
error and exit status 2; nothing here plays a game.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from astragal.errors import Refusal

# Typer carries its own copy of Click in some releases and uses the real one in others.
_USAGE_ERROR: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

REFUSED = 2
INTERRUPTED = 130


class SeenEnough(Exception):
    """The reader of the output has closed it, which is not an error."""


def build() -> typer.Typer:
    """Make the application with every command in this package."""
    app = typer.Typer(
        name="astragal",
        help="The game table that knows the rules.",
        add_completion=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def root(
        version: Annotated[
            bool,
            typer.Option("--version", callback=_print_version, is_eager=True, help="The version."),
        ] = False,
    ) -> None:
        """The game table that knows the rules."""

    for module in pkgutil.iter_modules(__path__, prefix=f"{__name__}."):
        add_to = getattr(importlib.import_module(module.name), "add_to", None)
        if add_to is not None:
            add_to(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"astragal {version('astragal')}")
        raise typer.Exit


@cache
def _command() -> Callable[..., Any]:
    """The commands with their parameters: to read these from their types takes Typer a while."""
    return typer.main.get_command(build())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the status with which the process should end."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    _open_streams()
    try:
        status = _command()(given, prog_name="astragal", standalone_mode=False)
        sys.stdout.flush()
    except Refusal as refusal:
        return _refuse(str(refusal))
    except _USAGE_ERROR as error:
        return _refuse(_usage(error))
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except (SeenEnough, BrokenPipeError):
        # Keep the exit from flushing to a pipe that is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if status == INTERRUPTED:  # in some releases Typer has seen to the interruption itself
        print("astragal: Interrupted.", file=sys.stderr)
    return status if isinstance(status, int) else 0


def _usage(error: Exception) -> str:
    """What was wrong with the command as typed, and whose help to read."""
    message = getattr(error, "format_message", error.__str__)()
    command = getattr(getattr(error, "ctx", None), "command_path", "astragal")
    end = "" if message.endswith((".", "?", "!")) else "."
    return f"{message}{end} Try: {command} --help"


def _open_streams() -> None:
    """Have all three streams, also where one was closed, and none that stumbles over a letter."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # it has been read from already
                stream.reconfigure(errors="replace")


def _refuse(message: str) -> int:
    one_line = " ".join(message.split("\n"))
    print(f"astragal: {one_line}", file=sys.stderr)
    return REFUSED
