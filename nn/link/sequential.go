package link

import (
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Sequential applies layers one after the other. Each layer that is not a [Func] or [Scoped] has its own sub-scope: "0",
// "1", … in order, like the children of a list.
// PyTorch: nn.Sequential. Chainer: ChainList, Sequential (in later versions).
type Sequential []Layer

// Apply applies all layers.
func (l Sequential) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	n := 0
	for _, layer := range l {
		at := s
		switch layer.(type) {
		case Func, Scoped:
		default:
			at = s.Sub(strconv.Itoa(n))
			n++
		}
		x = layer.Apply(at, x)
	}
	return x
}
