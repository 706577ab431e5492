"""float32 layers in which a row comes out the same whatever rows are computed beside it.

torch's own product sums in another order for one row than for several, so that what is spoken in company would differ
in its last bits, and then in its codes, from what is spoken alone. With weights laid out once for oneDNN the order is
the same for any number of rows from two on; a single row is computed twice, which costs nothing while the weights are
what takes the time. The layout also reads weights faster: figures in docs/long-text.md.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

_ROWS_HINT = 8  # what the layout is chosen for
_TRIED_ROWS = (3, 8, 16)


LEAST_WIDTH = 512  # of a model; below it a call's own cost is more than what the layout saves


def row_wise_is_better(width: int, device: torch.device, dtype: torch.dtype) -> bool:
    """Whether a model of `width` is to have such layers: this computer has the kernel, and it pays."""
    possible = device.type == "cpu" and dtype == torch.float32 and bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]
    return possible and width >= LEAST_WIDTH


class RowWiseLinear(nn.Module):
    """x @ weight.T + bias, on the CPU, over rows float32 [..., in]."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.out_features, self.in_features = weight.shape
        self.packed_bytes = weight.nbytes
        self._packed = torch.ops.mkldnn._reorder_linear_weight(weight, _ROWS_HINT)
        self._bias = bias

    def forward(self, x: Tensor) -> Tensor:
        rows = x.reshape(-1, self.in_features)
        several = rows if len(rows) > 1 else rows.expand(2, -1).contiguous()
        out: Tensor = torch.ops.mkldnn._linear_pointwise(several, self._packed, self._bias, "none", [], "")
        return out[: len(rows)].view(*x.shape[:-1], self.out_features)


def rows_are_apart(modules: Iterable[nn.Module]) -> bool:
    """Whether each linear layer of `modules` gives every row as it does alone. Tried once for each size."""
    seen: set[tuple[int, int]] = set()
    for module in (part for whole in modules for part in whole.modules()):
        if getattr(module, "rows_apart", False):
            continue  # by construction
        if not isinstance(module, RowWiseLinear | nn.Linear):
            if hasattr(module, "packed_bytes"):
                return False  # rows are rounded together
            continue
        size = (int(module.out_features), int(module.in_features))
        if size not in seen and not _is_apart(module, size[1]):
            return False
        seen.add(size)
    return True


@torch.inference_mode()
def _is_apart(module: nn.Module, width: int) -> bool:
    like = next(module.parameters(), torch.empty(0))
    x = torch.randn(max(_TRIED_ROWS), width, generator=torch.Generator().manual_seed(1)).to(like)
    alone = torch.cat([module(x[row : row + 1]) for row in range(len(x))])
    return all(torch.equal(module(x[:count]), alone[:count]) for count in _TRIED_ROWS)
