"""Records 50 steps of torch's Adam on a small regression, in float64.

    pip install torch==2.15.0
    python adam.py              # writes adam.json beside itself
"""
import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
x = torch.tensor([[(7 * i + 3 * j) % 11 / 4 - 1 for j in range(3)] for i in range(8)])
t = torch.tensor([(5 * i) % 8 / 8 for i in range(8)])

runs = []
for settings in [{}, {"eps": 0.01}, {"eps": 0.1, "betas": (0.8, 0.9), "weight_decay": 0.02}]:
    w = torch.tensor([0.5, -0.25, 0.125], requires_grad=True)
    adam = torch.optim.Adam([w], lr=0.05, **settings)
    losses = []
    for _ in range(50):
        adam.zero_grad()
        loss = ((torch.tanh(x @ w) - t) ** 2).mean()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    beta1, beta2 = settings.get("betas", (0.9, 0.999))
    runs.append({"beta1": beta1, "beta2": beta2, "eps": settings.get("eps", 1e-8), "decay": settings.get("weight_decay", 0),
                 "losses": [float(f"{v:.12g}") for v in losses], "w": w.tolist()})

recorded = {"torch": torch.__version__, "x": x.tolist(), "t": t.tolist(), "runs": runs}
text = json.dumps(recorded).replace(', "', ',\n"').replace("}, {", "},\n{")
pathlib.Path(__file__).with_name("adam.json").write_text(text + "\n")
