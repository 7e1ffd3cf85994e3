"""What is written next to old campaigns, and how one goes on in them.

The writer and the test share this, so that both read a campaign in the same way. It compares game
data alone: sheets, scenes, tags, keys and numbers, and never a sentence that people read.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from astragal.errors import NotAllowed
from astragal.play import GM, Faces, OutOfStep, Script, Seat, Text
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.log.events import LogEntry
from astragal.table.log.state import Campaign, OpenProcedure
from table.company import decode, encode, usual

HERE = Path(__file__).parent
PACKED = ".tar.xz"
DATABASE, RECORDED, EXPORTS = "table.sqlite", "recorded.json", "exports/"
"""What is packed together, because most of it is there twice."""
MOST_STEPS = 600


class Rest(msgspec.Struct, frozen=True):
    """How an open procedure went on when it was written: answers and faces in their order."""

    procedure: str
    answers: list[tuple[Seat, str, Any]]
    faces: list[int]
    outcome: dict[str, Any]
    """Sheets and scene when it was over."""


class Recorded(msgspec.Struct, frozen=True):
    """One campaign as the version that wrote it left it."""

    name: str
    token: str
    state: dict[str, Any]
    exported: bool
    rest: Rest | None = None


class Version(msgspec.Struct, frozen=True):
    """Everything that one version wrote: campaigns by their ids, a database, exported files."""

    name: str
    campaigns: dict[str, Recorded]
    database: bytes
    exports: dict[str, bytes]


def versions() -> list[str]:
    """The names under which versions have written campaigns."""
    return sorted(path.name.removesuffix(PACKED) for path in HERE.glob(f"*{PACKED}"))


@cache
def read_version(name: str) -> Version:
    """All that one version wrote."""
    with tarfile.open(HERE / f"{name}{PACKED}", "r:xz") as archive:
        files = {
            member.name: file.read()
            for member in archive.getmembers()
            if (file := archive.extractfile(member)) is not None
        }
    campaigns = msgspec.json.decode(files[RECORDED], type=dict[str, Recorded])
    exports = {Path(name).stem: raw for name, raw in files.items() if name.startswith(EXPORTS)}
    return Version(name, campaigns, files[DATABASE], exports)


def write_version(version: Version) -> None:
    """Pack it all, so that the same contents make the same file."""
    files = {
        DATABASE: version.database,
        RECORDED: encode(version.campaigns),
        **{f"{EXPORTS}{id}.json": raw for id, raw in version.exports.items()},
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, raw in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            archive.addfile(member, io.BytesIO(raw))
    small = lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME)
    (HERE / f"{version.name}{PACKED}").write_bytes(small)


def plainly(value: Any) -> Any:
    """Plain data as a file gives it back."""
    return decode(encode(value))


def game_data(campaign: Campaign) -> dict[str, Any]:
    """Sheets and scene, whatever else there is."""
    standing = campaign.standing
    sheets = {key: each.sheet for key, each in standing.characters.items()}
    data: dict[str, Any] = plainly({"characters": sheets, "scene": standing.scene})
    return data


def essentials(campaign: Campaign) -> dict[str, Any]:
    """What has to be the same in every later version."""
    standing = campaign.standing
    session = campaign.session
    data: dict[str, Any] = plainly(
        {
            "game": campaign.game,
            "entries": campaign.seq,
            **game_data(campaign),
            "hidden": sorted(key for key, each in standing.characters.items() if each.hidden),
            "known_scene": standing.known_scene,
            "options": standing.options,
            "open": {id: _open(each) for id, each in standing.open.items()},
            "chairs": {
                seat: [chair.role, chair.own_dice, chair.gone]
                for seat, chair in campaign.chairs.items()
            },
            "sessions": [[each.number, each.seed, each.throws] for each in campaign.past_sessions],
            "session": session and [session.number, session.commitment, session.throws],
            "notes": {id: [note.seat, note.shared] for id, note in campaign.notes.items()},
            "proposals": {
                id: [each.seat, each.character, each.path]
                for id, each in campaign.proposals.items()
            },
            "undone": campaign.undone,
            "paused": campaign.paused is not None,
            "free_edits": campaign.free_edits,
        }
    )
    return data


def _open(procedure: OpenProcedure) -> dict[str, Any]:
    return {
        "name": procedure.name,
        "arguments": procedure.arguments,
        "by": procedure.by,
        "characters": procedure.characters,
        "secret": procedure.secret,
        "given": procedure.given,
        "taken": procedure.taken,
        "waits_for_dice": procedure.pending is not None,
        "prepared": [[each.seat, each.key, each.answer] for each in procedure.prepared],
        "questions": [
            [each.seat, each.key, type(each.question).__struct_config__.tag, each.step, each.secret]
            for each in procedure.questions
        ],
        "story": [tag_of(item) for item in procedure.story],
    }


def tag_of(item: Any) -> str:
    """What kind of item it is; of a fact also which fact."""
    tag = str(type(item).__struct_config__.tag)
    return f"{tag}:{item.kind}" if tag == "told" else tag


def structs_in(value: Any) -> Iterator[msgspec.Struct]:
    """Every struct within a value; what is in a row, or by keys, is all of one kind."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from structs_in(getattr(value, name))
        return
    several = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list | tuple) and isinstance(
        next(iter(several), None), msgspec.Struct
    ):
        for each in several:
            yield from structs_in(each)


