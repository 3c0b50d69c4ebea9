"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from .errors import ExistingFileError


def already_exists(path: Any) -> ExistingFileError:
    return ExistingFileError(str(path), "exists", f"{path}: already exists; force=True replaces it")


@contextmanager
def unfinished_file(path: Path, force: bool) -> Iterator[Path]:
    """Create a file beside ``path`` that no other call uses. It gets the name ``path`` at the end of the block unless that raises.

    A file that has got the name meanwhile is replaced only with ``force``; its permissions stay, and so does a link to it.
    """
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    # Not by tempfile, whose files are private.
    with open(unfinished, "xb"):
        pass
    try:
        yield unfinished
        if force and path.exists():
            shutil.copymode(path, unfinished)
        try:
            _rename(unfinished, path, force)
        except FileExistsError:
            raise already_exists(path) from None
    finally:
        if unfinished.exists():
            unfinished.unlink()


def _rename(unfinished: Path, path: Path, force: bool) -> None:
    if force:
        os.replace(unfinished, path)
    elif os.name == "nt":
        # Refuses a name that is taken, unlike elsewhere.
        os.rename(unfinished, path)
    else:
        try:
            os.link(unfinished, path)
        except FileExistsError:
            raise
        except OSError:
            # The file system has no links. Take the name by an empty file.
            with open(path, "xb"):
                pass
            os.replace(unfinished, path)
