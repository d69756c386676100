// Package nnabla reads and writes the files of NNabla: networks (.nnp, .nntxt), parameters (.h5, .protobuf, .nntxt, .nnp)
// and the states of solvers (.h5, .protobuf).
//
//	m, err := nnabla.Load("lenet.nnp")
//	y := m.Call(map[string]*nd.Array{"x": x}, "y")[0]
//
// A network is a model.Model, whose parameters are in a scope: it is called, trained and saved as any other. [Open] chooses
// among the networks of a file, and [File.Save] writes them again with other parameters.
//
// [LoadParameters] and [SaveParameters] exchange the parameters of networks that are Go functions: package nn names them as
// NNabla's parametric functions do.
package nnabla
