"""What adapters tell each other inside this room. Nothing of it ever reaches play."""

from collections.abc import Iterator
from contextlib import contextmanager


class DeviceError(Exception):
    """A device cannot be used now; says why in a few words."""


class CameraError(DeviceError):
    """No camera there, or it stopped working."""


@contextmanager
def told_as(kind: type[DeviceError]) -> Iterator[None]:
    """Whatever a device's library raises, as one of ours: libraries use many types, and none may reach play."""
    try:
        yield
    except DeviceError:
        raise
    except Exception as error:
        raise kind(str(error) or type(error).__name__) from error
