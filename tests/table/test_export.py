"""Taking a campaign home: the file, what is not in it, and the log as a story."""

from __future__ import annotations

import asyncio
import re
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named, games
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.export import CampaignExport
from astragal.table.fairness import evidence, verify
from astragal.table.log.events import SessionBegan
from astragal.table.log.seals import body_of
from table.company import Company, encode, everything, played, table, usual
from table.random_play import RandomPlay

DUEL = game_named("burning_wheel").demo.suggestions[1]
TEST = game_named("burning_wheel").demo.suggestions[0]


async def brought_back(at: Company) -> tuple[bytes, Company]:
    file = encode(await at.tables.export(at.id))
    campaign, token = await at.tables.import_(file)
    assert (await at.tables.seat_at(token)).seat == GM
    return file, Company(at.tables, campaign, token)


def alike(view: dict[str, Any], *, private: bool = False) -> dict[str, Any]:
    """A view without its campaign's own key, and without what stays with each player."""
    kept = {**view, "campaign": {**view["campaign"], "id": ""}}
    if private:
        kept["notes"] = [note for note in view["notes"] if note.get("shared")]
        kept["log"] = [
            {**entry, "text": "", "items": []}
            if entry.get("private")
            else {**entry, "items": [i for i in entry.get("items", []) if not i.get("audience")]}
            for entry in view["log"]
        ]
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(games()))
def test_a_campaign_comes_back_as_it_was(name: str):
    async def play() -> None:
        async with table(name) as at:
            play = RandomPlay(at, game_named(name), Random(f"export {name}"))
            await play.gather()
            for _ in range(60):
                await play.step()
            for id in list((await at.state()).standing.open):
                await at.gm(do.CancelProcedure(id))
            if (await at.state()).session is not None:
                await at.gm(do.EndDiceSession())
            file, there = await brought_back(at)
            assert alike(await there.view(GM)) == alike(await at.view(GM))
            for seat in (*play.players, "watcher"):
                assert alike(await there.view(seat), private=True) == alike(
                    await at.view(seat), private=True
                )
            for word in play.secrets.kept_from(GM):
                assert word not in file.decode()
            # And it can be taken home again from there.
            assert encode(await there.tables.export(there.id)) == file

    asyncio.run(play())


@played
async def test_the_secrets_of_players_stay_behind(at: Company):
    await at.do("anna", do.WriteNote("n1", "zebra one"))
    await at.do("anna", do.WriteNote("n2", "zebra two", shared=True))
    await at.do("anna", do.WriteNote("n2", "zebra three"))
    await at.do("anna", do.SendMessage("zebra four", ("ben",)))
    await at.do("anna", do.SendMessage("for the GM, too", ("ben", GM)))
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.do("anna", do.DraftAnswers(duel, (do.ReadyAnswer("x", "y", "zebra five"),)))
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["feint", "incite", "avoid"])
    with pytest.raises(Refusal, match="Somebody's secret answer is still open"):
        await at.tables.export(at.id)
    await at.gm(do.UndoEntries((await at.state()).seq - 1))  # the script was never written
    file, there = await brought_back(at)
    text = file.decode()
    for gone in ("zebra one", "zebra three", "zebra four", "zebra five"):
        assert gone not in text
    assert "zebra two" in text
    assert "for the GM, too" in text
    assert not any(
        each.get("answer") == ["feint", "incite", "avoid"]
        for each in everything(msgspec.json.decode(file))
    )
    # The duel goes on there, from where it stood.
    assert (await there.asked(duel, "anna")).key == "script"
    await there.answer(duel, "anna", ["point", "point", "point"])
    await there.answer(duel, GM, ["point", "point", "point"])
    assert (await there.asked(duel)).key != "script"


@played
async def test_a_script_that_was_shown_in_part_stays_secret_in_the_file(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["feint", "incite", "avoid"])
    await at.answer(duel, GM, ["point", "point", "point"])
    with pytest.raises(Refusal, match="secret answer is still open"):
        await at.tables.export(at.id)
    await at.gm(do.CancelProcedure(duel))
    file = encode(await at.tables.export(at.id))
    for each in everything(msgspec.json.decode(file)):
        assert each.get("answer") != ["feint", "incite", "avoid"]


@played
async def test_no_hash_in_the_file_tells_what_stays_behind(at: Company):
    """Who guesses a secret rightly still finds nothing in the file to compare it with."""
    await at.do("anna", do.SendMessage("yes", ("ben",)))
    await at.do("anna", do.WriteNote("n1", "no"))
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["feint", "incite", "avoid"])
    await at.answer(duel, GM, ["point", "point", "point"])
    await at.gm(do.CancelProcedure(duel))
    await at.do("ben", do.UseOwnDice(True))
    await at.do("ben", do.ThrowDice("2d6", "in vain", secret=True))
    file, there = await brought_back(at)
    for text in (file, encode(await there.tables.export(there.id))):
        numbers = set(map(bytes.fromhex, re.findall(r'"((?:[0-9a-f]{2})*)"', text.decode())))
        for written in await at.store.entries(at.id):
            seal = written.event.seal
            event = encode(msgspec.structs.replace(written.event, seal=None))
            place = (written.seq, written.at, written.seat, written.mark)
            assert body_of(bytes.fromhex(seal.salt), place, event) == seal.body  # a right guess
            assert seal.body.encode() in text  # and what it would be compared with
            assert not any(body_of(each, place, event) == seal.body for each in numbers)


