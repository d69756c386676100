"""Runs the corpus of corpus.py through onnxruntime, and prints a table by operator of how many cases pass here and there.

    python corpuscheck.py CORPUS.zip REPORT.tsv

REPORT is what testing/conform has written of the corpus. Exits with 1 if there are fewer cases than onnx 1.23.2 has, or if fewer pass
here than should.
"""
import collections
import hashlib
import json
import sys
import zipfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

CASES, PASSING = 1884, 1865  # of onnx 1.23.2
SUM = "9c3a8467aabad4a650f302eadd4f26a295421f0628cdbf63760f4dc0e26668cb"  # sha256 of the names, CRCs and sizes of its files

onnxruntime.set_default_logger_severity(4)


def value(data, kind):
    """Returns a value of ONNX's test data."""
    if kind == "optional_type":
        proto = onnx.OptionalProto.FromString(data)
        return numpy_helper.to_optional(proto)
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def same(got, want, rtol, atol):
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(same(g, w, rtol, atol) for g, w in zip(got, want))
    if want is None or got is None:
        return want is got
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return False
    if want.dtype.kind in "OUS":
        return got.astype(str).tolist() == want.astype(str).tolist()
    if want.dtype.kind == "c":
        return np.allclose(got, want, rtol, atol, equal_nan=True)
    return np.allclose(got.astype(np.float64), want.astype(np.float64), rtol, atol, equal_nan=True)


def passes(z, names, case):
    """Reports whether onnxruntime gives the outputs of a case."""
    try:
        data = z.read(case["name"] + "/model.onnx")
        graph = onnx.load_model_from_string(data).graph
        session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
        inputs, outputs = session.get_inputs(), session.get_outputs()
        types = {v.name: v.type.WhichOneof("value") for v in [*graph.input, *graph.output]}
        for k in range(sum(n.startswith(f"{case['name']}/test_data_set_") and n.endswith("/output_0.pb") for n in names[case["name"]])):
            def read(kind, infos):
                return [value(z.read(f"{case['name']}/test_data_set_{k}/{kind}_{j}.pb"), types[i.name]) for j, i in enumerate(infos)]
            got = session.run(None, dict(zip((i.name for i in inputs), read("input", inputs))))
            want = read("output", outputs)
            if case["random"]:
                if any(np.shape(g) != np.shape(w) for g, w in zip(got, want)):
                    return False
            elif not all(same(g, w, case["rtol"], case["atol"]) for g, w in zip(got, want)):
                return False
        return True
    except Exception:  # an operator or a type that it does not have
        return False


def main(corpus, report):
    here = {}
    with open(report) as f:
        for line in f:
            _, name, result, *_ = line.rstrip("\n").split("\t")
            here[name.rpartition("/")[2]] = result == "passed"
    table = collections.defaultdict(lambda: [0, 0, 0])
    with zipfile.ZipFile(corpus) as z:
        cases = json.loads(z.read("index.json"))
        names = collections.defaultdict(list)
        digest = hashlib.sha256()
        for info in sorted(z.infolist(), key=lambda i: i.filename):
            names[info.filename.partition("/")[0]].append(info.filename)
            digest.update(f"{info.filename} {info.CRC:08x} {info.file_size}\n".encode())
        there = 0
        for case in cases:
            ours, theirs = here.get(case["name"], False), passes(z, names, case)
            there += theirs
            for operator in case["ops"]:
                row = table[operator]
                row[0], row[1], row[2] = row[0] + 1, row[1] + ours, row[2] + theirs
    print("| operator | cases | here | onnxruntime |\n|---|---|---|---|")
    for operator, row in sorted(table.items()):
        print("| {} | {} | {} | {} |".format(operator, *row))
    passed = sum(here.get(c["name"], False) for c in cases)
    known = "the files that are written down" if digest.hexdigest() == SUM else "other files than those that are written down"
    print(f"{len(cases)} cases of onnx {onnx.__version__}, sha256 of the list of files {digest.hexdigest()}: {known}")
    print(f"{passed} pass here ({passed / len(cases):.1%}), {there} in onnxruntime {onnxruntime.__version__} ({there / len(cases):.1%})")
    for c in cases:
        if not here.get(c["name"], False):
            print("fails here:", c["name"])
    if len(cases) < CASES or passed < PASSING:
        print(f"FAILED: want {CASES} cases, of which {PASSING} pass")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
