"""Compares the training of an imported LeNet with PyTorch's: 20 steps of gradient descent, whose losses are within 1e-4.

    python finetune.py RUNNER FOLDER

RUNNER is the built testing/onnx/finetune. The network is exported twice: as torch does, and with its weights in Constant nodes.
"""
import os
import subprocess
import sys

import numpy as np
import onnx
import torch
from torch import nn

STEPS, RATE = 20, 0.1


def main(runner, folder):
    torch.manual_seed(35)
    net = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))
    x, t = torch.rand(32, 1, 28, 28), torch.randint(0, 10, (32,))
    path, data = os.path.join(folder, "lenet.onnx"), os.path.join(folder, "data.npz")
    torch.onnx.export(net, (x,), path, input_names=["x"], opset_version=17, dynamo=False)
    np.savez(data, x=x.numpy(), t=t.numpy())
    model = onnx.load(path)
    tensors = list(model.graph.initializer)
    del model.graph.initializer[:]
    nodes = [onnx.helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in tensors] + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    constants = os.path.join(folder, "constants.onnx")
    onnx.save(model, constants)

    solver, want = torch.optim.SGD(net.parameters(), RATE), []
    for _ in range(STEPS):
        loss = nn.functional.cross_entropy(net(x), t)
        want.append(loss.item())
        solver.zero_grad()
        loss.backward()
        solver.step()
    failed = 0
    for name, file in ("initializers", path), ("Constant nodes", constants):
        p = subprocess.run([runner, file, data, str(STEPS), str(RATE)], capture_output=True, text=True)
        if p.returncode:
            print(f"{name}: {p.stderr.strip()[:400]}")
            failed += 1
            continue
        got = [float(v) for v in p.stdout.split()]
        worst = max(abs(g - w) for g, w in zip(got, want, strict=True))
        good = worst <= 1e-4 and got[-1] < got[0]
        failed += not good
        print(f"LeNet with weights in {name}: {'' if good else 'FAILED: '}loss {got[0]:.4f} to {got[-1]:.4f}, within {worst:.2g} of torch")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
