package ops_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestKernelBroadcastsAndPromotes(t *testing.T) {
	squared := ops.MustKernel("T x, T y", "T z", "d = x - y; z = d*d")
	x := nd.FromSlice([]int8{1, 2}, 2, 1)
	opstest.Repr(t, squared.Call(x, nd.FromSlice([]float32{1, 3})), "array([[0., 4.], [1., 1.]], dtype=float32)")
	opstest.Repr(t, squared.Call(x, nd.Scalar(3)), "array([[4], [1]], dtype=int8)")
	opstest.Repr(t, squared.Call(x, nd.Scalar(0.5)), "array([[0.25], [2.25]])")
	opstest.Repr(t, squared.Call(nd.Scalar(1), nd.Scalar(3)), "array(4)")
	opstest.Repr(t, squared.Call(x.AsType(dtype.Float16), nd.Scalar(3)), "array([[4.], [1.]], dtype=float16)")
	opstest.Repr(t, squared.Call(nd.Zeros([]int{0, 1}), nd.Zeros([]int{3})), "array([], shape=(0, 3), dtype=float64)")
	opstest.Refuses(t, "out of bounds for int8", func() { squared.Call(x, nd.Scalar(300)) })
	opstest.Refuses(t, "1 arguments for the inputs", func() { squared.Call(x) })
	opstest.Refuses(t, "do not broadcast", func() { squared.Call(nd.Zeros([]int{2}), nd.Zeros([]int{3})) })
}

func TestKernelWithTypesOfItsOwn(t *testing.T) {
	k := ops.MustKernel("T x, S k, float32 w", "T y, S m, float16 h, bool b", "y = x * w; m = k + 1; h = w; b = x > y")
	outs := k.CallMany(nd.FromSlice([]float64{1, -2}), nd.FromSlice([]uint8{7, 255}), nd.FromSlice([]int16{2, 3}))
	opstest.Repr(t, outs[0], "array([ 2., -6.])")
	opstest.Repr(t, outs[1], "array([8, 0], dtype=uint8)")
	opstest.Repr(t, outs[2], "array([2., 3.], dtype=float16)")
	opstest.Repr(t, outs[3], "array([False, True])")
	opstest.Refuses(t, "it has 4 outputs: use CallMany", func() { k.Call(nd.Scalar(1), nd.Scalar(1), nd.Scalar(1)) })
	opstest.Refuses(t, "cannot cast input w from complex64 to float32", func() {
		k.CallMany(nd.Scalar(1.0), nd.Scalar(1), nd.FromSlice([]complex64{1}))
	})
}

func TestKernelReadsRawInputs(t *testing.T) {
	reversed := ops.MustKernel("T x, raw T y", "T z", "z = x + y[n - i - 1]")
	x := nd.FromSlice([]float64{1, 2, 3})
	opstest.Repr(t, reversed.Call(x, nd.FromSlice([]float64{10, 20, 30})), "array([31., 22., 13.])")
	opstest.Repr(t, reversed.Call(x, nd.FromSlice([]float64{10, 20, 30}).Flip()), "array([11., 22., 33.])")
	gather := ops.MustKernel("raw T x, raw int32 at", "T y", "y = x[at[i]]")
	y := gather.CallOver([]int{2, 2}, x, nd.FromSlice([]int32{2, 0, 1, 9}))[0]
	opstest.Repr(t, y, "array([[3., 1.], [2., 0.]])") // elements outside of x are zeros
	opstest.Refuses(t, "say with CallOver what to loop over", func() { gather.Call(x, nd.FromSlice([]int32{1})) })
	opstest.Refuses(t, "input y is raw: want an array", func() { reversed.Call(x, nd.Scalar(1)) })
	opstest.Refuses(t, "input x does not broadcast to the loop of shape (2,)", func() { reversed.CallOver([]int{2}, x, x) })
}

