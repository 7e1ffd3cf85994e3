"""A whole campaign as one file, and back; and its log as a story to read.

The file is for the GM, and holds what the GM may know: what players noted for themselves or
decided in secret stays behind, as does the seed of a session that is not over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.items import ChangedItem, DecidedItem, Item, RolledItem, ToldItem
from astragal.table.log.sentences import change_sentence, name_of
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.views.build import Views

FORMAT = 1


class CampaignExport(msgspec.Struct, frozen=True):
    """A campaign in a file."""

    astragal: int
    game: str
    title: str
    entries: tuple[LogEntry, ...]


def exported(campaign: Campaign, entries: Iterable[LogEntry]) -> CampaignExport:
    """The campaign as its GM may export it."""
    for procedure in campaign.standing.open.values():
        if procedure.pending is not None:
            raise Refusal(f"Dice are being rolled for {procedure.title}. Wait for them.")
        if _has_secrets(procedure):
            raise Refusal(
                f"Somebody's secret answer is still open ({procedure.title}). "
                "Finish or cancel that before you export the campaign."
            )
    log = tuple(entries)
    live = _live_session(log)
    kept = tuple(_redacted(_cleared(each, campaign, live)) for each in log)
    return CampaignExport(FORMAT, campaign.game, campaign.title, kept)


def _redacted(entry: LogEntry) -> LogEntry:
    """An entry whose seal says that its text is not all that was written."""
    seal = entry.event.seal
    if seal is None:
        return entry
    return replace(entry, event=replace(entry.event, seal=replace(seal, redacted=True)))


def _live_session(log: Iterable[LogEntry]) -> int:
    """The entry with which the session began that is not over; 0 if there is none.

    The place in the log decides, not the number of the session: whoever wrote an imported file
    chose the numbers in it.
    """
    live = 0
    for entry in log:
        if isinstance(entry.event, happened.SessionBegan):
            live = entry.seq
        elif isinstance(entry.event, happened.SessionEnded):
            live = 0
    return live


def imported(raw: bytes) -> tuple[str, list[AnyEvent], list[tuple[str, Seat]]]:
    """The game, the events, and when and by whom, of a file that somebody imports."""
    try:
        read = msgspec.json.decode(raw, type=CampaignExport)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise BadInput("file", f"{len(raw)} bytes", f"an exported campaign ({error})") from None
    if read.astragal != FORMAT:
        raise BadInput("file.astragal", read.astragal, f"{FORMAT}")
    game_named(read.game, "file.game")
    if not read.entries or not isinstance(read.entries[0].event, happened.CampaignCreated):
        raise BadInput(
            "file.entries", len(read.entries), "a log that begins with the campaign's creation"
        )
    _check_sessions(read.entries)
    _check(read)
    events = _unsettled([_redacted(each).event for each in read.entries])
    return read.game, events, [(each.at, each.seat) for each in read.entries]


def _check_sessions(entries: Iterable[LogEntry]) -> None:
    """Sessions have the numbers 1, 2, 3, ..., and each is over before the next begins."""
    number, is_open = 0, False
    for place, entry in enumerate(entries):
        at = f"file.entries[{place}].event.number"
        match entry.event:
            case happened.SessionBegan(number=found):
                if is_open or found != number + 1:
                    ended = f" after session {number} has ended" if is_open else ""
                    raise BadInput(at, found, f"session {number + 1}{ended}: they follow in order")
                number, is_open = found, True
            case happened.SessionEnded(number=found):
                if not is_open or found != number:
                    expected = f"session {number}, which is open" if is_open else "an open session"
                    raise BadInput(at, found, expected)
                is_open = False


def _unsettled(events: list[AnyEvent]) -> list[AnyEvent]:
    """The seed of an open session is not imported: the author of the file knows it.

    What counts is whether a session ended before another began, whatever numbers they have.
    """
    ended, kept = False, []
    for event in reversed(events):
        if isinstance(event, happened.SessionEnded):
            ended = True
        elif isinstance(event, happened.SessionBegan):
            event = event if ended else replace(event, seed="")
            ended = False
        kept.append(event)
    return kept[::-1]


def _check(read: CampaignExport) -> None:
    """A file that does not lead to a table that can be looked at is no campaign."""
    try:
        campaign = fold(Campaign("import", read.game, read.title), read.entries)
        if GM not in campaign.chairs:
            raise BadInput("file.entries", None, "a seat for the GM")
        Views(campaign).view(GM, read.entries[-20:])
    except Refusal:
        raise
    except Exception as error:
        expected = "a log that can be followed from its beginning to its end"
        raise BadInput("file.entries", type(error).__name__, expected) from None


def _has_secrets(procedure: OpenProcedure) -> bool:
    answers = sum(each.faces is None for each in procedure.given)
    decided = [item for item in procedure.story if isinstance(item, DecidedItem)]
    secret = any(item.audience and GM not in item.audience for item in decided)
    return secret or answers > len(decided)


def _cleared(entry: LogEntry, campaign: Campaign, live: int) -> LogEntry:
    """An entry without what is not the GM's to know; ``live`` began the session that goes on."""
    event = entry.event
    undone = any(after < entry.seq < by for after, by in campaign.undone)
    going_on: Collection[str] = () if undone else campaign.standing.open
    match event:
        case happened.NoteWritten(shared=False) if entry.seat != GM:
            return replace(entry, event=replace(event, text=""), mark="")
        case happened.MessageSent(audience=audience) if audience and GM not in audience:
            return replace(entry, event=replace(event, text="..."), mark="")
        case happened.SessionBegan() if entry.seq == live:
            return replace(entry, event=replace(event, seed=""), mark="")
        case happened.ProcedureBegan(procedure=begun):
            told = _told(begun, going_on)
            return replace(entry, event=replace(event, procedure=told), mark="")
        case happened.AnswerGiven(procedure=id, given=given):
            still = id in going_on
            cleared = replace(
                event,
                given=given if still else (),
                items=tuple(_for_gm(event.items)),
                questions=event.questions if still else (),
                prepared=tuple(each for each in event.prepared if each.seat == GM),
                pending=None,
            )
            return replace(entry, event=cleared, mark="")
        case happened.RulingMade(procedures=procedures):
            ruled = tuple(_told(each, going_on) for each in procedures)
            return replace(entry, event=replace(event, procedures=ruled), mark="")
        case happened.EntriesUndone(standing=standing):
            stood = {id: _told(each, going_on) for id, each in standing.open.items()}
            restored = replace(standing, open=stood)
            return replace(entry, event=replace(event, standing=restored), mark="")
    return replace(entry, mark="")


