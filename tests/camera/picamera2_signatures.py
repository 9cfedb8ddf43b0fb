"""Signatures of picamera2 0.3.38 that the adapter relies on, so that each run holds it to them.

`test_real_picamera2.py` compares them with the installed package wherever that can be had.
"""

from __future__ import annotations

from typing import Any

# ruff: noqa: B006  the defaults are the real ones, and nothing here runs


class Picamera2:
    """As picamera2's class of that name, without its inside."""

    camera_controls: dict[str, Any]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None): ...

    @staticmethod
    def global_camera_info(): ...

    def create_still_configuration(
        self,
        main={},
        lores=None,
        raw={},
        transform=None,
        colour_space=None,
        buffer_count=1,
        controls={},
        display=None,
        encode=None,
        queue=True,
        sensor={},
        use_case="still",
    ): ...

    def configure(self, camera_config=None): ...

    def camera_configuration(self): ...

    def start(self, config=None, show_preview=False): ...

    def stop(self): ...

    def close(self): ...

    def set_controls(self, controls): ...

    def cancel_all_and_flush(self): ...

    def captured_request(self, wait=None, flush=None): ...

    def autofocus_cycle(self, wait=None, signal_function=None): ...


class CompletedRequest:
    """As picamera2's class of that name, without its inside."""

    def make_array(self, name): ...

    def get_metadata(self): ...

    def release(self): ...


USED = {
    "Picamera2": (
        "__init__",
        "global_camera_info",
        "create_still_configuration",
        "configure",
        "camera_configuration",
        "start",
        "stop",
        "close",
        "set_controls",
        "cancel_all_and_flush",
        "captured_request",
        "autofocus_cycle",
    ),
    "CompletedRequest": ("make_array", "get_metadata", "release"),
}
