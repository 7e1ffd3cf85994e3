"""One contract, for every procedure of every game.

Whatever legal answers are given and whatever the dice show: a procedure ends, its questions
can be answered, a session resumed from its record goes on as the first one did, what it
changes can be applied and written down, and its odds are those of its rolls. The arguments
come from the scenarios, which therefore must have at least one step for each procedure.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from astragal.dice import Distribution, Recorded, Seeded
from astragal.errors import BadInput, Refusal
from astragal.games import games
from astragal.games.game import Game, Table
from astragal.games.scenarios import StepScript
from astragal.play import (
    Answer,
    Answerer,
    AnswerRecord,
    Ask,
    CannotWalk,
    Change,
    Exact,
    Faces,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Question,
    Script,
    Scripted,
    Session,
    Split,
    Text,
    Then,
    ThrowRecord,
    YesNo,
    by,
    defaults,
    run,
    sample,
)
from astragal.rules import catalogue
from test_examples import EXAMPLES, SCENARIOS, scenario

SEEDS = range(5)
WORDS = ("", "for the sake of it", "2 hours", "a wall falls down")


# --- What there is to play -----------------------------------------------------------------


class Situation(NamedTuple):
    """A procedure about to begin: a step of a scenario, at the table the steps before it left."""

    place: str
    game: Game
    script: StepScript
    start: Then[Any]
    table: Table[Any, Any]


@cache
def situations(path: Path) -> tuple[Situation, ...]:
    """Every step of a scenario, at the table it begins from."""
    the_scenario = scenario(path)
    game, table, found = the_scenario.game, the_scenario.table, []
    for number, result in enumerate(the_scenario.play(Seeded(path.stem)), 1):
        script = result.script
        procedure = game.procedure(script.procedure)
        arguments = game.read(script.arguments, procedure.arguments, "arguments")
        place = f"{path.stem}, step {number}"
        found.append(Situation(place, game, script, procedure.start(arguments, table), table))
        if result.refusal is None:
            table = table.changed(*result.changes)
    return tuple(found)


every_scenario = pytest.mark.parametrize(
    "path", SCENARIOS, ids=[str(path.relative_to(EXAMPLES)) for path in SCENARIOS]
)
WRITTEN = [name for name in games() if any(EXAMPLES / name in path.parents for path in SCENARIOS)]
PROCEDURES = [(name, procedure) for name in WRITTEN for procedure in games()[name].procedures]


@pytest.mark.parametrize(("game", "procedure"), PROCEDURES)
def test_every_procedure_has_a_scenario(game: str, procedure: str):
    assert procedure in procedures_played(game), (
        f"no scenario under tests/examples/{game} plays {procedure}"
    )


@cache
def procedures_played(game: str) -> frozenset[str]:
    """The procedures that the scenarios of a game name."""
    texts = [
        path.read_text(encoding="utf-8") for path in SCENARIOS if EXAMPLES / game in path.parents
    ]
    named = re.compile(r'^procedure *= *"(\w+)"', re.MULTILINE)
    return frozenset(name for text in texts for name in named.findall(text))


# --- Random legal answers ------------------------------------------------------------------


def legal_answer(question: Question[Any], fortune: random.Random) -> Answer:
    """Any answer that the question takes, each kind in its own way."""
    match question:
        case YesNo():
            return fortune.random() < 0.5
        case PickOne(options=options):
            return fortune.choice(options).key
        case PickSeveral(options=options, least=least, most=most, write_in=write_in):
            keys = [option.key for option in options]
            if write_in:
                keys.append("something else entirely")
            highest = len(keys) if most is None else min(most, len(keys))
            return tuple(fortune.sample(keys, fortune.randint(least, highest)))
        case Number(least=least, most=most):
            return fortune.randint(least, most)
        case Split():
            return _legal_split(question, fortune)
        case Script(cards=cards, slots=slots, once=once):
            keys = [card.key for card in cards]
            if once:
                return tuple(fortune.sample(keys, slots))
            return tuple(fortune.choices(keys, k=slots))
        case Text(required=required):
            return fortune.choice(WORDS[1:] if required else WORDS)
        case Faces(count=count, sides=sides):
            return tuple(fortune.randint(1, sides) for _ in range(count))
    raise TypeError(f"{question} is a kind of question that this contract does not know")


def _legal_split(question: Split, fortune: random.Random) -> tuple[int, ...]:
    shares = [question.least] * len(question.pools)
    left = question.amount - sum(shares)
    for _ in range(left if question.all_of_it else fortune.randint(0, left)):
        shares[fortune.randrange(len(shares))] += 1
    return tuple(shares)


def test_the_legal_answers_are_legal_and_not_always_the_same():
    three = tuple(Option(key=key, label=key) for key in "abc")
    kinds = [
        YesNo(),
        PickOne(options=three),
        PickSeveral(options=three),
        PickSeveral(options=three, least=1, most=2),
        PickSeveral(options=three, write_in=True),
        Number(least=2, most=7),
        Split(amount=5, pools=three),
        Split(amount=5, pools=three, least=1),
        Split(amount=5, pools=three, all_of_it=False),
        Script(cards=three, slots=2),
        Script(cards=three, slots=3, once=True),
        Text(),
        Text(required=True),
        Faces(count=3, sides=10),
    ]
    for question in kinds:
        answers = {legal_answer(question, random.Random(seed)) for seed in range(40)}
        assert len(answers) > 1, question
        assert all(question.check(answer) == answer for answer in answers), question


def check_question(ask: Ask) -> None:
    """A question can be answered, and by its own default; it says why it is asked."""
    question = ask.question
    assert ask.prompt
    assert catalogue().resolves(ask.because), ask.because
    match question:
        case PickOne(options=options) | PickSeveral(options=options):
            written_in = isinstance(question, PickSeveral) and question.write_in
            assert options or written_in, f"{ask.key} offers nothing"
            assert len({option.key for option in options}) == len(options)
            for option in options:
                assert catalogue().resolves(option.rule), f"{ask.key}: {option}"
        case Number(least=least, most=most):
            assert least <= most, ask.key
        case Split(amount=amount, pools=pools, least=least):
            assert pools, ask.key
            assert amount >= least * len(pools), ask.key
        case Script(cards=cards, slots=slots, once=once):
            assert cards, ask.key
            assert slots >= 1, ask.key
            assert not once or len(cards) >= slots, ask.key
        case Faces(count=count, sides=sides):
            assert count >= 1, ask.key
            assert sides >= 1, ask.key
    if question.default is not None:
        assert question.check(question.default) == question.default, ask.key


# --- Playing ---------------------------------------------------------------------------------


class Ended(NamedTuple):
    """A run: the session at its end, or the refusal that ended it."""

    session: Session[Any] | None
    refusal: Refusal | None
    answers: list[tuple[str, Answer]]


def check_refusal(refusal: Refusal) -> None:
    """A refusal is one line, and the rule behind it is in the catalogue."""
    assert "\n" not in str(refusal)
    assert refusal.rule is None or catalogue().resolves(refusal.rule)


def played(situation: Situation, seed: int, most_questions: int = 400) -> Ended:
    """Play with random legal answers; what the rules refuse is answered again, by the default."""
    fortune = random.Random(f"{situation.place}/{seed}")
    given: list[tuple[str, Answer]] = []
    try:
        session = Session(situation.start, by(Seeded(f"{situation.place}/{seed}")))
    except Refusal as refusal:
        return Ended(None, refusal, given)
    for _ in range(most_questions):
        if not session.waiting:
            return Ended(session, None, given)
        seat = fortune.choice(session.waiting).seat
        ask = next(each for each in session.waiting if each.seat == seat)
        check_question(ask)
        answer = legal_answer(ask.question, fortune)
        stood = list(session.record), list(session.events), session.waiting
        try:
            session.answer(ask.seat, answer)
        except Refusal as refusal:
            check_refusal(refusal)
            assert (session.record, session.events, session.waiting) == stood
            if not isinstance(ask.question, Text) or ask.question.default is None:
                return Ended(session, refusal, given)
            try:
                answer = ask.question.default
                session.answer(ask.seat, answer)
            except Refusal as again:
                return Ended(session, again, given)
        given.append((ask.seat, answer))
    raise AssertionError(f"{situation.place}: no end after {most_questions} questions")


@pytest.mark.slow
@every_scenario
def test_a_run_ends_and_leaves_sound_sheets(path: Path):
    for situation in situations(path):
        for seed in SEEDS:
            ended = played(situation, seed)
            if ended.session is None or ended.refusal is not None:
                assert ended.refusal is not None
                check_refusal(ended.refusal)
            else:
                check_changes(situation, ended.session)


def check_changes(situation: Situation, session: Session[Any]) -> None:
    """What a session changed can be applied, and what it leaves is sound and can be written."""
    changes = [event for event in session.events if isinstance(event, Change)]
    for change in changes:
        assert catalogue().resolves(change.because), change
    table, game = situation.table.changed(*changes), situation.game
    for name, sheet in table.characters.items():
        if game.check is not None:
            game.check(sheet)
        assert game.read_sheet(game.write(sheet), name) == sheet
    assert game.read(game.write(table.scene), game.scene, "scene") == table.scene
    game.write(session.result)


@pytest.mark.slow
@every_scenario
def test_a_session_resumed_from_its_record_goes_on_as_before(path: Path):
    for situation in situations(path):
        ended = played(situation, 99)
        if ended.session is not None and ended.refusal is None:
            check_resuming(situation.start, ended.session)


def check_resuming(start: Then[Any], whole: Session[Any]) -> None:
    """Cut the record anywhere: resumed, and given the rest, the session is the same."""
    answers = [entry for entry in whole.record if isinstance(entry, AnswerRecord)]
    thrown = [entry.faces for entry in whole.record if isinstance(entry, ThrowRecord)]
    for cut in range(0, len(whole.record) + 1, max(1, len(whole.record) // 8)):
        kept = whole.record[:cut]
        throws = sum(isinstance(entry, ThrowRecord) for entry in kept)
        faces = [face for each in thrown[throws:] for face in each]
        session = Session(start, by(Recorded(faces)), kept)
        assert session.record[:cut] == kept
        assert session.events == whole.events[: len(session.events)]
        resumed = sum(isinstance(entry, AnswerRecord) for entry in session.record)
        for entry in answers[resumed:]:
            session.answer(entry.seat, entry.answer)
        assert session.done
        assert session.events == whole.events
        assert session.result == whole.result


# --- Odds ------------------------------------------------------------------------------------

RUNS = 300
"""Runs that have come to the same point go on together; each throws dice of its own."""
LARGER = 20
"""How many times as many runs there are where the first ones were unlikely."""
SINGLE_RUNS = 5
MOST_OUTCOMES = 2100
MOST_QUESTIONS = 4000
NEVER_WALKED = frozenset({"joust", "cast_spell", "hold_spell", "undo_spell"})
"""Each course asks both riders so much that the walk is given up after all those questions; and a
casting can end in more ways than are counted here, which takes long to find out each time.
"""


class TooLarge(Exception):
    """The walk asks more questions than are worth waiting for here."""


def fixed_answers(script: StepScript) -> dict[str, Any]:
    """The answers of a step that are for every occasion."""
    return {key: value for key, value in script.answers.items() if "#" not in key}


def policy(script: StepScript, most: int = RUNS * 1000) -> Answerer:
    """The scenario's answers where they are for every occasion and fit, else the defaults."""
    fixed = Scripted(fixed_answers(script))
    asked = count()

    def answer(ask: Ask) -> Answer:
        if next(asked) > most:
            raise TooLarge
        try:
            return fixed(ask)
        except BadInput:  # written for other dice, or nothing at all is written
            return _default_or_words(ask)

    return answer


