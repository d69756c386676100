# ---- updates of many parameters, and steps of the programs in examples

UPDATED = 10_000_000


def optimizers():
    if library == "numpy":
        return

    def lamb(weights):
        means, squares, t = [torch.zeros_like(w) for w in weights], [torch.zeros_like(w) for w in weights], 0
        rate, beta1, beta2, eps = 1e-3, 0.9, 0.999, 1e-6

        def run():
            gradients = [w.grad for w in weights]
            torch._foreach_mul_(means, beta1)
            torch._foreach_add_(means, gradients, alpha=1 - beta1)
            torch._foreach_mul_(squares, beta2)
            torch._foreach_addcmul_(squares, gradients, gradients, 1 - beta2)
            steps = torch._foreach_sqrt(squares)
            torch._foreach_add_(steps, eps)
            steps = torch._foreach_div(means, steps)
            ratios = torch._foreach_div(torch._foreach_norm(weights), torch._foreach_norm(steps))
            torch._foreach_mul_(steps, ratios)
            torch._foreach_add_(weights, steps, alpha=-rate)

        return run

    def update(arrays, make, clip=False):
        def setup():
            weights = [torch.nn.Parameter(ready(single(UPDATED // arrays))) for _ in range(arrays)]
            for w in weights:
                w.grad = ready(single(UPDATED // arrays))
            solver = make(weights)

            def run():
                if clip:
                    torch.nn.utils.clip_grad_norm_(weights, 1.0)
                solver.step()

            return run

        return setup

    def lamb_of(arrays):
        def setup():
            weights = [ready(single(UPDATED // arrays)) for _ in range(arrays)]
            for w in weights:
                w.grad = ready(single(UPDATED // arrays))
            return lamb(weights)

        return setup

    for arrays in (1, 100):
        shape = f"{arrays}x{UPDATED // arrays}/f32"
        made(f"update/sgd/{shape}", torch=update(arrays, lambda w: torch.optim.SGD(w, 1e-3, foreach=True)), gradients=True)
        made(f"update/momentum/{shape}", torch=update(arrays, lambda w: torch.optim.SGD(w, 1e-3, momentum=0.9, fused=True)), gradients=True)
        made(f"update/adam/{shape}", torch=update(arrays, lambda w: torch.optim.Adam(w, 1e-3, fused=True)), gradients=True)
        made(f"update/adamw/{shape}", torch=update(arrays, lambda w: torch.optim.AdamW(w, 1e-3, fused=True)), gradients=True)
        made(f"update/lamb/{shape}", torch=lamb_of(arrays))
        made(f"update/adam_clipped/{shape}", torch=update(arrays, lambda w: torch.optim.Adam(w, 1e-3, fused=True), True), gradients=True)

    def example(name, model, inputs, targets, loss):
        step(f"examples_{name}", model, lambda parameters: torch.optim.Adam(parameters, 1e-3, fused=True), inputs, targets, loss)

    def lenet(side):
        return lambda: nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(32 * (side // 4) ** 2, 128), nn.ReLU(), nn.Dropout(0.25), nn.Linear(128, 10))

    for side in (8, 28):
        example(f"lenet{side}/B64", lenet(side), lambda side=side: ready(single(64, 1, side, side)), lambda: ready(whole(10, 64)), F.cross_entropy)

    class Autoencoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.mean, self.lnvar = nn.Linear(64, 256), nn.Linear(256, 8), nn.Linear(256, 8)
            self.three, self.four = nn.Linear(8, 256), nn.Linear(256, 64)

        def forward(self, x):
            h = F.relu(self.one(x))
            mean, lnvar = self.mean(h), self.lnvar(h)
            z = mean + torch.randn_like(mean) * torch.exp(lnvar / 2)
            return self.four(F.relu(self.three(z))), mean, lnvar

    def bound(out, x):
        y, mean, lnvar = out
        missed = F.binary_cross_entropy_with_logits(y, x, reduction="sum")
        return (missed + ((mean * mean + lnvar.exp() - lnvar - 1) / 2).sum()) / 64

    pixels = single(64, 64, low=0.0)
    example("vae/B64", Autoencoder, lambda: ready(pixels), lambda: ready(pixels), bound)

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.cell, self.out = nn.Embedding(93, 128), nn.LSTM(128, 128, 2, dropout=0.1), nn.Linear(128, 93)

        def forward(self, x):
            return self.out(F.dropout(self.cell(self.table(x))[0], 0.1))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.n1, self.n2 = nn.LayerNorm(128), nn.LayerNorm(128)
            self.qkv, self.back = nn.Linear(128, 384), nn.Linear(128, 128)
            self.one, self.two = nn.Linear(128, 512), nn.Linear(512, 128)

        def forward(self, h):  # (batch, steps, features)
            q, k, v = self.qkv(self.n1(h)).view(32, 48, 3, 4, 32).permute(2, 0, 3, 1, 4)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            h = h + self.back(y.transpose(1, 2).reshape(32, 48, 128))
            return h + F.dropout(self.two(F.gelu(self.one(self.n2(h)), approximate="tanh")), 0.1)

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.position, self.norm, self.out = nn.Embedding(93, 128), nn.Embedding(48, 128), nn.LayerNorm(128), nn.Linear(128, 93)
            self.blocks = nn.ModuleList([Block(), Block()])

        def forward(self, x):
            h = self.table(x.T) + self.position(torch.arange(48))
            for b in self.blocks:
                h = b(F.dropout(h, 0.1))
            return self.out(self.norm(h)).transpose(0, 1)

    def characters(y, labels):
        return F.cross_entropy(y.reshape(-1, 93), labels.reshape(-1))

    for name, model in (("charlm_lstm", Recurrent), ("charlm_transformer", Transformer)):
        example(f"{name}/T48_B32", model, lambda: ready(whole(93, 48, 32)), lambda: ready(whole(93, 48, 32)), characters)
