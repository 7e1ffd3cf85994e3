"""Advice on scripts: the best mix by what a seat may know, and one script for that seat alone."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.errors import BadInput, Refusal
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from astragal.play import GM
from astragal.table import advice as advice_module
from astragal.table import command_handler, host
from astragal.table.advice import ScriptAdviser, script_to_advise
from astragal.table.commands import commands as do
from astragal.table.duel_desk import DuelDesk, _due, _shown, _table, _words
from astragal.table.solving_process import (
    UNSOLVED,
    AdvisedScript,
    ScriptAdvice,
    SolvingProcess,
)
from lab.duels import DEBATE, small_hall
from table.company import encode
from table.duelists import advised, at_scripts, duelists, kept_in, sheet
from table.random_values import IN_THE_SCENE
from table.test_secrets import FIGHT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _solutions(tmp_path_factory: pytest.TempPathFactory):
    with kept_in(tmp_path_factory.mktemp("solutions")):
        yield


def solved(debate: Debate, table: BurningTable) -> SolvedDuel:
    return solve_duel(debate, table, Payoff.WIN, (3, 3))


def as_a_mix(solution: SolvedDuel, side: int) -> dict[tuple[str, ...], Any]:
    return {cards: pytest.approx(share) for cards, share in solution.scripts(side, (3, 3))}


def test_advice_is_the_best_mix_by_what_a_seat_may_know():
    """Bob is better than Ann with all but Rhetoric, which only the GM knows.

    To Anna he looks like Ann; and between equals a duel is worth a half.
    """

    async def play() -> tuple[ScriptAdvice, ScriptAdvice]:
        async with duelists(other=4) as company:
            procedure = await at_scripts(company)
            annas = await advised(company, "anna", procedure)
            return annas, await advised(company, GM, procedure)

    annas, gms = asyncio.run(play())
    equal = solved(DEBATE, small_hall())
    assert {each.cards: each.share for each in annas.scripts} == as_a_mix(equal, 0)
    assert annas.value == pytest.approx(0.5)
    assert "You cannot see the sheet of Bob" in annas.based_on
    assert "(Will 1, Rhetoric 2)" in annas.based_on
    assert "(3 and 3)" in annas.based_on
    assert gms.value > 0.51
    assert "both sheets" in gms.based_on
    for advice in (annas, gms):
        assert advice.drawn in [each.cards for each in advice.scripts]
        assert sum(each.share for each in advice.scripts) == pytest.approx(1)


def test_nothing_of_it_is_told_to_anybody_else(monkeypatch):
    """Whatever is drawn for Anna, everybody hears the same, and the log is the same."""
    for module in (host, command_handler):
        monkeypatch.setattr(module, "now", lambda: "2026-01-01T20:00:00.000+00:00")
    monkeypatch.setattr(host.secrets, "token_hex", lambda n: "ab" * n)
    monkeypatch.setattr(host.secrets, "token_bytes", lambda n: b"s" * n)
    monkeypatch.setattr(host.secrets, "token_urlsafe", lambda n: "t" * n)

    async def told_with(secret: bytes) -> tuple[tuple[str, ...], list[bytes]]:
        async with duelists() as company:
            company.tables.adviser._secret = secret
            procedure = await at_scripts(company)
            for client in company.clients.values():
                await client.hear()
            before = await company.state()
            drawn = (await advised(company, "anna", procedure)).drawn
            for client in company.clients.values():
                assert await client.hear() == []
            assert await company.state() == before
            told = list(company.store.kept[company.id].log)
            await company.answer(procedure, "anna", ["feint", "incite", "obfuscate"])
            await company.answer(procedure, GM, ["point", "point", "point"])
            for seat, client in company.clients.items():
                told += await client.hear()
                told.append(encode(await company.tables.view(company.id, seat)))
                told.append(encode(await company.tables.card(company.id, seat, procedure)))
                told.append((await company.tables.markdown(company.id, seat)).encode())
                odds = await company.tables.foresee(company.id, seat, procedure)
                told.append(encode(odds))
            told.append(encode(await company.tables.view_as(company.id, "anna")))
            return drawn, told

    found = [asyncio.run(told_with(secret)) for secret in (b"0", b"1", b"2", b"3", b"5")]
    assert len({drawn for drawn, _ in found}) > 1
    assert all(told == found[0][1] for _, told in found)


def test_what_the_other_side_has_written_is_not_looked_at():
    async def play() -> None:
        async with duelists() as company:
            procedure = await at_scripts(company)
            step = (await company.asked(procedure, "anna")).step
            before = script_to_advise(await company.state(), "anna", procedure, step)
            for script in (["point"] * 3, ["avoid", "dismiss", "incite"]):
                await company.answer(procedure, GM, script)
                state = await company.state()
                assert script in [each.answer for each in state.standing.open[procedure].given]
                asked = script_to_advise(state, "anna", procedure, step)
                assert asked.procedure.given == before.procedure.given
                await company.gm(do.UndoEntries(state.seq - 1))

    asyncio.run(play())


def test_what_the_gm_does_in_secret_is_not_looked_at():
    """The scene is the one that the seat knows, and of the sheets there are those it may read."""

    async def play() -> None:
        async with duelists() as company:
            field, entry = next(iter(IN_THE_SCENE["burning_wheel"].items()))
            secret = do.RuledValue("scene", field, [entry])
            await company.gm(do.MakeRuling("a trick", (secret,), True))
            procedure = await at_scripts(company)
            here = await company.state()
            tables = {}
            for seat in ("anna", GM):
                step = (await company.asked(procedure, seat)).step
                tables[seat] = _table(script_to_advise(here, seat, procedure, step))
            assert not getattr(tables["anna"].scene, field)
            assert getattr(tables[GM].scene, field)
            assert list(tables["anna"].characters) == ["ann"]
            assert list(tables[GM].characters) == ["ann", "bob"]

    asyncio.run(play())


class AskedOnly(DuelDesk):
    """Notes which duels it would solve."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def find(self, key: str, *_: Any, **__: Any) -> float:
        self.asked.append(key)
        return 0.0


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_hidden_from_a_seat_its_advice_is_about_the_same_duel(seed: int):
    """Bob's sheet beyond what was shown, what he has scripted, what the GM does in secret.

    The same duel is the same fingerprint, and so the same solution; to the GM it is another one.
    """

    async def asked_about(chance: Random | None) -> dict[str, list[str]]:
        async with duelists() as company:
            if chance is not None:
                bob = sheet("Bob", other=chance.randint(3, 6)) | {
                    "attributes": {"Steel": f"B{chance.randint(5, 9)}"},
                    "artha": {"fate": chance.randint(1, 3), "persona": chance.randint(0, 3)},
                }
                await company.gm(do.AddCharacter("bob", bob, seat=GM))
                field, entry = chance.choice(list(IN_THE_SCENE["burning_wheel"].items()))
                secret = do.RuledValue("scene", field, [entry])
                await company.gm(do.MakeRuling("a trick", (secret,), True))
                await company.gm(do.AddCharacter("zed", sheet("Zed"), seat=GM, hidden=True))
            procedure = await at_scripts(company)
            steps = {seat: (await company.asked(procedure, seat)).step for seat in ("anna", GM)}
            here = await company.state()
            found: dict[str, list[str]] = {}
            for seat, step in steps.items():
                desk = AskedOnly()
                asked = script_to_advise(here, seat, procedure, step)
                desk.answer(asked, None, 0.0)
                due = _due(asked)
                found[seat] = [*desk.asked, _words(due, _shown(asked, due))]
            if chance is not None:
                script = [chance.choice(("point", "avoid", "feint")) for _ in range(3)]
                await company.answer(procedure, GM, script)
                desk = AskedOnly()
                asked = script_to_advise(await company.state(), "anna", procedure, steps["anna"])
                desk.answer(asked, None, 0.0)
                assert desk.asked == found["anna"][:1]
            return found

    plain, other = asyncio.run(asked_about(None)), asyncio.run(asked_about(Random(seed)))
    assert other["anna"] == plain["anna"]
    assert other[GM] != plain[GM]


