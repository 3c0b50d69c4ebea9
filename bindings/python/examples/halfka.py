"""A value network on HalfKA_hm with `EmbeddingBag`: `python halfka.py FILE.psv [EPOCHS]`."""

import sys

import torch
from torch import nn

import komabako
from komabako.features import HALFKA_HM_SIZE, halfka_hm


def inputs(records):
    indices, offsets = halfka_hm(records, offsets=True)
    return torch.from_numpy(indices), torch.from_numpy(offsets), torch.from_numpy(komabako.targets(records, scale=600).value)


torch.manual_seed(1)
bag, head = nn.EmbeddingBag(HALFKA_HM_SIZE, 64, mode="sum", include_last_offset=True), nn.Linear(128, 1)
optimizer, losses = torch.optim.AdamW([*bag.parameters(), *head.parameters()], 2e-3), []
batches = komabako.Batches(sys.argv[1], 128, seed=1, transform=inputs)
for epoch in range(int((sys.argv + ["4"])[2])):
    for indices, offsets, value in batches:
        made = head(bag(indices, offsets).reshape(-1, 128).clamp(0, 1))[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(made, value)
        optimizer.zero_grad(), loss.backward(), optimizer.step()
        losses.append(loss.item())
print(f"loss {sum(losses[:5]) / 5:.3f} -> {sum(losses[-5:]) / 5:.3f}")
