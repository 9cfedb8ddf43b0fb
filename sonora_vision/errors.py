"""Every error that the program raises on purpose, under one root.

An error's text is one line that says what is wrong, where, what was expected and what to do;
the command line prints it as it is and exits with the error's status.
"""

from __future__ import annotations


class SonoraError(Exception):
    """Root of all errors that are somebody's to mend; the text is for that person."""

    exit_status = 2


class UsageError(SonoraError):
    """The command line or its combination of options is wrong."""


class FileFormatError(SonoraError):
    """A file's content is not what its format says (missing key, wrong kind, bad value)."""


class CalibrationError(SonoraError):
    """A rig's pictures or answers cannot be made into a profile."""


class UnreadableError(SonoraError):
    """A photograph could not be read; the other photographs of a run still are."""

    exit_status = 1


class RuleError(SonoraError):
    """An act that the rules of a game do not allow; the text cites the rule's heading."""
