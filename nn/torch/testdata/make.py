"""Writes network.pt with PyTorch: a small network, what it computes, and an optimizer, in a checkpoint."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 2, 2), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.8, 0.95))
for _ in range(2):
    optimizer.zero_grad()
    model(torch.randn(4, 1, 3, 3)).square().mean().backward()
    optimizer.step()
x = torch.randn(2, 1, 3, 3)
model.eval()
torch.save({"epoch": 2, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "x": x, "y": model(x).detach()}, "network.pt")
