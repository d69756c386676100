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
	first := firstOccurrences(c, in)
	for i, y := range out {
		if g := c.Gy(i); g != nil {
			ys, gys = append(ys, y), append(gys, g)
		}
	}
	for i, x := range in {
		if first[i] {
			xs = append(xs, x)
		}
	}
	gxs := back(ys, gys, xs)
	for i := range in {
		if first[i] {
			c.SetGx(i, gxs[0])
			gxs = gxs[1:]
		}
	}
}

// firstOccurrences says which of the inputs need a gradient and are not inputs before, too: the gradient of an array
// that is several inputs of an operation is that of all of them together.
func firstOccurrences(c *nd.Call, in []*nd.Array) []bool {
	type origin struct {
		node *nd.Node
		out  int
	}
	seen, first := map[origin]bool{}, make([]bool, len(in))
	for i, x := range in {
		if !c.Needs(i) {
			continue
		}
		var o origin
		o.node, o.out = x.Node()
		first[i] = o.node == nil || !seen[o]
		seen[o] = true
	}
	return first
}
