"""Files of object stores (``s3://``, ``gs://``, …), through pyarrow, or fsspec if pyarrow is missing or does not know the store.

A path is a URL. Each process creates the filesystem from the URL. Credentials and endpoints come from the library's usual sources:
the environment, its configuration files, or the URL's query.
"""

from __future__ import annotations

import os
import tempfile
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from .dtypes import Dtype
from .errors import FormatError

#: The bytes that a stream reads ahead.
_BUFFER = 8 << 20


def is_url(path: Any) -> bool:
    return isinstance(path, str) and "://" in path


def name_of(url: str) -> str:
    """Return a URL without credentials and query, for messages and to find the extension."""
    scheme, rest = url.split("://", 1)
    rest = rest.split("?", 1)[0]
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rsplit('@', 1)[-1]}{slash}{path}"


def joined(url: str, name: str) -> str:
    """Return the URL of a file below another URL."""
    base, mark, query = url.partition("?")
    return f"{base.rstrip('/')}/{name}{mark}{query}"


class _Arrow:
    """A file of a filesystem of pyarrow."""

    def __init__(self, url: str) -> None:
        from pyarrow import fs

        self._filesystem, self._path = fs.FileSystem.from_uri(url)

    def size(self) -> Any:
        from pyarrow import fs

        info = self._filesystem.get_file_info(self._path)
        return info.size if info.type == fs.FileType.File else None

    def names(self) -> List[str]:
        from pyarrow import fs

        selector = fs.FileSelector(self._path, allow_not_found=True)
        return [info.base_name for info in self._filesystem.get_file_info(selector)]

    def stream(self) -> Any:
        return self._filesystem.open_input_stream(self._path, compression=None, buffer_size=_BUFFER)

    def random(self) -> Any:
        return self._filesystem.open_input_file(self._path)

    def range(self, start: int, length: int) -> bytes:
        with self.random() as file:
            data: bytes = file.read_at(length, start)
            return data

    def put(self, source: str) -> None:
        from pyarrow import fs

        # In one call, which Ctrl-C does not interrupt: pyarrow completes the upload of a dropped stream, so half a file
        # would appear.
        fs.copy_files(
            source, self._path, source_filesystem=fs.LocalFileSystem(), destination_filesystem=self._filesystem
        )


class _Fsspec:
    """A file of a filesystem of fsspec."""

    def __init__(self, url: str) -> None:
        import fsspec.core

        self._filesystem, self._path = fsspec.core.url_to_fs(url)

    def size(self) -> Any:
        # Another process may have written the file meanwhile.
        self._filesystem.invalidate_cache()
        found: Dict[str, Any] = self._filesystem.info(self._path) if self._filesystem.isfile(self._path) else {}
        return found.get("size")

    def names(self) -> List[str]:
        # Another process may have written the files meanwhile.
        self._filesystem.invalidate_cache()
        try:
            return [Path(found).name for found in self._filesystem.ls(self._path, detail=False)]
        except FileNotFoundError:
            return []

    def stream(self) -> Any:
        return self._filesystem.open(self._path, "rb", block_size=_BUFFER)

    def random(self) -> Any:
        return self._filesystem.open(self._path, "rb")

    def range(self, start: int, length: int) -> bytes:
        data: bytes = self._filesystem.cat_file(self._path, start=start, end=start + length)
        return data

    def put(self, source: str) -> None:
        self._filesystem.put_file(source, self._path)


@lru_cache(maxsize=256)
def _found(url: str, process: int) -> Any:
    reasons = []
    try:
        from pyarrow import ArrowInvalid, ArrowNotImplementedError

        try:
            return _Arrow(url)
        except (ArrowInvalid, ArrowNotImplementedError) as error:
            reasons.append(f"pyarrow: {error}")
    except ImportError:
        reasons.append("pyarrow is not installed")
    try:
        return _Fsspec(url)
    except (ImportError, ValueError) as error:
        reasons.append(f"fsspec: {error}")
    raise FormatError(name_of(url), "open", f"{name_of(url)}: {'; '.join(reasons)}")


