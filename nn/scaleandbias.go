package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// scaleAndBias holds the parameters beta and gamma of a normalisation; nil for one that an option leaves out. They have
// their own dtype, whatever the scope computes in.
type scaleAndBias struct {
	beta, gamma *nd.Array
	in          dtype.DType // the dtype of the result of a view that computes in another dtype; else not valid
}

// newScaleAndBias creates them. initial may have initializers for them, and for the layer's further parameters, which
// also names.
func newScaleAndBias(fn nd.Func, s *Scope, x *nd.Array, shape []int, noScale, noBias bool, initial paramInit, also ...string) (p scaleAndBias) {
	initial.check(fn, x, append([]string{"beta", "gamma"}, also...)...)
	if s.mixes() {
		p.in = s.DType()
	}
	s = s.Precise()
	if !noBias {
		p.beta = s.Parameter("beta", shape, initial.of("beta", initializer.Constant(0)), true)
	}
	if !noScale {
		p.gamma = s.Parameter("gamma", shape, initial.of("gamma", initializer.Constant(1)), true)
	}
	return p
}

// convert returns x in the dtype of the parameters, if there are any.
func (p scaleAndBias) convert(x *nd.Array) *nd.Array {
	for _, like := range []*nd.Array{p.gamma, p.beta} {
		if like != nil {
			return layer.InDType(x, like)
		}
	}
	if p.in.Valid() {
		return x.AsType(p.in)
	}
	return x
}

// separateAxes returns the axes along which a normalisation treats slices of x separately, counted from the front.
func (s *Scope) separateAxes(fn nd.Func, x *nd.Array, axes ...int) []int {
	s.wantReal(fn, x)
	if x.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array"))
	}
	kept, err := broadcast.Axes(axes, x.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	return kept
}

// onlyAxis returns the one axis of x that an option names, or def.
func (s *Scope) onlyAxis(fn nd.Func, x *nd.Array, axis ops.Axes, def int) int {
	s.wantReal(fn, x)
	if x.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array"))
	}
	return fn.Axis(x, axis, def)
}

// channelAxis returns the axis of the channels, which must not be an axis of the batch. Its arguments are as options
// name them.
func (s *Scope) channelAxis(fn nd.Func, x *nd.Array, channel, batch ops.Axes) int {
	at := s.onlyAxis(fn, x, channel, 1)
	if batch == nil {
		batch = ops.Over(0)
	}
	return s.separateAxes(fn, x, append(slices.Clone(batch), at)...)[len(batch)]
}

// onlyAlong returns x's shape along the given axes, with lengths of 1 elsewhere.
func onlyAlong(x *nd.Array, axes ...int) []int {
	shape := slices.Clone(x.Shape())
	for k := range shape {
		if !slices.Contains(axes, k) {
			shape[k] = 1
		}
	}
	return shape
}
