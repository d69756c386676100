# ---- networks

def forth_and_back(name, operands, f, seed):
    """A case of f and its gradients with respect to all operands, from a gradient of ones."""

    def setup():
        xs = [ready(x).requires_grad_() for x in operands()]
        ones = torch.ones(seed)

        def run():
            for x in xs:
                x.grad = None
            f(*xs).backward(ones)

        return run

    made(name, torch=setup, gradients=True)


def networks():
    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        e /= e.sum(-1, keepdims=True)
        return e

    def log_softmax(x):
        z = x - x.max(-1, keepdims=True)
        return z - np.log(np.exp(z).sum(-1, keepdims=True))

    for rows, columns in ((4096, 1000), (64, 50000)):
        def make(rows=rows, columns=columns):
            return [single(rows, columns)]

        case(f"nn/softmax/{rows}x{columns}/f32", make, softmax, lambda x: torch.softmax(x, -1))
        case(f"nn/log_softmax/{rows}x{columns}/f32", make, log_softmax, lambda x: torch.log_softmax(x, -1))

    eps = np.float32(1e-5)

    def layer(x, gamma, beta):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * gamma + beta

    def layer_operands():
        return [single(4096, 1024), single(1024), single(1024)]

    case("nn/layer_norm/4096x1024/f32", layer_operands, layer, lambda x, gamma, beta: F.layer_norm(x, (1024,), gamma, beta))
    forth_and_back("nn/layer_norm_fwdbwd/4096x1024/f32", layer_operands,
                   lambda x, gamma, beta: F.layer_norm(x, (1024,), gamma, beta), (4096, 1024))

    def batch_numpy(x, gamma, beta):
        axes, shape = (0, 2, 3), (1, 64, 1, 1)
        scale = gamma.reshape(shape) / np.sqrt(x.var(axes, keepdims=True) + eps)
        return (x - x.mean(axes, keepdims=True)) * scale + beta.reshape(shape)

    def batch_operands():
        return [single(32, 64, 56, 56), single(64), single(64)]

    running = library == "torch" and (torch.zeros(64), torch.ones(64))
    case("nn/batch_norm_train/32x64x56x56/f32", batch_operands, batch_numpy,
         lambda x, gamma, beta: F.batch_norm(x, *running, gamma, beta, True))
    forth_and_back("nn/batch_norm_fwdbwd/32x64x56x56/f32", batch_operands,
                   lambda x, gamma, beta: F.batch_norm(x, None, None, gamma, beta, True), (32, 64, 56, 56))

    def entropy():
        x, labels = ready(single(4096, 1000)).requires_grad_(), ready(whole(1000, 4096))

        def run():
            x.grad = None
            F.cross_entropy(x, labels).backward()

        return run

    made("nn/cross_entropy_fwdbwd/4096x1000/f32", torch=entropy, gradients=True)
    case("nn/dropout/1e6/f32", lambda: [single(10**6)], torch=lambda x: F.dropout(x, 0.5, True))

    def ctc(x, labels):
        lengths = [x.shape[0]] * x.shape[1], [labels.shape[1]] * x.shape[1]
        return F.ctc_loss(torch.log_softmax(x, -1), labels, *lengths, reduction="none")

    def ctc_gradients():
        x, labels = ready(single(200, 16, 64)).requires_grad_(), ready(whole(63, 16, 40)) + 1
        ones = torch.ones(16)

        def run():
            x.grad = None
            ctc(x, labels).backward(ones)

        return run

    case("nn/ctc_loss/T200_B16_C64_L40/f32", lambda: [single(200, 16, 64), whole(63, 16, 40) + 1], torch=ctc)
    made("nn/ctc_loss_fwdbwd/T200_B16_C64_L40/f32", torch=ctc_gradients, gradients=True)

    def quantized_linear():
        warnings.filterwarnings("ignore", message=".*quantized tensor")
        x, w = ready(single(128, 1024)), ready(single(1024, 1024))
        packed = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(w, w.abs().max().item() / 127, 0, torch.qint8), None)
        return lambda: torch.ops.quantized.linear_dynamic(x, packed, False)

    made("nn/quantized_linear/128x1024x1024/i8", torch=quantized_linear)
    case("nn/attention_fwd/B8_H8_T256_D64/f32", lambda: [single(8, 8, 256, 64) for _ in range(3)],
         torch=lambda q, k, v: F.scaled_dot_product_attention(q, k, v))


