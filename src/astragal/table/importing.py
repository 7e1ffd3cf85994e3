"""A campaign from a file that somebody imports: read, checked and folded, or refused.

A file may come from a stranger. What the table would refuse from a seat is refused here as well:
its limits hold, keys are keys and dates are dates. Reading takes time in proportion to the file,
in small steps, so that a thread can do it while all tables go on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.rules import Options
from astragal.table.commands.commands import (
    ImageId,
    Key,
    Name,
    ShowHandout,
    Temperament,
    Words,
)
from astragal.table.commands.decide import (
    MOST_CHAIRS,
    MOST_CHARACTERS,
    MOST_NOTES,
    MOST_PROPOSED,
)
from astragal.table.commands.edits import MOST_ON_A_SHEET, checked_key
from astragal.table.commands.handouts import MOST_HANDOUTS, MOST_SAVED
from astragal.table.commands.partners import check_dial
from astragal.table.commands.procedures import MOST_OPEN
from astragal.table.export import FORMAT, redacted
from astragal.table.images import MOST_BYTES_IN_ALL, MOST_IMAGES, stored_image
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.state import (
    Campaign,
    Chair,
    OpenProcedure,
    Restorable,
    Role,
    TablePartner,
)
from astragal.table.running.keys import STREAMS
from astragal.table.store.interface import StoredImage
from astragal.table.views.build import Views

MOST_ENTRIES = 50_000
"""Several years of play; every entry is folded before the campaign is taken in."""
MOST_IN_THE_SCENE = 1_000_000
"""How many bytes the scene may have."""
MOST_STEPS = 4000
"""How much may have been told and given in one open procedure."""
SECONDS = 30.0
"""How long folding may take, on any machine."""
SHOWN = 80
"""How many of the last entries every seat has to be able to see."""

_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)")
_HEX = re.compile(r"([0-9a-f]{64})?")

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
NoteText = Annotated[str, msgspec.Meta(max_length=20_000)]


class TooManyImports(Refusal):
    """Others are importing campaigns at this moment."""


class Imported(msgspec.Struct, frozen=True):
    """What a file holds: its game, its events, when and by whom, and where they lead."""

    game: str
    events: Sequence[AnyEvent]
    signs: Sequence[tuple[str, Seat]]
    state: Campaign
    images: Sequence[StoredImage] = ()


class _File(msgspec.Struct, frozen=True):
    """The file with its entries unread: all at once would hold up everything else."""

    astragal: int
    game: str
    title: str
    entries: tuple[msgspec.Raw, ...]
    images: tuple[msgspec.Raw, ...] = ()


_read_file = msgspec.json.Decoder(_File).decode
_read_entry = msgspec.json.Decoder(LogEntry).decode
_read_image = msgspec.json.Decoder(StoredImage).decode


def imported(raw: bytes) -> Imported:
    """What a file holds, or a refusal that says where it is not as it should be."""
    try:
        file = _read_file(raw)
        if file.astragal != FORMAT:
            raise BadInput("file.astragal", file.astragal, f"{FORMAT}")
        game_named(file.game, "file.game")
        if len(file.entries) > MOST_ENTRIES:
            raise BadInput("file.entries", len(file.entries), f"at most {MOST_ENTRIES} entries")
        entries = [_read_entry(entry) for entry in file.entries]
        images = _images(file.images)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput("file", f"{len(raw)} bytes", f"an exported campaign ({error})") from None
    if not entries or not isinstance(entries[0].event, happened.CampaignCreated):
        raise BadInput(
            "file.entries", len(entries), "a log that begins with the campaign's creation"
        )
    _check_sessions(entries)
    events = _unsettled([redacted(each).event for each in entries])
    kept = [replace(each, event=event) for each, event in zip(entries, events, strict=True)]
    state = _followed(file, kept)
    signs = [(each.at, each.seat) for each in entries]
    shown = tuple(image for id, image in images.items() if id in state.images)
    return Imported(file.game, events, signs, state, shown)


def _images(raw: Sequence[msgspec.Raw]) -> dict[str, StoredImage]:
    """The images in a file, each looked at as if it were uploaded, under their own names."""
    if len(raw) > MOST_IMAGES:
        raise BadInput("file.images", len(raw), f"at most {MOST_IMAGES} images")
    found: dict[str, StoredImage] = {}
    for number, each in enumerate(raw):
        image = stored_image(_read_image(each).data, f"file.images[{number}]")
        found[image.id] = image
    size = sum(len(each.data) for each in found.values())
    if size > MOST_BYTES_IN_ALL:
        raise BadInput("file.images", f"{size} bytes", f"at most {MOST_BYTES_IN_ALL} bytes")
    return found


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


def _followed(file: _File, entries: Sequence[LogEntry]) -> Campaign:
    """Where the entries lead; a file that leads to no table that can be seen is no campaign."""
    checking = _Checking(file.game)
    try:
        campaign = fold(
            Campaign("import", file.game, file.title), checking.each(entries), checking.after
        )
        if GM not in campaign.chairs:
            raise BadInput("file.entries", None, "a seat for the GM")
        views = Views(campaign)
        for seat, chair in campaign.chairs.items():
            if not chair.gone:
                views.view(seat, entries[-SHOWN:])
    except Refusal:
        raise
    except Exception as error:
        expected = "a log that can be followed from its beginning to its end"
        raise BadInput("file.entries", type(error).__name__, expected) from None
    return campaign


class _Checking:
    """Checks entries one by one, before and after each is folded."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._until = time.monotonic() + SECONDS
        self._place = ""

    def each(self, entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
        """The entries, each checked by itself."""
        for number, entry in enumerate(entries):
            self._place = f"file.entries[{number}]"
            if time.monotonic() > self._until:
                expected = f"a log that can be followed in {SECONDS:.0f} seconds"
                raise BadInput("file.entries", len(entries), expected)
            if entry.seq != number + 1:
                raise BadInput(f"{self._place}.seq", entry.seq, f"{number + 1}")
            self._date(entry.at)
            self._fits(entry.seat, Key, "seat")
            self._event(entry.event, entry.seq)
            yield entry

    def after(self, campaign: Campaign, entry: LogEntry) -> None:
        """The table's own limits, as they are after an entry."""
        if entry.seat != GM and entry.seat not in campaign.chairs:
            raise BadInput(f"{self._place}.seat", entry.seat, "a seat at the table")
        match entry.event:
            case happened.SeatChanged():
                self._most("seats", len(campaign.chairs), MOST_CHAIRS)
            case happened.NoteWritten():
                self._most("notes", len(campaign.notes), MOST_NOTES)
            case happened.EditProposed():
                waiting = sum(each.seat == entry.seat for each in campaign.proposals.values())
                self._most("edits of one seat", waiting, MOST_PROPOSED)
            case happened.HandoutShown():
                self._most("handouts", len(campaign.handouts), MOST_HANDOUTS)
            case happened.TestSaved():
                mine = sum(each.seat == entry.seat for each in campaign.saved.values())
                self._most("saved tests of one seat", mine, MOST_SAVED)
            case happened.CharacterJoined():
                self._most("characters", len(campaign.standing.characters), MOST_CHARACTERS)
            case happened.ProcedureBegan():
                self._most("open procedures", len(campaign.standing.open), MOST_OPEN)
            case happened.AnswerGiven(procedure=id) if id in campaign.standing.open:
                self._procedure(campaign.standing.open[id])

    def _event(self, event: AnyEvent, seq: int) -> None:
        """What can be said of an event by itself."""
        match event:
            case happened.CampaignCreated():
                if seq != 1 or event.game != self._game:
                    raise BadInput(f"{self._place}.event", event.game, f"the game {self._game}")
                self._fits(event.title, Title, "event.title")
                self._size(event.scene, "event.scene", MOST_IN_THE_SCENE)
                Options.of(self._game, event.options)
            case happened.TitleChanged(title=title):
                self._fits(title, Title, "event.title")
            case happened.HouseRulesChanged(options=options):
                Options.of(self._game, options)
            case happened.SeatChanged(chair=chair):
                self._chair(chair)
            case happened.CharacterJoined(character=key, sheet=character):
                self._fits(key, Key, "event.character")
                checked_key(key, f"{self._place}.event.character")
                self._size(character.sheet, "event.sheet")
                self._fits(character.portrait, ImageId, "event.sheet.portrait")
                self._partner(character.partner)
            case happened.PartnerChanged(partner=partner):
                self._partner(partner)
            case happened.PortraitChanged(image=image):
                self._fits(image, ImageId, "event.image")
            case happened.HandoutShown():
                self._handout(event)
            case happened.TestSaved(id=id):
                self._fits(id, Key, "event.id")
                self._size(event.arguments, "event.arguments")
            case happened.MessageSent(text=text):
                self._fits(text, Words, "event.text")
            case happened.NoteWritten(id=id, text=text):
                self._fits(id, Key, "event.id")
                self._fits(text, NoteText, "event.text")
            case happened.ProcedureBegan(procedure=begun):
                self._procedure(begun)
            case happened.RulingMade(procedures=procedures):
                for each in procedures:
                    self._procedure(each)
            case happened.GamePaused(reason=reason):
                self._fits(reason, Words, "event.reason")
            case happened.EntriesUndone(to=to, standing=standing):
                if not 1 <= to < seq:
                    raise BadInput(f"{self._place}.event.to", to, f"an entry before {seq}")
                self._standing(standing)
            case happened.SessionBegan(commitment=commitment, seed=seed, streams=streams):
                self._hex(commitment, "event.commitment")
                self._hex(seed, "event.seed")
                self._most("streams of secret throws", len(streams), STREAMS)
                for stream, published in streams.items():
                    self._fits(stream, Key, "event.streams")
                    self._hex(published, "event.streams")
            case happened.DiceContributed(value=value):
                self._hex(value, "event.value")
            case happened.SessionEnded(seed=seed):
                self._hex(seed, "event.seed")

    def _partner(self, partner: TablePartner | None) -> None:
        if partner is not None:
            check_dial(partner.dial, f"{self._place}.event.partner.dial")
            self._fits(partner.temperament, Temperament, "event.partner.temperament")

    def _handout(self, event: happened.HandoutShown) -> None:
        try:
            shown = ShowHandout(event.id, event.title, event.text, event.image)
            msgspec.convert(msgspec.to_builtins(shown), ShowHandout)
        except msgspec.ValidationError as error:
            raise BadInput(f"{self._place}.event", event.title[:60], str(error)) from None

    def _chair(self, chair: Chair) -> None:
        self._fits(chair.seat, Key, "event.chair.seat")
        self._fits(chair.name, Name, "event.chair.name")
        if chair.seat == SCENE or (chair.seat == GM) != (chair.role is Role.GM):
            raise BadInput(
                f"{self._place}.event.chair", chair.seat, "gm at the seat gm, and only there"
            )
        if chair.seat == GM and chair.gone:
            raise BadInput(f"{self._place}.event.chair.gone", True, "false: every table has a GM")

    def _standing(self, standing: Restorable) -> None:
        self._most("characters", len(standing.characters), MOST_CHARACTERS)
        self._most("open procedures", len(standing.open), MOST_OPEN)
        self._size(standing.scene, "event.standing.scene", MOST_IN_THE_SCENE)
        for character in standing.characters.values():
            self._size(character.sheet, "event.standing.characters")
            self._fits(character.portrait, ImageId, "event.standing.characters")
            self._partner(character.partner)
        for each in standing.open.values():
            self._procedure(each)

    def _procedure(self, procedure: OpenProcedure) -> None:
        self._fits(procedure.id, Key, "event.procedure.id")
        self._most("steps", len(procedure.story) + len(procedure.given), MOST_STEPS)

    def _date(self, at: str) -> None:
        try:
            if _DATE.fullmatch(at):
                datetime.fromisoformat(at)
                return
        except ValueError:
            pass
        raise BadInput(f"{self._place}.at", at[:60], "a date like 2024-05-31T19:30:00.000+00:00")

    def _hex(self, text: str, where: str) -> None:
        if not _HEX.fullmatch(text):
            raise BadInput(f"{self._place}.{where}", text[:80], "64 hexadecimal digits, or nothing")

    def _most(self, what: str, found: int, most: int) -> None:
        if found > most:
            raise BadInput(self._place, f"{found} {what}", f"at most {most}")

    def _size(self, plain: dict[str, Any], where: str, most: int = MOST_ON_A_SHEET) -> None:
        size = len(msgspec.json.encode(plain))
        if size > most:
            raise BadInput(f"{self._place}.{where}", f"{size} bytes", f"at most {most} bytes")

    def _fits(self, value: str, kind: Any, where: str) -> None:
        try:
            _checked(kind)(value)
        except msgspec.ValidationError as error:
            raise BadInput(f"{self._place}.{where}", value[:60], str(error)) from None


@cache
def _checked(kind: Any) -> Any:
    """A check of one value by its type; the type is worked out once."""
    decoder = msgspec.json.Decoder(kind)
    return lambda value: decoder.decode(msgspec.json.encode(value))
