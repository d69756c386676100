package linalg

import "github.com/ndgrad/ndgrad/nd/ops"

// Axes are axes to work along, negative ones counted from the end: Norm(x, Over(1)). An Axes is an option by itself, as
// an ops.Axes is in package ops.
type Axes []int

// Over chooses axes; Over() chooses none.
func Over(axes ...int) Axes { return Axes(ops.Over(axes...)) }

// KeepDims leaves the axes in the result, with length 1: Norm(x, Over(1).KeepDims()).
func (a Axes) KeepDims() KeptAxes { return KeptAxes(a) }

// KeptAxes are axes that the result keeps with length 1: see [Axes.KeepDims].
type KeptAxes []int

// NormOption is a [NormOptions], or the axes alone: [Axes] or [KeptAxes].
type NormOption interface{ norm() NormOptions }

func (o NormOptions) norm() NormOptions { return o }
func (a Axes) norm() NormOptions        { return NormOptions{Axes: a} }
func (a KeptAxes) norm() NormOptions    { return NormOptions{Axes: Axes(a), KeepDims: true} }