func TestKernelSourceErrors(t *testing.T) {
	for _, c := range []struct{ in, out, body, gradient, says string }{
		{"T x", "T y", "y = x +", "", `found "end of text"`},
		{"T x", "S y", "y = x", "", `output "y" has type S, which no input decides`},
		{"T x", "", "y = x", "", "want at least one output"},
		{"T x, T x", "T y", "y = x", "", `"x" is declared twice`},
		{"vec x", "T y", "y = x", "", `"vec" is neither a dtype nor one capital letter`},
		{"T x", "T y", "z = x", "", `output "y" gets no value`},
		{"T x", "T y", "for (i = 0;;) y = x", "", "programs have no loops"},
		{"T x", "T y", "y = foo(x)", "", "foo"},
		{"T x", "T y", "y = x[0]", "", "x"},
		{"T x, T _n", "T y", "y = x", "", `the name "_n" is reserved`},
		{"T x", "T y", "x^2", "", "write a power as x*x, or pow(x, 2)"},
		{"T x, U n", "T y", "y = n + x ^ 2", "", "write a power as x*x, or pow(x, 2)"},
		{"T x", "T y", "x ** 2", "", "no operator **"},
		{"T x", "T y", "y = x*x", "gx = gy * 2 *", `found "end of text"`},
	} {
		_, err := ops.NewKernel(c.in, c.out, c.body, ops.KernelOptions{Name: "mine", Gradient: c.gradient})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "mine") && !strings.Contains(err.Error(), "mine") {
			t.Errorf("%q to %q by %q: got %v, want an error that says %s", c.in, c.out, c.body, err, c.says)
		}
	}
	opstest.Refuses(t, "ops.MustKernel", func() { ops.MustKernel("T x", "T y", "") })
	toggled := ops.MustKernel("int32 x, T y", "T z", "(x ^ 1) + y ^ y") // ^ means bits
	opstest.Repr(t, toggled.Call(nd.FromSlice([]int32{2, 3}), nd.FromSlice([]int64{0, 4})), "array([3, 2])")
	opstest.Refuses(t, "write a power", func() { toggled.Call(nd.FromSlice([]int32{2, 3}), nd.Scalar(1.5)) })
}

