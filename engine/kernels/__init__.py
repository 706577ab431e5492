"""Products of rows with weights kept in 16, 8 or 4 bits, and the codec's convolutions: C of our own, used where it was
built and can be run.

A token is spoken at the speed at which weights come from memory, so what is read of them decides. The kernels take the
weights as they lie (bf16 straight from the checkpoint's file) and compute in float32; every row comes out the same,
bit for bit, whatever rows are computed beside it and by however many threads. Without the library everything works, by
torch's kernels (see `engine/model/quantize.py`). `packaging/build_kernels.py` builds it.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import c_char_p, c_float, c_int, c_int64, c_void_p
from enum import IntEnum
from pathlib import Path

from engine.kernels.stamp import stamp

LANES = 16  # inputs are whole lanes
GROUP = 32  # INT4: inputs that share a scale
UNIT = 16  # INT4: outputs that lie together
GROUP_BYTES = UNIT * GROUP // 2 + UNIT * 2  # INT4: nibbles and bf16 scales of a group of a unit
LIBRARY = Path(__file__).with_name("_kernels.so")

_SIGNATURES = {
    "kernels_stamp": (c_char_p, ()),
    "kernels_choose": (c_char_p, (c_int,)),
    "kernels_set_threads": (None, (c_int,)),
    "kernels_threads": (c_int, ()),
    "kernels_product": (
        c_int,
        (c_int, c_void_p, c_int64, c_int64, c_void_p, c_int64, c_void_p, c_void_p, c_int64),
    ),
    "kernels_stack": (
        c_int,
        (c_void_p, *[c_int64] * 6, c_float, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p),
    ),
    "kernels_convolve": (
        None,
        (c_void_p, c_int64, c_int64, c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_int),
    ),
    "kernels_lay_out": (None, (c_void_p, c_void_p, c_int64, c_int64, c_int64, c_int64, c_int64, c_void_p)),
    "kernels_snake": (None, (c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_void_p)),
    "kernels_elu": (None, (c_void_p, c_int64, c_int64, c_void_p)),
}


class Kind(IntEnum):
    """How weights [outputs, inputs] are kept; as in products.h."""

    BF16 = 0
    INT8 = 1  # and a float32 scale an output
    INT4 = 2  # uint8 [outputs / UNIT, inputs / GROUP, GROUP_BYTES]


class Instructions(IntEnum):
    """The most that may be used of what the processor has."""

    PLAIN = 0
    AVX2 = 1
    BEST = 2


def _load() -> ctypes.CDLL | None:
    if os.environ.get("QVOICE_KERNELS") == "0":
        return None
    try:
        library = ctypes.CDLL(str(LIBRARY))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):  # not built here: there was no C compiler when it was installed
        return None
    return library if stamp() in ("", library.kernels_stamp().decode()) else None  # tables of another version differ


_library = _load()
_name = "none" if _library is None else _library.kernels_choose(Instructions.BEST).decode()


def available() -> bool:
    """Whether this computer has the kernels."""
    return _name != "none"


def instructions() -> str:
    """ "avx512", "avx2", "plain", or "none" where there are no kernels."""
    return _name


def choose(most: Instructions) -> str:
    """Compute with no more than `most` from now on; for tests, which compare them. Returns what is used."""
    global _name
    if _library is not None:
        _name = _library.kernels_choose(most).decode()
    return _name


def supports(kind: Kind, outputs: int, inputs: int) -> bool:
    """Whether weights of this size can be kept so."""
    if kind == Kind.INT4:
        return available() and outputs % UNIT == 0 and inputs % GROUP == 0
    return available() and inputs % LANES == 0


def set_threads(count: int) -> None:
    """Share products among so many threads, the caller's included."""
    if _library is not None:
        _library.kernels_set_threads(count)


def threads() -> int:
    """Threads that share a product."""
    return int(_library.kernels_threads()) if _library is not None else 1


def product(
    kind: int, x: int, rows: int, inputs: int, y: int, stride: int, weights: int, scales: int, outputs: int
) -> None:
    """x float32 [rows, inputs] times weights into y, `stride` floats from row to row. Addresses: nothing is checked."""
    assert _library is not None
    if _library.kernels_product(kind, x, rows, inputs, y, stride, weights, scales, outputs):
        raise MemoryError


def stack(
    layers: int, count: int, width: int, heads: int, key_heads: int, head: int, inner: int, epsilon: float, norm: int,
    x: int, rows: int, places: int, cos: int, sin: int,
) -> None:  # fmt: skip
    """All layers over x float32 [rows, width], in place; see stack.h. Addresses: nothing is checked."""
    assert _library is not None
    if _library.kernels_stack(
        layers, count, width, heads, key_heads, head, inner, epsilon, norm, x, rows, places, cos, sin
    ):
        raise MemoryError


def convolve(
    x: int, rows: int, channels: int, taps: int, dilation: int, weights: int, bias: int, y: int, outputs: int, add: bool
) -> None:
    """A convolution of x float32 [rows + (taps - 1) * dilation, channels] into or onto y [rows, outputs]; see
    convolve.h. Addresses: nothing is checked."""
    assert _library is not None
    _library.kernels_convolve(x, rows, channels, taps, dilation, weights, bias, y, outputs, add)


def lay_out(
    weights: int, starts: int, input_step: int, tap_step: int, outputs: int, inputs: int, taps: int, to: int
) -> None:
    """Float32 weights as `convolve` wants them. `starts` int64 [outputs] says where those of an output begin (-1: they
    are zeros), the steps how far it is to the next input and tap, in floats. Addresses: nothing is checked."""
    assert _library is not None
    _library.kernels_lay_out(weights, starts, input_step, tap_step, outputs, inputs, taps, to)


def snake(x: int, rows: int, channels: int, alpha: int, gain: int, y: int) -> None:
    """x + gain sin^2(alpha x) of float32 [rows, channels] into y. Addresses: nothing is checked."""
    assert _library is not None
    _library.kernels_snake(x, rows, channels, alpha, gain, y)


def elu(x: int, rows: int, channels: int, y: int) -> None:
    """x, or e^x - 1 where that is negative, of float32 [rows, channels] into y. Addresses: nothing is checked."""
    assert _library is not None
    _library.kernels_elu(x, rows, channels, y)
