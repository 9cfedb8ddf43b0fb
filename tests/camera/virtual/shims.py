"""What the real Picamera2 needs to run over libcamera's virtual cameras, which are no Pi's.

A machine without a Pi has no `/dev/dma_heap`, and the virtual pipeline refuses the raw role.
Everything else (requests, event loop, jobs, configuration, restarts) is the real thing.
"""

from __future__ import annotations

import mmap
import os
from typing import Any

import libcamera
import picamera2.picamera2
from picamera2 import Picamera2
from picamera2.allocators.allocator import Allocator


class _Mapped:
    """Gives a buffer's memory for as long as it is looked at."""

    def __init__(self, allocator: MemoryAllocator, buffer: Any, write: bool) -> None:
        self._memory = allocator.memories[buffer]

    def __enter__(self) -> mmap.mmap:
        return self._memory

    def __exit__(self, *_: object) -> None: ...


class MemoryAllocator(Allocator):  # type: ignore[misc]  # picamera2 has no types
    """Buffers in anonymous memory files; NV12 in two planes of one file, as the pipeline wants."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = _Mapped
        self.memories: dict[Any, mmap.mmap] = {}
        self._buffers: dict[Any, list[Any]] = {}
        self._files: list[int] = []

    def allocate(self, libcamera_config: Any, _use_case: Any) -> None:
        self.close()
        for stream_config in libcamera_config:
            size = stream_config.frame_size
            luma = stream_config.stride * stream_config.size.height
            parts = [(0, luma), (luma, size - luma)] if luma < size else [(0, size)]
            self._buffers[stream_config.stream] = [
                self._buffer(size, parts) for _ in range(stream_config.buffer_count)
            ]

    def _buffer(self, size: int, parts: list[tuple[int, int]]) -> Any:
        file = os.memfd_create("frame")
        os.ftruncate(file, size)
        self._files.append(file)
        planes = []
        for offset, length in parts:
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = file, offset, length
            planes.append(plane)
        buffer = libcamera.FrameBuffer(planes)
        self.memories[buffer] = mmap.mmap(file, size)
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        return self._buffers[stream]

    def close(self) -> None:
        for file in self._files:
            os.close(file)
        self.memories, self._buffers, self._files = {}, {}, []


def install() -> type[Picamera2]:
    """Put the shims in place; gives the class that the adapter is to use."""
    picamera2.picamera2.DmaAllocator = MemoryAllocator
    modes = [{"format": "SRGGB10", "size": (1920, 1080)}]
    Picamera2._get_raw_modes = lambda _self: modes
    return Picamera2
