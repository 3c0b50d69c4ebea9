"""The dataset of `komabako.torch` in workers: the protocol of StatefulDataLoader, without PyTorch.

A module that has what the dataset uses of PyTorch takes its place, so that these tests run everywhere; `test_loader.py` runs the loader
of PyTorch itself where that is installed.
"""

from __future__ import annotations

import copy
import importlib
import itertools
import json
import os
import pickle
import sys
import types
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import numpy as np
import pytest

import komabako

from conftest import ROOT

SAMPLE = ROOT / "data/sample.psv"

#: What torch draws for each loop.
SEEDS = itertools.count(100, 1000)


class Worker(NamedTuple):
    id: int
    num_workers: int
    seed: int = 0


@pytest.fixture
def module(monkeypatch: Any) -> Iterator[Any]:
    """`komabako.torch` with the stand-in; its attribute `worker` is what `get_worker_info` returns."""

    class IterableDataset:
        def __class_getitem__(cls, item: Any) -> Any:
            return cls

    torch, utils, data = (types.ModuleType(name) for name in ("torch", "torch.utils", "torch.utils.data"))
    torch.from_numpy = lambda array: array  # type: ignore[attr-defined]
    torch.utils, utils.data = utils, data  # type: ignore[attr-defined]
    data.IterableDataset = IterableDataset  # type: ignore[attr-defined]
    state: Dict[str, Optional[Worker]] = {"worker": None}
    data.get_worker_info = lambda: state["worker"]  # type: ignore[attr-defined]
    for made in (torch, utils, data):
        monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.delitem(sys.modules, "komabako.torch", raising=False)
    imported = importlib.import_module("komabako.torch")
    imported.state = state  # type: ignore[attr-defined]
    yield imported
    sys.modules.pop("komabako.torch", None)


def identity(records: Any) -> Any:
    return records


def batches_of(order: str) -> Any:
    more: Dict[str, Any] = {"block": 100, "streams": 2} if order == "riffle" else {"pool": 2}
    return komabako.Batches(SAMPLE, 48, order=order, seed=2, transform=identity, **more)  # type: ignore[call-overload]


def loops_of(module: Any, dataset: Any, workers: int, state: Any = None, seed: Optional[int] = None) -> List[Any]:
    """A loop of each worker as the loader asks for it: each has a copy of the dataset, and they share its `_loops`."""
    seed = next(SEEDS) if seed is None else seed
    made = []
    for index in range(workers):
        module.state["worker"] = Worker(index, workers, seed + index)
        copy = module.Dataset(dataset.batches)
        copy._loops = dataset._loops
        if state is not None:
            copy.load_state_dict(state[index])
        made.append((copy, iter(copy)))
    return made


def epoch_of(module: Any, dataset: Any, workers: int, **more: Any) -> List[Any]:
    """An epoch as the loader asks for it."""
    made: List[Any] = []
    for index, (_, loop) in enumerate(loops_of(module, dataset, workers, **more)):
        module.state["worker"] = Worker(index, workers)
        made += list(loop)
    module.state["worker"] = None
    return made


def is_whole(epoch: List[Any]) -> bool:
    sample = np.sort(np.fromfile(SAMPLE, komabako.PackedSfenValue).view("V40"))
    return bool((np.sort(np.concatenate(epoch).view("V40")) == sample).all())


@pytest.mark.parametrize("seed", [None, 7])
def test_workers_agree_on_the_epoch_whatever_happened_before(seed: Any, module: Any) -> None:
    dataset = module.Dataset(batches_of("shuffle"))
    # A look at one batch; another number of workers; none; after a copy of the dataset; the same seed each time.
    [(_, loop), *_] = loops_of(module, dataset, 3, seed=seed)
    next(loop)
    epochs = [epoch_of(module, dataset, workers, seed=seed) for workers in (3, 2, 2)]
    module.state["worker"] = None
    epochs.append(list(dataset))
    for dataset in (dataset, copy.deepcopy(dataset), pickle.loads(pickle.dumps(dataset))):
        epochs += [epoch_of(module, dataset, 2, seed=seed) for _ in range(2)]
        assert all(is_whole(epoch) for epoch in epochs)
        assert len({np.concatenate(epoch).tobytes() for epoch in epochs}) == len(epochs)
        del epochs[4:]


