"""Views: what a seat sees of a campaign, and of every new entry of its log.

A view is built from nothing: what a seat may not know is never put in, so that nothing has to
be taken out. The GM sees the GM's secrets, not those of the players: a script that was written
against the GM's own character is as secret from the GM as from anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from astragal.games import Game, game_named
from astragal.lab import can_solve
from astragal.play import GM, Script, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry, digest_in
from astragal.table.log.items import ChangedItem, Item, SealedItem
from astragal.table.log.sentences import sentence
from astragal.table.log.state import (
    Campaign,
    Character,
    DiceSession,
    Handout,
    Note,
    OpenProcedure,
    OpenQuestion,
    Proposal,
    SavedTest,
)
from astragal.table.running.card import has_dice
from astragal.table.secrecy.known_scene import as_seen
from astragal.table.secrecy.redaction import HiddenWords, hidden_words_for
from astragal.table.views.pages import TablePages
from astragal.table.views.types import (
    CampaignView,
    ChairView,
    CharacterView,
    DiceSessionView,
    EntryView,
    HandoutView,
    OwnSeat,
    ProcedureView,
    TableView,
    WaitingSeat,
)

Audience = tuple[Seat, ...]

_UNTOLD = (happened.DiceContributed, happened.TestSaved)


class Views:
    """A campaign as it is seen, with what all seats see alike worked out once."""

    def __init__(self, campaign: Campaign, like: Views | None = None) -> None:
        """``like`` is the view before the last entry, whose unchanged parts are used again."""
        self.campaign = campaign
        self.game: Game = game_named(campaign.game)
        self.pages: TablePages = (
            TablePages(campaign.standing, self.game)
            if like is None
            else like.pages.now(campaign.standing)
        )
        self._asked = {
            question.seat
            for procedure in campaign.standing.open.values()
            if not procedure.secret
            for question in procedure.questions
        }
        self._hidden_words: dict[Seat, HiddenWords] = {}
        if like is not None and _hides_the_same(like.campaign, campaign):
            self._hidden_words = like._hidden_words
        self._stories: dict[str, _ToldStory] = {}
        self._stories_before = {} if like is None else like._stories
        self._chairs: tuple[ChairView, ...] | None = None
        if like is not None and like.campaign.chairs is campaign.chairs:
            self._chairs = like._chairs if like._asked == self._asked else None

    def hidden_from(self, seat: Seat) -> HiddenWords:
        """What a seat may not read of, worked out once."""
        if seat not in self._hidden_words:
            self._hidden_words[seat] = hidden_words_for(self.campaign.standing, seat)
        return self._hidden_words[seat]

    # ------------------------------------------------------------------ the whole table

    def view(self, seat: Seat, log: Sequence[LogEntry]) -> TableView:
        """Everything that a seat sees; ``log`` are the latest entries."""
        seen = tuple(self.entries(seat, log))
        return TableView(
            seq=self.campaign.seq,
            you=self.you(seat),
            campaign=self.overview(),
            chairs=self.chairs(),
            characters=self.characters(seat),
            scene=self.pages.scene(seat),
            open=self.open(seat),
            notes=self.notes(seat),
            proposals=self.proposals(seat),
            handouts=self.handouts(seat),
            saved=self.saved(seat),
            log=seen,
            older=bool(log) and log[0].seq > 1,
            head=self.campaign.head,
            digest=digest_in(log[-1]) if log else "",
        )

    def you(self, seat: Seat) -> OwnSeat:
        """The seat whose view this is."""
        chair = self.campaign.chairs[seat]
        return OwnSeat(seat, chair.name, chair.role.value, chair.own_dice)

    def overview(self) -> CampaignView:
        """What is the same for every seat."""
        campaign = self.campaign
        return CampaignView(
            campaign.id,
            campaign.title,
            campaign.game,
            self.game.title,
            campaign.standing.options,
            campaign.paused,
            campaign.free_edits,
            campaign.asks_consent,
            None if campaign.session is None else _session_view(campaign.session),
            tuple(_session_view(each) for each in campaign.past_sessions[-20:]),
            self.game.scene_words,
            campaign.server_dice,
            self.game.sheet_words,
            campaign.open_review,
            campaign.advice,
            self.game.at_table.has_scripts,
            self.game.at_table.has_scripts and can_solve(),
        )

    def chairs(self) -> tuple[ChairView, ...]:
        """Who is at the table."""
        if self._chairs is None:
            self._chairs = tuple(
                ChairView(c.seat, c.name, c.role.value, c.own_dice, c.seat in self._asked)
                for c in self.campaign.chairs.values()
                if not c.gone
            )
        return self._chairs

    def seats_like(self, other: Views) -> bool:
        """Whether the same people are at the table, and the same of them are asked."""
        return self.campaign.chairs is other.campaign.chairs and self._asked == other._asked

    def characters(self, seat: Seat) -> dict[str, CharacterView]:
        """The characters that a seat knows of."""
        pages = self.pages
        seen = {key: pages.character(key, seat) for key in pages.characters}
        return {key: each for key, each in seen.items() if each is not None}

    def open(self, seat: Seat) -> tuple[ProcedureView, ...]:
        """The procedures in progress."""
        seen = (self.procedure(each, seat) for each in self.campaign.standing.open.values())
        return tuple(each for each in seen if each is not None)

    def procedure(
        self, procedure: OpenProcedure, seat: Seat, new: tuple[Item, ...] | None = None
    ) -> ProcedureView | None:
        """A procedure in progress, or nothing where it is the GM's secret.

        ``new`` is the end of a story that is open to all, for those who know the rest.
        """
        mine: list[OpenQuestion] = []
        waiting: list[WaitingSeat] = []
        hidden = self.hidden_from(seat)
        for question in procedure.questions:
            if question.seat == seat:
                mine.append(question)
            elif question.secret:
                is_script = isinstance(question.question, Script)
                waiting.append(WaitingSeat(question.seat, "", writes_script=is_script))
            else:
                shown = question if seat == GM else None
                prompt = "" if hidden.is_in(question.prompt) else question.prompt
                waiting.append(WaitingSeat(question.seat, question.key, shown, prompt))
        if procedure.secret and seat != GM and not mine:
            return None
        story = procedure.story
        if new is None:
            story = new = seen_of(story, seat, secret=procedure.secret)
        return ProcedureView(
            procedure.id,
            procedure.name,
            procedure.title,
            procedure.by,
            procedure.about,
            self.pages.known_of(seat, procedure.characters),
            tuple(mine),
            tuple(waiting),
            new,
            len(story),
            procedure.secret,
            procedure.began,
            seat == GM or (seat == procedure.by and not has_dice(procedure)),
            procedure.ready,
            procedure.held,
            procedure.touched,
        )

    def is_public(self, procedure: OpenProcedure) -> bool:
        """Whether all seats see the same of a story; of one that was seen before, its end tells."""
        story = procedure.story
        if procedure.id not in self._stories:
            before = self._stories_before.get(procedure.id)
            if before is not None and before.is_beginning_of(story):
                is_public = before.is_public and public(story[len(before.story) :])
            else:
                is_public = public(story)
            self._stories[procedure.id] = _ToldStory(story, is_public)
        return self._stories[procedure.id].is_public

    def notes(self, seat: Seat) -> tuple[Note, ...]:
        """One's own notes, and those that others share."""
        return tuple(n for n in self.campaign.notes.values() if n.shared or n.seat == seat)

    def proposals(self, seat: Seat) -> tuple[Proposal, ...]:
        """Edits that wait for the GM's approval."""
        waiting = self.campaign.proposals.values()
        return tuple(each for each in waiting if seat == GM or each.seat == seat)

    def handouts(self, seat: Seat) -> tuple[HandoutView, ...]:
        """The handouts that a seat may see; only the GM sees who else may."""
        return tuple(
            HandoutView(each.id, each.title, each.text, each.image, *_shown_to(each, seat))
            for each in self.campaign.handouts.values()
            if seat == GM or not each.audience or seat in each.audience
        )

    def saved(self, seat: Seat) -> tuple[SavedTest, ...]:
        """The tests that a seat has saved."""
        return tuple(each for each in self.campaign.saved.values() if each.seat == seat)

    def may_see_image(self, seat: Seat, image: str) -> bool:
        """Whether an image is on a handout or is the portrait of a character known to a seat."""
        there = self.pages.characters.items()
        return any(each.image == image for each in self.handouts(seat)) or any(
            each.portrait == image and self.pages.knows(seat, key) for key, each in there
        )

    # ------------------------------------------------------------------ the log

    def entries(self, seat: Seat, log: Iterable[LogEntry]) -> Iterable[EntryView]:
        """The entries of the log that a seat may read."""
        for entry in log:
            seen = self.entry(seat, entry)
            if seen is not None:
                yield seen

    def entry(self, seat: Seat, entry: LogEntry) -> EntryView | None:
        """One entry as a seat may read it, or nothing."""
        event = entry.event
        if isinstance(event, _UNTOLD):
            return None  # the session says who has added to its dice; a saved test is no event
        audience = self._audience(entry)
        if isinstance(event, happened.AnswersDrafted) or (audience and seat not in audience):
            return None  # a draft is on the card, and becomes history when it is an answer
        undone = self.campaign.is_undone(entry.seq)
        procedure, over, session = "", False, 0
        items: tuple[Item, ...] = ()
        match event:
            case happened.ProcedureBegan(procedure=begun):
                procedure, over = begun.id, event.over
                items = seen_of(begun.story, seat, secret=begun.secret)
            case happened.AnswerGiven():
                procedure, over = event.procedure, event.over
                items = seen_of(event.items, seat, secret=False)
            case happened.ProcedureCancelled(procedure=procedure):
                pass
            case happened.RulingMade(changes=changes) | happened.SheetEdited(changes=changes):
                items = seen_of(changes, seat, secret=False)
            case happened.DiceThrown(rolled=thrown):
                items = (thrown,)
            case happened.SessionBegan(number=session) | happened.SessionEnded(number=session):
                pass
        return EntryView(
            entry.seq,
            entry.at,
            "" if isinstance(event, happened.XCardRaised) else entry.seat,
            str(event.__struct_config__.tag),
            sentence(event, entry.seat, self.campaign, self.game, seat),
            items,
            procedure,
            over,
            bool(audience),
            undone,
            session,
        )

    def _audience(self, entry: LogEntry) -> Audience:
        """Who may know that there is such an entry; empty for everybody."""
        event = entry.event
        match event:  # what is played comes first: there is most of it
            case happened.AnswerGiven(taken=0):
                return (entry.seat,)
            case happened.AnswerGiven(secret=secret) | happened.ProcedureCancelled(secret=secret):
                return (GM,) if secret else ()
            case happened.ProcedureBegan(procedure=begun):
                return (GM,) if begun.secret else ()
            case (
                happened.MessageSent(audience=audience)
                | happened.DiceThrown(audience=audience)
                | happened.HandoutShown(audience=audience)
                | happened.HandoutRemoved(audience=audience)
                | happened.PortraitChanged(audience=audience)
            ):
                return audience
            case happened.TestSaved():
                return (entry.seat,)
            case happened.NoteWritten(shared=shared):
                return () if shared else (entry.seat,)
            case happened.EditProposed():
                return tuple(dict.fromkeys((entry.seat, GM)))
            case happened.EditDeclined(seat=seat):
                return tuple(dict.fromkeys((seat or entry.seat, GM)))
            case happened.SheetEdited(changes=changes) if all(c.audience for c in changes):
                return tuple(dict.fromkeys(seat for c in changes for seat in c.audience))
            case happened.RulingMade(secret=True) | happened.PartnerChanged():
                return (GM,)
            case happened.CharacterJoined(sheet=joined):
                return _readers(joined)
            case happened.CharacterRemoved(hidden=True):
                return (GM,)
        return ()


