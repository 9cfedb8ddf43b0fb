"""Logs without secrets: a log is copied into questions for help."""

from __future__ import annotations

import logging
import re

_SECRET = re.compile(r"(/join/|Bearer\s+)[^\s\"'?#\]]+")


class WithoutCodes(logging.Filter):
    """Takes players' codes and programs' tokens out of what is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; it is logged in any case."""
        said = record.getMessage()
        clean = _SECRET.sub(r"\1...", said)
        if clean != said:
            record.msg, record.args = clean, ()
        return True


_WITHOUT_CODES = WithoutCodes()


def keep_codes_out_of_logs(*loggers: logging.Logger) -> None:
    """Clean these logs, and those of the servers that may be under an application."""
    for each in (*loggers, logging.getLogger("waitress"), logging.getLogger("werkzeug")):
        each.addFilter(_WITHOUT_CODES)
