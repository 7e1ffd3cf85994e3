"""The tables that this process hosts: commands in, entries appended, updates out.

Several processes may host the same campaign: an entry is appended only as the next one, so the
process that comes second reads the log again and decides again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from astragal.errors import BadInput, Refusal
from astragal.games import SuggestedScript, game_named
from astragal.play import GM, Seat
from astragal.table.clock import now
from astragal.table.command_handler import CommandHandler, NoSeat
from astragal.table.commands.creating import first_events
from astragal.table.commands.edits import amended
from astragal.table.commands.rehearsing import check_begin
from astragal.table.commands.seat import SeatAt
from astragal.table.drafts import CharacterDraft, checked, started
from astragal.table.fairness import sealed
from astragal.table.foresight.card_view import card_for
from astragal.table.foresight.odds import NOTHING, SECRET, kept_from_gm
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.foresight.own_dice import own_dice
from astragal.table.foresight.suggestions import suggested_scripts
from astragal.table.hosted import HostedCampaign, Subscription
from astragal.table.importing import TooManyImports, imported
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry, head_of
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.running.session import RunningProcedure
from astragal.table.secrecy.redaction import hidden_words_for
from astragal.table.store.interface import (
    SeatHolder,
    Store,
    StoredImage,
)
from astragal.table.views.seen_by_gm import card_as, entries_as, view_as
from astragal.table.views.types import CardView, EntryView, Foresight, TableView

log = logging.getLogger("astragal.table")

MOST_IMPORTING = 4
"""How many files may wait to be imported, with the one that is being read."""


def digest_of(token: str) -> bytes:
    """What the store keeps of a link."""
    return hashlib.sha256(token.encode()).digest()


class Tables(CommandHandler):
    """Every campaign of a store, for the seats that hold a link to it."""

    def __init__(self, store: Store, odds: OddsProcess | None = None) -> None:
        """Host the campaigns of a store; ``odds`` works out odds."""
        super().__init__(store)
        self._odds = odds or OddsProcess()
        # A thread of their own: imports keep nothing else from the threads that all share.
        self._imports = ThreadPoolExecutor(1, "astragal-import")
        self._importing = 0

    async def start(self) -> None:
        """Begin to follow what other processes append."""
        self.open_campaigns.start()

    async def close(self) -> None:
        """Let go of everything; the caller closes the store."""
        self._odds.close()
        self.insight.close()
        self.partners.close()
        self.solving.close()
        self._imports.shutdown(wait=False, cancel_futures=True)
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
        events = first_events(plays, title, options, name, demo=demo)
        return await self._create(game, events)

    async def import_(self, raw: bytes) -> tuple[str, str]:
        """Take in a campaign from its file; its key, and the token of the GM's seat.

        One file is read at a time. The campaign is opened from a snapshot, so nobody waits for its
        log to be followed once more.
        """
        if self._importing >= MOST_IMPORTING:
            raise TooManyImports("Other campaigns are being imported. Try again in a moment.")
        self._importing += 1
        try:
            read = await asyncio.get_running_loop().run_in_executor(self._imports, imported, raw)
            campaign, token = await self._create(read.game, read.events, read.signs, read.images)
        finally:
            self._importing -= 1
        state = msgspec.structs.replace(read.state, id=campaign)
        await self.open_campaigns.keep_snapshot(campaign, state)
        return campaign, token

    async def _create(
        self,
        game: str,
        events: Sequence[AnyEvent],
        when: Sequence[tuple[str, Seat]] = (),
        images: Sequence[StoredImage] = (),
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
        links = {GM: digest_of(token)}
        await self.store.create(campaign, game, title, at, entries, links, images)
        return campaign, token

    async def seat_at(self, token: str) -> SeatHolder:
        """The seat that a token opens."""
        holder = await self.store.holder(digest_of(token))
        invalid = NoSeat("This link is not valid. Ask the GM for a new one.")
        if holder is None:
            raise invalid
        await self._looked_at(holder.campaign, lambda here: _chair(here, holder.seat, invalid))
        return holder

    async def new_link(self, campaign: str, seat: Seat) -> str:
        """A new link for a seat; the older ones open it no longer."""
        hosted = await self.open_campaigns.open(campaign)
        await self._looked_at(campaign, lambda here: _chair(here, seat, _unknown(here, seat)))
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

    # ------------------------------------------------------------------ views

    async def view(self, campaign: str, seat: Seat) -> TableView:
        """What a seat sees."""
        hosted = await self._up_to_date(campaign)
        return hosted.views.view(seat, hosted.latest)

    async def view_as(self, campaign: str, seat: Seat) -> TableView:
        """What a seat sees, for the GM to look at."""
        hosted = await self._up_to_date(campaign)
        _chair(hosted.campaign, seat, _unknown(hosted.campaign, seat))
        return view_as(hosted.views, seat, hosted.latest)

    async def card_as(self, campaign: str, seat: Seat, procedure: str) -> CardView:
        """The card of an open procedure as a seat sees it, for the GM to look at."""
        await self.check_seat(campaign, seat)
        gms = await self.card(campaign, GM, procedure)
        return card_as(await self.card(campaign, seat, procedure), gms)

    async def check_seat(self, campaign: str, seat: Seat) -> None:
        """Refuse to look at the table as a seat that nobody has."""
        await self._looked_at(campaign, lambda here: _chair(here, seat, _unknown(here, seat)))

    async def older(
        self, campaign: str, seat: Seat, before: int, limit: int = 60, *, by_gm: bool = False
    ) -> tuple[EntryView, ...]:
        """Earlier entries of the log, as a seat may read them; ``by_gm`` to be shown to the GM."""
        hosted = await self.open_campaigns.open(campaign)
        entries = await self.store.before(campaign, before, limit)
        if by_gm:
            return tuple(entries_as(hosted.views, seat, entries))
        return tuple(hosted.views.entries(seat, entries))

    async def subscribe(self, campaign: str, seat: Seat) -> Subscription:
        """Listen for what is new; the first message is the whole view."""
        hosted = await self._up_to_date(campaign)
        subscription = Subscription(hosted, seat)
        subscription.put(hosted.view(seat))
        hosted.listeners.add(subscription)
        return subscription

    async def _up_to_date(self, campaign: str) -> HostedCampaign:
        """A campaign with all that is in its log.

        Whoever comes from another process may have seen entries there that have not arrived here.
        """
        hosted = await self.open_campaigns.open(campaign)
        async with hosted.lock:
            await self.open_campaigns.catch_up(campaign, hosted)
        # The process that began to write a script may be gone.
        self.partners.look(hosted.campaign)
        return hosted

    async def campaign(self, campaign: str) -> Campaign:
        """The state itself, secrets and all: for the server's own use."""
        return (await self.open_campaigns.open(campaign)).campaign

    async def foresee(
        self,
        campaign: str,
        seat: Seat,
        procedure: str,
        supposing: Mapping[str, Any] = NOTHING,
        *,
        by_gm: bool = False,
    ) -> Foresight:
        """What may come of a procedure in progress, for one seat, supposing that it answers so.

        ``by_gm`` to be shown to the GM, who views the table as that seat.
        """
        at, going_on = await self._looked_at(
            campaign, lambda here: _going_on(here, seat, procedure)
        )
        if by_gm and kept_from_gm(going_on, seat):
            return Foresight(procedure=procedure, step=going_on.taken, why_not=SECRET)
        here = at.campaign
        read_by = at.hidden.sheets
        if any(seat not in read_by.get(key, (seat,)) for key in going_on.characters):
            # Odds would tell what is on a sheet that this seat may not see.
            why_not = "You cannot see every sheet involved"
            rolls = own_dice(RunningProcedure(at.game, going_on), here, seat)
            return Foresight(procedure=procedure, step=going_on.taken, rolls=rolls, why_not=why_not)
        found = await self._odds.foresee(here.game, going_on, seat, supposing)
        if hidden_words_for(here.standing, seat).is_in(found.why_not):
            return msgspec.structs.replace(found, why_not="This cannot be worked out")
        return found

    async def card(self, campaign: str, seat: Seat, procedure: str) -> CardView:
        """The card of an open procedure, as a seat sees it."""
        hosted = await self.open_campaigns.open(campaign)
        at, going_on = await self._looked_at(
            campaign, lambda here: _going_on(here, seat, procedure)
        )
        game = at.game
        running = hosted.running.setdefault(procedure, RunningProcedure(game, going_on))
        # While an answer is on its way to the disk, the session is further than anybody may know.
        elsewhere = running.stands_elsewhere(going_on)
        running = RunningProcedure(game, going_on) if elsewhere else running.at(going_on)
        return card_for(running, at.campaign, seat, hosted.cards, hosted.views.hidden_from(seat))

    async def suggest(
        self, campaign: str, seat: Seat, procedure: str, step: int
    ) -> tuple[SuggestedScript, ...]:
        """Scripts for what a seat is asked at a step, for those who would not write their own."""

        def written(here: Campaign) -> tuple[SuggestedScript, ...]:
            at, going_on = _going_on(here, seat, procedure)
            return suggested_scripts(at.game, going_on, seat, step)

        return await self._looked_at(campaign, written)

    async def check_edit(
        self, campaign: str, seat: Seat, character: str, path: str, value: Any
    ) -> None:
        """Refuse an edit that would not hold, before it is made."""

        def check(here: Campaign) -> None:
            known = here.standing.characters.get(character)
            if known is None or (seat != GM and known.sheet["player"] != seat):
                raise BadInput("character", character, "a character of your own")
            amended(game_named(here.game), here.standing, character, path, value, "value")

        await self._looked_at(campaign, check)

    async def check_begin(
        self, campaign: str, seat: Seat, procedure: str, arguments: Mapping[str, Any]
    ) -> None:
        """Refuse what could not be begun, before it is."""

        def check(here: Campaign) -> None:
            check_begin(here, game_named(here.game), seat, procedure, arguments)

        await self._looked_at(campaign, check)

    async def draft(
        self,
        campaign: str,
        *,
        ready: str = "",
        file: str = "",
        values: Mapping[str, Any] | None = None,
        base: Mapping[str, Any] | None = None,
    ) -> CharacterDraft:
        """A character that is being made: begun, or checked as it was filled in so far."""

        def made(here: Campaign) -> CharacterDraft:
            game = game_named(here.game)
            if values is None:
                return started(game, here.standing, ready, file)
            return checked(game, here.standing, values, base or {})

        return await self._looked_at(campaign, made)


def _unknown(here: Campaign, seat: Seat) -> BadInput:
    return BadInput("seat", seat, f"one of {', '.join(here.chairs)}")


def _chair(here: Campaign, seat: Seat, refusal: Refusal) -> None:
    """Refuse a seat that nobody has."""
    chair = here.chairs.get(seat)
    if chair is None or chair.gone:
        raise refusal


def _going_on(here: Campaign, seat: Seat, procedure: str) -> tuple[SeatAt, OpenProcedure]:
    at = SeatAt(here, game_named(here.game), seat)
    return at, at.going_on(procedure)


_TITLED = (happened.CampaignCreated, happened.TitleChanged)
