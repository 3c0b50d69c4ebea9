"""Reads and writes files in batches, in any format of the program: compressed, game records, or text."""

from __future__ import annotations

import os
import threading
import warnings
from contextlib import nullcontext
from typing import Any, Iterator, List, Literal, NamedTuple, Optional, Sequence, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _native, _stores
from ._buffers import check_array
from ._options import Masks, OnBadRecord, OnError, Raises, checked_size
from ._whole import already_exists
from .dtypes import DTYPES, Dtype, PackedSfenValue, layout_of
from .errors import FormatError, KomabakoError, LeftOutWarning, LossError
from .files import check_regular

PathLike = Union[str, "os.PathLike[str]"]

#: Held while a writer is started, since several threads may write first.
_STARTING = threading.Lock()

#: Formats without a dtype of their own, and the format they are read as. All others are read as psv.
_READ_AS = {"hcpe3": "hcpe"}


class Candidates(NamedTuple):
    """Records of hcpe3, and the moves that a search considered at each."""

    records: Any
    """`HuffmanCodedPosAndEval`[n]"""
    offsets: NDArray[np.int64]
    """i8[n+1]: the candidates of record r are those from ``offsets[r]`` to ``offsets[r + 1]``; none if it is not for training"""
    moves: NDArray[np.uint16]
    """u2[m]: their moves, in Apery's encoding"""
    visits: NDArray[np.uint16]
    """u2[m]: how often the search visited them"""


