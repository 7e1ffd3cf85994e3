"""The table as it is drawn: what has not changed is not drawn again, and looks no different."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from astragal.games import Game, game_named
from astragal.play import GM
from astragal.table.commands.creating import founding
from astragal.table.log.events import Entry
from astragal.table.log.fold import fold
from astragal.table.log.state import Campaign, Character, Standing
from astragal.table.views.pages import Drawing

GAMES = ("burning_wheel", "cores", "percentile", "signs")


def demo(game: Game) -> Standing:
    events = founding(game, "", None, "GM", bytes(32), demo=True)
    log = [Entry(seq, "now", GM, event) for seq, event in enumerate(events, start=1)]
    return fold(Campaign("c", game.name, ""), log).standing


def with_sheet(standing: Standing, key: str, **values: object) -> Standing:
    character = standing.characters[key]
    changed = Character({**character.sheet, **values}, character.hidden)
    return replace(standing, characters={**standing.characters, key: changed})


def looks(drawing: Drawing) -> list[object]:
    """Everything that can be seen of it, by the GM, a player and a stranger."""
    seats = (GM, *{drawing.player(key) for key in drawing.characters}, "stranger")
    return [
        (seat, drawing.scene(seat), [drawing.character(key, seat) for key in drawing.characters])
        for seat in seats
    ]


@pytest.mark.parametrize("name", GAMES)
def test_while_nothing_of_it_changes_it_is_the_very_same(name: str):
    standing = demo(game_named(name))
    drawing = Drawing(standing, game_named(name))
    assert drawing.now(replace(standing, open={})) is drawing
    assert drawing.now(replace(standing, scene=dict(standing.scene))) is not drawing


@pytest.mark.parametrize("name", GAMES)
def test_drawn_after_a_change_it_looks_as_if_drawn_anew(name: str):
    game = game_named(name)
    standing = demo(game)
    key, other, *_ = standing.characters
    before = Drawing(standing, game)
    looks(before)
    for changed in (
        with_sheet(standing, key, name="Somebody Else"),
        with_sheet(standing, key, player=GM),
        replace(standing, scene=game.write(game.scene())),
        replace(standing, known_scene=game.write(game.scene())),
        replace(standing, characters={other: standing.characters[other]}),
        replace(
            standing,
            characters={
                **standing.characters,
                other: replace(standing.characters[other], hidden=True),
            },
        ),
    ):
        assert looks(before.now(changed)) == looks(Drawing(changed, game))


def test_a_page_is_drawn_again_only_if_it_may_look_otherwise():
    game = game_named("burning_wheel")
    standing = demo(game)
    key, other, *_ = standing.characters
    before = Drawing(standing, game)
    looks(before)
    after = before.now(with_sheet(standing, key, age=77))
    assert after.page(other, GM) is before.page(other, GM)
    assert after.page(key, GM) is not before.page(key, GM)
    renamed = before.now(with_sheet(standing, key, name="Somebody Else"))
    assert renamed.page(other, GM) is not before.page(other, GM)  # it may name that one


def test_strangers_know_of_nobody_who_is_hidden():
    game = game_named("burning_wheel")
    standing = demo(game)
    key, *_ = standing.characters
    hidden = replace(with_sheet(standing, key, player="ann").characters[key], hidden=True)
    drawing = Drawing(replace(standing, characters={**standing.characters, key: hidden}), game)
    assert [drawing.knows(seat, key) for seat in (GM, "ann", "ben")] == [True, True, False]
    assert key in drawing.unknown_to("ben")
    assert key not in drawing.unknown_to("ann")
    assert drawing.character(key, "ben") is None
    assert not drawing.knows(GM, "nobody")
