"""Operations of the API: each checks what comes in, and stands in the OpenAPI document.

A view takes the parts of its address, and its body as a value; it returns a value. Both are
Pydantic models, and the document is made of the same models, so that it cannot say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Blueprint, Response, abort, current_app, jsonify, make_response, request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import models_json_schema

from sonora_vision.web.door.access import require_host

ROOT = "/api/v1"
api = Blueprint("api", __name__, url_prefix=ROOT)
View = TypeVar("View", bound=Callable[..., Any])

_PATH: dict[str, dict[str, Any]] = {
    "game_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,24}$"},
    "number": {"type": "integer", "minimum": 1, "maximum": 99},
}
"""Parts of an address."""
_ALWAYS = (400, 401, 403, 429, 503)
"""What any operation may answer: another name, nobody, not yours, too often, too much to do."""
_BINARY = {"type": "string", "format": "binary"}
_REF = "#/components/schemas/{model}"


class Fault(BaseModel):
    """Why something was not done."""

    model_config = ConfigDict(extra="forbid")

    error: str
    """In words, for people."""
    details: list[str] = Field(default_factory=list)
    """Every mistake of a document, by its place."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that can be asked for."""

    method: str
    path: str
    view: Callable[..., Any]
    status: int
    answer: type[BaseModel] | str | None
    """A model, the media type of a file, or nothing."""
    body: type[BaseModel] | tuple[str, ...] | None
    """A model, or the media types of a file."""
    query: Mapping[str, dict[str, Any]]
    faults: tuple[int, ...]
    host: bool
    """Whether it is for the host alone."""


OPERATIONS: list[Operation] = []


def operation(
    method: str,
    path: str,
    *,
    answer: type[BaseModel] | str | None,
    status: int = 200,
    body: type[BaseModel] | tuple[str, ...] | None = None,
    query: Mapping[str, dict[str, Any]] | None = None,
    faults: tuple[int, ...] = (),
    host: bool = False,
) -> Callable[[View], View]:
    """Make of a function an operation of the API; its docstring is what the document says."""

    def take(view: View) -> View:
        found = Operation(
            method=method,
            path=path,
            view=view,
            status=status,
            answer=answer,
            body=body,
            query=query or {},
            faults=faults,
            host=host,
        )
        OPERATIONS.append(found)

        def call(**parts: Any) -> Response:
            return _called(found, parts)

        api.add_url_rule(path, view.__name__, call, methods=[method])
        return view

    return take


@api.get("/openapi.json")
def document() -> Response:
    """Send the document that describes all this; it holds no secret, so strangers may read it."""
    return jsonify(openapi(OPERATIONS))


def _called(found: Operation, parts: dict[str, Any]) -> Response:
    if found.host:
        require_host()
    if found.body is not None:
        parts |= {"body": _body(found.body)}
    said = found.view(**parts)
    if isinstance(said, Response):
        return said
    if said is None:
        return make_response("", found.status)
    response = Response(said.model_dump_json(by_alias=True), mimetype="application/json")
    response.status_code = found.status
    return response


def _body(kind: type[BaseModel] | tuple[str, ...]) -> Any:
    """Return what came with the request, checked."""
    if isinstance(kind, tuple):
        if request.mimetype not in kind:
            abort(415, f"expected {' or '.join(kind)}, got {request.mimetype or 'nothing'}")
        return request.get_data()
    if request.mimetype != "application/json":
        abort(415, f"expected application/json, got {request.mimetype or 'nothing'}")
    try:
        return kind.model_validate_json(request.get_data(), strict=True)
    except ValidationError as error:
        places = [
            f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        fault = Fault(error="the document is not as it should be", details=places[:20])
        answer = Response(fault.model_dump_json(), 422, mimetype="application/json")
        return abort(answer)


def openapi(operations: list[Operation]) -> dict[str, Any]:
    """Return the OpenAPI document of operations."""
    sent = {o.body for o in operations if isinstance(o.body, type)}
    got = {o.answer for o in operations if isinstance(o.answer, type)} | {Fault}
    named, schemas = models_json_schema(
        [(m, "validation") for m in sorted(sent, key=str)]
        + [(m, "serialization") for m in sorted(got, key=str)],
        ref_template=_REF,
    )
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        path = each.path.replace("<int:", "<").replace("<", "{").replace(">", "}")
        paths.setdefault(path, {})[each.method.lower()] = _described(each, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sonora Vision",
            "version": "1",
            "description": "A table's games. A program shows a seat's code or a host's token as "
            "bearer; a page its cookie, and its token in X-CSRFToken when it changes something.",
        },
        "servers": [{"url": ROOT}],
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": current_app.config["SESSION_COOKIE_NAME"],
                },
            },
        },
        "security": [{"bearer": []}, {"cookie": []}],
    }


def _described(each: Operation, named: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    parts = [name for name in _PATH if f"{name}>" in each.path]
    faults = {*_ALWAYS, *each.faults, *((404,) if parts else ())}
    if each.body is not None:
        faults |= {413, 415, 422}
    if each.query:
        faults |= {422}
    fault = {"application/json": {"schema": named[(Fault, "serialization")]}}
    summary, _, more = (each.view.__doc__ or "").strip().partition("\n")
    found: dict[str, Any] = {
        "operationId": each.view.__name__,
        "summary": summary,
        "description": " ".join(more.split()),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _PATH[name]} for name in parts
        ]
        + [{"name": name, "in": "query", "schema": schema} for name, schema in each.query.items()],
        "responses": {
            str(each.status): {"description": HTTPStatus(each.status).phrase}
            | ({} if each.answer is None else {"content": _content(each.answer, named)}),
        }
        | {
            str(code): {"description": HTTPStatus(code).phrase, "content": fault}
            for code in sorted(faults)
        },
    }
    if isinstance(each.body, tuple):
        found["requestBody"] = {
            "required": True,
            "content": {
                media: {"schema": {"type": "string", "format": "binary"}} for media in each.body
            },
        }
    elif each.body is not None:
        content = {"application/json": {"schema": named[(each.body, "validation")]}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _content(answer: type[BaseModel] | str, named: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    if isinstance(answer, str):
        return {answer: {"schema": _BINARY}}
    return {"application/json": {"schema": named[(answer, "serialization")]}}
