"""Adapters for PyTorch. The only module that imports torch."""

from __future__ import annotations

from typing import Any, Iterator

import torch
import torch.utils.data

from .files import Batches


#: The most workers of a loader.
MOST_WORKERS = 1024


class Dataset(torch.utils.data.IterableDataset[Any]):  # type: ignore[misc, unused-ignore]
    """A dataset of whole batches for `torch.utils.data.DataLoader(dataset, batch_size=None)`. Each worker makes its share.

    Each loop over the loader is an epoch in another order, with any ``num_workers``, persistent or not. ``batches.set_epoch`` starts a
    chosen one; persistent workers do not see it. ``state_dict`` needs ``num_workers=0``.
    """

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches = batches
        # Workers have copies of the batches, and end with the epoch unless they persist. So each counts here the epochs that it began
        # since the epoch was last set in the process that has the loader: how often it was set, and the count.
        self._begun = torch.full((MOST_WORKERS, 2), -1, dtype=torch.int64).share_memory_()

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        if worker is None:
            yield from self.batches
            return
        begun = self._begun[worker.id]
        if begun[0] != self.batches.places_set:
            begun[0], begun[1] = self.batches.places_set, 0
        part = self.batches.shard(worker.id, worker.num_workers)
        part.set_epoch(self.batches.epoch + int(begun[1]))
        begun[1] += 1
        yield from part


def unpack_bits(bits: Any, planes: int) -> Any:
    """Expand bits (`features.dlshogi` with ``dtype="bits"``) to planes of f4 on the device of the bits.

    ``[n,628]`` and 62 planes give ``[n,62,9,9]``. ``[n,8]`` and 57 planes give ``[n,57,9,9]``, each plane all ones or all zeros.
    """
    shifts = torch.arange(8, device=bits.device, dtype=torch.uint8)
    flat = ((bits.unsqueeze(-1) >> shifts) & 1).flatten(1).float()
    if flat.shape[1] >= planes * 81:
        return flat[:, : planes * 81].reshape(-1, planes, 9, 9)
    return flat[:, :planes, None, None].expand(-1, planes, 9, 9)
