"""Writes all node cases of the installed package onnx as a zip archive in the layout of testing/golden's folder of ONNX.

    python corpus.py FOLDER

The archive is FOLDER/corpus.zip; its index.json lists the cases. Of cases that draw random numbers ("random" is true) the runner
compares only shapes and dtypes.
"""
import json
import os
import sys
import zipfile

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases


DRAWING = {"Bernoulli", "RandomUniformLike"}


def serialized(value, type_proto):
    """Returns a value as ONNX's test data have it."""
    kind = type_proto.WhichOneof("value") if type_proto is not None else "tensor_type"
    if isinstance(value, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto)):
        return value.SerializeToString()
    if kind == "optional_type":
        return numpy_helper.from_optional(value).SerializeToString()
    if kind == "sequence_type" or isinstance(value, list):
        return numpy_helper.from_list(value).SerializeToString()
    return numpy_helper.from_array(np.asarray(value)).SerializeToString()


def main(folder):
    index = []
    cases = [c for c in collect_testcases(None) if c.kind == "node"]
    with zipfile.ZipFile(os.path.join(folder, "corpus.zip"), "w", zipfile.ZIP_DEFLATED) as z:
        for c in cases:
            index.append({"name": c.name, "rtol": c.rtol, "atol": c.atol, "ops": sorted({n.op_type for n in c.model.graph.node}),
                          "random": not DRAWING.isdisjoint(n.op_type for n in c.model.graph.node) or c.name.startswith("test_training_dropout")})
            z.writestr(c.name + "/model.onnx", c.model.SerializeToString())
            for k, (inputs, outputs) in enumerate(c.data_sets):
                given = [i for i in c.model.graph.input if i.name not in {t.name for t in c.model.graph.initializer}]
                for kind, values, infos in [("input", inputs, given), ("output", outputs, c.model.graph.output)]:
                    for j, value in enumerate(values):
                        info = infos[j].type if j < len(infos) else None
                        z.writestr(f"{c.name}/test_data_set_{k}/{kind}_{j}.pb", serialized(value, info))
        z.writestr("index.json", json.dumps(index))
    print(len(index), "cases of onnx", onnx.__version__)


if __name__ == "__main__":
    main(sys.argv[1])
