"""Seats, commands, lost answers, restarts and files in any order: what holds in every one of them.

Two hosts share a store, as two processes share a database; seats sit at either. After every step:
a command that was acknowledged is in the log exactly once, no view goes back, and nothing that is
sealed or private is in what another seat can read. Orders in which something was once wrong are
kept at the end.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Coroutine
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from astragal.errors import Refusal
from astragal.games import game_named, games
from astragal.play import GM
from astragal.table import host as hosting
from astragal.table import hosted
from astragal.table.command_handler import InternalFailure
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.host import Tables
from astragal.table.log.events import LogEntry, SessionBegan, SessionEnded
from astragal.table.log.state import Campaign
from astragal.table.store.interface import StoreDown
from astragal.table.views.build import Views
from table.company import Company
from table.memory import MemoryStore
from table.random_play import WEIGHTS, RandomPlay
from table.test_campaigns import Watch, taken_home

encode, decode = msgspec.json.encode, msgspec.json.decode

EXPLORES = bool(os.environ.get("ASTRAGAL_EXPLORE"))
LONG = settings(max_examples=500 if EXPLORES else 12, stateful_step_count=60 if EXPLORES else 30)
CHANCE = st.integers(0, 2**16)
"""What a step is drawn with: a number, so that an order of steps can be written down."""
KIND = st.sampled_from([kind for kind, weight in WEIGHTS.items() for _ in range(-(-weight // 4))])
HOST = st.sampled_from((0, 1))
SEAT = st.sampled_from((GM, "anna", "ben", "cleo", "watcher"))


class SharedOdds(OddsProcess):
    """One process for all the tables of these tests: starting it takes the longest."""

    def close(self) -> None:
        if self._process is not None and not self._process.is_alive():
            super().close()


ODDS = SharedOdds(seconds=5.0)


class Acknowledged(msgspec.Struct, frozen=True):
    """A command that is in the log, as its sender was told."""

    seat: str
    mark: str
    command: Any
    seq: int


class AnyOrder(RuleBasedStateMachine):
    """One campaign on two hosts, and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.real_time = hosting.now
        self.store = MemoryStore()
        self.hosts: list[Tables] = []
        self.sits_at: dict[str, int] = {}
        """At which host each seat listens."""
        self.seen: dict[str, int] = {}
        """The last entry that each seat has heard of, on whatever connection."""
        self.acknowledged: list[Acknowledged] = []
        self.marks: Counter[str] = Counter()
        self.marks_upto = 0

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run(work)

    def teardown(self) -> None:
        hosting.now = self.real_time
        for each in self.hosts:
            self.run(each.close())
        self.loop.close()

    # --- where things are ------------------------------------------------------------------

    @property
    def log(self) -> list[bytes]:
        return self.store.kept[self.company.id].log

    def at(self, host: int) -> Tables:
        self.company.tables = self.hosts[host]
        return self.hosts[host]

    async def truth(self) -> Campaign:
        """The campaign as the log has it, whichever host has come that far."""
        states = [await host.campaign(self.company.id) for host in self.hosts]
        return max(states, key=lambda state: state.seq)

    # --- what happens ----------------------------------------------------------------------

    @initialize(game=st.sampled_from(sorted(games())), chance=CHANCE)
    def sit_down(self, game: str, chance: int) -> None:
        self.run(self._sit_down(game, chance))

    async def _sit_down(self, game: str, chance: int) -> None:
        self.hosts = [Tables(self.store, ODDS), Tables(self.store, ODDS)]
        campaign, token = await self.hosts[0].create(game, "", demo=True)
        self.company = Company(self.hosts[0], campaign, token)
        self.play = RandomPlay(self.company, game_named(game), Random(chance))
        await self.company.listen(GM)
        await self.play.gather()
        self.sits_at = dict.fromkeys(self.company.clients, 0)
        self.watch = Watch(self.play, Campaign(campaign, game, ""))

    @rule(kind=KIND, chance=CHANCE, host=HOST, told=st.booleans())
    def command(self, kind: str, chance: int, host: int, told: bool = True) -> None:
        """Somebody does something; the other host is ``told`` of it, or finds out by itself."""
        self.run(self._command(kind, chance, host, told))

    async def _command(self, kind: str, chance: int, host: int, told: bool) -> None:
        self.play.rng = Random(chance)
        before = await self.truth()
        kind, seat, command, after = self.play.made(kind, before)
        mark = f"{kind} {before.seq}"
        try:
            seq = await self.at(host).do(self.company.id, seat, command, mark)
        except Refusal as refusal:
            self._refused(seat, refusal, before)
            return
        self._check_appended(before, seq)
        self.acknowledged.append(Acknowledged(seat, mark, command, seq))
        await self.play.carried_out(kind, after)
        if told:
            await self._tell_hosts()

    def _check_appended(self, before: Campaign, seq: int) -> None:
        """There is one more entry, after those with which a session begins."""
        *opening, own = (decode(raw, type=LogEntry) for raw in self.log[before.seq :])
        assert own.seq == seq == len(self.log)
        assert own.mark
        kinds = [type(entry.event) for entry in opening]
        assert kinds in ([], [SessionBegan], [SessionEnded, SessionBegan])
        assert not kinds or before.session is None or not before.session.seed

    def _refused(self, seat: str, refusal: Refusal, before: Campaign) -> None:
        """Nothing has happened, and the reason gives nothing away."""
        assert not isinstance(refusal, InternalFailure), refusal
        assert len(self.log) == before.seq
        self.watch.heard_why_not(seat, refusal, before)

    async def _tell_hosts(self) -> None:
        """As a database tells its processes that there is more."""
        for host in self.hosts:
            here = await host.open_campaigns.open(self.company.id)
            await host.open_campaigns._follow_one(self.company.id, here, len(self.log))

    @rule(
        kind=KIND, chance=CHANCE, host=HOST, when=st.sampled_from(("before", "after")), again=HOST
    )
    def lost_answer(self, kind: str, chance: int, host: int, when: str, again: int) -> None:
        """The store fails before or after it has the entry, and the command is sent again."""
        self.run(self._lost_answer(kind, chance, host, when, again))

    async def _lost_answer(self, kind: str, chance: int, host: int, when: str, again: int) -> None:
        self.play.rng = Random(chance)
        await self._tell_hosts()  # who is behind is refused by the store before it can fail
        before = await self.truth()
        kind, seat, command, after = self.play.made(kind, before)
        mark = f"lost {kind} {before.seq}"
        self.store.fails = when
        try:
            await self.at(host).do(self.company.id, seat, command, mark)
            raise AssertionError("acknowledged, though the store did not answer")
        except Refusal as refusal:
            self.store.fails = ""
            self._refused(seat, refusal, before)
            return
        except StoreDown:
            assert len(self.log) == before.seq + (when == "after")
        seq = await self.at(again).do(self.company.id, seat, command, mark)
        self._check_appended(before, seq)
        self.acknowledged.append(Acknowledged(seat, mark, command, seq))
        await self._tell_hosts()
        await self.play.carried_out(kind, after)

    @precondition(lambda self: self.acknowledged)
    @rule(which=CHANCE, host=HOST)
    def send_again(self, which: int, host: int) -> None:
        """Somebody whose connection broke does not know that a command has arrived."""
        sent = self.acknowledged[which % len(self.acknowledged)]
        long = len(self.log)
        doing = self.at(host).do(self.company.id, sent.seat, sent.command, sent.mark)
        assert self.run(doing) == sent.seq
        assert len(self.log) == long

    @rule(seat=SEAT)
    def disconnect(self, seat: str) -> None:
        client = self.company.clients.pop(seat, None)
        if client is not None:
            client.subscription.close()

    @rule(seat=SEAT, host=HOST)
    def reconnect(self, seat: str, host: int) -> None:
        """At the same host or the other; the connection that was there before is gone."""
        if seat not in (GM, "watcher", *self.play.players):
            return
        self.disconnect(seat)
        self.at(host)
        client = self.run(self.company.listen(seat))
        self.sits_at[seat] = host
        self._heard(seat, encode(client.view))

    @rule(host=HOST, snapshot=st.booleans())
    def restart(self, host: int, snapshot: bool) -> None:
        """A process ends, and another one reads what there is: from a snapshot or the beginning."""
        self.run(self._restart(host, snapshot))

    async def _restart(self, host: int, snapshot: bool) -> None:
        tables, campaign = self.hosts[host], self.company.id
        if snapshot:
            await tables.open_campaigns.keep_snapshot(campaign, await tables.campaign(campaign))
        await tables.close()
        self.hosts[host] = Tables(self.store, ODDS)
        self.at(host)
        for seat, client in list(self.company.clients.items()):
            if self.sits_at[seat] == host:
                await client.hear()
                assert client.turned_out
                del self.company.clients[seat]

    @rule(year=st.integers(1971, 2200))
    def set_the_clock(self, year: int) -> None:
        """The machine's clock is wrong, or was and is put right."""
        hosting.now = lambda: f"{year}-01-01T20:00:00.000+00:00"

    @rule(host=HOST)
    def take_home(self, host: int) -> None:
        """Everybody saves what they can: the story, the dice, earlier entries, the file."""
        self.at(host)
        self.run(taken_home(self.play, self.watch))

    @rule(host=HOST)
    def move(self, host: int) -> None:
        """The GM saves the campaign, and all go on with what is imported from that file."""
        self.run(self._move(host))

    async def _move(self, host: int) -> None:
        tables = self.at(host)
        await self._tell_hosts()
        try:
            file = encode(await tables.export(self.company.id))
        except Refusal:
            return
        self.watch._keeps_secrets(GM, file, await self.truth())
        seats = list(self.company.clients)
        for seat in seats:
            self.disconnect(seat)
        self.company.id, self.company.token = await tables.import_(file)
        self.acknowledged, self.marks, self.marks_upto = [], Counter(), 0
        self.seen, self.watch.folded = {}, Campaign(self.company.id, self.play.game.name, "")
        for seat in seats:
            await self.company.listen(seat)
            self.sits_at[seat] = host
        await self.play.carried_out("say", self.play._nothing_is_sure)

    @precondition(lambda self: self.watch.folded.standing.open)
    @rule(seat=SEAT, which=CHANCE, host=HOST)
    def look_ahead(self, seat: str, which: int, host: int) -> None:
        """Odds and cards show nobody what others keep to themselves."""
        if seat in (GM, "watcher", *self.play.players):
            self.run(self._look_ahead(seat, which, host))

    async def _look_ahead(self, seat: str, which: int, host: int) -> None:
        await self._tell_hosts()
        state = await self.truth()
        if not state.standing.open:
            return
        tables, names = self.at(host), list(state.standing.open)
        await self.watch._look_at_cards(seat, state)
        try:
            odds = await tables.foresee(self.company.id, seat, names[which % len(names)])
        except Refusal as refusal:
            self.watch.heard_why_not(seat, refusal, state)
        else:
            self.watch._keeps_secrets(seat, encode(odds), state)

    # --- what always holds -----------------------------------------------------------------

    @invariant()
    def everything_acknowledged_is_in_the_log_once(self) -> None:
        entries = [decode(raw, type=LogEntry) for raw in self.log[self.marks_upto :]]
        self.marks.update(entry.mark for entry in entries if entry.mark)
        self.marks_upto = len(self.log)
        assert all(count == 1 for count in self.marks.values())
        for sent in self.acknowledged[-1:]:
            entry = decode(self.log[sent.seq - 1], type=LogEntry)
            assert (entry.seat, entry.mark) == (sent.seat, f"{sent.seat}:{sent.mark}")
        assert self.marks.keys() >= {f"{sent.seat}:{sent.mark}" for sent in self.acknowledged}

    @invariant()
    def look(self) -> None:
        """The log is the truth, and nobody hears what is not theirs."""
        self.run(self._look())

    async def _look(self) -> None:
        state = await self.truth()
        assert state.seq == len(self.log)
        self.watch._folds(state, self.log)
        self.watch._resumes(state)
        for question in (q for p in state.standing.open.values() for q in p.questions):
            if question.secret:
                self.watch.secret_answers.add((question.seat, question.key))
        views, latest = Views(state), [decode(raw, type=LogEntry) for raw in self.log[-80:]]
        for seat, client in self.company.clients.items():
            for message in await client.hear():
                self._heard(seat, message)
                self.watch._keeps_secrets(seat, message, state)
            fresh = encode(views.view(seat, latest))
            self.watch._keeps_secrets(seat, fresh, state)
            here = await self.hosts[self.sits_at[seat]].campaign(self.company.id)
            if here.seq == state.seq:
                self.watch._agrees(client.view, decode(fresh))

    def _heard(self, seat: str, message: bytes) -> None:
        """Later messages tell of later entries, also on another connection."""
        told = decode(message)["seq"]
        assert told >= self.seen.get(seat, 0), f"{seat} is back at {told}"
        self.seen[seat] = told


@pytest.fixture(autouse=True)
def soon_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not listen for a few entries gets a new view."""
    monkeypatch.setattr(hosted, "BACKLOG", 3)


@pytest.mark.slow
def test_whatever_happens_in_whatever_order():
    run_state_machine_as_test(AnyOrder, settings=LONG)


# --- Orders in which something was once wrong ----------------------------------------------


def test_who_comes_back_at_another_process_sees_no_less_than_before():
    """The other process has not heard yet of the entry that the seat has seen."""
    order = AnyOrder()
    try:
        order.sit_down("cores", 0)
        order.look()
        order.command("say", 1, host=0, told=False)
        order.look()
        order.reconnect(GM, host=1)
        order.look()
    finally:
        order.teardown()
