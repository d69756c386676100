package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// PReLUOptions are the options of [PReLU].
type PReLUOptions struct {
	// BaseAxis is the axis of the channels, each with its own slope unless Shared; nil means 1. Negative values count
	// from the end.
	BaseAxis *int
	// Shared uses one slope for all channels; nil means yes.
	Shared *bool
	// SlopeInit makes the initial slopes; nil means -1, with which the function is |x|. The default of NNabla 1.35 and
	// PyTorch is 0.25.
	SlopeInit initializer.Initializer
}

// PReLU returns x if x is positive, else slope·x with the parameter "prelu/slope" of the scope, which it creates on
// first use: see ops.PReLU. The gradient of x at 0 is that of the slope on its right, as in NNabla.
//
// A shared slope is a 0-d array; otherwise the slopes have x's length along BaseAxis. PReLU computes in the slope's
// dtype, like [Affine].
// PyTorch: nn.PReLU. NNabla: parametric_functions.prelu.
func PReLU(scope *Scope, x *nd.Array, opts ...PReLUOptions) *nd.Array {
	const fn nd.Func = "nn.PReLU"
	o := options.Read(fn, opts)
	scope.wantReal(fn, x)
	shape := []int{}
	if !layer.IsOn(o.Shared) {
		shape = []int{x.Dim(layer.BaseAxis(fn, x, o.BaseAxis, x.Rank()-1))}
	}
	if o.SlopeInit == nil {
		o.SlopeInit = initializer.Constant(-1)
	}
	slope := scope.Sub("prelu").Parameter("slope", shape, o.SlopeInit, true)
	made := fn.Temporaries(&x, &slope)
	defer made.Release()
	return made.Keep(ops.PReLU(layer.InDType(x, slope), slope, ops.PReLUOptions{BaseAxis: o.BaseAxis, Kink: ops.KinkRight}))
}
