# ---- eigenvalues and singular values

def spectra():
    la, ta = np.linalg, library == "torch" and torch.linalg

    def general(dtype, *shape):
        return numbers(dtype)(*shape)

    def symmetric(dtype, *shape):
        a = general(dtype, *shape)
        return a + np.swapaxes(a, -1, -2)

    def add(name, operand, numpy, torch, doubles, singles):
        for dtype, sizes in (("f64", doubles), ("f32", singles)):
            for n in sizes:
                shape = (n, n) if isinstance(n, int) else n
                case(f"lapack/{name}/{'x'.join(map(str, shape)) if len(shape) > 2 else n}/{dtype}",
                     lambda dtype=dtype, shape=shape: [operand(dtype, *shape)], numpy, torch)

    batch = (1000, 8, 8)
    add("eigh", symmetric, la.eigh, ta and ta.eigh, [64, 256, 1024, 2048, batch], [64, 256, 1024])
    add("eigvalsh", symmetric, la.eigvalsh, ta and ta.eigvalsh, [64, 256, 1024], [1024])
    add("svd", general, la.svd, ta and ta.svd, [64, 256, 1024, 2048, batch], [64, 256, 1024])
    add("svdvals", general, lambda x: la.svd(x, compute_uv=False), ta and ta.svdvals, [64, 256, 1024], [1024])
    add("eig", general, la.eig, ta and ta.eig, [64, 256, 1024], [256])
    add("eigvals", general, la.eigvals, ta and ta.eigvals, [64, 256, 1024], [])

