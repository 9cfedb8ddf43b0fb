"""Reading many photographs on an existing Dask cluster: archives too large for one machine."""

from __future__ import annotations

import importlib
import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sonora_vision.batch import Job, Outcome, attempt_by_path
from sonora_vision.errors import UsageError
from sonora_vision.one_core import keep_to_one_core

PATIENCE_S = 10
"""How long a scheduler may take to answer."""
_LENGTH_BYTES = 8
_LONGEST_GREETING = 1_000_000
"""Bytes; a scheduler's says how it packs messages, in some hundred."""


def run_on_cluster(
    jobs: Sequence[Job], profile_path: Path, *, address: str, game: str = "sonora"
) -> Iterator[Outcome]:
    """Read photographs on a cluster and yield what became of each, in their order, as they come.

    The workers open the photographs and the profile, and write the results, by the same paths.

    Parameters
    ----------
    jobs, profile_path, game
        As for :func:`sonora_vision.batch.run`.
    address
        The scheduler's, as ``tcp://host:8786``.

    Raises
    ------
    UsageError
        If Dask is not installed, or no scheduler or worker is there.
    FileFormatError
        If the profile is no good, or results cannot be written.
    """
    try:
        dask: Any = importlib.import_module("distributed")  # an extra, and without types
    except ImportError:
        raise UsageError(
            "--dask: expected Dask, which is not installed; pip install 'sonora-vision[cluster]'"
        ) from None
    try:
        _require_greeting(address)
        client = dask.Client(address, timeout=PATIENCE_S)
    except Exception as error:  # noqa: BLE001 - what speaks there may answer anything
        raise UsageError(
            f"--dask {address}: no scheduler answers there ({error}); expected one as "
            "tcp://host:8786, started with dask scheduler (its dashboard, at 8787, is another)"
        ) from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise UsageError(f"--dask {address}: the cluster has no workers; start some")
        there = [_absolute(job) for job in jobs]
        futures = client.map(_attempt, there, profile_path=profile_path.absolute(), game=game)
        try:
            for job, future in zip(jobs, futures, strict=True):
                try:
                    outcome = future.result()
                except dask.KilledWorker:
                    yield Outcome(job=job, refusal=f"{job.photo}: workers died of it, several")
                except ModuleNotFoundError as error:
                    raise UsageError(
                        f"--dask {address}: the workers lack a module ({error}); install the same "
                        "Sonora Vision there"
                    ) from None
                else:
                    yield replace(outcome, job=job)
                future.release()
        finally:
            client.cancel(futures)


def _require_greeting(address: str) -> None:
    """Check that a scheduler speaks at an address, as one does first: frames, by their length.

    Dask's own client waits without end for a server that waits to be spoken to, and takes any
    other greeting for the length of a message.

    Raises
    ------
    OSError, ValueError
        Where nobody or somebody else is there.
    """
    scheme, _, place = address.rpartition("://")
    if scheme not in ("", "tcp"):
        return  # others encrypt first, or have no socket
    host, _, port = place.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError("it names no host and port")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE_S) as line:
        greeting = line.makefile("rb").read(_LENGTH_BYTES)
    if not 0 < int.from_bytes(greeting, "little") < _LONGEST_GREETING:
        raise ValueError("what answers is no scheduler")


def _absolute(job: Job) -> Job:
    """Write a job's paths so that a process in another folder understands them."""
    return Job(
        photo=job.photo.absolute(),
        reading_file=job.reading_file and job.reading_file.absolute(),
        picture_file=job.picture_file and job.picture_file.absolute(),
    )


def _attempt(job: Job, profile_path: Path, game: str) -> Outcome:
    keep_to_one_core()
    return attempt_by_path(job, profile_path, game)
