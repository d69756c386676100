package train

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// gradientCopies are copies of the gradients of the last update. The gradients themselves no longer exist when
// extensions run.
type gradientCopies map[string]*nd.Array

// take copies gradients. A parameter that no gradient flows to has no copy.
func (c *gradientCopies) take(g *optim.Gradients) {
	if *c == nil {
		*c = gradientCopies{}
	}
	for name, value := range g.All() {
		last := (*c)[name]
		switch {
		case value == nil:
			delete(*c, name)
		case last == nil:
			(*c)[name] = nd.Empty(value.Shape(), nd.ArrayOptions{DType: value.DType(), Device: value.Device()})
			fallthrough
		default:
			(*c)[name].Assign(value.Detach())
		}
	}
}
