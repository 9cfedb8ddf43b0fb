"""Where the table is found: this machine's addresses in the network around it."""

from __future__ import annotations

import ipaddress
import socket

from flask import current_app, request

_ELSEWHERE = ("10.255.255.255", "192.168.255.255", "172.31.255.255", "169.254.255.255")
"""An address in each private network; nothing is ever sent to them."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Listening at all addresses, and where the machine itself finds that."""


def loopback(host: str) -> str:
    """Return where this machine itself finds a server that listens at an address."""
    return EVERYWHERE.get(host, host)


def page_address(host: str, port: int) -> str:
    """Return the address of the first page, as it is typed into a browser."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_addresses() -> tuple[str, ...]:
    """Return this machine's addresses in its networks, that of the usual way out first.

    No internet is needed, and no packet leaves the machine: choosing a route tells the address.
    """
    found: dict[str, None] = {}
    for target in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:
                continue  # there is no way to such a network
            found[str(probe.getsockname()[0])] = None
    return tuple(each for each in found if not ipaddress.ip_address(each).is_loopback)


def phone_url() -> str:
    """Return the address of the first page as a phone can open it, for the codes to scan.

    A page that is looked at on the server's own screen is at `localhost`, which a phone is not.
    """
    asked = request.host_url
    name = request.host.rsplit(":", 1)[0].strip("[]")
    listens_on, port = current_app.extensions.get("sonora_listens", ("127.0.0.1", 0))
    if name in ("localhost", "127.0.0.1", "::1") and listens_on in EVERYWHERE:
        here = lan_addresses()
        return f"http://{here[0]}:{port}/" if here else asked
    return asked
