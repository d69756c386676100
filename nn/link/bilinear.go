package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Bilinear is y[l] = Σ e1[j]·e2[k]·W[j,k,l] + e1·V1 + e2·V2 + b of two inputs: see ops.Bilinear. Its parameters are W
// (LeftSize, RightSize, OutSize), V1 (LeftSize, OutSize), V2 (RightSize, OutSize) and b (OutSize). PyTorch's Bilinear
// has no V1 and V2.
// PyTorch: nn.Bilinear. Chainer: links.Bilinear.
type Bilinear struct {
	LeftSize, RightSize int // elements per example, whose axes are flattened; 0: from the first inputs
	OutSize             int
	// NoBias leaves V1, V2 and b out.
	NoBias bool
	// InitialW makes the initial W; nil means initializer.LeCunNormal(1), with the variance 1/(RightSize·OutSize).
	InitialW initializer.Initializer
	// InitialBias makes the initial V1, V2 and b; nil means initializer.LeCunNormal(1), with the variance 1/OutSize,
	// for V1 and V2, and zeros for b.
	InitialBias [3]initializer.Initializer
}

// Apply returns the function of e1 (B, …) and e2 (B, …), shape (B, OutSize).
// Chainer: links.Bilinear.__call__.
func (l Bilinear) Apply(s *nn.Scope, e1, e2 *nd.Array) *nd.Array {
	const fn nd.Func = "Bilinear.Apply"
	defer s.Span("Bilinear", e1, e2)()
	layer.WantReal(fn, s.DType(), e1, e2)
	left, right := inputs(fn, s, e1, l.LeftSize, l.OutSize), inputs(fn, s, e2, l.RightSize, l.OutSize)
	if e1.Dim(0) != e2.Dim(0) {
		panic(fn.Errorf([]*nd.Array{e1, e2}, "%d and %d examples: want equal numbers", e1.Dim(0), e2.Dim(0)))
	}
	w := s.Parameter("W", []int{left, right, l.OutSize}, orDefault(l.InitialW, initializer.LeCunNormal(1)), true)
	var o ops.BilinearOptions
	if !l.NoBias {
		o.V1 = s.Parameter("V1", []int{left, l.OutSize}, orDefault(l.InitialBias[0], initializer.LeCunNormal(1)), true)
		o.V2 = s.Parameter("V2", []int{right, l.OutSize}, orDefault(l.InitialBias[1], initializer.LeCunNormal(1)), true)
		o.B = s.Parameter("b", []int{l.OutSize}, l.InitialBias[2], true)
	}
	made := fn.Temporaries(&e1, &e2, &w, &o.V1, &o.V2, &o.B)
	defer made.Release()
	return made.Keep(ops.Bilinear(layer.InDType(e1, w), layer.InDType(e2, w), w, o))
}
