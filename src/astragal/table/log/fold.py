"""The fold: a campaign and one more entry of its log give the campaign after it.

Nothing here runs a procedure or asks anybody: every entry carries what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from astragal.games import game_named
from astragal.play import GM
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry, head_of
from astragal.table.log.items import Item, RolledItem
from astragal.table.log.standing import standing_after, without
from astragal.table.log.state import (
    Campaign,
    DiceOnTable,
    DiceSession,
    Handout,
    Note,
    PendingAnswer,
    Proposal,
    Restorable,
    SavedTest,
)

X_CARD = "Somebody raised the X-card."
"""Why play is paused then; more is not said."""
REMEMBERED = 64
"""How many of the latest commands are recognised when they are sent again."""


def fold(
    campaign: Campaign,
    entries: Iterable[LogEntry],
    watch: Callable[[Campaign, LogEntry], None] | None = None,
) -> Campaign:
    """The campaign after these entries; ``watch`` is called after each, and may refuse it.

    What only grows with the log is gathered aside, so that an entry at the end of a long log takes
    no longer than one at its beginning.
    """
    undone, over = list(campaign.undone), list(campaign.past_sessions)
    campaign = replace(campaign, undone=(), past_sessions=())
    for entry in entries:
        campaign = after(campaign, entry)
        if watch is not None:
            watch(campaign, entry)
        if campaign.undone or campaign.past_sessions:
            for span in campaign.undone:
                # The spans are in the order of the log: those that an undo undoes come last.
                while undone and undone[-1][1] > span[0]:
                    undone.pop()
                undone.append(span)
            over += campaign.past_sessions
            campaign = replace(campaign, undone=(), past_sessions=())
    return replace(campaign, undone=tuple(undone), past_sessions=tuple(over))


def after(campaign: Campaign, entry: LogEntry) -> Campaign:
    """The campaign after one more entry, which must be the next."""
    assert entry.seq == campaign.seq + 1, f"entry {entry.seq} does not follow {campaign.seq}"
    now = _apply(campaign, entry)
    recent = now.recent
    if entry.mark:
        recent = {**recent, entry.mark: entry.seq}
        if len(recent) > REMEMBERED:
            recent = dict(list(recent.items())[-REMEMBERED // 2 :])
    return replace(now, seq=entry.seq, recent=recent, head=head_of(entry) or now.head)


def _apply(campaign: Campaign, entry: LogEntry) -> Campaign:
    event: AnyEvent = entry.event
    match event:  # what is played comes first: there is most of it
        case happened.AnswerGiven(items=items, pending=pending):
            campaign = _thrown(campaign, items, pending)
        case happened.ProcedureBegan(procedure=procedure):
            campaign = _thrown(campaign, procedure.story, procedure.pending)
        case happened.AnswersDrafted():
            pass
        case happened.CampaignCreated():
            standing = Restorable(scene=event.scene, options=event.options)
            return replace(
                campaign,
                game=event.game,
                title=event.title,
                standing=standing,
                free_edits=event.free_edits,
                asks_consent=event.asks_consent,
            )
        case happened.TitleChanged():
            return replace(
                campaign,
                title=event.title,
                free_edits=event.free_edits,
                asks_consent=event.asks_consent,
                server_dice=event.server_dice,
                open_review=event.open_review,
                advice=event.advice,
            )
        case happened.SeatChanged(chair=chair):
            return replace(campaign, chairs={**campaign.chairs, chair.seat: chair})
        case happened.NoteWritten():
            return replace(campaign, notes=_noted(campaign.notes, event, entry.seat))
        case happened.HandoutShown():
            shown = Handout(event.id, event.title, event.text, event.image, event.audience)
            return replace(campaign, handouts={**campaign.handouts, event.id: shown})
        case happened.HandoutRemoved(id=id):
            return replace(campaign, handouts=without(campaign.handouts, id))
        case happened.TestSaved():
            return replace(campaign, saved=_with_test(campaign.saved, event, entry.seat))
        case happened.XCardRaised():
            return replace(campaign, paused=X_CARD)
        case happened.EditProposed():
            proposal = Proposal(
                event.id,
                entry.seat,
                event.character,
                event.path,
                event.before,
                event.after,
                event.why,
            )
            return replace(campaign, proposals={**campaign.proposals, event.id: proposal})
        case happened.EditDeclined(proposal=id):
            return replace(campaign, proposals=without(campaign.proposals, id))
        case happened.GamePaused(reason=reason):
            return replace(campaign, paused=reason)
        case happened.GameResumed():
            return replace(campaign, paused=None)
        case happened.SessionBegan():
            return replace(campaign, session=_session(event))
        case happened.SessionEnded():
            return _ended(campaign, event)
        case happened.DiceContributed():
            return _contributed(campaign, entry.seat, event)
        case happened.DiceThrown():
            return _thrown(campaign, (event.rolled,), None)
        case happened.MessageSent():
            return campaign
        case happened.SheetEdited(proposal=id):
            campaign = replace(campaign, proposals=without(campaign.proposals, id))
        case happened.EntriesUndone(to=to):
            # An undo that is itself undone did not happen.
            still = tuple(span for span in campaign.undone if span[1] <= to)
            campaign = replace(campaign, undone=(*still, (to, entry.seq)))
    game = game_named(campaign.game)
    return replace(campaign, standing=standing_after(campaign.standing, event, game, entry.seq))


def _noted(notes: dict[str, Note], event: happened.NoteWritten, seat: str) -> dict[str, Note]:
    key = note_key(notes, seat, event.id)
    if not event.text:
        # The GM may delete what others share.
        is_another = seat == GM and key not in notes
        return without(notes, shared_note(notes, event.id) if is_another else key)
    return {**notes, key: Note(event.id, seat, event.text, event.shared)}


def note_key(notes: dict[str, Note], seat: str, id: str) -> str:
    """Where a note of a seat is kept; two seats may give the same name to theirs."""
    there, apart = notes.get(id), f"{seat}/{id}"
    is_free = there is None or there.seat == seat
    return id if is_free and apart not in notes else apart


def shared_note(notes: dict[str, Note], id: str) -> str:
    """Where a note of this name is kept that its owner shares; empty if there is none."""
    return next((key for key, note in notes.items() if note.id == id and note.shared), "")


def saved_key(seat: str, id: str) -> str:
    """Where a saved test of a seat is kept."""
    return f"{seat}/{id}"


def _with_test(
    saved: dict[str, SavedTest], event: happened.TestSaved, seat: str
) -> dict[str, SavedTest]:
    key = saved_key(seat, event.id)
    if not event.name:
        return without(saved, key)
    return {**saved, key: SavedTest(event.id, seat, event.name, event.procedure, event.arguments)}


def _session(event: happened.SessionBegan) -> DiceSession:
    return DiceSession(event.number, event.commitment, event.seed, streams=event.streams)


def _contributed(campaign: Campaign, seat: str, event: happened.DiceContributed) -> Campaign:
    session = campaign.session
    if session is None or session.number != event.session:
        return campaign
    return replace(campaign, session=replace(session, given=(*session.given, (seat, event.value))))


def _ended(campaign: Campaign, event: happened.SessionEnded) -> Campaign:
    assert campaign.session is not None, "a session ended that never began"
    over = replace(campaign.session, seed=event.seed or campaign.session.seed, ended=True)
    return replace(campaign, session=None, past_sessions=(*campaign.past_sessions, over))


def _thrown(campaign: Campaign, items: Iterable[Item], pending: PendingAnswer | None) -> Campaign:
    """How many throws the session has had, with those that nobody has seen yet."""
    session = campaign.session
    if session is None:
        return campaign
    throws: list[RolledItem | DiceOnTable] = [
        item for item in items if isinstance(item, RolledItem)
    ]
    throws += pending.thrown if pending is not None else ()
    if not throws:
        return campaign
    counts = {"": session.throws, **session.secret_throws}
    for each in throws:
        if each.session == session.number:
            counts[each.stream] = max(counts.get(each.stream, 0), each.index + 1)
    opened = counts.pop("")
    if (opened, counts) == (session.throws, session.secret_throws):
        return campaign
    return replace(campaign, session=replace(session, throws=opened, secret_throws=counts))
