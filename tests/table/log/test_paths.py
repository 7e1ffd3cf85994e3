"""Plain data by path: the same as the games' own types make of the same changes."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput, Refusal
from astragal.games import game_named, games
from astragal.games.game import SCENE
from astragal.play import GM, Change, Session, apply, by
from astragal.table.log.paths import value_in, with_value
from astragal.table.running.votes import procedures_of
from table.company import table, usual
from table.random_play import RandomPlay


def as_kept(value: Any) -> Any:
    """Plain data as the log has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def changes_of(game: Any, start: Any, play: RandomPlay, seed: str) -> list[Change]:
    """What a procedure changes, played with any answers that will do."""
    session: Session[Any] = Session(start, by(Seeded(seed)))
    for _ in range(40):
        if not session.waiting:
            break
        ask = session.waiting[0]
        answer = play.valid(ask) if play.rng.random() < 0.5 else usual(ask.question)
        session.answer(ask.seat, answer)
    return [event for event in session.events if isinstance(event, Change)]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(games()))
def test_every_change_of_every_procedure_is_the_same_in_plain_data(name: str):
    game = game_named(name)
    rng = Random(f"plain {name}")
    seen: set[str] = set()

    async def standing() -> Any:
        async with table(name) as at:
            play = RandomPlay(at, game, rng)
            play.players = ["anna"]
            return play, await at.state()

    play, campaign = asyncio.run(standing())
    stood = campaign.standing
    sheets = {key: game.read(each.sheet, game.sheet, key) for key, each in stood.characters.items()}
    scene = game.read(stood.scene, game.scene, SCENE)
    for procedure in procedures_of(game).values():
        for attempt in range(6):
            try:
                raw = play.filled(procedure.name, campaign, GM)
                arguments = game.read(raw, procedure.arguments, "arguments")
                start = procedure.start(arguments, game.table(sheets, scene, {}))
                changes = changes_of(game, start, play, f"{procedure.name} {attempt}")
            except Refusal:
                continue
            typed: dict[str, Any] = {**sheets, SCENE: scene}
            for change in changes:
                kind = game.scene if change.target == SCENE else game.sheet
                plain = as_kept(game.write(typed[change.target]))
                assert value_in(plain, change.path) == as_kept(game.write(change.before))
                new = as_kept(game.write(change.after))
                after = with_value(kind, plain, change.path, new)
                typed[change.target] = apply(typed[change.target], change)
                assert after == as_kept(game.write(typed[change.target])), change
                assert game.read(after, kind, "after") == typed[change.target]
                seen.add(f"{procedure.name}: {change.path}")
    assert len(seen) > 3, seen


class Thing(msgspec.Struct, frozen=True):
    name: str
    note: str | None = None


class Box(msgspec.Struct, frozen=True):
    things: tuple[Thing, ...] = ()
    by_name: dict[str, Thing] = {}
    best: Thing | None = None
    count: int = 0


BOX = Box(
    (Thing("a"), Thing("b", "old")), {"x": Thing("x"), "a.b": Thing("dotted")}, Thing("best"), 3
)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("count", 3, 4),
        ("things.1.note", "old", None),
        ("things.0.note", None, "new"),
        ("things.2", None, Thing("c")),
        ("things.0", Thing("a"), None),
        ("by_name.x", Thing("x"), None),
        ("by_name.y", None, Thing("y")),
        ("by_name/a.b/note", None, "n"),
        ("best", Thing("best"), None),
        ("best.name", "best", "better"),
    ],
)
def test_plain_and_typed_agree(path: str, before: Any, after: Any):
    typed = apply(BOX, Change("box", path, before, after, ""))
    plain, kept = as_kept(BOX), as_kept(BOX)
    assert value_in(plain, path) == as_kept(before)
    assert with_value(Box, plain, path, as_kept(after)) == as_kept(typed)
    assert plain == kept


@pytest.mark.parametrize(
    "path",
    ["nothing", "things.9", "things.x", "things.2.name", "by_name.z.name", "count.more", ""],
)
def test_a_path_that_leads_nowhere_is_refused(path: str):
    plain = as_kept(BOX)
    with pytest.raises(BadInput, match="path: found"):
        with_value(Box, plain, path, 1)