class _ToldStory(NamedTuple):
    story: tuple[Item, ...]
    is_public: bool

    def is_beginning_of(self, story: tuple[Item, ...]) -> bool:
        """Whether it goes on in a story; one that was told anew has other items throughout."""
        many = len(self.story)
        return len(story) >= many and (not many or story[many - 1] is self.story[-1])


def _hides_the_same(was: Campaign, now: Campaign) -> bool:
    before, after = was.standing, now.standing
    if before.characters is not after.characters:
        return False
    if before.known_scene is None and after.known_scene is None:
        return True
    return before.scene is after.scene and before.known_scene is after.known_scene


def public(items: Iterable[Item]) -> bool:
    """Whether all seats see the same of these items."""
    for item in items:
        if item.audience or type(item) is SealedItem:
            return False
        if type(item) is ChangedItem and item.known is not None:
            return False
    return True


def seen_of(items: tuple[Item, ...], seat: Seat, *, secret: bool) -> tuple[Item, ...]:
    """What a seat may see of a story; the story itself where all see all of it."""
    if not secret and public(items):
        return items
    return tuple(visible(items, seat, secret))


def visible(items: Iterable[Item], seat: Seat, secret: bool) -> Iterable[Item]:
    """What a seat may see of a story; of a secret procedure the GM sees what all would."""
    for item in items:
        open_to_all = not item.audience and (not secret or seat == GM)
        if not (open_to_all or seat in item.audience):
            continue
        if isinstance(item, SealedItem) and item.seat == seat:
            continue
        seen = as_seen(item, seat)
        if seen is not None:
            yield seen


def _shown_to(handout: Handout, seat: Seat) -> tuple[Audience, bool]:
    if seat != GM:
        return (), False
    return tuple(each for each in handout.audience if each != GM), not handout.audience


def _readers(character: Character) -> Audience:
    """Who knows about a character; empty for everybody."""
    return tuple(dict.fromkeys((GM, str(character.sheet["player"])))) if character.hidden else ()


def _session_view(session: DiceSession) -> DiceSessionView:
    """A session; its seed only when it is over."""
    is_older = not session.streams
    seed = session.seed if session.ended and is_older else ""
    throws = session.throws if session.ended else 0  # or else it would tell of throws in secret
    given = tuple(seat for seat, _ in session.given)
    return DiceSessionView(
        session.number, session.commitment, seed, throws, session.ended, given, is_older
    )
