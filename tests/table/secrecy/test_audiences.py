"""Whether plain data names a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.table.secrecy.audiences import mentions

NAMES = st.sampled_from(["mara", "ma", 'a "b"', "ü", "\\", "", "x\n"])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(PLAIN, st.sets(NAMES, max_size=3))
def test_what_is_mentioned_is_named_as_a_whole_somewhere(plain, keys):
    def words(plain):
        if isinstance(plain, dict):
            return {*plain, *(word for each in plain.values() for word in words(each))}
        if isinstance(plain, list):
            return {word for each in plain for word in words(each)}
        return {plain} if isinstance(plain, str) else set()

    assert mentions(plain, keys) == bool(words(plain) & keys)
