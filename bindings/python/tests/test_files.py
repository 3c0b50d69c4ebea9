"""Files as arrays, and batches of them."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from typing import Any, Dict, List

import numpy as np
import pytest

import komabako
from komabako._order import permuted

import reference
from conftest import ROOT

ORDERS = ["file", "shuffle", "blocks"]


@pytest.fixture
def paths(tmp_path: Any) -> Any:
    """Three files, one of them empty, with 1,003 records that contain their number."""
    records = np.zeros(1_003, komabako.PackedSfenValue)
    records["gamePly"] = np.arange(1_003)
    made = []
    for name, part in (("a", records[:10]), ("b", records[:0]), ("c", records[10:])):
        part.tofile(tmp_path / f"{name}.psv")
        made.append(tmp_path / f"{name}.psv")
    return made


def numbers(batches: Any) -> List[List[int]]:
    return [batch["gamePly"].tolist() for batch in batches]


def flat(lists: Any) -> List[int]:
    return [number for part in lists for number in part]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("world", [1, 2, 3, 8])
@pytest.mark.parametrize("drop_last", [False, True])
def test_every_record_comes_once_over_all_ranks(paths: Any, order: str, world: int, drop_last: bool) -> None:
    ranks = [
        komabako.Batches(paths, 16, order=order, seed=3, rank=rank, world=world, drop_last=drop_last)
        for rank in range(world)
    ]
    for epoch in range(2):
        parts = [numbers(batches) for batches in ranks]
        assert [len(part) for part in parts] == [len(batches) for batches in ranks]
        seen = sorted(flat(flat(parts)))
        if drop_last:
            assert len(seen) == 1_003 // (16 * world) * 16 * world == len(set(seen))
            assert all(len(batch) == 16 for part in parts for batch in part)
        else:
            assert seen == list(range(1_003))
        assert all(batches.epoch == epoch + 1 for batches in ranks)


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_is_the_same_for_every_world_size(paths: Any, order: str) -> None:
    whole = flat(numbers(komabako.Batches(paths, 8, order=order, seed=1)))
    for world in (2, 4):
        ranks = [numbers(komabako.Batches(paths, 8, order=order, seed=1, rank=rank, world=world)) for rank in range(world)]
        joined = [number for step in zip(*ranks) for batch in step for number in batch]
        assert joined[: 1_003 // 32 * 32] == whole[: 1_003 // 32 * 32]


@pytest.mark.parametrize("order", ["shuffle", "blocks"])
def test_seeds_and_epochs_give_different_orders(paths: Any, order: str) -> None:
    batches = komabako.Batches(paths, 100, order=order, seed=1)
    first, second = flat(numbers(batches)), flat(numbers(batches))
    other = flat(numbers(komabako.Batches(paths, 100, order=order, seed=2)))
    assert len({tuple(first), tuple(second), tuple(other), tuple(range(1_003))}) == 4
    assert first == flat(numbers(komabako.Batches(paths, 7, order=order, seed=1)))
    batches.set_epoch(1)
    assert flat(numbers(batches)) == second


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("prefetch, workers", [(0, 1), (1, 1), (5, 1), (1, 3), (5, 2)])
def test_resuming_in_mid_epoch_gives_the_remaining_batches(paths: Any, order: str, prefetch: int, workers: int) -> None:
    make = lambda **rest: komabako.Batches(paths, 64, order=order, seed=9, prefetch=prefetch, workers=workers, **rest)
    whole = make()
    expected = [numbers(whole), numbers(whole)]
    for done in (0, 1, 7, len(expected[0])):
        begun = make()
        iterator = iter(begun)
        for _ in range(done):
            next(iterator)
        resumed = make()
        resumed.load_state_dict(begun.state_dict())
        assert numbers(resumed) == expected[0][done:]
        assert numbers(resumed) == expected[1]
    # With another number of ranks, the remaining records are distributed anew.
    begun = make()
    next(iter(begun))
    parts = []
    for rank in range(3):
        resumed = make(rank=rank, world=3)
        resumed.load_state_dict(begun.state_dict())
        parts.append(flat(numbers(resumed)))
    assert sorted(flat(parts)) == sorted(flat(expected[0][1:]))


def test_a_state_of_other_batches_is_refused(paths: Any) -> None:
    state = komabako.Batches(paths, 64, seed=1).state_dict()
    for other in (dict(seed=2), dict(order="file")):
        with pytest.raises(ValueError, match="the state is of"):
            komabako.Batches(paths, 64, **{"seed": 1, **other}).load_state_dict(state)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sizes"):
        komabako.Batches(paths[::-1], 64, seed=1).load_state_dict(state)
    with pytest.raises(ValueError, match="option of the loader"):
        komabako.Batches(paths, 64, seed=1).load_state_dict({"komabako_loader": 1, "epoch": 0, "step": 3})
    # States of before have no sizes.
    komabako.Batches(paths, 64, seed=1).load_state_dict({name: value for name, value in state.items() if name != "sizes"})
    # None is no option.
    assert komabako.Batches(paths, 64, seed=1, where=None, targets=None).state_dict() == state


def test_blocks_of_large_files_are_mixed(tmp_path: Any) -> None:
    records = np.zeros(200_000, komabako.dtypes.Compact32)
    records["rank_and_result"][:, :4] = np.arange(200_000, dtype="<u4").view(np.uint8).reshape(-1, 4)
    records.tofile(tmp_path / "a.compact32")
    read = []
    for batch in komabako.Batches(tmp_path / "a.compact32", 10_000, order="blocks", pool=2, seed=4):
        read.append(batch["rank_and_result"][:, :4].copy().view("<u4")[:, 0])
    order = np.concatenate(read)
    assert (np.sort(order) == np.arange(200_000)).all()
    # Two of the four blocks are mixed with each other, and not with a third one.
    blocks = order // 65_536
    first = next(size for size in (131_072, 65_536 + 200_000 % 65_536) if len(np.unique(blocks[:size])) == 2)
    assert set(blocks[:first]).isdisjoint(blocks[first:])


def test_permutations_are_bijections_and_uniform() -> None:
    for count in (1, 2, 3, 15, 16, 17, 1_000, 65_537):
        assert (np.sort(permuted(np.arange(count), count, 1, 2)) == np.arange(count)).all()
    # The images of 0 … 9 over 5,000 keys: chi-square with 9 degrees of freedom each, 90 in all; above 137.2 once in 1,000.
    places = np.array([permuted(np.arange(10), 10, 7, key) for key in range(5_000)])
    counts = np.array([np.bincount(column.astype(int), minlength=10) for column in places.T])
    assert ((counts - 500) ** 2 / 500).sum() < 137.2
    # The images of 0 and 1: 90 ordered pairs, 89 degrees of freedom.
    pairs = np.bincount((places[:, 0] * 10 + places[:, 1]).astype(int), minlength=100)
    pairs = pairs[[i for i in range(100) if i // 10 != i % 10]]
    expected = 5_000 / 90
    assert ((pairs - expected) ** 2 / expected).sum() < 135.9


def test_permutations_equal_the_reference() -> None:
    for count in (1, 2, 5, 1_003, 65_536, 10**7, 1 << 40, 1 << 63):
        places = np.unique(np.linspace(0, count - 1, 500).astype(np.uint64).clip(0, count - 1))
        for key in ((), (1, 0), (-1, 1 << 70, 3)):
            assert (permuted(places, count, *key) == reference.permuted(places, count, *key)).all()
    for wrong in ((np.array([3]), 3), (np.array([1]), (1 << 63) + 1)):
        with pytest.raises(ValueError):
            permuted(*wrong)


def test_transform_and_its_errors(paths: Any) -> None:
    batches = komabako.Batches(paths, 100, order="file", transform=lambda batch: batch["gamePly"].sum())
    assert sum(batches) == 1_003 * 1_002 // 2

    def fails(batch: Any) -> Any:
        if batch["gamePly"][0] == 200:
            raise RuntimeError("as asked")
        return batch

    for workers in (1, 4):
        failing = komabako.Batches(paths, 100, order="file", transform=fails, workers=workers)
        seen = []
        with pytest.raises(RuntimeError, match="as asked"):
            for batch in failing:
                seen.append(len(batch))
        assert seen == [100, 100] and failing.state_dict()["consumed"] == 200


def test_features_of_batches(psv: Any) -> None:
    batches = komabako.Batches(ROOT / "data/sample.psv", 512, order="file", transform=komabako.features.dlshogi)
    planes = np.concatenate([batch.features1 for batch in batches])
    assert (planes == komabako.features.dlshogi(psv).features1).all()


def test_workers_share_the_records_of_a_rank(paths: Any) -> None:
    rank = komabako.Batches(paths, 16, seed=5, rank=1, world=2)
    parts = [flat(numbers(rank.shard(index, 3))) for index in range(3)]
    others = [flat(numbers(komabako.Batches(paths, 16, seed=5).shard(index, 3))) for index in range(3)]
    assert sorted(flat(others)) == list(range(1_003))
    assert parts == [flat(numbers(komabako.Batches(paths, 16, seed=5, rank=3 + index, world=6))) for index in range(3)]


@pytest.mark.parametrize("order", ORDERS)
def test_pickled_batches_open_the_files_again(paths: Any, order: str) -> None:
    make = lambda: komabako.Batches(paths, 64, order=order, seed=3, rank=1, world=2, workers=2)
    batches, expected = make(), [numbers(batches) for batches in [make()] for _ in range(2)]
    iterator = iter(batches)
    next(iterator)
    data = pickle.dumps(batches)
    assert len(data) < 3_000
    for same in (pickle.loads(data), copy.deepcopy(batches), pickle.loads(pickle.dumps(pickle.loads(data)))):
        assert same.state_dict() == batches.state_dict() and len(same) == len(batches)
        assert numbers(same.shard(0, 1)) == expected[0][1:]
        assert numbers(same) == expected[0][1:] and numbers(same) == expected[1]
    # As the workers of torch's DataLoader: each gets a pickle and makes its share.
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        whole = komabako.Batches(paths, 64, order=order, seed=3)
        parts = pool.starmap(flat_share, [(whole, index, 2) for index in range(2)])
    assert parts == [flat_share(whole, index, 2) for index in range(2)]
    assert sorted(flat(parts)) == list(range(1_003))


def flat_share(batches: Any, index: int, count: int) -> List[int]:
    return flat(numbers(batches.shard(index, count)))


def test_pickled_batches_of_changed_files_are_refused(paths: Any) -> None:
    data = pickle.dumps(komabako.Batches(paths, 64))
    np.zeros(11, komabako.PackedSfenValue).tofile(paths[0])
    with pytest.raises(ValueError, match="pickled"):
        pickle.loads(data)


@pytest.mark.parametrize("order", ["file", "blocks"])
def test_batches_of_stores_are_writable(paths: Any, order: str) -> None:
    pytest.importorskip("pyarrow")
    for path in (os.fspath(paths[2]), f"file://{paths[2]}"):
        for batch in komabako.Batches(path, 100, order=order):
            assert batch.flags.writeable and batch.flags.c_contiguous
            batch["score"] = 7
        assert not np.fromfile(paths[2], komabako.PackedSfenValue)["score"].any()


def test_names_are_read_without_case(paths: Any, psv: Any, tmp_path: Any) -> None:
    upper = tmp_path / "A.PSV"
    psv.tofile(upper)
    assert (komabako.memmap(upper) == psv).all()
    assert sum(split.length for split in komabako.splits.splits(upper)) == len(psv)
    assert sum(len(batch) for batch in komabako.Batches(upper, 100)) == len(psv)
    assert komabako.open(upper).format == "psv"
    (tmp_path / "a.psv.ZST").write_bytes(b"")
    with pytest.raises(komabako.errors.FormatError, match="compressed"):
        komabako.memmap(tmp_path / "a.psv.ZST")
    for name in ("a.psv.bz2", "a.psv.LZ4"):
        (tmp_path / name).write_bytes(psv.tobytes())
        for dtype in (None, komabako.PackedSfenValue):
            with pytest.raises(komabako.errors.FormatError, match="not a compression that komabako reads") as raised:
                komabako.memmap(tmp_path / name, dtype)
            assert "convert" not in str(raised.value)


def test_advice_for_stores_names_no_command(tmp_path: Any) -> None:
    pytest.importorskip("pyarrow")
    for name in ("a.psv.zst", "a.pack", "a.psv"):
        (tmp_path / name).write_bytes(b"x" * 41)
        with pytest.raises(komabako.errors.FormatError, match=r"komabako\.open") as raised:
            komabako.splits.splits(f"file://{tmp_path / name}")
        assert "`" not in str(raised.value)


def test_splits_cover_files(paths: Any, psv: Any) -> None:
    made = komabako.splits.splits(paths, 400)
    assert [(split.first, split.length) for split in made] == [(0, 10), (0, 400), (400, 400), (800, 193)]
    joined = np.concatenate([komabako.splits.read_split(split) for split in made])
    assert joined["gamePly"].tolist() == list(range(1_003))
    with pytest.raises(ValueError):
        komabako.splits.splits(paths, 0)


def archive_of(psv: Any, path: Any, records: int) -> Any:
    plain = path.with_suffix(".psv")
    psv.tofile(plain)
    words = ["convert", plain, path, "--block-records", records, "--archive", "fast", "--force"]
    subprocess.run([sys.executable, "-m", "komabako", *map(str, words)], check=True, capture_output=True)
    return path


def test_archives_are_split_between_blocks(psv: Any, tmp_path: Any) -> None:
    many = np.concatenate([psv] * (5_000 // len(psv) + 1))[:5_000].copy()
    many["score"] = np.arange(5_000)
    whole = archive_of(many, tmp_path / "a.kmb", 1024)
    # A second member, whose blocks begin elsewhere.
    archive_of(many[:700], tmp_path / "b.kmb", 1024)
    joined = tmp_path / "joined.kmb"
    joined.write_bytes(whole.read_bytes() + (tmp_path / "b.kmb").read_bytes())
    expected = np.concatenate([many, many[:700]])
    starts = {0, 1024, 2048, 3072, 4096, 5000}
    random = np.random.default_rng(1)
    for count in [1, 1023, 1024, 1025, 2048, 5_000, 5_699, 100_000, *random.integers(1, 6_000, 10)]:
        made = komabako.splits.splits(joined, int(count))
        assert {split.first for split in made} <= starts and sum(split.length for split in made) == 5_700
        assert all(split.length <= max(count, 1024) for split in made)
        read = np.concatenate([komabako.splits.read_split(split) for split in made])
        assert (read == expected).all()
    # Any range of records, and records by numbers.
    for first, last in random.integers(0, 5_701, (20, 2)):
        first, last = sorted((int(first), int(last)))
        assert (komabako.splits.read_split(komabako.splits.Split(str(joined), first, last - first)) == expected[first:last]).all()
    with pytest.raises(komabako.errors.FormatError, match="has become shorter"):
        komabako.splits.read_split(komabako.splits.Split(str(joined), 10, len(expected)))
    assert komabako.files.records_in(joined)[-1] == expected[-1]
    numbers_of_records = random.integers(0, 5_700, 50)
    assert (komabako.files.records_in(joined)[numbers_of_records] == expected[numbers_of_records]).all()


def test_archives_that_cannot_be_split(psv: Any, tmp_path: Any) -> None:
    archive = archive_of(psv, tmp_path / "a.kmb", 1024)
    with pytest.raises(komabako.errors.FormatError, match="leave dtype= out"):
        komabako.splits.splits(archive, dtype=komabako.HuffmanCodedPosAndEval)
    for refused in (komabako.memmap, lambda path: komabako.Batches(path, 10, order="shuffle")):
        with pytest.raises(komabako.errors.FormatError, match=r'order="riffle".*convert .*a\.kmb .*a\.psv` unpacks'):
            refused(archive)
    archive.write_bytes(archive.read_bytes()[:-9])
    with pytest.raises(komabako.errors.FormatError, match="--salvage"):
        komabako.splits.splits(archive)
    psv.tofile(archive)
    with pytest.raises(komabako.errors.FormatError):
        komabako.splits.splits(archive)


def test_files_that_cannot_be_mapped(tmp_path: Any) -> None:
    kinds: Dict[str, Any] = {"a.psv.zst": "format", "a.pack": "format", "a.txt": "format", "a.psv": "tail"}
    for name, kind in kinds.items():
        (tmp_path / name).write_bytes(b"x" * 41)
        with pytest.raises(komabako.errors.FormatError) as raised:
            komabako.memmap(tmp_path / name)
        assert raised.value.kind == kind and str(tmp_path / name) in str(raised.value)
    (tmp_path / "b.any").write_bytes(b"\0" * 80)
    assert len(komabako.memmap(tmp_path / "b.any", komabako.PackedSfenValue)) == 2
    # Nothing is converted here.
    (tmp_path / "c.hcpe").write_bytes(b"\0" * 38 * 40)
    functions: Any = (komabako.memmap, komabako.splits.splits, komabako.Batches)
    for function in functions:
        arguments = {"batch_size": 10} if function is komabako.Batches else {}
        with pytest.raises(komabako.errors.FormatError, match="the name is that of hcpe, not of psv"):
            function(tmp_path / "c.hcpe", dtype=komabako.PackedSfenValue, **arguments)
    (tmp_path / "a.hcpe").write_bytes(b"\0" * 38)
    (tmp_path / "b.psv").write_bytes(b"\0" * 40)
    with pytest.raises(ValueError, match="another dtype"):
        komabako.Batches([tmp_path / "a.hcpe", tmp_path / "b.psv"], 1)
    with pytest.raises(FileNotFoundError):
        komabako.memmap(tmp_path / "missing.psv")


def test_wrong_options_of_batches(paths: Any) -> None:
    for wrong in (dict(order="random"), dict(rank=1), dict(rank=-1), dict(prefetch=-1), dict(pool=0), dict(workers=0)):
        with pytest.raises(ValueError):
            komabako.Batches(paths, 4, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        komabako.Batches(paths, 0)
    with pytest.raises(ValueError):
        komabako.Batches([], 4)


def test_a_folder_is_not_mapped(tmp_path: Path) -> None:
    for folder in (tmp_path, ""):
        with pytest.raises(komabako.errors.FormatError, match="is a folder"):
            komabako.memmap(folder)
