"""Whatever people do at a table: the log is the truth, and nobody hears what is not theirs."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.command_handler import InternalFailure
from astragal.table.commands import commands as do
from astragal.table.finished import DUEL
from astragal.table.host import Tables
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import after, fold
from astragal.table.log.state import TABLE, Campaign, TablePartner
from astragal.table.running.session import RunningProcedure
from astragal.table.script_due import ScriptToWrite
from astragal.table.solving_process import AdvisedScript, ScriptAdvice
from astragal.table.story.document import HtmlStory, MarkdownStory
from astragal.table.views.build import Views
from table.company import Company, everything, table
from table.random_play import RandomPlay

encode, decode = msgspec.json.encode, msgspec.json.decode

EVENINGS = 40 if os.environ.get("ASTRAGAL_EXPLORE") else 2
STEPS = 70
STORIES = (MarkdownStory(), HtmlStory())
SEEDS = [
    (game, seed)
    for game in ("burning_wheel", "cores", "signs", "percentile")
    for seed in range(EVENINGS * (2 if game == "burning_wheel" else 1))
]


class AnySolution:
    """In the place of solved duels: whatever fits, and advice with a word for its reader alone.

    The scripts of other conflicts come from here as well, some after a while, some not at all.
    """

    def __init__(self, played: RandomPlay) -> None:
        self._played = played

    async def advise(
        self, script: ScriptToWrite, partner: TablePartner | None = None
    ) -> ScriptAdvice:
        asked = next(q for q in script.procedure.questions if q.prompt == script.prompt)
        if partner is not None:
            self._played.done[f"table scripts {script.procedure.name}"] += 1
            if script.procedure.name != DUEL:
                chance = self._played.rng.random()
                if chance < 0.2:
                    raise Refusal("This takes too long to work out. Try again later.")
                if chance < 0.4:
                    return ScriptAdvice()
            return ScriptAdvice(drawn=tuple(self._played.valid(asked)))
        word = self._played.secrets.word(script.seat)
        return ScriptAdvice(scripts=(AdvisedScript((word,), 1.0),), based_on=word)


class Watch:
    """Looks over random play after every step."""

    def __init__(self, played: RandomPlay, folded: Campaign) -> None:
        self.played = played
        self.company: Company = played.company
        self.folded = folded
        self.secret_answers: set[tuple[str, str]] = set()

    async def look(self, command: Any, refusal: Exception | None, before: Campaign) -> None:
        state = await self.company.state()
        log = self.company.store.kept[self.company.id].log
        if refusal is not None:
            assert not isinstance(refusal, InternalFailure), (command, refusal)
            assert state == before
            assert len(log) == before.seq
        self._folds(state, log)
        self._resumes(state)
        for question in (q for p in state.standing.open.values() for q in p.questions):
            if question.secret:
                self.secret_answers.add((question.seat, question.key))
        views, latest = Views(state), [decode(raw, type=LogEntry) for raw in log[-80:]]
        for client in list(self.company.clients.values()):
            heard = await client.hear()
            assert bool(heard) == (refusal is None), command
            view = encode(views.view(client.seat, latest))
            for message in (*heard, view):
                self._keeps_secrets(client.seat, message, state)
            self._agrees(client.view, decode(view))
            if refusal is None:
                await self._look_at_cards(client.seat, state)
                await self._ask_for_advice(client.seat, state)

    async def _look_at_cards(self, seat: str, state: Campaign) -> None:
        """A card shows nobody what others have drafted in secret, nor what they could choose."""
        for procedure in state.standing.open.values():
            with suppress(Refusal):  # the GM's secret
                card = await self.company.tables.card(self.company.id, seat, procedure.id)
                self._keeps_secrets(seat, encode(card), state)
                others = [line for line in card.lines if line.seat != seat]
                assert not any(line.secret for line in others)
                assert seat == GM or not any(line.question for line in others)

    async def _ask_for_advice(self, seat: str, state: Campaign) -> None:
        """What is advised is in nothing that anybody else is told, at any time after that."""
        if not self.played.gives_to_table:
            return
        for procedure in state.standing.open.values():
            for question in (q for q in procedure.questions if q.seat == seat):
                with suppress(Refusal):  # most questions are not for the script of a duel
                    advice = await self.company.tables.advise(
                        self.company.id, seat, procedure.id, question.step
                    )
                    assert advice.drawn == advice.scripts[0].cards
                    self.played.done["advice"] += 1
                assert await self.company.state() == state

    def heard_why_not(self, seat: str, refusal: Exception, state: Campaign) -> None:
        self._keeps_secrets(seat, str(refusal).encode(), state)

    def _folds(self, state: Campaign, log: list[bytes]) -> None:
        """The state is the fold of the log as it is kept; and it can be kept itself."""
        for raw in log[self.folded.seq :]:
            entry = decode(raw, type=LogEntry)
            assert decode(encode(entry), type=LogEntry) == entry
            self.folded = after(self.folded, entry)
            kept = decode(encode(self.folded), type=Campaign)
            assert kept == self.folded
            self.folded = kept
        assert self.folded == state

    def _resumes(self, state: Campaign) -> None:
        """Whoever takes up a procedure anew comes to the same questions."""
        game = game_named(state.game)
        for procedure in state.standing.open.values():
            if procedure.pending is None:
                anew = RunningProcedure(game, decode(encode(procedure), type=type(procedure)))
                assert anew.open_questions(procedure.taken) == procedure.questions

    def _keeps_secrets(self, seat: str, message: bytes, state: Campaign) -> None:
        self.played.inspected += 1
        text = message.decode()
        for word in self.played.secrets.kept_from(seat):
            assert word not in text, (seat, word, text[max(0, text.find(word) - 300) :][:600])
        seed = state.session.seed if state.session is not None else ""
        assert not seed or seed not in text  # that of an imported session is known to nobody
        if not text.startswith("{"):
            return
        for each in everything(decode(message)):
            assert each.get("by") != TABLE, "a script of the table"
            if each.get("item") == "decided" and each["seat"] != seat:
                assert (each["seat"], each["key"]) not in self.secret_answers, each
            if "questions" in each and "waiting" in each:
                waiting = [waits["question"] for waits in each["waiting"] if waits.get("question")]
                others = [q for q in (*each["questions"], *waiting) if q["seat"] != seat]
                assert not others or (seat == GM and not any(q.get("secret") for q in others))

    def _agrees(self, client: dict[str, Any], fresh: dict[str, Any]) -> None:
        """What was put together from updates is what a new view shows."""
        for part in fresh.keys() - {"log", "older", "type"}:
            assert client[part] == fresh[part], part
        many = len(fresh["log"])
        assert client["log"][len(client["log"]) - many :] == fresh["log"]


async def play(name: str, seed: int, steps: int) -> RandomPlay:
    rng = Random(f"{name} {seed}")
    async with table(name, demo=rng.random() < 0.85) as company:
        played = RandomPlay(company, game_named(name), rng)
        await company.gm(do.ChangeTitle("With advice", advice=True))
        await played.gather()
        played.gives_to_table = True
        here = Campaign(company.id, name, "")
        watch = Watch(played, here)
        other = Tables(company.store)
        for tables in (company.tables, other):
            tables.solving.advise = AnySolution(played).advise  # type: ignore[method-assign]
        try:
            for number in range(steps):
                before = await company.state()
                seat, command, refusal = await played.step()
                await watch.look(command, refusal, before)
                if refusal is not None:
                    watch.heard_why_not(seat, refusal, before)
                if number % 10 == 9:
                    await elsewhere(played, other)
                    await watch.look(None, None, before)
        finally:
            await other.close()
        await from_every_snapshot(company)
        await taken_home(played, watch)
    return played


async def elsewhere(played: RandomPlay, other: Tables) -> None:
    """Another worker at the same store goes on, and what it does is taken in here."""
    company = played.company
    company.tables, here = other, company.tables
    await company.gm(do.SendMessage("from another room"))
    for _ in range(3):
        await played.step()
    company.tables = here
    await company.gm(do.SendMessage("from this room"))
    for seat in company.clients:
        seen = await Tables(company.store).view(company.id, seat)
        assert seen == await here.view(company.id, seat)


async def from_every_snapshot(company: Company) -> None:
    entries = await company.log()
    state = await company.state()
    beginning = Campaign(state.id, state.game, "")
    assert fold(beginning, entries) == state
    for seq in range(0, len(entries), 7):
        kept = decode(encode(fold(beginning, entries[:seq])), type=Campaign)
        assert fold(kept, entries[seq:]) == state


async def taken_home(played: RandomPlay, watch: Watch) -> None:
    """Files that a seat may take home hold no more than its views."""
    company = played.company
    state = await company.state()
    for seat in company.clients:
        texts = [
            (await company.tables.markdown(company.id, seat)).encode(),
            *[(await company.tables.story(company.id, seat, w)).encode() for w in STORIES],
            encode(await company.tables.pictures(company.id, seat, 1)),
            encode(await company.tables.evidence(company.id, seat)),
            encode(await company.tables.older(company.id, seat, state.seq, 500)),
        ]
        for text in texts:
            watch._keeps_secrets(seat, text, state)
    try:
        file = encode(await company.tables.export(company.id))
    except Refusal:
        return
    watch._keeps_secrets(GM, file, state)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seed"), SEEDS)
def test_an_evening_of_whatever(game: str, seed: int):
    played = asyncio.run(play(game, seed, STEPS))
    assert played.done["answer"] + played.done["begin"] > 5, played.refused
