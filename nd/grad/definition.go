package grad

import "github.com/ndgrad/ndgrad/nd"

// throughDefinition differentiates an operation through its definition, if it has one and its gradient is to be
// recorded: the VJP may use kernels without a gradient. The definition is computed and recorded here, and
// differentiated at once. throughDefinition reports whether the operation has a definition.
func (p *pass) throughDefinition() bool {
	if !p.recorded {
		return false
	}
	in, out, ok := p.call.Composed()
	if ok {
		differentiateThrough(p.call, in, out, func(ys, gys, xs []*nd.Array) []*nd.Array {
			inner := newPass(p.tape, ys, xs, true, true) // the partial derivatives of this operation alone
			defer inner.recycle()
			return inner.back(ys, gys, xs)
		})
	}
	return ok
}

// differentiateThrough is the VJP of an operation whose outputs out were recomputed from in by other operations: back differentiates
// those.
func differentiateThrough(c *nd.Call, in, out []*nd.Array, back func(ys, gys, xs []*nd.Array) []*nd.Array) {
	var ys, gys, xs []*nd.Array
	for i, y := range out {
		if g := c.Gy(i); g != nil {
			ys, gys = append(ys, y), append(gys, g)
		}
	}
	for i, x := range in {
		if c.Needs(i) {
			xs = append(xs, x)
		}
	}
	gxs := back(ys, gys, xs)
	for i := range in {
		if c.Needs(i) {
			c.SetGx(i, gxs[0])
			gxs = gxs[1:]
		}
	}
}