def _default_or_words(ask: Ask) -> Answer:
    if ask.question.default is not None:
        return defaults(ask)
    if isinstance(ask.question, Text):
        return "as it comes"
    if isinstance(ask.question, Script) and ask.question.openers:
        raise TooLarge  # a fight may go on for ever, as a duel may
    if not (answers := ask.question.every_answer()):
        raise TooLarge  # so may a skirmish
    return answers[0]


@pytest.mark.slow
@every_scenario
def test_the_odds_are_those_of_the_dice(path: Path):
    alike: list[tuple[Then[Any], object]] = []
    for situation in situations(path):
        begun = situation.start, fixed_answers(situation.script)
        if begun not in alike:  # the same dice and the same answers have the same odds
            alike.append(begun)
            check_odds(situation)


def odds_of(situation: Situation) -> Distribution[Any] | None:
    """The exact odds, or None where there are too many ways to walk, or to end."""
    if situation.script.procedure in NEVER_WALKED:
        return None
    walk = Exact(policy(situation.script, MOST_QUESTIONS), most=MOST_OUTCOMES)
    try:
        return walk.walk(situation.start)
    except (TooLarge, CannotWalk):  # a duel may go on for ever
        return None


def check_odds(situation: Situation) -> None:
    """Sampled runs come to what the exact odds say, within six sigma of Pearson's statistic."""
    start, answers = situation.start, policy(situation.script)
    try:
        odds = odds_of(situation)
    except Refusal:
        with pytest.raises(Refusal):
            run(start, Seeded("odds"), answers)
        return
    if odds is None:
        return
    chance = Seeded(f"{situation.place}, one by one")
    one_by_one = Counter(run(start, chance, answers) for _ in range(SINGLE_RUNS))
    seen = Counter(sample(start, RUNS, situation.place, answers).weights)
    assert seen.total() == RUNS
    strays = [outcome for outcome in seen + one_by_one if outcome not in odds.weights]
    assert not strays or odds.beyond, f"sampled, but impossible by the odds: {strays[0]}"
    if _is_too_far(seen, odds):
        # Of so many samples one may be that unlikely: what is wrong shows in a larger one, too.
        larger = sample(start, LARGER * RUNS, f"{situation.place}, again", answers)
        assert not _is_too_far(Counter(larger.weights), odds), f"{situation.place}: {larger}"


def _is_too_far(seen: Counter[Any], odds: Distribution[Any]) -> bool:
    """Whether Pearson's statistic is beyond six sigma."""
    runs = seen.total()
    expected = {outcome: float(odds.chance(outcome)) * runs for outcome in odds.weights}
    common = {outcome: number for outcome, number in expected.items() if number >= 5}
    rare = runs - sum(common.values())
    statistic = sum((seen[o] - number) ** 2 / number for o, number in common.items())
    if rare >= 1:
        statistic += (runs - sum(seen[o] for o in common) - rare) ** 2 / rare
    freedom = max(1, len(common))
    return statistic > freedom + 6 * (2 * freedom) ** 0.5 + 6
