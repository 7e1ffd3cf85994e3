"""Values drawn in bulk follow their distribution exactly, as thrown faces do."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from astragal.dice import Distribution, OpenEnded, Pool, Seeded, Shade, Sum, draw, parse


class Words:
    """A stream that says given 32-bit words, one after another."""

    def __init__(self, *words: int) -> None:
        self.stream = b"".join(word.to_bytes(4, "big") for word in words)

    def take(self, count: int) -> bytes:
        taken, self.stream = self.stream[:count], self.stream[count:]
        return taken


def test_each_word_falls_where_its_fraction_does():
    third = Distribution.of({"a": 1, "b": 2})
    bound = (1 << 32) // 3
    assert draw(third, Words(0, bound - 1, bound + 1, (1 << 32) - 1), 4) == {"a": 2, "b": 2}


def test_a_word_on_the_bound_reads_on():
    third = Distribution.of({"a": 1, "b": 2})
    bound = (1 << 32) // 3  # one third is 0.010101... in binary: the bound again and again
    assert draw(third, Words(bound, 0), 1) == {"a": 1}
    assert draw(third, Words(bound, (1 << 32) - 1), 1) == {"b": 1}
    assert draw(third, Words(bound, bound, bound + 1), 1) == {"b": 1}
    half = Distribution.of({"a": 1, "b": 1})  # here the bound itself is whole
    assert draw(half, Words(1 << 31), 1) == {"b": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "expression",
    [
        Pool.of(8, Shade.GRAY),
        Pool.of(5, open_ended=OpenEnded.SIXES),
        parse("3d6+1"),
        parse("d6!+d8-d4"),
    ],
    ids=lambda expression: expression.notation,
)
def test_drawn_values_and_thrown_faces_agree_with_the_distribution(expression):
    runs = 40_000
    exactly = expression.distribution()
    thrown = Seeded("faces")
    by_face = Counter(expression.sample(thrown).value for _ in range(runs))
    by_value = draw(exactly, Seeded("values"), runs)
    assert sum(by_value.values()) == runs
    for value in exactly:
        chance = float(exactly.chance(value))
        spread = (chance * (1 - chance) / runs) ** 0.5
        for seen in (by_face, by_value):
            assert abs(seen[value] / runs - chance) < 4.7 * spread + 1 / runs


def test_the_same_seed_draws_the_same():
    pool = Pool.of(6).distribution()
    assert draw(pool, Seeded(1), 500) == draw(pool, Seeded(1), 500)
    assert draw(pool, Seeded(1), 500) != draw(pool, Seeded(2), 500)
    assert draw(Distribution.certain(7), Words(), 3) == {7: 3}


@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("open_ended", [OpenEnded.NO, OpenEnded.SIXES])
def test_final_dice_keep_the_chance_of_every_number(shade, open_ended):
    pool = Pool.of(4, shade, open_ended=open_ended)
    final = pool.final_distribution()
    assert final.map(lambda count: count.successes) == pool.successes().distribution()
    for enough in range(6):
        verdict = pool.final_distribution(enough=enough)
        assert verdict.where(lambda count: count.successes >= enough) == pool.at_least(enough)  # noqa: B023
        assert len(verdict) <= 2
        assert not any(count.sixes or count.traitors for count in verdict)


def test_plain_notation_is_read_the_same_at_a_glance_and_slowly():
    for count, sides, plus in product(("", "1", "3", "12"), (4, 6, 8, 10, 12), ("", "+5", "-3")):
        text = f"{count}d{sides}{plus}"
        slowly = f" {text}"  # a blank in front is more than a glance can take
        assert parse(text) == parse(slowly)
        assert parse(text).distribution().total == sides ** int(count or 1)
    assert parse("2d6+1").distribution().chance(13) == Fraction(1, 36)
    assert isinstance(parse("1d6"), Sum)
