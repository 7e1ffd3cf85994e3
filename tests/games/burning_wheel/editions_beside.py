"""How the tests hold the two editions side by side."""

from __future__ import annotations

from typing import Any

import pytest

from games.burning_wheel.playing import table


def both(revised: Any, gold: Any) -> Any:
    """What each edition is expected to do, for a test that takes ``edition`` and ``expected``."""
    return pytest.mark.parametrize(
        ("edition", "expected"), [("revised", revised), ("gold", gold)], ids=["revised", "gold"]
    )


either = pytest.mark.parametrize("edition", ["revised", "gold"])
"""For what holds in both."""


def at_table(edition: str, options: Any = None, scene: Any = None, **characters: Any) -> Any:
    return table(scene=scene, options={"edition": edition, **(options or {})}, **characters)
