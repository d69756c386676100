package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SoftmaxOptions are the options of Softmax, LogSoftmax, MaskedSoftmax and MaskedLogSoftmax.
type SoftmaxOptions struct {
	// Axis is the axis to work along; a negative axis counts from the end. Nil means the last one.
	Axis Axes
	// Temperature divides x first; nil means 1. It must not be 0.
	Temperature *float64
	// Length says how many elements along the axis count: those before it. It has integers, in x's shape without the
	// axis, to which it may broadcast. The result is 0 for the other elements, also that of LogSoftmax.
	Length *nd.Array
	// DType is the float dtype of the result; by default that of x. The computation uses the wider of the two.
	DType dtype.DType
}

// Softmax returns exp(x)/Σexp(x) along an axis; the default is the last (in Chainer it is axis 1). With Temperature it
// is the Softmax of x/Temperature. With Length it is the Softmax of the first elements along the axis, and 0 for the
// others, which get no gradient.
// PyTorch: softmax. NNabla: softmax. Chainer: softmax. MXNet: softmax.
func Softmax(x *nd.Array, opts ...SoftmaxOption) *nd.Array {
	const fn nd.Func = "ops.Softmax"
	return softmaxOf(fn, x, options.Of(fn, opts, Axes.softmax), false)
}

// LogSoftmax returns the logarithm of Softmax, x - log Σexp(x), along an axis; the default is the last. It has the
// options of Softmax. Elements beyond Length are 0 here too.
// PyTorch: log_softmax. NNabla: log_softmax. Chainer: log_softmax. MXNet: log_softmax.
func LogSoftmax(x *nd.Array, opts ...SoftmaxOption) *nd.Array {
	const fn nd.Func = "ops.LogSoftmax"
	return softmaxOf(fn, x, options.Of(fn, opts, Axes.softmax), true)
}

// softmaxOf calls softmax, by the short way without options other than the axis.
func softmaxOf(fn nd.Func, x *nd.Array, o SoftmaxOptions, log bool) *nd.Array {
	if o.Temperature == nil && o.Length == nil && !o.DType.Valid() {
		return softmax(fn, x, o.Axis, log)
	}
	return softmaxWith(fn, x, o, log)
}

// softmaxWith applies the options around softmax.
func softmaxWith(fn nd.Func, x *nd.Array, o SoftmaxOptions, log bool) *nd.Array {
	fn.Check(x)
	made := fn.Temporaries(&x, &o.Length)
	defer made.Release()
	x, axis := o.scores(fn, x)
	if o.Length == nil {
		return made.Keep(o.result(softmax(fn, x, Over(axis), log)))
	}
	position, length := o.lengths(fn, made, x, axis)
	inX := ufunc.Options{DType: x.DType(), Casting: dtype.CastUnsafe} // the integers do not influence the dtype
	beyond := beyondLength.definition()
	scores := beyond.Call(inX, []float64{math.Inf(-1)}, x, position, length)
	y := beyond.Call(inX, []float64{0}, softmax(fn, scores, Over(axis), log), position, length)
	return made.Keep(o.result(y))
}

// scores returns x in the dtype of the computation and divided by the temperature, and the axis.
func (o *SoftmaxOptions) scores(fn nd.Func, x *nd.Array) (*nd.Array, int) {
	x = argument.Float(fn, x)
	axis := fn.Axis(x, o.Axis, -1)
	if o.DType.Valid() {
		if !o.DType.IsFloat() {
			panic(fn.Errorf([]*nd.Array{x}, "DType %s: want a float dtype", o.DType))
		}
		if o.DType.Size() > x.DType().Size() {
			x = x.AsType(o.DType)
		}
	}
	if o.Temperature != nil {
		if t := *o.Temperature; t == 0 || t != t {
			panic(fn.Errorf([]*nd.Array{x}, "Temperature is %v: want a number other than 0", t))
		}
		x = Divide(x, *o.Temperature)
	}
	return x, axis
}

// result returns y in the dtype of the result.
func (o *SoftmaxOptions) result(y *nd.Array) *nd.Array {
	if o.DType.Valid() {
		return y.AsType(o.DType)
	}
	return y
}

// lengths returns the indices along the axis and the lengths, so that both broadcast to x.
func (o *SoftmaxOptions) lengths(fn nd.Func, made *nd.Temporaries, x *nd.Array, axis int) (position, length *nd.Array) {
	length = o.Length
	fn.Check(x, length)
	rows := broadcast.ReduceShape(x.Shape(), []int{axis}, false)
	if full, err := broadcast.Shapes(rows, length.Shape()); err != nil || !broadcast.Equal(full, rows) || !length.DType().IsInteger() || length.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x, length}, "want a Length of integers that broadcasts to shape %s", broadcast.FormatShape(rows)))
	}
	n := x.Dim(axis)
	shape := broadcast.Ones(x.Rank())
	shape[axis] = n
	position = made.Own(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: x.Device()})).Reshape(shape...)
	return position, length.BroadcastTo(rows...).ExpandDims(axis)
}

func softmax(fn nd.Func, x *nd.Array, over Axes, log bool) *nd.Array {
	fn.Check(x)
	given := x
	x = argument.Float(fn, x)
	op := softmaxOp{fn: fn, axis: fn.Axis(x, over, -1), log: log}
	y := fn.NewLike(x.DType(), x.Shape(), x)
	l := alongaxis.New(fn, x.Device(), y.Shape(), op.axis)
	l.Log = log
	l.Write(y)
	l.Read(x)
	l.Run(device.Device.Softmax)
	fn.Record(op, []*nd.Array{x}, y)
	release.Unless(x, given)
	return y
}

// softmaxOp is fused: one kernel forward and one backward. Its definition by differentiable functions is Composed.
type softmaxOp struct {
	fn   nd.Func
	axis int
	log  bool
}

func (op softmaxOp) Composed(in []*nd.Array) []*nd.Array {
	if in[0].Size() == 0 {
		return []*nd.Array{Exp(in[0])} // an empty array has no maximum to subtract
	}
	along := Over(op.axis).KeepDims()
	shifted := Subtract(in[0], Max(in[0].Detach(), along))
	e := Exp(shifted)
	if op.log {
		return []*nd.Array{Subtract(shifted, Log(Sum(e, along)))}
	}
	return []*nd.Array{Divide(e, Sum(e, along))}
}

func (op softmaxOp) Traced() any { return traced.Softmax{Axis: op.axis, Log: op.log} }

func (op softmaxOp) VJP(c *nd.Call) { c.SetGx(0, op.gradient(c.Out(0), c.Gy(0))) }

// gradient returns the gradient with respect to the argument, computed from the result and its gradient.
func (op softmaxOp) gradient(y, gy *nd.Array) *nd.Array {
	gx := op.fn.NewLike(y.DType(), y.Shape(), gy)
	l := alongaxis.New(op.fn, gx.Device(), gx.Shape(), op.axis)
	l.Log = op.log
	l.Write(gx)
	l.Read(y)
	l.Read(gy)
	l.Run(device.Device.SoftmaxGrad)
	return gx
}
