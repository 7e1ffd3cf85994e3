"""Finding what one wants to do among all procedures: groups by the book, and other words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec


def _one_group(procedure: Any) -> str:  # noqa: ARG001
    return ""


def by_name(groups: Mapping[str, tuple[str, ...]]) -> Callable[[Any], str]:
    """The group of each procedure, where a list for each group has all of them by name.

    >>> from types import SimpleNamespace
    >>> by_name({"Tests": ("test",)})(SimpleNamespace(name="test"))
    'Tests'
    """
    of = {name: group for group, names in groups.items() for name in names}
    return lambda procedure: of.get(procedure.name, "")


class ProcedureIndex(msgspec.Struct, frozen=True):
    """How the procedures of a game are grouped, and by which other words people look for them."""

    group: Callable[[Any], str] = _one_group
    """The group of a procedure."""
    groups: tuple[str, ...] = ()
    """The groups, in the order in which they are shown."""
    words: Mapping[str, tuple[str, ...]] = {}
    """What else people call a procedure, by its name."""
    against: Mapping[str, tuple[str, ...]] = {}
    """Procedures that are begun by saying against whom, with the arguments that are the sides.

    Either one list of sides, of which the first is one's own, or one's own side and the other's.
    """
