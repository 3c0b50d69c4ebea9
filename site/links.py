"""Links out of docs/ work in the repository; in the book they lead to the repository on GitHub, or to the manual for Python."""

import os
import re
from pathlib import Path

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parent.parent
PYTHON = "bindings/python/docs/"


def on_page_markdown(markdown, page, config, **_):
    folder = Path(page.file.abs_src_path).parent

    def target(match):
        path, anchor = match[1], match[2] or ""
        file = Path(os.path.normpath(folder / path))
        if file.is_relative_to(config.docs_dir) and not file.is_dir():
            return match[0]
        if not file.exists():
            raise PluginError(f"{page.file.src_path}: {path} does not exist")
        name = file.relative_to(ROOT).as_posix()
        if name.startswith(PYTHON):
            address = name.removeprefix(PYTHON).removesuffix(".md").removesuffix("index")
            return f"]({config.site_url}../python/{address}{anchor})"
        return f"]({config.repo_url}/blob/main/{name}{anchor})"

    return re.sub(r"\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)", target, markdown)