class RecordFile:
    """A file of records, opened by `komabako.open`. It can be iterated over any number of times."""

    path: str
    """The path or URL, without credentials."""
    format: Optional[str]
    """The program's name for the format; None for game records and empty files."""
    compression: str
    """``"none"``, ``"zstd"``, ``"gzip"``, ``"xz"``, …"""
    why: List[str]
    """The reasons for this detection, one sentence each."""
    records: Optional[int]
    """The number of records if known without reading the file; None for compressed files, games and text."""
    dtype: Dtype
    """The dtype of the batches."""

    def __init__(
        self,
        path: PathLike,
        dtype: Optional[Dtype] = None,
        *,
        format: Optional[str] = None,
        check: bool = True,
        salvage: bool = False,
        missing_score: Optional[int] = None,
        unfinished: str = "skip",
        candidates: bool = False,
        allow_loss: bool = False,
    ) -> None:
        if missing_score is not None and not -32_768 <= missing_score <= 32_767:
            raise ValueError(f"missing_score is a score, or None to leave the positions out, not {missing_score!r}")
        if unfinished not in ("skip", "draw"):
            raise ValueError(f'unfinished is "skip" or "draw", not {unfinished!r}')
        self._url = str(path) if _stores.is_url(path) else None
        self.path = os.fspath(path) if self._url is None else _stores.name_of(self._url)
        if self._url is None:
            check_regular(self.path)
        # It is opened again by each loop, wherever the process is then.
        self._place = os.path.abspath(self.path) if self._url is None else self.path
        self._given, self._check, self._salvage = format, check, salvage
        self._missing_score, self._unfinished = missing_score, unfinished
        self._candidates, self._allow_loss = candidates, allow_loss
        self.format, self.compression, self.why, self.records = _native.detect(self.path, format, self._stream())
        if self._url is not None:
            self.records = self._stored_records(self._url)
        if dtype is None:
            own = self.format or "psv"
            self._read_as = own if own in DTYPES else _READ_AS.get(own, "psv")
            self.dtype = DTYPES[self._read_as]
        else:
            self.dtype = np.dtype(dtype)
            self._read_as = _format_of(self.dtype)
            # hcpe2 has hcpe's dtype: if that is requested, its records stay unchanged.
            if self.format in DTYPES and DTYPES[self.format] == self.dtype:
                self._read_as = self.format
        if candidates:
            if dtype is not None and self.dtype != DTYPES["hcpe"]:
                raise ValueError("candidates=True yields records of hcpe: leave dtype= out")
            self.dtype = DTYPES["hcpe"]
        elif self.format is not None and not allow_loss:
            self._refuse_made_up(_native.made_up(self.format, self._read_as), dtype is not None)

    def _refuse_made_up(self, labels: List[str], is_asked: bool) -> None:
        """Refuse labels that the file lacks, if a dtype with them was asked for; otherwise warn."""
        if not labels:
            return
        if is_asked:
            raise LossError(labels)
        advice = "dtype=komabako.PackedSfen reads positions only, allow_loss=True these without a warning"
        # The caller called `open`, which called the constructor.
        warnings.warn(f"{self.path}: {'; '.join(labels)}; {advice}", LeftOutWarning, stacklevel=4)

    def _stream(self) -> Any:
        """Return a stream of the bytes of a file of an object store, from the start; None for local files."""
        return None if self._url is None else _stores.stream(self._url)

    def _stored_records(self, url: str) -> Optional[int]:
        if self.format is None:
            raise FormatError(
                self.path, "format", f"{self.path}: game records, and files of which nothing says the format, are read from disks only"
            )
        if self.compression != "none" or self.format not in DTYPES:
            return None
        records, rest = divmod(_stores.size(url), DTYPES[self.format].itemsize)
        return None if rest else records

    def __len__(self) -> int:
        """Return the number of records. Raises `TypeError` if it is not known without reading the file."""
        if self.records is None:
            raise TypeError(f"{self.path}: the number of records is not known before the file is read")
        return self.records

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<komabako.RecordFile {self.path!r}: {self.format or 'game records'}>"

    def __iter__(self) -> Iterator[Any]:
        return self.iter_batches()

    def iter_batches(self, size: int = 65_536, *, on_error: str = "raise", threads: int = 0) -> Iterator[Any]:
        """Yield the records in the order of the file, as arrays of ``size`` records, of which the last may be shorter.

        Threads decompress, replay games and convert ahead, with the GIL released. If the file has this dtype's format, its
        records are returned unchanged and unchecked. Otherwise they are converted as by ``komabako convert``: a bad record or
        game raises `FormatError` after the good ones before it, or is skipped with ``on_error="skip"``. ``threads=0`` is one
        thread per CPU. A `LeftOutWarning` at the end counts what was skipped or left out of game records or salvaged files, and records
        that lack a score or a result, which are 0 then.
        """
        size = checked_size(size, "size")
        if on_error not in ("raise", "skip"):
            raise ValueError(f'on_error is "raise" or "skip", not {on_error!r}')
        if self._candidates:
            return self._with_candidates(size, on_error == "skip")
        return self._batches(size, on_error == "skip", _native.threads(threads))

    def _with_candidates(self, size: int, skips_bad: bool) -> Iterator[Candidates]:
        if self._url is not None:
            raise FormatError(self.path, "format", f"{self.path}: candidates are read from disks only")
        reader = _native.CandidateReader(self._place, self._given, skips_bad, self._salvage)
        while True:
            read = reader.next(size)
            if read is None:
                ends, bad = reader.left_out
                self._warn(ends=ends, bad=bad)
                return
            records, offsets, moves, visits = read
            yield Candidates(records.view(DTYPES["hcpe"]), offsets, moves, visits)

    def read(self, *, on_error: OnBadRecord = "raise", threads: int = 0) -> Any:
        """Return all records as one array, which must fit in memory. The arguments are as of `iter_batches`."""
        if self._candidates:
            raise ValueError("candidates are read batch by batch; open the file without candidates=True to read its records")
        batches = list(self.iter_batches(on_error=on_error, threads=threads))
        return np.concatenate(batches) if batches else np.empty(0, self.dtype)

    def __enter__(self) -> "RecordFile":
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is held open between iterations."""

    def _batches(self, size: int, skips_bad: bool, threads: int) -> Iterator[Any]:
        reader = _native.Reader(
            self._place,
            self._given,
            self._read_as,
            skips_bad,
            self._check,
            self._salvage,
            self._missing_score,
            self._unfinished == "draw",
            threads,
            self._stream(),
        )
        try:
            while True:
                batch = np.empty(size, self.dtype)
                read = reader.read_into(batch.view(np.uint8)) // self.dtype.itemsize
                if read == 0:
                    self._warn(**reader.left_out)
                    return
                # A copy, so that a short batch does not hold the memory of a long one.
                yield batch if read == size else batch[:read].copy()
        finally:
            # If the caller leaves the loop early, the reader's thread must end too.
            reader.close()

    def _warn(
        self, positions: int = 0, games: int = 0, ends: int = 0, bad: int = 0, made_up: Sequence[tuple[str, int]] = ()
    ) -> None:
        reasons = []
        if bad:
            reasons.append(f"{bad} bad records or games")
        if positions:
            reasons.append(f"{positions} positions without a score (missing_score=0 keeps them)")
        if games:
            reasons.append(f'{games} games without a result (unfinished="draw" keeps them)')
        if ends:
            reasons.append("the end, which is truncated or damaged")
        texts = [f"left out {' and '.join(reasons)}"] if reasons else []
        if not self._allow_loss:
            texts += [f"{label} ({records} records; allow_loss=True keeps them without a warning)" for label, records in made_up]
        if texts:
            # The caller's loop is three frames up: this one, the generator's.
            warnings.warn(f"{self.path}: {'; '.join(texts)}", LeftOutWarning, stacklevel=3)


def open(
    path: PathLike,
    dtype: Optional[Dtype] = None,
    *,
    format: Optional[str] = None,
    check: bool = True,
    salvage: bool = False,
    missing_score: Optional[int] = None,
    unfinished: Literal["skip", "draw"] = "skip",
    candidates: bool = False,
    allow_loss: bool = False,
) -> RecordFile:
    """Open a file of any format of the program, including compressed files and game records, for reading.

    Parameters
    ----------
    path
        The path, or the URL of a file in an object store, which is read as a stream; game records are read from disks only.
    dtype
        The dtype of the batches. By default it is the dtype of the file's format if there is one, hcpe for hcpe3, and
        `PackedSfenValue` otherwise.
    format
        The program's name for the file's format; by default it is detected.
    check
        Refuse a file, as the program does, if a sample shows that its records do not match its format.
    salvage
        Return the whole records before an end that is truncated or damaged.
    missing_score
        The score of positions of game records without one; None leaves them out.
    unfinished
        ``"draw"``: games without a result count as draws; ``"skip"`` leaves them out.
    candidates
        Yield `Candidates`, the records of hcpe3 with the moves that a search considered.
    allow_loss
        Read a format without scores or results as a ``dtype`` with them, all 0 (a draw).

    Returns
    -------
    RecordFile
        It can be iterated over any number of times, and used in a ``with`` statement.

    Raises
    ------
    FileNotFoundError
        If there is no such file; also a `FormatError`.
    FormatError
        For a file that cannot be read, or a pipe.
    LossError
        If ``dtype`` has scores or results and the file does not.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.psv.zst")
    >>> with komabako.create(path) as out:
    ...     out.write(komabako.Position().record(score=30))
    >>> with komabako.open(path) as file:
    ...     print(file.format, file.compression, file.read()["score"].tolist())
    psv zstd [30]
    """
    return RecordFile(
        path,
        dtype,
        format=format,
        check=check,
        salvage=salvage,
        missing_score=missing_score,
        unfinished=unfinished,
        candidates=candidates,
        allow_loss=allow_loss,
    )


@overload
def policy(
    candidates: Candidates,
    temperature: float = ...,
    label: Literal["dlshogi"] = ...,
    *,
    out: Optional[NDArray[np.float32]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.float32]: ...
@overload
def policy(
    candidates: Candidates,
    temperature: float = ...,
    label: Literal["dlshogi"] = ...,
    *,
    out: Optional[NDArray[np.float32]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]: ...
def policy(
    candidates: Candidates,
    temperature: float = 1.0,
    label: Literal["dlshogi"] = "dlshogi",
    *,
    out: Optional[NDArray[np.float32]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute the policies that candidates give: the shares of their visits.

    Parameters
    ----------
    candidates
        Records with candidates, from ``komabako.open(path, candidates=True)``.
    temperature
        0: the candidate with the most visits; 1: shares of the visits; larger numbers: more even.
    label
        The classes, ``"dlshogi"``: those of `labels`.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(policy, faults)``, and the rows of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        f4[n,2187]. Each row sums to 1, or is zeros for a record without candidates.

    Raises
    ------
    DecodeError
        For a candidate that is not legal, or several without visits.

    Examples
    --------
    >>> import komabako, numpy
    >>> from komabako.streams import Candidates
    >>> moves = komabako.moves_from_usi(["7g7f", "2g2f"], "apery")
    >>> record = komabako.Position().record(format="hcpe")
    >>> made = komabako.policy(Candidates(record, numpy.array([0, 2]), moves, numpy.array([3, 1], "u2")))
    >>> made[0, [59, 14]].tolist()
    [0.75, 0.25]
    """
    if label != "dlshogi":
        raise ValueError(f'label is "dlshogi", not {label!r}')
    records, offsets, moves, visits = candidates
    return _native.policy(
        records,
        _integers("offsets", offsets, np.int64, 0, (1 << 63) - 1),
        # dlshogi's are signed.
        _integers("moves", moves, np.uint16, -(1 << 15), (1 << 16) - 1),
        _integers("visits", visits, np.uint16, 0, (1 << 16) - 1),
        temperature,
        out,
        on_error,
        threads,
    )