// TestKernelLanguageIsDocumented compares the names and operators in MustKernel's comment with those of the parser.
func TestKernelLanguageIsDocumented(t *testing.T) {
	source, err := os.ReadFile("kernel.go")
	if err != nil {
		t.Fatal(err)
	}
	_, comment, _ := strings.Cut(string(source), "// MustKernel is ")
	comment, _, _ = strings.Cut(comment, "\nfunc MustKernel")
	listed := func(after, before string) []string {
		_, text, ok := strings.Cut(comment, after)
		text, _, found := strings.Cut(text, before)
		if !ok || !found {
			t.Fatalf("the comment has no %q or %q", after, before)
		}
		var words []string
		for line := range strings.Lines(text) {
			if list, ok := strings.CutPrefix(line, "//\t"); ok {
				words = append(words, strings.Fields(list)...)
			}
		}
		return words
	}
	documented := map[int][]string{1: listed("Functions of one value:", "of two values:"), 2: listed("of two values:", "select(")}
	for op := device.OpAdd; op < device.OpCount; op++ {
		if !slices.Contains(documented[op.Arity()], op.String()) {
			t.Errorf("%s of %d values is not documented", op, op.Arity())
		}
	}
	if n := len(documented[1]) + len(documented[2]); n != int(device.OpCount-device.OpAdd) {
		t.Errorf("%d functions are documented, and there are %d", n, device.OpCount-device.OpAdd)
	}
	compiles := func(types, body string) {
		t.Helper()
		if _, err := ops.NewKernel(types+" x, "+types+" c", types+" y", body); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, operator := range listed("loosest first, are", "before a value") {
		if strings.ContainsAny(operator, "cxy?:") {
			continue // the operator ?:
		}
		compiles("int32", "x "+operator+" c")
	}
	compiles("T", "c ? x : c")
	for _, operator := range strings.Fields("- + ! ~") {
		compiles("int32", operator+"x")
	}
	for _, assignment := range listed("assign by", "Functions of one value:") {
		compiles("int32", "y = x; y "+assignment+" c")
	}
	for _, name := range []string{"select(c, x, x)", "fabs(x)", "power(x, c)", "T(x)", "float(x)", "int64(x)", "char(x)", "short(x)", "int(x)",
		"long(x)", "unsigned(x)", "size_t(x)", "double(x)", "bool(x)", "gamma = x; y = gamma*gamma(x)"} {
		compiles("T", name)
	}
	for _, name := range listed("The predefined names", "the index in the loop") {
		compiles("T", "y = x + T("+name+")")
		_, err := ops.NewKernel("T "+name, "T y", name)
		if reserved := name == "true" || name == "false"; (err != nil) != reserved {
			t.Errorf("an input with the name %s: %v", name, err)
		}
	}
}

func TestKernelGradients(t *testing.T) {
	huber := ops.MustKernel("T x, T y", "T z", "d = x - y; z = abs(d) < 1 ? d*d : 2*abs(d) - 1")
	x, y := opstest.Normal(20, dtype.Float64, 3, 4), opstest.Normal(21, dtype.Float64, 4)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return huber.Call(xs[0], xs[1]) }, x, y)

	shifted := ops.MustKernel("T x, raw T y", "T z", "z = x * y[(i + 1) % n] * y[i / 2]")
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return shifted.Call(xs[0], xs[1]) }, y, opstest.Normal(22, dtype.Float64, 4))
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return shifted.Call(xs[0], xs[1].T()) }, x, opstest.Normal(22, dtype.Float64, 3, 4).T())

	gather := ops.MustKernel("raw T x, raw int64 at", "T y", "y = x[at[i]] * x[at[i]]")
	at := nd.FromSlice([]int{1, 1, 0, 7})
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return gather.CallOver([]int{4}, xs[0], at)[0] }, opstest.Normal(23, dtype.Float64, 3))

	two := ops.MustKernel("T x, S y", "T sum, T product", "sum = x + y; product = x * y")
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			outs := two.CallMany(xs[0], xs[1])
			return ops.Concatenate([]*nd.Array{outs[1], outs[0]})
		}, opstest.Normal(24, dt, 5), x.Index(nd.At(0), nd.At(1)).Reshape(1))
	}
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return two.CallMany(xs[0], nd.Scalar(2.0))[1] }, x)

	straight := ops.MustKernel("T x", "T y", "y = floor(x)", ops.KernelOptions{Gradient: "gx = gy * 3"})
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return straight.Call(x) }, nd.FromSlice([]float64{0.5, 2}))
	opstest.Repr(t, g, "array([3., 3.])")
}

func TestReductionKernel(t *testing.T) {
	norm, err := ops.NewReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0")
	if err != nil {
		t.Fatal(err)
	}
	x := nd.FromSlice([]float32{3, 0, 4, 2}, 2, 2)
	opstest.Repr(t, norm.Call([]*nd.Array{x}, ops.Over(0)), "array([5., 2.], dtype=float32)")
	opstest.Repr(t, norm.Call([]*nd.Array{nd.Zeros([]int{0})}), "array(0.)")
	opstest.Repr(t, norm.Call([]*nd.Array{nd.Scalar(3.0)}), "array(3.)")
	out := nd.Zeros([]int{1, 1})
	norm.Call([]*nd.Array{x.T()}, ops.ReduceOptions{KeepDims: true, Out: out})
	opstest.Repr(t, out, "array([[5.38516474]])")

	first, err := ops.NewReductionKernel("T x, T y", "T z", "x", "a+b", "", "")
	if err != nil {
		t.Fatal(err)
	}
	opstest.Repr(t, first.Call([]*nd.Array{opstest.Vector(1.0, 2, 3), opstest.Vector(10.0, 20, 30)}), "array(6.)")
	dot, err := ops.NewReductionKernel("T x, T y", "T z", "x * y", "a+b", "", "")
	if err != nil {
		t.Fatal(err)
	}
	a, b := opstest.Normal(25, dtype.Float64, 3, 4), opstest.Normal(26, dtype.Float64, 4)
	opstest.Close(t, dot.Call([]*nd.Array{a, b}, ops.Over(-1)), ops.MatMul(a, b), 1e-14)
	opstest.Repr(t, dot.Call([]*nd.Array{nd.FromSlice([]int{1, 2}), nd.Scalar(3)}), "array(9)")
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return norm.Call([]*nd.Array{xs[0]}, ops.Over(1))
	}, a)

	if _, err = ops.NewReductionKernel("T x", "T y", "x", "a + c", "", ""); err == nil || !strings.Contains(err.Error(), "operation") {
		t.Errorf("an operation on something else: %v", err)
	}
	largest, _ := ops.NewReductionKernel("T x", "T y", "abs(x)", "max(a, b)", "", "")
	opstest.Repr(t, largest.Call([]*nd.Array{x}), "array(4., dtype=float32)")
	opstest.Refuses(t, "there are no elements to reduce", func() { largest.Call([]*nd.Array{nd.Zeros([]int{0})}) })
}

