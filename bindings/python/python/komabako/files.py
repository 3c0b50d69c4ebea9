"""Files of records as arrays: mapped, or read by blocks."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any, List, Optional, Union

import numpy as np

from . import _native, _stores
from .dtypes import DTYPES, Dtype, layout_of
from .errors import FormatError

PathLike = Union[str, "os.PathLike[str]"]

#: The program's extensions for formats with records of one size.
_EXTENSIONS = {
    ".psv": "psv",
    ".bin": "psv",
    ".hcpe": "hcpe",
    ".hcpe2": "hcpe2",
    ".hcp": "hcp",
    ".packed_sfen": "packed_sfen",
    ".psfen": "packed_sfen",
    ".sspfv1": "sspfv1",
    ".sspf": "sspfv1",
    ".sspfv1-ext": "sspfv1-ext",
    ".c250": "c250",
    ".r238": "r238",
    ".compact36": "compact36",
    ".compact32": "compact32",
    ".ext36": "ext36",
}
_COMPRESSED = (".zst", ".gz", ".xz", ".kmb")
#: Compressions that the program does not know.
_FOREIGN = (".7z", ".br", ".bz2", ".lz4", ".lzma", ".rar", ".zip", ".zstd")


def memmap(path: PathLike, dtype: Optional[Dtype] = None) -> Any:
    """Map a file of records as a read-only array.

    No program may truncate the file while it is mapped: reading a record that is gone ends Python with SIGBUS, as for any mapped file.

    Parameters
    ----------
    path
        An uncompressed file of records.
    dtype
        The dtype of the records; by default it follows from the extension, which it must not contradict.

    Returns
    -------
    NDArray
        Records.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    FormatError
        If the file is compressed, contains games or text, does not end with a whole record, or is a pipe.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.psv")
    >>> komabako.Position().record(score=30).tofile(path)
    >>> komabako.memmap(path)["score"].tolist()
    [30]
    """
    if _stores.is_url(path):
        name = _stores.name_of(str(path))
        raise FormatError(
            name, "format", f"{name}: a file of an object store cannot be mapped; komabako.open reads it, read_split parts of it"
        )
    path = Path(path)
    size = path.stat().st_size
    check_regular(path)
    # Its records have no dtype, for which `_shape` would ask. An empty name is the working folder's.
    if path.is_dir():
        raise FormatError(os.fspath(path), "open", f"{path}: is a folder; give the path of a file")
    dtype, length = _shape(path, os.fspath(path), size, dtype)
    # An empty file cannot be mapped.
    return np.memmap(path, dtype, mode="r") if length else np.empty(0, dtype)


def check_regular(path: PathLike) -> None:
    """Refuse a pipe or a device: its size says nothing, and what was read of it is gone."""
    name = os.fspath(path)
    if not os.path.exists(name):
        # Whoever opens it says so.
        return
    mode = os.stat(name).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise FormatError(name, "open", f"{name}: a pipe or a device can be read only once; write what comes from it to a file first")


def _opened(name: str) -> _native.Archive:
    """Open an archive."""
    check_regular(name)
    archive = _native.Archive.open(name)
    if archive is None:
        command = f"`komabako cat {name} -o OUT.kmb --salvage` writes it anew"
        raise FormatError(name, "format", f"{name}: is no archive, or its index is damaged; {command}")
    return archive


class ArchiveRecords:
    """Records of an archive (``.kmb``) in a local file, read by blocks on demand.

    Like a mapped array, it has a length and takes slices and arrays of numbers.
    """

    def __init__(self, path: PathLike, dtype: Optional[Dtype] = None) -> None:
        name = os.fspath(path)
        archive = _opened(name)
        self.dtype = np.dtype(DTYPES[archive.format])
        if dtype is not None and np.dtype(dtype) != self.dtype:
            raise FormatError(name, "other_format", f"{name}: is an archive of {archive.format}; leave dtype= out")
        self._archive = archive
        #: The number of the first record of each block, and of all records.
        self.starts = np.array(archive.starts, np.int64)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def block(self, number: int) -> Any:
        """Return the records of a block."""
        records = np.empty(int(self.starts[number + 1] - self.starts[number]), self.dtype)
        self._archive.read_block(number, records.view(np.uint8))
        return records

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            return self[[range(len(self))[key]]][0]
        numbers = np.arange(*key.indices(len(self))) if isinstance(key, slice) else np.asarray(key)
        out = np.empty(len(numbers), self.dtype)
        blocks = np.searchsorted(self.starts, numbers, "right") - 1
        for block in np.unique(blocks):
            inside = blocks == block
            out[inside] = self.block(int(block))[numbers[inside] - self.starts[block]]
        return out


def is_archive(path: PathLike) -> bool:
    """Whether a path is that of an archive."""
    return Path(os.fspath(path)).suffix.lower() == ".kmb"


def is_parquet(path: PathLike) -> bool:
    """Whether a path is that of a Parquet file."""
    return os.fspath(path).lower().endswith(".parquet")


def _shape(path: Path, name: str, size: int, dtype: Optional[Dtype]) -> tuple[Dtype, int]:
    """Return the dtype and the number of records of an uncompressed file of ``size`` bytes."""
    # The program reads local files only.
    is_local = not _stores.is_url(name)
    # Lower case, as for the program: on some disks `A.PSV` and `a.psv` are one file.
    suffix = path.suffix.lower()
    if suffix in _FOREIGN:
        raise FormatError(
            name,
            "format",
            f"{name}: {suffix} is not a compression that komabako reads (.zst, .gz and .xz are); decompress the file by its own program",
        )
    if suffix in _COMPRESSED:
        inner = name[: -len(suffix)]
        if is_local and suffix == ".kmb":
            if Path(inner).suffix.lower() not in _EXTENSIONS:
                inner += f".{_opened(name).format}"
            why = f'an archive is no array; Batches reads it at random with order="riffle", and `komabako convert {name} {inner}` unpacks it'
        elif is_local:
            why = f"records of a compressed file are read in order only; `komabako convert {name} {inner}` decompresses it"
        else:
            why = "records of a compressed file are read in order only; komabako.open reads it"
        raise FormatError(name, "format", f"{name}: {why}")
    if dtype is None:
        format = _EXTENSIONS.get(suffix)
        if format is None:
            command = "by komabako.open and komabako.create"
            if is_local:
                command = f"by `komabako convert {name} {name.removesuffix(path.suffix)}.psv`"
            raise FormatError(
                name,
                "format",
                f"{name}: the extension does not say the dtype of the records; give dtype=, or make records of one size {command}",
            )
        dtype = DTYPES[format]
    dtype = np.dtype(dtype)
    named = _EXTENSIONS.get(suffix)
    # `.bin` is the name of many things.
    if named is not None and suffix != ".bin":
        given = layout_of(dtype)
        if given is not None and given != layout_of(DTYPES[named]):
            why = f"the name is that of {named}, not of {given.format}; leave dtype= out, or convert by komabako.open(path, dtype)"
            raise FormatError(name, "other_format", f"{name}: {why}")
    if size % dtype.itemsize:
        command = f"`komabako info {name}` says" if is_local else "the attribute why of komabako.open(…) says"
        raise FormatError(
            name, "tail", f"{name}: {size} bytes are not a whole number of records of {dtype.itemsize}; {command} what the file is"
        )
    return dtype, size // dtype.itemsize


def records_in(path: PathLike, dtype: Optional[Dtype] = None, kept: int = 1) -> Any:
    """Return the records of a file as a mapped array, of an archive by blocks, or of a store with at most ``kept`` blocks cached."""
    if not _stores.is_url(path):
        return ArchiveRecords(path, dtype) if is_archive(path) else memmap(path, dtype)
    url = str(path)
    name = _stores.name_of(url)
    dtype, length = _shape(Path(name), name, _stores.size(url), dtype)
    return _stores.StoredRecords(url, dtype, length, kept)


def _list(paths: Any) -> List[Any]:
    """Return one path or array as a list of them."""
    if hasattr(paths, "read"):
        raise ValueError("an open file may be at any place and is read once: give the path of a file; write what it holds to one first")
    return [paths] if isinstance(paths, (str, os.PathLike, np.ndarray)) else list(paths)
