"""A view and its updates, merged by the client, are the view that the server would show anew."""

import asyncio
import random

import pytest

from astragal.client import Refused, SeatClient
from astragal.client.client import token_of
from astragal.table.commands.commands import (
    AddCharacter,
    BeginDiceSession,
    BeginProcedure,
    CancelProcedure,
    ChangeSeat,
    ChangeTitle,
    EditSheet,
    EndDiceSession,
    GiveCharacter,
    MakeRuling,
    PauseGame,
    RemoveCharacter,
    ResumeGame,
    RuledValue,
    SendMessage,
    ThrowDice,
    UndoEntries,
    UseOwnDice,
    WriteNote,
)
from web.serving import a_table, serving

TEST = {"character": "tam", "intent": "a way in", "task": "looks around", "ability": "Perception"}


def anything(chance, gm):
    """Some command of the GM's that may well be refused as things stand."""
    number = chance.randrange(1000)
    going_on = [each.id for each in gm.view.open] or ["none"]
    return chance.choice(
        [
            SendMessage(f"word {number}"),
            SendMessage("psst", ("anna",)),
            ThrowDice("3d6", "in secret", secret=True),
            ThrowDice("4B"),
            AddCharacter(f"guard{number % 3}", sketch="guard, 4s", hidden=bool(number % 2)),
            RemoveCharacter(f"guard{number % 3}"),
            GiveCharacter("mara", chance.choice(["gm", "anna"])),
            WriteNote(f"n{number % 3}", chance.choice(["", "a note"]), shared=bool(number % 2)),
            MakeRuling("so be it", (RuledValue("mara", "artha.fate", number % 5),)),
            EditSheet("mara", "artha.persona", number % 5),
            ChangeTitle(f"Title {number}", free_edits=bool(number % 2)),
            ChangeSeat("bo", f"Bo {number}", gone=bool(number % 2)),
            PauseGame("tea"),
            ResumeGame(),
            UseOwnDice(bool(number % 5)),
            BeginProcedure("standard_test", TEST),
            CancelProcedure(chance.choice(going_on)),
            UndoEntries(max(1, gm.view.seq - chance.randrange(1, 6))),
            EndDiceSession(),
            BeginDiceSession(),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_merging_agrees_with_looking_anew(store_url, seed):
    chance = random.Random(seed)

    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            seats = [
                SeatClient(server.url, people.campaign, token)
                for token in (people.gm, people.anna, people.watcher)
            ]
            for seat in seats:
                await seat.open()
            gm, done = seats[0], 0
            for _ in range(70):
                asked = gm.asked
                try:
                    if asked and chance.random() < 0.6:
                        question = asked[0].question
                        default = getattr(question.question, "default", None)
                        faces = [3] * getattr(question.question, "count", 0)
                        seq = await gm.answer(asked[0], faces or default)
                    else:
                        seq = await gm.do(anything(chance, gm))
                except Refused:
                    continue
                done += 1
                for seat in seats:
                    await seat.wait_until(lambda view, seq=seq: view.seq >= seq)
                    anew = await seat.see()
                    assert seat.view.log[-len(anew.log) :] == anew.log
                    parts = [
                        part for part in anew.__struct_fields__ if part not in ("log", "older")
                    ]
                    for part in parts:
                        assert getattr(seat.view, part) == getattr(anew, part), part
            assert done > 25
            for seat in seats:
                await seat.close()

    asyncio.run(play())


def test_a_link_or_a_token_will_do():
    assert token_of("https://table.example/join/abc-_1") == "abc-_1"
    assert token_of("abc-_1") == "abc-_1"
