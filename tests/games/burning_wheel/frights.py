"""How the tests of Steel frighten somebody."""

from __future__ import annotations

from typing import Any

from games.burning_wheel.playing import Played, play, table

MOUSE: dict[str, Any] = {"stats": {"Will": "B4"}, "attributes": {"Steel": "B3"}}


def fright(at: Any = None, rolls: Any = (0,), answers: Any = None, **more: Any) -> Played:
    """A fear test by the mouse, unless told otherwise."""
    arguments = {"character": "mouse", "cause": "fear", "source": "a cat", **more}
    return play("steel_test", arguments, at or table(mouse=MOUSE), answers, rolls)