def test_loops_at_once_are_of_two_epochs(module: Any) -> None:
    dataset = module.Dataset(batches_of("shuffle"))
    made: List[List[Any]] = [[], []]
    loops = [loops_of(module, dataset, 2) for _ in range(2)]
    for (_, one), (_, other) in zip(*loops):
        made[0] += list(one)
        made[1] += list(other)
    assert is_whole(made[0]) and is_whole(made[1]) and made[0][0].tobytes() != made[1][0].tobytes()


@pytest.mark.parametrize("order", ["riffle", "blocks"])
@pytest.mark.parametrize("taken", [(0, 0, 0), (1, 0, 0), (14, 14, 13), (14, 14, 14), (99, 99, 13), (99, 99, 99)])
def test_workers_resume_anywhere_in_an_epoch(order: str, taken: Any, module: Any) -> None:
    def made() -> Any:
        more: Dict[str, Any] = {"block": 100, "streams": 3} if order == "riffle" else {"pool": 2}
        return module.Dataset(komabako.Batches(SAMPLE, 48, order=order, seed=2, transform=identity, **more))  # type: ignore[call-overload]

    stopped = made()
    epoch_of(module, stopped, 3)
    seen, states = [], []
    for index, (dataset, loop) in enumerate(loops_of(module, stopped, 3)):
        module.state["worker"] = Worker(index, 3)
        seen += list(itertools.islice(loop, taken[index]))
        states.append(json.loads(json.dumps(dataset.state_dict())))
    resumed = made()
    epochs = [seen + epoch_of(module, resumed, 3, state=states), epoch_of(module, resumed, 3), epoch_of(module, resumed, 2 if order == "blocks" else 3)]
    whole = made()
    whole.batches.set_epoch(2)
    assert all(is_whole(epoch) for epoch in epochs)
    assert np.concatenate(epochs[1]).tobytes() == np.concatenate(epoch_of(module, whole, 3)).tobytes()


@pytest.mark.parametrize("order", ["riffle", "blocks", "shuffle"])
def test_each_epoch_of_workers_has_another_order(order: str, module: Any) -> None:
    dataset = module.Dataset(batches_of(order))
    epochs = [np.concatenate(epoch_of(module, dataset, 2)) for _ in range(3)]
    assert all(is_whole([epoch]) for epoch in epochs)
    assert len({epoch.tobytes() for epoch in epochs}) == 3
    dataset.batches.set_epoch(0)
    assert np.concatenate(epoch_of(module, dataset, 2)).tobytes() == epochs[0].tobytes()


@pytest.mark.parametrize("order", ["riffle", "blocks", "shuffle"])
def test_a_worker_resumes_in_mid_epoch(order: str, module: Any) -> None:
    module.state["worker"] = Worker(1, 2)
    whole = module.Dataset(batches_of(order))
    list(whole)
    second = list(whole)
    third = list(whole)
    stopped = module.Dataset(batches_of(order))
    list(stopped)
    iterator = iter(stopped)
    begin = [next(iterator) for _ in range(5)]
    assert all((one == other).all() for one, other in zip(begin, second))
    state = json.loads(json.dumps(stopped.state_dict()))
    resumed = module.Dataset(batches_of(order))
    resumed.load_state_dict(state)
    assert resumed.state_dict() == state
    rest = list(resumed)
    assert len(rest) == len(second) - 5 and all((one == other).all() for one, other in zip(rest, second[5:]))
    # The next epoch is the next one.
    assert all((one == other).all() for one, other in zip(resumed, third))


def test_workers_go_on_from_resumed_batches_once(module: Any) -> None:
    batches = batches_of("shuffle")
    iterator = iter(batches)
    seen = [next(iterator) for _ in range(10)]
    resumed = module.Dataset(batches_of("shuffle"))
    resumed.load_state_dict(batches.state_dict())
    rest = epoch_of(module, resumed, 2)
    assert is_whole(seen + rest)
    # The process of the loader knows no place of its workers.
    with pytest.raises(RuntimeError, match="StatefulDataLoader"):
        resumed.state_dict()
    second = epoch_of(module, resumed, 2)
    fresh = module.Dataset(batches_of("shuffle"))
    fresh.batches.set_epoch(1)
    assert np.concatenate(second).tobytes() == np.concatenate(epoch_of(module, fresh, 2)).tobytes()


