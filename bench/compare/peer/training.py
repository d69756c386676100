# ---- training

def step(name, model, solver, inputs, targets, loss):
    """A case for torch: a loss, its gradient, and the update."""
    def setup():
        net = model()
        optimizer, x, y = solver(net.parameters()), inputs(), targets()

        def run():
            optimizer.zero_grad(set_to_none=True)
            loss(net(x), y).backward()
            optimizer.step()

        return run

    made(f"e2e/{name}/f32", torch=setup, gradients=True)


def training():
    if library == "numpy":
        made("e2e/mlp_784_1000_1000_10_sgd/B100/f32", numpy=lambda: mlp_of_numpy(784, 1000, 1000, 10))
        return

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.c1, self.c2 = (nn.Conv2d(64, 64, 3, padding=1, bias=False) for _ in range(2))
            self.b1, self.b2 = nn.BatchNorm2d(64), nn.BatchNorm2d(64)

        def forward(self, x):
            return F.relu(x + self.b2(self.c2(F.relu(self.b1(self.c1(x))))))

    class Characters(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.cell, self.out = nn.Embedding(100, 64), nn.LSTM(64, 128), nn.Linear(128, 100)

        def forward(self, x):
            return self.out(self.cell(self.table(x))[0]).reshape(1600, 100)

    def sgd(parameters):
        return torch.optim.SGD(parameters, 0.01)

    def adam(parameters):
        return torch.optim.Adam(parameters, 1e-3)

    def floats(*shape):
        return lambda: ready(single(*shape))

    def labels(*shape):
        return lambda: ready(whole(10, *shape))

    step("mlp_784_1000_1000_10_sgd/B100",
         lambda: nn.Sequential(nn.Linear(784, 1000), nn.ReLU(), nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 10)),
         sgd, floats(100, 784), labels(100), F.cross_entropy)
    step("mnist_convnet_adam/B64",
         lambda: nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                               nn.Linear(9216, 128), nn.ReLU(), nn.Linear(128, 10)),
         adam, floats(64, 1, 28, 28), labels(64), F.cross_entropy)
    for batch in 64, 128:
        step(f"lenet5_adam/B{batch}",
             lambda: nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                                   nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                                   nn.Linear(84, 10)),
             adam, floats(batch, 1, 28, 28), labels(batch), F.cross_entropy)
    step("resnet_basicblock64_sgdm/16x64x56x56", Block, lambda parameters: torch.optim.SGD(parameters, 0.01, momentum=0.9),
         lambda: ready(single(16, 64, 56, 56)).requires_grad_(), floats(16, 64, 56, 56), F.mse_loss)
    step("transformer_layer256_adam/B8_T128", lambda: nn.TransformerEncoderLayer(256, 4, 1024, 0.0, batch_first=True),
         adam, floats(8, 128, 256), floats(8, 128, 256), F.mse_loss)
    step("charlstm128_adam/T50_B32", Characters, adam, lambda: ready(whole(100, 50, 32)), lambda: ready(whole(100, 1600)), F.cross_entropy)
    step("tiny_mlp_10_32_1_sgd/B16", lambda: nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1)),
         sgd, floats(16, 10), floats(16, 1), F.mse_loss)


def mlp_of_numpy(*sizes):
    rate = np.float32(0.01)
    weights = [single(m, n) * np.float32(0.03) for m, n in zip(sizes, sizes[1:])]
    biases = [np.zeros(n, np.float32) for n in sizes[1:]]
    x, labels, rows = single(100, 784), whole(10, 100), np.arange(100)

    def run():
        inputs, h = [], x
        for w, b in zip(weights, biases):
            inputs.append(h)
            z = h @ w + b
            h = np.maximum(z, 0)
        d = np.exp(z - z.max(-1, keepdims=True))
        d /= d.sum(-1, keepdims=True)
        d[rows, labels] -= 1
        d /= np.float32(100)
        for k in reversed(range(len(weights))):
            below = d @ weights[k].T if k else None
            weights[k] -= rate * (inputs[k].T @ d)
            biases[k] -= rate * d.sum(0)
            if k:
                below *= inputs[k] > 0
                d = below

    return run
