"""Small images for tests, made by hand after the descriptions of the formats."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 1, height: int = 1, shade: int = 0) -> bytes:
    """A gray image in PNG, which every browser can show."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = (b"\0" + bytes([shade]) * width) * height
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def gif(width: int = 1, height: int = 1) -> bytes:
    """The smallest GIF."""
    size = struct.pack("<HH", width, height)
    return b"GIF89a" + size + b"\0\0\0,\0\0\0\0" + size + b"\0\2\2D\1\0;"


def jpeg(width: int = 1, height: int = 1) -> bytes:
    """The head of a JPEG: an application's segment, and the frame."""
    frame = struct.pack(">BHH", 8, height, width) + b"\1\1\x11\0"
    segment = b"\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
    size = struct.pack(">H", len(frame) + 2)
    return b"\xff\xd8" + segment + b"\xff\xc0" + size + frame + b"\xff\xd9"


def webp(width: int = 1, height: int = 1) -> bytes:
    """The head of a WebP of the extended kind."""
    about = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", len(about)) + about
    return b"RIFF" + struct.pack("<I", len(body)) + body
