"""What a partner gives away at least: an opponent who knows how it thinks is trained against it."""

from __future__ import annotations

import pickle

import pytest

from astragal.errors import BadInput
from astragal.lab import trained_opponent
from astragal.lab.fight_sparring import FIGHT, SKIRMISH, ScriptedPlays
from astragal.lab.trained_opponent import (
    Habit,
    SparringMatch,
    SparringPlayer,
    Training,
    check_player,
    given_away,
    kept,
    trained,
    worths,
)
from lab.yards import NAMES, at_scripts, start_of

SEEDS = tuple(f"run {at}" for at in range(2))


def match(one: SparringPlayer, other: SparringPlayer) -> SparringMatch:
    return SparringMatch("skirmish", start_of(SKIRMISH), NAMES, (one, other), 16, SEEDS)


@pytest.mark.slow
def test_a_match_is_the_same_by_its_seeds_and_counts_victories_of_the_first_side():
    habit = SparringPlayer(0, habit=Habit(("speed_close",) * 3, "bold"))
    found = [worths(match(habit, SparringPlayer(100))) for _ in range(2)]
    assert found[0] == found[1]
    assert len(found[0]) == 2
    assert set(found[0]) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize("game", [FIGHT, SKIRMISH], ids=lambda game: game.name)
def test_matches_and_training_can_be_sent_to_another_process(game):
    habit = Habit(("speed_close",) * 3, "any")
    players = (SparringPlayer(0), SparringPlayer(100, habit=habit))
    sent = SparringMatch(game.name, start_of(game), NAMES, players, 16, SEEDS)
    assert pickle.loads(pickle.dumps(sent)) == sent
    training = Training(game.name, start_of(game), NAMES, 1, SparringPlayer(100), 16, "seed")
    assert pickle.loads(pickle.dumps(training)) == training


# --- Training ------------------------------------------------------------------------------------


def test_a_habit_is_kept_where_the_rules_allow_it():
    (ask, _) = at_scripts(FIGHT).waiting
    blocks = ("stay", "block", "block", "stay", "block", "stay", "block")
    striking = ("close", "great_strike", "strike", "stay", "block", "stay", "block")  # without Set
    other = ("maintain", "avoid", "avoid", "stay", "block", "stay", "block")
    assert kept(blocks, ask, lambda _ask: other) == blocks
    assert kept(striking, ask, lambda _ask: other) == other
    assert kept(("charm", *blocks), ask, lambda _ask: other) == blocks, "the last that have room"


def test_training_answers_what_the_partner_wrote(monkeypatch):
    """Somebody plays who writes the partner's scripts; the habit that wins most often is kept."""
    wins, written = ("speed_close", "speed_maintain", "speed_close"), ("perception_maintain",) * 3
    asked, seen = [], set()

    def partner(player, search):
        assert player.dial == 70

        def write(state, ask, seed):
            asked.append(ask.seat)
            return written

        return write

    class Plays:
        def __init__(self, game):
            pass

        def go_on(self, state, given, scripters, chance, exchanges):
            """Bob wins whenever Ann writes what the partner wrote, and he what wins."""
            session = at_scripts(SKIRMISH)
            mine, theirs = session.waiting
            assert scripters["ann"](mine) == written
            seen.add(cards := scripters["bob"](theirs))
            return SimpleOutcome(int(cards == wins))

    class SimpleOutcome:
        def __init__(self, winner):
            self.winner = winner

    class Styles:
        """Everybody writes one of two scripts."""

        @staticmethod
        def style(name, chance):
            return lambda ask: wins if chance.dice(6, 1)[0] == 1 else ("steel_close",) * 3

    monkeypatch.setattr(trained_opponent, "writer_of", partner)
    monkeypatch.setattr(trained_opponent, "ScriptedPlays", Plays)
    monkeypatch.setattr(type(SKIRMISH), "style", lambda self, *given: Styles.style(*given))
    training = Training(
        "skirmish", start_of(SKIRMISH), NAMES, 1, SparringPlayer(70), 16, "seed", 5, 200
    )
    assert trained(training).script == wins
    assert asked == ["ann"] * 5
    assert len(seen) == 2


@pytest.mark.slow
def test_what_was_trained_follows_from_the_seed_and_can_be_written():
    start, partner = start_of(SKIRMISH), SparringPlayer(0, "bold")
    training = Training("skirmish", start, NAMES, 0, partner, 1, "seed", 4, 64)
    found = trained(training)
    assert found == trained(training)
    (ask, _) = at_scripts(SKIRMISH).waiting
    assert ask.question.check(found.script) == found.script
    assert found.temperament in SKIRMISH.styles


def test_a_match_is_played_with_the_habit(monkeypatch):
    """Only by the one who has it."""
    taught = ("perception_maintain",) * 3
    written = []

    class Plays(ScriptedPlays):
        def go_on(self, state, given, others, chance, exchanges=1):
            written.append({ask.seat: cards for ask, cards in given.items()})
            return super().go_on(state, given, others, chance, exchanges)

    monkeypatch.setattr(trained_opponent, "ScriptedPlays", Plays)
    players = (SparringPlayer(0, habit=Habit(taught, "bold")), SparringPlayer(0, "bold"))
    worths(SparringMatch("skirmish", start_of(SKIRMISH), NAMES, players, 1, SEEDS[:1]))
    assert {each["ann"] for each in written if "ann" in each} == {taught}
    assert taught not in {each["bob"] for each in written if "bob" in each}


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
