"""What adapters tell each other inside this room. Nothing of it ever reaches play."""


class DeviceError(Exception):
    """A device cannot be used now; says why in a few words."""


class CameraError(DeviceError):
    """No camera there, or it stopped working."""
