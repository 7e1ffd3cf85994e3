"""What every game offers to a table: procedures that exist, rules that resolve, demos that play."""

from __future__ import annotations

import random

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games import games
from astragal.games.forms import characters_in, form_of
from astragal.games.game import Game, Table
from astragal.games.ready import ready_paths, ready_sheet, ready_sheets
from astragal.play import (
    GM,
    Answer,
    Ask,
    Number,
    RollEvent,
    Script,
    Session,
    Unanswered,
    by,
    defaults,
)
from astragal.rules import catalogue
from scripts_at_random import random_script

every_game = pytest.mark.parametrize("game", games().values(), ids=games())
SUGGESTIONS = [(name, each) for name, game in games().items() for each in game.demo.suggestions]


def demo_table(game: Game) -> Table:
    sheets = {
        key: game.read_sheet(ready_sheet(game, cast.ready), key)
        for key, cast in game.demo.characters.items()
    }
    return game.table(sheets, game.read(game.demo.scene, game.scene, "scene"))


@every_game
def test_the_procedures_that_a_game_names_are_there(game: Game):
    for name in (*game.opening, *game.closing):
        game.procedure(name)
    assert game.frequent[0] == game.main_test
    assert not game.procedure(game.main_test).gm_only
    places = [each.frequent for each in game.procedures.values() if each.frequent]
    assert sorted(places) == list(range(1, len(places) + 1))


@every_game
def test_no_procedure_is_called_like_a_session_s_own_buttons(game: Game):
    titles = {each.title.lower().replace(" the ", " ") for each in game.procedures.values()}
    assert not titles & {"start session", "begin session", "new session", "end session"}


@every_game
def test_every_procedure_is_in_a_group_and_has_other_words(game: Game):
    finding = game.at_table.finding
    groups = {name: finding.group(each) for name, each in game.procedures.items()}
    assert set(groups.values()) == set(finding.groups)
    assert set(finding.words) <= set(groups)
    frequent = set(game.frequent) if game.name == "burning_wheel" else set(groups)
    assert frequent <= set(finding.words)
    said = [(name, word) for name, words in finding.words.items() for word in words]
    assert len(set(said)) == len(said)


@every_game
def test_a_tap_on_a_sheet_begins_a_procedure_that_there_is(game: Game):
    sheets = {key: game.read_sheet(raw, key) for key, raw in ready_sheets(game).items()}
    table = game.table(sheets)
    taps = [
        row.tap
        for key, sheet in sheets.items()
        for section in game.page(sheet, key, table).sections
        for row in section.rows
        if row.tap is not None
    ]
    assert taps
    for tap in taps:
        assert game.procedure(tap.procedure).gm_only is tap.gm_only
        assert set(tap.arguments) <= set(game.procedure(tap.procedure).arguments.__struct_fields__)


@pytest.mark.parametrize(
    ("name", "words", "procedure"),
    [
        ("cores", "heal", "purge_angst"),
        ("cores", "versus", "opposed_test"),
        ("signs", "fight", "attack_roll"),
        ("signs", "assist", "offer_help"),
        ("percentile", "skill", "test"),
        ("percentile", "run", "movement"),
    ],
)
def test_other_words_lead_to_a_procedure(name: str, words: str, procedure: str):
    assert words in games()[name].at_table.finding.words[procedure]


@every_game
def test_the_meanings_of_a_game_are_of_arguments_that_it_has(game: Game):
    names: set[str] = set()

    def walk(fields, path, procedure):
        for field in fields:
            here = f"{path}.{field.name}" if path else field.name
            names.update({field.name, f"{procedure}.{here}"})
            walk(field.fields, here, procedure)

    for procedure in game.procedures:
        walk(form_of(game, procedure).fields, "", procedure)
    for key in game.meanings:
        assert key in names or key.partition(".")[2] in names, key
    for meaning in game.meanings.values():
        for option in meaning.choices:
            assert not option.rule or catalogue().resolves(option.rule)


@every_game
def test_secret_fields_are_fields_of_the_scene(game: Game):
    assert game.secret_scene <= set(game.scene.__struct_fields__)


