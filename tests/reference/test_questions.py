"""The questions in the reference are those that the procedures really ask.

They are read from the code (`reference.questions`); here they are held against play: what the
scenarios meet, and what random legal answers lead to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games import games
from astragal.games.reference import QuestionReference, question_file
from astragal.play import GM, Ask, Session, by
from games.test_contract import legal_answer, situations
from reference.collecting import is_meant
from reference.played import questions_met
from reference.write import as_text, path_of, question_files, reader
from test_examples import SCENARIOS


def listed(game: str, procedure: str) -> list[QuestionReference]:
    file = question_file(games()[game])
    return [file.questions[each] for each in file.procedures[procedure].questions]


def is_listed(ask: Ask, entries: list[QuestionReference]) -> bool:
    """Whether an entry of the reference tells the truth about a question that was asked."""
    question = msgspec.json.decode(msgspec.json.encode(ask.question))
    return any(_fits(entry, ask, question) for entry in entries)


def _fits(entry: QuestionReference, ask: Ask, question: dict[str, Any]) -> bool:
    if not is_meant(entry, ask.key):
        return False
    default = question.get("default")
    as_listed = (
        entry.default_varies
        or (entry.can_lack_default if default is None else False)
        or any(_same(default, each) for each in entry.defaults)
    )
    offered = question.get("options") or question.get("cards") or question.get("pools") or ()
    options = {each["key"] for each in offered}
    return (
        entry.answer == question["kind"]
        and as_listed
        and (ask.seat == GM or entry.seats != ("GM",))
        and (ask.because in entry.rules or not ask.because)
        and (not entry.all_options or options <= set(entry.options))
        and entry.kind in ("", getattr(ask, "kind", ""))
    )


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


@pytest.mark.slow
def test_every_question_that_a_scenario_meets_is_in_the_reference():
    wrong = {
        f"{met.place}: {met.procedure} asks {met.ask.key} [{met.ask.because}]"
        for met in questions_met()
        if not is_listed(met.ask, listed(met.game, met.procedure))
    }
    assert not wrong, "\n".join(sorted(wrong))


def asked_at_random(seed: str) -> Iterator[tuple[str, str, str, Ask]]:
    """What random legal answers to the steps of the scenarios lead to."""
    fortune = random.Random(seed)
    for path in SCENARIOS:
        for situation in situations(path):
            try:
                session = Session(situation.start, by(Seeded(f"{seed}{situation.place}")))
                for _ in range(120):
                    if not session.waiting:
                        break
                    ask = session.waiting[0]
                    yield situation.place, situation.game.name, situation.script.procedure, ask
                    session.answer(ask.seat, legal_answer(ask.question, fortune))
            except Refusal:
                continue


@pytest.mark.slow
def test_every_question_that_random_answers_lead_to_is_in_the_reference():
    wrong = {
        f"{place}: {procedure} asks {ask.key} [{ask.because}]"
        for place, game, procedure, ask in asked_at_random("reference")
        if not is_listed(ask, listed(game, procedure))
    }
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.slow
def test_the_files_of_questions_are_what_the_code_says():
    """After a change of the code, make reference writes them again."""
    for name, file in question_files().items():
        kept = path_of(games()[name]).read_text(encoding="utf-8")
        assert kept == as_text(file), f"the questions of {name} have changed: make reference"


@pytest.mark.slow
def test_every_place_that_asks_is_reached_by_a_procedure_and_can_be_read():
    sources = reader().sources
    procedures = [each for game in games().values() for each in game.procedures.values()]
    read = {(each.place, each.line) for procedure in procedures for each in reader().of(procedure)}
    places = {(one.place[0], site.lineno) for one in sources.asking for site in one.sites}
    assert len(places) > 300
    assert places == read


@pytest.mark.slow
def test_no_method_leads_to_a_question():
    """The reading follows functions; a method that asked would have to be followed, too.

    Plain tests for the odds begin procedures, and are none themselves.
    """
    sources = reader().sources
    methods = list(sources.methods())
    assert len(methods) > 100
    asking = [each.name for each in methods if sources.reached(each)[1]]
    assert [name for name in asking if ".plain." not in name] == []
