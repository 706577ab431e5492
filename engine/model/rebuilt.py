"""The Base weights that WDELTA voices rebuild, kept so that going from voice to voice takes no time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path

from torch import Tensor, nn

from engine.errors import ModelError
from engine.model.checkpoint import Checkpoint
from engine.model.tensor_index import TensorIndex
from engine.model.weights import Tensors, tensor_of
from engine.progress import Cancel, Report, no_report
from engine.speech.generate import Speaker
from engine.voice import delta
from engine.voice.rebuilding import Rebuilding, rebuilding
from engine.voice.sameness import rebuilds, section_fingerprint
from engine.voice.tensors import CheckpointTensors
from engine.voice.voice import DeltaLocation

KEPT_BYTES = 4 << 30  # one 0.6B pair in fp32, several in less; the one in use is kept however large it is

LoadSpeaker = Callable[[Tensors, Callable[[], None], TensorIndex | None], Speaker]
"""From tensors; called before each; the folder whose tensors they are, None for rebuilt ones."""


class RebuiltSpeakers:
    """Speakers by what their weights come from; the least recently used go first. The model's own are never changed.

    Voices of one pair of models share one speaker. `bases` are folders of Base models: where one of them is what a
    voice file would rebuild, its weights are loaded and nothing is unpacked.
    """

    def __init__(self, checkpoint: Checkpoint, load: LoadSpeaker, limit_bytes: int = KEPT_BYTES) -> None:
        self.bases: tuple[Path, ...] = ()
        self.limit_bytes = limit_bytes
        self._checkpoint, self._load = checkpoint, load
        self._kept: OrderedDict[str, Speaker] = OrderedDict()
        self._keys: dict[DeltaLocation, tuple[object, str]] = {}

    @property
    def kept_bytes(self) -> int:
        """Memory of all that are kept."""
        return sum(map(speaker_bytes, self._kept.values()))

    def of(self, location: DeltaLocation, cancel: Cancel | None = None, report: Report = no_report) -> Speaker:
        """The speaker of a voice file's weights. Raises `VoiceError` and keeps nothing of it, or `Cancelled`."""
        key = self._key(location)
        if key not in self._kept:
            self._kept[key] = self._make(location, cancel or Cancel(), report)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and self.kept_bytes > self.limit_bytes:
            self._kept.popitem(last=False)
        return self._kept[key]

    def _key(self, location: DeltaLocation) -> str:
        """What the weights are; read of the file only if it changed since it was last looked at."""
        found = location.path.stat() if location.path.is_file() else None
        state = found and (found.st_size, found.st_mtime_ns, found.st_ino)
        if self._keys.get(location, (None, ""))[0] != state or state is None:
            said = (location.base_digest or "") + (location.custom_voice_digest or "")
            self._keys[location] = (state, section_fingerprint(location) + said)
        return self._keys[location][1]

    def _make(self, location: DeltaLocation, cancel: Cancel, report: Report) -> Speaker:
        custom = CheckpointTensors(self._checkpoint.folder)
        base = self._base_of(location, custom)
        if base is not None:
            return self._load(Tensors(base), cancel.check, base)
        with rebuilding(location, delta.tensors_by_name(custom), cancel, report) as weights:
            return self._load(_RebuiltTensors(self._checkpoint.weights, weights), cancel.check, None)

    def _base_of(self, location: DeltaLocation, custom: CheckpointTensors) -> TensorIndex | None:
        for folder in self.bases:
            try:
                base = CheckpointTensors(folder)
            except ModelError:  # gone, or no model any more: then it is unpacked
                continue
            if rebuilds(location, custom, base):
                return TensorIndex(folder)
        return None


class _RebuiltTensors(Tensors):
    """The tensors of a model with what a voice file makes of them, each rebuilt when it is asked for."""

    def __init__(self, index: TensorIndex, weights: Rebuilding) -> None:
        super().__init__(index)
        self._weights = weights

    def __getitem__(self, name: str) -> Tensor:
        array = self._weights.take(name) if name in self._weights else None
        if array is None or not array.flags.writeable:  # unchanged: the model's own, which is only mapped, will do
            return super().__getitem__(name)
        return tensor_of(array)


def speaker_bytes(speaker: Speaker) -> int:
    """Memory of all its tensors, shared ones once."""
    storages = {
        tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in _tensors_of(speaker)
    }
    return sum(storages.values()) + sum(getattr(module, "packed_bytes", 0) for module in _modules_of(speaker))


def _modules_of(speaker: Speaker) -> Iterable[nn.Module]:
    yield from speaker.talker.modules()
    yield from speaker.predictor.modules()


def _tensors_of(speaker: Speaker) -> Iterable[Tensor]:
    embeddings = speaker.embeddings
    for module in (speaker.talker, speaker.predictor):
        yield from module.parameters()
        yield from module.buffers()
    yield from (embeddings.text, embeddings.codec, embeddings.special, *vars(embeddings.projection).values())
