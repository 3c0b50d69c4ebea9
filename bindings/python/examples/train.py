"""Trains a small network for a minute: policy and value from dlshogi's planes, with PyTorch on a CPU. `pip install torch`, then

python bindings/python/examples/train.py data/sample.psv [SECONDS]
"""

from __future__ import annotations

import sys
import time

import torch
from torch import nn

import komabako
from komabako.torch import Dataset, unpack_bits

path, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
CHANNELS, BLOCKS = 32, 2


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.layers(x))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(62 + 57, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            *(Block() for _ in range(BLOCKS)),
        )
        # A label is 81 times the direction plus the target square.
        self.policy = nn.Sequential(nn.Conv2d(CHANNELS, 27, 1), nn.Flatten())
        self.value = nn.Sequential(nn.Flatten(), nn.Linear(CHANNELS * 81, 64), nn.ReLU(), nn.Linear(64, 1), nn.Flatten(0))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        trunk = self.trunk(x)
        return self.policy(trunk), self.value(trunk)


def inputs_and_targets(records: object) -> tuple[object, ...]:
    """Return the network's inputs and targets. The inputs are bits, 636 bytes per record, until they are on the device."""
    bits = komabako.features.dlshogi(records, "bits")
    targets = komabako.targets(records)
    # The value target is the mean of the search's value and the game's result.
    return (*bits, komabako.labels(records), (targets.value + targets.result) / 2)


torch.manual_seed(1)
batches = komabako.Batches(path, 128, order="shuffle", seed=1, transform=inputs_and_targets, drop_last=True)
if not len(batches):
    sys.exit(f"{path}: fewer than 128 records")
net = Net()
optimizer = torch.optim.AdamW(net.parameters(), 2e-3)
started, first = time.monotonic(), 0.0
while True:
    policy_loss = value_loss = 0.0
    for planes, hands, label, value in torch.utils.data.DataLoader(Dataset(batches), batch_size=None):
        policy, winning = net(torch.cat([unpack_bits(planes, 62), unpack_bits(hands, 57)], 1))
        # A record without a move has the label -1.
        of_policy = nn.functional.cross_entropy(policy, label, ignore_index=-1)
        of_value = nn.functional.binary_cross_entropy_with_logits(winning, value)
        optimizer.zero_grad()
        (of_policy + of_value).backward()
        optimizer.step()
        policy_loss += of_policy.item() / len(batches)
        value_loss += of_value.item() / len(batches)
    loss, elapsed = policy_loss + value_loss, time.monotonic() - started
    first = first or loss
    print(f"epoch {batches.epoch}: policy {policy_loss:.3f}, value {value_loss:.3f}, {elapsed:.0f} s", flush=True)
    # Train at least three epochs, even if a slow machine runs out of time before the loss changes visibly.
    if elapsed >= seconds and batches.epoch >= 3:
        break
print(f"loss {first:.3f} -> {loss:.3f}")
