"""Models that another program has fetched already, in the layout of Hugging Face's cache: used where they lie."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from engine.hub.catalogue import ReleasedModel
from engine.hub.files import Listing, RemoteFile

_NEEDED = ("config.json", "vocab.json", "merges.txt", "speech_tokenizer/config.json")


def model_folder_in(folder: Path) -> Path:
    """The model folder a person means: `folder`, or the newest whole snapshot in it, if it is a cache of one model."""
    if (folder / "config.json").exists() or not (folder / "snapshots").is_dir():
        return folder
    return _newest(folder) or folder


def in_hub_cache(model: ReleasedModel) -> Path | None:
    """Where Hugging Face's cache holds `model` whole; None if it does not."""
    return _newest(hub_cache() / f"models--{model.repo.replace('/', '--')}")


def hub_cache() -> Path:
    """As huggingface_hub finds it, without importing it."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).expanduser()
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    return Path(home).expanduser() / "hub"


def _newest(cache: Path) -> Path | None:
    with suppress(OSError):
        snapshots = [path for path in (cache / "snapshots").iterdir() if _is_whole(path)]
        return max(snapshots, key=lambda path: path.stat().st_mtime, default=None)
    return None


def _is_whole(folder: Path) -> bool:
    weights = any(folder.glob("model*.safetensors")) and any((folder / "speech_tokenizer").glob("model*.safetensors"))
    return weights and all((folder / name).exists() for name in _NEEDED)


def blob_listing(folder: Path) -> Listing | None:
    """What a snapshot in Hugging Face's cache should hold: its files are links to blobs that are called by their
    digest. None for any other folder, or where the system has no links and the cache holds copies."""
    parts = folder.absolute().parts
    repo = next((part for part in reversed(parts) if part.startswith("models--")), "").removeprefix("models--")
    files = tuple(file for path in sorted(folder.rglob("*")) if (file := _blob(path, folder)) is not None)
    return Listing("Hugging Face's cache", repo.replace("--", "/"), folder.name, files) if repo and files else None


def _blob(path: Path, folder: Path) -> RemoteFile | None:
    if not path.is_symlink():
        return None
    digest = path.readlink().name
    size = path.stat().st_size if path.exists() else 0
    if re.fullmatch("[0-9a-f]{64}", digest):
        return RemoteFile(path.relative_to(folder).as_posix(), size, sha256=digest)
    if re.fullmatch("[0-9a-f]{40}", digest):
        return RemoteFile(path.relative_to(folder).as_posix(), size, git_sha1=digest)
    return None
