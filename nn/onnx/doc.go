// Package onnx reads ONNX models (.onnx files) as a [model.Model]: any Go program can run them, compute gradients through them and
// train them further. [Export] writes what a Go function computes as such a file.
//
//	m, err := onnx.Load("resnet50.onnx")
//	y := m.Call(map[string]*nd.Array{"input": x})[0]
//
// The initializers of floats are parameters of the model's scope, under their names in the file; package model shows how they
// are trained. Integers, and what is computed from constants, are constants. All operators of ONNX's own domain run, of opsets
// 7 to 28, and those forms of opsets 1 to 6 that mean the same; ImageDecoder does not. The operators of ai.onnx.ml, of which
// scikit-learn's models consist, run too, and those of com.microsoft that exported transformers contain. A model that cannot
// run is refused when it is loaded.
//
// Most values are arrays. An operator that makes or takes others uses [Texts], [Narrow], [Sequence] and [None].
package onnx
