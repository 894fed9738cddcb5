"""The most memory that reading one table takes: a cold and a warm frame, in a process that does nothing else."""

import re
import sys
from pathlib import Path

from vision.layout import load_layout
from vision.pictures import load_picture
from vision.read import Reader


def memory_mb(process: int | str = "self", what: str = "VmRSS") -> float:
    """`what` is VmRSS now or VmHWM at most so far."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.search(rf"{what}:\s+(\d+) kB", status)[1]) / 1024  # type: ignore[index]


def main() -> None:
    folder = Path(sys.argv[1])
    reader = Reader(load_layout(folder))
    reader.take_reference(load_picture(folder / "clean.png"))
    for name in ("before", "now"):
        reader.read(load_picture(folder / f"{name}.png"))
    print(int(memory_mb(what="VmHWM")))  # not `ru_maxrss`: a process inherits that from its parent


if __name__ == "__main__":
    main()
