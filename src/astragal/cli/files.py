"""Reading sheets and scenarios from files: TOML or JSON, with refusals that name the place."""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from astragal.errors import BadInput, Refusal
from astragal.games.game import Game
from astragal.games.ready import ready_paths


def read_raw(path: Path) -> Mapping[str, Any]:
    """The content of a TOML or JSON file as plain data."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark in front
    except FileNotFoundError:
        raise Refusal(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise Refusal(f"{path} is a folder, not a file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} cannot be read as text ({error}).") from None
    try:
        raw = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno}"
        raise BadInput(where, _line(text, error.lineno), f"JSON ({error.msg})") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        number = int(found[1]) if found else len(text.splitlines())
        reason = str(error).partition(" (at ")[0]
        raise BadInput(f"{path}, line {number}", _line(text, number), f"TOML ({reason})") from None
    except (RecursionError, ValueError):  # nested, or a number written out, beyond all reason
        raise Refusal(f"{path} is nested too deeply, or has a number that is too long.") from None
    if not isinstance(raw, dict):
        raise BadInput(str(path), raw, "an object with fields")
    return raw


def ready_sheets(game: Game) -> dict[str, Path]:
    """The sheets that come with a game, by name."""
    return ready_paths(game)


def find_sheet(name: str, game: Game, beside: Path | None = None) -> Path:
    """A sheet by its path (also relative to another file), or a pre-made sheet by its name."""
    for path in (Path(name), *([beside / name] if beside else [])):
        with contextlib.suppress(OSError):  # what cannot be a path names no file
            if path.is_file():
                return path
    ready = ready_sheets(game)
    if name in ready:
        return ready[name]
    raise BadInput("sheet", name, f"a file, or a pre-made sheet: {', '.join(ready) or 'none'}")


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""
