package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// checkpointRows is the chapter of recomputation instead of storage.
var checkpointRows = []Row{
	{Signature: "chainer.functions.forget(func, *xs)", Func: func(f func(xs []*nd.Array) []*nd.Array, xs ...*nd.Array) []*nd.Array {
		return grad.Checkpoint(f, xs...)
	}},
}
