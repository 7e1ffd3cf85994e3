"""Whole evenings of random legal play: nothing breaks, limits hold, and replays agree."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Seeded
from astragal.errors import NotAllowed, Refusal
from astragal.games.cores import GAME, CoresTable
from astragal.games.cores.sheet import check
from astragal.play import (
    Change,
    DecisionEvent,
    Question,
    Scripted,
    Session,
    Text,
    Then,
    by,
    live,
    replay,
)
from games.cores.playing import start, table_of

ROCKS = {"Skating": "really physical", "Lying": "social", "Calm": "resolve"}
SUCKS = {"Maths": "mental", "Dancing": "really physical", "Nerves": "resolve"}


def everyone(options: dict[str, str] | None = None) -> CoresTable:
    troubled = {
        "rocks": ROCKS,
        "sucks": SUCKS,
        "perks": ["Lucky"],
        "relationships": {"Ben": "A", "the band": "F"},
        "angst": {"Fear": 2, "Guilt": 1, "Mr. Low": 1},
        "stressors": ["Exams"],
        "comforts": ["music", "running"],
        "story_points": 4,
        "life_experience": 3,
        "core": {"physical": "d8", "resolve": "d6"},
    }
    ben = troubled | {"relationships": {"Ann": "B"}, "player": "kim"}
    gmc = {"gmc": True, "factoids": ["Owes money"], "core": {"physical": "d12"}}
    return table_of(options, ann=troubled, ben=ben, coach=gmc)


def any_arguments(fortune: random.Random) -> tuple[str, dict[str, Any]]:
    """Something to do, often but not always allowed."""
    who = fortune.choice(["ann", "ben", "coach"])
    others = [name for name in ("ann", "ben", "coach") if name != who]
    said: dict[str, Any] = {"character": who}
    if fortune.random() < 0.3:
        said["helpers"] = fortune.sample(others, fortune.randint(1, 2))
    core = {"core": fortune.choice(["physical", "mental", "social", "resolve"])}
    tapped: dict[str, Any] = {}
    if fortune.random() < 0.2:
        tapped = {"tap": fortune.choice(["positive:Fear", "negative:Mr. Low"])}
    name = fortune.choice([*sorted(GAME.procedures), *["test"] * 6, *["purge_angst"] * 3])
    if name in ("test", "crucial_test"):
        return name, said | core | tapped
    if name.startswith("opposed"):
        acting = {"character": who} | core | tapped
        opposing = {"character": others[0], "core": fortune.choice(["physical", "resolve"])}
        return name, {"acting": acting, "opposing": opposing}
    if name == "avoid_angst":
        kinds = fortune.sample(["Fear", "Guilt", "Mr. Low", "Love"], fortune.randint(1, 3))
        return name, said | {"types": kinds}
    if name == "purge_angst":
        comfort = {"occasion": "comfort", "comfort": fortune.choice(["music", "running"])}
        return name, said | fortune.choice([comfort, {"occasion": "milestone"}])
    if name == "story_purge":
        return name, {"character": who}
    if name == "time_passes":
        return name, {fortune.choice(["hours", "days", "weeks", "years"]): fortune.randint(0, 3)}
    if name == "begin_scene" and fortune.random() < 0.5:
        return name, {"present": [who]}
    return name, {}


def any_answer(question: Question[Any], fortune: random.Random) -> Any:
    if isinstance(question, Text):
        return fortune.choice(["", "as fast as they can"])
    return fortune.choice(question.every_answer())


class Done(NamedTuple):
    name: str
    arguments: dict[str, Any]
    before: CoresTable
    session: Session[Any]
    after: CoresTable


def played(begun: Then[Any], fortune: random.Random) -> Session[Any] | None:
    """The session at its end, or None if the rules refuse it: that is before anybody answers.

    Only the Cores that the GM picks can still make a crucial test impossible.
    """
    try:
        session = Session(begun, by(Seeded(str(fortune.random()))))
    except Refusal:
        return None
    while session.waiting:
        ask = session.waiting[0]
        try:
            session.answer(ask.seat, any_answer(ask.question, fortune))
        except NotAllowed as refusal:
            if (ask.key, refusal.rule) == ("core", "cores.crucial.cores"):
                return None
            raise
    return session


def evening(fortune: random.Random, steps: int, options: dict[str, str]) -> list[Done]:
    """So many procedures with random legal answers; what is refused leaves all as it was."""
    table = everyone(options)
    done = []
    for _ in range(steps):
        name, arguments = any_arguments(fortune)
        session = played(start(table, name, **arguments), fortune)
        if session is None:
            continue
        changes = [event for event in session.events if isinstance(event, Change)]
        after = table.changed(*changes)
        done.append(Done(name, arguments, table, session, after))
        table = after
    return done


some_options = st.fixed_dictionaries(
    {
        "cores_suck_on_d4": st.sampled_from(["stays_d4", "no_die"]),
        "cores_bonus_against_penalty": st.sampled_from(
            ["cap_then_cancel", "net_count_capped_at_one"]
        ),
        "cores_relationship_grades": st.sampled_from(["plain", "plus_and_minus"]),
    }
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), some_options)
def test_every_evening_leaves_sound_sheets(seed: int, options: dict[str, str]):
    for step in evening(random.Random(seed), 14, options):
        for character, sheet in step.after.characters.items():
            check(sheet)
            assert GAME.read_sheet(GAME.write(sheet), character) == sheet
        GAME.write(step.session.result)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_a_replay_reaches_the_same_events_and_state(seed: int):
    for step in evening(random.Random(seed), 8, {}):
        begun = start(step.before, step.name, **step.arguments)
        again = replay(begun, step.session.record)
        assert again.events == step.session.events
        assert again.result == step.session.result
        changes = [event for event in again.events if isinstance(event, Change)]
        assert step.before.changed(*changes) == step.after


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_undoing_answers_leads_back_to_the_same_question(seed: int):
    """A shortened record stands where the first session stood then, with the same limits."""
    for step in evening(random.Random(seed), 8, {}):
        record = step.session.record
        asked = [event for event in step.session.events if isinstance(event, DecisionEvent)]
        places = [at for at, entry in enumerate(record) if hasattr(entry, "answer")]
        for at, event in zip(places, asked, strict=True):
            begun = start(step.before, step.name, **step.arguments)
            undone = replay(begun, record[:at])
            assert undone.waiting == (event.ask,)
            assert undone.events == step.session.events[: len(undone.events)]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_the_limits_of_scene_session_and_day_are_never_passed(seed: int):
    taps: list[str] = []
    factoids: list[str] = []
    purges: list[str] = []
    comforts: list[tuple[str, str]] = []
    for step in evening(random.Random(seed), 25, {}):
        if step.name == "begin_scene":
            taps, factoids = [], []
        if step.name == "begin_session":
            purges = []
        if (
            step.after.character("ann").comforts_used
            == step.after.character("ben").comforts_used
            == ()
        ):
            comforts = []
        keys = [e.ask.key for e in step.session.events if isinstance(e, DecisionEvent)]
        assert max(map(keys.count, ("reroll", "experience")), default=0) <= 2 + keys.count("purge")
        for change in (e for e in step.session.events if isinstance(e, Change)):
            if change.because == "cores.mod.tap_once" and change.after:
                taps.append(change.after[-1])
            if change.because == "cores.mod.factoid" and change.after:
                factoids.append(change.after[-1])
            if change.path == "story_purge_used" and change.after:
                purges.append(change.target)
            if change.path == "comforts_used" and change.after:
                comforts.append((change.target, change.after[-1]))
        for used in (taps, factoids, purges, comforts):
            assert len(set(used)) == len(used)


def test_limits_follow_the_record_back_and_forth():
    """What was used up is open again once it is undone, and used up again once it is redone."""
    table = everyone()
    tap = {"character": "ann", "core": "mental", "tap": "positive:Fear"}
    comfort = {"character": "ann", "occasion": "comfort", "comfort": "music", "angst": "Fear"}
    for name, arguments, rule in (
        ("test", tap, "cores.mod.tap_once"),
        ("purge_angst", comfort, "cores.angst.comfort_limit"),
        ("story_purge", {"character": "ann", "angst": "Fear"}, "cores.story.purge"),
    ):
        session = live(start(table, name, **arguments), Seeded(name), Scripted({"dn": 8}))
        undone = replay(start(table, name, **arguments), session.record[:1], Seeded("undone"))
        assert undone.done or undone.waiting  # allowed again, from the table as it was
        redone = replay(start(table, name, **arguments), session.record)
        changes = [event for event in redone.events if isinstance(event, Change)]
        with pytest.raises(NotAllowed) as refusal:
            Session(start(table.changed(*changes), name, **arguments), by(Seeded("again")))
        assert refusal.value.rule == rule
