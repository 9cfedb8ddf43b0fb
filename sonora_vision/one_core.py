"""One core for each reading.

A photograph is read in many small products and resamplings, which threads make slower: they spin
while they wait for each other. Many photographs are read side by side, in processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import cv2
from threadpoolctl import threadpool_limits


@cache
def keep_to_one_core() -> None:
    """Keep OpenCV and BLAS to one core, for as long as this process lives."""
    cv2.setNumThreads(1)
    threadpool_limits(1, "blas")


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep OpenCV and BLAS to one core for a while."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with threadpool_limits(1, "blas"):
            yield
    finally:
        cv2.setNumThreads(threads)
