"""`astragal serve`: the game table in a browser, for everybody at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from astragal.web.keys import FoundingKey
    from astragal.web.settings import Settings

USUAL_PORT = 8000


def add_to(app: typer.Typer) -> None:
    """Add the command `serve`."""
    app.command("serve")(serve)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; else 8000, or the next that is free."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="sqlite:///FILE or postgresql://...; else $ASTRAGAL_DATABASE."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes, for as many cores.")] = 1,
    public_url: Annotated[
        str, typer.Option(help="Where people reach it through a proxy: https://table.example.")
    ] = "",
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="A name under which it may be addressed; can be given several times."),
    ] = None,
    open_to_all: Annotated[
        bool, typer.Option("--open", help="Anybody may found campaigns, without the key.")
    ] = False,
    open_browser: Annotated[
        bool | None, typer.Option("--open-browser/--no-browser", help="Open the page here.")
    ] = None,
    log: Annotated[str, typer.Option(help="What the log looks like: text or json.")] = "text",
) -> int:
    """Run the table: a web page for the GM and the players."""
    import sys

    from astragal.errors import BadInput
    from astragal.table.store import database_url
    from astragal.web import access_log
    from astragal.web.keys import founding_key
    from astragal.web.server import Workers, bound, run
    from astragal.web.settings import Settings, checked

    if log not in ("text", "json"):
        raise BadInput("--log", log, "text or json")
    where = database_url(database)
    key = founding_key(where)
    settings = checked(
        Settings(
            database=where,
            host=host,
            port=port or 0,
            public_url=public_url.rstrip("/"),
            hosts=tuple(allowed_host or ()),
            key=key.key,
            is_open=open_to_all,
            log=log,
            workers=workers,
        )
    )
    access_log.set_up(log)
    wanted = USUAL_PORT if port is None else port
    listening = bound(host, wanted, exactly=port is not None, shared=workers > 1)
    settings = _at_port(settings, listening.getsockname()[1])
    browses = sys.stdout.isatty() if open_browser is None else open_browser

    def ready() -> None:
        _say_where(settings, key)
        if browses:
            _browse(door_of(settings, key))

    if workers == 1:
        run(settings, listening, ready)
        return 0
    return Workers(settings, ready).run()


def _at_port(settings: Settings, port: int) -> Settings:
    from msgspec.structs import replace

    return replace(settings, port=port)


def address_of(settings: Settings) -> str:
    """Where people reach the server, as far as it knows."""
    if settings.public_url:
        return settings.public_url
    host = "localhost" if settings.host in ("0.0.0.0", "::", "") else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def door_of(settings: Settings, key: FoundingKey) -> str:
    """The address at which campaigns can be founded."""
    free = settings.is_local or settings.is_open
    return f"{address_of(settings)}/" if free else f"{address_of(settings)}/?key={key.key}"


def _say_where(settings: Settings, key: FoundingKey) -> None:
    lines = [f"Astragal is at {address_of(settings)}"]
    if not settings.is_local and not settings.is_open:
        if key.is_new:
            lines.append(f"Found campaigns at {door_of(settings, key)}")
        elif key.file is not None:
            lines.append(f"Found campaigns at {address_of(settings)}/?key=KEY, with {key.file}")
        else:
            lines.append(f"Found campaigns at {address_of(settings)}/?key=$ASTRAGAL_KEY")
    lines.append("Stop it with Ctrl+C.")
    print("\n".join(lines), flush=True)


def _browse(address: str) -> None:
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
