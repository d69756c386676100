package ops_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The tests below run programs of random functions twice: with and without a scope, in which results are deferred. All results and
// all refusals must be equal.

var (
	functions1 = []func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array{
		ops.Negative, ops.Absolute, ops.Square, ops.Reciprocal, ops.Positive, ops.Sign, ops.Exp, ops.Expm1, ops.Log, ops.Log1p, ops.Sqrt,
		ops.Rsqrt, ops.Cbrt, ops.Sin, ops.Cos, ops.Tan, ops.Tanh, ops.Sinh, ops.Arctan, ops.Sigmoid, ops.LogSigmoid, ops.Softsign, ops.Swish,
		ops.Mish, ops.GELU, ops.GELUErf, ops.ReLU, ops.HardSigmoid, ops.Erf, ops.Gamma, ops.Lgamma, ops.I0, ops.Floor, ops.Ceil, ops.Trunc,
		ops.Rint, ops.SignBit, ops.IsNaN, ops.IsFinite, ops.LogicalNot, ops.Invert,
	}
	functions2 = []ops.Ufunc{
		ops.UfuncOf(ops.Add), ops.UfuncOf(ops.Subtract), ops.UfuncOf(ops.Multiply), ops.UfuncOf(ops.Divide), ops.UfuncOf(ops.FloorDivide), ops.UfuncOf(ops.Remainder), ops.UfuncOf(ops.Fmod),
		ops.UfuncOf(ops.Power), ops.UfuncOf(ops.Maximum), ops.UfuncOf(ops.Minimum), ops.UfuncOf(ops.FMax), ops.UfuncOf(ops.Arctan2), ops.UfuncOf(ops.Hypot), ops.UfuncOf(ops.CopySign),
		ops.UfuncOf(ops.LogAddExp), ops.UfuncOf(ops.Greater), ops.UfuncOf(ops.LessEqual), ops.UfuncOf(ops.Equal), ops.UfuncOf(ops.NotEqual), ops.UfuncOf(ops.LogicalAnd),
		ops.UfuncOf(ops.LogicalOr), ops.UfuncOf(ops.BitwiseAnd), ops.UfuncOf(ops.BitwiseXor), ops.UfuncOf(ops.LeftShift), ops.UfuncOf(ops.Gcd), ops.UfuncOf(ops.Xlogy),
	}
	reductions = []func(x *nd.Array, opts ...ops.ReduceOption) *nd.Array{ops.Sum, ops.Sum, ops.Mean, ops.Prod, ops.Max, ops.NanMin, ops.All, ops.CountNonzero,
		func(x *nd.Array, _ ...ops.ReduceOption) *nd.Array { return ops.Norm(x) },
	}
	numberTypes = []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32, dtype.Bool, dtype.Float32, dtype.Float64, dtype.Int64, dtype.Uint8,
		dtype.Int8, dtype.Int16, dtype.Uint16, dtype.Uint32, dtype.Uint64, dtype.Float16, dtype.BFloat16, dtype.Complex64, dtype.Complex128}
)

var specialValues = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1e30, 1e-40}

// source makes random choices: from 0 to n-1.
type source func(n int) int

func seeded(seed uint64) source {
	r := rand.New(rand.NewPCG(seed, 37))
	return r.IntN
}

// material returns the arrays that a program begins with, of some shapes that broadcast to one, dtypes and layouts.
func material(choose source, dev device.Device, rows, columns int) (xs []*nd.Array) {
	for k := range 3 + choose(3) {
		shape := []int{rows, columns}
		switch choose(6) {
		case 0:
			shape[0] = 1
		case 1:
			shape[1] = 1
		case 2:
			shape = shape[1:]
		}
		n := 1
		for _, length := range shape {
			n *= length
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(choose(4001)-2000) / 500
			if choose(200) == 0 {
				values[i] = specialValues[choose(len(specialValues))]
			}
		}
		x := nd.FromSlice(values, shape...).AsType(numberTypes[choose(len(numberTypes))]).To(dev)
		switch {
		case k > 0 && choose(4) == 0:
			x = x.CopyFortran()
		case k > 0 && choose(6) == 0:
			x = x.Flip()
		}
		xs = append(xs, x)
	}
	return xs
}

