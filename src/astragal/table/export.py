"""A whole campaign as one file, and its log as a story to read.

The file is for the GM, and holds what the GM may know: what players noted for themselves or
decided in secret stays behind, as does the seed of a session that is not over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

import msgspec
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.table.fairness.parts import parts_of
from astragal.table.log import events as happened
from astragal.table.log.change_words import change_sentences
from astragal.table.log.events import LogEntry
from astragal.table.log.items import ChangedItem, DecidedItem, Item, RolledItem, ToldItem
from astragal.table.log.seals import shown_salts
from astragal.table.log.sentences import dice_words, name_of
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.store.interface import StoredImage
from astragal.table.story.document import in_markdown
from astragal.table.views.build import Views

FORMAT = 1

_encode = msgspec.json.Encoder().encode


class CampaignExport(msgspec.Struct, frozen=True, omit_defaults=True):
    """A campaign in a file, with the images of its handouts and characters."""

    astragal: int
    game: str
    title: str
    entries: tuple[LogEntry, ...]
    images: tuple[StoredImage, ...] = ()


def exported(
    campaign: Campaign, entries: Iterable[LogEntry], images: Iterable[StoredImage] = ()
) -> Iterator[bytes]:
    """The campaign as its GM may export it: a :class:`CampaignExport` as JSON, part by part."""
    for procedure in campaign.standing.open.values():
        if procedure.pending is not None:
            raise Refusal(f"Dice are being rolled for {procedure.title}. Wait for them.")
        if _has_secrets(procedure):
            raise Refusal(
                f"Somebody's secret answer is still open ({procedure.title}). "
                "Finish or cancel that before you export the campaign."
            )
    empty = _encode(CampaignExport(FORMAT, campaign.game, campaign.title, ()))
    yield empty.removesuffix(b"]}")
    comma = b""
    for entry in entries:
        yield comma + _encode(redacted(_cleared(entry, campaign)))
        comma = b","
    before = b'],"images":['
    for image in images:
        yield before + _encode(image)
        before = b","
    yield b"]}"


def redacted(entry: LogEntry) -> LogEntry:
    """An entry whose seal says that its text is not all that was written.

    The seal keeps the salts of the parts that can still be checked, but not that of the whole
    entry: with it, and with the hash of what was written, a reader could try out what is left out.
    """
    seal = entry.event.seal
    if seal is None:
        return entry
    salts = shown_salts(seal, len(parts_of(entry)))
    told = replace(seal, salt="", redacted=True, part_salts=salts)
    return replace(entry, event=replace(entry.event, seal=told))


def _has_secrets(procedure: OpenProcedure) -> bool:
    answers = sum(each.faces is None for each in procedure.given)
    decided = [item for item in procedure.story if isinstance(item, DecidedItem)]
    secret = any(item.audience and GM not in item.audience for item in decided)
    return secret or answers > len(decided)


def _cleared(entry: LogEntry, campaign: Campaign) -> LogEntry:
    """An entry without what is not the GM's to know."""
    event = entry.event
    live = campaign.session
    undone = campaign.is_undone(entry.seq)
    going_on: Collection[str] = () if undone else campaign.standing.open
    match event:
        case happened.NoteWritten(shared=False) if entry.seat != GM:
            return replace(entry, event=replace(event, text=""), mark="")
        case happened.TestSaved() if entry.seat != GM:
            return replace(entry, event=happened.TestSaved(event.id, seal=event.seal), mark="")
        case happened.XCardRaised():
            return replace(entry, seat=GM, mark="")  # nobody is told who it was
        case happened.MessageSent(audience=audience) if audience and GM not in audience:
            return replace(entry, event=replace(event, text="..."), mark="")
        case happened.SessionBegan(seed=seed) if live is not None and seed == live.seed:
            # Whoever wrote an imported file chose the numbers of the sessions in it.
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
                prepared=tuple(each for each in event.prepared if each.open or each.seat == GM),
                pending=None,
            )
            return replace(entry, event=cleared, mark="")
        case happened.AnswersDrafted(prepared=prepared):
            open_lines = tuple(each for each in prepared if each.open or each.seat == GM)
            return replace(entry, event=replace(event, prepared=open_lines), mark="")
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
        prepared=tuple(each for each in procedure.prepared if each.open or each.seat == GM),
        story=tuple(_for_gm(procedure.story)),
        pending=None,
    )


def _for_gm(items: Iterable[Item]) -> Iterator[Item]:
    return (item for item in items if not item.audience or GM in item.audience)


# --- The log as a story --------------------------------------------------------------------


def markdown(campaign: Campaign, entries: Iterable[LogEntry], seat: Seat) -> Iterator[str]:
    """The log as a seat may read it, as Markdown, line by line."""
    views = Views(campaign)
    yield f"# {in_markdown(campaign.title)}\n\n*{views.game.title}*\n\n"
    day = ""
    for seen in views.entries(seat, entries):
        if seen.at[:10] != day:
            day = seen.at[:10]
            yield f"\n## {in_markdown(day)}\n\n"
        strike = "~~" if seen.undone else ""
        if seen.text:
            yield f"{strike}**{in_markdown(seen.at[11:16])}** {in_markdown(seen.text)}{strike}\n\n"
        for item in seen.items:
            line = _line(item, views, seat)
            if line:
                yield f"- {strike}{in_markdown(line)}{strike}\n"
        if seen.items:
            yield "\n"


def _line(item: Item, views: Views, reader: Seat) -> str:
    match item:
        case ToldItem(sentence=sentence):
            return sentence
        case RolledItem(label=label, notation=notation, faces=faces, comes_to=comes_to):
            shown = " ".join(str(die.face) for die in faces)
            typed = ", real dice" if item.typed else ""
            return f"{label} rolls {dice_words(notation)}: {shown} ({comes_to}{typed})"
        case DecidedItem(usual=True):
            return ""
        case DecidedItem(seat=seat, key=key, words=words):
            return f"{name_of(seat, views.campaign)}, {key.replace('_', ' ')}: {words}"
        case ChangedItem(target=target):
            own = views.game.scene_words if target == SCENE else views.game.sheet_words
            called = partial(_called, views=views, reader=reader)
            said = change_sentences(item.path, item.before, item.after, own, called)
            return "; ".join(f"{_called(target, views, reader)}: {text}" for text in said)
    return ""


def _called(target: str, views: Views, reader: Seat) -> str:
    """What the scene or a character is called; the key of one that the reader cannot see now."""
    if target == SCENE:
        return "Scene"
    if not views.pages.knows(reader, target):
        return target
    return str(views.pages.characters[target].sheet.get("name", target))
