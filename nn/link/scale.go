package link

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Bias adds a number to all that lies across some axes: x + b, with the parameter b, zeros at first. chainer.links.Bias.
type Bias struct {
	// Axis is the axis of x that goes with the first one of b; nil means 1.
	Axis *int
	// Shape is that of b, x's lengths from Axis on; an empty one adds one number everywhere. nil leaves b out, for [Bias.Of].
	Shape []int
}

// Apply returns x + b.
func (l Bias) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return l.Of(s, x, nil) }

// Of returns x + y, with y in the place of b where the link has none. chainer.links.Bias.__call__.
func (l Bias) Of(s *nn.Scope, x, y *nd.Array) *nd.Array {
	const fn nd.Func = "Bias.Of"
	defer s.Span("Bias", x, y)()
	a := operand(fn, s, x, y, l.Axis, l.Shape, "b", nil)
	made := fn.Temporaries(&x, &a)
	defer made.Release()
	x, a = sameDType(s, x, a, y)
	return made.Keep(ops.Add(x, along(x, a, l.Axis)))
}

// Scale multiplies all that lies across some axes with a number: x·W, with the parameter W, ones at first, and with a BiasTerm the
// parameter bias/b of a [Bias]. chainer.links.Scale.
type Scale struct {
	// Axis is the axis of x that goes with the first one of W, and of b; nil means 1.
	Axis *int
	// WShape is that of W, and of b, x's lengths from Axis on; an empty one means one number. nil leaves W out, for [Scale.Of].
	WShape []int
	// BiasTerm adds b.
	BiasTerm bool
	// BiasShape is the shape of b where there is no W.
	BiasShape []int
}

// Apply returns x·W, plus b.
func (l Scale) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return l.Of(s, x, nil) }

// Of returns x·y, plus b, with y in the place of W where the link has none. chainer.links.Scale.__call__.
func (l Scale) Of(s *nn.Scope, x, y *nd.Array) *nd.Array {
	const fn nd.Func = "Scale.Of"
	defer s.Span("Scale", x, y)()
	var b *nd.Array
	shape := l.WShape
	if shape == nil {
		shape = l.BiasShape
	}
	if l.BiasTerm {
		if shape == nil {
			panic(fn.Errorf([]*nd.Array{x}, "want a BiasShape, as there is no WShape"))
		}
		fn.Check(x)
		wantAlong(fn, x, l.Axis, shape)
	}
	a := operand(fn, s, x, y, l.Axis, l.WShape, "W", initializer.Constant(1))
	if l.BiasTerm {
		b = s.Sub("bias").Parameter("b", shape, nil, true)
	}
	made := fn.Temporaries(&x, &a, &b)
	defer made.Release()
	x, a = sameDType(s, x, a, y)
	z := ops.Multiply(x, along(x, a, l.Axis))
	if b != nil {
		z = ops.Add(z, along(x, b, l.Axis))
	}
	return made.Keep(z)
}

// operand is the parameter of a shape, or y where that is nil.
func operand(fn nd.Func, s *nn.Scope, x, y *nd.Array, axis *int, shape []int, name string, initial initializer.Initializer) *nd.Array {
	in := []*nd.Array{x}
	if y != nil {
		in = append(in, y)
	}
	layer.WantReal(fn, s.DType(), in...)
	if (shape == nil) != (y != nil) {
		panic(fn.Errorf(in, "%d inputs, shape of the parameter %s %v: want a second input, or a parameter", len(in), name, shape))
	}
	if y != nil {
		wantAlong(fn, x, axis, y.Shape())
		return y
	}
	wantAlong(fn, x, axis, shape)
	return s.Parameter(name, shape, initial, true)
}

// wantAlong refuses a shape that is not x's from an axis on.
func wantAlong(fn nd.Func, x *nd.Array, axis *int, shape []int) {
	from := value(axis, 1)
	if from < 0 || from > x.Rank()-len(shape) || !broadcast.Equal(x.Shape()[from:from+len(shape)], shape) {
		panic(fn.Errorf([]*nd.Array{x}, "want x's lengths from axis %d on instead of %s", from, broadcast.FormatShape(shape)))
	}
}

// along gives a as many axes as x, so that its first one is at the axis of x.
func along(x, a *nd.Array, axis *int) *nd.Array {
	if a.Rank() == 0 {
		return a
	}
	return a.Reshape(slices.Concat(a.Shape(), slices.Repeat([]int{1}, x.Rank()-value(axis, 1)-a.Rank()))...)
}

// sameDType converts x and a parameter a to the parameter's dtype; where a is another input, y, both to the scope's.
func sameDType(s *nn.Scope, x, a, y *nd.Array) (*nd.Array, *nd.Array) {
	if y == nil {
		return layer.InDType(x, a), a
	}
	return x.AsType(s.DType()), a.AsType(s.DType())
}
