"""Commands carried out: decided, written to the log and told to everybody, one after another."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress

from astragal.dice import Secure
from astragal.errors import Refusal
from astragal.play import GM, Seat
from astragal.table.clock import now
from astragal.table.commands import commands as do
from astragal.table.commands.commands import TableCommand
from astragal.table.commands.decide import CommandDecider
from astragal.table.commands.sessions import first_roll, has_keys, leaves_a_card
from astragal.table.fairness import WrittenEntry, sealed_as_read
from astragal.table.hosted import HostedCampaign
from astragal.table.insights import Insights
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import after
from astragal.table.log.seals import SALT_BYTES
from astragal.table.log.sentences import procedure_of
from astragal.table.log.state import Campaign, Chair, OpenProcedure
from astragal.table.partners import Partners
from astragal.table.running.dice import NoSession
from astragal.table.running.session import RunningProcedure
from astragal.table.store.interface import AppendConflict, RepeatedCommand, Store

log = logging.getLogger("astragal.table")

_ON_IMAGES = (do.ShowHandout, do.ChangePortrait)
"""The commands that name an image."""


class NoSeat(Refusal):
    """The link opens no seat (any more)."""


class InternalFailure(Refusal):
    """A procedure failed with an error; nothing was changed, and the server's log says why."""


def kind_of(said: TableCommand | AnyEvent) -> str:
    """What a command or an event is, for the server's log: never what it says."""
    return type(said).__name__


class CommandHandler(Insights):
    """Carries out the commands of seats, each campaign's in their order."""

    def __init__(self, store: Store) -> None:
        """Carry out commands for the campaigns of a store."""
        super().__init__(store)
        self.partners = Partners(self.solving, self.do)
        self._salts = Secure()

    async def do(self, campaign: str, seat: Seat, command: TableCommand, mark: str = "") -> int:
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
                    entries = await self._decided(
                        hosted, seat, command, f"{seat}:{mark}" if mark else ""
                    )
                except Refusal:
                    # Perhaps only because another process has come further than this one.
                    if await self.open_campaigns.catch_up(campaign, hosted):
                        continue
                    # Or because it was carried out long ago, and is sent again only now.
                    done = await self.store.marked(campaign, f"{seat}:{mark}") if mark else None
                    if done is not None:
                        return done
                    raise
                seq: int | None = None
                for written in entries:
                    self._check(hosted, written.entry)
                    seq = await self._append(hosted, written)
                    if seq is None:
                        break
                if seq is not None:
                    return seq

    async def _decided(
        self, hosted: HostedCampaign, seat: Seat, command: TableCommand, mark: str
    ) -> tuple[WrittenEntry, ...]:
        """The entry that a command leads to, after those with which a session begins.

        It begins with the first test, before its dice, so that players can add to them, and at the
        latest with dice; what is refused begins none.
        """
        campaign = hosted.campaign
        with suppress(NoSession):
            written = await self._decide(hosted, campaign, seat, command, mark)
            if has_keys(campaign) or not leaves_a_card(written.entry.event):
                return (written,)
        hosted.running.clear()
        opening: tuple[WrittenEntry, ...] = ()
        for event in first_roll(campaign, secrets.token_bytes(32)):
            opening += (self._sealed(campaign, seat, event),)
            campaign = after(campaign, opening[-1].entry)
        return *opening, await self._decide(hosted, campaign, seat, command, mark)

    async def _append(self, hosted: HostedCampaign, written: WrittenEntry) -> int | None:
        """Write an entry and take it in; None if others were written before it."""
        before, entry = hosted.campaign, written.entry
        campaign = before.id
        try:
            if isinstance(entry.event, happened.SeatChanged):
                await self._end_links_of_former(hosted, entry.event.chair)
            await self.store.append(campaign, entry, written.text)
        except AppendConflict:
            hosted.running.clear()
            await self.open_campaigns.catch_up(campaign, hosted)
            return None
        except RepeatedCommand as repeated:
            hosted.running.clear()
            await self.open_campaigns.catch_up(campaign, hosted)
            return repeated.seq
        except BaseException:
            # Whether the entry is there or not: look again before anything else happens.
            hosted.running.clear()
            self.open_campaigns.look_again(campaign, hosted)
            raise
        hosted.take(entry, written.text)
        self.open_campaigns.snapshot_if_due(campaign, hosted)
        if before.handouts is not hosted.campaign.handouts:
            await self.forget_unshown(before, hosted.campaign)
        self.partners.look(hosted.campaign)
        return entry.seq

    async def _decide(
        self,
        hosted: HostedCampaign,
        campaign: Campaign,
        seat: Seat,
        command: TableCommand,
        mark: str,
    ) -> WrittenEntry:
        chair = campaign.chairs.get(seat)
        if chair is None or chair.gone:
            raise NoSeat("This seat no longer exists. Ask the GM for a new link.")
        if isinstance(command, _ON_IMAGES):
            await self.check_image(campaign.id, command)
        restored, undone = None, ""
        if isinstance(command, do.UndoEntries) and seat == GM and 1 <= command.to < campaign.seq:
            restored = (await self.open_campaigns.at(campaign.id, command.to)).standing
            (first,) = await self.store.entries(campaign.id, after=command.to, limit=1)
            undone = procedure_of(first.event, restored)
        game = hosted.views.game

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
            what = command.procedure if isinstance(command, do.BeginProcedure) else ""
            log.exception("a command failed: %s %s of %s", kind_of(command), what, campaign.id)
            raise InternalFailure(
                "Something went wrong, and nothing was changed. The server's log says what."
            ) from None
        return self._sealed(campaign, seat, event, mark)

    def _sealed(
        self, campaign: Campaign, seat: Seat, event: AnyEvent, mark: str = ""
    ) -> WrittenEntry:
        entry = LogEntry(campaign.seq + 1, now(), seat, event, mark)
        return sealed_as_read(entry, campaign.head, self._salts.take(SALT_BYTES))

    def _check(self, hosted: HostedCampaign, entry: LogEntry) -> None:
        """Refuse an entry if what it leads to cannot be looked at."""
        try:
            hosted.ahead(entry).pages.check(hosted.views.pages)
        except Exception:
            log.exception("cannot be taken in: %s of %s", kind_of(entry.event), hosted.campaign.id)
            raise InternalFailure(
                "This would leave the campaign invalid, so nothing was changed. "
                "The server's log says why."
            ) from None

    async def _end_links_of_former(self, hosted: HostedCampaign, chair: Chair) -> None:
        """A seat that somebody left and somebody else is given is not opened by the old link."""
        former = hosted.campaign.chairs.get(chair.seat)
        if former is not None and former.gone and former.name != chair.name:
            await self.store.revoke_links(hosted.campaign.id, chair.seat)
