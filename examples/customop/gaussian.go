package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// gaussian runs in one pass, broadcasts, accepts Scalars and all float types, and is differentiable in all three
// arguments.
var gaussian = ops.MustKernel("T x, T mean, T width", "T y", "d = (x - mean)/width; y = exp(-d*d/2)",
	ops.KernelOptions{Name: "customop.Gaussian"})

// Gaussian returns exp(-((x - mean)/width)²/2).
func Gaussian(x, mean, width *nd.Array) *nd.Array { return gaussian.Call(x, mean, width) }
