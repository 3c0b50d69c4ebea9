"""Trains on a GPU from `Batches`, and compares with the loader alone and the network alone:

python bindings/python/benches/feed.py FILE.psv [--threads 1 2 4] [--seconds 10] [--copies 100]

Needs torch with CUDA. Prints one line `network,work,threads,unit,figure` per row. The file is written `--copies` times to a temporary
file, so that an epoch takes seconds.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from typing import Any, Callable, Dict, List, Tuple

import torch
from torch import nn

import komabako
from komabako.torch import unpack_bits

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Nnue(nn.Module):
    """HalfKA_hm inputs to 1,024 accumulators and nine stacks of 16 and 32."""

    options: Dict[str, Any] = {"features": "halfka_hm2", "layout": "padded", "buckets": "k3k3"}
    members = ("stm", "nstm", "buckets", "targets")

    def __init__(self, width: int = 1_024, stacks: int = 9) -> None:
        super().__init__()
        # The first row is for the padding, -1.
        self.accumulator = nn.EmbeddingBag(73_306, width, mode="sum", padding_idx=0)
        nn.init.normal_(self.accumulator.weight, std=0.01)
        self.first = nn.Linear(2 * width, 16 * stacks)
        self.second = nn.Linear(16, 32 * stacks)
        self.last = nn.Linear(32, stacks)
        self.stacks = stacks

    def choose(self, made: torch.Tensor, stack: torch.Tensor) -> torch.Tensor:
        parts = made.view(len(made), self.stacks, -1)
        return parts[torch.arange(len(made), device=made.device), stack].clamp(0, 1)

    def loss(self, stm: torch.Tensor, nstm: torch.Tensor, buckets: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        stack = buckets.long()
        both = torch.cat([self.accumulator(stm + 1), self.accumulator(nstm + 1)], 1).clamp(0, 1)
        inner = self.choose(self.second(self.choose(self.first(both), stack)), stack)
        value = self.last(inner).gather(1, stack[:, None])[:, 0]
        return nn.functional.binary_cross_entropy_with_logits(value.float(), targets)


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        layers: List[nn.Module] = []
        for _ in range(2):
            layers += [nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        self.layers = nn.Sequential(*layers[:-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.layers(x))


class Resnet(nn.Module):
    """dlshogi's planes as bits, expanded on the device, to ten blocks of 192 filters, value and policy."""

    options: Dict[str, Any] = {"planes": "bits", "policy": "moves"}
    members = ("features1", "features2", "moves", "targets")

    def __init__(self, width: int = 192) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(119, width, 3, padding=1), *(Block(width) for _ in range(10)))
        self.policy = nn.Sequential(nn.Conv2d(width, 27, 1), nn.Flatten())
        self.value = nn.Sequential(nn.Conv2d(width, 27, 1), nn.Flatten(), nn.ReLU(), nn.Linear(2_187, 1), nn.Flatten(0))

    def loss(self, features1: torch.Tensor, features2: torch.Tensor, moves: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        x = torch.cat([unpack_bits(features1, 62), unpack_bits(features2, 57)], 1)
        x = self.trunk(x.to(memory_format=torch.channels_last))
        policy = nn.functional.cross_entropy(self.policy(x).float(), moves, ignore_index=-1)
        return policy + nn.functional.binary_cross_entropy_with_logits(self.value(x).float(), targets)


Step = Callable[[Tuple[torch.Tensor, ...]], torch.Tensor]


def trained(network: nn.Module) -> Step:
    """A step of training."""
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, fused=DEVICE.type == "cuda")

    def step(inputs: Tuple[torch.Tensor, ...]) -> torch.Tensor:
        with torch.autocast(DEVICE.type, torch.bfloat16):
            loss = network.loss(*inputs)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def moved(batch: Any, members: Tuple[str, ...]) -> Tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(getattr(batch, name)).to(DEVICE, non_blocking=True) for name in members)


def wait() -> None:
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


def rate(seconds: float, positions: Callable[[], int]) -> float:
    """Calls again and again for some seconds; thousands of positions a second."""
    wait()
    start = time.perf_counter()
    total = 0
    while time.perf_counter() - start < seconds:
        total += positions()
    wait()
    return total / (time.perf_counter() - start) / 1_000


def measure(network: nn.Module, path: str, batch_size: int, threads: List[int], seconds: float) -> None:
    name = type(network).__name__.lower()
    network = network.to(DEVICE)
    step = trained(network)

    def row(work: str, count: int, unit: str, figure: float) -> None:
        print(f"{name},{work},{count},{unit},{figure:.4g}", flush=True)

    def begin(count: int) -> Any:
        targets = {"curve": "logistic", "scaling": 600, "lambda": 0.7}
        common = {"order": "riffle", "seed": 1, "targets": targets, "drop_last": True}
        return komabako.Batches(path, batch_size, threads=count, prefetch=2 * count, **common, **network.options)

    def endless(batches: Any) -> Any:
        while True:
            yield from batches

    fixed = moved(next(iter(begin(1))), network.members)

    def alone() -> int:
        step(fixed)
        return batch_size

    rate(3.0, alone)
    network_alone = rate(seconds, alone)
    row("network alone", 0, "thousands of positions a second", network_alone)
    for count in threads:
        stream = endless(begin(count))
        next(stream)

        def load(stream: Any = stream) -> int:
            return len(next(stream).records)

        losses: List[torch.Tensor] = []

        def both(stream: Any = stream, losses: List[torch.Tensor] = losses) -> int:
            batch = next(stream)
            losses.append(step(moved(batch, network.members)))
            return len(batch.records)

        row("loader alone", count, "thousands of positions a second", rate(seconds, load))
        together = rate(seconds, both)
        row("both", count, "thousands of positions a second", together)
        row("both over network alone", count, "share", together / network_alone)
        few = max(1, len(losses) // 10)
        row("loss of the first tenth", count, "nats", torch.stack(losses[:few]).mean().item())
        row("loss of the last tenth", count, "nats", torch.stack(losses[-few:]).mean().item())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--copies", type=int, default=100, help="how often the file is written")
    parser.add_argument("--batch", type=int, nargs=2, default=[65_536, 4_096], help="of the NNUE and of the ResNet")
    options = parser.parse_args()
    device = torch.cuda.get_device_name(0) if DEVICE.type == "cuda" else "CPU"
    print(f"# {device}, torch {torch.__version__}, {os.cpu_count()} CPUs, komabako {komabako.__version__}", flush=True)
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "copies.psv")
        with open(options.file, "rb") as one, open(path, "wb") as copies:
            content = one.read()
            for _ in range(options.copies):
                copies.write(content)
        for network, batch_size in zip([Nnue(), Resnet()], options.batch):
            measure(network, path, batch_size, options.threads, options.seconds)


if __name__ == "__main__":
    main()
