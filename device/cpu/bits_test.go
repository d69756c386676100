package cpu_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

var updateBits = flag.Bool("update", false, "write testdata/bits.txt anew, on a machine with AVX-512")

// TestBits compares the results of functions with a committed table of hashes, at every instruction level. The table says which results
// are equal to the bit on all processors: docs/architecture.md summarizes it. Each line has a function, and hashes for plain Go, for AVX2
// or NEON, and for AVX-512; a hash that the column before it has, too, is an equals sign. The sign and the payload of NaN do not count.
// [dependsOnProcessor] has what is not compared.
func TestBits(t *testing.T) {
	const file = "testdata/bits.txt"
	want := map[string][]string{}
	seen := map[string]bool{}
	text, err := os.ReadFile(file)
	if err != nil && !*updateBits {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if f := strings.Fields(line); len(f) == 4 {
			want[f[0]] = f[1:]
		}
	}
	var table bytes.Buffer
	defer isa.Use(isa.Current())
	for _, f := range bitFunctions() {
		if seen[f.name] {
			t.Errorf("%s is listed twice", f.name)
		}
		seen[f.name] = true
		fmt.Fprint(&table, f.name)
		before := ""
		for level := isa.Generic; level <= isa.Best; level++ {
			isa.Use(level)
			hash := hashOf(f.call())
			if hash == before {
				fmt.Fprint(&table, " =")
			} else {
				fmt.Fprint(&table, " ", hash)
			}
			before = hash
			if w := want[f.name]; !*updateBits && !dependsOnProcessor(f.name, level) && (w == nil || hash != bitHash(w, level)) {
				t.Errorf("%s at level %s: %s, want %v", f.name, level, hash, w)
			}
		}
		table.WriteByte('\n')
	}
	if *updateBits {
		if isa.Best != isa.AVX512 {
			t.Fatal("the table needs all levels")
		}
		if err := os.WriteFile(file, table.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// dependsOnProcessor reports whether results at a level differ between processors: if they begin with an estimate of 1/x, which makers
// choose, or if the compiler for arm64 fuses products and sums of Go code.
func dependsOnProcessor(function string, level isa.Level) bool {
	switch name, _, _ := strings.Cut(function, "/"); name {
	case "acos", "asin", "cbrt":
		return level == isa.AVX2
	case "matmul", "matmul_batch", "matvec", "convolution", "depthwise":
		return level == isa.Generic && runtime.GOARCH != "amd64"
	case "solve":
		return runtime.GOARCH != "amd64"
	}
	return false
}

// bitHash returns the hash of a line for a level.
func bitHash(line []string, level isa.Level) string {
	for level > 0 && line[level] == "=" {
		level--
	}
	return line[level]
}

// hashOf returns a hash of arrays' elements, with the same bits for all NaNs.
func hashOf(xs []*nd.Array) string {
	h := fnv.New32a()
	for _, x := range xs {
		if x.DType().IsComplex() {
			h.Write([]byte(hashOf([]*nd.Array{ops.Real(x), ops.Imag(x)})))
			continue
		}
		if x.DType().IsFloat() {
			x = ops.Where(ops.IsNaN(x), nd.Full(nil, math.NaN(), x.DType()), x)
		}
		var file bytes.Buffer
		if err := nd.WriteNpy(&file, x); err != nil {
			panic(err)
		}
		h.Write(file.Bytes())
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

type bitFunction struct {
	name string
	call func() []*nd.Array
}

// bitFunctions returns all opcodes of programs in their main types, then kernels.
func bitFunctions() (all []bitFunction) {
	for op := device.OpAdd; op < device.OpCount; op++ {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32, dtype.Int64, dtype.Bool, dtype.Complex64} {
			if op.Accepts(dt) {
				all = append(all, opcodeBits(op, dt))
			}
		}
	}
	add := func(name string, call func() *nd.Array) {
		all = append(all, bitFunction{name, func() []*nd.Array { return []*nd.Array{call()} }})
	}
	types := []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint64, dtype.Float16, dtype.BFloat16,
		dtype.Float32, dtype.Float64}
	for _, from := range types {
		for _, to := range types {
			if from != to {
				add(fmt.Sprintf("convert/%s/%s", from, to), func() *nd.Array { return wildBits(1, 3000).AsType(from).AsType(to) })
			}
		}
	}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32} {
		x := func(seed uint64, shape ...int) *nd.Array { return tameBits(seed, shape...).AsType(dt) }
		name := func(s string) string { return s + "/" + dt.String() }
		add(name("reduce/sum"), func() *nd.Array { return ops.Sum(x(1, 70, 333), ops.Over(1)) })
		add(name("reduce/sum_first_axis"), func() *nd.Array { return ops.Sum(x(1, 70, 333), ops.Over(0)) })
		add(name("reduce/sum_all"), func() *nd.Array { return ops.Sum(x(1, 70, 3333)) })
		add(name("reduce/prod"), func() *nd.Array { return ops.Prod(x(1, 70, 33), ops.Over(1)) })
		add(name("reduce/max"), func() *nd.Array { return ops.Max(x(1, 70, 333), ops.Over(1)) })
		add(name("reduce/argmax"), func() *nd.Array { return ops.ArgMax(x(1, 70, 333), ops.Over(0)) })
		add(name("reduce/cumsum"), func() *nd.Array { return ops.CumSum(x(1, 70, 333), ops.Over(1)) })
		add(name("reduce/cumprod"), func() *nd.Array { return ops.CumProd(x(1, 70, 33), ops.Over(0)) })
		add(name("sort"), func() *nd.Array { return ops.Sort(x(1, 7, 3333), ops.Over(1)) })
		add(name("argsort"), func() *nd.Array { return ops.ArgSort(x(1, 7, 3333), ops.Over(1)) })
		add(name("transpose"), func() *nd.Array { return x(1, 77, 99).T().Copy() })
		add(name("reverse"), func() *nd.Array { return x(1, 777).Index(nd.All().By(-1)).Copy() })
		add(name("matmul"), func() *nd.Array { return ops.MatMul(x(1, 65, 300), x(2, 300, 77)) })
		add(name("matmul_batch"), func() *nd.Array { return ops.MatMul(x(1, 90, 5, 6), x(2, 90, 6, 7)) })
		add(name("matvec"), func() *nd.Array { return ops.MatMul(x(1, 99, 300), x(2, 300)) })
	}
	for _, dt := range []dtype.DType{dtype.Int8, dtype.Uint8, dtype.Int16} {
		add("matmul/"+dt.String(), func() *nd.Array {
			return ops.MatMul(tameBits(1, 65, 301).AsType(dt), tameBits(2, 301, 77).AsType(dt), ops.ProductOptions{DType: dtype.Int32})
		})
	}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		x := func(seed uint64, shape ...int) *nd.Array { return tameBits(seed, shape...).AsType(dt) }
		name := func(s string) string { return s + "/" + dt.String() }
		add(name("mean"), func() *nd.Array { return ops.Mean(x(1, 70, 333), ops.Over(1)) })
		add(name("var"), func() *nd.Array { return ops.Var(x(1, 70, 333), ops.Over(1)) })
		add(name("norm"), func() *nd.Array { return ops.Norm(x(1, 70, 333)) })
		add(name("softmax"), func() *nd.Array { return ops.Softmax(x(1, 70, 333)) })
		add(name("layer_normalization"), func() *nd.Array { return normalize.LayerNormalization(x(1, 70, 333), nil, nil) })
		add(name("attention"), func() *nd.Array { return ops.Attention(x(1, 2, 20, 16), x(2, 2, 30, 16), x(3, 2, 30, 16)) })
		add(name("convolution"), func() *nd.Array { return conv.Convolution(x(1, 2, 8, 20, 20), x(2, 12, 8, 3, 3), nil) })
		add(name("depthwise"), func() *nd.Array { return conv.DepthwiseConvolution(x(1, 2, 8, 20, 20), x(2, 8, 3, 3), nil) })
		add(name("max_pooling"), func() *nd.Array { return conv.MaxPooling(x(1, 2, 8, 21, 21), []int{3, 3}) })
		add(name("average_pooling"), func() *nd.Array { return conv.AveragePooling(x(1, 2, 8, 21, 21), []int{3, 3}) })
		add(name("solve"), func() *nd.Array { return linalg.Solve(x(1, 40, 40), x(2, 40, 3)) })
		add(name("random/uniform"), func() *nd.Array { return random.Uniform(nd.NewRand(1), -1, 1, []int{3333}, dt) })
		add(name("random/normal"), func() *nd.Array { return random.Normal(nd.NewRand(1), 0, 1, []int{3333}, dt) })
		add(name("random/exponential"), func() *nd.Array { return random.Exponential(nd.NewRand(1), 1, []int{3333}, dt) })
		add(name("random/gamma"), func() *nd.Array { return random.Gamma(nd.NewRand(1), 0.7, 1, []int{3333}, dt) })
	}
	for _, n := range []int{8, 120, 143, 211, 4096} {
		add(fmt.Sprint("fft/", n, "/complex64"), func() *nd.Array { return fft.FFT(tameBits(1, 5, n).AsType(dtype.Complex64)) })
		add(fmt.Sprint("fft/", n, "/complex128"), func() *nd.Array { return fft.FFT(tameBits(1, 5, n).AsType(dtype.Complex128)) })
	}
	add("random/bits", func() *nd.Array { return random.Bits(nd.NewRand(1), []int{3333}) })
	add("random/integers", func() *nd.Array { return random.Integers(nd.NewRand(1), 0, 1000, []int{3333}) })
	add("random/permutation", func() *nd.Array { return random.Permutation(nd.NewRand(1), 3333) })
	add("random/poisson", func() *nd.Array { return random.Poisson(nd.NewRand(1), 30, []int{3333}) })
	return all
}

// opcodeBits is a program of one opcode.
func opcodeBits(op device.Op, dt dtype.DType) bitFunction {
	inputs, body, second := fmt.Sprintf("%s a", dt), fmt.Sprintf("y = %s(a)", op), dt
	if op == device.OpLdexp {
		second = dtype.Int64
	}
	if op.Arity() == 2 {
		inputs, body = fmt.Sprintf("%s a, %s b", dt, second), fmt.Sprintf("y = %s(a, b)", op)
	}
	result := dt
	switch op {
	case device.OpEq, device.OpNe, device.OpLt, device.OpLe, device.OpGt, device.OpGe, device.OpIsNaN, device.OpIsInf, device.OpIsFinite, device.OpSignBit:
		result = dtype.Bool
	case device.OpAbs, device.OpReal, device.OpImag:
		result = dt.Real()
	case device.OpComplex:
		result = dt.Complex()
	}
	kernel := ops.MustKernel(inputs, fmt.Sprintf("%s y", result), body)
	numbers := func(seed uint64) *nd.Array {
		if op == device.OpBesselY || op == device.OpPow && dt.IsComplex() { // whose overflows depend on the sign of NaN
			return tameBits(seed, 1500)
		}
		return ops.Concatenate([]*nd.Array{wildBits(seed, 1500), tameBits(seed+1, 1500)})
	}
	return bitFunction{fmt.Sprintf("%s/%s", op, dt), func() []*nd.Array {
		in := []*nd.Array{numbers(1).AsType(dt)}
		if op.Arity() == 2 {
			in = append(in, numbers(3).AsType(second))
		}
		return []*nd.Array{kernel.Call(in...)}
	}}
}

// wildBits returns float64 numbers of all magnitudes, some of them special.
func wildBits(seed uint64, n int) *nd.Array {
	rng := rand.New(rand.NewPCG(seed, 1))
	specials := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, -2.5, 3, 127, 128, 255, 32768, 1 << 31, -1 << 31, 1 << 53, 1e-40, 1e-310, math.MaxFloat32,
		math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	x := make([]float64, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = specials[rng.IntN(len(specials))]
		case 1:
			x[i] = float64(rng.IntN(512) - 256)
		default:
			x[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(140)-70)
		}
	}
	return nd.FromSlice(x)
}

// tameBits returns float64 numbers from -96 to 96.
func tameBits(seed uint64, shape ...int) *nd.Array {
	rng := rand.New(rand.NewPCG(seed, 2))
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 96 * float64(2*rng.Float64()-1)
	}
	return nd.FromSlice(x, shape...)
}
