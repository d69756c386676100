"""Compares the gradients in ddp.npz with those of PyTorch's DistributedDataParallel and SyncBatchNorm (gloo). See ddp.sh."""
import os
import sys

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

BATCH = 16


class Gathered(torch.autograd.Function):
    """The statistics of all ranks, stacked: nn.SyncBatchNorm itself needs GPUs."""

    @staticmethod
    def forward(ctx, x):
        all = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(all, x.contiguous())
        return torch.stack(all)

    @staticmethod
    def backward(ctx, g):
        g = g.contiguous()
        dist.all_reduce(g)
        return g[dist.get_rank()]


class Norm(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        mean = Gathered.apply(x.mean((0, 2, 3))).mean(0)
        squares = Gathered.apply((x * x).mean((0, 2, 3))).mean(0)
        shape = (1, -1, 1, 1)
        y = (x - mean.view(shape)) / torch.sqrt(squares - mean * mean + 1e-5).view(shape)
        return y * self.weight.view(shape) + self.bias.view(shape)


NAMES = {"conv/conv/W": "0.weight", "conv/conv/b": "0.bias", "conv/bn/gamma": "1.weight", "conv/bn/beta": "1.bias",
         "fc1/affine/W": "5.weight", "fc1/affine/b": "5.bias", "fc2/affine/W": "7.weight", "fc2/affine/b": "7.bias"}


def ours(name, x):
    """PyTorch's array as this library's: its matrices are transposed."""
    x = x.detach().numpy()
    if name.endswith("affine/W"):
        return x.T
    return x.reshape(1, -1, 1, 1) if "/bn/" in name else x


def work(rank, ranks, path):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=os.environ.get("MASTER_PORT", "29517"))
    dist.init_process_group("gloo", rank=rank, world_size=ranks)
    torch.set_num_threads(1)
    f = np.load(path)
    model = nn.Sequential(nn.Conv2d(1, 6, 5), Norm(6), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(216, 32), nn.ReLU(), nn.Linear(32, 10))
    ddp = nn.parallel.DistributedDataParallel(model)
    updates = len({n.split("/")[0] for n in f.files if "/" in n})
    worst = 0.0
    for k in range(updates):
        parameters = dict(model.named_parameters())
        with torch.no_grad():
            for name, theirs in NAMES.items():
                w = f[f"{k}/w/{name}"]
                w = w.T if name.endswith("affine/W") else w
                parameters[theirs].copy_(torch.from_numpy(np.ascontiguousarray(w)).reshape(parameters[theirs].shape))
        model.zero_grad()
        part = slice((k * ranks + rank) * BATCH, (k * ranks + rank + 1) * BATCH)
        x, labels = torch.from_numpy(f["x"][part]), torch.from_numpy(f["labels"][part])
        nn.functional.cross_entropy(ddp(x), labels).backward()
        for name, theirs in NAMES.items():
            got, want = f[f"{k}/g/{name}"], ours(name, parameters[theirs].grad)
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-6, err_msg=f"update {k}, {name}")
            worst = max(worst, float(np.abs(got - want).max()))
    if rank == 0:
        print(f"ok: {updates} updates of {len(NAMES)} parameters on {ranks} ranks; the largest difference of a gradient is {worst:.1e}")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(int(sys.argv[1]), sys.argv[2]), nprocs=int(sys.argv[1]))
