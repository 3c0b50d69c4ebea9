"""dlshogi's network on two hcpe3 files, mirrored at random, with soft policies: `python resnet.py A.hcpe3 B.hcpe3 [EPOCHS]`."""

import sys

import numpy as np
import torch
from torch import nn

import komabako
from komabako.torch import Dataset, unpack_bits

WAYS = [0, 2, 1, 4, 3, 5, 7, 6, 9, 8]  # left and right of the ways to arrive at a square
WAYS += [10 + way for way in WAYS] + list(range(20, 27))
MIRROR = np.array([81 * way + 9 * (8 - square // 9) + square % 9 for way in WAYS for square in range(81)])


def inputs(batch, rng):
    turned = rng.random(len(batch.records)) < 0.5
    batch.records[turned] = komabako.mirror(batch.records[turned])
    batch.probabilities[turned] = batch.probabilities[turned][:, MIRROR]
    targets = komabako.targets(batch.records)
    return (*komabako.features.dlshogi(batch.records, "bits"), batch.probabilities, (targets.value + targets.result) / 2)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers = [nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)) for _ in range(2)]
        self.layers = nn.Sequential(layers[0], nn.ReLU(), layers[1])

    def forward(self, x):
        return torch.relu(x + self.layers(x))


torch.manual_seed(1)
sources = [komabako.Source(sys.argv[1], weight=3), komabako.Source(sys.argv[2], weight=1)]
soft = {"visits": {"temperature": 1.0, "layout": "dense"}}
batches = komabako.Batches(sources, 64, order="stream", seed=1, policy=soft, epoch_records=1_280, transform=inputs)
trunk = nn.Sequential(nn.Conv2d(119, 32, 3, padding=1), Block(32), Block(32))
policy, value = nn.Sequential(nn.Conv2d(32, 27, 1), nn.Flatten()), nn.Sequential(nn.Flatten(), nn.Linear(2592, 1), nn.Flatten(0))
optimizer = torch.optim.AdamW([*trunk.parameters(), *policy.parameters(), *value.parameters()], 2e-3)
losses = []
for epoch in range(int((sys.argv + ["3"])[3])):
    for planes, hands, soft_policy, winning in torch.utils.data.DataLoader(Dataset(batches), batch_size=None):
        x = trunk(torch.cat([unpack_bits(planes, 62), unpack_bits(hands, 57)], 1))
        loss = nn.functional.cross_entropy(policy(x), soft_policy) + nn.functional.binary_cross_entropy_with_logits(value(x), winning)
        optimizer.zero_grad(), loss.backward(), optimizer.step()
        losses.append(loss.item())
print(f"loss {np.mean(losses[:10]):.3f} -> {np.mean(losses[-10:]):.3f}")
