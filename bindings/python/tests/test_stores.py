"""Files in an object store: moto's S3 server, started here, accessed with pyarrow and with fsspec."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import komabako
from komabako import PackedSfenValue, _stores
from komabako.errors import FormatError

from conftest import ROOT, Cluster, engine


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an S3 server, with credentials for it in the environment."""
    engine("moto")
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        }.items():
            patch.setenv(name, value)
        boto3 = importlib.import_module("boto3")
        client = boto3.client("s3")
        client.create_bucket(Bucket="games")
        yield f"{host}:{port}"
    running.stop()


@pytest.fixture(params=["pyarrow", "fsspec"])
def library(request: Any, monkeypatch: Any) -> str:
    """The library to use, one of two."""
    name: str = request.param
    engine("pyarrow" if name == "pyarrow" else "s3fs")
    if name == "fsspec":
        monkeypatch.setattr(_stores, "_Arrow", _not_installed)
    _stores._found.cache_clear()
    return name


def _not_installed(url: str) -> Any:
    raise ImportError("as if it were not installed")


@pytest.fixture
def bucket(server: str, library: str) -> str:
    """A directory of its own for each test. The endpoint is in the environment; pyarrow also gets it from the URL."""
    del server
    return f"s3://games/{library}-{os.urandom(4).hex()}"


def put(source: Path, url: str) -> str:
    with _stores.Upload(url) as local:
        shutil.copy(source, local)
    return url


def stored(url: str) -> bytes:
    data: bytes = _stores.stream(url).read(1 << 30)
    return data


def test_files_of_any_format_are_read_as_streams(bucket: str, psv: Any, tmp_path: Any) -> None:
    many = np.tile(psv, 40)
    with komabako.create(tmp_path / "a.psv.zst") as out:
        out.write(many)
    for name, source in {
        "a.psv.zst": tmp_path / "a.psv.zst",
        "a.hcpe": ROOT / "data/sample.hcpe",
        "a.psv": ROOT / "data/sample.psv",
    }.items():
        url = put(source, f"{bucket}/{name}")
        here, there = komabako.open(source), komabako.open(url)
        assert (there.format, there.compression, there.records) == (here.format, here.compression, here.records)
        assert there.path == url
        for _ in range(2):
            read = np.concatenate(list(there.iter_batches(30_001)))
            assert (read == np.concatenate(list(here.iter_batches()))).all() and len(read)
    # Converts, and leaves the loop early.
    batches = komabako.open(f"{bucket}/a.psv.zst", komabako.HuffmanCodedPosAndEval).iter_batches(100)
    assert (next(batches) == komabako.recode(psv[:100], komabako.HuffmanCodedPosAndEval, allow_loss=True)).all()
    batches.close()


def test_files_appear_when_they_are_closed(bucket: str, psv: Any) -> None:
    url = f"{bucket}/out.psv.zst"
    out = komabako.create(url)
    out.write(psv)
    assert not _stores.exists(url)
    out.close()
    assert (np.concatenate(list(komabako.open(url))) == psv).all()
    assert stored(url)[:4] == b"\x28\xb5\x2f\xfd"
    with pytest.raises(FileExistsError) as raised:
        komabako.create(url)
    assert isinstance(raised.value, FormatError) and raised.value.kind == "exists"
    with komabako.create(url, force=True) as out:
        out.write(psv[:3])
    assert len(np.concatenate(list(komabako.open(url)))) == 3


def test_failed_upload_leaves_no_object(bucket: str, psv: Any, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(RuntimeError, match="as asked"):
        with komabako.create(f"{bucket}/a.psv") as out:
            out.write(psv)
            raise RuntimeError("as asked")
    with pytest.raises(komabako.errors.LossError):
        with komabako.create(f"{bucket}/a.psv", "hcpe") as out:
            out.write(psv)
    bad = psv.copy()
    bad["sfen"][7] = 0xFF
    with pytest.raises(FormatError):
        with komabako.create(f"{bucket}/a.psv", "hcpe", allow_loss=True) as out:
            out.write(bad)
    assert not _stores.exists(f"{bucket}/a.psv") and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "failure, text", [(OSError("the network is gone"), "the network is gone"), (KeyboardInterrupt(), "interrupted")]
)
def test_a_file_whose_upload_fails_is_kept(
    bucket: str, psv: Any, tmp_path: Any, monkeypatch: Any, failure: BaseException, text: str
) -> None:
    def fails(self: Any, source: str) -> None:
        raise failure

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(type(_stores._file(bucket)), "put", fails)
    with pytest.raises((FormatError, KeyboardInterrupt), match=text) as raised:
        with komabako.create(f"{bucket}/a.psv") as out:
            out.write(psv)
    (kept,) = tmp_path.glob("*/*")
    assert isinstance(raised.value, KeyboardInterrupt) == isinstance(failure, KeyboardInterrupt)
    assert str(kept) in str(raised.value)
    assert kept.name == "a.psv" and kept.read_bytes() == psv.tobytes()


def test_a_large_file_is_uploaded_in_parts(bucket: str, psv: Any) -> None:
    many = np.tile(psv, 400)
    with komabako.create(f"{bucket}/large.psv") as out:
        out.write(many)
    assert stored(f"{bucket}/large.psv") == many.tobytes() and many.nbytes > 30_000_000