def test_workers_refuse_batches_of_the_loader_in_mid_epoch(module: Any) -> None:
    batches = batches_of("riffle")
    next(iter(batches))
    resumed = module.Dataset(batches_of("riffle"))
    resumed.load_state_dict(batches.state_dict())
    with pytest.raises(RuntimeError, match="num_workers=0"):
        epoch_of(module, resumed, 2)
    module.state["worker"] = None
    assert len(list(resumed)) == len(batches) - 1
    assert len(epoch_of(module, resumed, 2)) == len(batches)


def test_weighted_epochs_of_workers_go_on(module: Any) -> None:
    sources = [komabako.Source(SAMPLE, weight=1), komabako.Source(SAMPLE, weight=1)]
    made = [
        komabako.Batches(sources, 50, order="riffle", block=100, epoch_records=400, streams=2, transform=identity) for _ in range(2)
    ]
    dataset = module.Dataset(made[0])
    epochs = [np.concatenate(epoch_of(module, dataset, 2)) for _ in range(5)]
    # Both sources have all records once.
    assert {len(epoch) for epoch in epochs} == {400} and len(np.unique(np.concatenate(epochs).view("V40"))) > 900
    made[1].set_epoch(3)
    without = np.concatenate(list(made[1]))
    assert (np.sort(without.view("V40")) == np.sort(epochs[3].view("V40"))).all()


def test_without_workers_the_state_is_that_of_the_batches(module: Any) -> None:
    dataset = module.Dataset(batches_of("riffle"))
    assert len(dataset) == 42
    iterator = iter(dataset)
    next(iterator)
    assert dataset.state_dict() == dataset.batches.state_dict()
    again = module.Dataset(batches_of("riffle"))
    again.load_state_dict(dataset.state_dict())
    assert all((one == other).all() for one, other in zip(iterator, again))


def test_records_become_tensors_by_default(module: Any) -> None:
    [first, *_] = module.Dataset(komabako.Batches(SAMPLE, 64, order="file"))
    sample = np.fromfile(SAMPLE, komabako.PackedSfenValue)[:64]
    assert set(first) == {"words", "labels", "value", "result"}
    assert (first["words"] == sample["sfen"]).all() and (first["labels"] == komabako.labels(sample)).all()
    [loaded, *_] = module.Dataset(komabako.Batches(SAMPLE, 64, order="riffle", features="halfkp", policy="moves"))
    assert set(loaded) == {"words", "weights", "stm", "nstm", "moves"} and loaded["stm"].shape == (64, 38)


@pytest.mark.parametrize("order", ["riffle", "shuffle"])
@pytest.mark.parametrize("options", [{"prefetch": 0}, {"prefetch": 3}])
def test_transforms_get_the_same_random_numbers_again(order: str, options: Dict[str, Any]) -> None:
    def draw(records: Any, rng: Any) -> Any:
        return int(rng.integers(1 << 60)), records["score"].sum()

    def made(**more: Any) -> Any:
        if order == "riffle":
            more.update(block=100, streams=2)
        return komabako.Batches(SAMPLE, 64, order=order, seed=5, transform=draw, **options, **more)  # type: ignore[call-overload]

    batches = made()
    first, second = list(batches), list(batches)
    assert len({number for number, _ in first + second}) == len(first + second)
    assert list(made()) == first
    resumed = made()
    iterator = iter(batches)
    third = [next(iterator) for _ in range(3)]
    resumed.load_state_dict(batches.state_dict())
    assert list(resumed) == list(iterator) and len(third) == 3
    ranks = [[number for number, _ in made(rank=rank, world=2)] for rank in range(2)]
    assert not set(ranks[0]) & set(ranks[1])


def joined(batches: Any) -> bytes:
    return b"".join(getattr(batch, "records", batch).tobytes() for batch in batches)


def test_arrays_are_batched_like_files() -> None:
    sample = np.fromfile(SAMPLE, komabako.PackedSfenValue)
    files, arrays = komabako.Batches([SAMPLE, SAMPLE], 64, seed=1), komabako.Batches([sample, SAMPLE], 64, seed=1)
    assert all((one == other).all() for one, other in zip(files, arrays))
    assert len(list(komabako.Batches(sample, 500))) == 4 and sample.flags.writeable
    for bad in (sample["sfen"], sample.reshape(2, -1)):
        with pytest.raises(ValueError, match="known dtype"):
            komabako.Batches(bad, 64)
        with pytest.raises(ValueError, match="known dtype"):
            komabako.Batches(bad, 64, order="riffle")


