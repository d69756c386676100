// Package ignored has calls whose results are not taken.
package ignored

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
)

func faults(x, y *nd.Array, a *nd.Arena, tape *grad.Tape, k *ops.Kernel) {
	ops.Add(x, y)                                        // want `the result of ops.Add is ignored, and its operands are left as they are`
	ops.Add(x, y, ops.UfuncOptions{})                    // want `the result of ops.Add is ignored`
	ops.Add(x, y, ops.UfuncOptions{Where: y})            // want `the result of ops.Add is ignored`
	ops.Sum(x, ops.Over(0))                              // want `the result of ops.Sum is ignored`
	ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(0)})     // want `the result of ops.Sum is ignored`
	ops.DivMod(x, y)                                     // want `the result of ops.DivMod is ignored`
	x.Reshape(2, 3)                                      // want `the result of Array.Reshape is ignored`
	x.T()                                                // want `the result of Array.T is ignored`
	a.Adopt(x)                                           // want `the result of Arena.Adopt is ignored`
	nd.Tidy(x, func(x *nd.Array) *nd.Array { return x }) // want `the result of nd.Tidy is ignored`
	k.Call(x)                                            // want `the result of Kernel.Call is ignored`
	tape.Watch(x)                                        // want `the result of Tape.Watch is ignored`
	tape.Gradient(x, y)                                  // want `the gradients that Tape.Gradient returns are ignored: they are nowhere else`
	defer ops.Tanh(x)                                    // want `the result of ops.Tanh is ignored`
	go ops.Tanh(x)                                       // want `the result of ops.Tanh is ignored`
	f := func() { x.Copy() }                             // want `the result of Array.Copy is ignored`
	f()
}

func good(x, y *nd.Array, a *nd.Arena, tape *grad.Tape, scope *nn.Scope, o ops.UfuncOptions, os []ops.UfuncOption) {
	ops.Add(x, y, ops.UfuncOptions{Out: x})
	ops.Add(x, y, ops.Into(x))
	ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(0), Out: y})
	ops.Add(x, y, ops.UfuncOptions{x, nil})
	ops.Add(x, y, o)
	ops.Add(x, y, os...)
	_ = ops.Add(x, y)
	x.Assign(y)
	a.Keep(x)
	tape.Keep(x)
	normalize.BatchNormalization(x, x, x, y, y)
	nn.Affine(scope, x, 10)
	nd.LoadNpy("x.npy")
	if nd.Catch(func() { ops.Add(x, y) }) != nil {
		x.Release()
	}
}
