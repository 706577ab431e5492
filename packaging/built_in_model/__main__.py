"""`python packaging/built_in_model STAGE [options]`: the recipe of the built-in model, one command per stage."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)
sys.path.insert(1, str(Path(__file__).resolve().parent.parent.parent))

STAGES = ("data", "features", "books", "codes", "decoder", "speaker", "talker", "custom_voice", "encoder",
          "export", "listen", "reading", "gates")  # fmt: skip


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in STAGES:
        print(f"usage: python packaging/built_in_model {{{','.join(STAGES)}}} [options]", file=sys.stderr)
        return 2
    stage = importlib.import_module(f"built_in_model.{arguments[0]}")
    return int(stage.main(arguments[1:]))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
