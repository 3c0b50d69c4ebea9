"""The two shared libraries for nnue-pytorch, called as its Python calls them: `nnue.py COO PADDED DATA`.

The structures are those that the branches of nnue-pytorch declare, by their documented offsets.
"""

import ctypes
import os
import pathlib
import sys
import tempfile
import threading
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_void_p


class CooBatch(ctypes.Structure):
    _fields_ = [
        ("num_inputs", c_int),
        ("size", c_int),
        ("is_white", POINTER(c_float)),
        ("outcome", POINTER(c_float)),
        ("score", POINTER(c_float)),
        ("num_active_white_features", c_int),
        ("num_active_black_features", c_int),
        ("white", POINTER(c_int)),
        ("black", POINTER(c_int)),
        ("white_values", POINTER(c_float)),
        ("black_values", POINTER(c_float)),
        ("ply", POINTER(c_float)),
    ]

    def view(self, color):
        """Each position's inputs as text."""
        rows = [[] for _ in range(self.size)]
        indices, values = getattr(self, color), getattr(self, color + "_values")
        last = (-1, -1)
        for place in range(self.num_active_white_features):
            pair = (indices[2 * place], indices[2 * place + 1])
            # Within a part (the set, its factors) indices ascend, and so do rows.
            assert pair > last, (pair, last)
            last = pair
            rows[pair[0]].append((pair[1], values[place]))
        return rows


class PaddedBatch(ctypes.Structure):
    _fields_ = [
        ("num_inputs", c_int),
        ("size", c_int),
        ("is_white", POINTER(c_float)),
        ("outcome", POINTER(c_float)),
        ("score", POINTER(c_float)),
        ("num_active_white_features", c_int),
        ("num_active_black_features", c_int),
        ("max_active_features", c_int),
        ("white", POINTER(c_int)),
        ("black", POINTER(c_int)),
        ("white_values", POINTER(c_float)),
        ("black_values", POINTER(c_float)),
        ("layer_stack_indices", POINTER(c_int)),
    ]

    def view(self, color):
        rows = []
        indices, values = getattr(self, color), getattr(self, color + "_values")
        for row in range(self.size):
            cells = [(indices[row * self.max_active_features + place], values[row * self.max_active_features + place])
                     for place in range(self.max_active_features)]
            active = [cell for cell in cells if cell[0] >= 0]
            assert cells[len(active):] == [(-1, 0.0)] * (len(cells) - len(active))
            rows.append(sorted(active))
        return rows


class SkipConfig(ctypes.Structure):
    _fields_ = [
        ("filtered", c_bool),
        ("random_fen_skipping", c_int),
        ("wld_filtered", c_bool),
        ("early_fen_skipping", c_int),
        ("simple_eval_skipping", c_int),
        ("param_index", c_int),
    ]


assert (ctypes.sizeof(CooBatch), CooBatch.white.offset, CooBatch.ply.offset) == (80, 40, 72)
assert (ctypes.sizeof(PaddedBatch), PaddedBatch.white.offset, PaddedBatch.layer_stack_indices.offset) == (88, 48, 80)
assert (ctypes.sizeof(SkipConfig), SkipConfig.param_index.offset) == (24, 20)


class Library:
    def __init__(self, path, batch):
        self.dll = ctypes.cdll.LoadLibrary(path)
        self.dll.create_sparse_batch_stream.restype = c_void_p
        self.dll.destroy_sparse_batch_stream.argtypes = [c_void_p]
        self.dll.fetch_next_sparse_batch.restype = POINTER(batch)
        self.dll.fetch_next_sparse_batch.argtypes = [c_void_p]
        self.dll.destroy_sparse_batch.argtypes = [POINTER(batch)]

    def batches(self, features, files, size, limit=None, **options):
        """The batches of a stream, each a list of (is_white, outcome, score, last, white, black)."""
        stream = self.create(features, files, size, **options)
        assert stream, (features, files)
        try:
            while limit is None or limit > 0:
                batch = self.dll.fetch_next_sparse_batch(stream)
                if not batch:
                    return
                yield self.read(batch.contents)
                self.dll.destroy_sparse_batch(batch)
                limit = None if limit is None else limit - 1
        finally:
            self.dll.destroy_sparse_batch_stream(stream)

    def read(self, batch):
        views = zip(batch.view("white"), batch.view("black"))
        last = batch.ply if isinstance(batch, CooBatch) else batch.layer_stack_indices
        return [
            (batch.num_inputs, batch.is_white[row], batch.outcome[row], batch.score[row], last[row], white, black)
            for row, (white, black) in enumerate(views)
        ]


