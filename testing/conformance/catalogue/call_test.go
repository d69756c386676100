package catalogue_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func vector(v ...float64) *nd.Array { return nd.FromSlice(v) }

func matrix(columns int, v ...float64) *nd.Array { return nd.FromSlice(v, len(v)/columns, columns) }

// called calls a row that must not refuse.
func called(t *testing.T, name string, args []any, named map[string]any, opts ...catalogue.CallOptions) *catalogue.Result {
	t.Helper()
	r, err := catalogue.Call(name, args, named, opts...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

func expect(t *testing.T, what string, got any, dt dtype.DType, want ...float64) {
	t.Helper()
	x, ok := got.(*nd.Array)
	if !ok || x == nil {
		t.Errorf("%s is %v, want an array", what, got)
		return
	}
	if values := nd.ToSlice[float64](x.AsType(dtype.Float64).Ravel()); x.DType() != dt || !slices.Equal(values, want) {
		t.Errorf("%s is %v of %s, want %v of %s", what, values, x.DType(), want, dt)
	}
}

func TestCallBindsArguments(t *testing.T) {
	x := matrix(3, 1, 2, 3, 4, 5, 6)
	for _, c := range []struct {
		name  string
		args  []any
		named map[string]any
		dt    dtype.DType
		want  []float64
	}{
		{"cupy.sum", []any{x}, nil, dtype.Float64, []float64{21}},
		{"cupy.sum", []any{x, 0}, nil, dtype.Float64, []float64{5, 7, 9}},
		{"cupy.sum", nil, map[string]any{"a": x, "axis": []int{-1}}, dtype.Float64, []float64{6, 15}},
		{"cupy.sum", []any{x, []int(nil)}, nil, dtype.Float64, []float64{21}},
		{"cupy.sum", []any{x, []int{}}, nil, dtype.Float64, []float64{1, 2, 3, 4, 5, 6}},
		{"cupy.sum", []any{x}, map[string]any{"axis": nil, "dtype": "float32"}, dtype.Float32, []float64{21}},
		{"cupy.sum", []any{x}, map[string]any{"dtype": dtype.Int16}, dtype.Int16, []float64{21}},
		{"cupy.pad", []any{vector(1, 2), nd.FromSlice([]int8{1, 0}), "constant", []any{true, false}}, nil, dtype.Float64, []float64{1, 1, 2}},
		{"cupy.pad", []any{vector(1, 2).AsType(dtype.Uint8), 1, "constant", []any{-1, 300}}, nil, dtype.Uint8, []float64{255, 1, 2, 44}},
		{"cupy.pad", []any{nd.Zeros([]int{1}, dtype.Uint8), 1, "constant", -1}, nil, dtype.Uint8, []float64{255, 0, 255}},
		{"mxnet.npx.softmax", []any{vector(3, 3, 9), nd.FromSlice([]int{2})}, map[string]any{"use_length": true}, dtype.Float64, []float64{0.5, 0.5, 0}},
		{"cupy.clip", []any{x, 2, 4.5}, nil, dtype.Float64, []float64{2, 2, 3, 4, 4.5, 4.5}},
		{"cupy.concatenate", []any{[]*nd.Array{vector(1), vector(2, 3)}}, nil, dtype.Float64, []float64{1, 2, 3}},
		{"cupy.concatenate", []any{[]any{vector(1), vector(2, 3)}}, map[string]any{"axis": 0}, dtype.Float64, []float64{1, 2, 3}},
		{"nnabla.functions.add_n", []any{vector(1), vector(2), vector(3)}, nil, dtype.Float64, []float64{6}},
		{"nnabla.functions.add_n", nil, map[string]any{"x": []*nd.Array{vector(1), vector(2)}}, dtype.Float64, []float64{3}},
		{"nnabla.functions.leaky_relu", []any{vector(-1, 1)}, map[string]any{"inplace": true}, dtype.Float64, []float64{-0.1, 1}},
		{"chainer.functions.leaky_relu", []any{vector(-1, 1), 0.5}, nil, dtype.Float64, []float64{-0.5, 1}},
		{"cupy.ndarray.__getitem__", []any{x, []any{catalogue.Slice{Step: -1}, 1}}, nil, dtype.Float64, []float64{5, 2}},
		{"cupy.r_", []any{[]any{catalogue.Slice{Start: 0, Stop: 1, Step: 3i}, 7}}, nil, dtype.Float64, []float64{0, 0.5, 1, 7}},
	} {
		for _, defaults := range []bool{false, true} {
			r := called(t, c.name, c.args, c.named, catalogue.CallOptions{Defaults: defaults})
			if len(r.Values) != 1 || len(r.Written) != 0 {
				t.Errorf("%s: %d results, %d written, want one and none", c.name, len(r.Values), len(r.Written))
				continue
			}
			expect(t, c.name, r.Values[0], c.dt, c.want...)
		}
	}
}

func TestCallReturnsWhatIsWritten(t *testing.T) {
	x, out := vector(1, 2), vector(0, 0)
	r := called(t, "cupy.add", []any{x, 1}, map[string]any{"out": out})
	expect(t, "out", out, dtype.Float64, 2, 3)
	if r.Values[0] != any(out) || len(r.Written) != 1 || r.Written["out"] != out {
		t.Errorf("results %v, written %v, want out", r.Values, r.Written)
	}
	r = called(t, "cupy.add", []any{x, 1}, map[string]any{"out": x}) // x may change: it is out
	expect(t, "x", x, dtype.Float64, 2, 3)
	if len(r.Written) != 2 {
		t.Errorf("written %v, want x1 and out", r.Written)
	}
	r = called(t, "cupy.ndarray.fill", []any{x, 7}, nil)
	expect(t, "self", r.Written["self"], dtype.Float64, 7, 7)
	if len(r.Values) != 0 {
		t.Errorf("it returned %v", r.Values)
	}
}

func TestCallGradients(t *testing.T) {
	x, w, b := matrix(2, 1, 2), matrix(2, 3, 4, 5, 6), vector(7, 8)
	all := catalogue.CallOptions{Gradients: []string{"x", "weight", "bias"}}
	r := called(t, "nnabla.functions.affine", []any{x, w}, map[string]any{"bias": b}, all)
	expect(t, "y", r.Values[0], dtype.Float64, 20, 24)
	expect(t, "gx", r.Gradients["x"], dtype.Float64, 7, 11)
	expect(t, "gw", r.Gradients["weight"], dtype.Float64, 1, 1, 2, 2)
	expect(t, "gb", r.Gradients["bias"], dtype.Float64, 1, 1)

	all.OutputGradients = []*nd.Array{nd.FromSlice([]float32{1, 0}, 1, 2)} // it becomes float64
	r = called(t, "nnabla.functions.affine", []any{x, w, b}, nil, all)
	expect(t, "gx", r.Gradients["x"], dtype.Float64, 3, 5)
	expect(t, "gb", r.Gradients["bias"], dtype.Float64, 1, 0)

	list := map[string]any{"x": []*nd.Array{vector(2), vector(3), vector(4)}}
	r = called(t, "nnabla.functions.mul_n", nil, list, catalogue.CallOptions{Gradients: []string{"x"}})
	expect(t, "gx[1]", r.Gradients["x[1]"], dtype.Float64, 8)
	r = called(t, "nnabla.functions.mul_n", nil, list, catalogue.CallOptions{Gradients: []string{"x[2]"}})
	if expect(t, "gx[2]", r.Gradients["x[2]"], dtype.Float64, 6); len(r.Gradients) != 1 {
		t.Errorf("gradients %v, want one", r.Gradients)
	}

	parts := catalogue.CallOptions{Gradients: []string{"ary"}, OutputGradients: []*nd.Array{nil, vector(5)}}
	r = called(t, "cupy.split", []any{vector(1, 2), 2}, nil, parts)
	expect(t, "the gradient of a part", r.Gradients["ary"], dtype.Float64, 0, 5)

	if r := called(t, "cupy.sign", []any{vector(1)}, nil, catalogue.CallOptions{Gradients: []string{"x"}}); len(r.Gradients) != 0 {
		t.Errorf("gradients %v where none flows", r.Gradients)
	}
}

// TestCallOnATape takes gradients of gradients: of Σgx for y = x³.
func TestCallOnATape(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	r := called(t, "cupy.power", []any{vector(2, 3), 3}, nil, catalogue.CallOptions{Gradients: []string{"x1"}, Tape: tape})
	expect(t, "gx", r.Gradients["x1"], dtype.Float64, 12, 27)
	ggx := tape.Gradient(ops.Sum(r.Gradients["x1"]), r.Arguments["x1"])[0]
	expect(t, "ggx", ggx, dtype.Float64, 12, 18)
}

func TestCallOnADevice(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	x := vector(1, 2)
	r := called(t, "cupy.ndarray.fill", []any{x, 3}, nil, catalogue.CallOptions{Device: ref})
	if y := r.Written["self"]; y == nil || y.Device() != ref {
		t.Errorf("written %v, want an array on ref", r.Written)
	}
	expect(t, "x, which stays where it is,", x, dtype.Float64, 1, 2)
	r = called(t, "cupy.zeros", []any{[]int{2}}, nil, catalogue.CallOptions{Device: ref})
	if y := r.Values[0].(*nd.Array); y.Device() != ref {
		t.Errorf("zeros are on %v", y.Device())
	}
	// For a single row both orders are contiguous; the strides distinguish them.
	r = called(t, "cupy.asfortranarray", []any{[][]float64{{1, 2}}}, nil, catalogue.CallOptions{Device: ref})
	if y := r.Values[0].(*nd.Array); y.Device() != ref || !slices.Equal(y.Strides(), []int{1, 1}) {
		t.Errorf("an array in Fortran's order is on %v with strides %v", y.Device(), y.Strides())
	}
}

func TestCallDraws(t *testing.T) {
	draw := func(opts ...catalogue.CallOptions) []float64 {
		r := called(t, "cupy.random.standard_normal", []any{[]int{3}}, nil, opts...)
		return nd.ToSlice[float64](r.Values[0].(*nd.Array).AsType(dtype.Float64))
	}
	seeded := func(seed uint64) []float64 { return draw(catalogue.CallOptions{Rand: nd.NewRand(seed)}) }
	if !slices.Equal(draw(), draw()) || !slices.Equal(seeded(1), seeded(1)) || slices.Equal(seeded(1), seeded(2)) || slices.Equal(draw(), seeded(1)) {
		t.Errorf("draws %v, of seed 1 %v, of seed 2 %v", draw(), seeded(1), seeded(2))
	}
}

func TestCallReturnsPlainValues(t *testing.T) {
	if r := called(t, "cupy.ndarray.ndim", []any{matrix(2, 1, 2)}, nil); r.Values[0] != any(2) {
		t.Errorf("ndim is %v", r.Values)
	}
	r := called(t, "cupy.ndarray.shape", []any{matrix(2, 1, 2)}, nil)
	if shape, ok := r.Values[0].([]int); !ok || !slices.Equal(shape, []int{1, 2}) {
		t.Errorf("shape is %v", r.Values)
	}
	xs, err := r.Arrays()
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "the shape as an array", xs[0], dtype.Int64, 1, 2)
}

// TestCallPassesWhatOnlyGoHas passes a kernel, and bytes that a row writes to.
func TestCallPassesWhatOnlyGoHas(t *testing.T) {
	kernel := ops.MustKernel("T x, T y", "T z", "z = x - y")
	r := called(t, "cupy.ElementwiseKernel.__call__", []any{kernel, vector(5), vector(3)}, nil)
	expect(t, "z", r.Values[0], dtype.Float64, 2)
	reversed := ops.MustKernel("raw T x", "T y", "y = x[n - 1 - i]")
	r = called(t, "cupy.ElementwiseKernel.__call__", []any{reversed, vector(5, 3, 8)}, map[string]any{"size": 2})
	expect(t, "y", r.Values[0], dtype.Float64, 3, 5)
	r = called(t, "cupy.ReductionKernel", []any{"T x", "T y", "x", "a + b", "y = a", "0"},
		map[string]any{"reduce_type": "float64", "x": nd.FromSlice([]float32{1 << 24, 1, 1})})
	expect(t, "the sum in float64", r.Values[0], dtype.Float32, 1<<24+2)
	bytes := make([]byte, 2)
	called(t, "cupy.cuda.MemoryPointer.copy_to_host", []any{nd.FromSlice([]uint8{1, 2, 3}), bytes, 2}, nil)
	if !slices.Equal(bytes, []byte{1, 2}) {
		t.Errorf("bytes %v", bytes)
	}
}

func TestCallRefuses(t *testing.T) {
	x := vector(1, 2)
	for _, c := range []struct {
		name  string
		args  []any
		named map[string]any
		opts  []catalogue.CallOptions
		kind  catalogue.RefusalKind
	}{
		{"cupy.summe", []any{x}, nil, nil, catalogue.Unknown},
		{"cupy.cuda.Device.use", nil, nil, nil, catalogue.Unknown},
		{"cupy.sum", nil, nil, nil, catalogue.Misuse},
		{"cupy.sum", []any{x}, map[string]any{"axes": 0}, nil, catalogue.Misuse},
		{"cupy.sum", []any{x}, map[string]any{"a": x}, nil, catalogue.Misuse},
		{"cupy.sign", []any{x, nil, true, nil, nil, nil}, nil, nil, catalogue.Misuse},
		{"cupy.sum", []any{x}, nil, []catalogue.CallOptions{{Gradients: []string{"axis"}}}, catalogue.Misuse},
		{"cupy.sum", []any{x}, nil, []catalogue.CallOptions{{Gradients: []string{"a"}, OutputGradients: []*nd.Array{nil, nil}}}, catalogue.Misuse},
		{"cupy.sum", []any{x}, nil, []catalogue.CallOptions{{}, {}}, catalogue.Misuse},
		{"cupy.sum", []any{"x"}, nil, nil, catalogue.Unfit},
		{"cupy.sum", []any{x}, map[string]any{"keepdims": 1}, nil, catalogue.Unfit},
		{"cupy.sum", []any{x}, map[string]any{"dtype": "float13"}, nil, catalogue.Unfit},
		{"cupy.sum", []any{x, 1}, nil, nil, catalogue.Refused},
		{"cupy.add", []any{x, vector(1, 2, 3)}, nil, nil, catalogue.Refused},
		{"cupy.sum", []any{nd.FromSlice([]int{1})}, nil, []catalogue.CallOptions{{Gradients: []string{"a"}}}, catalogue.Refused},
	} {
		r, err := catalogue.Call(c.name, c.args, c.named, c.opts...)
		var refused *catalogue.Refusal
		if r != nil || !errors.As(err, &refused) || refused.Kind != c.kind {
			t.Errorf("%s%v %v: %v, %v, want a refusal of kind %d", c.name, c.args, c.named, r, err, c.kind)
			continue
		}
		var of *nd.Error
		if errors.As(err, &of) != (c.kind == catalogue.Refused) {
			t.Errorf("%s%v %v: %v comes from %v", c.name, c.args, c.named, err, of)
		}
	}
}

func TestNNablaIsComplete(t *testing.T) {
	if got := catalogue.Missing("nnabla."); len(got) > 0 {
		t.Errorf("no row and no reason for %q", got)
	}
}

func TestChainerIsComplete(t *testing.T) {
	if got := catalogue.Missing("chainer."); len(got) != 0 {
		t.Errorf("no row and no reason for %q", got)
	}
}

// TestLeftOutOfChainer pins the names of Chainer that have no meaning here: those of volatility, current objects and
// Python mechanisms, and a few more.
func TestLeftOutOfChainer(t *testing.T) {
	var got []string
	for _, l := range catalogue.LeftOutNames() {
		if strings.HasPrefix(l.Name, "chainer.") {
			got = append(got, l.Name)
		}
	}
	slices.Sort(got)
	want := []string{
		"chainer.AUTO", "chainer.Flag", "chainer.Function.type_check_enable", "chainer.GradientMethod.use_cleargrads",
		"chainer.Link.add_uninitialized_param", "chainer.Link.has_uninitialized_params", "chainer.OFF", "chainer.ON",
		"chainer.Optimizer.new_epoch", "chainer.Optimizer.remove_hook", "chainer.Reporter.__enter__", "chainer.Reporter.__exit__",
		"chainer.Variable.volatile", "chainer.cuda.clear_memo", "chainer.cuda.cudnn_enabled", "chainer.cuda.get_array_module",
		"chainer.cuda.get_max_workspace_size", "chainer.cuda.memoize", "chainer.cuda.set_max_workspace_size",
		"chainer.dataset.Iterator.__iter__", "chainer.dataset.Iterator.next",
		"chainer.dataset.cached_download", "chainer.dataset.get_dataset_root", "chainer.dataset.set_dataset_root",
		"chainer.disable_experimental_warning", "chainer.flag.aggregate_flags", "chainer.force_backprop_mode",
		"chainer.get_current_reporter", "chainer.testing.attr.cudnn", "chainer.testing.attr.gpu", "chainer.testing.attr.multi_gpu",
		"chainer.testing.attr.slow", "chainer.thread_local.function_hooks", "chainer.training.StandardUpdater.get_iterator",
		"chainer.training.Updater.connect_trainer", "chainer.training.Updater.get_all_optimizers",
		"chainer.training.Updater.get_optimizer", "chainer.training.extensions.Evaluator.get_all_iterators",
		"chainer.training.extensions.Evaluator.get_all_targets", "chainer.training.extensions.Evaluator.get_iterator",
		"chainer.training.extensions.Evaluator.get_target", "chainer.utils.experimental", "chainer.utils.type_check.Expr",
		"chainer.utils.type_check.Expr.eval", "chainer.utils.type_check.Variable",
	}
	if !slices.Equal(got, want) {
		t.Errorf("left out are %q, want %q", got, want)
	}
}

// TestScalesOfSeveralAxes has a scale for each of 2 × 3 outputs, in an array of their shape or in a vector.
func TestScalesOfSeveralAxes(t *testing.T) {
	x, w := vector(1, 2).Reshape(1, 2), nd.Arange(-6, 6, 1).Reshape(2, 2, 3)
	for _, shape := range [][]int{{2, 3}, {6}, {1, 2, 3}} {
		alpha := nd.Zeros(shape)
		r := called(t, "nnabla.functions.binary_weight_affine", []any{x, w, nd.Zeros([]int{2, 2, 3}), alpha}, nil, catalogue.CallOptions{Defaults: true})
		if want := nd.FromSlice([]float64{3, 3, 3, 3, 3, 3}, shape...); !ops.ArrayEqual(alpha, want) {
			t.Errorf("alpha %v, want %v", alpha, want)
		}
		expect(t, "y", r.Values[0], dtype.Float64, 3, 3, 3, 3, 3, 3)
	}
	for _, alpha := range []*nd.Array{nil, nd.Scalar(1), nd.Zeros([]int{5}), nd.Zeros([]int{2, 4})} {
		if _, err := catalogue.Call("nnabla.functions.binary_weight_affine", []any{x, w, nd.Zeros([]int{2, 2, 3}), alpha}, nil); err == nil {
			t.Errorf("scales in %v are not refused", alpha)
		}
	}
}

// TestPoolingOfTheLastAxis gives NNabla's pooling a kernel of one length, which covers the last axis of four.
func TestPoolingOfTheLastAxis(t *testing.T) {
	x := nd.Arange(0, 16, 1).Reshape(1, 2, 2, 4)
	r := called(t, "nnabla.functions.max_pooling", []any{x, []int{2}}, nil, catalogue.CallOptions{Defaults: true})
	want := nd.FromSlice([]float64{1, 3, 5, 7, 9, 11, 13, 15}, 1, 2, 2, 2)
	if got := r.Values[0].(*nd.Array); !ops.ArrayEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
