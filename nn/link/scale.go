package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Bias adds the parameter b, initially zeros, to x. It broadcasts b over the axes of x that b lacks.
// Chainer: links.Bias.
type Bias struct {
	// Axis is the axis of x that matches the first axis of b; nil means 1.
	Axis ops.Axes
	// Shape is the shape of b, x's lengths from Axis on; an empty shape means one number for all elements. Nil leaves b
	// out, for [Bias.Of].
	Shape []int
}

// Apply returns x + b.
func (l Bias) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return l.Of(s, x, nil) }

// Of returns x + y, where y replaces b if the link has no b.
// Chainer: links.Bias.__call__.
func (l Bias) Of(s *nn.Scope, x, y *nd.Array) *nd.Array {
	const fn nd.Func = "Bias.Of"
	defer s.Span("Bias", x, y)()
	a := operand(fn, s, x, y, l.Axis, l.Shape, "b", nil)
	made := fn.Temporaries(&x, &a)
	defer made.Release()
	x, a = sameDType(s, x, a, y)
	return made.Keep(ops.Add(x, along(x, a, l.Axis)))
}

// Scale multiplies x with the parameter W, initially ones, and with a BiasTerm adds the parameter bias/b of a [Bias].
// It broadcasts W over the axes of x that W lacks.
// Chainer: links.Scale.
type Scale struct {
	// Axis is the axis of x that matches the first axis of W and of b; nil means 1.
	Axis ops.Axes
	// WShape is the shape of W and of b, x's lengths from Axis on; an empty shape means one number. Nil leaves W out,
	// for [Scale.Of].
	WShape []int
	// BiasTerm adds b.
	BiasTerm bool
	// BiasShape is the shape of b if there is no W.
	BiasShape []int
}

// Apply returns x·W, plus b.
func (l Scale) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return l.Of(s, x, nil) }

// Of returns x·y, plus b, where y replaces W if the link has no W.
// Chainer: links.Scale.__call__.
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

// operand returns the parameter of the given shape, or y if shape is nil.
func operand(fn nd.Func, s *nn.Scope, x, y *nd.Array, axis ops.Axes, shape []int, name string, initial initializer.Initializer) *nd.Array {
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

// wantAlong refuses a shape that differs from x's lengths from an axis on.
func wantAlong(fn nd.Func, x *nd.Array, axis ops.Axes, shape []int) {
	if len(shape) == 0 {
		return
	}
	from := fn.Axis(x, axis, 1)
	if from > x.Rank()-len(shape) || !broadcast.Equal(x.Shape()[from:from+len(shape)], shape) {
		panic(fn.Errorf([]*nd.Array{x}, "want x's lengths from axis %d on instead of %s", from, broadcast.FormatShape(shape)))
	}
}

// along aligns the first axis of a with the given axis of x.
func along(x, a *nd.Array, axis ops.Axes) *nd.Array {
	if axis == nil {
		axis = ops.Over(1)
	}
	if a.Rank() == 0 {
		axis = ops.Over(0) // a number may be for x without that axis
	}
	return ops.AlignLike(a, x, axis)
}

// sameDType converts x and a to one dtype: if a is a parameter, to its dtype, and if a is the other input, y, to the
// dtype in which the scope computes.
func sameDType(s *nn.Scope, x, a, y *nd.Array) (*nd.Array, *nd.Array) {
	if y == nil {
		return layer.InDType(x, a), a
	}
	return x.AsType(s.ComputeDType()), a.AsType(s.ComputeDType())
}
