"""The headers of every answer, our own host names and origins, and the cookies of seats.

A request that changes something with a cookie has to come from our own page, as the browser says
in its headers; without such a header it is refused. A request with a token in a header needs no
such proof, because no other page can make a browser send one.
"""

from __future__ import annotations

from collections.abc import Mapping

from astragal.web.settings import Settings, host_name

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
"""The headers of every answer."""

COOKIE_AGE = 400 * 24 * 60 * 60
"""How long a browser keeps a seat, in seconds; browsers allow no more."""

KEY_COOKIE = "astragal_key"

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Origins:
    """Our own host names and origins."""

    def __init__(self, settings: Settings) -> None:
        """Take them from the settings."""
        self._hosts = settings.allowed_hosts
        self._origin = settings.origin

    def is_our_host(self, host: str) -> bool:
        """Whether a request may be addressed to this host name."""
        return not self._hosts or host_name(host) in self._hosts

    def is_ours(self, headers: Mapping[str, str], scheme: str) -> bool:
        """Whether the browser says that the request comes from a page of ours."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") == "same-origin"
        # Behind a proxy only the public address counts; without one, the address that was used.
        return origin.lower() == (self._origin or f"{scheme}://{headers.get('host', '')}".lower())

    def is_foreign(self, headers: Mapping[str, str], scheme: str) -> bool:
        """Whether the browser says that the request comes from somebody else's page."""
        if headers.get("origin") is not None:
            return not self.is_ours(headers, scheme)
        return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def seat_cookie(campaign: str) -> str:
    """The name of the cookie that holds a seat at a campaign."""
    return f"astragal_{campaign}"


def seat_paths(campaign: str) -> tuple[str, str]:
    """The two paths to which the browser sends the seat's cookie."""
    return (f"/api/t/{campaign}", f"/ws/{campaign}")


def set_cookie(name: str, value: str, path: str, *, secure: bool) -> str:
    """A cookie that no script reads and no other site sends; an empty value deletes it."""
    parts = [
        f"{name}={value}",
        f"Path={path}",
        f"Max-Age={COOKIE_AGE if value else 0}",
        "HttpOnly",
        "SameSite=Strict",
    ]
    return "; ".join([*parts, "Secure"] if secure else parts)


def cookie(headers: Mapping[str, str], name: str) -> str:
    """The value of a cookie, or nothing.

    >>> cookie({"cookie": "a b=1; astragal_key=k; {}"}, "astragal_key")
    'k'
    """
    for part in headers.get("cookie", "").split(";"):
        found, _, value = part.strip().partition("=")
        if found == name:
            return value
    return ""


def bearer(headers: Mapping[str, str]) -> str:
    """The token in the Authorization header, or nothing."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
