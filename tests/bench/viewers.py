"""Viewers in a process of their own, so that they do not count in the memory of what they look at.

    python -m tests.bench.viewers PORT COUNT [--deaf]

Tells how many are connected, then looks on until its input ends, and tells what it saw. The deaf read nothing.
"""

import argparse
import json
import select
import socket
import sys

CHUNK_BYTES = 256 * 1024
CONNECTED_S = 60.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--deaf", action="store_true")
    args = parser.parse_args()
    lines = {}
    for _ in range(args.count):
        line = socket.create_connection(("127.0.0.1", args.port), CONNECTED_S)
        line.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(15) == b"HTTP/1.1 200 OK"
        lines[line.fileno()] = line
    print(len(lines), flush=True)
    events, received, cut_off = _look_on(lines, args.deaf)
    print(json.dumps({"events": events, "received": received, "cut_off": cut_off}), flush=True)


def _look_on(lines: dict[int, socket.socket], deaf: bool) -> tuple[int, int, int]:
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    for number in lines:
        poll.register(number, select.POLLRDHUP if deaf else select.POLLIN)
    events = received = cut_off = 0
    while True:
        for number, _ in poll.poll():
            if number not in lines:
                return events, received, cut_off
            data = b"" if deaf else lines[number].recv(CHUNK_BYTES)
            events += data.count(b"\nevent: ")
            received += len(data)
            if not data:
                cut_off += 1
                poll.unregister(number)


if __name__ == "__main__":
    main()
