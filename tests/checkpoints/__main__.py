"""Write one random checkpoint from the command line."""

import argparse
from pathlib import Path

from tests.checkpoints import presets, write_checkpoint

parser = argparse.ArgumentParser(prog="python -m tests.checkpoints")
parser.add_argument("preset", choices=presets.SIZES)
parser.add_argument("kind", choices=["base", "custom_voice", "voice_design"])
parser.add_argument("folder", type=Path)
parser.add_argument("--tiktoken", type=Path, help="rank file of the full vocabulary, for the real sizes")
arguments = parser.parse_args()
print(write_checkpoint(arguments.preset, arguments.kind, arguments.folder, arguments.tiktoken))
