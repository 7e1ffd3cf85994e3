"""What a partner gives away at least: an opponent who knows how it thinks answers it."""

from __future__ import annotations

import pickle

import pytest

from astragal.errors import BadInput
from astragal.lab import trained_opponent
from astragal.lab.fight_sparring import (
    FIGHT,
    SKIRMISH,
    ScriptedPlays,
    ScriptSearch,
    for_practice,
)
from astragal.lab.trained_opponent import (
    LessonToLearn,
    SparringMatch,
    SparringPlayer,
    TrainedOpponent,
    check_player,
    given_away,
    learnt,
    openings,
    worths,
)
from lab.yards import NAMES, at_scripts, start_of

SEEDS = tuple(f"run {at}" for at in range(2))


def match(one: SparringPlayer, other: SparringPlayer) -> SparringMatch:
    return SparringMatch("skirmish", start_of(SKIRMISH), NAMES, (one, other), 16, SEEDS)


@pytest.mark.slow
def test_a_match_is_the_same_by_its_seeds_and_counts_victories_of_the_first_side():
    partner = SparringPlayer(100)
    found = [worths(match(SparringPlayer(100, is_trained=True), partner)) for _ in range(2)]
    assert found[0] == found[1]
    assert len(found[0]) == 2
    assert set(found[0]) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize("game", [FIGHT, SKIRMISH], ids=lambda game: game.name)
def test_a_match_can_be_sent_to_another_process(game):
    players = (SparringPlayer(0), SparringPlayer(100))
    sent = SparringMatch(game.name, start_of(game), NAMES, players, 16, SEEDS)
    assert pickle.loads(pickle.dumps(sent)) == sent


@pytest.mark.slow
def test_against_someone_who_never_attacks_training_finds_what_is_free():
    """Whoever only blocks in the first two volleys can be feinted and struck at will."""
    session = at_scripts(FIGHT)
    mine, theirs = session.waiting
    blocks = ("maintain", "block", "block", "maintain", "block", "maintain", "block")
    asked: list[str] = []

    def partner(state, ask, seed):
        asked.append(seed)
        assert ask == theirs
        return blocks

    search = ScriptSearch(FIGHT, 120)
    opponent = TrainedOpponent(search, partner, rehearsed=2)
    scripts = [opponent.script(session.state, mine, f"seed {at}") for at in range(3)]
    assert len(set(asked)) == 6
    # Only these get through a Block: a Strike has to beat it, and whatever else defends is wasted.
    free = {"feint", "great_strike", "throw_opponent", "lock", "push", "charge_tackle"}
    assert all(free & set(cards) for cards in scripts)
    expected = {theirs: (blocks,)}
    trained = search.best(session.state, mine, "worth", expected).worth
    assert trained > 0.55


# --- Lessons -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [FIGHT, SKIRMISH], ids=lambda game: game.name)
def test_the_openings_are_where_first_scripts_are_written(game):
    found = openings(game, start_of(game), "seed")
    assert found
    assert len(set(found)) == len(found)
    here = game.begins(for_practice(game, at_scripts(game).state))
    assert {opening.procedure for opening in found} == {here.procedure}
    assert here in found


def test_what_was_learnt_is_played_and_anything_else_is_searched():
    session = at_scripts(SKIRMISH)
    mine, theirs = session.waiting
    opening = SKIRMISH.begins(for_practice(SKIRMISH, session.state))
    learnt_cards = ("speed_close",) * 3
    lessons = {(opening, mine.seat): learnt_cards}
    asked: list[str] = []

    def partner(state, ask, seed):
        asked.append(ask.seat)
        return ("speed_maintain",) * 3

    opponent = TrainedOpponent(ScriptSearch(SKIRMISH, 1), partner, 2, lessons)
    assert opponent.script(session.state, mine, "seed") == learnt_cards
    assert asked == []
    assert theirs.question.check(opponent.script(session.state, theirs, "seed"))
    assert asked == [mine.seat] * 2


@pytest.mark.slow
def test_a_lesson_answers_what_the_partner_of_that_dial_writes(monkeypatch):
    """The partner writes the scripts that are answered, and none of one's own."""
    (opening, *_) = openings(SKIRMISH, start_of(SKIRMISH), "seed")
    monkeypatch.setattr(trained_opponent, "LONGER", 1)
    heard = []

    class Heard(ScriptSearch):
        def best(self, state, ask, seed, expected=None):
            heard.append(expected)
            return super().best(state, ask, seed, expected)

    monkeypatch.setattr(trained_opponent, "ScriptSearch", Heard)
    lesson = LessonToLearn("skirmish", opening, "bob", SparringPlayer(0, "bold"), 16, "seed", 5)
    cards = learnt(pickle.loads(pickle.dumps(lesson)))
    assert learnt(lesson) == cards
    assert [ask.seat for ask in heard[0]] == ["ann"]
    (scripts,) = heard[0].values()
    # Nobody who is bold withdraws, and the bold mostly close.
    written = [card for script in scripts for card in script]
    assert len(scripts) == 5
    assert not any(card.endswith("withdraw") for card in written)


def test_a_match_is_played_with_what_was_learnt(monkeypatch):
    """Only the trained one knows it, and only in the opening."""
    (opening,) = {SKIRMISH.begins(for_practice(SKIRMISH, at_scripts(SKIRMISH).state))}
    taught = ("perception_maintain",) * 3
    lessons = tuple((each, "ann", taught) for each in openings(SKIRMISH, start_of(SKIRMISH), "all"))
    assert opening in [each for each, *_ in lessons]
    written = []

    class Plays(ScriptedPlays):
        def go_on(self, state, given, others, chance, exchanges=1):
            written.append({ask.seat: cards for ask, cards in given.items()})
            return super().go_on(state, given, others, chance, exchanges)

    monkeypatch.setattr(trained_opponent, "ScriptedPlays", Plays)
    for is_trained in (True, False):
        written.clear()
        players = (SparringPlayer(0, "bold", is_trained=is_trained), SparringPlayer(0, "bold"))
        worths(SparringMatch("skirmish", start_of(SKIRMISH), NAMES, players, 1, SEEDS[:1], lessons))
        assert (written[0]["ann"] == taught) == is_trained
        assert written[0]["bob"] != taught


def test_what_is_given_away_is_what_both_win_beyond_one_victory():
    # 60% as side 1 and 70% as side 2, from 100 conflicts each.
    one, other = [1.0] * 60 + [0.0] * 40, [1.0] * 70 + [0.0] * 30
    lost = given_away(one, other)
    assert lost.counted == pytest.approx(0.3)
    error = (0.6 * 0.4 / 99 + 0.7 * 0.3 / 99) ** 0.5
    assert lost.at_least == pytest.approx(0.3 - 1.645 * error)
    assert given_away([0.5] * 4, [0.0] * 4) == (-0.5, 0.0)


def test_a_player_that_cannot_be_is_refused():
    with pytest.raises(BadInput, match="steady, bold, wary, any"):
        check_player("skirmish", SparringPlayer(50, "fierce"))
    with pytest.raises(BadInput, match="merciless"):
        check_player("fight", SparringPlayer(101))