// step is one line of a program: it computes another array from some of xs, or changes one of them. It also returns bytes that the
// host has read. slices are memory of arrays that the host holds.
func step(choose source, xs []*nd.Array, slices *[][]float32) (y *nd.Array, read []byte) {
	any := func() *nd.Array { return xs[len(xs)-1-choose(min(len(xs), 4+choose(len(xs))))] }
	switch choose(24) {
	default:
		return functions2[choose(len(functions2))](any(), any()), nil
	case 0, 1, 2, 3, 4:
		return functions1[choose(len(functions1))](any()), nil
	case 5:
		return ops.Multiply(any(), float64(choose(9)-4)/2), nil
	case 6:
		return ops.Subtract(choose(5), any()), nil
	case 7:
		return ops.Where(any().AsType(dtype.Bool), any(), any()), nil
	case 8:
		return any().AsType(numberTypes[choose(len(numberTypes))]), nil
	case 9:
		o := [][]ops.ReduceOption{{ops.Over(0).KeepDims()}, {ops.Over(1).KeepDims()}, {}, {ops.Over(-1)}}[choose(4)]
		return reductions[choose(len(reductions))](any(), o...), nil
	case 10:
		return ops.Max(any(), ops.Over(-1).KeepDims()), nil
	case 11:
		x := any()
		return x.Index(nd.All()).Flip(), nil
	case 12:
		x := any()
		return x.Reshape(x.Shape()...), nil
	case 13: // into an array that others read
		o := ops.UfuncOptions{Out: any()}
		if choose(3) == 0 {
			o.Where = any().AsType(dtype.Bool)
		}
		return functions2[choose(len(functions2))](any(), any(), o), nil
	case 14:
		y := any()
		y.Assign(any())
		return y, nil
	case 15:
		return ops.Add(any(), any(), ops.UfuncOptions{Where: any().AsType(dtype.Bool)}), nil
	case 16:
		return nil, contents(any())
	case 17:
		x := any()
		if x.DType() == dtype.Float32 && x.IsContiguous() && x.Device().Name() == "cpu" && x.Size() > 0 {
			*slices = append(*slices, nd.Data[float32](x))
		}
		fallthrough
	case 19: // the host writes
		for k, s := range *slices {
			s[choose(len(s))] = float32(k + choose(9))
		}
		return nil, nil
	case 20:
		return ops.Roll(any(), []int{choose(3), choose(5) - 2}, ops.Over(0, 1)), nil
	case 18:
		return ops.CumSum(any(), ops.Over(0)), nil
	}
}

func processor(name string) device.Device {
	dev, err := device.Get(name)
	if err != nil {
		panic(err)
	}
	return dev
}

// contents returns the elements of an array, with its dtype and shape. All NaN are the same: the sign and the payload of a NaN depend on
// which of two operands the processor takes first.
func contents(x *nd.Array) []byte {
	b := fmt.Append(nil, x.DType(), x.Shape())
	x = x.To(processor("cpu")).Copy()
	switch x.DType() {
	case dtype.Float32:
		return appendFloats(b, nd.ToSlice[float32](x))
	case dtype.Float64:
		return appendFloats(b, nd.ToSlice[float64](x))
	case dtype.Float16, dtype.BFloat16:
		return appendFloats(b, nd.ToSlice[float32](x.AsType(dtype.Float32)))
	case dtype.Complex64, dtype.Complex128:
		for _, v := range nd.ToSlice[complex128](x.AsType(dtype.Complex128)) {
			b = appendFloats(b, []float64{real(v), imag(v)})
		}
		return b
	}
	var text bytes.Buffer
	if err := nd.WriteNpy(&text, x); err != nil {
		panic(err)
	}
	return append(b, text.Bytes()...)
}

func appendFloats[T float32 | float64](b []byte, xs []T) []byte {
	for _, v := range xs {
		bits := math.Float64bits(float64(v))
		if v != v {
			bits = math.MaxUint64
		}
		for k := range 8 {
			b = append(b, byte(bits>>(8*k)))
		}
	}
	return b
}

// run runs a program on its material, and returns everything that could be observed.
func run(choose source, xs []*nd.Array, steps int) (seen [][]byte) {
	var slices [][]float32
	made := make([]uint32, len(xs)) // versions
	for k, x := range xs {
		made[k] = x.Version()
	}
	for range steps {
		err := nd.Catch(func() {
			y, read := step(choose, xs, &slices)
			if y != nil {
				xs = append(xs, y)
				made = append(made, y.Version())
				seen = append(seen, fmt.Append(nil, y.DType(), y.Shape()))
			}
			seen = append(seen, read)
		})
		if err != nil {
			seen = append(seen, []byte(err.Error()))
		}
	}
	for range 3 {
		k := choose(len(xs))
		seen = append(seen, contents(xs[k]))
	}
	for k, x := range xs {
		seen = append(seen, contents(x), fmt.Append(nil, x.Version()-made[k]))
	}
	return seen
}