def _file(url: str) -> Any:
    # Connections do not survive a fork.
    return _found(url, os.getpid())


def exists(url: str) -> bool:
    return _file(url).size() is not None


def size(url: str) -> int:
    """Return the size of a file in bytes."""
    found = _file(url).size()
    if found is None:
        raise FileNotFoundError(f"{name_of(url)}: there is no such file")
    return int(found)


def names(url: str) -> List[str]:
    """Return the names of the files directly below a URL."""
    found: List[str] = _file(url).names()
    return found


def stream(url: str) -> Any:
    """Open a file for reading from the start. Returns an object with ``read``."""
    return _file(url).stream()


def random(url: str) -> Any:
    """Open a file for random access. Returns a file object, which the caller must close."""
    return _file(url).random()


class Upload:
    """A local file, in the directory for temporary files, to be uploaded to a store: completely or not at all.

    As a context manager, it is uploaded at the end of the block unless the block raises. If the upload fails, the file is kept,
    since it may be the result of hours of work, and the error names its path.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._directory = tempfile.TemporaryDirectory(prefix="komabako-")
        #: The file to write.
        self.path = Path(self._directory.name) / Path(name_of(url)).name

    def abandon(self) -> None:
        self._directory.cleanup()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        with self._directory:
            if kind is not None:
                return
            try:
                _file(self._url).put(os.fspath(self.path))
            except BaseException as failure:
                # Move the file out of the temporary directory, which is removed on exit.
                kept = Path(tempfile.mkdtemp(prefix="komabako-kept-")) / self.path.name
                self.path.rename(kept)
                name, advice = name_of(self._url), f"the file is whole and kept as {kept}: upload it from there"
                if isinstance(failure, KeyboardInterrupt):
                    raise KeyboardInterrupt(f"{name}: the upload was interrupted; {advice}") from failure
                if not isinstance(failure, Exception):
                    raise
                raise FormatError(name, "upload", f"{name}: the upload failed ({failure}); {advice}") from failure


class StoredRecords:
    """Records of one dtype in a file of a store, read by ranges on demand.

    Like a mapped array, it has a length and takes slices and arrays of numbers. Records with scattered numbers are read in blocks,
    of which the last ones are cached.
    """

    BLOCK = 1 << 16

    def __init__(self, url: str, dtype: Dtype, length: int, kept: int) -> None:
        self.url, self.dtype, self._length, self._kept = url, np.dtype(dtype), length, kept
        self._blocks: "OrderedDict[int, Any]" = OrderedDict()

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, chosen: Any) -> Any:
        if isinstance(chosen, slice):
            first, last, step = chosen.indices(self._length)
            if step != 1:
                raise ValueError("records of a store are read in their order")
            return self._range(first, max(last - first, 0))
        numbers = np.asarray(chosen, np.int64)
        records = np.empty(len(numbers), self.dtype)
        if not len(numbers):
            return records
        first = int(numbers[0])
        if (np.diff(numbers) == 1).all():
            return self._range(first, len(numbers))
        blocks = numbers // self.BLOCK
        for block in np.unique(blocks):
            inside = blocks == block
            records[inside] = self._block(int(block))[numbers[inside] - block * self.BLOCK]
        return records

    def _range(self, first: int, length: int) -> Any:
        if length == 0:
            return np.empty(0, self.dtype)
        itemsize = self.dtype.itemsize
        data = _file(self.url).range(first * itemsize, length * itemsize)
        if len(data) != length * itemsize:
            raise FormatError(name_of(self.url), "tail", f"{name_of(self.url)}: the file has become shorter")
        return np.frombuffer(data, self.dtype)

    def _block(self, number: int) -> Any:
        # Two threads may read the same block twice, which is harmless; each single operation on the dict is atomic.
        known = self._blocks.get(number)
        if known is not None:
            return known
        first = number * self.BLOCK
        block = self._range(first, min(self.BLOCK, self._length - first))
        self._blocks[number] = block
        if len(self._blocks) > self._kept:
            self._blocks.popitem(last=False)
        return block
