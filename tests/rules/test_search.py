"""Searching finds what a person means, first."""

from __future__ import annotations

import pytest

from astragal.rules import catalogue


def found(words: str) -> list[str]:
    return [hit.entry.id for hit in catalogue().search(words)]


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("let it ride", "tests.let_it_ride."),
        ("LET IT RIDE", "tests.let_it_ride."),
        ("let_it_ride", "tests.let_it_ride."),
        ("hesitation", "steel.hesitation."),
        ("epiphany", "artha.epiphany."),
        ("tests.advantage.one_die", "tests.advantage.one_die"),
        ("tests_early_stop", "tests.amb.time_and_failure"),
    ],
)
def test_the_topic_comes_first(words: str, topic: str):
    assert found(words)[0].startswith(topic)


def test_every_word_must_occur():
    both = set(found("shipwright moqtada"))
    assert "tests.ex.haggling" in both
    assert both == set(found("shipwright")) & set(found("moqtada"))


def test_the_beginning_of_a_word_is_enough_but_not_its_middle():
    assert "tests.ex.haggling" in found("shipwri")
    assert "tests.ex.haggling" not in found("hipwright")


def test_words_are_found_in_readings_and_cells():
    assert "tests.amb.time_and_failure" in found("marginal failure is noticed")
    assert "tests.table.obstacle_scale" in found("Ludicrously Difficult")


def test_best_first():
    scores = [hit.score for hit in catalogue().search("obstacle")]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 100


@pytest.mark.parametrize("words", ["", "   ", "?!", "xyzzyx"])
def test_nothing_found(words: str):
    assert found(words) == []


def test_the_vocabulary_has_words_once():
    words = catalogue().vocabulary()
    assert "obstacle" in words
    assert len(words) == len(set(words))
