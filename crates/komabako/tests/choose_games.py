"""Chooses the games of a folder of CSA files by a plain reading of their lines, for tests/all/game_year.rs.

python3 choose_games.py FOLDER prints, as JSON, the numbers of games left out by reason, and the names and records of the others.
The condition is that of the test, written with None for what is unknown; games are taken in the order of their names.
"""

import json
import os
import re
import sys


def both(a, b):
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def either(a, b):
    if a is True or b is True:
        return True
    return None if a is None or b is None else False


def read(path):
    game = {"moves": []}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("N+"):
                game["black"] = line[2:]
            elif match := re.match(r"'(black|white)_rate:.*:([0-9.]+)$", line):
                game[match[1] + "_rating"] = float(match[2])
            elif match := re.match(r"\$START_TIME:(\d+)/(\d+)/(\d+)", line):
                game["date"] = "-".join(match.groups())
            elif re.match(r"[+-]\d{4}[A-Z]{2}$", line):
                game["moves"].append(line)
            elif line.startswith("%"):
                game["ending"] = line[1:]
    return game


def is_chosen(game):
    ratings = [game.get("black_rating"), game.get("white_rating")]
    rated = None if None in ratings else min(ratings) >= 3000.5
    ended = either(game["ending"] == "TORYO", None if game["ending"] == "CHUDAN" else game["ending"] == "JISHOGI")
    dated = None if "date" not in game else game["date"][:7] >= "2026-03"
    named = None if not game["black"] else "weak" not in game["black"]
    return both(both(both(both(rated, len(game["moves"]) >= 14), ended), dated), named)


folder = sys.argv[1]
names = []
for directory, _, files in os.walk(folder):
    names += [os.path.relpath(os.path.join(directory, file), folder) for file in files]
counts = {"not_chosen": 0, "unknown": 0, "duplicates": 0}
seen = set()
chosen = []
records = 0
for name in sorted(names):
    game = read(os.path.join(folder, name))
    verdict = is_chosen(game)
    moves = tuple(game["moves"])
    if not verdict:
        counts["unknown" if verdict is None else "not_chosen"] += 1
    elif moves in seen:
        counts["duplicates"] += 1
    else:
        seen.add(moves)
        chosen.append(name)
        records += len(moves)
print(json.dumps({"counts": counts, "chosen": chosen, "records": records}))
