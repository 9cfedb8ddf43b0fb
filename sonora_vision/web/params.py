"""The limits of the pages, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How often one visitor may ask."""

    at_once: float
    """Requests that may come together after a pause."""
    a_second: float
    """Requests in the long run."""


@dataclass(frozen=True, kw_only=True)
class WebParams:
    """What the pages accept and keep."""

    upload_max_bytes: int = 30_000_000
    """A 12-megapixel PNG of a table takes 25 MB; phones' JPEGs take 2 to 8."""
    upload_max_pixels: int = 50_000_000
    """Decoded, three bytes a pixel: 150 MB, what a small computer can spare for a moment."""
    waiting_max: int = 60
    """Photographs that may wait to be read, on the disk; more are asked to come back."""
    kept_max: int = 200
    """Photographs that are kept with their readings to be looked at, the oldest going first."""
    photos_max_bytes: int = 600_000_000
    """Room on the disk for them, and as much again for what was read: a hundred from a phone."""
    phone_px: int = 1080
    """Width of the board's picture for a phone: 360 px on a screen with three dots a pixel."""
    jpeg_quality: int = 86
    """Sharp letters at a third of the size of the next steps up."""
    close_up_quality: int = 74
    """Five close-ups on one phone's page must not weigh more than the rest of it."""
    pictures_max_bytes: int = 2_000_000_000
    """Photographs of games that are kept, the oldest going first: about a thousand rounds."""
    streams_max: int = 80
    """Pages that are told of news at once; each holds a thread, of some ten kB."""
    streams_max_of_an_address: int = 60
    """A router between two networks makes one address of a whole party."""
    streams_max_of_a_seat: int = 20
    """A player's phones and forgotten tabs; the host's screens."""
    stream_heartbeat_s: float = 15.0
    """After so long without news a line is sent: it tells a page that is gone from a quiet one."""
    stream_longest_s: float = 1800.0
    """A phone that was switched off says no goodbye; the others come back at once."""
    stream_retry_ms: int = 2000
    """After so long a page whose stream broke tries again."""
    workers: int = 12
    """Threads beside those of the streams: requests take milliseconds, uploads wait for the net."""
    connections_max: int = 400
    """Six connections a browser for fifty phones would be 300."""
    connections_max_of_an_address: int = 100
    """One device cannot keep all others out."""
    request_longest_s: float = 20.0
    """A request that has not arrived whole by then is given up, unless it is long."""
    request_slowest_bytes_s: float = 200_000.0
    """For each so many bytes that it announces, and may bring, a request has a second more."""
    header_max_bytes: int = 32_768
    """All headers of a request; browsers send one or two kB."""
    drawn_max_bytes: int = 24_000_000
    """Encoded close-ups and boards that are kept to be sent again: some 400 of 60 kB."""
    stranger_max_bytes: int = 65_536
    """A request of somebody without PIN or code, who may sign in and nothing else."""
    request_max_bytes: int = 630_000_000
    """A request of the host: twenty pictures of the lens at once."""
    corrections_max_bytes: int = 500_000_000
    """Photographs that were put right by hand, the oldest going first: a hundred rounds."""
    document_max_bytes: int = 512_000
    """A form or document without files; a reading of all discs takes some 20 kB."""
    stranger_rate: Rate = Rate(at_once=100, a_second=10)
    """Requests of one device that has neither PIN nor code; pictures and styles do not count."""
    read_rate: Rate = Rate(at_once=400, a_second=100)
    """Pages and pictures that one device may ask for."""
    act_rate: Rate = Rate(at_once=100, a_second=20)
    """Acts of a seat; a disc that is dragged asks eight times a second what it counts for."""
    upload_rate: Rate = Rate(at_once=60, a_second=1)
    """Files that one seat may send."""
    recent_s: float = 0.05
    """How old what a page shows may be: what another process on the same database did is seen
    that much later; what this one did, at once."""
