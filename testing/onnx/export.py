"""Checks exported models: onnx.checker, onnx's shape inference, and onnxruntime's outputs.

    python export.py FOLDER           # every NAME.onnx with NAME.npz of the folder
    python export.py -unpack MODELS.zip FOLDER    # writes the models of an archive and their inputs, for export.sh

Exits with 1 if a model fails. A NAME.npz has inputs under their names, and outputs under theirs with "out:" before them.
"""
import io
import pathlib
import sys
import zipfile

import numpy
import onnx
import onnx.numpy_helper
import onnxruntime


def unknown(model):
    """The values whose shapes are not known after inference."""
    graph = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True).graph
    known = {v.name: v for v in list(graph.value_info) + list(graph.output) + list(graph.input)}
    missing = []
    for node in graph.node:
        for name in node.output:
            v = known.get(name)
            shape = v.type.tensor_type.shape if v is not None and v.type.tensor_type.HasField("shape") else None
            if name and (shape is None or any(not d.HasField("dim_value") and not d.dim_param for d in shape.dim)):
                missing.append(f"{name} ({node.op_type})")
    return missing


def check(path):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    missing = unknown(model)
    if missing:
        return "shapes are unknown: " + ", ".join(missing[:5])
    if not path.with_suffix(".npz").exists():
        print(f"{path.stem}: {len(model.graph.node)} nodes, no inputs to compare with")
        return None
    arrays = numpy.load(path.with_suffix(".npz"))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = {i.name: arrays[i.name] for i in session.get_inputs()}
    worst = 0.0
    for out, got in zip(session.get_outputs(), session.run(None, inputs)):
        want = arrays["out:" + out.name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return f"{out.name} is {got.dtype}{got.shape}, want {want.dtype}{want.shape}"
        if want.dtype.kind != "f":
            if not numpy.array_equal(got, want):
                return f"{out.name} differs"
            continue
        scale = max(1e-30, numpy.abs(want[numpy.isfinite(want)]).max(initial=0))
        error = numpy.abs(got - want)
        error = numpy.where((got == want) | (numpy.isnan(got) & numpy.isnan(want)), 0, error).max(initial=0) / scale
        if not error < 1e-3:
            return f"{out.name} differs by {error:.2g} of its largest element"
        worst = max(worst, error)
    print(f"{path.stem}: {len(model.graph.node)} nodes, largest difference {worst:.1e}")
    return None


def unpack(archive, folder):
    """Writes each model NAME/model.onnx, with the inputs of its first data set as NAME.npz."""
    with zipfile.ZipFile(archive) as z:
        names = z.namelist()
        for name in names:
            if not name.endswith("model.onnx"):
                continue
            case = pathlib.PurePosixPath(name).parent
            data = z.read(name)
            model = onnx.load_from_string(data)
            if len(model.graph.node) == 0:
                continue
            initial = {t.name for t in model.graph.initializer}
            wanted = [v for v in model.graph.input if v.name not in initial]
            arrays = {}
            for k, v in enumerate(wanted):
                at = f"{case}/test_data_set_0/input_{k}.pb"
                if at not in names or not v.type.HasField("tensor_type"):
                    arrays = None
                    break
                tensor = onnx.TensorProto()
                tensor.ParseFromString(z.read(at))
                arrays[v.name] = onnx.numpy_helper.to_array(tensor)
            if arrays is None or not arrays:
                print(f"{case.name}: no tensors as inputs, left out")
                continue
            base = pathlib.Path(folder, case.name)
            base.with_name(base.name + ".onnx").write_bytes(data)
            numpy.savez(base.with_name(base.name + ".npz"), **arrays)


def main():
    if sys.argv[1] == "-unpack":
        unpack(sys.argv[2], sys.argv[3])
        return 0
    failed = 0
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
    for path in paths:
        try:
            problem = check(path)
        except Exception as e:  # a model that onnx or onnxruntime refuses is a failure like others
            problem = f"{type(e).__name__}: {str(e)[:600]}"
        if problem:
            failed += 1
            print(f"FAIL {path.stem}: {problem}")
    print(f"{len(paths)} models, {failed} failed")
    return 1 if failed or not paths else 0


sys.exit(main())
