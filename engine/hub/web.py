"""HTTP through the session of huggingface_hub: its proxies, its certificates, its user agent."""

from __future__ import annotations

import importlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from engine.errors import FetchError

_CONNECT_SECONDS = 10.0


class Unreached(Exception):  # noqa: N818 - it is tried again
    """The connection failed or broke; another try may do."""


@contextmanager
def get(url: str, headers: dict[str, str], read_seconds: float) -> Iterator[Any]:
    """A streamed answer to GET, redirects followed (a token never leaves its host). Raises `Unreached`."""
    from huggingface_hub import get_session

    try:
        session = get_session()
    except (ImportError, ValueError) as error:
        raise FetchError(f"The proxy in the environment cannot be used ({_words(error)}).") from error
    library: Any = importlib.import_module(type(session).__module__)
    timeout = library.Timeout(read_seconds, connect=_CONNECT_SECONDS)
    try:
        with session.stream("GET", url, headers=headers, timeout=timeout, follow_redirects=True) as answer:
            yield answer
    except (library.HTTPError, library.StreamError, OSError) as error:
        raise Unreached(_words(error)) from error
    except library.InvalidURL as error:
        raise FetchError(f"{url} is no address ({error}). Look at HF_ENDPOINT.") from error


def get_json(url: str, headers: dict[str, str], what: str, read_seconds: float = 20.0) -> Any:
    """The decoded JSON of `url`. Raises `FetchError` that names `what` was asked for."""
    import msgspec

    try:
        with get(url, headers, read_seconds) as answer:
            answer.read()
            require_found(answer.status_code, what)
            return msgspec.json.decode(answer.content)
    except Unreached as error:
        raise FetchError(f"{what} cannot be reached ({error}). Is this computer online? Try again later.") from error
    except msgspec.DecodeError as error:
        raise FetchError(f"{what}: the answer is not a hub's. Is there a login page in between?") from error


def require_found(status: int, what: str) -> None:
    """Raise `FetchError` for an answer that no further try will change."""
    if status in (401, 403):
        raise FetchError(f"{what} was refused ({status}). It may need a token: set HF_TOKEN, or choose another source.")
    if status == 404:
        raise FetchError(f"{what} is not there (404). Choose another source.")
    if 400 <= status < 500 and status not in (408, 416, 425, 429):
        raise FetchError(f"{what} was refused ({status}). Choose another source.")


def break_off(answer: Any) -> None:
    """End a transfer from another thread, also one that waits for a byte."""
    stream = answer.extensions.get("network_stream")
    found = stream.get_extra_info("socket") if stream is not None else None
    if found is not None:
        with suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
