"""Sparring in Fight! and Range and Cover: fair play, the same by its seed, better by its dial."""

from __future__ import annotations

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.outcome import FighterOutcome, FightOutcome
from astragal.lab.fight_sparring import (
    FIGHT,
    GAMES,
    SKIRMISH,
    ScriptedPlays,
    ScriptPartner,
    ScriptSearch,
    side_of,
    worth_to,
)
from astragal.lab.trained_opponent import SparringMatch, SparringPlayer, play_out, worths
from astragal.play import Ask, Script, State, then
from lab.scripted import can_be_scripted
from lab.yards import NAMES, at_scripts, start_of

BOTH = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@BOTH
def test_a_script_is_one_that_the_question_accepts_and_follows_from_the_seed(game):
    session = at_scripts(game)
    ask = session.waiting[1]
    found = [ScriptSearch(game, 48).best(session.state, ask, seed) for seed in ("a", "a", "b")]
    assert found[0] == found[1] != found[2]
    assert 0 < found[0].plays <= 48
    for each in found:
        assert ask.question.check(each.candidate) == each.candidate


@BOTH
def test_it_writes_the_same_whatever_the_other_has_written(game):
    written = set()
    for style in game.styles:
        session = at_scripts(game)
        first = session.waiting[0]
        session.answer(first.seat, game.style(style, Seeded(style))(first))
        (mine,) = session.waiting
        partner = ScriptPartner(ScriptSearch(game, 24), 100, seed="fair")
        written.add(partner.answer(session.state, mine))
    assert len(written) == 1


@BOTH
def test_the_log_of_a_conflict_that_counts_makes_no_difference(game):
    """A real one logs its tests, a rehearsal does not; the search looks at the same plays."""
    found = []
    for rehearsal in (True, False):
        session = at_scripts(game, rehearsal=rehearsal)
        found.append(ScriptSearch(game, 24).best(session.state, session.waiting[0], "log"))
    assert found[0] == found[1]


@BOTH
def test_only_scripts_are_answered_and_only_as_well_as_the_dial_says(game):
    session = at_scripts(game)
    ask = session.waiting[1]
    assert side_of(game, session.state, session.waiting[0]) == 0
    assert side_of(game, session.state, ask) == 1

    class Never(ScriptSearch):
        def best(self, *given, **named):
            raise AssertionError("it searches")

    careless = ScriptPartner(Never(game), 0)
    assert isinstance(ask.question, Script)
    assert careless.answer(session.state, ask)
    merciless = ScriptPartner(Never(game), 100)
    with pytest.raises(AssertionError, match="searches"):
        merciless.answer(session.state, ask)
    searched = 0
    middling = ScriptPartner(Never(game), 30)
    for _ in range(200):
        try:
            middling.answer(session.state, ask)
        except AssertionError:
            searched += 1
    assert 40 <= searched <= 80


def test_without_a_budget_of_time_the_samples_decide_and_with_one_it_stops_early():
    session = at_scripts(SKIRMISH)
    ask = session.waiting[0]
    assert ScriptSearch(SKIRMISH, 400, seconds=0.0).best(session.state, ask, "t").plays == 16


@pytest.mark.parametrize(
    ("dial", "temperament", "named"),
    [
        (101, "any", "merciless"),
        (-1, "any", "careless"),
        (50, "brave", "fierce, careful, sly, any"),
    ],
)
def test_what_no_partner_has_is_refused(dial, temperament, named):
    with pytest.raises(BadInput, match=named):
        ScriptPartner(ScriptSearch(FIGHT), dial, temperament)
    with pytest.raises(BadInput, match="samples"):
        ScriptSearch(FIGHT, 0)


def outcome(winner: int | None, mine: int, theirs: int) -> FightOutcome:
    people = (
        FighterOutcome("ann", 0, "standing", mine),
        FighterOutcome("bob", 1, "standing", theirs),
    )
    return FightOutcome("apart", winner, people)


def test_a_play_is_worth_a_victory_or_by_the_wounds_of_both():
    assert worth_to(FIGHT, 0, outcome(0, 4, 0)) == 1
    assert worth_to(FIGHT, 1, outcome(0, 0, 4)) == 0
    assert worth_to(FIGHT, 0, outcome(None, 1, 3)) == pytest.approx(0.7)
    assert worth_to(FIGHT, 1, outcome(None, 1, 3)) == pytest.approx(0.3)
    assert worth_to(FIGHT, 1, outcome(None, 0, 0)) == 0.5


@pytest.mark.slow
@BOTH
def test_what_is_searched_is_worth_more_than_what_is_not(game):
    """The dial draws one or the other, so what it wins rises evenly with it.

    Both are judged by plays that the search has not seen, all of them with the same luck.
    """
    session = at_scripts(game)
    ask = session.waiting[1]
    search, plays = ScriptSearch(game, 120), ScriptedPlays(game)
    scripts = {
        dial: [ScriptPartner(search, dial).script(session.state, ask, f"{n}") for n in range(6)]
        for dial in (0, 100)
    }

    def worth(cards: tuple[str, ...], number: int) -> float:
        chance = Seeded(f"unseen/{number}")
        styles = game.styles
        one, other = (game.style(styles[at % len(styles)], chance) for at in (number, number // 4))
        others = {"ann": other, "bob": one}
        end = plays.go_on(session.state, {ask: cards}, others, chance, game.ahead)
        return worth_to(game, 1, end)

    def mean(dial: int) -> float:
        found = [worth(cards, number) for cards in scripts[dial] for number in range(24)]
        return sum(found) / len(found)

    assert mean(100) > mean(0) + 0.04


@pytest.mark.slow
@BOTH
def test_every_script_of_a_whole_conflict_is_one_that_can_be_scripted(game):
    """Also for those who are hurt, down, held, disarmed or out of reach."""
    search, written = ScriptSearch(game, 16), []

    def writer(state: State, ask: Ask, seed: str) -> tuple[str, ...]:
        cards = search.best(state, ask, seed).candidate
        assert isinstance(ask.question, Script)
        assert can_be_scripted(ask.question, cards), cards
        written.append(cards)
        return cards

    writers = dict.fromkeys(NAMES, writer)
    for number in range(3):
        play_out(ScriptedPlays(game), game, start_of(game), writers, f"whole {number}")
    assert len(set(written)) > 5


@pytest.mark.slow
def test_the_merciless_beat_the_careless_in_many_small_fights():
    """Ten fights as each side.

    Between equals a fight is worth a half with a variance of a quarter at most, so that 20 fights
    come to 15.3 or more by chance in less than one case of a hundred (a half plus 2.33 standard
    errors).
    """
    seeds = tuple(f"small {at}" for at in range(10))
    merciless, careless = SparringPlayer(100), SparringPlayer(0)
    start = start_of(FIGHT)
    first = SparringMatch("fight", start, NAMES, (merciless, careless), 48, seeds)
    second = SparringMatch("fight", start, NAMES, (careless, merciless), 48, seeds)
    won = sum(worths(first)) + sum(1 - each for each in worths(second))
    assert won >= 10 + 2.33 * (20 * 0.25) ** 0.5


def test_a_play_stops_after_so_many_exchanges():
    session = at_scripts(FIGHT)
    blocks = ("stay", "block", "block", "stay", "block", "stay", "block")
    idle = dict.fromkeys(("ann", "bob"), lambda ask: blocks)
    end = ScriptedPlays(FIGHT).go_on(session.state, {}, idle, Seeded(1), 2)
    assert (end.procedure, end.args[1]) == (FIGHT.exchange, 3)
    assert end == then(FIGHT.exchange, *end.args)