def test_a_script_is_drawn_by_its_share_and_the_same_one_again():
    adviser = ScriptAdviser(SolvingProcess())
    shares = {("point",): 0.5, ("avoid",): 0.3, ("feint",): 0.2}
    mix = tuple(AdvisedScript(cards, share) for cards, share in shares.items())
    advice = ScriptAdvice(scripts=mix)
    many = 4000
    drawn = [adviser._drawn(advice, "c", "anna", "p1", step) for step in range(many)]
    for cards, share in shares.items():
        spread = (share * (1 - share) / many) ** 0.5
        assert drawn.count(cards) / many == pytest.approx(share, abs=4 * spread)
    assert drawn == [adviser._drawn(advice, "c", "anna", "p1", step) for step in range(many)]
    others = [adviser._drawn(advice, "c", "ben", "p1", step) for step in range(many)]
    assert 0.3 < sum(a == b for a, b in zip(drawn, others, strict=True)) / many < 0.5
    assert adviser._drawn(ScriptAdvice(progress=0.2), "c", "anna", "p1", 1) == ()


def refusal_of(here: Any, seat: str, procedure: str, step: int) -> str:
    with pytest.raises(Refusal) as refused:
        script_to_advise(here, seat, procedure, step)
    return str(refused.value)


def test_advice_is_refused_where_there_is_none(monkeypatch):
    async def play() -> None:
        async with duelists() as company:
            procedure = await at_scripts(company)
            here = await company.state()
            step = (await company.asked(procedure, "anna")).step
            assert "a script that you are asked for" in refusal_of(here, "anna", procedure, 99)
            assert "a script that you are asked for" in refusal_of(here, "ben", procedure, step)
            monkeypatch.setattr(advice_module, "check_installed", _missing)
            assert "scipy" in refusal_of(here, "anna", procedure, step)
            await company.gm(do.ChangeTitle("A trial"))
            off = refusal_of(await company.state(), "anna", procedure, step)
            assert off == "Advice is off in this campaign. The GM can allow it for everyone."
            with pytest.raises(BadInput, match="open procedure"):
                script_to_advise(here, "anna", "p999", step)

    def _missing() -> None:
        raise Refusal("This needs scipy")

    asyncio.run(play())


