package catalogue

import (
	"errors"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// passed are the arguments of a call of a row, by name.
type passed = map[string]any

// callRow calls the function of a documented name.
func callRow(name string, args passed) ([]*nd.Array, error) {
	r, err := Call(name, nil, args)
	if err != nil {
		return nil, err
	}
	return r.Arrays()
}

// gradientOfRow returns the gradient of the sum of a row's last result with respect to the argument by, or nil if none
// flows.
func gradientOfRow(t *testing.T, name, by string, args passed) *nd.Array {
	t.Helper()
	tape := grad.NewTape()
	r, err := Call(name, nil, args, CallOptions{Gradients: []string{by}, Tape: tape})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	ys, err := r.Arrays()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tape.Gradient(ys[len(ys)-1], r.Arguments[by])[0]
}

func numbersOf(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64).Ravel()) }

// TestSubgradientsOfRows tests rows whose systems use another subgradient than package ops.
func TestSubgradientsOfRows(t *testing.T) {
	vector := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	matrix := func(columns int, v ...float64) *nd.Array { return nd.FromSlice(v, len(v)/columns, columns) }
	for _, test := range []struct {
		row, by string
		args    passed
		want    []float64
	}{
		{"nnabla.functions.abs", "x", passed{"x": vector(0, -2, 3)}, []float64{1, -1, 1}},
		{"nnabla.functions.prelu", "x0", passed{"x0": matrix(3, 0, -2, 3), "x1": vector(0.5)}, []float64{1, 0.5, 1}},
		{"nnabla.functions.prelu", "x1", passed{"x0": matrix(3, 0, -2, 3), "x1": vector(0.5)}, []float64{-2}},
		{"chainer.functions.prelu", "x", passed{"x": matrix(3, 0, -2, 3), "W": vector(0.5, 0.25, 4)}, []float64{1, 0.25, 1}},
		{"chainer.functions.hard_sigmoid", "x", passed{"x": vector(-2.5, 2.5, 0, 3, -3)}, []float64{0, 0, 0.2, 0, 0}},
		{"chainer.functions.mean_absolute_error", "x0", passed{"x0": vector(1, 2, 3, 4), "x1": vector(1, 3, 1, 4)}, []float64{0, -0.25, 0.25, 0}},
		{"chainer.functions.mean_absolute_error", "x1", passed{"x0": vector(1, 2, 3, 4), "x1": vector(1, 3, 1, 4)}, []float64{0, 0.25, -0.25, 0}},
		{"chainer.functions.max", "x", passed{"x": vector(3, 1, 3, 2)}, []float64{1, 0, 1, 0}},
		{"chainer.functions.max", "x", passed{"x": matrix(3, 3, 1, 3, 2, 2, 1), "axis": 1}, []float64{1, 0, 1, 1, 1, 0}},
		{"chainer.functions.min", "x", passed{"x": matrix(3, 3, 1, 3, 2, 2, 1), "axis": []int{1, 0}, "keepdims": true}, []float64{0, 1, 0, 0, 0, 1}},
		{"chainer.functions.min", "x", passed{"x": matrix(3, 3, 1, 3, 2, 1, 3), "axis": -2}, []float64{0, 1, 1, 1, 1, 1}},
		{"chainer.functions.maxout", "x", passed{"x": matrix(4, 1, 1, 2, 3, 5, 4, 0, 0), "pool_size": 2}, []float64{1, 1, 0, 1, 1, 0, 1, 1}},
	} {
		if got := numbersOf(gradientOfRow(t, test.row, test.by, test.args)); !closeTo(got, test.want) {
			t.Errorf("%s: the gradient of %s is %v, want %v", test.row, test.by, got, test.want)
		}
	}
}

func closeTo(got, want []float64) bool {
	for i := range want {
		if i >= len(got) || !(math.Abs(got[i]-want[i]) <= 1e-12*math.Abs(want[i])) {
			return false
		}
	}
	return len(got) == len(want)
}

func TestSpectralNormHasNoGradientInU(t *testing.T) {
	u := nd.FromSlice([]float64{1, 2})
	args := passed{"w": nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2), "u": u, "output_u": true}
	if g := gradientOfRow(t, "nnabla.functions.spectral_norm", "u", args); g != nil {
		t.Errorf("the gradient of u is %v", g)
	}
}