@played
async def test_a_file_of_an_earlier_version_is_checked_and_loses_its_salts(at: Company):
    """Exports once had the salt of every entry."""
    await at.gm(do.ThrowDice("5d6", "luck"))
    await at.gm(do.EndDiceSession())
    written = await at.tables.export(at.id)
    true = {each.seq: each.event.seal for each in await at.store.entries(at.id)}
    entries = tuple(
        msgspec.structs.replace(
            each,
            event=msgspec.structs.replace(
                each.event, seal=msgspec.structs.replace(true[each.seq], redacted=True)
            ),
        )
        for each in written.entries
    )
    earlier = msgspec.structs.replace(written, entries=entries)
    for file in (earlier, written):
        verdict = verify(evidence(file.title, file.entries, None))
        assert (verdict.fair, verdict.fit) == (True, 1)
    campaign, _ = await at.tables.import_(encode(earlier))
    assert encode(await at.tables.export(campaign)) == encode(written)


@played
async def test_an_answer_that_waits_for_dice_stays_behind(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="faces")
    with pytest.raises(Refusal, match="Dice are being rolled"):
        await at.tables.export(at.id)


@played
async def test_the_seed_of_a_session_that_goes_on_is_not_in_the_file(at: Company):
    await at.gm(do.ThrowDice("5d6"))
    seed = (await at.state()).session.seed
    assert seed.encode() in b"".join(at.store.kept[at.id].log)
    file, there = await brought_back(at)
    assert seed not in file.decode()
    # So the first throw there begins a new session, with dice of its own.
    await there.gm(do.ThrowDice("5d6"))
    log = (await there.view(GM))["log"]
    assert [entry["kind"] for entry in log[-3:]] == ["session_ended", "session_began", "threw"]
    assert log[-3]["text"] == "Session 1 is over. Its keys are not known here."
    verdict = verify(await there.tables.evidence(there.id, GM))
    assert (verdict.fair, verdict.fit) == (True, 1), "what was thrown here, and nothing else"
    assert "stayed with another server" in verdict.findings[0].text


@played
async def test_nobody_brings_dice_of_which_the_seed_is_known(at: Company):
    """A file that says what the dice of a session that goes on will be."""
    exported = await at.tables.export(at.id)
    loaded = msgspec.structs.replace(
        exported,
        entries=tuple(
            msgspec.structs.replace(
                entry, event=msgspec.structs.replace(entry.event, seed="00" * 32)
            )
            if isinstance(entry.event, SessionBegan)
            else entry
            for entry in exported.entries
        ),
    )
    campaign, _ = await at.tables.import_(encode(loaded))
    there = Company(at.tables, campaign, "")
    assert (await there.state()).session.seed == ""
    await there.gm(do.ThrowDice("1d6"))
    session = (await there.state()).session
    assert session.number == 2
    assert session.seed not in ("", "00" * 32)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: b"",
        lambda file: b"nonsense",
        lambda file: b"[" * 100_000,
        lambda file: file[: len(file) // 2],
        lambda file: file.replace(b'"astragal":1', b'"astragal":2'),
        lambda file: file.replace(b'"game":"burning_wheel"', b'"game":"chess"'),
        lambda file: file.replace(b'"event":"founded"', b'"event":"found"'),
        lambda file: file.replace(b'"seq":3', b'"seq":4'),
        lambda file: file.replace(b'"concept"', b'"concepts"'),
        lambda file: encode(
            msgspec.structs.replace(msgspec.json.decode(file, type=CampaignExport), entries=())
        ),
        lambda file: encode(
            msgspec.structs.replace(
                msgspec.json.decode(file, type=CampaignExport),
                entries=msgspec.json.decode(file, type=CampaignExport).entries[:1],
            )
        ),
    ],
)
@played
async def test_a_file_that_is_no_campaign_is_refused_in_a_line(at: Company, spoil: Any):
    file = encode(await at.tables.export(at.id))
    many = len(at.store.kept)
    with pytest.raises(BadInput) as refused:
        await at.tables.import_(spoil(file))
    assert "\n" not in str(refused.value)
    assert len(at.store.kept) == many


@played
async def test_the_log_as_a_story(at: Company):
    await at.do("anna", do.SendMessage("*not* [a link](x) <b>bold</b> #1 `code` a|b\nsecond line"))
    await at.do("anna", do.SendMessage("only for Ben", ("ben",)))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    told = await at.tables.markdown(at.id, "anna")
    lines = told.splitlines()
    assert lines[0] == "# The Roll of Dues"
    (said,) = [line for line in lines if "not" in line and "link" in line]
    assert said.endswith(
        r"Anna: \*not\* \[a link\](x) &lt;b\>bold&lt;/b\> \#1 \`code\` a\|b second line"
    )
    assert "only for Ben" in told
    assert "only for Ben" not in await at.tables.markdown(at.id, GM)
    assert any(line.startswith("- ~~") for line in lines)
    assert "rolls" in told


@played
async def test_everything_that_happened_is_in_the_story(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    for _ in range(40):
        if not await at.is_open(test):
            break
        asked = await at.asked(test)
        answer = 1 if asked.key == "boon" else usual(asked.question)
        await at.do(asked.seat, do.AnswerQuestion(test, asked.step, answer))
    told = await at.tables.markdown(at.id, "ben")
    assert "Anna, boon: 1" in told
    assert "Mara: Persona goes from 1 to 0" in told
    assert "Let it Ride: Mara's Streetwise stands" in told