def test_a_refusal_does_not_name_those_whom_a_seat_does_not_know():
    class Refuses(SolvingProcess):
        async def advise(self, *_: Any) -> ScriptAdvice:
            raise Refusal("Bob has no Rhetoric.")

    async def play() -> None:
        async with duelists() as company:
            company.tables.adviser._solving = Refuses()
            await company.gm(do.AddCharacter("bob", sheet("Bob"), seat=GM, hidden=True))
            procedure = await at_scripts(company)
            with pytest.raises(Refusal, match=f"^{UNSOLVED}$"):
                await advised(company, "anna", procedure)
            with pytest.raises(Refusal, match="Bob has no Rhetoric"):
                await advised(company, GM, procedure)

    asyncio.run(play())


def test_there_is_advice_for_duels_alone():
    async def play() -> None:
        async with fight_at_scripts() as (company, procedure):
            step = (await company.asked(procedure, "anna", "script")).step
            here = await company.state()
            assert "only for the scripts of a Duel of Wits" in refusal_of(
                here, "anna", procedure, step
            )

    asyncio.run(play())


def fight_at_scripts() -> Any:
    from contextlib import asynccontextmanager

    from table.company import table

    @asynccontextmanager
    async def begun() -> Any:
        async with table() as company:
            await company.gm(do.ChangeTitle("A fight", advice=True))
            await company.sit("anna", plays="mara")
            procedure = await company.begin(GM, "fight", **FIGHT)
            await company.play_on(procedure, until="script")
            yield company, procedure

    return begun()


def test_a_duel_that_takes_too_long_is_given_up_and_can_be_asked_for_again():
    async def play() -> None:
        async with duelists(will=2) as company:
            company.tables.solving._solves_within = 0.0
            procedure = await at_scripts(company)
            with pytest.raises(Refusal, match="takes too long to solve"):
                await advised(company, GM, procedure)
            company.tables.solving._solves_within = 600.0
            assert (await advised(company, GM, procedure)).scripts

    asyncio.run(play())


def test_an_answer_of_the_other_process_can_be_sent():
    advice = ScriptAdvice(scripts=(AdvisedScript(("point",), 1.0),), drawn=("point",))
    assert msgspec.json.decode(encode(advice), type=ScriptAdvice) == advice
