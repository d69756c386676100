# ---- factorisations and linear equations

def equations():
    la, ta = np.linalg, library == "torch" and torch.linalg

    def several(name, suffix, draw, shape):
        n = shape[-1]

        def definite():
            a = draw(*shape)
            return (a @ a.swapaxes(-1, -2) + n * np.eye(n, dtype=a.dtype)).astype(a.dtype)

        right = (*shape[:-1], 1)
        case(f"lapack/solve/{name}/{suffix}", lambda: [definite(), draw(*right)], la.solve, ta and ta.solve)
        case(f"lapack/cholesky/{name}/{suffix}", lambda: [definite()], la.cholesky, ta and ta.cholesky)
        case(f"lapack/inv/{name}/{suffix}", lambda: [definite()], la.inv, ta and ta.inv)
        case(f"lapack/qr/{name}/{suffix}", lambda: [draw(*shape)], la.qr, ta and ta.qr)
        if len(shape) > 2:
            case(f"lapack/det/{name}/{suffix}", lambda: [draw(*shape)], la.det, ta and ta.det)

    for suffix, draw in (("f64", double), ("f32", single)):
        for n in (64, 256, 1024, 2048):
            several(str(n), suffix, draw, (n, n))
        for batch, n in ((10000, 4), (5000, 8), (500, 32)):
            several(f"{batch}x{n}x{n}", suffix, draw, (batch, n, n))
