"""Stands in, as `pykms`, for a screen driver that picamera2 imports and never uses here."""


class _AnyName(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_AnyName):
    """Knows every pixel format by its name."""
