"""Forms: every procedure of every game can be asked for, and what is filled in can be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from astragal.games import game_named, games
from astragal.games.forms import Field, characters_in, form_of, signed
from astragal.play import GM
from astragal.rules import catalogue

PROCEDURES = [(name, each) for name, game in games().items() for each in game.procedures]
every_procedure = pytest.mark.parametrize(("game", "procedure"), PROCEDURES)

BURNING = game_named("burning_wheel")


def every_field(fields: tuple[Field, ...]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from every_field(field.fields)


def filled(fields: tuple[Field, ...]) -> dict[str, Any]:
    """A form in which nothing is filled in but what must be."""
    return {field.name: sample(field) for field in fields if field.required}


def sample(field: Field) -> Any:
    one = {"character": "mara", "number": field.least or 1, "yes_no": True, "counts": {}}
    match field.kind:
        case "choice":
            return field.choices[0].key
        case "choices":
            return [field.choices[0].key]
        case "group":
            return filled(field.fields)
        case "groups":
            return [filled(field.fields)] * (field.least or 1)
        case "texts" | "owns":
            return ["words"]
        case "characters" | "seats":
            return ["mara"]
        case "numbers":
            return [1]
    return one.get(field.kind, "words")


@every_procedure
def test_every_argument_has_its_field_and_what_must_be_given_is_marked(game: str, procedure: str):
    known = games()[game].procedure(procedure)
    form = form_of(games()[game], procedure)
    wanted = msgspec.structs.fields(known.arguments)
    assert [field.name for field in form.fields] == [each.encode_name for each in wanted]
    for field, argument in zip(form.fields, wanted, strict=True):
        assert field.required == argument.required, field.name
        assert field.label[0].isupper()
        assert "_" not in field.label
    assert form.title == known.title
    assert form.help
    assert "``" not in form.help
    for word in form.help.split():
        assert word.strip("().,;") not in catalogue(), word


@every_procedure
def test_an_ability_is_taken_from_a_character_of_the_form_and_choices_are_there(
    game: str, procedure: str
):
    form = form_of(games()[game], procedure)

    def check(fields: tuple[Field, ...], people: set[str]) -> None:
        people = people | {field.name for field in fields if field.kind == "character"}
        for field in fields:
            if field.kind in ("ability", "own", "owns"):
                assert field.of in people, (procedure, field.name, field.of)
                assert field.what
            if field.kind in ("choice", "choices"):
                assert field.choices, field.name
            if field.kind in ("group", "groups"):
                assert field.fields
            check(field.fields, people)

    check(form.fields, set())


@every_procedure
def test_a_form_with_no_more_than_what_must_be_given_can_be_read(game: str, procedure: str):
    the_game = games()[game]
    known = the_game.procedure(procedure)
    arguments = filled(form_of(the_game, procedure).fields)
    if procedure == "take_wound":
        arguments["at"] = "B7"
    the_game.read(arguments, known.arguments, "arguments")


@every_procedure
def test_a_default_is_plain_data_that_can_be_given_back(game: str, procedure: str):
    the_game = games()[game]
    known = the_game.procedure(procedure)
    form = form_of(the_game, procedure)
    least = filled(form.fields)
    if procedure == "take_wound":
        least["at"] = "B7"
    given = {field.name: field.default for field in form.fields if field.default is not None}
    left_out = the_game.read(least, known.arguments, "arguments")
    assert the_game.read({**given, **least}, known.arguments, "arguments") == left_out


def test_what_the_main_test_of_the_burning_wheel_asks():
    fields = {field.name: field for field in form_of(BURNING, "standard_test").fields}
    assert {name: field.kind for name, field in fields.items()} == {
        "character": "character",
        "intent": "long",
        "task": "long",
        "ability": "ability",
        "helpers": "characters",
        "gear": "owns",
        "instructions": "texts",
        "time": "text",
        "target": "character",
        "tools": "own",
    }
    assert [name for name, field in fields.items() if field.required] == [
        "character",
        "ability",
    ]
    assert [name for name, field in fields.items() if field.seldom] == [
        "instructions",
        "time",
        "tools",
    ]


def test_what_is_wanted_is_not_what_has_words_already():
    """A task that is there already does not go on from "I want to"."""
    assert form_of(BURNING, "standard_test").sentence[0] == ("intent", "I want to…")
    purchase = form_of(BURNING, "purchase")
    assert purchase.sentence == ()
    (task,) = (field for field in purchase.fields if field.name == "task")
    assert (task.label, task.default, task.seldom) == ("How", "looks for it and pays", True)


def test_a_list_begins_with_as_many_as_are_usual():
    (regimen,) = (field for field in form_of(BURNING, "practise").fields if field.kind == "groups")
    assert regimen.least == 1
    (sides,) = (field for field in form_of(BURNING, "versus_test").fields if field.kind == "groups")
    assert sides.least is None


def test_forms_within_forms_have_their_own_people():
    (about, sides, *_) = form_of(BURNING, "duel_of_wits").fields
    assert (about.kind, sides.kind) == ("text", "groups")
    assert {field.name: field.kind for field in sides.fields}["helpers"] == "characters"
    (fighters,) = form_of(BURNING, "bloody_pools").fields
    assert (fighters.least, fighters.most) == (2, 2)
    treat = {field.name: field for field in form_of(BURNING, "treat").fields}
    assert treat["skill"].of == "healer"


def test_the_characters_named_in_arguments_wherever_they_stand():
    at_the_table = ("mara", "tam", "dunn", "orrin")

    def found(procedure: str, **arguments: Any) -> tuple[str, ...]:
        return characters_in(BURNING, procedure, arguments, at_the_table)

    sides = [
        {"character": "dunn", "helpers": ["nobody"]},
        {"character": "mara", "helpers": ["tam"]},
    ]
    assert found("duel_of_wits", about="tam", sides=sides) == ("dunn", "mara", "tam")
    assert found("standard_test", character="mara", helpers=["tam"], target="orrin") == (
        "mara",
        "tam",
        "orrin",
    )
    linked = {"ability": "Streetwise", "task": "asks", "character": "tam"}
    assert found("purchase", character="mara", linked=linked) == ("mara", "tam")
    assert found("steel_test", character="tam", source="mara") == ("tam",)
    assert found("settle_home", character="nobody") == ()


def test_what_goes_for_all_is_about_everybody():
    at_the_table = ("mara", "tam")
    busy = [{"character": "mara", "doing": "sleeps"}]
    passing = {"time": "1 day", "busy": busy}
    assert characters_in(BURNING, "let_time_pass", passing, at_the_table) == at_the_table
    assert characters_in(BURNING, "review_tests", {}, at_the_table) == at_the_table
    only = {"characters": ["tam"]}
    assert characters_in(BURNING, "review_tests", only, at_the_table) == ("tam",)


def test_nobody_but_the_gm_speaks_for_another_seat():
    award = {"character": "mara", "award": "embodiment", "why": "a speech", "by": GM}
    assert signed(BURNING, "award_artha", award, "anna") == {**award, "by": "anna"}
    assert signed(BURNING, "award_artha", award, GM) == award
    unsaid = {"character": "mara", "award": "embodiment", "why": "a speech"}
    assert signed(BURNING, "award_artha", unsaid, "anna")["by"] == "anna"
    nominations = [{"character": "tam", "reputation": "the climber", "by": "bert"}]
    vote = {"scenario": "one", "participants": ["tam"], "nominations": nominations}
    assert signed(BURNING, "reputation_vote", vote, "anna")["nominations"][0]["by"] == "anna"
    assert vote["nominations"][0]["by"] == "bert"
    assert signed(game_named("percentile"), "divide", {"value": 5, "by": 2}, "anna")["by"] == 2


def test_a_form_is_plain_data():
    for form in (form_of(BURNING, name) for name in BURNING.procedures):
        assert msgspec.json.decode(msgspec.json.encode(form), type=type(form)) == form
