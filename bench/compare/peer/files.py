# ---- files of one array: every side reads the files that it wrote

FOLDER = tempfile.gettempdir()


def has(package):
    return importlib.util.find_spec(package) is not None


def filed(kind, extension, save, load=None, side=5000):
    """Cases that write and read a file: save(path, x), and load(path), whose elements are in memory of their own."""
    path = f"{FOLDER}/peer-{os.getpid()}{extension}"

    def reading():
        save(path, ready(single(side, side)))
        return lambda: load(path)

    def writing():
        x = ready(single(side, side))
        return lambda: save(path, x)

    if load is not None:
        made(f"files/{kind}_read/{side}x{side}/f32", reading, reading)
    made(f"files/{kind}_write/{side}x{side}/f32", writing, writing)


def files():
    if device != "cpu":
        return
    if library == "numpy":
        filed("npy", ".npy", np.save, np.load)
        filed("npz", ".npz", lambda path, x: np.savez(path, x=x), lambda path: np.load(path)["x"])
    else:
        filed("torch", ".pt", lambda path, x: torch.save({"x": x}, path), lambda path: torch.load(path)["x"])
    if library == "numpy" and has("h5py"):
        import h5py

        def saved(path, x, compression=None):
            with h5py.File(path, "w") as f:
                f.create_dataset("x", data=x, compression=compression)

        def loaded(path):
            with h5py.File(path) as f:
                return f["x"][...]

        filed("hdf5", ".h5", saved, loaded)
        filed("hdf5_gzip", ".h5", lambda path, x: saved(path, x, "gzip"), loaded, side=2500)
    if has("safetensors"):
        if library == "numpy":
            from safetensors.numpy import load_file, save_file
        else:
            from safetensors.torch import load_file, save_file

        def kept(path):
            x = load_file(path)["x"]
            return x if library == "numpy" else x.clone()  # torch's is the mapped file, of which nothing has been read

        # mxnet and nnabla cannot be had for this Python: their files are compared with safetensors
        for kind in ("safetensors", "mxnet", "nnabla"):
            filed(kind, ".safetensors", lambda path, x: save_file({"x": x}, path), kept)


for group in (products, elementwise, broadcasting, reductions, networks, convolutions, resampling, recurrent, indexing, layout, others,
              equations, spectra, transforms, beyond, dispatch, training, optimizers, natural, files):
    group()
