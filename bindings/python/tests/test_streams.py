"""Files of any format, read and written in batches."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komabako
from komabako.dtypes import DTYPES

from conftest import ROOT

SAMPLE = ROOT / "data/sample.psv"


def sample() -> Any:
    return np.fromfile(SAMPLE, komabako.PackedSfenValue)


def program(*arguments: Any) -> None:
    command = [sys.executable, "-m", "komabako", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr


def joined(file: Any, size: int = 333, **options: Any) -> Any:
    batches = list(file.iter_batches(size, **options))
    assert all(len(batch) == size for batch in batches[:-1])
    return np.concatenate(batches) if batches else np.empty(0, file.dtype)


@pytest.mark.parametrize("extension", ["", ".zst", ".gz", ".xz"])
def test_compressed_files_are_written_and_read_exactly(tmp_path: Path, extension: str) -> None:
    path, records = tmp_path / f"records.psv{extension}", sample()
    with komabako.create(path) as file:
        for start in range(0, len(records), 700):
            file.write(records[start : start + 700])
        assert not path.exists()
    read = komabako.open(path)
    assert (read.format, read.dtype) == ("psv", komabako.PackedSfenValue)
    assert read.compression != "none" if extension else read.compression == "none"
    assert joined(read).tobytes() == records.tobytes()
    # Read again, with another batch size.
    assert joined(read, 1).tobytes() == records.tobytes()
    other = tmp_path / f"by-the-program.psv{extension}"
    program("cat", SAMPLE, "-o", other)
    assert joined(komabako.open(other)).tobytes() == records.tobytes()


def test_open_reports_format_compression_and_count(tmp_path: Path) -> None:
    file = komabako.open(SAMPLE)
    assert file.records == len(file) == len(sample())
    assert file.why and all(isinstance(reason, str) for reason in file.why)
    path = tmp_path / "records.psv.zst"
    program("cat", SAMPLE, "-o", path)
    packed = komabako.open(path)
    assert packed.records is None and packed
    with pytest.raises(TypeError):
        len(packed)


@pytest.mark.parametrize("format", ["pack", "hcpe3"])
def test_games_are_replayed_like_the_program_does(tmp_path: Path, format: str) -> None:
    games, plain = tmp_path / f"games.{format}", tmp_path / "plain.hcpe"
    program("convert", SAMPLE, games)
    program("convert", games, plain)
    file = komabako.open(games, komabako.HuffmanCodedPosAndEval)
    assert file.format == format
    assert joined(file).tobytes() == plain.read_bytes()
    own = komabako.open(games)
    assert own.dtype == (komabako.HuffmanCodedPosAndEval if format == "hcpe3" else komabako.PackedSfenValue)
    assert len(joined(own)) == len(joined(file)) > 0


def test_game_records_are_converted_like_the_program_does(tmp_path: Path) -> None:
    game, plain = tmp_path / "game.csa", tmp_path / "game.psv"
    game.write_text("V2.2\nPI\n+\n+7776FU\n'** 30 -3334FU\n-3334FU\n'** -20 +2726FU\n+2726FU\n'** 10\n%TORYO\n")
    program("convert", game, plain)
    file = komabako.open(game)
    assert file.format is None and len(joined(file)) > 0
    assert joined(file).tobytes() == plain.read_bytes()


def test_text_and_other_formats_are_converted(tmp_path: Path) -> None:
    for extension in ("tsv", "jsonl", "sfen"):
        text = tmp_path / f"records.{extension}.gz"
        program("convert", SAMPLE, text)
        file = komabako.open(text, allow_loss=True)
        assert file.dtype == komabako.PackedSfenValue and file.records is None
        assert np.array_equal(joined(file)["sfen"], sample()["sfen"])
    path = tmp_path / "records.hcpe.zst"
    with pytest.raises(komabako.errors.LossError), komabako.create(path) as writer:
        writer.write(sample())
    assert not path.exists()
    with komabako.create(path, allow_loss=True) as writer:
        writer.write(sample())
    expected = komabako.recode(sample(), komabako.HuffmanCodedPosAndEval, allow_loss=True)
    assert joined(komabako.open(path)).tobytes() == expected.tobytes()


def test_file_is_complete_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "records.psv.zst"
    with pytest.raises(KeyError), komabako.create(path) as file:
        file.write(sample())
        raise KeyError
    forgotten = komabako.create(path)
    forgotten.write(sample())
    del forgotten
    assert list(tmp_path.iterdir()) == []
    with komabako.create(path):
        pass
    assert len(joined(komabako.open(path))) == 0
    with pytest.raises(komabako.errors.FormatError) as refused:
        komabako.create(path)
    assert refused.value.kind == "exists" and str(path) in str(refused.value)
    with komabako.create(path, force=True) as file:
        file.write(sample()[:5])
    assert len(joined(komabako.open(path))) == 5
    with pytest.raises(ValueError, match="closed"):
        file.write(sample())


@pytest.mark.parametrize("name", ["o.psv", "o.psv.zst", "o.kmb"])
def test_a_file_whose_name_is_taken_meanwhile_is_kept(tmp_path: Path, name: str) -> None:
    path, kept = tmp_path / name, tmp_path / f"{name}.complete"
    writer = komabako.create(path, "psv")
    writer.write(sample())
    # The job, a thread, has looked at the name by then.
    time.sleep(0.5)
    path.write_bytes(b"another")
    with pytest.raises(FileExistsError, match="rename the file that is kept") as first:
        writer.close()
    assert str(kept) in str(first.value)
    with pytest.raises(FileExistsError) as again:
        writer.close()
    assert again.value is first.value
    assert path.read_bytes() == b"another"
    path.unlink()
    kept.rename(path)
    assert joined(komabako.open(path)).tobytes() == sample().tobytes()


def test_names_of_unsupported_compressions_are_refused(tmp_path: Path) -> None:
    for name in ("a.psv.bz2", "a.psv.lz4", "a.psv.ZIP"):
        for format in (None, "psv"):
            with pytest.raises(komabako.errors.FormatError, match=r"\.zst, \.gz or \.xz") as raised:
                komabako.create(tmp_path / name, format)
            assert raised.value.kind == "output_compression" and name in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_bad_records_are_errors_or_skipped(tmp_path: Path) -> None:
    path, records = tmp_path / "records.psv", sample()[:2000]
    records["sfen"][1500] = 255
    records.tofile(path)
    # Records are checked only if they are converted.
    assert len(joined(komabako.open(path))) == 2000
    file = komabako.open(path, komabako.HuffmanCodedPosAndEval)
    seen = 0
    with pytest.raises(komabako.errors.FormatError, match="1,?500"):
        for batch in file.iter_batches(100):
            seen += len(batch)
    assert seen == 1500
    with pytest.warns(komabako.errors.LeftOutWarning, match="left out 1 bad"):
        assert len(joined(file, on_error="skip")) == 1999


@pytest.mark.parametrize("bad", [0, 5_000, 65_536, 100_000])
@pytest.mark.parametrize("extension", ["", ".zst"])
def test_good_records_before_a_bad_one_come_first(tmp_path: Path, bad: int, extension: str) -> None:
    records = np.tile(sample(), 60)
    good = komabako.recode(records[:bad], komabako.HuffmanCodedPosAndEval, allow_loss=True)
    records["sfen"][bad] = 255
    path = tmp_path / f"records.psv{extension}"
    with komabako.create(path) as writer:
        writer.write(records)
    seen = []
    with pytest.raises(komabako.errors.FormatError, match="record"):
        for batch in komabako.open(path, komabako.HuffmanCodedPosAndEval).iter_batches(999, threads=2):
            seen.append(batch)
    assert b"".join(batch.tobytes() for batch in seen) == good.tobytes()


@pytest.mark.parametrize("extension", ["", ".gz"])
def test_the_whole_records_of_a_truncated_file_are_salvaged(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"records.psv{extension}"
    with komabako.create(path) as writer:
        writer.write(sample())
    path.write_bytes(path.read_bytes()[:-1000] if extension else path.read_bytes()[:-7])
    with pytest.raises(komabako.errors.FormatError, match="salvage"):
        list(komabako.open(path))
    with pytest.warns(komabako.errors.LeftOutWarning, match="the end"):
        salvaged = joined(komabako.open(path, salvage=True))
    expected = sample()[: len(salvaged)]
    assert len(salvaged) > 0 and salvaged.tobytes() == expected.tobytes()
    assert extension or len(salvaged) == len(sample()) - 1


def test_candidates_of_a_truncated_file_are_salvaged(tmp_path: Path) -> None:
    path = tmp_path / "games.hcpe3"
    with komabako.create(path, allow_loss=True) as writer:
        writer.write(sample())
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(komabako.errors.FormatError, match="salvage"):
        list(komabako.open(path, candidates=True))
    with pytest.warns(komabako.errors.LeftOutWarning, match="the end"):
        records = komabako.open(path, salvage=True).read()
    with pytest.warns(komabako.errors.LeftOutWarning, match="the end"):
        salvaged = list(komabako.open(path, salvage=True, candidates=True).iter_batches(333))
    assert len(records) > 0 and np.concatenate([batch.records for batch in salvaged]).tobytes() == records.tobytes()
    other = path.rename(tmp_path / "games.bin")
    assert next(iter(komabako.open(other, format="hcpe3", salvage=True, candidates=True))).records[:9].tobytes() == records[:9].tobytes()


def test_good_games_before_a_bad_one_come_first(tmp_path: Path) -> None:
    good = "V2.2\nPI\n+\n+7776FU\n'** 30\n-3334FU\n'** -20\n%TORYO\n"
    path = tmp_path / "games.csa"
    path.write_text("/\n".join([good, "V2.2\nPI\n+\n+7775FU\n%TORYO\n", good]))
    file, seen = komabako.open(path), 0
    with pytest.raises(komabako.errors.FormatError):
        for batch in file.iter_batches(10):
            seen += len(batch)
    assert seen == 2
    with pytest.warns(komabako.errors.LeftOutWarning, match="left out 1 bad"):
        assert len(joined(file, on_error="skip")) == 4


def test_positions_and_games_left_out_are_named_and_can_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n", encoding="utf-8")
    with pytest.warns(komabako.errors.LeftOutWarning, match="2 positions without a score .*missing_score"):
        assert len(joined(komabako.open(path))) == 0
    kept = joined(komabako.open(path, missing_score=-7))
    assert kept["score"].tolist() == [-7, -7] and kept["game_result"].tolist() == [-1, 1]
    path.write_text("手合割：平手\n   1 ７六歩(77)\n", encoding="utf-8")
    with pytest.warns(komabako.errors.LeftOutWarning, match="1 games without a result .*unfinished"):
        assert len(joined(komabako.open(path, missing_score=0))) == 0
    drawn = joined(komabako.open(path, missing_score=0, unfinished="draw"))
    assert drawn["game_result"].tolist() == [0]
    for wrong in ({"missing_score": 40_000}, {"unfinished": "win"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            komabako.open(path, **wrong)  # type: ignore[arg-type]


def test_a_file_that_lacks_records_is_not_finished(tmp_path: Path) -> None:
    path, bad = tmp_path / "records.hcpe", sample()
    bad["sfen"][10] = 255
    writer = komabako.create(path, allow_loss=True)
    with pytest.raises(komabako.errors.FormatError, match="record 10 ") as first:
        for _ in range(100):
            writer.write(bad)
    for again in (lambda: writer.write(sample()), writer.close):
        with pytest.raises(komabako.errors.FormatError) as raised:
            again()
        assert raised.value is first.value
    assert not path.exists()
    with pytest.raises(komabako.errors.FormatError), komabako.create(path, allow_loss=True) as writer:
        with pytest.raises(komabako.errors.FormatError):
            for _ in range(100):
                writer.write(bad)
    assert list(tmp_path.iterdir()) == []

    # Records that were refused are not replaced by an empty file either.
    path.write_bytes(b"precious")
    with pytest.raises(komabako.errors.LossError), komabako.create(path, force=True) as writer:
        with pytest.raises(komabako.errors.LossError):
            writer.write(sample())
    assert path.read_bytes() == b"precious"
    with komabako.create(path, force=True) as writer:
        with pytest.raises(komabako.errors.LossError):
            writer.write(sample())
        writer.write(komabako.recode(sample(), komabako.HuffmanCodedPosAndEval, allow_loss=True))
    assert len(joined(komabako.open(path))) == len(sample())


def test_records_do_not_vanish_where_no_thread_starts(tmp_path: Path) -> None:
    code = """
        import sys
        import numpy as np
        import komabako

        records = np.fromfile(sys.argv[1], komabako.PackedSfenValue)
        # The calling thread does all the work.
        assert not komabako.validate(records, threads=8).any()
        try:
            list(komabako.open(sys.argv[1], komabako.HuffmanCodedPosAndEval).iter_batches(1000))
        except komabako.errors.FormatError as error:
            assert error.kind == "thread", error
        else:
            raise AssertionError
        try:
            with komabako.create(sys.argv[2]) as writer:
                writer.write(records)
        except komabako.errors.FormatError as error:
            assert error.kind == "thread", error
        else:
            raise AssertionError
    """
    written = tmp_path / "records.psv"
    # No stack of this size fits into the address space.
    environment = {**os.environ, "RUST_MIN_STACK": str(1 << 47)}
    command = [sys.executable, "-c", textwrap.dedent(code), str(SAMPLE), str(written)]
    subprocess.run(command, env=environment, timeout=120, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("raised", [KeyboardInterrupt, OSError])
def test_errors_of_streams_keep_their_cause(raised: type, monkeypatch: Any) -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise raised("broken")

    monkeypatch.setattr(komabako._stores, "stream", lambda url: Broken())
    expected = komabako.errors.FormatError if issubclass(raised, Exception) else raised
    with pytest.raises(expected) as error:
        komabako.open("s3://bucket/records.psv")
    assert isinstance(error.value.__cause__ or error.value, raised)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
def test_ctrl_c_ends_close(tmp_path: Path) -> None:
    class Stopped(BaseException):
        pass

    def stop(*_: Any) -> None:
        raise Stopped

    path = tmp_path / "records.psv.xz"
    writer = komabako.create(path, threads=1)
    # Random bytes take seconds to compress.
    writer.write(np.frombuffer(np.random.default_rng(1).bytes(40 << 20), komabako.PackedSfenValue))
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Stopped):
            writer.close()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert list(tmp_path.iterdir()) == []


def test_wrong_arguments_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(komabako.errors.FormatError) as missing:
        komabako.open(tmp_path / "no.psv")
    assert missing.value.kind == "open"
    with pytest.raises(ValueError, match="no-such"):
        komabako.open(SAMPLE, format="no-such")
    with pytest.raises(komabako.errors.KomabakoError):
        komabako.open(SAMPLE, np.dtype("u1"))
    with pytest.raises(ValueError, match="hcpe"):
        komabako.open(SAMPLE, komabako.PackedSfenValue, candidates=True)
    file = komabako.open(SAMPLE)
    assert len(next(file.iter_batches(np.int64(5)))) == 5  # type: ignore[arg-type]
    for size in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="size"):
            file.iter_batches(size)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="on_error"):
        file.iter_batches(10, on_error="mask")
    with komabako.create(tmp_path / "a.psv") as writer:
        for wrong in (np.zeros(3, "u1"), np.zeros((2, 2), komabako.PackedSfenValue), b"0" * 40):
            with pytest.raises(ValueError):
                writer.write(wrong)
        writer.write(sample()[:3])
        with pytest.raises(ValueError, match="another dtype"):
            writer.write(np.zeros(3, komabako.HuffmanCodedPos))


def test_labels_that_a_file_lacks_are_not_made_up_silently(tmp_path: Path) -> None:
    words = tmp_path / "words.hcp"
    komabako.recode(sample(), komabako.HuffmanCodedPos, allow_loss=True).tofile(words)
    with pytest.raises(komabako.errors.LossError) as lost:
        komabako.open(words, komabako.PackedSfenValue)
    assert [text.split(":")[0] for text in lost.value.losses] == ["score", "result"]
    assert not joined(komabako.open(words, komabako.PackedSfenValue, allow_loss=True))["score"].any()
    assert len(joined(komabako.open(words, komabako.PackedSfen))) == len(sample())
    texts = tmp_path / "texts.sfen"
    texts.write_text("startpos\n")
    with pytest.warns(komabako.errors.LeftOutWarning, match="score: the source has none.*PackedSfen") as warned:
        file = komabako.open(texts)
    assert warned[0].filename == __file__ and len(file.read()) == 1
    # Only some records lack it.
    lines = tmp_path / "records.jsonl"
    program("convert", SAMPLE, lines)
    with lines.open("a") as more:
        more.write('{"sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"}\n')
    with pytest.warns(komabako.errors.LeftOutWarning, match=r"score: .* \(1 records"):
        assert len(komabako.open(lines).read()) == len(sample()) + 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "records.psv"
    os.mkfifo(path)
    functions: Any = (
        komabako.open,
        komabako.memmap,
        komabako.splits.splits,
        lambda path: komabako.Batches(path, 10),
        lambda path: komabako.Batches(path, 10, order="riffle"),
    )
    for function in functions:
        with pytest.raises(komabako.errors.FormatError, match="pipe"):
            function(path)


def test_relative_paths_stay_where_they_were(tmp_path: Path, monkeypatch: Any) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    writer = komabako.create("a.psv")
    monkeypatch.chdir(elsewhere)
    writer.write(sample())
    writer.close()
    assert (tmp_path / "a.psv").exists()
    monkeypatch.chdir(tmp_path)
    file = komabako.open("a.psv")
    monkeypatch.chdir(elsewhere)
    assert len(file.read()) == len(sample()) and list(elsewhere.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="other permissions and links there")
def test_replaced_files_keep_links_and_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "a.psv", tmp_path / "link.psv"
    file.write_bytes(b"")
    file.chmod(0o600)
    link.symlink_to(file)
    with komabako.create(link, force=True) as writer:
        writer.write(sample())
    assert link.is_symlink() and file.stat().st_size and file.stat().st_mode & 0o777 == 0o600


def test_threads_may_write_first(tmp_path: Path) -> None:
    path, interval, records = tmp_path / "a.psv", sys.getswitchinterval(), sample()[:100]
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(30):
            writer, together = komabako.create(path, force=True), threading.Barrier(4)
            threads = [threading.Thread(target=lambda: (together.wait(), writer.write(records))) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            writer.close()
            assert len(komabako.memmap(path)) == 400
    finally:
        sys.setswitchinterval(interval)


def test_a_url_is_not_replaced(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.psv"
    writer = komabako.create(path.as_uri())
    writer.write(sample())
    path.write_bytes(b"another")
    with pytest.raises(FileExistsError):
        writer.close()
    with pytest.raises(FileExistsError):
        komabako.create(path.as_uri())
    assert path.read_bytes() == b"another"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_ctrl_c_ends_a_write_that_waits(tmp_path: Path) -> None:
    # Nothing reads the pipe.
    os.mkfifo(tmp_path / "a.psv")
    code = f"""if True:
        import _thread, threading, numpy, komabako
        writer = komabako.create({str(tmp_path / "a.psv")!r}, force=True)
        threading.Timer(0.5, _thread.interrupt_main).start()
        try:
            while True:
                writer.write(numpy.zeros(100_000, komabako.PackedSfenValue))
        except KeyboardInterrupt:
            print("interrupted")
        """
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "interrupted\n", ran.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_readers_and_writers_of_a_process_before_a_fork_are_an_error(tmp_path: Path) -> None:
    np.tile(sample(), 100).tofile(tmp_path / "large.psv")
    batches = komabako.open(tmp_path / "large.psv").iter_batches(10)
    next(batches)
    writer = komabako.create(tmp_path / "a.psv")
    writer.write(sample())
    uses: Any = (lambda: list(batches), lambda: writer.write(sample()), writer.close)
    for use in uses:
        child = os.fork()
        if child == 0:
            try:
                use()
            except RuntimeError as error:
                os._exit(7 if "before a fork" in str(error) else 8)
            os._exit(9)
        assert os.waitpid(child, 0)[1] >> 8 == 7
    batches.close()
    writer.close()
    assert (tmp_path / "a.psv").read_bytes() == sample().tobytes()


def test_leaving_the_loop_ends_the_job() -> None:
    before = threading.active_count()
    for _ in range(20):
        for batch in komabako.open(SAMPLE).iter_batches(7):
            assert len(batch) == 7
            break
    assert threading.active_count() == before


@pytest.mark.parametrize("format", sorted(DTYPES))
def test_every_dtype_is_read_unchanged(tmp_path: Path, format: str) -> None:
    path = tmp_path / "records"
    program("convert", SAMPLE, path, "--to", format, "--on-error", "skip")
    file = komabako.open(path, format=format)
    assert file.dtype == DTYPES[format]
    assert joined(file).tobytes() == path.read_bytes() != b""


@pytest.mark.parametrize("format", sorted(DTYPES))
def test_every_dtype_is_written_and_read_back(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"records.{format}.zst"
    records = np.resize(encoded(sample(), format), 3_000)
    with komabako.create(path, format) as writer:
        for start in range(0, len(records), 1_100):
            writer.write(records[start : start + 1_100])
    read = joined(komabako.open(path, format=format))
    assert read.dtype == DTYPES[format] and read.tobytes() == records.tobytes()


def encoded(records: Any, format: str) -> Any:
    """Records of a format, from those of PSV."""
    made = komabako.recode(records, DTYPES[format], allow_loss=True)
    assert len(made) == len(records)
    return made


@pytest.mark.parametrize("format", ["pack", "hcpe3", "tsv", "jsonl", "sfen"])
def test_formats_without_a_dtype_are_written(tmp_path: Path, format: str) -> None:
    path, expected = tmp_path / f"records.{format}", tmp_path / f"by-the-program.{format}"
    with komabako.create(path, allow_loss=True) as writer:
        writer.write(sample())
    program("convert", SAMPLE, expected)
    assert path.read_bytes() == expected.read_bytes() != b""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not report a process's own memory")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "large.psv.zst"
    with komabako.create(path) as writer:
        for _ in range(100):
            writer.write(np.tile(sample(), 20))
    code = """
        import sys
        from pathlib import Path
        import komabako

        def own_memory():
            fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
            return int(fields["RssAnon"].split()[0]) * 1024

        batches = komabako.open(sys.argv[1]).iter_batches(65_536, threads=2)
        before, most, count = own_memory(), 0, 0
        for batch in batches:
            count += len(batch)
            most = max(most, own_memory())
        print(count, most - before)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    count, grown = map(int, ran.stdout.split())
    # The records take 160 MB. The bar is 64 MB beside the batch in hand, of which a second one is being made.
    assert count == 4_000_000 and grown < 64e6 + 2 * 65_536 * 40
