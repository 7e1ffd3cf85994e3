"""What is asked when a campaign begins is a house rule, with all its choices and no others."""

from __future__ import annotations

import pytest

from astragal.games import games
from astragal.rules import catalogue


@pytest.mark.parametrize("game", games())
def test_first_questions_are_house_rules_with_every_choice(game: str):
    options = {spec.name: spec for spec in catalogue().options(game)}
    asked = games()[game].at_table.first_questions
    assert 1 <= len(asked) <= 5
    for question in asked:
        spec = options[question.option]
        assert set(question.choices) == set(spec.choices)
        assert next(iter(question.choices)) == spec.default