def test_the_loader_takes_arrays_like_files() -> None:
    sample, hcpe = np.fromfile(SAMPLE, komabako.PackedSfenValue), ROOT / "data/sample.hcpe"
    options: Any = {"order": "riffle", "seed": 5, "block": 300, "memory": 1 << 16, "features": "halfkp"}
    paths: Any = [SAMPLE, komabako.Source(hcpe, score_scale=0.5)]
    arrays: Any = [sample[::1], komabako.Source(np.fromfile(hcpe, komabako.HuffmanCodedPosAndEval), score_scale=0.5)]
    for more in ({}, {"weights": [3, 1]}, {"weights": [1, 1], "epoch_records": 700}, {"order": "file"}):
        files = joined(komabako.Batches(paths, 64, **{**options, **more}))
        made = komabako.Batches(arrays, 64, **{**options, **more})
        copy = pickle.loads(pickle.dumps(made))
        assert joined(made) == files == joined(copy)
    assert joined(komabako.Batches(sample[::-1], 64, order="file", threads=0)) == sample[::-1].tobytes()
    bad = sample.copy()
    bad["sfen"][7] = 0xFF
    with pytest.raises(komabako.errors.LoaderError, match="array 1.*record 7|record 7.*array 1"):
        joined(komabako.Batches([sample, bad], 64, order="riffle", policy="moves", planes="u8"))


def test_weights_are_shares() -> None:
    sample = np.fromfile(SAMPLE, komabako.PackedSfenValue)
    black, white = sample.copy(), sample.copy()
    black["gamePly"], white["gamePly"] = 1, 2
    drawn = np.frombuffer(joined(komabako.Batches([black, white], 50, weights=[3, 1], epoch_records=800, seed=1)), sample.dtype)
    assert (drawn["gamePly"] == 1).sum() == 600
    as_sources = komabako.Batches([komabako.Source(black, weight=3), komabako.Source(white, weight=1)], 50, epoch_records=800, seed=1)
    assert joined(as_sources) == drawn.tobytes()
    with pytest.raises(ValueError, match="3 weights for 2 sources"):
        komabako.Batches([black, white], 50, weights=[1, 1, 1])
    with pytest.raises(ValueError, match="that have a weight"):
        komabako.Batches([black, komabako.Source(white, weight=2)], 50, weights=[1, 1])


@pytest.mark.parametrize("profile", ["record", "packed", "text"])
def test_parquet_is_batched_like_files(profile: Any, tmp_path: Any) -> None:
    arrow = pytest.importorskip("komabako.arrow")
    sample = np.fromfile(SAMPLE, komabako.PackedSfenValue)
    sample["padding"] = 0
    path = tmp_path / "a.parquet"
    arrow.write_parquet(sample, path, profile)
    files, tables = komabako.Batches([sample, sample], 64, seed=1), komabako.Batches([path, sample], 64, seed=1)
    assert all((one == other).all() for one, other in zip(files, tables)) and tables.records == 4_000
    assert all((one == other).all() for one, other in zip(files, pickle.loads(pickle.dumps(tables))))
    options: Any = {"order": "riffle", "weights": [2, 1], "seed": 3, "epoch_records": 600}
    assert joined(komabako.Batches([path, SAMPLE], 64, **options)) == joined(komabako.Batches([sample, SAMPLE], 64, **options))


