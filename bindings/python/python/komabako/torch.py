"""Adapters for PyTorch. The only module that imports torch."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.context
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import numpy as np
import torch
import torch.utils.data

from .batches import Batches
from .loader import Batch
from .training import labels, targets

#: The loops of workers that are remembered. Those that are under way at once are few.
_LOOPS = 16


class _Loop(NamedTuple):
    """A loop over a loader with workers."""

    #: The process that has the loader, and how often the place of its batches was set before.
    owner: List[int]
    #: The number that torch draws for each set of workers, how many they are, and the number of the loop among theirs.
    name: List[int]
    epoch: int
    #: The workers that have begun it, as bits.
    begun: int


class _Loops:
    """The last loops of workers over a dataset, in memory that the processes share.

    The process that has the loader is not told of a loop, and a worker may not see the end of one, or not even its beginning. So the
    first worker of a loop decides its epoch, and the others take it from here.
    """

    def __init__(self, text: bytes = b"[]") -> None:
        # Of the context "spawn", whose locks processes of the others can use too.
        made: Any = multiprocessing.get_context("spawn").Array("c", 1 << 14)
        made.value = text
        self._text = made

    def __getstate__(self) -> Any:
        # Only a process that is being started shares the memory; any other copy counts for itself.
        is_starting = multiprocessing.context.get_spawning_popen() is not None
        return self._text if is_starting else self._text.value

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, bytes):
            self.__init__(state)  # type: ignore[misc]
        else:
            self._text = state

    def last(self, owner: List[int]) -> Optional[_Loop]:
        """Return the loop that began last."""
        return self._last(self._read(), owner)

    def begin(self, owner: List[int], name: List[int], worker: int, first: int, resumed: Optional[int]) -> int:
        """Begin a worker's next loop. Returns its epoch: the one resumed, or the one after that of the last loop, or the first."""
        lock = self._text.get_lock()
        # A worker that was killed in here keeps the lock.
        is_locked = lock.acquire(timeout=10)
        try:
            loops = self._read()
            bit = 1 << worker
            own = [loop for loop in loops if (loop.owner, loop.name) == (owner, name)]
            # After `torch.manual_seed` another loop may have the same name.
            if own and not own[-1].begun & bit:
                loop = own[-1]
                loops[loops.index(loop)] = loop._replace(begun=loop.begun | bit)
            else:
                last = self._last(loops, owner)
                epoch = first if last is None else last.epoch + 1
                loop = _Loop(owner, name, epoch if resumed is None else resumed, bit)
                loops.append(loop)
            self._text.value = json.dumps(loops[-_LOOPS:]).encode()
        finally:
            if is_locked:
                lock.release()
        return loop.epoch if resumed is None else resumed

    @staticmethod
    def _last(loops: List[_Loop], owner: List[int]) -> Optional[_Loop]:
        return next((loop for loop in reversed(loops) if loop.owner == owner), None)

    def _read(self) -> List[_Loop]:
        return [_Loop(*loop) for loop in json.loads(self._text.value)]


class Dataset(torch.utils.data.IterableDataset[Any]):  # type: ignore[misc, unused-ignore]
    """A dataset of whole batches for `torch.utils.data.DataLoader(dataset, batch_size=None)`. Each worker makes its share.

    Each loop over the loader is an epoch in another order, with any ``num_workers``, persistent or not, also after a loop that ended
    early; without workers the next loop then goes on in the same epoch. ``batches.set_epoch`` starts a chosen one; persistent workers
    do not see it. Batches without a ``transform`` become tensors (`tensors`).

    ``state_dict`` and ``load_state_dict`` follow the protocol of torchdata's `StatefulDataLoader`, which calls them in each worker: it
    resumes in the middle of an epoch with as many workers as before. Without workers they are those of ``batches``. The process that has
    the loader does not know the places of workers: there ``state_dict`` raises `RuntimeError` once they have begun.

    torch raises an error of a worker that consists of more than a text, such as `DecodeError`, as `RuntimeError`, whose text has both.
    """

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches = batches
        self._loops = _Loops()
        #: The number of loops that this worker has begun.
        self._count = 0
        #: The batches of this worker's loop, and whether it has ended.
        self._part, self._has_ended = batches, False
        #: The state from which the next loop goes on.
        self._resumed: Optional[Dict[str, Any]] = None

    def __len__(self) -> int:
        """Return the number of batches per epoch on this rank, without workers; each worker may add one that is not full.

        Raises `TypeError` if it depends on what the files hold.
        """
        return len(self.batches)

    def __iter__(self) -> Iterator[Any]:
        # Not in a generator: all workers begin the loop here, also those from which no batch is taken, and StatefulDataLoader asks
        # for the state before the first batch.
        worker = torch.utils.data.get_worker_info()
        self._has_ended = False
        if worker is None:
            last = self._loops.last(self._owner(os.getpid()))
            if last is not None:
                self.batches.set_epoch(last.epoch + 1)
            self._part = self.batches
        else:
            self._part = self._begun(worker)
        return self._items(self._part)

    def _begun(self, worker: Any) -> Batches:
        """Begin a worker's loop. Returns its share of the batches."""
        state, self._resumed = self._resumed, None
        parent = multiprocessing.parent_process()
        owner = self._owner(os.getpid() if parent is None else parent.pid)
        name = [worker.seed - worker.id, worker.num_workers, self._count]
        self._count += 1
        part = self.batches.shard(worker.id, worker.num_workers)
        if state is None:
            epoch = self._loops.begin(owner, name, worker.id, self.batches.epoch, None)
            # The first loop goes on from the place of batches that were resumed.
            if not (part.is_resumed and epoch == part.epoch):
                part.set_epoch(epoch)
            return part
        self._has_ended = bool(state.pop("has_ended", False))
        part.load_state_dict(state)
        # The batches of a worker that has ended are at the beginning of the next epoch.
        self._loops.begin(owner, name, worker.id, self.batches.epoch, part.epoch - self._has_ended)
        return part

    def _owner(self, process: Any) -> List[int]:
        return [process, self.batches.places_set]

    def _items(self, part: Batches) -> Iterator[Any]:
        if not self._has_ended:
            for batch in part:
                yield tensors(batch) if part.has_records else batch
        self._has_ended = True

    def state_dict(self) -> Dict[str, Any]:
        """Return the state of this process's batches, after the last one returned."""
        if torch.utils.data.get_worker_info() is not None:
            # Workers end after different numbers of batches: one that has ended must wait for the others.
            return self._resumed or {**self._part.state_dict(), "has_ended": self._has_ended}
        if self._loops.last(self._owner(os.getpid())) is not None:
            raise RuntimeError(
                "the workers have the places of this loader: take StatefulDataLoader of torchdata, which asks them, or num_workers=0"
            )
        return self.batches.state_dict()

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