def test_batches_of_ranges(bucket: str, psv: Any, tmp_path: Any) -> None:
    many = np.zeros(150_000, PackedSfenValue)
    many["sfen"] = psv["sfen"][0]
    many["score"], many["gamePly"] = np.arange(150_000) % 30_000, np.arange(150_000) // 30_000
    many[:100_000].tofile(tmp_path / "a.psv")
    many[100_000:].tofile(tmp_path / "b.psv")
    here = [tmp_path / "a.psv", tmp_path / "b.psv"]
    there = [put(path, f"{bucket}/{path.name}") for path in here]
    for order in ("file", "blocks"):
        options: Any = dict(order=order, seed=3, rank=1, world=2, pool=2)
        pairs = zip(komabako.Batches(here, 4_096, **options), komabako.Batches(there, 4_096, **options))
        assert all((local == remote).all() for local, remote in pairs)
    with pytest.raises(ValueError, match="blocks"):
        komabako.Batches(there, 4_096)
    assert [split[1:] for split in komabako.splits.splits(there, 60_000)] == [(0, 60_000), (60_000, 40_000), (0, 50_000)]
    assert (komabako.splits.read_split(komabako.splits.splits(there, 60_000)[1]) == many[60_000:100_000]).all()


def test_formats_without_random_access_are_refused(bucket: str) -> None:
    sample = ROOT / "data/sample.psv"
    for name, kind in {"a.psv.zst": "format", "a.any": "format", "a.hcpe": "tail"}.items():
        with pytest.raises(FormatError) as raised:
            komabako.splits.splits(put(sample, f"{bucket}/{name}"))
        assert raised.value.kind == kind and raised.value.path == f"{bucket}/{name}"
    with pytest.raises(FormatError, match="mapped"):
        komabako.memmap(f"{bucket}/a.psv")
    with pytest.raises(FormatError, match="game records"):
        komabako.open(put(sample, f"{bucket}/a.kif"))
    with pytest.raises(FileNotFoundError):
        komabako.splits.splits(f"{bucket}/missing.psv")
    with pytest.raises(OSError):
        komabako.open(f"{bucket}/missing.psv")
    with pytest.raises(FormatError, match="no-such-store"):
        komabako.open("no-such-store://games/a.psv")


def test_parquet_is_written_and_read(bucket: str, psv: Any) -> None:
    from komabako.arrow import from_arrow, iter_parquet, read_parquet, write_parquet

    inputs = [put(ROOT / "data/sample.psv", f"{bucket}/a.psv"), psv[:10]]
    assert write_parquet(inputs, f"{bucket}/a.parquet", "text", rows=700) == 2_010
    assert (from_arrow(read_parquet(f"{bucket}/a.parquet")) == np.concatenate([psv, psv[:10]])).all()
    assert sum(map(len, iter_parquet(f"{bucket}/a.parquet"))) == 2_010
    assert read_parquet(f"{bucket}/a.parquet", ["score"]).column_names == ["score"]
    with pytest.raises(FormatError):
        write_parquet(psv, f"{bucket}/a.parquet")
    with pytest.raises(komabako.errors.DecodeError):
        bad = psv.copy()
        bad["sfen"] = 0xFF
        write_parquet(bad, f"{bucket}/b.parquet")
    assert not _stores.exists(f"{bucket}/b.parquet")

    def overtaken() -> Iterator[Any]:
        yield psv
        # Another program writes the file meanwhile.
        put(ROOT / "data/sample.psv", f"{bucket}/c.parquet")

    with pytest.raises(FormatError) as raised:
        write_parquet(overtaken(), f"{bucket}/c.parquet")
    assert raised.value.kind == "exists" and stored(f"{bucket}/c.parquet") == (ROOT / "data/sample.psv").read_bytes()
    assert sorted(_stores.names(bucket)) == ["a.parquet", "a.psv", "c.parquet"] and _stores.names(f"{bucket}/none") == []


def test_the_program_reads_a_stream(bucket: str) -> None:
    url = put(ROOT / "data/sample.hcpe", f"{bucket}/a.hcpe")
    command = [sys.executable, "-m", "komabako", "stats", "--json", "--from", "hcpe", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stdout is not None
        shutil.copyfileobj(_stores.stream(url), running.stdin)
        running.stdin.close()
        assert b'"records"' in running.stdout.read()
        assert running.wait(60) == 0


def test_names_hide_credentials() -> None:
    url = "s3://key:secret@games/a/b.psv?endpoint_override=127.0.0.1"
    assert _stores.name_of(url) == "s3://games/a/b.psv"
    assert _stores.joined(url, "c.psv") == "s3://key:secret@games/a/b.psv/c.psv?endpoint_override=127.0.0.1"


def test_a_cluster_reads_and_writes_a_store(server: str, cluster: Cluster, psv: Any) -> None:
    engine("pyarrow")
    _stores._found.cache_clear()
    # The URL contains everything that workers in other processes need.
    place = f"endpoint_override={server}&scheme=http&region=us-east-1"
    base = f"s3://test:test@games/{cluster.module.__name__}-{os.urandom(4).hex()}"
    url = put(ROOT / "data/sample.psv", f"{base}/a.psv?{place}")
    records = cluster.records([url], 700)
    found = cluster.module.validate(records, PackedSfenValue)
    assert found == {komabako.errors.Fault.GOOD: len(psv)}
    paths = cluster.module.write(cluster.module.shuffle(records, 7, parts=3), f"{base}/out?{place}", PackedSfenValue)
    assert len(paths) == 3
    with pytest.raises(FormatError, match="part-00000.psv already"):
        cluster.module.write(records, f"{base}/out?{place}", PackedSfenValue)
    joined = b"".join(stored(path) for path in paths)
    with tempfile.TemporaryDirectory() as directory:
        expected = Path(directory) / "out.psv"
        command = [sys.executable, "-m", "komabako", "shuffle", str(ROOT / "data/sample.psv"), str(expected), "--seed", "7"]
        subprocess.run(command, capture_output=True, check=True)
        assert joined == expected.read_bytes()
