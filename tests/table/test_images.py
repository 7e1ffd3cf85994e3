"""Images are told by their content: four kinds, of a bounded size, and nothing that can run."""

from __future__ import annotations

import hashlib

import pytest

from astragal.errors import BadInput
from astragal.table.images import LARGEST_SIDE, MOST_BYTES, stored_image
from table.drawn import gif, jpeg, png, webp

DRAWN = {"image/png": png, "image/gif": gif, "image/jpeg": jpeg, "image/webp": webp}


@pytest.mark.parametrize("kind", DRAWN)
def test_each_kind_is_known_by_its_content(kind: str):
    raw = DRAWN[kind](30, 20)
    image = stored_image(raw)
    assert image.kind == kind
    assert image.data == raw
    assert image.id == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize("kind", DRAWN)
def test_neither_side_may_be_too_long_nor_missing(kind: str):
    stored_image(DRAWN[kind](LARGEST_SIDE, LARGEST_SIDE if kind != "image/png" else 1))
    for width, height in ((LARGEST_SIDE + 1, 1), (1, LARGEST_SIDE + 1)):
        with pytest.raises(BadInput, match="at most 8000 by 8000 pixels"):
            stored_image(DRAWN[kind](width, height))
    if kind != "image/webp":  # which counts from one
        with pytest.raises(BadInput, match="0 by 1 pixels"):
            stored_image(DRAWN[kind](0, 1))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"BM" + bytes(60),
        b"\x89PNG\r\n\x1a\n<svg/>",
        b"GIF89a",
        b"\xff\xd8\xff\xd9",
        b"RIFF\0\0\0\0WAVEfmt " + bytes(40),
        b"RIFF\0\0\0\0WEBPnone" + bytes(40),
        png()[:20],
        b" " + png(),
    ],
)
def test_anything_else_is_refused(raw: bytes):
    with pytest.raises(BadInput, match="a PNG, JPEG, WebP or GIF image"):
        stored_image(raw)


def test_two_megabytes_are_the_most():
    fits = png() + bytes(MOST_BYTES - len(png()))
    assert len(stored_image(fits).data) == MOST_BYTES
    with pytest.raises(BadInput, match="2 MB"):
        stored_image(fits + b"\0")
