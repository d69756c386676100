# ---- Fourier transforms

def transforms():
    other = torch.fft if library == "torch" else None

    def both(name, operand, function):
        case("fft/" + name, lambda: [operand()], getattr(np.fft, function), other and getattr(other, function))

    for part, whole in (("f32", "c64"), ("f64", "c128")):
        make, dtype = numbers(part), {"c64": np.complex64, "c128": np.complex128}[whole]

        def complexes(name, function, *shape, make=make, dtype=dtype, whole=whole):
            both(f"{name}/{whole}", lambda: make(*shape).astype(dtype), function)

        def reals(name, function, *shape, make=make, part=part):
            both(f"{name}/{part}", lambda: make(*shape), function)

        for n, size in [(f"2^{log}", 1 << log) for log in (8, 10, 12, 15, 18, 20, 22)] + [(n, n) for n in (1000, 100000, 1000000, 1009, 10007)]:
            complexes(f"fft/{n}", "fft", size)
            reals(f"rfft/{n}", "rfft", size)
        complexes("ifft/2^20", "ifft", 1 << 20)
        complexes("irfft/2^20", "irfft", (1 << 19) + 1)
        complexes("rows/10000x64", "fft", 10000, 64)
        complexes("rows/500x1000", "fft", 500, 1000)
        for n in (256, 1024):
            complexes(f"fft2/{n}x{n}", "fft2", n, n)
            reals(f"rfft2/{n}x{n}", "rfft2", n, n)