def deformable(x, w, offset, mask):
    """3×3 elements at shifted positions, by grid_sample, and their products."""
    batch, channels, side, _ = x.shape
    tap, at = torch.arange(9), torch.arange(side)
    offset = offset.view(batch, 9, 2, side, side)
    rows = offset[:, :, 0] + (tap // 3 - 1).view(9, 1, 1) + at.view(side, 1)
    columns = offset[:, :, 1] + (tap % 3 - 1).view(9, 1, 1) + at
    grid = torch.stack([columns, rows], -1).view(batch, 9 * side, side, 2) * (2 / side) + (1 / side - 1)
    taken = F.grid_sample(x, grid, align_corners=False).view(batch, channels, 9, side * side) * mask.view(batch, 1, 9, side * side)
    return (w.view(64, channels * 9) @ taken.view(batch, channels * 9, side * side)).view(batch, 64, side, side)


def convolutions():
    for name, batch, channels, side, maps, kernel, stride, pad, groups in (
        ("k3_64", 32, 64, 56, 64, 3, 1, 1, 1),
        ("k7s2_3to64", 32, 3, 224, 64, 7, 2, 3, 1),
        ("dw3_128", 32, 128, 28, 128, 3, 1, 1, 128),
        ("k1_256", 32, 256, 28, 256, 1, 1, 0, 1),
        ("k3_512", 32, 512, 7, 512, 3, 1, 1, 1),
        ("mnist_k3_32to64", 64, 32, 26, 64, 3, 1, 0, 1),
    ):
        out = (side + 2 * pad - kernel) // stride + 1
        size = f"{batch}x{channels}x{side}x{side}/f32"

        def operands(batch=batch, channels=channels, side=side, maps=maps, kernel=kernel, groups=groups, out=out):
            return [single(batch, channels, side, side), single(maps, channels // groups, kernel, kernel), single(batch, maps, out, out)]

        case(f"conv2d/{name}_fwd/{size}", operands, torch=lambda x, w, g, s=stride, p=pad, n=groups: F.conv2d(x, w, None, s, p, 1, n))
        for part, wanted in (("bwd_input", [True, False, False]), ("bwd_weight", [False, True, False])):
            case(f"conv2d/{name}_{part}/{size}", operands,
                 torch=lambda x, w, g, s=stride, p=pad, n=groups, wanted=wanted: torch.ops.aten.convolution_backward(
                     g, x, w, None, [s, s], [p, p], [1, 1], False, [0, 0], n, wanted))
    case("conv2d/transpose_k4s2_fwd/32x64x28x28/f32", lambda: [single(32, 64, 28, 28), single(64, 32, 4, 4)],
         torch=lambda x, w: F.conv_transpose2d(x, w, None, 2, 1))
    case("conv1d/k3_64_fwd/32x64x1000/f32", lambda: [single(32, 64, 1000), single(64, 64, 3)],
         torch=lambda x, w: F.conv1d(x, w, None, 1, 1))

    for batch, channels, side in ((4, 64, 28), (1, 32, 64)):
        def deformed(batch=batch, channels=channels, side=side):
            return [single(batch, channels, side, side), single(64, channels, 3, 3), 2 * single(batch, 18, side, side),
                    single(batch, 9, side, side)]

        size = f"{batch}x{channels}x{side}x{side}/f32"
        case(f"deform2d/k3_64_fwd/{size}", deformed, torch=deformable)
        forth_and_back(f"deform2d/k3_64_fwdbwd/{size}", deformed, deformable, (batch, 64, side, side))

    def pooled():
        return [single(32, 64, 112, 112)]

    case("pool/max3s2_fwd/32x64x112x112/f32", pooled, torch=lambda x: F.max_pool2d(x, 3, 2, 1))
    forth_and_back("pool/max3s2_fwdbwd/32x64x112x112/f32", pooled, lambda x: F.max_pool2d(x, 3, 2, 1), (32, 64, 56, 56))
    case("pool/avg2s2_fwd/32x64x112x112/f32", pooled, torch=lambda x: F.avg_pool2d(x, 2, 2))


def recurrent():
    for name, layer in (("lstm", "LSTM"), ("gru", "GRU")):
        def forward(layer=layer):
            cell, x = getattr(nn, layer)(256, 256), ready(single(50, 32, 256))
            return lambda: cell(x)

        def both(layer=layer):
            cell, x = getattr(nn, layer)(256, 256), ready(single(50, 32, 256))

            def run():
                cell.zero_grad(set_to_none=True)
                cell(x)[0].sum().backward()

            return run

        made(f"rnn/{name}_fwd/T50_B32_I256_H256/f32", torch=forward)
        made(f"rnn/{name}_fwdbwd/T50_B32_I256_H256/f32", torch=both, gradients=True)


def resampling():
    def bilinear_back(side, to):
        return lambda x, g: torch.ops.aten.upsample_bilinear2d_backward(g, [to, to], list(x.shape), False)

    for batch, channels, side, to in ((8, 3, 224, 448), (8, 64, 56, 112), (8, 3, 512, 224), (4, 64, 28, 40)):
        size = f"{batch}x{channels}x{side}to{to}/f32"
        case(f"resize/bilinear_fwd/{size}", lambda n=batch, c=channels, s=side: [single(n, c, s, s)],
             torch=lambda x, to=to: F.interpolate(x, (to, to), mode="bilinear", align_corners=False))
        case(f"resize/bilinear_bwd/{size}", lambda n=batch, c=channels, s=side, to=to: [single(n, c, s, s), single(n, c, to, to)],
             torch=bilinear_back(side, to))
    for batch, channels, side in ((8, 3, 224), (8, 64, 56)):
        size = f"{batch}x{channels}x{side}x{side}/f32"

        def operands(n=batch, c=channels, s=side):
            theta = torch.tensor([[[0.9, 0.3, 0.1], [-0.3, 0.9, 0.0]]]).repeat(n, 1, 1)
            return [single(n, c, s, s), F.affine_grid(theta, (n, c, s, s), align_corners=False).numpy()]

        def sampled(x, grid):
            return F.grid_sample(x, grid, align_corners=False)

        case(f"grid_sample/bilinear_fwd/{size}", operands, torch=sampled)
        forth_and_back(f"grid_sample/bilinear_fwdbwd/{size}", operands, sampled, (batch, channels, side, side))