// An operation that the device does not have: the value that is furthest from 0, the first one at a tie.
func TestReductionKernelOfAnyOperation(t *testing.T) {
	furthest, err := ops.NewReductionKernel("T x", "T y", "x", "abs(a) < abs(b) ? b : a", "", "0")
	if err != nil {
		t.Fatal(err)
	}
	x := nd.FromSlice([]float64{1, -5, 3, 2, 2, 5, -2, -2, -7, 0}, 2, 5)
	rows := ops.Over(1)
	opstest.Repr(t, furthest.Call([]*nd.Array{x}, rows), "array([-5., -7.])")
	opstest.Repr(t, furthest.Call([]*nd.Array{x}, ops.Over(0).KeepDims()), "array([[ 5., -5., 3., -7., 2.]])")
	opstest.Repr(t, furthest.Call([]*nd.Array{x.AsType(dtype.Int8)}), "array(-7, dtype=int8)")
	opstest.Repr(t, furthest.Call([]*nd.Array{nd.Zeros([]int{2, 0})}, rows), "array([0., 0.])")
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return furthest.Call(xs, rows) }, opstest.Normal(50, dtype.Float64, 3, 7))

	// Associative, but not commutative: neighbours keep their order.
	last, err := ops.NewReductionKernel("T x", "T y", "x", "b", "y = a + 1", "")
	if err != nil {
		t.Fatal(err)
	}
	opstest.Repr(t, last.Call([]*nd.Array{x}, rows), "array([3., 1.])")
	opstest.Refuses(t, "no identity", func() { last.Call([]*nd.Array{nd.Zeros([]int{0})}) })

	// The identity counts only for an empty axis; the values may have a dtype of their own.
	largest, err := ops.NewReductionKernel("T x", "float64 y", "x", "max(a, b)", "", "-inf")
	if err != nil {
		t.Fatal(err)
	}
	opstest.Repr(t, largest.Call([]*nd.Array{nd.Zeros([]int{0, 2})}, ops.Over(0)), "array([-inf, -inf])")
	mean, err := ops.NewReductionKernel("T x", "T y", "x * 0.25", "a + b", "", "", ops.ReductionKernelOptions{ReduceType: "float64"})
	if err != nil {
		t.Fatal(err)
	}
	opstest.Repr(t, mean.Call([]*nd.Array{nd.FromSlice([]int8{1, 2, 3, 6})}), "array(3, dtype=int8)")
	if _, err := ops.NewReductionKernel("T x", "S y", "x", "a + b", "", "", ops.ReductionKernelOptions{ReduceType: "T"}); err == nil {
		t.Error("an output of a type that nothing decides")
	}
	if _, err := ops.NewReductionKernel("T x", "T y", "x", "a + b", "", "x"); err == nil {
		t.Error("an identity of unknown names")
	}
}

func TestKernelsFromManyGoroutines(t *testing.T) {
	k := ops.MustKernel("T x", "T y", "y = x * 2")
	results := make(chan string)
	for _, dt := range []dtype.DType{dtype.Int8, dtype.Float32, dtype.Float64, dtype.Int8} {
		go func() {
			results <- fmt.Sprint(k.Call(nd.Ones([]int{2}, dt)).AsType(dtype.Int64))
		}()
	}
	for range 4 {
		if got := <-results; got != "[2 2]" {
			t.Errorf("got %s", got)
		}
	}
}

