"""Characters that are given to the table: it writes their scripts, and nobody sees them first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import SuggestedScript
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import solve_duel
from astragal.play import GM, Script
from astragal.table import partners as partners_module
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.importing import imported
from astragal.table.log.items import DecidedItem
from astragal.table.log.state import (
    TABLE,
    Character,
    OpenProcedure,
    OpenQuestion,
    Restorable,
    TablePartner,
)
from astragal.table.partners import fighting_script
from astragal.table.running.partners import ScriptDue, partner_for
from astragal.table.script_due import ScriptToWrite, replayed
from astragal.table.solving_process import ScriptAdvice
from lab.duels import DEBATE, small_hall
from lab.scripted import can_be_scripted
from table.company import Company, encode, everything, played, usual
from table.duelists import at_scripts, duelists, kept_in, played_out
from table.test_secrets import FIGHT, SKIRMISH

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _solutions(tmp_path_factory: pytest.TempPathFactory):
    with kept_in(tmp_path_factory.mktemp("solutions")):
        yield


def written_for(procedure: OpenProcedure) -> list[tuple[str, ...]]:
    """The scripts that the table has written, as only the log has them."""
    return [tuple(each.answer) for each in procedure.given if each.by == TABLE]


def test_the_table_writes_a_script_as_soon_as_it_is_due():
    async def play() -> list[tuple[str, ...]]:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            now = await company.open(procedure)
            assert [each.seat for each in now.questions] == ["anna"]
            return written_for(now)

    (script,) = asyncio.run(play())
    best = solve_duel(DEBATE, small_hall(), Payoff.WIN, (3, 3)).scripts(1, (3, 3))
    assert script in [cards for cards, _ in best]


@pytest.mark.parametrize("ann", ["anna", GM])
def test_nobody_sees_a_script_of_the_table_before_its_cards_are_shown(ann: str):
    """Not even the GM, who may be alone and play the other side."""

    async def play() -> None:
        async with duelists(ann=ann) as company:
            await company.gm(do.GiveToTable("bob", dial=0, temperament="sly"))
            for client in company.clients.values():
                await client.hear()
            procedure = await at_scripts(company) if ann != GM else await begun(company)
            await played_out(company, procedure, ann, ["point", "avoid", "avoid"])
            file = b"".join([part async for part in company.tables.export_parts(company.id)])
            for seat, client in company.clients.items():
                told = [*await client.hear(), encode(await company.tables.view(company.id, seat))]
                for message in (*told, file if seat == GM else b"{}"):
                    decided = [
                        each
                        for each in everything(msgspec.json.decode(message))
                        if each.get("item") == "decided" and each["key"] == "script"
                    ]
                    assert all(TABLE not in (each.get("by"), seat) for each in decided)
                    names = {each["prompt"].partition(":")[0] for each in decided}
                    assert names <= ({"Ann"} if seat == ann else set())
            mine = [item for item in (await log_items(company)) if item.by == TABLE]
            assert mine, "the log has it"
            assert {item.audience for item in mine} == {(TABLE,)}

    asyncio.run(play())


async def begun(company: Company) -> str:
    procedure = await company.begin(
        GM,
        "duel_of_wits",
        about="it",
        sides=[
            {"character": "bob", "skill": "Rhetoric", "wins": "a", "loses": "b"},
            {"character": "ann", "skill": "Rhetoric", "wins": "a", "loses": "b"},
        ],
    )
    await company.play_on(procedure, until="script", answers={"body_method": "big_deal"})
    return procedure


async def log_items(company: Company) -> list[DecidedItem]:
    told = [item for entry in await company.log() for item in getattr(entry.event, "items", ())]
    return [item for item in told if isinstance(item, DecidedItem) and item.key == "script"]


def test_a_campaign_is_not_exported_while_a_script_of_the_table_is_open():
    async def play() -> None:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            for _ in range(2):
                with pytest.raises(Refusal, match="secret answer is still open"):
                    await company.tables.export(company.id)
                if (await company.asked(procedure)).key == "script":
                    await company.answer(procedure, "anna", ["avoid", "avoid", "avoid"])

    asyncio.run(play())


def test_another_process_writes_what_the_first_one_left():
    async def play() -> None:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            first = company.tables.partners
            first.look = lambda here: None  # type: ignore[method-assign]
            procedure = await at_scripts(company)
            other = Tables(company.store)
            try:
                await other.view(company.id, "ben")
                await other.partners.written()
                here = await other.campaign(company.id)
                assert len(written_for(here.standing.open[procedure])) == 1
            finally:
                await other.close()

    asyncio.run(play())


def test_two_processes_write_it_once():
    async def play() -> None:
        async with duelists() as company:
            procedure = await at_scripts(company)
            other = Tables(company.store)
            try:
                await company.gm(do.GiveToTable("bob"))
                await other.view(company.id, GM)
                await asyncio.gather(company.tables.partners.written(), other.partners.written())
                for tables in (company.tables, other):
                    await tables.view(company.id, GM)
                    here = await tables.campaign(company.id)
                    assert len(written_for(here.standing.open[procedure])) == 1
            finally:
                await other.close()

    asyncio.run(play())


def test_after_an_undo_it_is_written_again():
    async def play() -> None:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            await company.gm(do.UndoEntries((await company.state()).seq - 1))
            await company.tables.partners.written()
            assert len(written_for(await company.open(procedure))) == 1

    asyncio.run(play())


def test_the_gm_takes_a_character_back_and_writes():
    async def play() -> None:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            await company.gm(do.GiveToTable("bob", on=False))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            assert len((await company.open(procedure)).questions) == 2
            await company.answer(procedure, GM, ["point", "point", "point"])
            assert written_for(await company.open(procedure)) == []

    asyncio.run(play())


def test_without_numpy_and_scipy_the_gm_scripts_duels(monkeypatch):
    monkeypatch.setattr(partners_module, "can_solve", lambda: False)

    async def play() -> None:
        async with duelists() as company:
            await company.gm(do.GiveToTable("bob"))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            assert {each.seat for each in (await company.open(procedure)).questions} == {
                GM,
                "anna",
            }

    asyncio.run(play())


def test_a_duel_that_is_not_solved_in_time_is_scripted_by_temperament():
    async def play() -> None:
        async with duelists(will=3) as company:
            company.tables.solving._solves_within = 0.0
            await company.gm(do.GiveToTable("bob", temperament="careful"))
            procedure = await at_scripts(company)
            await company.tables.partners.written()
            ((*script,),) = written_for(await company.open(procedure))
            assert len(script) == 3

    asyncio.run(play())


# --- Fight! and Range and Cover ------------------------------------------------------------------

BOTH = pytest.mark.parametrize(
    ("name", "arguments"), [("fight", FIGHT), ("range_and_cover", SKIRMISH)], ids=["fight", "shots"]
)


async def up_to_scripts(at: Company, procedure: str, seat: str = "anna") -> OpenQuestion:
    """Go on until a seat is asked for its script, and the table has written what it has to."""
    for _ in range(60):
        await at.tables.partners.written()
        asked = await at.asked(procedure)
        if asked.key == "script":
            assert asked.seat == seat
            return asked
        answer = usual(asked.question)
        await at.do(asked.seat, do.AnswerQuestion(procedure, asked.step, answer))
    raise AssertionError("no script is asked for")


def heard_from(at: Company) -> list[tuple[ScriptToWrite, ScriptAdvice]]:
    """What the other process is asked from now on, and what it says in the end.

    A busy machine is no reason to find nothing.
    """
    at.tables.solving._searches_within = 60.0
    heard: list[tuple[ScriptToWrite, ScriptAdvice]] = []
    really = at.tables.solving.advise

    async def advise(asked: Any, partner: Any = None) -> ScriptAdvice:
        advice = await really(asked, partner)
        if advice.progress == 1:
            heard.append((asked, advice))
        return advice

    at.tables.solving.advise = advise  # type: ignore[method-assign]
    return heard


@BOTH
def test_in_a_fight_it_writes_what_the_search_has_found(name: str, arguments: Any):
    @played
    async def play(at: Company) -> None:
        heard = heard_from(at)
        await at.gm(do.GiveToTable("advocate_ysmay", temperament="bold"))
        procedure = await at.begin(GM, name, **arguments)
        await up_to_scripts(at, procedure)
        ((asked, advice),) = heard
        assert written_for(await at.open(procedure)) == [advice.drawn]
        (question,) = [each for each in asked.procedure.questions if each.prompt == asked.prompt]
        assert isinstance(question.question, Script)
        assert can_be_scripted(question.question, advice.drawn)

    play()


@BOTH
def test_careless_it_takes_the_script_of_its_temperament(name: str, arguments: Any):
    @played
    async def play(at: Company) -> None:
        heard = heard_from(at)
        await at.gm(do.GiveToTable("advocate_ysmay", dial=0, temperament="bold"))
        procedure = await at.begin(GM, name, **arguments)
        await up_to_scripts(at, procedure)
        assert heard == []
        assert len(written_for(await at.open(procedure))) == 1

    play()


@pytest.mark.parametrize("why", ["process dies", "no time", "no packages"])
def test_what_is_not_found_in_time_is_written_by_temperament(why: str, monkeypatch):
    """And the fight goes on."""

    @played
    async def play(at: Company) -> None:
        if why == "no packages":
            monkeypatch.setattr(partners_module, "can_solve", lambda: False)
        if why == "process dies":
            monkeypatch.setattr(at.tables.solving, "target", lambda: dies)
        if why == "no time":
            at.tables.solving._searches_within = 0.0
        await at.gm(do.GiveToTable("advocate_ysmay"))
        procedure = await at.begin(GM, "fight", **FIGHT)
        asked = await up_to_scripts(at, procedure)
        assert len(written_for(await at.open(procedure))) == 1
        await at.answer(procedure, "anna", usual(asked.question))
        assert "Volley 1" in str((await at.open(procedure)).story)

    play()


def dies(pipe: Any) -> None:
    """Another process that ends as soon as it is asked something."""
    pipe.send(None)
    pipe.recv()


def test_what_the_other_side_has_written_is_not_looked_at():
    """Anna writes first; the search is given the fight as if she had not."""
    script = ["maintain", "block", "stay", "push", "avoid", "stay", "lock"]

    @played
    async def play(at: Company) -> None:
        heard = heard_from(at)
        procedure = await at.begin(GM, "fight", **FIGHT)
        await at.play_on(procedure, until="script")
        await at.answer(procedure, "anna", script)
        assert encode(script)[1:-1] in encode(await at.open(procedure))
        await at.gm(do.GiveToTable("advocate_ysmay"))
        await at.tables.partners.written()
        ((asked, _),) = heard
        assert encode(script)[1:-1] not in encode(asked)
        session, _ = replayed(asked)
        assert sorted(ask.seat for ask in session.waiting) == ["anna", GM]

    play()


@pytest.mark.parametrize(
    ("temperament", "keys"),
    [
        ("bold", {"fierce"}),
        ("sly", {"sly"}),
        ("any", {"fierce", "careful", "sly"}),
        ("bold", {"bold"}),
        ("careful", {"wary"}),
        ("sly", {"steady", "bold", "wary"}),
    ],
)
def test_temperaments_are_those_of_the_suggested_scripts(temperament: str, keys: set[str]):
    fights = ("fierce", "careful", "sly")
    there = fights if keys <= set(fights) else ("steady", "bold", "wary")

    def scripts(_question: Any, _chance: Any) -> tuple[SuggestedScript, ...]:
        return tuple(SuggestedScript(k, k, (k,)) for k in there)

    game: Any = SimpleNamespace(at_table=SimpleNamespace(scripts=scripts))
    question = OpenQuestion(GM, "script", "Bob: script", Script(cards=(), slots=1), "", 0)
    due = ScriptDue(None, question, "bob", TablePartner(50, temperament))  # type: ignore[arg-type]
    assert {fighting_script(game, due)[0] for _ in range(60)} == keys


@played
async def test_only_characters_of_the_gms_are_given_to_the_table(at: Company):
    with pytest.raises(BadInput, match="Anna plays this one"):
        await at.gm(do.GiveToTable("mara"))
    await at.gm(do.GiveToTable("advocate_ysmay", dial=40, temperament="sly"))
    given = TablePartner(40, "sly")
    assert (await at.state()).standing.characters["advocate_ysmay"].partner == given
    with pytest.raises(BadInput, match="merciless"):
        await at.gm(do.GiveToTable("advocate_ysmay", dial=101))
    with pytest.raises(BadInput, match="already set to this"):
        await at.gm(do.GiveToTable("advocate_ysmay", dial=40, temperament="sly"))
    assert (await at.view(GM))["characters"]["advocate_ysmay"]["partner"] == {
        "dial": 40,
        "temperament": "sly",
    }
    assert (await at.view("anna"))["characters"]["advocate_ysmay"]["partner"] is None
    told = [entry["text"] for entry in (await at.view(GM))["log"]]
    assert "GM lets Astragal write the scripts of Ysmay." in told
    assert not any("Astragal" in e["text"] for e in (await at.view("anna"))["log"])
    await at.gm(do.GiveCharacter("advocate_ysmay", "ben"))
    assert (await at.state()).standing.characters["advocate_ysmay"].partner is None


def test_no_seat_can_write_in_the_tables_name():
    command = do.WriteScript("p1", 1, "bob", TablePartner(), ("point",) * 3)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(encode(command), type=do.AnyCommand)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "seat", "seat": TABLE, "name": "T"}, do.AnyCommand)


@played
async def test_a_file_with_an_impossible_dial_is_refused(at: Company):
    await at.gm(do.GiveToTable("advocate_ysmay", dial=40))
    file = encode(await at.tables.export(at.id))
    assert imported(file).state.standing.characters["advocate_ysmay"].partner == TablePartner(40)
    for wrong in (b'"dial":400', b'"dial":40,"temperament":"mad"'):
        with pytest.raises(BadInput, match=r"event\.partner"):
            imported(file.replace(b'"dial":40', wrong))


@pytest.mark.parametrize(
    ("prompt", "given", "writes"),
    [
        ("Bob: script", ("bob",), "bob"),
        ("Bob: script", ("brave",), None),
        ("Bob: the Brave: script", ("brave",), "brave"),
        ("Bob: the Brave: script", ("bob",), None),
    ],
)
def test_a_name_may_have_a_colon_in_it(prompt: str, given: tuple[str, ...], writes: str | None):
    names = {"bob": "Bob", "brave": "Bob: the Brave"}
    sheets = {key: {"name": name} for key, name in names.items()}
    partner = TablePartner()
    characters = {
        key: Character(sheets[key], partner=partner if key in given else None) for key in names
    }
    question = OpenQuestion(GM, "script", prompt, Script(cards=(), slots=1), "", 0)
    procedure = OpenProcedure("p1", "fight", "Fight!", "", {}, GM, tuple(names), sheets)
    found = partner_for(procedure, question, Restorable(characters))
    assert found == (None if writes is None else (writes, partner))
