"""Reads and writes files in batches, in any format of the program: compressed, game records, or text."""

from __future__ import annotations

import os
import warnings
from contextlib import nullcontext
from typing import Any, Iterator, List, Optional, Union

import numpy as np

from . import _native, _stores
from .dtypes import DTYPES, Dtype, PackedSfenValue, layout_of
from .errors import FormatError, KomabakoError, LeftOutWarning

PathLike = Union[str, "os.PathLike[str]"]

#: Formats without a dtype of their own, and the format they are read as. All others are read as psv.
_READ_AS = {"hcpe3": "hcpe"}


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
    ) -> None:
        if missing_score is not None and not -32_768 <= missing_score <= 32_767:
            raise ValueError(f"missing_score is a score, or None to leave the positions out, not {missing_score!r}")
        if unfinished not in ("skip", "draw"):
            raise ValueError(f'unfinished is "skip" or "draw", not {unfinished!r}')
        self._url = str(path) if _stores.is_url(path) else None
        self.path = os.fspath(path) if self._url is None else _stores.name_of(self._url)
        self._given, self._check, self._salvage = format, check, salvage
        self._missing_score, self._unfinished = missing_score, unfinished
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
        thread per CPU. A `LeftOutWarning` at the end says what was left out of game records or salvaged files.
        """
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ValueError(f"size is a number of records from 1, not {size!r}")
        if on_error not in ("raise", "skip"):
            raise ValueError(f'on_error is "raise" or "skip", not {on_error!r}')
        return self._batches(size, on_error == "skip", _native.threads(threads))

    def _batches(self, size: int, skips_bad: bool, threads: int) -> Iterator[Any]:
        reader = _native.Reader(
            self.path,
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
                    self._warn(*reader.left_out)
                    return
                # A copy, so that a short batch does not hold the memory of a long one.
                yield batch if read == size else batch[:read].copy()
        finally:
            # If the caller leaves the loop early, the reader's thread must end too.
            reader.close()

    def _warn(self, positions: int, games: int, ends: int) -> None:
        reasons = []
        if positions:
            reasons.append(f"{positions} positions without a score (missing_score=0 keeps them)")
        if games:
            reasons.append(f'{games} games without a result (unfinished="draw" keeps them)')
        if ends:
            reasons.append("the end, which is truncated or damaged")
        if reasons:
            # The caller's loop is three frames up: this one, the generator's.
            warnings.warn(f"{self.path}: left out {' and '.join(reasons)}", LeftOutWarning, stacklevel=3)


def open(
    path: PathLike,
    dtype: Optional[Dtype] = None,
    *,
    format: Optional[str] = None,
    check: bool = True,
    salvage: bool = False,
    missing_score: Optional[int] = None,
    unfinished: str = "skip",
) -> RecordFile:
    """Open a file of any format of the program, including compressed files and game records, for reading.

    ``path`` may be the URL of a file in an object store, which is read as a stream; game records are read from disks only.

    ``dtype`` is the dtype of the batches. By default it is the dtype of the file's format if there is one, hcpe for hcpe3, and
    `PackedSfenValue` otherwise. ``format`` is the program's name for the file's format; by default it is detected. With ``check`` a
    file is refused, as by the program, if a sample shows that its records do not match its format.

    A file whose end is truncated or damaged raises `FormatError`; with ``salvage`` the whole records before that end are returned.

    Of game records, positions without a score are left out unless ``missing_score`` is the score to give them, and games without a
    result unless ``unfinished="draw"``.
    """
    return RecordFile(
        path,
        dtype,
        format=format,
        check=check,
        salvage=salvage,
        missing_score=missing_score,
        unfinished=unfinished,
    )


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
        #: The format of the file.
        named = _native.format_of_path(self.path)
        self.format = format if format is not None else named

    def _start(self, dtype: Dtype) -> _native.Writer:
        source = _format_of(dtype)
        if self.format in DTYPES and DTYPES[self.format].itemsize == dtype.itemsize:
            if layout_of(DTYPES[self.format]) == layout_of(dtype):
                source = self.format
        self._dtype = dtype
        path = self.path
        if self._url is not None:
            if not self._force and _stores.exists(self._url):
                raise FormatError(self.path, "exists", f"{self.path}: already exists; force=True replaces it")
            self._upload = _stores.Upload(self._url)
            path = os.fspath(self._upload.path)
        try:
            self._writer = _native.Writer(path, source, self._format, self._force, self._allow_loss, self._threads)
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
        if self._writer is not None and layout_of(records.dtype) != layout_of(self._dtype or records.dtype):
            raise ValueError(f"{self.path}: records of another dtype than before: {records.dtype}")
        try:
            writer = self._writer or self._start(records.dtype)
            if len(records):
                writer.write(np.ascontiguousarray(records).view(np.uint8))
        except Exception as error:
            self._failure = error
            raise
        # Records that were refused before any were written may be followed by others that are not.
        self._failure = None

    def close(self) -> None:
        """Finish the file and move it to its place. Raises the error of a failed `write` again, and leaves no file."""
        if self._closed:
            return
        if self._failure is not None:
            self.abandon()
            raise self._failure
        # Without any records, create an empty file.
        writer = self._writer or self._start(DTYPES.get(self.format or "psv", PackedSfenValue))
        self._closed = True
        with self._upload or nullcontext():
            writer.close(True)

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
    """Create a file to write records to, compressed according to its extension (``.zst``, ``.gz``, ``.xz``).

    ``path`` may be the URL of a file in an object store, which is written to the directory for temporary files and uploaded when it
    is closed. ``format`` is the program's name for the format; by default it follows from the name. The file appears when it is
    closed, and not at all if the ``with`` block raises. An existing file is replaced only with ``force``. Records of another format
    are converted; a conversion that loses information raises `LossError` unless ``allow_loss`` is set.

    Examples
    --------
    >>> import komabako, os, tempfile
    >>> import numpy as np
    >>> path = os.path.join(tempfile.mkdtemp(), "start.psv.zst")
    >>> records = np.zeros(3, komabako.PackedSfenValue)
    >>> records["sfen"] = komabako.from_sfen(["startpos"], codec="psv")
    >>> with komabako.create(path) as file:
    ...     file.write(records)
    >>> [len(batch) for batch in komabako.open(path).iter_batches(2)]
    [2, 1]
    """
    return RecordWriter(path, format, force=force, allow_loss=allow_loss, threads=threads)


def _format_of(dtype: Dtype) -> str:
    layout = layout_of(dtype)
    if layout is None:
        raise KomabakoError(f"records of {dtype} are not of a dtype of this package, such as komabako.PackedSfenValue")
    return layout.format
