"""Under which names the pages answer.

A site elsewhere can bend its own name to the address of this table, and then read the pages in a
visitor's browser as if they were its own. Such a request bears that site's name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

_LOCAL = ("localhost", ".localhost", ".local")
"""Names that no public name server answers for."""


class HostNames:
    """The names of one server.

    Addresses are taken as they are: a site's name can be bent to one, an address cannot, and a
    machine's addresses change while it runs.

    Parameters
    ----------
    more : iterable of str
        Further names; one that begins with a dot stands for all names that end so.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._names = {*_LOCAL, own, *(name.strip().lower() for name in more)}
        self._endings = tuple(name for name in self._names if name.startswith("."))

    def __contains__(self, host: str) -> bool:
        """Whether a ``Host`` header, with or without a port, names this server."""
        try:
            parts = urlsplit(f"//{host}")
            name = parts.hostname or ""
            whole = parts.netloc == host and parts.port != 0 and parts.username is None
            name.encode("idna").decode("idna")  # what is no name breaks the making of links
        except ValueError:
            return False
        if not whole or not name:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            name = name.rstrip(".")
            return name in self._names or name.endswith(self._endings)
        return True