class Coo(Library):
    def __init__(self, path):
        super().__init__(path, CooBatch)
        self.dll.create_sparse_batch_stream.argtypes = [c_char_p, c_int, c_char_p, c_int, c_bool, c_bool, c_int]
        self.dll.get_sparse_batch_from_fens.restype = POINTER(CooBatch)
        self.dll.get_sparse_batch_from_fens.argtypes = [
            c_char_p, c_int, POINTER(c_char_p), POINTER(c_int), POINTER(c_int), POINTER(c_int)]

    def create(self, features, files, size, threads=1, cyclic=False, filtered=False, random=0):
        return self.dll.create_sparse_batch_stream(features, threads, files[0], size, cyclic, filtered, random)


class Padded(Library):
    def __init__(self, path):
        super().__init__(path, PaddedBatch)
        self.dll.create_sparse_batch_stream.argtypes = [
            c_char_p, c_int, c_int, POINTER(c_char_p), c_int, c_bool, SkipConfig]

    def create(self, features, files, size, threads=1, cyclic=False, filtered=False, random=0, early=-1, wld=False):
        names = (c_char_p * len(files))(*files)
        config = SkipConfig(filtered, random, wld, early, -1, 0)
        return self.dll.create_sparse_batch_stream(features, threads, len(files), names, size, cyclic, config)


def known(path):
    """The records of a table by set: (bytes, expected position)."""
    sets = {}
    for line in path.read_text().splitlines()[1:]:
        record, feature, inputs, is_white, outcome, score, last, white, black = line.split("\t")

        def view(text):
            pairs = (part.split(":") for part in text.split(","))
            return [(int(pair[0]), float(pair[1]) if len(pair) > 1 else 1.0) for pair in pairs]

        expected = (int(inputs), float(is_white), float(outcome), float(score), float(last), view(white), view(black))
        sets.setdefault(feature, []).append((bytes.fromhex(record), expected))
    return sets


def check_known(library, path, folder):
    sets = known(path)
    for feature, rows in sets.items():
        file = folder / "known.psv"
        file.write_bytes(b"".join(record for record, _ in rows))
        for size in [1, 5, 12, 100]:
            for threads in [1, 3]:
                read = list(library.batches(feature.encode(), [os.fsencode(file)], size, threads=threads))
                assert [len(batch) for batch in read[:-1]] == [size] * (len(read) - 1)
                positions = [position for batch in read for position in batch]
                assert positions == [expected for _, expected in rows], feature
    return sum(map(len, sets.values()))


def check_cyclic(library, feature, data, folder):
    """An endless stream has full batches, and each round all records."""
    record = (data / "sample.psv").read_bytes()[: 7 * 40]
    file = folder / "seven.psv"
    file.write_bytes(record)
    round_ = [position for batch in library.batches(feature, [os.fsencode(file)], 7) for position in batch]
    batches = list(library.batches(feature, [os.fsencode(file)], 5, cyclic=True, limit=14))
    assert all(len(batch) == 5 for batch in batches)
    assert [position for batch in batches for position in batch] == round_ * 10


def check_sources(library, feature, data):
    """Other formats give the same positions."""
    psv, hcpe = (list(library.batches(feature, [os.fsencode(data / name)], 512)) for name in ["sample.psv", "sample.hcpe"])
    # hcpe has no ply.
    drop = [0, 1, 2, 3, 5, 6]
    assert [[position[i] for i in drop] for batch in psv for position in batch] == [
        [position[i] for i in drop] for batch in hcpe for position in batch]


