"""How the tests of Circles seek somebody."""

from __future__ import annotations

from typing import Any

from games.burning_wheel.playing import Played, play, table

KNIGHT: dict[str, Any] = {
    "circles": "B4",
    "stats": {"Will": "B5"},
    "lifepaths": [
        {"name": "Knight", "setting": "Noble Court", "leads": ["Outcast", "City Dweller"]},
        {"name": "Page", "setting": "Noble"},
    ],
}


def knight(**more: Any) -> dict[str, Any]:
    return {**KNIGHT, **more}


def at_court(options: Any = None, scene: Any = None, **more: Any) -> Any:
    return table(options=options, scene=scene, knight=knight(**more))


def seek(at: Any = None, rolls: Any = (1,), answers: Any = None, **more: Any) -> Played:
    """A knight seeks a squire by the lifepath that makes it easy, unless told otherwise."""
    arguments = {
        "character": "knight",
        "sought": "a squire",
        "intent": "news of the court",
        "how": "asks in the stables",
        "through": "Knight",
        **more,
    }
    return play("circles_test", arguments, at or at_court(), answers, rolls)


MARK: dict[str, Any] = {"circles": "B6", "player": "tess"}


def both(options: Any = None, **more: Any) -> Any:
    return table(options=options, knight=knight(**more), mark=MARK)


def listen(at: Any, rolls: Any, answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "mark", "how": "listens in the taverns", **more}
    return play("detect_inquiries", arguments, at, answers, rolls)