func TestKernelOfTooManyOperands(t *testing.T) {
	const inputs = device.MaxOperands - 1
	var declared, factors []string
	var args []*nd.Array
	for k := range inputs {
		declared, factors = append(declared, fmt.Sprintf("T x%d", k)), append(factors, fmt.Sprintf("x%d", k))
		args = append(args, nd.FromSlice([]float64{1}))
	}
	in := strings.Join(declared, ", ")
	most := ops.MustKernel(in, "T y", "y = exp("+strings.Join(factors, "*")+")")
	opstest.Repr(t, most.Call(args...), "array([2.71828183])")
	opstest.Refuses(t, "operands in one launch", func() {
		opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return most.Call(append([]*nd.Array{x}, args[1:]...)...) }, args[0])
	})
	if _, err := ops.NewKernel(in+", T z", "T y", "y = z"); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("more operands than a launch has: %v", err)
	}
}

func TestKernelCallInto(t *testing.T) {
	step := ops.MustKernel("T w, T m, T g, T rate", "T next, T kept", "kept = 0.5*m + g; next = w - rate*kept")
	w, m := nd.Ones([]int{2, 3}), nd.Ones([]int{2, 3}, dtype.Float32)
	g := nd.FromSlice([]float64{1, 2, 3})
	step.CallInto([]*nd.Array{w, m}, w, m, g, nd.Scalar(0.1))
	opstest.Repr(t, w.Index(nd.At(1)), "array([0.85, 0.75, 0.65])")
	opstest.Repr(t, m.Index(nd.At(0)), "array([1.5, 2.5, 3.5], dtype=float32)")
	opstest.Refuses(t, "the array is nil", func() { step.CallInto([]*nd.Array{w, nil}, w, m, g, nd.Scalar(0.1)) })
	opstest.Refuses(t, "1 arrays for the outputs", func() { step.CallInto([]*nd.Array{w}, w, m, g, nd.Scalar(0.1)) })
	opstest.Refuses(t, "arrays of one shape", func() { step.CallInto([]*nd.Array{w, g}, w, m, g, nd.Scalar(0.1)) })
	opstest.Refuses(t, "two outputs share memory", func() { step.CallInto([]*nd.Array{w, w.T().T()}, w, m, g, nd.Scalar(0.1)) })
	opstest.Refuses(t, "does not broadcast", func() { step.CallInto([]*nd.Array{g, nd.Ones([]int{3})}, w, m, g, nd.Scalar(0.1)) })
	opstest.Refuses(t, "same_kind", func() { step.CallInto([]*nd.Array{nd.ArangeInt(0, 6, 1).Reshape(2, 3), m}, w, m, g, nd.Scalar(0.1)) })
	tape := grad.NewTape()
	opstest.Refuses(t, "is not recorded", func() { step.CallInto([]*nd.Array{w, m}, tape.Watch(w), m, g, nd.Scalar(0.1)) })
}

// TestReductionKernelOfAnyType checks that every operation and dtype works or panics, for empty arrays, too.
func TestReductionKernelOfAnyType(t *testing.T) {
	for _, operation := range []string{"a + b", "a * b", "max(a, b)", "min(a, b)", "fmax(a, b)", "fmin(a, b)", "a && b", "a || b"} {
		k, err := ops.NewReductionKernel("T x", "T y", "x", operation, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for dt := dtype.Bool; dt < dtype.Count; dt++ {
			for _, n := range []int{0, 1, 3} {
				x := nd.Ones([]int{2, n}, dt)
				err := nd.Catch(func() {
					if y := k.Call([]*nd.Array{x}, ops.Over(1)); y.DType() != dt {
						t.Errorf("%s of %s gives %s", operation, dt, y.DType())
					}
				})
				if logical := strings.ContainsAny(operation, "&|"); logical && (err == nil) != dt.IsBool() || !logical && err != nil && n > 0 && !dt.IsComplex() && !dt.IsBool() {
					t.Errorf("%s of %d elements of %s: %v", operation, n, dt, err)
				}
			}
		}
	}
}
