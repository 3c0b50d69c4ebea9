#!/usr/bin/env python3
"""Writes the version and the checksums of a release into the recipes: packaging/update.py 0.1.0 SHA256SUMS"""

import pathlib
import re
import sys

version, sums = sys.argv[1], pathlib.Path(sys.argv[2])
checksum_of = dict(reversed(line.split()) for line in sums.read_text().splitlines())

for recipe in ["homebrew/komabako.rb", "scoop/komabako.json", "aur/PKGBUILD"]:
    path = pathlib.Path(__file__).parent / recipe
    text = re.sub(r'(version"?:? "|pkgver=|/v|komabako-)\d+\.\d+\.\d+', rf"\g<1>{version}", path.read_text())
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        # The checksum stands in the line below the address.
        address = re.search(r"komabako-[^-]+-(\S+\.tar\.gz)", line)
        if address and re.search("[0-9a-f]{64}", lines[index + 1]):
            checksum = checksum_of[f"komabako-{version}-{address[1]}"]
            lines[index + 1] = re.sub("[0-9a-f]{64}", checksum, lines[index + 1])
    path.write_text("".join(lines))
