"""The table as it is drawn: what has not changed is not drawn again, and looks no different."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from astragal.games import Game, game_named
from astragal.play import GM
from astragal.table.commands.creating import first_events
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.state import Campaign, Character, Restorable
from astragal.table.views.pages import TablePages

GAMES = ("burning_wheel", "cores", "percentile", "signs")


def demo(game: Game) -> Restorable:
    events = first_events(game, "", None, "GM", demo=True)
    log = [LogEntry(seq, "now", GM, event) for seq, event in enumerate(events, start=1)]
    return fold(Campaign("c", game.name, ""), log).standing


def with_sheet(standing: Restorable, key: str, **values: object) -> Restorable:
    character = standing.characters[key]
    changed = Character({**character.sheet, **values}, character.hidden)
    return replace(standing, characters={**standing.characters, key: changed})


def looks(pages: TablePages) -> list[object]:
    """Everything that can be seen of it, by the GM, a player and a stranger."""
    seats = (GM, *{pages.player(key) for key in pages.characters}, "stranger")
    return [
        (seat, pages.scene(seat), [pages.character(key, seat) for key in pages.characters])
        for seat in seats
    ]


@pytest.mark.parametrize("name", GAMES)
def test_while_nothing_of_it_changes_it_is_the_very_same(name: str):
    standing = demo(game_named(name))
    pages = TablePages(standing, game_named(name))
    assert pages.now(replace(standing, open={})) is pages
    assert pages.now(replace(standing, scene=dict(standing.scene))) is not pages


@pytest.mark.parametrize("name", GAMES)
def test_drawn_after_a_change_it_looks_as_if_drawn_anew(name: str):
    game = game_named(name)
    standing = demo(game)
    key, other, *_ = standing.characters
    before = TablePages(standing, game)
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
        assert looks(before.now(changed)) == looks(TablePages(changed, game))


def test_a_page_is_drawn_again_only_if_it_may_look_otherwise():
    game = game_named("burning_wheel")
    standing = demo(game)
    key, other, *_ = standing.characters
    before = TablePages(standing, game)
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
    pages = TablePages(replace(standing, characters={**standing.characters, key: hidden}), game)
    assert [pages.knows(seat, key) for seat in (GM, "ann", "ben")] == [True, True, False]
    assert key in pages.unknown_to("ben")
    assert key not in pages.unknown_to("ann")
    assert pages.character(key, "ben") is None
    assert not pages.knows(GM, "nobody")
