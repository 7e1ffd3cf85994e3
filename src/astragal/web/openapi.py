"""The OpenAPI document: the routes as the framework knows them, the types as msgspec knows them.

The types' schemas come from msgspec itself, so that the document says exactly what is accepted and
what is sent: tags, bounds and unknown fields.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Litestar, get
from litestar.openapi import OpenAPIConfig

from astragal.web.messages import ErrorBody
from astragal.web.request_bodies import BODY, AnyRequest
from astragal.web.settings import VERSION

REF = "#/components/schemas/{name}"

CONFIG = OpenAPIConfig(
    title="Astragal",
    version=VERSION,
    description="The game table that knows the rules.",
    path="/schema/unused",
    render_plugins=[],
)


@get("/schema/openapi.json", include_in_schema=False)
async def openapi_json(request: AnyRequest) -> dict[str, Any]:
    """The OpenAPI document."""
    return document(request.app)


@lru_cache(4)
def document(app: Litestar) -> dict[str, Any]:
    """The whole document."""
    schema = app.openapi_schema.to_schema()
    kinds: dict[tuple[str, str, str], Any] = {}
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if getattr(handler, "resolve_include_in_schema", lambda: False)():
                for method in handler.http_methods:
                    path = route.path_format
                    kinds[path, method.lower(), "answer"] = _answer(handler)
                    kinds[path, method.lower(), "body"] = handler.opt.get(BODY)
    wanted = [kind for kind in kinds.values() if kind is not None]
    schemas, components = msgspec.json.schema_components(wanted, ref_template=REF)
    schema_of = dict(
        zip([key for key, kind in kinds.items() if kind is not None], schemas, strict=True)
    )
    (error,), error_components = msgspec.json.schema_components([ErrorBody], ref_template=REF)
    components.update(error_components)
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            _complete(operation, path, method, schema_of, error)
    schema["components"] = {
        "schemas": components,
        "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))
    return plain


def _complete(
    operation: dict[str, Any],
    path: str,
    method: str,
    schema_of: dict[tuple[str, str, str], Any],
    error: dict[str, Any],
) -> None:
    """Put msgspec's schemas into one operation."""
    body = schema_of.get((path, method, "body"))
    if body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body}},
        }
    if path.endswith("/images"):
        binary = {"schema": {"type": "string", "format": "binary"}}
        kinds = ("image/png", "image/jpeg", "image/webp", "image/gif")
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(kinds, binary)}
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        for kind in content.values():
            if int(status) >= 400:
                kind["schema"] = error
            elif (path, method, "answer") in schema_of:
                kind["schema"] = schema_of[path, method, "answer"]
        if path.endswith("/characters/{file}") and int(status) < 400:
            content["application/toml"] = {"schema": {"type": "string"}}
    if path.startswith("/api/t/"):
        operation["security"] = [{"seat": []}]


def _answer(handler: Any) -> Any:
    """The type that a handler answers with, taken out of its Response."""
    annotation = handler.parsed_fn_signature.return_type
    inner = annotation.inner_types
    if annotation.origin is not None and "Response" in str(annotation.origin) and inner:
        return inner[0].annotation
    return annotation.annotation
