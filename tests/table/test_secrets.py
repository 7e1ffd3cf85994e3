"""Secrets, one kind at a time: what others hear is the same whatever the secret is."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.games.ready import ready_sheet
from astragal.play import GM
from astragal.table import command_handler, host
from astragal.table.commands import commands as do
from astragal.table.log.state import Campaign
from table.company import Company, decode, encode, everything, played, table, usual
from table.random_play import RandomPlay
from table.test_campaigns import Watch

DUEL = game_named("burning_wheel").demo.suggestions[1]
FIGHT = {
    "sides": [
        {"fighters": [{"character": "mara"}]},
        {"fighters": [{"character": "advocate_ysmay"}]},
    ]
}

SKIRMISH = {
    "sides": [
        {"shooters": [{"character": "mara", "weapon": "bottle"}]},
        {"shooters": [{"character": "advocate_ysmay", "weapon": "bottle"}]},
    ],
    "start": "extreme/extreme",
}


@pytest.mark.slow
@pytest.mark.parametrize("other", [GM, "ben"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_duel_with_random_scripts_keeps_them_secret(other: str, seed: int):
    async def play() -> None:
        async with table() as company:
            await company.sit("anna", plays="mara")
            await company.sit("ben", plays="tam")
            play = RandomPlay(company, game_named("burning_wheel"), Random(seed))
            play.players = ["anna", "ben"]
            watch = Watch(play, Campaign(company.id, "burning_wheel", ""))
            for client in company.clients.values():
                await client.hear()
            await company.gm(do.GiveCharacter("harbourmaster_dunn", other, hidden=other == GM))
            procedure = await company.begin(GM, "duel_of_wits", **DUEL.arguments)
            for client in company.clients.values():
                await client.hear()
            scripts = 0
            for _ in range(75):
                before = await company.state()
                if procedure not in before.standing.open:
                    break
                asked = play.rng.choice(before.standing.open[procedure].questions)
                answer = play.valid(asked) if asked.key == "script" else usual(asked.question)
                scripts += asked.key == "script"
                refusal = None
                try:
                    await company.do(asked.seat, do.AnswerQuestion(procedure, asked.step, answer))
                except Refusal as caught:
                    refusal = caught
                await watch.look(asked, refusal, before)
            assert scripts >= 2

    asyncio.run(play())


def without_hashes(message: bytes) -> bytes:
    """A message without the hashes of its entry, whose salt nobody at the table knows."""
    told = decode(message)
    return encode({key: part for key, part in told.items() if key not in ("head", "digest")})


@pytest.mark.slow
def test_what_others_hear_does_not_depend_on_the_rest_of_a_script(monkeypatch):
    """Two sessions that differ only in the cards of later volleys sound the same until then."""
    for module in (host, command_handler):
        monkeypatch.setattr(module, "now", lambda: "2026-01-01T20:00:00.000+00:00")
    monkeypatch.setattr(host.secrets, "token_hex", lambda n: "ab" * n)
    monkeypatch.setattr(host.secrets, "token_bytes", lambda n: b"s" * n)
    monkeypatch.setattr(host.secrets, "token_urlsafe", lambda n: "t" * n)

    async def heard_with(script: list[str], until: str) -> dict[str, list[bytes]]:
        async with table() as company:
            await company.sit("anna", plays="mara")
            await company.sit("ben", plays="tam")
            procedure = await company.begin(GM, "duel_of_wits", **DUEL.arguments)
            await company.play_on(procedure, until="script")
            heard: dict[str, list[bytes]] = {seat: [] for seat in company.clients}
            await company.answer(procedure, "anna", script)
            await company.answer(procedure, GM, ["point", "point", "obfuscate"])
            for _ in range(80):
                for seat, client in company.clients.items():
                    heard[seat] += map(without_hashes, await client.hear())
                if until in str((await company.open(procedure)).story):
                    return heard
                asked = await company.asked(procedure)
                await company.do(
                    asked.seat, do.AnswerQuestion(procedure, asked.step, usual(asked.question))
                )
            raise AssertionError(f"never came to {until}")

    one = asyncio.run(heard_with(["point", "rebuttal", "dismiss"], "Volley 2"))
    two = asyncio.run(heard_with(["point", "avoid", "incite"], "Volley 2"))
    for seat in (GM, "ben"):
        assert one[seat][:-1] == two[seat][:-1]
        assert one[seat][-1] != two[seat][-1]
    assert one["anna"][:-1] != two["anna"][:-1]
    third = asyncio.run(heard_with(["point", "rebuttal", "incite"], "Volley 3"))
    again = asyncio.run(heard_with(["point", "rebuttal", "dismiss"], "Volley 3"))
    assert third[GM][:-1] == again[GM][:-1]
    assert third[GM][-1] != again[GM][-1]


@pytest.mark.slow
@pytest.mark.parametrize("given", [False, True], ids=["by_hand", "given_to_the_table"])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("fight", FIGHT), ("range_and_cover", SKIRMISH)],
    ids=["fight", "skirmish"],
)
def test_a_fight_with_random_scripts_keeps_them_secret(
    name: str, arguments: Any, seed: int, given: bool
):
    """Nor does anything of it depend on who takes it up: the watch resumes it at every step."""

    async def play() -> None:
        async with table() as company:
            await company.sit("anna", plays="mara")
            await company.sit("ben", plays="tam")
            play = RandomPlay(company, game_named("burning_wheel"), Random(seed))
            play.players = ["anna", "ben"]
            watch = Watch(play, Campaign(company.id, "burning_wheel", ""))
            if given:
                dial = 100 if seed == 1 else 50
                await company.gm(do.GiveToTable("advocate_ysmay", dial=dial, temperament="sly"))
            procedure = await company.begin(GM, name, **arguments)
            await company.tables.partners.written()
            for client in company.clients.values():
                await client.hear()
            scripts = 0
            for _ in range(60):
                before = await company.state()
                if procedure not in before.standing.open:
                    break
                asked = play.rng.choice(before.standing.open[procedure].questions)
                scripted = asked.key in ("script", "forfeit", "tie_shot")
                answer = play.valid(asked) if scripted else usual(asked.question)
                scripts += asked.key == "script"
                assert asked.seat == "anna" or asked.key != "script" or not given
                refusal = None
                try:
                    await company.do(asked.seat, do.AnswerQuestion(procedure, asked.step, answer))
                    await company.tables.partners.written()
                except Refusal as caught:
                    refusal = caught
                await watch.look(asked, refusal, before)
            assert scripts >= (1 if given else 2)

    asyncio.run(play())


def test_what_others_hear_of_a_fight_does_not_depend_on_later_volleys(monkeypatch):
    """Two fights that differ only in the cards of later volleys sound the same until then."""
    for module in (host, command_handler):
        monkeypatch.setattr(module, "now", lambda: "2026-01-01T20:00:00.000+00:00")
    monkeypatch.setattr(host.secrets, "token_hex", lambda n: "ab" * n)
    monkeypatch.setattr(host.secrets, "token_bytes", lambda n: b"s" * n)
    monkeypatch.setattr(host.secrets, "token_urlsafe", lambda n: "t" * n)

    async def heard_with(script: list[str], until: str) -> dict[str, list[bytes]]:
        async with table() as company:
            await company.sit("anna", plays="mara")
            await company.sit("ben", plays="tam")
            procedure = await company.begin(GM, "fight", **FIGHT)
            await company.play_on(procedure, until="script")
            heard: dict[str, list[bytes]] = {seat: [] for seat in company.clients}
            await company.answer(procedure, "anna", script)
            await company.answer(procedure, GM, ["stay", "block"] * 3)
            for _ in range(120):
                for seat, client in company.clients.items():
                    heard[seat] += map(without_hashes, await client.hear())
                if until in str((await company.open(procedure)).story):
                    return heard
                asked = await company.asked(procedure)
                await company.do(
                    asked.seat, do.AnswerQuestion(procedure, asked.step, usual(asked.question))
                )
            raise AssertionError(f"never came to {until}")

    first = ["maintain", "block", "stay"]
    one = asyncio.run(heard_with([*first, "push", "avoid", "stay", "lock"], "Volley 2"))
    two = asyncio.run(heard_with([*first, "feint", "block", "close", "strike"], "Volley 2"))
    for seat in (GM, "ben"):
        assert one[seat][:-1] == two[seat][:-1]
        assert one[seat][-1] != two[seat][-1]
    assert one["anna"][-1] != two["anna"][-1]


def test_what_others_hear_of_a_skirmish_does_not_depend_on_later_volleys(monkeypatch):
    """Two skirmishes that differ only in the cards of later volleys sound the same until then."""
    for module in (host, command_handler):
        monkeypatch.setattr(module, "now", lambda: "2026-01-01T20:00:00.000+00:00")
    monkeypatch.setattr(host.secrets, "token_hex", lambda n: "ab" * n)
    monkeypatch.setattr(host.secrets, "token_bytes", lambda n: b"s" * n)
    monkeypatch.setattr(host.secrets, "token_urlsafe", lambda n: "t" * n)

    async def heard_with(script: list[str], until: str) -> dict[str, list[bytes]]:
        async with table() as company:
            await company.sit("anna", plays="mara")
            await company.sit("ben", plays="tam")
            procedure = await company.begin(GM, "range_and_cover", **SKIRMISH)
            await company.play_on(procedure, until="script")
            heard: dict[str, list[bytes]] = {seat: [] for seat in company.clients}
            await company.answer(procedure, "anna", script)
            await company.answer(procedure, GM, ["speed_maintain"] * 3)
            for _ in range(120):
                for seat, client in company.clients.items():
                    heard[seat] += map(without_hashes, await client.hear())
                if until in str((await company.open(procedure)).story):
                    return heard
                asked = await company.asked(procedure)
                await company.do(
                    asked.seat, do.AnswerQuestion(procedure, asked.step, usual(asked.question))
                )
            raise AssertionError(f"never came to {until}")

    first = "perception_maintain"
    one = asyncio.run(heard_with([first, "speed_close", "speed_withdraw"], "Volley 2"))
    two = asyncio.run(heard_with([first, "stealthy_close", "speed_maintain"], "Volley 2"))
    for seat in (GM, "ben"):
        assert one[seat][:-1] == two[seat][:-1]
        assert one[seat][-1] != two[seat][-1]
    assert one["anna"][:-1] != two["anna"][:-1]


@played
async def test_a_vote_is_told_when_all_have_voted(at: Company):
    vote = await at.begin(
        GM, "vote", question="Go on?", choices=["yes", "no"], voters=["anna", "ben", GM]
    )
    await at.answer(vote, "anna", "no")
    await at.answer(vote, GM, "yes")
    for seat in ("ben", GM, "anna"):
        (seen,) = (await at.view(seat))["open"]
        assert [item["item"] for item in seen["story"]].count("decided") == 0
        assert not any(each.get("answer") == "no" for each in everything(seen))
    sealed = {
        seat: [i["seat"] for i in (await at.view(seat))["open"][0]["story"]]
        for seat in ("anna", "ben", GM)
    }
    assert sealed == {"anna": [GM], "ben": ["anna", GM], GM: ["anna"]}
    await at.answer(vote, "ben", "no")
    told = str((await at.view("ben"))["log"][-1])
    assert "Go on? no (yes 1, no 2)." in told
    decided = [i for i in (await at.last()).items if getattr(i, "key", "") == "vote"]
    assert [(each.seat, each.answer) for each in decided] == [
        ("anna", "no"),
        ("ben", "no"),
        (GM, "yes"),
    ]


@played
async def test_who_answered_for_somebody_is_told_of_that_answer_alone(at: Company):
    vote = await at.begin(GM, "vote", question="Go?", choices=["yes", "no"], voters=["anna", "ben"])
    asked = await at.asked(vote, "anna")
    await at.gm(do.AnswerQuestion(vote, asked.step, "no", "anna", "she has gone to bed"))
    await at.answer(vote, "ben", "yes")
    decided = {i.seat: i.by for i in (await at.last()).items if getattr(i, "key", "") == "vote"}
    assert decided == {"anna": GM, "ben": ""}

    vote = await at.begin(GM, "vote", question="Go?", choices=["yes", "no"], voters=["anna", "ben"])
    await at.answer(vote, "ben", "yes")
    asked = await at.asked(vote, "anna")
    await at.gm(do.AnswerQuestion(vote, asked.step, "no", "anna", "she has gone to bed"))
    decided = {i.seat: i.by for i in (await at.last()).items if getattr(i, "key", "") == "vote"}
    assert decided == {"anna": GM, "ben": ""}


async def heard_by(at: Company, seat: str) -> str:
    return " ".join(message.decode() for message in await at.clients[seat].hear())


@played
async def test_a_hidden_character_comes_changes_and_goes_unseen(at: Company):
    for client in at.clients.values():
        await client.hear()
    await at.gm(do.AddCharacter("spider", sketch="Zarquon, Sword 3", hidden=True))
    await at.gm(do.EditSheet("spider", "concept", "waits in the cellar", "grudge"))
    await at.gm(do.MakeRuling("as I said", (do.RuledValue("spider", "concept", "in the attic"),)))
    await at.gm(do.RemoveCharacter("spider"))
    for seat in ("anna", "ben"):
        told = await heard_by(at, seat)
        assert "as I said" in told  # a ruling is open, what it touches need not be
        for word in ("spider", "Zarquon", "cellar", "grudge", "attic"):
            assert word not in told, word
    told = await heard_by(at, GM)
    assert "GM edits Zarquon (concept): grudge." in told
    assert "Zarquon was removed." in told


@played
async def test_of_the_gms_other_characters_others_know_the_name(at: Company):
    await at.gm(do.AddCharacter("smith", sketch="Wayland, Sword 3"))
    seen = (await at.view("anna"))["characters"]["smith"]
    assert (seen["name"], seen["page"]) == ("Wayland", None)
    await at.clients["anna"].hear()
    await at.gm(do.EditSheet("smith", "concept", "lame", "a surprise"))
    told = await heard_by(at, "anna")
    assert "lame" not in told
    assert "surprise" not in told


@played
async def test_a_hidden_character_of_a_player_is_that_players_to_see(at: Company):
    await at.gm(do.AddCharacter("spy", sketch="Zarquon, Sword 3", hidden=True))
    await at.gm(do.GiveCharacter("spy", "anna", hidden=True))
    for client in at.clients.values():
        await client.hear()
    await at.gm(do.EditSheet("spy", "concept", "a spy at court"))
    assert "a spy at court" in await heard_by(at, "anna")
    told = await heard_by(at, "ben")
    assert "Zarquon" not in told
    assert "spy" not in told
    assert "spy" in (await at.view("anna"))["characters"]
    assert "spy" not in (await at.view("ben"))["characters"]


@played
async def test_what_touches_everybody_does_not_name_the_hidden(at: Company):
    await at.gm(do.AddCharacter("spider", sketch="Zarquon, Sword 3", hidden=True))
    for client in at.clients.values():
        await client.hear()
    seen = []
    for procedure, arguments in (
        ("let_time_pass", {"time": "2 hours"}),
        ("review_tests", {}),
        ("end_scene", {}),
        ("begin_session", {}),
    ):
        going = await at.begin(GM, procedure, **arguments)
        if await at.is_open(going):
            assert "spider" in (await at.open(going)).characters
            (shown,) = (await at.view("anna"))["open"]
            seen.append(shown["characters"])
            await at.gm(do.CancelProcedure(going))
    assert ["mara", "tam", "advocate_ysmay", "serjeant_hale", "ketil_the_loud"] in seen
    told = await heard_by(at, "anna")
    for word in ("spider", "Zarquon", "captain_orrin"):
        assert word not in told, word


@played
async def test_refusals_do_not_tell_players_who_is_hidden(at: Company):
    await at.gm(do.AddCharacter("spider", sketch="Zarquon, Sword 3", hidden=True))
    tries: list[Any] = [
        do.EditSheet("nobody", "concept", "x"),
        do.EditSheet("spider", "concept", "x"),
        do.BeginProcedure(
            "standard_test", {"character": "nobody", "intent": "a", "task": "b", "ability": "Will"}
        ),
        do.BeginProcedure(
            "standard_test", {"character": "spider", "intent": "a", "task": "b", "ability": "Will"}
        ),
        do.BeginProcedure(
            "standard_test",
            {
                "character": "mara",
                "intent": "a",
                "task": "b",
                "ability": "Will",
                "helpers": ["nobody"],
            },
        ),
        do.BeginProcedure(
            "standard_test",
            {
                "character": "mara",
                "intent": "a",
                "task": "b",
                "ability": "Will",
                "helpers": ["spider"],
            },
        ),
    ]
    said = []
    for command in tries:
        with pytest.raises(Refusal) as refused:
            await at.do("anna", command)
        said.append(str(refused.value).replace("nobody", "spider"))
        assert "Zarquon" not in said[-1]
        assert "orrin" not in said[-1]
    # The same words whether there is such a hidden character or not.
    assert said[0] == said[1]
    assert said[2] == said[3]
    assert said[4] == said[5]


@played
async def test_a_secret_procedure_is_not_there_for_others(at: Company):
    for client in at.clients.values():
        await client.hear()
    secret = await at.begin(GM, "steel_test", True, character="tam", cause="surprise", source="Zzz")
    assert (await at.view("anna"))["open"] == []
    assert not any(chair["asked"] for chair in (await at.view("anna"))["chairs"])
    for command in (
        do.CancelProcedure(secret),
        do.AnswerQuestion(secret, 0, True),
        do.AnswerQuestion("p999", 0, True),
    ):
        with pytest.raises(BadInput, match="an open procedure"):
            await at.do("anna", command)
    with pytest.raises(BadInput, match="an open procedure"):
        await at.tables.foresee(at.id, "anna", secret)
    with pytest.raises(Refusal, match="Tam is still busy") as busy:
        await at.do(
            "ben",
            do.BeginProcedure(
                "standard_test", {"character": "tam", "intent": "a", "task": "b", "ability": "Will"}
            ),
        )
    assert "nerves" not in str(busy.value)
    await at.play_on(secret, until="advantage")
    assert "Zzz" not in await heard_by(at, "anna")
    (mine,) = (await at.view("ben"))["open"]  # Ben is asked, so he knows that something is up
    assert mine["questions"][0]["key"] == "advantage"
    await at.play_on(secret)
    heard = [decode(message) for message in await at.clients["anna"].hear()]
    # What it leaves behind in the scene is the GM's to see, as is how it came to be.
    assert not any(part in update for update in heard for part in ("log", "scene"))
    assert not any(update.get("open") for update in heard)
    assert "Zzz" in str((await at.view(GM))["scene"])
    assert "Zzz" not in str((await at.view("anna"))["scene"])
    assert '"rolled"' in await heard_by(at, GM)


@played
async def test_what_one_has_prepared_is_known_to_nobody_else(at: Company):
    procedure = await at.begin(GM, *[DUEL.procedure], **DUEL.arguments)
    for client in at.clients.values():
        await client.hear()
    ready = (do.ReadyAnswer("later", "Will you?", "zebra"),)
    await at.do("anna", do.DraftAnswers(procedure, ready))
    await at.play_on(procedure, until="script")
    for seat in (GM, "ben"):
        heard = [decode(message) for message in await at.clients[seat].hear()]
        assert "zebra" not in str(heard)
        assert "prepared" not in str([update.get("log") for update in heard])
        assert None not in [entry for update in heard for entry in update.get("log", ())]


@played
async def test_whoever_is_asked_again_in_secret_sees_what_he_has_seen_of_it(at: Company):
    duel = await at.begin(GM, DUEL.procedure, True, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["point", "point", "point"])
    await at.answer(duel, GM, ["point", "point", "point"])
    client, asked = at.clients["anna"], 0
    for _ in range(30):
        await client.hear()
        assert client.view["open"] == (await at.view("anna"))["open"]
        asked += bool(client.view["open"])
        question = await at.asked(duel)
        answer = usual(question.question)
        await at.do(question.seat, do.AnswerQuestion(duel, question.step, answer))
    assert 3 < asked < 30


def test_what_somebody_hidden_leaves_in_the_scene_is_the_gms_to_see():
    async def play() -> None:
        async with table("signs") as at:
            await at.sit("anna", plays="ysolde")
            sheet = {**ready_sheet(game_named("signs"), "bram"), "name": "Zarquon"}
            await at.gm(do.AddCharacter("spider", sheet, hidden=True))
            for client in at.clients.values():
                await client.hear()
            attempts = [
                {"character": key, "goal": f"see {key[0]}", "successes": 1, "passed": True}
                for key in ("spider", "ysolde")
            ]
            await at.gm(do.MakeRuling("so it was", (do.RuledValue("scene", "attempts", attempts),)))
            assert [each["character"] for each in (await at.scene())["attempts"]] == [
                "spider",
                "ysolde",
            ]
            tried = {seat: str((await at.view(seat))["scene"]) for seat in (GM, "anna")}
            assert "Zarquon: see s" in tried[GM]
            assert "Ysolde: see y" in tried["anna"]
            await at.begin(GM, "end_scene")
            await at.gm(do.UndoEntries((await at.state()).seq - 1))
            told = await heard_by(at, "anna")
            assert "Zarquon" not in told
            assert "spider" not in told
            # When it steps forward, all of that is there to be seen.
            await at.gm(do.GiveCharacter("spider", GM))
            client = at.clients["anna"]
            await client.hear()
            assert "Zarquon: see s" in str(client.view["scene"])
            await at.gm(do.GiveCharacter("spider", GM, hidden=True))
            await client.hear()
            assert "Zarquon" not in str(client.view["scene"])

    asyncio.run(play())


# --- What can be guessed -------------------------------------------------------------------


@played
async def test_a_player_cannot_find_out_which_hidden_names_there_are(at: Company):
    """The same answer whether something hidden has that name or nothing has it."""
    await at.sit("cleo")
    await at.gm(do.AddCharacter("spider", sketch="Zarquon, Sword 3", hidden=True))
    await at.do("cleo", do.AddCharacter("spider", ready="tam"))
    assert "spider_cleo" in (await at.view("cleo"))["characters"]
    assert (await at.sheet("spider"))["name"] == "Zarquon"
    await at.sit("dov")
    await at.do("dov", do.AddCharacter("nobody", ready="tam"))
    assert "nobody_dov" in (await at.view("dov"))["characters"]
    with pytest.raises(Refusal, match="one new character"):
        await at.do("anna", do.AddCharacter("tam", ready="tam"))  # that one everybody sees


@played
async def test_a_player_cannot_find_out_which_edits_others_propose(at: Company):
    proposal = f"e{await at.do('ben', do.EditSheet('tam', 'concept', 'x'))}"
    said = set()
    for yes in (True, False):
        for name in (proposal, "e999"):
            with pytest.raises(BadInput) as refused:
                await at.do("anna", do.ReviewEdit(name, yes))
            said.add(str(refused.value).replace(name, "..."))
    assert len(said) == 1
    await at.do("ben", do.ReviewEdit(proposal, False))  # his own he may withdraw


@played
async def test_a_player_cannot_find_out_which_private_notes_there_are(at: Company):
    await at.do("ben", do.WriteNote("plan", "zebra"))
    await at.do("anna", do.WriteNote("plan", "mine"))
    await at.do("anna", do.WriteNote("plan", "mine again"))
    notes = {seat: (await at.view(seat))["notes"] for seat in ("anna", "ben")}
    assert [each["text"] for each in notes["anna"]] == ["mine again"]
    assert [each["text"] for each in notes["ben"]] == ["zebra"]
    assert [each["id"] for each in notes["anna"]] == ["plan"]
    await at.do("ben", do.WriteNote("plan", ""))
    await at.do("ben", do.WriteNote("plan", "zebra"))
    await at.do("anna", do.WriteNote("plan", ""))
    assert (await at.view("anna"))["notes"] == []
    with pytest.raises(BadInput, match="no such note"):
        await at.do("anna", do.WriteNote("plan", ""))
    assert [each["text"] for each in (await at.view("ben"))["notes"]] == ["zebra"]


@played
async def test_secrets_of_all_kinds_look_the_same_to_others(at: Company):
    """A message says that there is one more entry, and nothing else."""
    await at.sit("cleo")
    vote = await at.begin(GM, "vote", question="Go?", choices=["a", "b"], voters=["ben", "cleo"])
    anna = at.clients["anna"]
    secret_test = {"character": "harbourmaster_dunn", "cause": "surprise", "source": "x"}
    secrets: list[tuple[str, Any]] = [
        (GM, do.ThrowDice("1d6", secret=True)),
        ("ben", do.ThrowDice("1d6", secret=True)),
        (GM, do.SendMessage("hush", ("ben",))),
        ("ben", do.WriteNote("n", "private")),
        ("ben", do.WriteNote("n", "")),
        ("ben", do.EditSheet("tam", "concept", "x")),
        ("ben", do.DraftAnswers(vote, (do.ReadyAnswer("later", "Later?", "yes"),))),
        (GM, do.AddCharacter("spider", sketch="Zarquon, Sword 3", hidden=True)),
        (GM, do.RemoveCharacter("spider")),
        (GM, do.BeginProcedure("steel_test", secret_test, secret=True)),
    ]
    for seat, command in secrets:
        await anna.hear()
        await at.do(seat, command)
        (heard,) = map(decode, await anna.hear())
        assert set(heard) == {"type", "seq", "head", "digest"}, command
    steel = next(id for id in (await at.state()).standing.open if id != vote)
    asked = await at.asked(steel)
    await at.do(asked.seat, do.AnswerQuestion(steel, asked.step, usual(asked.question)))
    await at.gm(do.CancelProcedure(steel))
    for heard in map(decode, await anna.hear()):
        assert set(heard) == {"type", "seq", "head", "digest"}
