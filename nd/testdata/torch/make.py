"""Writes the files of this folder, with PyTorch: python make.py."""
import collections

import torch


def save(name, value, **options):
    torch.save(value, name, **options)


base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
checkpoint = {
    "epoch": 3,
    "loss": 0.25,
    "note": "ä",
    "none": None,
    "large": 2**70,
    "model": collections.OrderedDict(base=base, turned=base.t(), part=base[1:, ::2], wide=base[:, :1].expand(3, 2), empty=torch.zeros(0, 3),
                                     number=torch.tensor(7), half=torch.tensor([0.5, -2]).to(torch.bfloat16)),
    "list": [1, True, (torch.tensor([1 + 2j]),)],
}
save("checkpoint.pt", checkpoint)
save("before16.pt", checkpoint, _use_new_zipfile_serialization=False)
save("float8.pt", {"a": torch.ones(2), "w": torch.ones(2).to(torch.float8_e4m3fn), "u": torch.tensor([1, 65535], dtype=torch.uint16)})


class Module(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 1)
        self.outer = torch.nn.Linear(2, 1)
        self.outer.weight = self.inner.weight
        torch.nn.init.constant_(self.inner.weight, 0.5)
        torch.nn.init.constant_(self.inner.bias, 3)
        torch.nn.init.constant_(self.outer.bias, 4)

    def forward(self, x):
        return self.outer(x) + self.inner(x) * torch.tensor([8.0])


torch.jit.trace(Module(), torch.ones(1, 2)).save("module.jit")
