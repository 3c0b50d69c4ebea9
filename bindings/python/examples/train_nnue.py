"""Trains a small NNUE network for seconds: HalfKA_hm inputs, win-rate targets, layer stacks by the kings, on a CPU. `pip install torch`, then

python bindings/python/examples/train_nnue.py data/sample.psv [EPOCHS]
"""

from __future__ import annotations

import sys

import torch
from torch import nn

import komabako

path, epochs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
INPUTS, WIDTH, STACKS = 73_305, 64, 9


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.accumulator = nn.EmbeddingBag(INPUTS, WIDTH, mode="sum", include_last_offset=True)
        nn.init.normal_(self.accumulator.weight, std=0.05)
        self.stacks = nn.Linear(2 * WIDTH, STACKS)

    def forward(self, batch: komabako.loader.Batch) -> torch.Tensor:
        own = self.accumulator(torch.from_numpy(batch.stm), torch.from_numpy(batch.stm_offsets).int())
        other = self.accumulator(torch.from_numpy(batch.nstm), torch.from_numpy(batch.nstm_offsets).int())
        made = self.stacks(torch.cat([own, other], 1).clamp(0, 1))
        return made.gather(1, torch.from_numpy(batch.buckets).long()[:, None])[:, 0]


batches = komabako.Batches(
    path,
    128,
    order="riffle",
    seed=1,
    features="halfka_hm2",
    layout="offsets",
    buckets="k3k3",
    targets={"curve": "wrm", "offset": 270, "scaling": 380, "lambda": 0.7},
)
torch.manual_seed(1)
net = Net()
optimizer = torch.optim.AdamW(net.parameters(), 2e-3)
losses = []
for epoch in range(epochs):
    total = count = 0.0
    for batch in batches:
        loss = nn.functional.binary_cross_entropy_with_logits(net(batch), torch.from_numpy(batch.targets))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(batch.records), count + len(batch.records)
    losses.append(total / count)
    print(f"epoch {epoch}: loss {losses[-1]:.4f}", flush=True)
print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}")
