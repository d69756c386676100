// Package model runs networks that come from files of other systems: a list of operations, each with a Go function, whose
// values have names. Packages nn/nnabla and nn/caffe read files into a [Model].
//
//	m, err := nnabla.Load("lenet.nnp")
//	y := m.Call(map[string]*nd.Array{"x": x}, "y")[0]
//
// The parameters are in a scope, so that everything that package nn offers works with them: optimizers, files, views. To
// train the model, call it with a view of the scope that a tape watches:
//
//	tape := grad.NewTape()
//	params := m.Params().Watch(tape)
//	loss := m.In(params).Call(inputs, "loss")[0]
//	opt.Update(optim.GradientsOf(params, loss))
//
// A call runs only what its outputs need, and releases every value after its last use, unless a tape recorded it. A model
// never changes: several goroutines may call it.
package model
