package link

import (
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Sequential applies layers one after the other. All but those of type [Func] have a scope of their own: "0", "1", … in order, as the
// children of a list. chainer.ChainList, chainer.Sequential of later versions, torch.nn.Sequential.
type Sequential []Layer

// Apply applies all layers.
func (l Sequential) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	n := 0
	for _, layer := range l {
		at := s
		if _, plain := layer.(Func); !plain {
			at = s.Sub(strconv.Itoa(n))
			n++
		}
		x = layer.Apply(at, x)
	}
	return x
}