class Player:
    """Whoever sits at all seats of one campaign, and answers what is asked there."""

    def __init__(self, tables: Tables, campaign: str) -> None:
        self.tables = tables
        self.id = campaign

    async def do(self, seat: Seat, command: Any, mark: str = "") -> int:
        return await self.tables.do(self.id, seat, command, mark)

    async def gm(self, command: Any) -> int:
        return await self.do(GM, command)

    async def state(self) -> Campaign:
        return await self.tables.campaign(self.id)

    async def log(self) -> list[LogEntry]:
        return await self.tables.store.entries(self.id)

    async def answer(self, procedure: str, seat: Seat, step: int, answer: Any) -> None:
        """Answer at a seat, or as the GM for a seat that nobody sits at."""
        chair = (await self.state()).chairs.get(seat)
        if chair is None or chair.gone:
            instead = do.AnswerQuestion(procedure, step, answer, seat, "nobody sits there")
            await self.gm(instead)
        else:
            await self.do(seat, do.AnswerQuestion(procedure, step, answer))

    async def own_dice(self, on: bool) -> None:
        """Everybody throws real dice from now on, or nobody."""
        for seat, chair in (await self.state()).chairs.items():
            if chair.own_dice is not on and not chair.gone and chair.role.value != "spectator":
                await self.do(seat, do.UseOwnDice(on))

    async def give(
        self, id: str, answers: list[tuple[Seat, str, Any]], faces: list[int], most: int = 10**6
    ) -> tuple[list[tuple[Seat, str, Any]], list[int]]:
        """Give written answers and faces until the procedure is over, or so many are given.

        What is left of them is given back. Every question must be the one that was written down.
        """
        answers, faces = list(answers), list(faces)
        for _ in range(MOST_STEPS):
            procedure = (await self.state()).standing.open.get(id)
            if procedure is None:
                return answers, faces
            asked = {each.seat: each for each in procedure.questions}
            waits = [each for each in procedure.questions if isinstance(each.question, Faces)]
            if waits and procedure.pending is not None:
                question = waits[0]
                assert isinstance(question.question, Faces)
                count = question.question.count
                assert len(faces) >= count, f"{id} throws more dice than it did"
                thrown, faces = faces[:count], faces[count:]
                await self.answer(id, question.seat, question.step, thrown)
                continue
            if most == 0:
                return answers, faces
            assert answers, f"{id} asks for more than it did: {sorted(asked)}"
            (seat, key, answer), *answers = answers
            assert seat in asked, f"{id} asks {sorted(asked)}, and {seat} was asked {key}"
            assert asked[seat].key == key, f"{id} asks {asked[seat].key}, and {key} was asked"
            await self.answer(id, seat, asked[seat].step, answer)
            most -= 1
        raise AssertionError(f"{id} does not end")

    async def give_by_key(
        self, id: str, answers: list[tuple[Seat, str, Any]], faces: list[int]
    ) -> tuple[set[str], set[str]]:
        """Give written answers to whatever questions have their keys, until the end.

        The keys that were written and are not asked, and those that are asked and were not
        written: these get their default.
        """
        answers, faces, asked_anew = list(answers), list(faces), set()
        for _ in range(MOST_STEPS):
            procedure = (await self.state()).standing.open.get(id)
            if procedure is None:
                assert not faces, f"{id} throws fewer dice than it did"
                return {key for _, key, _ in answers}, asked_anew
            waits = [each for each in procedure.questions if isinstance(each.question, Faces)]
            question = waits[0] if waits else procedure.questions[0]
            if isinstance(question.question, Faces):
                count = question.question.count
                assert len(faces) >= count, f"{id} throws more dice than it did"
                answer, faces = faces[:count], faces[count:]
            else:
                written = next((a for a in answers if a[:2] == (question.seat, question.key)), None)
                if written is None:
                    asked_anew.add(question.key)
                    answer = usual(question.question)
                else:
                    answers.remove(written)
                    answer = written[2]
            await self.answer(id, question.seat, question.step, answer)
        raise AssertionError(f"{id} does not end")

    async def finish(self, id: str) -> bool:
        """Give every question its default, or else whatever the rules allow there.

        Whether it came to its end; if the rules allow nothing, or what was given does not fit the
        procedure, the GM calls it off.
        """
        for _ in range(MOST_STEPS):
            procedure = (await self.state()).standing.open.get(id)
            if procedure is None:
                return True
            question = procedure.questions[0]
            for answer in _answers(question.question):
                try:
                    await self.answer(id, question.seat, question.step, answer)
                    break
                except (NotAllowed, OutOfStep):
                    continue
            else:
                await self.gm(do.CancelProcedure(id, "not by the rules"))
                return False
        raise AssertionError(f"{id} does not end")


def _answers(question: Any) -> Iterator[Any]:
    yield usual(question)
    if not isinstance(question, Faces | Script | Text):
        yield from islice(question.every_answer(5000), 40)
