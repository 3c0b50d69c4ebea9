#!/usr/bin/env python3
"""Solves mate problems with a USI engine, and prints rows of `cargo xtask bench-solve`.

    mate.py REPETITIONS DATA                 sets of known answers, as our `solve REPETITIONS DATA`
    mate.py --long MEBIBYTES SECONDS DATA    the famous long problems, each once, as our `solve --long`

The engine runs as a separate process, configured by environment variables: KOMABAKO_USI_ENGINE is its path, KOMABAKO_USI_NAME its
name in the rows (by default the file's name), KOMABAKO_USI_OPTIONS its options (`USI_Hash=256,Threads=1`), KOMABAKO_USI_SECONDS the
time limit per problem of the sets. For long problems USI_Hash is MEBIBYTES.
KomoringHeights needs RootIsAndNodeIfChecked=false: by default it takes a side in check for the one that is to be mated.
Only `go mate` ("any mate") is sent, and every verdict is compared. Wrong or missing verdicts are counted on standard error, and a
set with any of them prints no row.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

# The problems of benches/src/bin/solve.rs.
LONG = {
    "zuko-8": "4+bn1g1/5kpPl/2l1b1s2/3+l1N1GP/4G1+P1N/5L3/9/1+r7/R8 b GP3sn13p 1",
    "muso-1": "3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1",
    "zuko-98": "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
    "zuko-100": "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1",
    "microcosmos": "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
}


class Engine:
    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("usi")
        self.wait_for("usiok")
        for option in filter(None, options.split(",")):
            name, value = option.split("=")
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        self.wait_for("readyok")
        self.send("usinewgame")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def wait_for(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return line.split()
        sys.exit(f"mate.py: the engine ended before `{word}`")

    def solve(self, sfen, seconds):
        """Return the moves of a mate, `nomate`, or `timeout`."""
        self.send(f"position sfen {sfen}")
        self.send(f"go mate {1000 * seconds}")
        answer = self.wait_for("checkmate")[1:]
        return answer[0] if answer and answer[0] in ("nomate", "timeout", "notimplemented") else answer

    def quit(self):
        self.send("quit")
        self.process.wait()


def cpu_of_children():
    """Return the CPU time of ended child processes in seconds, including their start-up."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def problems(path):
    with open(path, encoding="utf-8") as file:
        next(file)
        return [line.split("\t")[0].strip() for line in file]


def solve_sets(start, name, seconds, repetitions, data):
    for label, file, mated in (("mate", "mate.tsv", True), ("no-mate", "no_mate.tsv", False)):
        positions = problems(data / file)
        times, wrong = [], 0
        for _ in range(repetitions):
            engine = start()
            before = time.monotonic()
            answers = [engine.solve(position, seconds) for position in positions]
            times.append(time.monotonic() - before)
            wrong = sum((answer == "nomate") == mated or answer == "timeout" for answer in answers)
            engine.quit()
        if wrong:
            print(f"{name}: {wrong} of {len(positions)} of {file} wrong or not solved", file=sys.stderr)
            continue
        median = sorted(times)[len(times) // 2]
        print(f"{name},any,{label},problems an hour,{len(positions) * 3600 / median:.1f}", flush=True)


def solve_long(start, name, seconds):
    for label, position in LONG.items():
        engine = start()
        before, cpu = time.monotonic(), cpu_of_children()
        answer = engine.solve(position, seconds)
        elapsed = time.monotonic() - before
        engine.quit()
        cpu = cpu_of_children() - cpu
        if isinstance(answer, str):
            print(f"{name}: {label}: {answer} after {elapsed:.1f} s", file=sys.stderr, flush=True)
            continue
        print(f"{name}: {label}: {len(answer)} plies, {elapsed:.1f} s, {cpu:.1f} s of CPU", file=sys.stderr, flush=True)
        print(f"{name},any,{label},problems an hour,{3600 / elapsed:.1f}", flush=True)


def main():
    path = os.environ["KOMABAKO_USI_ENGINE"]
    name = os.environ.get("KOMABAKO_USI_NAME", Path(path).name)
    options = os.environ.get("KOMABAKO_USI_OPTIONS", "USI_Hash=256")
    seconds = int(os.environ.get("KOMABAKO_USI_SECONDS", "600"))

    def start(*more):
        return Engine(path, ",".join([options, *more]))

    match sys.argv[1:]:
        case ["--long", mebibytes, seconds, _]:
            solve_long(lambda: start(f"USI_Hash={mebibytes}"), name, int(seconds))
        case [repetitions, data]:
            solve_sets(start, name, seconds, int(repetitions), Path(data))
        case _:
            sys.exit(__doc__)


main()
