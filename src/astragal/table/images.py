"""Images that people upload: of four kinds, told by their content, with limits of size and number.

What a file is called, and what its sender says it is, counts for nothing. A drawing in SVG or a
page in HTML can hold scripts, so neither is taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from astragal.errors import BadInput
from astragal.table.store.interface import StoredImage

MOST_BYTES = 2 * 1024 * 1024
"""How large one image may be."""
MOST_IMAGES = 200
"""How many images a campaign may have."""
MOST_BYTES_IN_ALL = 12 * 1024 * 1024
"""How large the images of a campaign may be together."""
MOST_BYTES_EACH = 4 * 1024 * 1024
"""How much of that one player may take up."""
LARGEST_SIDE = 8000
"""How many pixels wide or high: a small file can hold an image that fills a device's memory."""

KINDS = "a PNG, JPEG, WebP or GIF image"

Size = tuple[int, int]


def stored_image(raw: bytes, place: str = "image") -> StoredImage:
    """An image as it is stored, under the hash of its content, or a refusal."""
    if len(raw) > MOST_BYTES:
        raise BadInput(place, f"{len(raw)} bytes", f"at most {MOST_BYTES} bytes (2 MB)")
    for kind, size_of in _KINDS.items():
        size = size_of(raw)
        if size is None:
            continue
        width, height = size
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            expected = f"an image of at most {LARGEST_SIDE} by {LARGEST_SIDE} pixels"
            raise BadInput(place, f"{width} by {height} pixels", expected)
        return StoredImage(hashlib.sha256(raw).hexdigest(), kind, raw)
    raise BadInput(place, "another kind of file", KINDS)


def _png(raw: bytes) -> Size | None:
    if raw[:8] != b"\x89PNG\r\n\x1a\n" or raw[12:16] != b"IHDR" or len(raw) < 33:
        return None
    return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")


def _gif(raw: bytes) -> Size | None:
    if raw[:6] not in (b"GIF87a", b"GIF89a") or len(raw) < 13:
        return None
    return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")


def _webp(raw: bytes) -> Size | None:
    if raw[:4] != b"RIFF" or raw[8:12] != b"WEBP" or len(raw) < 30:
        return None
    match raw[12:16]:
        case b"VP8 ":
            width = int.from_bytes(raw[26:28], "little") & 0x3FFF
            return width, int.from_bytes(raw[28:30], "little") & 0x3FFF
        case b"VP8L":
            bits = int.from_bytes(raw[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width = int.from_bytes(raw[24:27], "little") + 1
            return width, int.from_bytes(raw[27:30], "little") + 1
    return None


def _jpeg(raw: bytes) -> Size | None:
    """The size stands in the segment that begins the frame, after any number of others."""
    if raw[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    while at + 9 <= len(raw) and raw[at] == 0xFF:
        marker = raw[at + 1]
        if marker == 0xFF:  # a byte that fills up
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(raw[at + 5 : at + 7], "big")
            return int.from_bytes(raw[at + 7 : at + 9], "big"), height
        length = int.from_bytes(raw[at + 2 : at + 4], "big")
        if length < 2 or marker in (0xD9, 0xDA):
            return None
        at += 2 + length
    return None


_KINDS: dict[str, Callable[[bytes], Size | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/webp": _webp,
    "image/gif": _gif,
}
