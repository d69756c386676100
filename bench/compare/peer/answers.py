# ---- answers

def median(values):
    return sorted(values)[len(values) // 2]


def timed(run, per, seconds):
    clock = time.perf_counter
    start = clock()
    run()
    wait()
    once = clock() - start
    inner = max(1, min(int(seconds / 5 / max(once, 1e-9)), 10**6))
    samples, began = [], clock()
    while len(samples) < 3 or clock() - began < seconds:
        start = clock()
        for _ in range(inner):
            run()
        wait()
        samples.append((clock() - start) / inner)
    return median(samples) / per * 1e9


def blas():
    """The kernels that NumPy's OpenBLAS chose."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if re.search("openblas", line)}
    for path in paths:
        loaded = ctypes.CDLL(path)
        for symbol in ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename64_", "openblas_get_corename"):
            try:
                name = getattr(loaded, symbol)
            except AttributeError:
                continue
            name.restype = ctypes.c_char_p
            return name().decode()
    return "unknown"


def about():
    facts = {"python": sys.version.split()[0], "numpy": np.__version__}
    if library == "torch":
        facts.update(torch=torch.__version__, instructions=torch.backends.cpu.get_cpu_capability())
        if device != "cpu":
            facts.update(device=torch.cuda.get_device_name())
    elif library == "cupy":
        facts.update(cupy=cupy.__version__)
    elif library == "onnxruntime":
        facts.update(onnxruntime=onnxruntime.__version__)
    else:
        import scipy
        np.matmul(single(8, 8), single(8, 8))
        facts.update(scipy=scipy.__version__, openblas=blas())
    return facts


def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def answer(words, state):
    command = words[0]
    if command == "about":
        return about()
    if command == "memory":
        return {"bytes": peak()}
    if command == "setup":
        state.clear()
        setup, per, gradients = cases.get(words[1], (None, 1, False))
        if setup is None:
            return {"known": False}
        if library == "torch":
            torch.set_grad_enabled(gradients)
        state["run"], state["per"] = setup(), per
        if library == "cupy":
            try:  # NumPy forwards most functions to CuPy, but not all
                result = state["run"]()
                wait()
            except (TypeError, NotImplementedError, ValueError, AttributeError):
                return {"known": False}
            return {"known": not isinstance(result, np.ndarray)}  # NumPy itself computed an ndarray
        return {"known": True}
    if command == "time":
        return {"ns": timed(state["run"], state["per"], float(words[1]))}
    for _ in range(int(words[1])):
        state["run"]()
    return {}


if __name__ == "__main__":
    state = {}
    for line in sys.stdin:
        try:
            reply = answer(line.split(), state)
        except Exception as problem:
            reply = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(reply), flush=True)
