package linalg

import "github.com/ndgrad/ndgrad/nd/ops"

// NormOption is a [NormOptions], or axes alone: ops.Over(1), ops.Over(1).KeepDims().
type NormOption interface{ ops.Option }

// Option marks the struct as an option.
func (NormOptions) Option() {}

func normOver(axes ops.Axes, o NormOptions) NormOptions { o.Axes = axes; return o }
func normKept(axes ops.KeptAxes, o NormOptions) NormOptions {
	o.Axes, o.KeepDims = ops.Axes(axes), true
	return o
}
