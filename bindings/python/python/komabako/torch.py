"""Adapters for PyTorch. The only module that imports torch."""

from __future__ import annotations

from typing import Any, Iterator

import torch
import torch.utils.data

from .files import Batches


class Dataset(torch.utils.data.IterableDataset[Any]):  # type: ignore[misc, unused-ignore]
    """A dataset of whole batches for `torch.utils.data.DataLoader(dataset, batch_size=None)`. Each worker makes its share.

    Workers have copies of ``batches``: with ``num_workers`` above 0 call ``batches.set_epoch(epoch)`` before each epoch, and do not
    use ``state_dict``, which needs ``num_workers=0``.
    """

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches = batches

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        if worker is None:
            yield from self.batches
            return
        yield from self.batches.shard(worker.id, worker.num_workers)
        # A persistent worker keeps its copy, so advance its epoch here.
        self.batches.set_epoch(self.batches.epoch + 1)


def unpack_bits(bits: Any, planes: int) -> Any:
    """Expand bits (`features.dlshogi` with ``dtype="bits"``) to planes of f4 on the device of the bits.

    ``[n,628]`` and 62 planes give ``[n,62,9,9]``. ``[n,8]`` and 57 planes give ``[n,57,9,9]``, each plane all ones or all zeros.
    """
    shifts = torch.arange(8, device=bits.device, dtype=torch.uint8)
    flat = ((bits.unsqueeze(-1) >> shifts) & 1).flatten(1).float()
    if flat.shape[1] >= planes * 81:
        return flat[:, : planes * 81].reshape(-1, planes, 9, 9)
    return flat[:, :planes, None, None].expand(-1, planes, 9, 9)