def _integers(name: str, given: Any, dtype: Any, least: int, most: int) -> Any:
    """Return an array of integers in another dtype, which holds all of them."""
    check_array(given, name)
    numbers = np.asarray(given)
    is_good = numbers.ndim == 1
    if numbers.size and is_good:
        is_good = numbers.dtype.kind in "iu" and least <= int(numbers.min()) and int(numbers.max()) <= most
    if not is_good:
        raise ValueError(f"{name} are integers from {least} to {most} in an array of one dimension")
    return np.ascontiguousarray(numbers, dtype)


class RecordWriter:
    """A file being written, created by `komabako.create`."""

    def __init__(
        self, path: PathLike, format: Optional[str], *, force: bool, allow_loss: bool, threads: int
    ) -> None:
        self._url = str(path) if _stores.is_url(path) else None
        self.path = os.fspath(path) if self._url is None else _stores.name_of(self._url)
        self._upload: Optional[_stores.Upload] = None
        self._format, self._force, self._allow_loss = format, force, allow_loss
        self._threads = _native.threads(threads)
        self._dtype: Optional[Dtype] = None
        self._writer: Optional[_native.Writer] = None
        self._closed = False
        #: The error for which the file would lack records.
        self._failure: Optional[Exception] = None
        self._check_free()
        # It is opened by the first `write`, wherever the process is then.
        self._place = os.path.abspath(self.path)
        #: The format of the file.
        named = _native.format_of_path(self.path)
        self.format = format if format is not None else named

    def _check_free(self) -> None:
        """Refuse to replace a file without ``force``."""
        if not self._force and (os.path.isfile(self.path) if self._url is None else _stores.exists(self._url)):
            raise already_exists(self.path)

    def _start(self, dtype: Dtype) -> _native.Writer:
        source = _format_of(dtype)
        if self.format in DTYPES and DTYPES[self.format].itemsize == dtype.itemsize:
            if layout_of(DTYPES[self.format]) == layout_of(dtype):
                source = self.format
        self._dtype = dtype
        path = self._place
        if self._url is not None:
            self._upload = _stores.Upload(self._url)
            path = os.fspath(self._upload.path)
        try:
            self._writer = _native.Writer(path, source, self._format, self._force, self._allow_loss, self._threads)
            self._failure = None
        except BaseException:
            if self._upload is not None:
                self._upload.abandon()
            raise
        return self._writer

    def write(self, records: Any) -> None:
        """Write records, converted as by ``komabako convert``. All calls must use the same one of the package's dtypes.

        A bad record raises `FormatError`. The file cannot be finished then: later calls, `close` included, raise the error again.
        """
        if self._closed:
            raise ValueError(f"{self.path}: the file is closed")
        if self._failure is not None and self._writer is not None:
            raise self._failure
        if not isinstance(records, np.ndarray) or records.ndim != 1 or layout_of(records.dtype) is None:
            raise ValueError("records are an array of one dimension of a dtype such as komabako.PackedSfenValue")
        check_array(records, "records")
        with _STARTING:
            if self._writer is not None and layout_of(records.dtype) != layout_of(self._dtype or records.dtype):
                raise ValueError(f"{self.path}: records of another dtype than before: {records.dtype}")
            try:
                writer = self._writer or self._start(records.dtype)
            except Exception as error:
                # Records that were refused before any were written may be followed by others that are not.
                self._failure = error
                raise
        try:
            if len(records):
                writer.write(np.ascontiguousarray(records).view(np.uint8))
        except Exception as error:
            self._failure = error
            raise

    def close(self) -> None:
        """Finish the file and move it to its place. Raises the error of a failed `write` again, and leaves no file.

        If another program has made a file of this name meanwhile, what was written is kept as ``NAME.complete``, which the error says.
        """
        if self._failure is not None:
            self.abandon()
            raise self._failure
        if self._closed:
            return
        # Without any records, create an empty file.
        writer = self._writer or self._start(DTYPES.get(self.format or "psv", PackedSfenValue))
        self._closed = True
        try:
            with self._upload or nullcontext():
                writer.close(True)
                if self._upload is not None:
                    # Another program may have written it meanwhile.
                    self._check_free()
        except Exception as error:
            self._failure = error
            raise

    def abandon(self) -> None:
        """Discard the unfinished file, leaving everything as before `komabako.create`."""
        if not self._closed and self._writer is not None:
            self._writer.close(False)
            if self._upload is not None:
                self._upload.abandon()
        self._closed = True

    def __enter__(self) -> "RecordWriter":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()


