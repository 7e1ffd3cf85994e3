"""Scenarios to watch: every moment with its sentence and rule, and no script before its cards."""

from __future__ import annotations

from itertools import pairwise

import pytest

from astragal.errors import BadInput
from astragal.games import games
from astragal.games.ready import scenario_paths
from astragal.rules import catalogue
from astragal.table.log.items import RolledItem, ToldItem
from astragal.web.game_catalogue import offered_games
from astragal.web.watching import WatchedScenario, watched

OFFERED = [(game.name, offer.name) for game in offered_games() for offer in game.scenarios]


@pytest.fixture(scope="module")
def story() -> WatchedScenario:
    return watched("burning_wheel", "red_widow")


def test_every_scenario_that_comes_with_a_game_is_offered():
    assert [
        (game.name, name) for game in games().values() for name in scenario_paths(game)
    ] == OFFERED
    assert ("burning_wheel", "red_widow") in OFFERED


@pytest.mark.parametrize(("game", "name"), OFFERED)
def test_every_moment_says_what_happens_and_by_which_rule(game: str, name: str):
    for scene in watched(game, name).scenes:
        assert scene.title
        assert scene.moments
        for moment in scene.moments:
            assert moment.sentence[0].isupper()
            assert moment.sentence.endswith((".", "!", "?")), moment.sentence
            assert moment.rule in catalogue(), moment.sentence
            assert moment.items


def test_the_moments_tell_the_whole_fight(story: WatchedScenario):
    (fight,) = [scene for scene in story.scenes if scene.title == "The Red Widow leaps down"]
    said = [moment.sentence for moment in fight.moments]
    wanted = [
        "The Red Widow is heard before the attack: nobody is surprised.",
        "Slehr Marlson writes a script, unseen. The GM writes a script, unseen.",
        "Volley 1: the cards are turned over.",
        "The Red Widow's charge fails: The Red Widow loses the next action.",
        "The Red Widow: 4 successes. Hesitates for 3 heartbeats.",
        "Slehr Marlson draws the sword.",
        "Distances: Slehr Marlson and The Red Widow: inside.",
        "The Red Widow takes a Superficial wound at B3: +1 Ob.",
        "Slehr Marlson changes the script, unseen.",
        "Distances: Slehr Marlson lunging, The Red Widow outside.",
    ]
    places = [said.index(sentence) for sentence in wanted]
    assert places == sorted(places)
    turned = [moment for moment in fight.moments if moment.sentence.startswith("Volley")]
    assert len(turned) == 6, "three volleys in each of two exchanges"
    rolls = [item for m in fight.moments for item in m.items if isinstance(item, RolledItem)]
    # The first test; seven rolls in exchange 1; six, two and four in the volleys of exchange 2.
    assert len(rolls) == 2 + 7 + 6 + 2 + 4


def test_no_card_is_seen_before_it_is_turned_over(story: WatchedScenario):
    """A script stands nowhere before its volley: neither as an answer nor in a sentence."""
    (fight,) = [scene for scene in story.scenes if scene.title == "The Red Widow leaps down"]
    shown = next(at for at, each in enumerate(fight.moments) if _cards(each.items))
    before = str(fight.moments[:shown])
    for card in ("Charge", "Strike", "Lock", "Avoid", "draw_weapon", "charge_tackle"):
        assert card not in before
    assert "Charge, Strike" in str(_cards(fight.moments[shown].items))


def _cards(items: tuple[object, ...]) -> list[object]:
    return [item.cards for item in items if isinstance(item, ToldItem) and item.cards]


def test_a_picture_in_which_nobody_has_moved_is_no_moment_of_its_own(story: WatchedScenario):
    (fight,) = [scene for scene in story.scenes if scene.title == "The Red Widow leaps down"]
    distances = [m.sentence for m in fight.moments if m.sentence.startswith("Distances")]
    assert all(one != other for one, other in pairwise(distances))


@pytest.mark.parametrize(("game", "name"), [("burning_wheel", "nobody"), ("chess", "red_widow")])
def test_what_is_not_there_is_refused_in_one_line(game: str, name: str):
    with pytest.raises(BadInput) as refused:
        watched(game, name)
    assert "\n" not in str(refused.value)