@every_game
def test_ready_sheets_are_read_from_the_package(game: Game):
    assert list(ready_sheets(game)) == list(ready_paths(game))
    for name, raw in ready_sheets(game).items():
        assert game.read_sheet(raw, name).name == raw["name"]
    with pytest.raises(BadInput, match="a pre-made sheet"):
        ready_sheet(game, "nobody at all")


@every_game
def test_every_ability_on_offer_has_a_label_and_a_rule(game: Game):
    for name, raw in ready_sheets(game).items():
        options = game.abilities(game.read_sheet(raw, name))
        assert options
        assert len({option.key for option in options}) == len(options)
        for option in options:
            assert option.label.casefold().startswith(option.key.casefold()[:1])
            assert catalogue().resolves(option.rule)


@every_game
def test_a_demo_seats_players_and_says_what_it_is_about(game: Game):
    demo = game.demo
    assert demo.title
    assert demo.premise.count(".") >= 2
    assert any(cast.seat != GM for cast in demo.characters.values())
    assert not any(cast.hidden for cast in demo.characters.values() if cast.seat != GM)
    assert 2 <= len(demo.suggestions) <= 4
    assert demo.suggestions[0].procedure in game.frequent


CHANCE = random.Random(7)


def some_answer(ask: Ask) -> Answer:
    """The default, or anything that will do."""
    if isinstance(ask.question, Number) and ask.question.default is None:
        return 5
    if isinstance(ask.question, Script) and ask.question.default is None:
        at_random = ask.question.openers and random_script(ask.question, CHANCE)
        return at_random or ("point",) * ask.question.slots
    try:
        return defaults(ask)
    except Unanswered:
        return (*ask.question.every_answer(), "so be it")[0]


@pytest.mark.parametrize(
    ("name", "suggestion"), SUGGESTIONS, ids=[f"{n}-{s.procedure}" for n, s in SUGGESTIONS]
)
def test_a_suggestion_can_be_played_to_its_end_and_rolls_something(name: str, suggestion):
    game = games()[name]
    table = demo_table(game)
    procedure = game.procedure(suggestion.procedure)
    arguments = game.read(suggestion.arguments, procedure.arguments, "arguments")
    session = Session(procedure.start(arguments, table), by(Seeded("demo")))
    questions = 0
    while session.waiting and questions < 4000:
        ask = session.waiting[0]
        answer = some_answer(ask)
        session.answer(ask.seat, answer)
        questions += 1
    assert not session.waiting
    assert any(isinstance(event, RollEvent) for event in session.events)
    named = characters_in(game, procedure, suggestion.arguments, table.characters)
    assert named
    names = {key: sheet.name for key, sheet in table.characters.items()}
    words = game.about(procedure, arguments, names)
    assert names[named[0]] in words
    assert words == game.about(procedure, suggestion.arguments, names)


def test_what_an_attempt_is_about():
    game = games()["burning_wheel"]
    names = {"mara": "Mara", "dunn": "Dunn"}

    def said(procedure: str, **arguments) -> str:
        return game.about(game.procedure(procedure), arguments, names)

    assert (
        said("standard_test", character="mara", intent="in", task="asks", ability="Streetwise")
        == "in: asks (Mara's Streetwise)"
    )
    sides = [{"character": "mara", "skill": "Persuasion"}, {"character": "dunn"}]
    assert said("duel_of_wits", about="the roll", sides=sides) == (
        "the roll (Mara's Persuasion against Dunn)"
    )
    assert said("get_up", character="mara") == "Mara"
    assert said("end_scene") == "End the scene"


def test_a_game_without_a_module_for_the_table_can_be_played_all_the_same():
    burning = games()["burning_wheel"]
    bare = Game("bare", "Bare", "astragal.dice", burning.sheet, burning.scene, main_test="test")
    assert bare.frequent == ("test",)
    assert bare.demo is None
    sheet = burning.read_sheet({"name": "Mara"}, "mara")
    assert bare.page(sheet, "mara", burning.table({"mara": sheet})).name == "Mara"
    assert bare.scene_page(None) == ()
    with pytest.raises(BadInput, match="a whole sheet"):
        bare.sketch("guard, 4s")
