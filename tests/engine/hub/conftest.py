"""A hub on this machine that behaves well or badly, file by file."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from engine.hub.catalogue import RELEASED
from engine.hub.transfer import Patience

QUICK = Patience(read_seconds=0.5, tries=3, first_pause_seconds=0.01, longest_pause_seconds=0.02)
BLOCK = 16_384


@dataclass
class Hub:
    """`files` are served for every repository. A fault of a path is done `times` times, then it is served well.

    Faults: "drop" half-way, "stall" half-way, "busy" (503), "refuse" (403), "gone" (404), "short" and "long" (a wrong
    length), "wrong" bytes, "no ranges", "slow", "late" (nothing at all until `released`, then all, without ranges).
    `listings` are the addresses of what was asked besides files; the path "listing" may be "late" too.
    """

    files: dict[str, bytes]
    faults: dict[str, tuple[str, int]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    listings: list[str] = field(default_factory=list)
    revision: str = "0123456789abcdef0123456789abcdef01234567"
    released: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def fault(self, path: str) -> str:
        name, times = self.faults.get(path, ("", 0))
        if times > 0:
            self.faults[path] = (name, times - 1)
            return name
        return ""

    def hugging_face(self) -> dict[str, object]:
        return {"sha": self.revision, "siblings": [self._sibling(path, data) for path, data in self.files.items()]}

    def model_scope(self) -> dict[str, object]:
        files = [
            {"Path": path, "Size": len(data), "Sha256": hashlib.sha256(data).hexdigest(), "Type": "blob",
             "Revision": self.revision, "CommittedDate": 1}
            for path, data in self.files.items()
        ]  # fmt: skip
        return {"Code": 200, "Data": {"Files": [*files, {"Path": "speech_tokenizer", "Type": "tree"}]}}

    def _sibling(self, path: str, data: bytes) -> dict[str, object]:
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        found: dict[str, object] = {"rfilename": path, "size": len(data), "blobId": git}
        if path.endswith(".safetensors"):
            found["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        return found


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        self.hub.tokens.append(self.headers.get("authorization", ""))
        if place.path.startswith("/api/"):
            self.hub.listings.append(self.path)
            if self.hub.fault("listing") == "late":
                self.hub.released.wait(20)
            scope = place.path.startswith("/api/v1/models/")
            return self._json(self.hub.model_scope() if scope else self.hub.hugging_face())
        path = unquote(re.sub(r"^.*/resolve/[^/]+/", "", place.path))
        self.hub.asked.append((path, self.headers.get("range", "")))
        return self._file(path)

    def _json(self, value: object) -> None:
        data = json.dumps(value).encode()
        with suppress(OSError):  # nobody may wait for it any more
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def _file(self, path: str) -> None:
        fault, data = self.hub.fault(path), self.hub.files.get(path)
        status = {"busy": 503, "refuse": 403, "gone": 404}.get(fault, 404 if data is None else 0)
        if status or data is None:
            self.send_error(status)
            return
        if fault == "late":
            self.hub.released.wait(20)
        start = 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("range", ""))
        if asked and fault not in ("no ranges", "late"):
            start = int(asked[1])
        if fault == "wrong":
            data = bytes(len(data))
        rest = data[start:] + (b"more than was promised" if fault == "long" else b"")
        self.send_response(206 if start else 200)
        if start:
            self.send_header("content-range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("content-length", str(len(rest) - (100 if fault == "short" else 0)))
        self.end_headers()
        self._body(rest[: -100 or None] if fault == "short" else rest, fault)

    def _body(self, data: bytes, fault: str) -> None:
        half = len(data) // 2
        for at in range(0, len(data), BLOCK):
            if at >= half and fault == "drop":
                self.close_connection = True
                return
            if at >= half and fault == "stall":
                self.hub.released.wait(20)
                self.close_connection = True
                return
            if fault == "slow":
                time.sleep(0.02)
            try:
                self.wfile.write(data[at : at + BLOCK])
            except OSError:
                self.close_connection = True
                return

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that breaks off is what these tests are about."""


def model_files(folder: Path) -> dict[str, bytes]:
    found = {
        str(path.relative_to(folder).as_posix()): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    return {**found, "README.md": b"# not part of the model", ".gitattributes": b"*"}


@pytest.fixture
def hub(checkpoints, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that serves the tiny Base model under every name."""
    from huggingface_hub import constants

    hub = Hub(model_files(checkpoints.folder("tiny-base")))
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for name in ("HF_ENDPOINT", "MODELSCOPE_ENDPOINT"):
        monkeypatch.setenv(name, hub.url)
    for name in ("HF_TOKEN", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
                 "no_proxy"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    new_session()
    yield hub
    hub.released.set()
    new_session()
    server.shutdown()
    server.server_close()
    thread.join()


def new_session() -> None:
    """huggingface_hub keeps one, with the proxies and the offline switch of the moment it was made."""
    from huggingface_hub import close_session

    close_session()


BASE = RELEASED[0]
CUSTOM = RELEASED[1]
