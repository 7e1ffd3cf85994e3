"""`astragal serve`: the game table in a browser, for everybody at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from astragal.web.authentication import CreationKey
    from astragal.web.settings import Settings

USUAL_PORT = 8000


def add_to(app: typer.Typer) -> None:
    """Add the command `serve`."""
    app.command("serve")(serve)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 accepts other machines.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; by default 8000, or the next free one."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="sqlite:///FILE or postgresql://...; by default $ASTRAGAL_DATABASE."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="The number of processes; more than 1 needs PostgreSQL."),
    ] = 1,
    public_url: Annotated[
        str, typer.Option(help="The public address, behind a proxy: https://table.example.")
    ] = "",
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="Another host name it answers to. May be repeated."),
    ] = None,
    open_to_all: Annotated[
        bool, typer.Option("--open", help="Let anybody create campaigns, without the key.")
    ] = False,
    open_browser: Annotated[
        bool | None,
        typer.Option("--open-browser/--no-browser", help="Open the page in a browser here."),
    ] = None,
    log: Annotated[str, typer.Option(help="The format of the log: text or json.")] = "text",
    separate_scripts: Annotated[
        bool, typer.Option("--separate-scripts", help="Send each script of the page separately.")
    ] = False,
) -> int:
    """Run the table: a web page for the GM and the players."""
    import sys

    from msgspec.structs import replace

    from astragal.errors import BadInput
    from astragal.table.store import database_url
    from astragal.web import access_log
    from astragal.web.authentication import creation_key
    from astragal.web.server import Workers, bind, run
    from astragal.web.settings import Settings, check_settings

    if log not in ("text", "json"):
        raise BadInput("--log", log, "text or json")
    settings = check_settings(
        Settings(
            database=database_url(database),
            host=host,
            port=port or 0,
            public_url=public_url.rstrip("/"),
            hosts=tuple(allowed_host or ()),
            is_open=open_to_all,
            log=log,
            workers=workers,
            joins_scripts=not separate_scripts,
        )
    )
    access_log.set_up(log)
    key = creation_key(settings.database)
    wanted = USUAL_PORT if port is None else port
    listening = bind(host, wanted, exactly=port is not None)
    settings = replace(settings, key=key.key, port=listening.getsockname()[1])
    browses = sys.stdout.isatty() if open_browser is None else open_browser

    def ready() -> None:
        _print_address(settings, key)
        if browses:
            _browse(lobby_address(settings, key))

    if workers == 1:
        run(settings, listening, ready)
        return 0
    return Workers(settings, listening, ready).run()


def address(settings: Settings) -> str:
    """Where people reach the server, as far as it knows."""
    if settings.public_url:
        return settings.public_url
    host = "localhost" if settings.host in ("0.0.0.0", "::", "") else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def lobby_address(settings: Settings, key: CreationKey) -> str:
    """The address at which campaigns can be created."""
    needs_no_key = settings.is_local or settings.is_open
    return f"{address(settings)}/" if needs_no_key else f"{address(settings)}/?key={key.key}"


def _print_address(settings: Settings, key: CreationKey) -> None:
    lines = [f"Astragal is at {address(settings)}"]
    if not settings.is_local and not settings.is_open:
        if key.is_new:
            lines.append(f"Create campaigns at {lobby_address(settings, key)}")
        elif key.file is not None:
            lines.append(
                f"Create campaigns at {address(settings)}/?key=KEY; the key is in {key.file}"
            )
        else:
            lines.append(f"Create campaigns at {address(settings)}/?key=$ASTRAGAL_KEY")
    lines.append("Stop it with Ctrl+C.")
    print("\n".join(lines), flush=True)


def _browse(url: str) -> None:
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