def create(
    path: PathLike,
    format: Optional[str] = None,
    *,
    force: bool = False,
    allow_loss: bool = False,
    threads: int = 0,
) -> RecordWriter:
    """Create a file to which batches are written.

    The file appears complete when it is closed; if an exception is raised, or it is not closed, it does not appear.

    Parameters
    ----------
    path
        The path, or the URL of a file in an object store, which is uploaded when it is closed. The extension says format and compression.
    format
        The program's name for the format; by default it follows from the extension.
    force
        Overwrite an existing file.
    allow_loss
        Write records although the format lacks a field of theirs.
    threads
        The number of threads that convert and compress; 0 is one for each CPU.

    Returns
    -------
    RecordWriter
        For a ``with`` statement; ``write(records)`` takes arrays of one dtype.

    Raises
    ------
    FileExistsError
        If the file exists and ``force`` is not set; also a `FormatError`.
    FormatError
        For a name or a format that cannot be written.
    LossError
        At the first ``write``, if the format lacks a field of the records'.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.hcpe.zst")
    >>> with komabako.create(path, allow_loss=True) as out:
    ...     out.write(komabako.Position().record(score=30))
    >>> komabako.open(path).read()["eval"].tolist()
    [30]
    """
    return RecordWriter(path, format, force=force, allow_loss=allow_loss, threads=threads)


def _format_of(dtype: Dtype) -> str:
    layout = layout_of(dtype)
    if layout is None:
        raise KomabakoError(f"records of {dtype} are not of a dtype of this package, such as komabako.PackedSfenValue")
    return layout.format
