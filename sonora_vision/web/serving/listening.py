"""The server under an application: its threads, and how long it is patient with a connection.

What is decided here is decided before the application sees anything: how long a request may take
to arrive, how large it may be, and how many connections one device may hold.
"""

from __future__ import annotations

import copy
import logging
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

import waitress
from flask import Flask, Request
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

from sonora_vision.errors import UsageError
from sonora_vision.web.door.access import Access, Credentials, bearer_token
from sonora_vision.web.door.attempts import network
from sonora_vision.web.params import WebParams

_CLEANUP_S = 5
_IDLE_S = 75
"""How long a connection waits for its next request; browsers close theirs after about as long."""


def serve_app(app: Flask, *, host: str, port: int) -> Any:
    """Open the server of an application; its ``run()`` serves.

    Parameters
    ----------
    app : Flask
        Made by `create_app`, whose limits hold.
    host, port : str, int
        Where to listen; port 0 takes any that is free.

    Returns
    -------
    waitress server
        With ``run``, ``close`` and ``effective_port``.

    Raises
    ------
    UsageError
        Where it cannot listen there.
    """
    limits: WebParams = app.extensions["sonora_table"].params
    server = waitress.create_server(
        app,
        sockets=[listen(host, port)],
        threads=limits.streams_max + limits.workers,
        connection_limit=limits.connections_max,
        channel_timeout=_IDLE_S,
        cleanup_interval=_CLEANUP_S,
        max_request_header_size=limits.header_max_bytes,
        max_request_body_size=limits.request_max_bytes,
        channel_request_lookahead=1,  # tells a stream that its page was closed
        asyncore_use_poll=True,  # select() knows no more than 1024 files
        ident=None,
    )
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns whenever one waits
    server.channel_class = _doorkeeper(app, limits)
    server.maintenance = _maintenance(server, limits)
    return server


def listen(host: str, port: int) -> socket.socket:
    """Open the socket of a server; raises UsageError where it cannot listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"--host {host} --port {port}: cannot listen there ({error.strerror}); "
            "choose another --port, or end what uses it"
        ) from None


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that has to send each request within a time, however busily it drips."""

    began: tuple[object, float] | None = None
    """The request that is arriving, and since when."""

    def received(self, data: bytes) -> Any:
        taken = super().received(data)
        if self.request is None:
            self.began = None
        elif self.began is None or self.began[0] is not self.request:
            self.began = self.request, time.monotonic()
        return taken

    def too_slow(self, limits: WebParams) -> bool:
        """Whether its request should have been here by now."""
        if self.began is None:
            return False
        request, since_s = self.began
        announced = getattr(request, "content_length", 0) / limits.request_slowest_bytes_s
        return time.monotonic() - since_s > limits.request_longest_s + announced


class _Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Reads a request; how much it may bring depends on who brings it."""

    adj: Any

    def __init__(self, adj: Any, largest: Callable[[dict[str, str]], int]) -> None:
        super().__init__(adj)
        self._largest = largest

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked or self.content_length:
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = self._largest(self.headers)


def _doorkeeper(app: Flask, limits: WebParams) -> Callable[..., object]:
    """Return what makes a connection of a socket, unless one device has too many."""

    def largest(headers: dict[str, str]) -> int:
        shown = _shown(app, headers)
        secrets: Access = app.extensions["sonora_access"]
        if secrets.is_host(shown.host):
            return limits.request_max_bytes
        if shown.seat is not None and secrets.seat(shown.seat) is not None:
            return int(app.config["MAX_CONTENT_LENGTH"])
        return limits.stranger_max_bytes

    class Channel(_Channel):
        @staticmethod
        def parser_class(adj: Any) -> _Parser:
            return _Parser(adj, largest)

    def admit(server: Any, connection: Any, address: Any, adj: Any, map: Any) -> object:
        mine = network(address[0])
        others = sum(network(c.addr[0]) == mine for c in server.active_channels.values())
        if others >= limits.connections_max_of_an_address:
            connection.close()
            return None
        return Channel(server, connection, address, adj, map=map)

    return admit


def _maintenance(server: Any, limits: WebParams) -> Callable[[float], None]:
    """Return what closes connections that are idle, or that drip."""
    idle = server.maintenance

    def maintain(now: float) -> None:
        idle(now)
        for channel in list(server.active_channels.values()):
            if channel.too_slow(limits):
                channel.will_close = True

    return maintain


def _shown(app: Flask, headers: dict[str, str]) -> Credentials:
    """Return what a request's headers show, before there is a request."""
    secrets: Access = app.extensions["sonora_access"]
    token = bearer_token(headers.get("AUTHORIZATION", ""))
    if token is not None:
        return secrets.bearer(token)
    request = Request({"REQUEST_METHOD": "GET", "HTTP_COOKIE": headers.get("COOKIE", "")})
    found: Mapping[str, Any] = app.session_interface.open_session(app, request) or {}
    return secrets.of_session(found)
