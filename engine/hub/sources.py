"""Where models are fetched from: Hugging Face, and ModelScope for people who cannot reach it."""

from __future__ import annotations

import os
from typing import Any, Final, Protocol
from urllib.parse import quote

from engine.errors import FetchError, RequestError
from engine.hub.files import Listing, RemoteFile, wanted
from engine.hub.web import get_json


class Source(Protocol):
    """A hub."""

    name: str
    title: str

    def listing(self, repo: str, revision: str = "") -> Listing:
        """The model's files at a branch, a tag or a commit; the newest, if none is named. Raises `FetchError`."""

    def url(self, listing: Listing, path: str) -> str:
        """The address of one of them."""

    def headers(self) -> dict[str, str]:
        """What every request carries: a token, only if the person has set one."""


class HuggingFace:
    """huggingface.co, or the mirror that HF_ENDPOINT names. Digests: SHA-256 of large files, git's of small ones."""

    name = "huggingface"
    title = "Hugging Face"

    @property
    def endpoint(self) -> str:
        return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")

    def listing(self, repo: str, revision: str = "") -> Listing:
        asked = revision or "main"
        url = f"{self.endpoint}/api/models/{repo}/revision/{quote(asked, safe='')}?blobs=true"
        found = get_json(url, self.headers(), f"{repo} ({asked}) at {self.endpoint}")
        try:
            files = tuple(_from_hugging_face(entry) for entry in found["siblings"] if wanted(entry["rfilename"]))
            return Listing(self.name, repo, str(found["sha"]), files, asked)
        except (KeyError, TypeError, ValueError) as error:
            raise _strange(self.endpoint, repo) from error

    def url(self, listing: Listing, path: str) -> str:
        return f"{self.endpoint}/{listing.repo}/resolve/{listing.revision}/{quote(path)}"

    def headers(self) -> dict[str, str]:
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        return {**build_hf_headers(library_name="qvoice-studio"), "accept-encoding": "identity"}


class ModelScope:
    """modelscope.cn, or the address in MODELSCOPE_ENDPOINT; every file has a SHA-256 there, and it holds a fetch to
    its revision: files are asked for by branch or tag."""

    name = "modelscope"
    title = "ModelScope"

    @property
    def endpoint(self) -> str:
        return (os.environ.get("MODELSCOPE_ENDPOINT") or "https://modelscope.cn").rstrip("/")

    def listing(self, repo: str, revision: str = "") -> Listing:
        asked = revision or "master"
        url = f"{self.endpoint}/api/v1/models/{repo}/repo/files?Revision={quote(asked, safe='')}&Recursive=true"
        found = get_json(url, self.headers(), f"{repo} ({asked}) at {self.endpoint}")
        try:
            entries = [entry for entry in found["Data"]["Files"] if entry.get("Type") != "tree"]
            files = tuple(
                RemoteFile(str(entry["Path"]), int(entry["Size"]), str(entry["Sha256"]).lower())
                for entry in entries
                if wanted(entry["Path"])
            )
            newest = max(entries, key=lambda entry: int(entry.get("CommittedDate", 0)))
            return Listing(self.name, repo, str(newest.get("Revision") or asked), files, asked)
        except (KeyError, TypeError, ValueError) as error:
            raise _strange(self.endpoint, repo) from error

    def url(self, listing: Listing, path: str) -> str:
        return f"{self.endpoint}/models/{listing.repo}/resolve/{quote(listing.asked, safe='')}/{quote(path)}"

    def headers(self) -> dict[str, str]:
        return {"accept-encoding": "identity", "user-agent": "qvoice-studio"}


SOURCES: Final[dict[str, Source]] = {source.name: source for source in (HuggingFace(), ModelScope())}


def source_called(name: str) -> Source:
    """Raises `RequestError`."""
    if name not in SOURCES:
        raise RequestError(f"There is no source {name!r}. Choose one of: {', '.join(SOURCES)}.")
    return SOURCES[name]


def _from_hugging_face(entry: dict[str, Any]) -> RemoteFile:
    large = entry.get("lfs")
    digest = str(large["sha256"]) if large else ""
    return RemoteFile(str(entry["rfilename"]), int(entry["size"]), digest, "" if large else str(entry["blobId"]))


def _strange(endpoint: str, repo: str) -> FetchError:
    return FetchError(f"{endpoint} describes {repo} in a way this program does not know. Choose another source.")
