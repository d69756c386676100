package caffe

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// Operations of an Eltwise layer.
const (
	eltwiseProduct = iota
	eltwiseSum
	eltwiseMax
)

func (b builder) eltwise() (function, error) {
	p := orEmpty(b.Eltwise)
	if n := len(p.Coeff); n > 0 && n != len(b.Bottom) {
		return nil, fmt.Errorf("%d coefficients for %d blobs", n, len(b.Bottom))
	}
	var f func(a, b *nd.Array) *nd.Array
	operation := int(number(p.Operation, eltwiseSum))
	switch operation {
	case eltwiseProduct:
		f = func(a, b *nd.Array) *nd.Array { return ops.Multiply(a, b) }
	case eltwiseSum:
		f = func(a, b *nd.Array) *nd.Array { return ops.Add(a, b) }
	case eltwiseMax:
		f = func(a, b *nd.Array) *nd.Array { return ops.Maximum(a, b) }
	default:
		return nil, unsupported(fmt.Sprintf("the operation %d of Eltwise is not supported", operation))
	}
	return func(_ *nn.Scope, x []*nd.Array) []*nd.Array {
		arguments := make([]**nd.Array, len(x))
		for i := range x {
			arguments[i] = &x[i]
		}
		made := nd.Func("Eltwise").Temporaries(arguments...)
		defer made.Release()
		var y *nd.Array
		for i, term := range x {
			if operation == eltwiseSum && len(p.Coeff) > 0 {
				term = ops.Multiply(term, float64(p.Coeff[i]))
			}
			if y == nil {
				y = term
			} else {
				y = f(y, term)
			}
		}
		return []*nd.Array{made.Keep(y)}
	}, nil
}
