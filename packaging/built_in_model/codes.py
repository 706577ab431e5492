"""Stage `codes`: the codes of every utterance, once, from features and books."""

from __future__ import annotations

import argparse

import numpy as np
import torch

from built_in_model import books
from built_in_model.paths import CODES
from engine.files import atomic_write


def main(arguments: list[str]) -> int:
    argparse.ArgumentParser(prog="codes", description=__doc__).parse_args(arguments)
    torch.set_num_threads(1)
    fitted = torch.load(books.PATH)
    for path in sorted(CODES.glob("features????.npz")):
        target = CODES / path.name.replace("features", "codes")
        if not target.exists():
            features = books.Features.load([path])
            codes = books.assign(fitted, features).numpy().astype(np.int16)
            with atomic_write(target) as file:
                np.savez(file, codes=codes, frames=np.array(features.frames))
    print(f"{len(list(CODES.glob('codes????.npz')))} shards have codes")
    return 0
