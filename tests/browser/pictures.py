"""Files to upload in a browser: an image that one can recognise on a screenshot."""

from __future__ import annotations

import struct
import zlib

from playwright.sync_api import FilePayload


def drawn(width: int = 480, height: int = 320, hue: int = 0) -> bytes:
    """A PNG with stripes and a lighter disc in its middle."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    shades = ((176, 120, 60), (60, 110, 150), (110, 140, 70))
    base = shades[hue % len(shades)]
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (min(width, height) / 3) ** 2
            light = 70 if inside else 20 * ((x // 24 + y // 24) % 2)
            rows += bytes(min(255, each + light) for each in base)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (
        chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    )
    return b"\x89PNG\r\n\x1a\n" + parts


def a_picture(name: str = "map.png", hue: int = 0, **size: int) -> FilePayload:
    """An image as a file that somebody chooses."""
    return {"name": name, "mimeType": "image/png", "buffer": drawn(hue=hue, **size)}


def no_picture() -> FilePayload:
    """A drawing with a script in it, under the name of an image."""
    raw = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    return {"name": "map.png", "mimeType": "image/png", "buffer": raw}
