"""Adapters for PyTorch. The only module that imports torch."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional

import numpy as np
import torch
import torch.utils.data

from .batches import Batches
from .loader import Batch
from .training import labels, targets

#: The most workers of a loader.
MOST_WORKERS = 1024


class Dataset(torch.utils.data.IterableDataset[Any]):  # type: ignore[misc, unused-ignore]
    """A dataset of whole batches for `torch.utils.data.DataLoader(dataset, batch_size=None)`. Each worker makes its share.

    Each loop over the loader is an epoch in another order, with any ``num_workers``, persistent or not. ``batches.set_epoch`` starts a
    chosen one; persistent workers do not see it. Batches without a ``transform`` become tensors (`tensors`).

    ``state_dict`` and ``load_state_dict`` follow the protocol of torchdata's `StatefulDataLoader`, which calls them in each worker: it
    resumes in the middle of an epoch with as many workers as before. Without workers they are those of ``batches``. The process that has
    the loader does not know the places of workers: there ``state_dict`` raises `RuntimeError` once they have begun.
    """

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches = batches
        # Workers have copies of the batches, and end with the epoch unless they persist. So each counts here the epochs that it began
        # since the epoch was last set in the process that has the loader: how often it was set, and the count.
        self._begun = torch.full((MOST_WORKERS, 2), -1, dtype=torch.int64).share_memory_()
        #: The batches of this worker, while it loops.
        self._part = batches
        #: The state from which the next loop goes on.
        self._resumed: Optional[Dict[str, Any]] = None

    def __len__(self) -> int:
        """Return the number of batches per epoch on this rank, without workers; each worker may add one that is not full.

        Raises `TypeError` if it depends on what the files hold.
        """
        return len(self.batches)

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        part = self.batches
        if worker is not None:
            begun = self._begun[worker.id]
            if begun[0] != self.batches.places_set:
                begun[0], begun[1] = self.batches.places_set, 0
            part = self.batches.shard(worker.id, worker.num_workers)
            # The first loop goes on from the place of batches that were resumed.
            if self._resumed is None and not (part.is_resumed and begun[1] == 0):
                part.set_epoch(self.batches.epoch + int(begun[1]))
        else:
            self._begun[:] = -1
        if self._resumed is not None:
            part.load_state_dict(self._resumed)
            self._resumed = None
        if worker is not None:
            begun[1] = part.epoch - self.batches.epoch + 1
        self._part = part
        for batch in part:
            yield tensors(batch) if part.has_records else batch

    def state_dict(self) -> Dict[str, Any]:
        """Return the state of this process's batches, after the last one returned."""
        is_worker = torch.utils.data.get_worker_info() is not None
        if not is_worker and bool((self._begun[:, 0] == self.batches.places_set).any()):
            raise RuntimeError(
                "the workers have the places of this loader: take StatefulDataLoader of torchdata, which asks them, or num_workers=0"
            )
        return self._part.state_dict() if self._resumed is None else self._resumed

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Go on from a state in the next loop."""
        if torch.utils.data.get_worker_info() is None:
            # Workers that begin later go on from there, and only once.
            self.batches.load_state_dict(state)
        else:
            self._resumed = dict(state)


def tensors(batch: Any) -> Dict[str, Any]:
    """Turn a batch to tensors.

    Parameters
    ----------
    batch
        Records, a pair of records and columns, or a `Batch` of the loader.

    Returns
    -------
    dict[str, torch.Tensor]
        Of records ``words`` (u1[n,32]: the packed positions), ``labels`` (i8[n]), ``value`` and ``result`` (f4[n], see `targets`). Of a
        `Batch` each array by its name, but for ``records``, which become ``words``; so does each column, unsigned numbers as i8, in
        place of another array of its name.

    Raises
    ------
    DecodeError
        For a bad record.

    Examples
    --------
    >>> import komabako
    >>> from komabako.torch import tensors
    >>> sorted(tensors(komabako.Position().record(move="7g7f")))
    ['labels', 'result', 'value', 'words']
    """
    if isinstance(batch, Batch):
        arrays = {name: value for name, value in batch._asdict().items() if isinstance(value, np.ndarray) and name != "records"}
        arrays["words"] = batch.records["sfen"]
    else:
        records, columns = batch if isinstance(batch, tuple) else (batch, {})
        value, result = targets(records)
        arrays = {"words": records[records.dtype.names[0]], "labels": labels(records), "value": value, "result": result}
        # Older versions of torch have no unsigned numbers of more than a byte.
        arrays.update((name, column.astype(np.int64) if column.dtype.kind == "u" else column) for name, column in columns.items())
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}


def unpack_bits(bits: Any, planes: int) -> Any:
    """Expand bits (`features.dlshogi` with ``dtype="bits"``) to planes of f4 on the device of the bits.

    Parameters
    ----------
    bits
        u1[n,628], or u1[n,8], whose planes are all ones or all zeros.
    planes
        The number of planes: 62, or 57.

    Returns
    -------
    torch.Tensor
        f4[n,planes,9,9].

    Raises
    ------
    TypeError
        For what is not an array of bytes.

    Examples
    --------
    >>> import torch
    >>> from komabako.torch import unpack_bits
    >>> tuple(unpack_bits(torch.zeros((1, 628), dtype=torch.uint8), 62).shape)
    (1, 62, 9, 9)
    """
    shifts = torch.arange(8, device=bits.device, dtype=torch.uint8)
    flat = ((bits.unsqueeze(-1) >> shifts) & 1).flatten(1).float()
    if flat.shape[1] >= planes * 81:
        return flat[:, : planes * 81].reshape(-1, planes, 9, 9)
    return flat[:, :planes, None, None].expand(-1, planes, 9, 9)