def check_left_out(library, data, folder):
    """Bad records and positions without a king are left out, and all others are there."""
    sample = (data / "sample.psv").read_bytes()[: 7 * 40]
    file = folder / "damaged.psv"
    file.write_bytes(sample[:120] + b"\xff" * 40 + sample[120:])
    good = [position for batch in library.batches(b"HalfKA_hm", [os.fsencode(folder / "seven.psv")], 3) for position in batch]
    found = [position for batch in library.batches(b"HalfKA_hm", [os.fsencode(file)], 3) for position in batch]
    assert found == good
    file.write_bytes(b"\xff" * 40)
    stream = library.create(b"HalfKA_hm", [os.fsencode(file)], 3, cyclic=True)
    assert not library.dll.fetch_next_sparse_batch(stream)
    library.dll.destroy_sparse_batch_stream(stream)
    stream = library.create(b"HalfKA_hm", [os.fsencode(folder / "seven.psv")], 3)
    child = os.fork()
    if child == 0:
        os._exit(1 if library.dll.fetch_next_sparse_batch(stream) else 0)
    assert os.waitpid(child, 0)[1] == 0
    library.dll.destroy_sparse_batch_stream(stream)


def check_refusals(library, data):
    sample = os.fsencode(data / "sample.psv")
    for features, files, size in [
        (None, [sample], 4),
        (b"HalfKA", [sample], 4),
        (b"\xff", [sample], 4),
        (b"HalfKA_hm", [None], 4),
        (b"HalfKA_hm", [b"no such file"], 4),
        (b"HalfKA_hm", [sample], 0),
        (b"HalfKA_hm", [sample], -1),
        (b"HalfKA_hm", [sample], 2**31 - 1),
    ]:
        assert not library.create(features, files, size), (features, files, size)
    assert not library.dll.fetch_next_sparse_batch(None)
    library.dll.destroy_sparse_batch(None)
    library.dll.destroy_sparse_batch_stream(None)


