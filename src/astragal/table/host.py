"""The tables that this process hosts: commands in, entries appended, updates out.

Several processes may host the same campaign: an entry is appended only as the next one, so the
process that comes second reads the log again and decides again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM, Seat
from astragal.table.commands import commands as do
from astragal.table.commands.commands import AnyCommand
from astragal.table.commands.creating import first_events
from astragal.table.commands.decide import CommandDecider
from astragal.table.commands.edits import amended
from astragal.table.commands.seat import SeatAt
from astragal.table.export import CampaignExport, exported, imported, markdown
from astragal.table.fairness import Evidence, evidence, sealed
from astragal.table.foresight.next_questions import look_ahead
from astragal.table.foresight.odds import NOTHING
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.hosted import HostedCampaign, Subscription
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry, digest_in, head_of
from astragal.table.log.sentences import procedure_of
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.open_campaigns import OpenCampaigns
from astragal.table.running.session import RunningProcedure
from astragal.table.secrecy.redaction import hidden_words_for
from astragal.table.store.interface import AppendConflict, RepeatedCommand, SeatHolder, Store
from astragal.table.views.types import EntryView, Foresight, QuestionsAhead, TableView

log = logging.getLogger("astragal.table")

Result = TypeVar("Result")

_encode = msgspec.json.Encoder().encode
_read_entry = msgspec.json.Decoder(LogEntry).decode


class NoSeat(Refusal):
    """The link opens no seat (any more)."""


class InternalFailure(Refusal):
    """A procedure failed with an error; nothing was changed, and the server's log says why."""