// TestChainersMeansOfLosses tests dtypes, sums that would overflow, and empty batches.
func TestChainersMeansOfLosses(t *testing.T) {
	const n = 1 << 17
	labels := nd.Zeros([]int{n}, dtype.Int32)
	scores := nd.Zeros([]int{n, 2}, dtype.Float16)
	both := nd.Zeros([]int{n, 2}, dtype.Int32)
	none := nd.Zeros([]int{0, 2}, dtype.Float32)
	for _, normalize := range []bool{true, false} {
		for _, test := range []struct {
			row  string
			x, t *nd.Array
			want float64
		}{
			{"chainer.functions.softmax_cross_entropy", scores, labels, math.Ln2},
			{"chainer.functions.softmax_cross_entropy", none, labels.Index(nd.Until(0)), 0},
			{"chainer.functions.sigmoid_cross_entropy", none, none.AsType(dtype.Int32), 0},
			{"chainer.functions.sigmoid_cross_entropy", scores, both, math.Ln2},
		} {
			want := test.want
			if test.x.Size() > 0 && !normalize && test.t.Rank() == 2 {
				want *= 2 // the mean is over the batch, not the elements
			}
			ys, err := callRow(test.row, passed{"x": test.x, "t": test.t, "normalize": normalize})
			if err != nil {
				t.Fatalf("%s: %v", test.row, err)
			}
			if got := nd.Value[float64](ys[0]); ys[0].DType() != test.x.DType() || !(math.Abs(got-want) < 1e-3) {
				t.Errorf("%s of %v: %v of dtype %s, want %v", test.row, test.x.Shape(), got, ys[0].DType(), want)
			}
		}
	}
	weighted, err := callRow("chainer.functions.softmax_cross_entropy",
		passed{"x": scores, "t": labels, "class_weight": nd.FromSlice([]float32{0.5, 1})})
	if err != nil || weighted[0].DType() != dtype.Float16 {
		t.Errorf("with weights of the classes: %v, %v", weighted, err)
	}
}

// TestOptionsThatRowsRefuse tests options that rows must refuse.
func TestOptionsThatRowsRefuse(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 1, 1, 2, 4)
	signal := x.Reshape(2, 4)
	statistics := func() *nd.Array { return nd.Zeros([]int{1, 1, 1, 1}) }
	mean := statistics()
	for _, test := range []struct {
		row  string
		args passed
	}{
		{"nnabla.functions.pad", passed{"x": x, "pad_width": []int{1, 2, 3}}},
		{"mxnet.npx.pad", passed{"data": x, "mode": "constant", "pad_width": []int{1}}},
		{"nnabla.functions.shift", passed{"x": x, "shifts": []int{1}, "border_mode": "nonsense"}},
		{"nnabla.functions.shift", passed{"x": x, "shifts": []int{1}, "border_mode": "constant"}},
		{"nnabla.functions.stft", passed{"x": signal, "window_size": 2, "stride": 0, "fft_size": 2}},
		{"nnabla.functions.stft", passed{"x": signal, "window_size": 2, "stride": 0, "fft_size": 2, "as_istft_backward": true}},
		{"nnabla.functions.fused_batch_normalization", passed{"x": x, "beta": statistics(), "gamma": statistics(), "mean": mean, "variance": statistics(),
			"z": x.Reshape(1, 1, 4, 2), "output_stat": true}},
	} {
		var e *nd.Error
		_, err := callRow(test.row, test.args)
		if !errors.As(err, &e) {
			t.Errorf("%s with %v: %v, want a refusal", test.row, test.args, err)
		}
	}
	if v := nd.Value[float64](mean.Reshape()); v != 0 {
		t.Errorf("fused_batch_normalization wrote %v before it refused", v)
	}
	w := nd.Ones([]int{1, 1, 2, 2})
	for _, outsize := range []any{[]any{3, 5}, nil} {
		ys, err := callRow("chainer.functions.deconvolution_2d", passed{"x": x, "W": w, "outsize": outsize})
		if err != nil || ys[0].Dim(2) != 3 || ys[0].Dim(3) != 5 {
			t.Errorf("outsize %v: %v, %v", outsize, ys, err)
		}
	}
	if ys, err := callRow("chainer.functions.deconvolution_2d", passed{"x": x, "W": w, "outsize": []any{2, 4}}); err == nil {
		t.Errorf("an outsize that needs padding: %v", ys)
	}
}