def test_parquet_without_our_metadata_is_given_as_an_array(tmp_path: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    from komabako import arrow

    path = tmp_path / "a.parquet"
    table = arrow.to_arrow(np.fromfile(SAMPLE, komabako.PackedSfenValue), "packed")
    fields = [field.remove_metadata() for field in table.schema]
    parquet.write_table(table.cast(pa.schema(fields)), path)
    for order in ("shuffle", "riffle"):
        with pytest.raises(komabako.errors.KomabakoError, match=r"a\.parquet: .*codec=.*Batches\(from_arrow\(read_parquet\(path\), …\), …\)"):
            komabako.Batches(path, 64, order=order)  # type: ignore[call-overload]
    records = arrow.from_arrow(arrow.read_parquet(path), codec="psv", encoding="A")
    assert komabako.Batches(records, 64).records == 2_000


@pytest.mark.parametrize("transform", [komabako.labels, lambda records: komabako.key64(records[len(records) // 2 :])])
def test_a_bad_record_is_named_by_its_file(transform: Any, tmp_path: Any) -> None:
    sample = np.fromfile(SAMPLE, komabako.PackedSfenValue)[:200]
    bad = sample.copy()
    bad["sfen"][7] = 0xFF
    bad.tofile(tmp_path / "bad.psv")
    batches = komabako.Batches([SAMPLE, tmp_path / "bad.psv", sample], 500, seed=4, transform=transform)
    with pytest.raises(komabako.errors.DecodeError, match=r"bad\.psv: record 7, as psv") as caught:
        for _ in range(100):
            list(batches)
    assert (caught.value.path, caught.value.record) == (str(tmp_path / "bad.psv"), 7)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_loop_that_a_child_inherits_is_refused() -> None:
    iterator = iter(komabako.Batches(SAMPLE, 64, order="shuffle"))
    next(iterator)
    child = os.fork()
    if child == 0:
        try:
            next(iterator)
        except RuntimeError as error:
            os._exit(7 if "before a fork" in str(error) else 8)
        os._exit(9)
    assert os.waitpid(child, 0)[1] >> 8 == 7


@pytest.mark.parametrize("order", ["riffle", "shuffle"])
@pytest.mark.parametrize("prefetch", [0, 2])
def test_an_older_loop_is_refused(order: Any, prefetch: int) -> None:
    batches = komabako.Batches(SAMPLE, 48, order=order, prefetch=prefetch, transform=identity)
    for end in (lambda: next(iter(batches)), lambda: batches.set_epoch(3), lambda: batches.load_state_dict(batches.state_dict())):
        old = iter(batches)
        next(old)
        end()
        before = batches.state_dict()
        with pytest.raises(RuntimeError, match="another loop"):
            next(old)
        assert batches.state_dict() == before
    batches.set_epoch(0)
    assert is_whole(list(batches))


@pytest.mark.parametrize("order", ["riffle", "shuffle"])
@pytest.mark.parametrize("epoch", [-1, "1", None, 2**64, 1.5])
def test_epochs_are_numbers(order: Any, epoch: Any) -> None:
    batches = komabako.Batches(SAMPLE, 48, order=order)
    with pytest.raises(ValueError, match="^epoch is an integer"):
        batches.set_epoch(epoch)
    assert batches.epoch == 0
    if order == "shuffle":
        for name in ("epoch", "consumed"):
            with pytest.raises(ValueError, match=name):
                batches.load_state_dict({**batches.state_dict(), name: epoch})
        with pytest.raises(ValueError, match="consumed 2001 of 2000 records"):
            batches.load_state_dict({**batches.state_dict(), "consumed": 2_001})


def test_workers_have_batches_of_a_subclass(module: Any) -> None:
    class Counted(komabako.Batches):
        def __init__(self, step: int) -> None:
            super().__init__(SAMPLE, 48, transform=identity)
            self.step = step

        def __iter__(self) -> Iterator[Any]:
            for batch in super().__iter__():
                yield batch[:: self.step]

    assert sum(map(len, epoch_of(module, module.Dataset(Counted(2)), 2))) == 1_000

    class Loaded(komabako.loader.LoadedBatches):
        def __iter__(self) -> Iterator[Any]:
            for batch in super().__iter__():
                yield batch[::2]

    loaded = Loaded(SAMPLE, 48, block=100, transform=identity)
    assert sum(map(len, epoch_of(module, module.Dataset(loaded), 2))) == 1_000
    with pytest.raises(ValueError, match=r"derive it from komabako\.loader\.LoadedBatches"):
        type("Mine", (komabako.Batches,), {})(SAMPLE, 48, order="riffle")


def test_open_files_are_refused() -> None:
    with open(SAMPLE, "rb") as file:
        for take in (lambda: komabako.Batches(file, 48), lambda: komabako.Batches(file, 48, order="riffle"), lambda: komabako.games(file)):
            with pytest.raises(ValueError, match="give the path"):
                take()


@pytest.mark.parametrize("order", ["riffle", "shuffle"])
@pytest.mark.parametrize("size", [0, -1, 2.5, True, "64", None])
def test_sizes_of_batches_are_positive_integers(order: Any, size: Any) -> None:
    if size is None and order == "riffle":
        return
    with pytest.raises(ValueError, match="batch_size"):
        komabako.Batches(SAMPLE, size, order=order)