// compare runs one program without a scope and in one.
func compare(t *testing.T, name string, begin func() source, dev device.Device, rows, columns, steps int) {
	t.Helper()
	choose := begin()
	plain := run(choose, material(choose, dev, rows, columns), steps)
	var scoped [][]byte
	choose = begin()
	xs := material(choose, dev, rows, columns)
	variables := make([]**nd.Array, 0, len(xs))
	for k := range xs {
		if k != 1 { // one array is from outside of the scope
			variables = append(variables, &xs[k])
		}
	}
	nd.TidyAll(func() { scoped = run(choose, append([]*nd.Array{}, xs...), steps) }, variables...)
	if len(plain) != len(scoped) {
		t.Fatalf("%s: %d observations, and %d in a scope", name, len(plain), len(scoped))
	}
	for k := range plain {
		if !bytes.Equal(plain[k], scoped[k]) {
			t.Fatalf("%s: observation %d of %d differs in a scope:\n%s\n%s", name, k, len(plain), difference(plain[k], scoped[k]), difference(scoped[k], plain[k]))
		}
	}
}

// difference returns the beginning of a, and its bytes from where it differs from b.
func difference(a, b []byte) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("%.40q at byte %d: % x", a, at, a[at/8*8:min(len(a), at/8*8+24)])
}

// TestDeferredPrograms compares random programs.
func TestDeferredPrograms(t *testing.T) {
	programs := 2000
	if testing.Short() {
		programs = 150
	}
	for seed := range programs {
		workers := []int{1, 2, 3, 5, 8}[seed%5]
		old := cpu.SetWorkers(workers)
		rows, columns := 3, 800
		switch {
		case seed%40 == 0: // reductions have several groups
			columns = 30000
		case seed%5 == 0:
			rows, columns = 300, 9
		}
		compare(t, fmt.Sprint("program ", seed), func() source { return seeded(uint64(seed)) }, processor("cpu"), rows, columns, 4+seed%16)
		cpu.SetWorkers(old)
	}
}

// TestDeferredProgramsOnDevices is the same on all other devices.
func TestDeferredProgramsOnDevices(t *testing.T) {
	for _, name := range device.Names() {
		for seed := range programsOnDevices(30) {
			if name != "cpu" {
				compare(t, fmt.Sprint(name, ", program ", seed), func() source { return seeded(uint64(seed)) }, processor(name), 3, 700, 12)
			}
		}
	}
}

// programsOnDevices returns how many random programs a test runs on each device beside the CPU: a sample, or as many as on the CPU.
func programsOnDevices(sample int) int {
	if *allPairs {
		return 2000
	}
	return sample
}

// TestDeferredOnOneEngine has a function that any engine computes exactly, and whose operands two engines have computed: one program
// cannot have the bits of both.
func TestDeferredOnOneEngine(t *testing.T) {
	x := nd.Linspace(0.001, 7, 30000)
	step := func() []byte {
		return contents(ops.Where(ops.Lgamma(x).AsType(dtype.Bool), ops.Hypot(x, 0.7), x))
	}
	plain := step()
	nd.TidyAll(func() {
		if scoped := step(); !bytes.Equal(plain, scoped) {
			t.Errorf("the result differs in a scope:\n%s\n%s", difference(plain, scoped), difference(scoped, plain))
		}
	}, &x)
}

// FuzzDeferred looks for programs that a scope changes.
func FuzzDeferred(f *testing.F) {
	f.Add([]byte("elementwise"), uint8(12))
	f.Fuzz(func(t *testing.T, data []byte, steps uint8) {
		begin := func() source {
			k, numbers := 0, seeded(uint64(len(data)))
			return func(n int) int {
				if n > 256 {
					return numbers(n)
				}
				if k++; k > len(data) {
					return 0
				}
				return int(data[k-1]) % n
			}
		}
		compare(t, "program", begin, processor("cpu"), 3, 700, int(steps%24))
	})
}
