"""Options: what there is to choose, and a group's choices."""

from __future__ import annotations

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.rules import Options, catalogue


def test_every_game_offers_its_options():
    offered = {system: len(catalogue().options(system)) for system in catalogue().systems}
    assert offered == {"burning_wheel": 116, "cores": 3, "percentile": 5, "signs": 7}


@pytest.mark.parametrize("system", catalogue().systems)
def test_options_point_at_entries_and_have_names_of_their_own(system: str):
    specs = catalogue().options(system)
    assert len({spec.name for spec in specs}) == len(specs)
    assert all(spec.rule in catalogue() and spec.default in spec.choices for spec in specs)


@pytest.mark.parametrize("system", catalogue().systems)
def test_every_choice_can_be_made(system: str):
    for spec in catalogue().options(system):
        for choice in spec.choices:
            options = Options.of(system, {spec.name: choice})
            assert options[spec.name] == choice
            assert options.changed == ({} if choice == spec.default else {spec.name: choice})


def test_the_edition_is_an_option():
    assert Options.of("burning_wheel")["edition"] == "revised"
    assert Options.of("burning_wheel", {"edition": "gold"}).changed == {"edition": "gold"}


def test_options_are_values():
    one = Options.of("burning_wheel", {"tests_early_stop": "summary"})
    same = Options.of("burning_wheel").but(tests_early_stop="summary")
    assert one == same
    assert hash(one) == hash(same)
    assert one != Options.of("burning_wheel")
    assert one != Options.of("cores")
    assert one != one.as_dict()
    assert eval(repr(one)) == one


def test_options_do_not_change():
    options = Options.of("signs")
    with pytest.raises(TypeError):
        options["signs_reroll"] = "keep_the_better"  # type: ignore[index]
    options.as_dict()["signs_reroll"] = "keep_the_better"
    assert options.changed == {}


def test_options_travel_as_a_plain_mapping():
    options = Options.of("signs", {"signs_reroll": "keep_the_better"})
    sent = msgspec.json.encode(options.as_dict())
    assert Options.of("signs", msgspec.json.decode(sent)) == options
    assert len(options) == len(options.as_dict()) == 7


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        ({"tests_early_stopp": "body"}, r"tests_early_stopp.*did you mean tests_early_stop"),
        ({"xyzzy": "body"}, "an option of burning_wheel$"),
        (
            {"tests_early_stop": "sumary"},
            r"options\.tests_early_stop: found 'sumary', expected one of body, summary "
            r"\(did you mean summary\?\) \[tests\.amb\.time_and_failure\]",
        ),
        ({"tests_early_stop": 3}, "found 3, expected one of body, summary"),
        ({"edition": None}, "found nothing, expected one of revised, gold"),
    ],
)
def test_what_is_no_choice_is_refused(chosen: dict[str, object], complaint: str):
    with pytest.raises(BadInput, match=complaint):
        Options.of("burning_wheel", chosen)


def test_reading_an_unknown_option_is_a_mistake_in_the_code():
    with pytest.raises(KeyError, match="did you mean tests_early_stop"):
        Options.of("burning_wheel")["tests_early_stopp"]
    assert "tests_early_stopp" not in Options.of("burning_wheel")


def test_an_unknown_game_is_refused():
    with pytest.raises(BadInput, match="did you mean signs"):
        Options.of("sign")


def test_but_keeps_what_was_chosen_before():
    once = Options.of("burning_wheel", {"edition": "gold"})
    twice = once.but(tests_early_stop="summary")
    assert twice.changed == {"edition": "gold", "tests_early_stop": "summary"}
    assert once.changed == {"edition": "gold"}


@pytest.mark.parametrize("system", catalogue().systems)
def test_every_option_asks_a_short_question_of_its_own(system: str):
    questions = [spec.question for spec in catalogue().options(system)]
    assert len(set(questions)) == len(questions)
    assert [each for each in questions if not each.endswith("?") or len(each) > 120] == []
