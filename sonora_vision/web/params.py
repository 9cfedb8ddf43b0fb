"""The limits of the pages, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class WebParams:
    """What the pages accept and keep."""

    upload_max_bytes: int = 30_000_000
    """A 12-megapixel PNG of a table takes 25 MB; phones' JPEGs take 2 to 8."""
    upload_max_pixels: int = 50_000_000
    """Decoded, three bytes a pixel: 150 MB, what a small computer can spare for a moment."""
    waiting_max: int = 4
    """Photographs that may wait to be read; more are asked to come back, so that memory holds."""
    kept_max: int = 24
    """Readings that are kept to be looked at, the oldest going first; a few MB each."""
    phone_px: int = 1080
    """Width of the board's picture for a phone: 360 px on a screen with three dots a pixel."""
    jpeg_quality: int = 86
    """Sharp letters at a third of the size of the next steps up."""
    pictures_max_bytes: int = 2_000_000_000
    """Photographs of games that are kept, the oldest going first: about a thousand rounds."""