def check_threads(library, data):
    """Two threads fetch from one stream: together they get every position once."""
    expected = sorted(p for batch in library.batches(b"HalfKA_hm", [os.fsencode(data / "sample.psv")], 64) for p in batch)
    stream = library.create(b"HalfKA_hm", [os.fsencode(data / "sample.psv")], 64, threads=2)
    found = []

    def fetch():
        while batch := library.dll.fetch_next_sparse_batch(stream):
            found.extend(library.read(batch.contents))
            library.dll.destroy_sparse_batch(batch)

    threads = [threading.Thread(target=fetch) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    library.dll.destroy_sparse_batch_stream(stream)
    assert sorted(found) == expected


def check_fens(coo):
    start = b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    entered = b"lnsgk4/3K5/9/9/9/9/9/9/9 w - 1"
    fens = (c_char_p * 2)(start, entered)
    numbers = [(c_int * 2)(*values) for values in [(100, -20), (3, 4), (1, -1)]]
    batch = coo.dll.get_sparse_batch_from_fens(b"HalfKP", 2, fens, *numbers)
    first, second = coo.read(batch.contents)
    assert first[1:5] == (1.0, 1.0, 100.0, 3.0) and len(first[5]) == 38 and first[5] == first[6]
    # Black's king is in the camp with no other piece: 2 - 1 = 1 piece, which White, to move, lacks.
    assert second[1:5] == (0.0, 0.0, -40.0, 4.0) and len(second[5]) == 4
    coo.dll.destroy_sparse_batch(batch)
    wrong = (c_char_p * 2)(start, b"9/9/9/9/9/9/9/9/9 b - 1")
    assert not coo.dll.get_sparse_batch_from_fens(b"HalfKP", 2, wrong, *numbers)
    assert not coo.dll.get_sparse_batch_from_fens(b"HalfKP", -1, fens, *numbers)
    assert not coo.dll.get_sparse_batch_from_fens(b"HalfKP", 2, None, *numbers)
    empty = coo.dll.get_sparse_batch_from_fens(b"HalfKP", 0, None, None, None, None)
    assert empty.contents.size == 0
    coo.dll.destroy_sparse_batch(empty)


def check_settings(coo, padded, data):
    sample = [os.fsencode(data / "sample.psv")]

    def ids(library, **options):
        return [position[3:] for batch in library.batches(b"HalfKA_hm", sample, 500, **options) for position in batch]

    plain = ids(padded)
    assert ids(padded, filtered=True, random=3) == plain
    os.environ["KOMABAKO_SKIP"] = "1"
    quiet = ids(padded, filtered=True)
    assert 0 < len(quiet) < len(plain)
    assert abs(len(ids(padded, random=3)) - len(plain) / 4) < 150
    assert len(ids(padded, early=20)) < len(plain)
    assert not padded.create(b"HalfKA_hm", sample, 4, wld=True)
    del os.environ["KOMABAKO_SKIP"]
    os.environ.update(KOMABAKO_ORDER="riffle", KOMABAKO_SEED="5", KOMABAKO_MEMORY="64M")
    shuffled = ids(coo)
    assert shuffled == ids(coo) and shuffled != ids_of_file(coo, sample)
    assert sorted(shuffled) == sorted(ids_of_file(coo, sample))
    for name, value in [("KOMABAKO_ORDER", "no"), ("KOMABAKO_SEED", "-1"), ("KOMABAKO_MEMORY", "1X"), ("KOMABAKO_SKIP", "yes")]:
        before = os.environ.get(name)
        os.environ[name] = value
        assert not coo.create(b"HalfKP", sample, 4), name
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
    for name in ["KOMABAKO_ORDER", "KOMABAKO_SEED", "KOMABAKO_MEMORY"]:
        del os.environ[name]

    # With the engine's numbers the padded library has the inputs of the other.
    os.environ["KOMABAKO_HALFKA_HM"] = "engine"
    engine = ids(padded)
    assert [position[2:] for position in engine] == [position[2:] for position in ids(coo)] != [p[2:] for p in plain]
    [first, *_] = next(padded.batches(b"HalfKA_hm^", sample, 4, limit=1))
    assert first[0] == 75_015 and len(first[5]) == 80 and max(first[5])[0] >= 73_305 + 1629
    del os.environ["KOMABAKO_HALFKA_HM"]


def ids_of_file(library, sample):
    order = os.environ.pop("KOMABAKO_ORDER", None)
    found = [position[3:] for batch in library.batches(b"HalfKA_hm", sample, 500) for position in batch]
    if order:
        os.environ["KOMABAKO_ORDER"] = order
    return found


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def check_memory(library, folder):
    """Streams that are opened, read and destroyed leave nothing behind."""
    file = [os.fsencode(folder / "seven.psv")]

    def use(times):
        for _ in range(times):
            stream = library.create(b"HalfKA_hm", file, 3)
            batch = library.dll.fetch_next_sparse_batch(stream)
            library.dll.destroy_sparse_batch(batch)
            library.dll.destroy_sparse_batch_stream(stream)

    use(500)
    if not os.path.exists("/proc/self/statm"):
        return
    before = resident()
    use(int(os.environ.get("KOMABAKO_STREAMS", "1000")))
    assert resident() < before + (8 << 20), (before, resident())


def main(coo_path, padded_path, data):
    data = pathlib.Path(data)
    here = pathlib.Path(__file__).parent / "data"
    coo, padded = Coo(coo_path), Padded(padded_path)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        count = check_known(coo, here / "nnue_coo.tsv", folder) + check_known(padded, here / "nnue_padded.tsv", folder)
        assert count == 60
        for library, feature in [(coo, b"HalfKP^"), (padded, b"HalfKA_hm^")]:
            check_cyclic(library, feature, data, folder)
            check_sources(library, feature, data)
            check_left_out(library, data, folder)
            check_refusals(library, data)
            check_threads(library, data)
            check_memory(library, folder)
        check_fens(coo)
        check_settings(coo, padded, data)
    print(f"nnue: good, {count} known answers")


if __name__ == "__main__":
    main(*sys.argv[1:])