def now() -> str:
    """The time, as the log has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def digest_of(token: str) -> bytes:
    """What the store keeps of a link."""
    return hashlib.sha256(token.encode()).digest()


class Tables:
    """Every campaign of a store, for the seats that hold a link to it."""

    def __init__(self, store: Store, odds: OddsProcess | None = None) -> None:
        """Host the campaigns of a store; ``odds`` works out odds."""
        self.store = store
        self.open_campaigns = OpenCampaigns(store)
        self._odds = odds or OddsProcess()
        self._whole_logs = asyncio.Lock()

    async def start(self) -> None:
        """Begin to follow what other processes append."""
        self.open_campaigns.start()

    async def close(self) -> None:
        """Let go of everything; the caller closes the store."""
        self._odds.close()
        await self.open_campaigns.close()

    # ------------------------------------------------------------------ campaigns and seats

    async def create(
        self,
        game: str,
        title: str,
        *,
        options: Mapping[str, object] | None = None,
        name: str = "GM",
        demo: bool = False,
    ) -> tuple[str, str]:
        """Create a campaign; its key, and the token of the GM's seat."""
        plays = game_named(game)
        events = first_events(plays, title, options, name, secrets.token_bytes(32), demo=demo)
        return await self._create(game, events)

    async def import_(self, raw: bytes) -> tuple[str, str]:
        """Take in a campaign from its file; its key, and the token of the GM's seat."""
        game, events, when = await asyncio.to_thread(imported, raw)
        return await self._create(game, events, when)

    async def _create(
        self, game: str, events: Sequence[AnyEvent], when: Sequence[tuple[str, Seat]] = ()
    ) -> tuple[str, str]:
        campaign, token, at = secrets.token_hex(8), secrets.token_urlsafe(32), now()
        title = next((e.title for e in reversed(events) if isinstance(e, _TITLED)), game)
        signed = when or [(at, GM)] * len(events)
        entries: list[LogEntry] = []
        head = ""
        for seq, (event, sign) in enumerate(zip(events, signed, strict=True), start=1):
            entry = LogEntry(seq, *sign, event)
            if not when:  # what is imported keeps the seals it had
                entry = sealed(entry, head)
                head = head_of(entry)
            entries.append(entry)
        await self.store.create(campaign, game, title, at, entries, {GM: digest_of(token)})
        return campaign, token

    async def seat_at(self, token: str) -> SeatHolder:
        """The seat that a token opens."""
        holder = await self.store.holder(digest_of(token))
        if holder is not None:
            hosted = await self.open_campaigns.open(holder.campaign)
            chair = hosted.campaign.chairs.get(holder.seat)
            if chair is not None and not chair.gone:
                return holder
        raise NoSeat("This link is not valid. Ask the GM for a new one.")

    async def new_link(self, campaign: str, seat: Seat) -> str:
        """A new link for a seat; the older ones open it no longer."""
        hosted = await self.open_campaigns.open(campaign)
        chair = hosted.campaign.chairs.get(seat)
        if chair is None or chair.gone:
            raise BadInput("seat", seat, f"one of {', '.join(hosted.campaign.chairs)}")
        token = secrets.token_urlsafe(32)
        await self.store.add_link(campaign, seat, digest_of(token), now(), replace=True)
        self._disconnect(hosted, seat)
        return token

    async def revoke(self, campaign: str, seat: Seat) -> int:
        """End all links of a seat; anyone using one is disconnected at once."""
        hosted = await self.open_campaigns.open(campaign)
        if seat == GM:
            raise BadInput("seat", seat, "another seat: the GM's link can only be renewed")
        ended = await self.store.revoke_links(campaign, seat)
        self._disconnect(hosted, seat)
        return ended

    def _disconnect(self, hosted: HostedCampaign, seat: Seat) -> None:
        for listener in hosted.listeners:
            if listener.seat == seat:
                listener.put(None)

    # ------------------------------------------------------------------ playing

    async def do(self, campaign: str, seat: Seat, command: AnyCommand, mark: str = "") -> int:
        """Carry out a command; the number of the entry it led to, which is durable then."""
        hosted = await self.open_campaigns.open(campaign)
        async with hosted.lock:
            if hosted.behind:
                await self.open_campaigns.catch_up(campaign, hosted)
            while True:
                done = hosted.campaign.recent.get(f"{seat}:{mark}") if mark else None
                if done is not None:
                    return done
                try:
                    entry = await self._decide(
                        hosted, seat, command, f"{seat}:{mark}" if mark else ""
                    )
                except Refusal:
                    # Perhaps only because another process has come further than this one.
                    if await self.open_campaigns.catch_up(campaign, hosted):
                        continue
                    raise
                try:
                    await self.store.append(campaign, entry)
                except AppendConflict:
                    hosted.running.clear()
                    await self.open_campaigns.catch_up(campaign, hosted)
                    continue
                except RepeatedCommand as repeated:
                    hosted.running.clear()
                    await self.open_campaigns.catch_up(campaign, hosted)
                    return repeated.seq
                except BaseException:
                    # Whether the entry is there or not: look again before anything else happens.
                    hosted.running.clear()
                    self.open_campaigns.look_again(campaign, hosted)
                    raise
                hosted.take(entry)
                self.open_campaigns.snapshot_if_due(campaign, hosted)
                return entry.seq

    async def _decide(
        self, hosted: HostedCampaign, seat: Seat, command: AnyCommand, mark: str
    ) -> LogEntry:
        campaign = hosted.campaign
        chair = campaign.chairs.get(seat)
        if chair is None or chair.gone:
            raise NoSeat("This seat no longer exists. Ask the GM for a new link.")
        restored, undone = None, ""
        if isinstance(command, do.UndoEntries) and seat == GM and 1 <= command.to < campaign.seq:
            restored = (await self.open_campaigns.at(campaign.id, command.to)).standing
            (first,) = await self.store.entries(campaign.id, after=command.to, limit=1)
            undone = procedure_of(first.event, restored)
        game = game_named(campaign.game)

        def running(procedure: OpenProcedure) -> RunningProcedure:
            if procedure.id not in hosted.running:
                begins = procedure.id not in campaign.standing.open
                table = hosted.views.pages.typed() if begins else None
                hosted.running[procedure.id] = RunningProcedure(game, procedure, table)
            return hosted.running[procedure.id]

        deciding = CommandDecider(
            campaign,
            game,
            seat,
            running=running,
            new_seed=secrets.token_bytes(32) if isinstance(command, do.BeginDiceSession) else b"",
            restored=restored,
            undone=undone,
        )
        try:
            event = deciding.event(command)
        except Refusal:
            hosted.running.clear()
            raise
        except Exception:
            hosted.running.clear()
            log.exception("a procedure failed: %s of %s", command, campaign.id)
            raise InternalFailure(
                "Something went wrong, and nothing was changed. The server's log says what."
            ) from None
        entry = LogEntry(campaign.seq + 1, now(), seat, event, mark)
        return self._checked(hosted, sealed(entry, campaign.head))

    def _checked(self, hosted: HostedCampaign, entry: LogEntry) -> LogEntry:
        """The entry as the log will have it, if what it leads to can be looked at."""
        read = _read_entry(_encode(entry))
        try:
            hosted.ahead(read).pages.check(hosted.views.pages)
        except Exception:
            log.exception("cannot be taken in: %s of %s", entry.event, hosted.campaign.id)
            raise InternalFailure(
                "This would leave the campaign invalid, so nothing was changed. "
                "The server's log says why."
            ) from None
        return read

    # ------------------------------------------------------------------ views

    async def view(self, campaign: str, seat: Seat) -> TableView:
        """What a seat sees."""
        hosted = await self.open_campaigns.open(campaign)
        return hosted.views.view(seat, hosted.latest)

    async def older(
        self, campaign: str, seat: Seat, before: int, limit: int = 60
    ) -> tuple[EntryView, ...]:
        """Earlier entries of the log, as a seat may read them."""
        hosted = await self.open_campaigns.open(campaign)
        entries = await self.store.before(campaign, before, limit)
        return tuple(hosted.views.entries(seat, entries))

    async def subscribe(self, campaign: str, seat: Seat) -> Subscription:
        """Listen for what is new; the first message is the whole view."""
        hosted = await self.open_campaigns.open(campaign)
        subscription = Subscription(hosted, seat)
        subscription.put(hosted.view(seat))
        hosted.listeners.add(subscription)
        return subscription

    async def campaign(self, campaign: str) -> Campaign:
        """The state itself, secrets and all: for the server's own use."""
        return (await self.open_campaigns.open(campaign)).campaign

    async def foresee(
        self, campaign: str, seat: Seat, procedure: str, supposing: Mapping[str, Any] = NOTHING
    ) -> Foresight:
        """What may come of a procedure in progress, for one seat, supposing that it answers so."""
        here = (await self.open_campaigns.open(campaign)).campaign
        at = SeatAt(here, game_named(here.game), seat)
        going_on = at.going_on(procedure)
        read_by = at.hidden.sheets
        if any(seat not in read_by.get(key, (seat,)) for key in going_on.characters):
            # Odds would tell what is on a sheet that this seat may not see.
            why_not = "A hidden character is involved"
            return Foresight(procedure=procedure, step=going_on.taken, why_not=why_not)
        found = await self._odds.foresee(here.game, going_on, seat, supposing)
        if hidden_words_for(here.standing, seat).is_in(found.why_not):
            return msgspec.structs.replace(found, why_not="This cannot be worked out")
        return found

    async def ahead(self, campaign: str, seat: Seat, procedure: str) -> QuestionsAhead:
        """What a seat is asked, and will be asked before the dice."""
        hosted = await self.open_campaigns.open(campaign)
        here, game = hosted.campaign, game_named(hosted.campaign.game)
        going_on = SeatAt(here, game, seat).going_on(procedure)
        running = hosted.running.setdefault(procedure, RunningProcedure(game, going_on))
        # While an answer is on its way to the disk, the session is further than anybody may know.
        if running.stands_elsewhere(going_on):
            running = RunningProcedure(game, going_on)
        return look_ahead(running, seat)

    async def check_edit(
        self, campaign: str, seat: Seat, character: str, path: str, value: Any
    ) -> None:
        """Refuse an edit that would not hold, before it is made."""
        here = (await self.open_campaigns.open(campaign)).campaign
        known = here.standing.characters.get(character)
        if known is None or (seat != GM and known.sheet["player"] != seat):
            raise BadInput("character", character, "a character of your own")
        amended(game_named(here.game), here.standing, character, path, value, "value")

    # ------------------------------------------------------------------ exporting

    async def export(self, campaign: str) -> CampaignExport:
        """The whole campaign, for its GM."""
        return await self._with_whole_log(campaign, exported)

    async def markdown(self, campaign: str, seat: Seat) -> str:
        """The log as a seat may read it."""
        return await self._with_whole_log(
            campaign, lambda here, log: "".join(markdown(here, log, seat))
        )

    async def evidence(self, campaign: str, seat: Seat) -> Evidence:
        """What a seat saw of the dice, for anybody to verify."""
        return await self._with_whole_log(
            campaign, lambda here, log: evidence(here.title, log, seat, campaign)
        )

    async def chain(self, campaign: str, after: int) -> tuple[str, ...]:
        """The digests of the entries after one, with which a device goes on from its own head."""
        here = (await self.open_campaigns.open(campaign)).campaign
        async with self._whole_logs:
            entries = await self.store.entries(campaign, after=after, upto=here.seq)
            return tuple(map(digest_in, entries))

    async def _with_whole_log(
        self, campaign: str, work: Callable[[Campaign, list[LogEntry]], Result]
    ) -> Result:
        """Work through a whole log: one at a time, and beside the tables, which go on meanwhile."""
        here = (await self.open_campaigns.open(campaign)).campaign
        async with self._whole_logs:
            entries = await self.store.entries(campaign, upto=here.seq)
            return await asyncio.to_thread(work, here, entries)


_TITLED = (happened.CampaignCreated, happened.TitleChanged)