def _told(procedure: OpenProcedure, going_on: Collection[str]) -> OpenProcedure:
    """A procedure without what was said in secret; what is over needs no answers any more."""
    still = procedure.id in going_on
    return replace(
        procedure,
        given=procedure.given if still else (),
        questions=procedure.questions if still else (),
        prepared=tuple(each for each in procedure.prepared if each.seat == GM),
        story=tuple(_for_gm(procedure.story)),
        pending=None,
    )


def _for_gm(items: Iterable[Item]) -> Iterator[Item]:
    return (item for item in items if not item.audience or GM in item.audience)


# --- The log as a story --------------------------------------------------------------------


def markdown(campaign: Campaign, entries: Iterable[LogEntry], seat: Seat) -> Iterator[str]:
    """The log as a seat may read it, as Markdown, line by line."""
    views = Views(campaign)
    yield f"# {_escaped(campaign.title)}\n\n*{views.game.title}*\n\n"
    day = ""
    for seen in views.entries(seat, entries):
        if seen.at[:10] != day:
            day = seen.at[:10]
            yield f"\n## {day}\n\n"
        strike = "~~" if seen.undone else ""
        if seen.text:
            yield f"{strike}**{seen.at[11:16]}** {_escaped(seen.text)}{strike}\n\n"
        for item in seen.items:
            line = _line(item, views, seat)
            if line:
                yield f"- {strike}{_escaped(line)}{strike}\n"
        if seen.items:
            yield "\n"


def _line(item: Item, views: Views, reader: Seat) -> str:
    match item:
        case ToldItem(sentence=sentence):
            return sentence
        case RolledItem(label=label, notation=notation, faces=faces, comes_to=comes_to):
            shown = " ".join(str(die.face) for die in faces)
            typed = ", real dice" if item.typed else ""
            return f"{label} rolls {notation}: {shown} ({comes_to}{typed})"
        case DecidedItem(usual=True):
            return ""
        case DecidedItem(seat=seat, key=key, words=words):
            return f"{name_of(seat, views.campaign)}, {key.replace('_', ' ')}: {words}"
        case ChangedItem(target=target):
            return change_sentence(item, _called(target, views, reader))
    return ""


def _called(target: str, views: Views, reader: Seat) -> str:
    """What the scene or a character is called; the key of one that the reader cannot see now."""
    if target == SCENE:
        return "Scene"
    if not views.pages.knows(reader, target):
        return target
    return str(views.pages.characters[target].sheet.get("name", target))


def _escaped(text: str) -> str:
    """Text that means nothing to Markdown or to a browser."""
    for mark in "\\`*_[]<>#|":
        text = text.replace(mark, f"\\{mark}" if mark != "<" else "&lt;")
    return text.replace("\n", " ")
