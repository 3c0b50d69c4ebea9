"""Recipes with other engines on our columns. Skipped if they are not installed; `cargo xtask python --all` installs them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import komabako

from conftest import engine

pa = pytest.importorskip("pyarrow")

from komabako.arrow import write_parquet  # noqa: E402


@pytest.fixture(scope="module")
def doubled(psv: Any) -> Any:
    """Shuffled records, most of them twice with different scores."""
    twice = np.concatenate([psv, psv[:1_500]])
    twice["score"][len(psv) :] += 1
    return twice[np.random.default_rng(1).permutation(len(twice))]


@pytest.fixture(scope="module")
def keyed(doubled: Any) -> Any:
    """The keys of the positions, as columns that every engine can compare, and the number of each record."""
    keys = komabako.key128(doubled).view(np.int64)
    return pa.table({"k0": keys[:, 0], "k1": keys[:, 1], "record": np.arange(len(doubled))})


@pytest.fixture(scope="module")
def firsts(doubled: Any) -> Any:
    """The first record of each position."""
    return sorted(np.unique(komabako.records.canonical(doubled), axis=0, return_index=True)[1].tolist())


def test_duckdb_drops_duplicates(keyed: Any, firsts: Any) -> None:
    duckdb = engine("duckdb")
    kept = duckdb.sql("select min(record) from keyed group by k0, k1 order by 1").fetchall()
    assert [record for (record,) in kept] == firsts


def test_polars_drops_duplicates(keyed: Any, firsts: Any) -> None:
    polars = engine("polars")
    frame = polars.from_arrow(keyed).unique(["k0", "k1"], keep="first", maintain_order=True)
    assert frame["record"].to_list() == firsts


def test_duckdb_queries_a_published_file(psv: Any, tmp_path: Any) -> None:
    duckdb = engine("duckdb")
    write_parquet(psv, tmp_path / "a.parquet", "text")
    query = f"select result, count(*), avg(score) from '{tmp_path / 'a.parquet'}' group by result"
    counts = {result: count for result, count, _ in duckdb.sql(query).fetchall()}
    assert counts.get("win", 0) == (psv["game_result"] == 1).sum()
    drops = duckdb.sql(f"select count(*) from '{tmp_path / 'a.parquet'}' where move like '_*__'").fetchall()[0][0]
    assert drops == sum("*" in move for move in komabako.moves_to_usi(psv["move"]))


def test_duckdb_queries_squares(psv: Any, tmp_path: Any) -> None:
    duckdb = engine("duckdb")
    write_parquet(psv, tmp_path / "a.parquet", "board")
    # Black's rook (6) on 2h: file 2, rank h, so square 9 + 7, counted from 0.
    query = f"select count(*) from '{tmp_path / 'a.parquet'}' where hex(board)[2 * 16 + 1 : 2 * 16 + 2] = '06'"
    assert duckdb.sql(query).fetchall()[0][0] == (komabako.decode_board(psv).board[:, 16] == 6).sum()


def test_polars_reads_a_published_file(psv: Any, tmp_path: Any) -> None:
    polars = engine("polars")
    write_parquet(psv, tmp_path / "a.parquet", "text")
    frame = polars.read_parquet(tmp_path / "a.parquet")
    assert frame["sfen"].to_list() == komabako.to_sfen(psv)
    assert frame["ply"].sum() == int(psv["gamePly"].astype(int).sum())


def test_torch_trains_on_batches(psv: Any) -> None:
    torch = engine("torch")
    from conftest import ROOT
    from komabako.torch import Dataset, unpack_bits

    def transform(records: Any) -> Any:
        return (*komabako.features.dlshogi(records, "bits"), komabako.targets(records).value)

    batches = komabako.Batches(ROOT / "data/sample.psv", 500, seed=1, transform=transform)
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(119 * 81, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    losses = []
    for _ in range(4):
        loader = torch.utils.data.DataLoader(Dataset(batches), batch_size=None)
        for first, second, value in loader:
            planes = torch.cat([unpack_bits(first, 62), unpack_bits(second, 57)], 1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(net(planes)[:, 0], value)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.01
    planes = komabako.features.dlshogi(psv[:9])
    bits = komabako.features.dlshogi(psv[:9], "bits")
    assert (unpack_bits(torch.from_numpy(bits.features1), 62).numpy() == planes.features1).all()
    assert (unpack_bits(torch.from_numpy(bits.features2), 57).numpy() == planes.features2).all()


@pytest.mark.parametrize(("example", "amount", "least"), [("train.py", "5", 0.2), ("train_nnue.py", "4", 0.1)])
def test_the_examples_train(example: str, amount: str, least: float) -> None:
    engine("torch")
    import re
    import subprocess
    import sys

    from conftest import ROOT

    program = ROOT / "bindings/python/examples" / example
    done = subprocess.run(
        [sys.executable, str(program), str(ROOT / "data/sample.psv"), amount], capture_output=True, text=True, check=True
    )
    losses = re.search(r"loss ([\d.]+) -> ([\d.]+)", done.stdout)
    assert losses and float(losses[2]) < float(losses[1]) - least, done.stdout


@pytest.mark.parametrize(("example", "files", "most"), [("resnet.py", 2, 45), ("halfka.py", 1, 25)])
def test_the_short_examples_train(example: str, files: int, most: int, psv: Any, tmp_path: Any) -> None:
    from conftest import ROOT

    program = ROOT / "bindings/python/examples" / example
    lines = [line for line in program.read_text(encoding="utf-8").splitlines() if line]
    assert len(lines) <= most
    compile("\n".join(lines), example, "exec")
    paths = []
    for index in range(files):
        path = tmp_path / (f"{index}.hcpe3" if example == "resnet.py" else f"{index}.psv")
        with komabako.create(path, allow_loss=True) as out:
            out.write(psv[index * 1_000 :])
        paths.append(str(path))
    engine("torch")
    import re
    import subprocess
    import sys

    done = subprocess.run([sys.executable, str(program), *paths], capture_output=True, text=True, check=True)
    losses = re.search(r"loss ([\d.]+) -> ([\d.]+)", done.stdout)
    assert losses and float(losses[2]) < float(losses[1]), done.stdout


@pytest.mark.parametrize("workers", [0, 2])
def test_workers_of_a_loader_share_the_records(psv: Any, workers: int) -> None:
    torch = engine("torch")
    from conftest import ROOT
    from komabako.torch import Dataset

    batches = komabako.Batches(ROOT / "data/sample.psv", 300, seed=1, transform=komabako.key64)
    loader = torch.utils.data.DataLoader(Dataset(batches), batch_size=None, num_workers=workers)
    keys = np.concatenate([np.asarray(batch) for batch in loader])
    assert sorted(keys.tolist()) == sorted(komabako.key64(psv).tolist())


@pytest.mark.parametrize("order", ["riffle", "shuffle"])
@pytest.mark.parametrize("options", [{}, {"num_workers": 1}, {"num_workers": 2}, {"num_workers": 2, "persistent_workers": True}])
def test_a_stateful_loader_resumes_in_mid_epoch(order: Any, options: Any) -> None:
    engine("torch")
    stateful = engine("torchdata.stateful_dataloader")
    from conftest import ROOT
    from komabako.torch import Dataset

    def made() -> Any:
        more: Any = {"block": 100, "streams": 4} if order == "riffle" else {}
        batches = komabako.Batches(ROOT / "data/sample.psv", 48, order=order, seed=2, transform=komabako.key64, **more)
        return stateful.StatefulDataLoader(Dataset(batches), batch_size=None, **options)

    whole = made()
    epochs = [[np.asarray(batch).tolist() for batch in whole] for _ in range(3)]
    assert len({str(epoch) for epoch in epochs}) == 3
    stopped = made()
    for _ in stopped:
        pass
    iterator = iter(stopped)
    begun = [np.asarray(next(iterator)).tolist() for _ in range(11)]
    resumed = made()
    resumed.load_state_dict(stopped.state_dict())
    assert begun + [np.asarray(batch).tolist() for batch in resumed] == epochs[1]
    assert [np.asarray(batch).tolist() for batch in resumed] == epochs[2]


def train_on_a_rank(rank: int, world: int, directory: str) -> None:
    """A process of a training on several: it writes the keys of its records of two epochs."""
    import torch
    from conftest import ROOT

    torch.distributed.init_process_group("gloo", init_method=f"file://{directory}/store", rank=rank, world_size=world)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(32, 1))
    batches = komabako.Batches(ROOT / "data/sample.psv", 96, seed=3, rank=rank, world=world, drop_last=True)
    keys: Any = []
    for _ in range(2):
        keys.append([])
        for records in batches:
            net(torch.from_numpy(records["sfen"].astype(np.float32))).sum().backward()
            keys[-1] += komabako.key64(records).tolist()
    np.save(f"{directory}/{rank}.npy", np.array(keys, np.uint64))
    torch.distributed.destroy_process_group()


def test_ranks_of_torch_share_the_records(psv: Any, tmp_path: Any) -> None:
    torch = engine("torch")
    torch.multiprocessing.spawn(train_on_a_rank, (2, str(tmp_path)), nprocs=2)
    ranks = [np.load(tmp_path / f"{rank}.npy") for rank in range(2)]
    epochs = np.concatenate(ranks, axis=1)
    known = set(komabako.key64(psv).tolist())
    for epoch in epochs:
        # 2 ranks of 10 batches of 96 records.
        assert len(epoch) == len(set(epoch.tolist())) == 1_920 and set(epoch.tolist()) <= known
    assert (epochs[0] != epochs[1]).any()


def test_bits_are_expanded_by_jax(psv: Any) -> None:
    # The last test of this file: JAX has threads, which do not survive the forks of PyTorch's loaders.
    jax = engine("jax")
    from komabako.jax import unpack_bits

    floats = komabako.features.dlshogi(psv[:40], nyugyoku=True)
    bits = komabako.features.dlshogi(psv[:40], "bits", nyugyoku=True)
    for expand in (unpack_bits, jax.jit(unpack_bits, static_argnums=1)):
        for packed, planes, expected in ((bits.features1, 62, floats.features1), (bits.features2, 119, floats.features2)):
            made = expand(packed, planes)
            assert made.dtype == np.float32 and made.shape == expected.shape
            assert (np.asarray(made) == expected).all()
    assert unpack_bits(bits.features1[:0], 62).shape == (0, 62, 9, 9)
