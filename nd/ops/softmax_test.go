package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestSoftmaxOptions(t *testing.T) {
	x := nd.FromRows([][]float64{{0, math.Ln2, 9}, {math.Ln2, 0, math.Log(5)}})
	half, length := new(0.5), nd.FromSlice([]int32{2, 3})
	third := math.Log(1.0 / 3)
	for _, test := range []struct {
		name string
		got  *nd.Array
		want []float64
	}{
		{"lengths", ops.Softmax(x, ops.SoftmaxOptions{Length: length}), []float64{1. / 3, 2. / 3, 0, 0.25, 0.125, 0.625}},
		{"lengths of columns", ops.Softmax(x.T(), ops.SoftmaxOptions{Axis: ops.Over(0), Length: length}), []float64{1. / 3, 0.25, 2. / 3, 0.125, 0, 0.625}},
		{"one length", ops.Softmax(x, ops.SoftmaxOptions{Length: nd.Full(nil, int64(1))}), []float64{1, 0, 0, 1, 0, 0}},
		{"lengths beyond the ends", ops.Softmax(x, ops.SoftmaxOptions{Length: nd.FromSlice([]int{-1, 0})}), []float64{0, 0, 0, 0, 0, 0}},
		{"too long", ops.Softmax(x.Index(nd.At(1)), ops.SoftmaxOptions{Length: nd.Full(nil, uint8(9))}), []float64{0.25, 0.125, 0.625}},
		{"logarithms", ops.LogSoftmax(x, ops.SoftmaxOptions{Length: nd.FromSlice([]int{2, 1})}), []float64{third, third + math.Ln2, 0, 0, 0, 0}},
		{"temperature", ops.Softmax(x.Index(nd.All(), nd.Until(2)), ops.SoftmaxOptions{Temperature: half}), []float64{0.2, 0.8, 0.8, 0.2}},
		{"length and temperature", ops.Softmax(x, ops.SoftmaxOptions{Temperature: half, Length: nd.FromSlice([]int{2, 2})}), []float64{0.2, 0.8, 0, 0.8, 0.2, 0}},
		{"mask and temperature", ops.MaskedSoftmax(x, ops.Less(x, 1), ops.SoftmaxOptions{Temperature: half}), []float64{0.2, 0.8, 0, 0.8, 0.2, 0}},
		{"mask and length", ops.MaskedSoftmax(x, ops.Less(x, 1), ops.SoftmaxOptions{Length: nd.FromSlice([]int{1, 3})}), []float64{1, 0, 0, 2. / 3, 1. / 3, 0}},
	} {
		opstest.Close(t, test.got, nd.FromSlice(test.want, test.got.Shape()...), 1e-15)
	}
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32} {
		if got := ops.Softmax(x.AsType(dt), ops.SoftmaxOptions{Length: length}).DType(); got != dt {
			t.Errorf("Softmax of %s with lengths is %s", dt, got)
		}
	}
	long := ops.Softmax(nd.Zeros([]int{3}, dtype.Float16), ops.SoftmaxOptions{DType: dtype.Float64})
	opstest.Repr(t, long, "array([0.33333333, 0.33333333, 0.33333333])")
	short := ops.LogSoftmax(nd.FromSlice([]int{1, 1}), ops.SoftmaxOptions{DType: dtype.Float32})
	opstest.Repr(t, short, "array([-0.6931472, -0.6931472], dtype=float32)")
	if y := ops.Softmax(nd.Zeros([]int{0, 3}), ops.SoftmaxOptions{Length: nd.Zeros([]int{0}, dtype.Int64), Temperature: half}); y.Size() != 0 {
		t.Errorf("of an empty array: shape %v", y.Shape())
	}
	opstest.Floats(t, "NaN beyond the length", ops.Softmax(nd.FromSlice([]float64{1, math.NaN()}), ops.SoftmaxOptions{Length: nd.Full(nil, 1)}), 1, 0)
}

func TestSoftmaxOptionGradients(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 4)
	length := nd.FromSlice([]int{3, 2})
	for name, f := range map[string]func(x *nd.Array, opts ...ops.SoftmaxOption) *nd.Array{"Softmax": ops.Softmax, "LogSoftmax": ops.LogSoftmax} {
		for _, o := range []ops.SoftmaxOptions{{Length: length}, {Temperature: new(0.7)}, {Temperature: new(-2.0), Length: length}} {
			t.Run(name, func(t *testing.T) {
				square := func(xs ...*nd.Array) *nd.Array { return ops.Square(f(xs[0], o)) }
				gradcheck.Check(t, square, x)
				gradcheck.CheckSecondOrder(t, square, x)
			})
		}
	}
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Square(ops.Softmax(x, ops.SoftmaxOptions{Length: nd.Full(nil, 2)}))
	}, opstest.Vector(1, 1, math.Inf(1)))
	opstest.Floats(t, "the gradient beyond the length", g, 0, 0, 0)
}

func TestSoftmaxRefusals(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	for text, o := range map[string]ops.SoftmaxOptions{
		"other than 0":                        {Temperature: new(0.0)},
		"broadcasts to shape (2,)":            {Length: nd.FromSlice([]int{1, 2, 3})},
		"Length of integers":                  {Length: nd.FromSlice([]float32{1, 2})},
		"axis 2":                              {Axis: ops.Over(2)},
		"DType int8: want a float dtype":      {DType: dtype.Int8},
		"DType complex64: want a float dtype": {DType: dtype.Complex64},
	} {
		opstest.Refuses(t, text, func() { ops.Softmax(x, o) })
		opstest.Refuses(t, "ops.LogSoftmax", func() { ops.LogSoftmax(x, o) })
	}
	opstest.Refuses(t, "complex", func() { ops.Softmax(nd.Zeros([]int{2}, dtype.Complex64), ops.SoftmaxOptions{Temperature: new(2.0)}) })
}
