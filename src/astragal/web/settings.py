"""The settings of a server: its address, who may create campaigns, and its limits."""

from __future__ import annotations

import ipaddress
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from astragal.errors import BadInput

VERSION = version("astragal")

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine; a server for this machine alone answers to no other."""


class Rate(msgspec.Struct, frozen=True):
    """A number for each second in the long run, and a number at once."""

    each_second: float
    at_once: int


class Rates(msgspec.Struct, frozen=True):
    """How often something may be done before it is refused with status 429."""

    seat: Rate = Rate(20, 60)
    """Commands and questions of one seat, on all its devices together."""
    begins: Rate = Rate(2, 20)
    """Procedures that one seat begins: each is stored with the state of the whole table."""
    address: Rate = Rate(200, 2000)
    """Requests from one address, whatever they are about."""
    guesses: Rate = Rate(0.5, 20)
    """Wrong links and keys from one address."""
    joins: Rate = Rate(1, 30)
    """Links that are exchanged for a seat, from one address."""
    creations: Rate = Rate(0.2, 20)
    """Campaigns created or imported from one address."""
    sockets: Rate = Rate(100, 1000)
    """Sockets opened from one address."""
    searches: Rate = Rate(5, 60)
    """Searches in the rules from one address: each goes through the whole catalogue."""
    frames: Rate = Rate(60, 600)
    """Frames of one socket, whatever they are; beyond that it is closed."""
    written: Rate = Rate(500, 1_000_000)
    """Bytes of commands that one seat sends, on all its devices together."""
    images: Rate = Rate(10_000, 12_000_000)
    """Bytes of images that one seat uploads."""
    abuses: Rate = Rate(1 / 30, 3)
    """Sockets of one seat that had to be closed; beyond that it cannot open any for a while."""


class Limits(msgspec.Struct, frozen=True):
    """How many connections an address may have, and how long they may take."""

    connections: int = 200
    """Connections that one address may have open; not counted behind a proxy."""
    head_seconds: float = 10.0
    """In which a connection has to send the head of a request."""
    body_seconds: float = 30.0
    """In which a body has to be sent; an imported campaign has ten times as long."""
    stuck_seconds: float = 30.0
    """After which a connection that does not read what it is sent is closed."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a process has to know before it starts."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    """The address for people, behind a proxy: ``https://table.example``."""
    hosts: tuple[str, ...] = ()
    """Host names it answers to, besides those that follow from the other settings."""
    key: str = ""
    """The creation key: needed to create campaigns from another machine."""
    is_open: bool = False
    """Whether anybody may create campaigns."""
    rates: Rates = Rates()
    limits: Limits = Limits()
    log: str = "text"
    page: Path = Path(__file__).with_name("page")
    joins_scripts: bool = True
    """Whether browsers are sent all scripts of the page as one; developers read them one by one."""
    workers: int = 1

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it, with no proxy in front."""
        return not self.public_url and is_loopback(self.host)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return self.database.startswith("postgres")

    @property
    def origin(self) -> str:
        """The origin of the public address, or nothing."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower() if self.public_url else ""

    @property
    def is_secure(self) -> bool:
        """Whether people reach it by https."""
        return self.public_url.lower().startswith("https://")

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The host names, without port, that it answers to; none means any."""
        names = {name.lower() for name in self.hosts}
        if self.public_url:
            names.add(host_name(urlsplit(self.public_url).netloc))
        if self.is_local or names:
            # Health checks come from the same machine.
            names.update(LOCAL_NAMES)
        return frozenset(names)


def check_settings(settings: Settings) -> Settings:
    """The settings, or a refusal if they cannot work."""
    parts = urlsplit(settings.public_url)
    if settings.public_url and not (
        parts.scheme in ("http", "https") and parts.netloc and parts.path in ("", "/")
    ):
        raise BadInput("--public-url", settings.public_url, "an address like https://table.example")
    if settings.workers > 1 and not settings.is_shared:
        raise BadInput(
            "--workers",
            settings.workers,
            "1 with SQLite; for several processes use --database postgresql://...",
        )
    return settings


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("Table.example:443"), host_name("[::1]:8000"), host_name("[::1]")
    ('table.example', '[::1]', '[::1]')
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()
