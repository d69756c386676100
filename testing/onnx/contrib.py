"""Compares operators of the domain com.microsoft with onnxruntime: models of one node, on random inputs and attributes.

    python contrib.py RUNNER [OPERATOR…]

RUNNER is the built testing/onnx/run. Prints a line for each operator, and exits with 1 if one of them differs.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from contribcases import CASES


def model_of(operator, c):
    """Returns the bytes of the model, and the arrays of its inputs."""
    inputs = [None if x is None else np.asarray(x) for x in c["inputs"]]
    while inputs[-1] is None:
        inputs.pop()
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    outputs = c.get("outputs", 1)
    outputs = [1] * outputs if isinstance(outputs, int) else list(outputs)
    while not outputs[-1]:
        outputs.pop()
    made = [f"y{i}" if wanted else "" for i, wanted in enumerate(outputs)]
    node = helper.make_node(operator, names, made, domain=c.get("domain", "com.microsoft"), **c.get("attributes", {}))
    fixed = [i for i in c.get("initializers", []) if i < len(inputs) and inputs[i] is not None]
    given = {f"x{i}": x for i, x in enumerate(inputs) if x is not None and i not in fixed}
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(k, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for k, x in given.items()],
                              [onnx.ValueInfoProto(name=k) for k in made if k],
                              [numpy_helper.from_array(inputs[i], f"x{i}") for i in fixed])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    return model, given


def differences(operator, c, folder, runner, session_options):
    """Returns what is wrong with a case ("" if nothing is), or None if onnxruntime does not run it."""
    model, given = model_of(operator, c)
    path = os.path.join(folder, "model.onnx")
    onnx.save(model, path)
    try:
        session = onnxruntime.InferenceSession(path, session_options, providers=["CPUExecutionProvider"])
        names = [o.name for o in session.get_outputs()]
        want = dict(zip(names, session.run(None, given)))
    except Exception as e:  # a combination that its CPU kernels do not have
        return None, str(e).splitlines()[0][-150:]
    np.savez(os.path.join(folder, "in.npz"), **given)
    p = subprocess.run([runner, path, os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")], capture_output=True, text=True)
    if p.returncode:
        return (p.stderr or p.stdout).strip()[:300], None
    got = np.load(os.path.join(folder, "out.npz"))
    for name, w in want.items():
        g = got[name]
        if g.shape != w.shape or g.dtype != w.dtype:
            return f"{name}: {g.dtype}{g.shape}, onnxruntime {w.dtype}{w.shape}", None
        g, w = g.astype(np.float64), w.astype(np.float64)
        if "valid" in c:  # what lies behind the lengths of an example is unspecified
            for b, n in enumerate(c["valid"]):
                if name != "y0":
                    g[b, :, n:], w[b, :, n:] = 0, 0
                elif c["inputs"][0].shape[1] == c["inputs"][6]:
                    g[b, n:], w[b, n:] = 0, 0
        error = np.max(np.abs(g - w) / np.maximum(1, np.abs(w)), initial=0)
        if not error <= 2e-5:
            return f"{name}: differs by {error:.3g}", None
    return "", None


def main(runner, only):
    failed = 0
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    print(f"onnxruntime {onnxruntime.__version__}, onnx {onnx.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        for operator, makers in CASES.items():
            if only and operator not in only:
                continue
            same, skipped, wrong = 0, {}, []
            for make in makers:
                c = make()
                if isinstance(c, tuple):
                    c = {"attributes": c[0], "inputs": c[1], "outputs": c[2]}
                problem, unknown = differences(operator, c, folder, runner, options)
                if problem is None:
                    skipped[unknown] = skipped.get(unknown, 0) + 1
                elif problem:
                    wrong.append((problem, c["attributes"], [None if x is None else (str(np.asarray(x).dtype), np.shape(x)) for x in c["inputs"]]))
                else:
                    same += 1
            line = f"{operator}: {same} of {len(makers) - sum(skipped.values())} as onnxruntime"
            if skipped:
                line += f" ({sum(skipped.values())} that it does not run)"
            print(line, flush=True)
            for w in wrong:
                print("   ", *w)
            if os.environ.get("VERBOSE"):
                for reason, n in skipped.items():
                    print("    skipped", n, reason)
            if wrong or not same:
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
