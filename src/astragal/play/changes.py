"""Applying a change to a sheet or a scene: a path, the value before, the value after.

A path names fields and entries with dots: ``artha.fate``, ``skills.Sword.routine``. A
part of a path is a field of a struct, a key of a mapping, or a position in a list. Where a
key has a dot of its own, the parts are set apart by slashes instead. A change whose
*before* does not hold is refused: it was made for another state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from astragal.errors import BadInput
from astragal.play.effects import Change

T = TypeVar("T")


def path_of(*parts: str | int) -> str:
    """Write a path; with slashes where a part would be torn apart by dots."""
    texts = [str(part) for part in parts]
    for text in texts:
        if "/" in text:
            raise BadInput("path", text, "a name without a slash")
    return ("/" if any("." in text for text in texts) else ".").join(texts)


def split_path(path: str) -> list[str]:
    """The parts of a path."""
    return path.split("/" if "/" in path else ".")


def value_at(target: Any, path: str) -> Any:
    """The value that stands at a path."""
    here = target
    for part in split_path(path):
        if isinstance(here, msgspec.Struct):
            here = getattr(here, part)
        elif isinstance(here, Mapping):
            here = here.get(part)
        else:
            here = here[int(part)]
    return here


def apply(target: T, change: Change) -> T:
    """The target with the change made; the target itself is left as it was."""
    changed: T = _replace(target, split_path(change.path), change, change.target)
    return changed


def apply_all(targets: Mapping[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """Every target with its changes made, in order; all of them, or a refusal and none."""
    after = dict(targets)
    for change in changes:
        if change.target not in after:
            raise BadInput("target", change.target, f"one of {', '.join(sorted(after))}")
        after[change.target] = apply(after[change.target], change)
    return after


def _replace(here: Any, parts: list[str], change: Change, place: str) -> Any:
    if not parts:
        if here != change.before:
            raise BadInput(
                place, here, f"{change.before!r}, as the change supposes", change.because
            )
        return change.after
    part, rest = parts[0], parts[1:]
    inner = f"{place}.{part}"
    if isinstance(here, msgspec.Struct):
        if part not in here.__struct_fields__:
            fields = ", ".join(here.__struct_fields__)
            raise BadInput(inner, part, f"a field of {type(here).__name__}: {fields}")
        return msgspec.structs.replace(
            here, **{part: _replace(getattr(here, part), rest, change, inner)}
        )
    if isinstance(here, Mapping):
        if part in here or rest:
            if part not in here:
                raise BadInput(inner, part, f"one of {', '.join(map(str, here))}")
            value = _replace(here[part], rest, change, inner)
        else:
            value = _replace(None, rest, change, inner)
        kept = {key: entry for key, entry in here.items() if key != part or value is not None}
        return kept if value is None else {**kept, part: value}
    if isinstance(here, tuple):
        if not part.isdigit() or int(part) > len(here) or (rest and int(part) == len(here)):
            raise BadInput(inner, part, f"a position below {len(here)}")
        at = int(part)
        old = here[at] if at < len(here) else None
        value = _replace(old, rest, change, inner)
        return here[:at] + (() if value is None else (value,)) + here[at + 1 :]
    raise BadInput(inner, part, f"the end of the path: {place} has no parts")
