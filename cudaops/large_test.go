package cudaops_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"

	_ "github.com/ndgrad/ndgrad/device/cpu"
)

// These tests cover what the compliance suite, whose arrays are small, does not reach: long rows and transforms, and
// matrices with more rows and columns than a block has threads.

// dense is an operand of complex128 or int64 without gaps; its strides are those of the loop.
type dense struct {
	dtype   dtype.DType
	strides []int
	count   int
}

// compute runs a kernel whose input is x, and returns the outputs. int64 outputs become the real parts of complex
// numbers.
func compute(dev device.Device, kernel func(device.Device, *device.Launch), set func(*device.Launch), loop []int, outputs []dense, x []complex128) [][]complex128 {
	l := device.NewLaunch()
	defer l.Recycle()
	set(l)
	l.Rank = copy(l.Shape[:], loop)
	strides := make([]int, len(loop))
	for k, step := len(loop)-1, 1; k >= 0; k-- {
		strides[k] = step
		step *= loop[k]
	}
	operands := append(append([]dense{}, outputs...), dense{dtype.Complex128, strides, len(x)})
	l.N, l.Outputs = len(operands), len(outputs)
	for k, o := range operands {
		at := &l.Operands[k]
		*at = device.Operand{Memory: dev.Alloc(o.count * o.dtype.Size()), DType: o.dtype}
		defer dev.Free(at.Memory)
		copy(at.Strides[:], o.strides)
	}
	dev.CopyIn(l.Operands[len(outputs)].Memory, 0, bytesOf(x))
	kernel(dev, l)
	var results [][]complex128
	for k, o := range outputs {
		y := make([]complex128, o.count)
		if o.dtype == dtype.Int64 {
			indices := make([]int64, o.count)
			dev.CopyOut(bytesOf(indices), l.Operands[k].Memory, 0)
			for i, index := range indices {
				y[i] = complex(float64(index), 0)
			}
		} else {
			dev.CopyOut(bytesOf(y), l.Operands[k].Memory, 0)
		}
		results = append(results, y)
	}
	return results
}

func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

func normals(r *rand.Rand, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return x
}

func none(*device.Launch) {}

// TestLongFFT compares transforms with those of the CPU, for lengths that are powers, products of small primes, and
// large primes.
func TestLongFFT(t *testing.T) {
	d := gpu(t)
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 3
	for _, n := range []int{1025, 1026, 2048, 2187, 3003, 3600, 4096, 2 * 2017, 7919, 1 << 15, 59049, 65537, 100_000} {
		x := normals(r, rows*n)
		for _, inverse := range []bool{false, true} {
			set := func(l *device.Launch) { l.Inverse = inverse }
			output := []dense{{dtype.Complex128, []int{n, 1}, rows * n}}
			got := compute(d, device.Device.FFT, set, []int{rows, n}, output, x)[0]
			want := compute(cpu, device.Device.FFT, set, []int{rows, n}, output, x)[0]
			limit := 2 * (float64(bits.Len(uint(n))) + math.Sqrt(float64(n))/8) * 0x1p-52 * math.Sqrt(2*float64(n))
			for k := range want {
				if cmplx.Abs(got[k]-want[k]) > limit {
					t.Fatalf("length %d, inverse %v: element %d is %g, want %g (within %g)", n, inverse, k, got[k], want[k], limit)
				}
			}
		}
	}
}

// grid is a matrix.
type grid struct {
	rows, columns int
	at            []complex128
}

// times returns the product of a, or of its adjoint, and b.
func (a grid) times(adjoint bool, b grid) grid {
	rows, inner := a.rows, a.columns
	if adjoint {
		rows, inner = inner, rows
	}
	y := grid{rows, b.columns, make([]complex128, rows*b.columns)}
	for i := range rows {
		for k := range inner {
			v := complex(0, 0)
			if adjoint {
				v = cmplx.Conj(a.at[k*a.columns+i])
			} else {
				v = a.at[i*a.columns+k]
			}
			for j := range b.columns {
				y.at[i*b.columns+j] += v * b.at[k*b.columns+j]
			}
		}
	}
	return y
}

// scaled multiplies the columns of a by numbers.
func (a grid) scaled(by []complex128) grid {
	y := grid{a.rows, a.columns, make([]complex128, len(a.at))}
	for i, v := range a.at {
		y.at[i] = v * by[i%a.columns]
	}
	return y
}

func unit(n int) grid {
	y := grid{n, n, make([]complex128, n*n)}
	for i := range n {
		y.at[i*n+i] = 1
	}
	return y
}

func alike(t *testing.T, what string, got, want grid) {
	t.Helper()
	for i := range want.at {
		if limit := 1e-11; !(cmplx.Abs(got.at[i]-want.at[i]) <= limit) {
			t.Fatalf("%s: element (%d, %d) is %g, want %g (within %g)", what, i/want.columns, i%want.columns, got.at[i], want.at[i], limit)
		}
	}
}

// vector and matrix are outputs for one matrix.
func vector(n int) dense { return dense{dtype.Complex128, []int{1, 0}, n} }
func matrix(rows, columns int) dense {
	return dense{dtype.Complex128, []int{columns, 1}, rows * columns}
}

// TestLargeMatrices multiplies the factors and compares the product with the matrix.
func TestLargeMatrices(t *testing.T) {
	d := gpu(t)
	r := rand.New(rand.NewPCG(3, 4))
	full := func(l *device.Launch) { l.Full = true }
	for _, shape := range [][2]int{{300, 40}, {40, 300}, {130, 128}} {
		m, n := shape[0], shape[1]
		k := min(m, n)
		a := grid{m, n, normals(r, m*n)}
		name := fmt.Sprintf("%d×%d: ", m, n)
		factors := compute(d, device.Device.QR, full, shape[:], []dense{matrix(m, m), matrix(m, n)}, a.at)
		q := grid{m, m, factors[0]}
		alike(t, name+"QᴴQ", q.times(true, q), unit(m))
		alike(t, name+"Q·R", q.times(false, grid{m, n, factors[1]}), a)

		factors = compute(d, device.Device.SVD, none, shape[:], []dense{matrix(m, k), vector(k), matrix(k, n)}, a.at)
		u, vt := grid{m, k, factors[0]}, grid{k, n, factors[2]}
		alike(t, name+"UᴴU", u.times(true, u), unit(k))
		alike(t, name+"U·diag(s)·Vᴴ", u.scaled(factors[1]).times(false, vt), a)
	}

	const n = 130
	a := grid{n, n, normals(r, n*n)}
	pairs := compute(d, device.Device.Eig, none, []int{n, n}, []dense{vector(n), matrix(n, n)}, a.at)
	v := grid{n, n, pairs[1]}
	alike(t, "A·V", a.times(false, v), v.scaled(pairs[0]))

	hermitian := a.times(true, a)
	pairs = compute(d, device.Device.Eigh, none, []int{n, n}, []dense{vector(n), matrix(n, n)}, hermitian.at)
	v = grid{n, n, pairs[1]}
	alike(t, "VᴴV", v.times(true, v), unit(n))
	alike(t, "A·V of a Hermitian A", hermitian.times(false, v), v.scaled(pairs[0]))
}

// TestOrderOfRows compares the row order of LU with the result of applying the exchanges.
func TestOrderOfRows(t *testing.T) {
	d := gpu(t)
	const batch, m, n = 3, 50, 30
	x := normals(rand.New(rand.NewPCG(5, 6)), batch*m*n)
	results := compute(d, device.Device.LU, none, []int{batch, m, n}, []dense{{dtype.Complex128, []int{m * n, n, 1}, len(x)},
		{dtype.Int64, []int{n, 1, 0}, batch * n}, {dtype.Int64, []int{m, 1, 0}, batch * m}}, x)
	for b := range batch {
		var rows [m]complex128
		for i := range rows {
			rows[i] = complex(float64(i), 0)
		}
		for i, with := range results[1][b*n : (b+1)*n] {
			j := int(real(with))
			rows[i], rows[j] = rows[j], rows[i]
		}
		if [m]complex128(results[2][b*m:]) != rows {
			t.Errorf("matrix %d: the order of rows is %v, want %v", b, results[2][b*m:(b+1)*m], rows)
		}
	}
}

// TestLongRows compares results for rows that are split into parts with the CPU. At ties the first extreme is the
// result.
func TestLongRows(t *testing.T) {
	d := gpu(t)
	x := ops.Remainder(ops.Multiply(nd.Arange(0, 100_000, 1), 7919), 65_521).Reshape(2, 50_000)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"ArgMax": func(x *nd.Array) *nd.Array { return ops.ArgMax(x) },
		"ArgMin": func(x *nd.Array) *nd.Array { return ops.ArgMin(x, ops.Over(1)) },
		"CumSum": func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(1)) },
		"CumMax": func(x *nd.Array) *nd.Array { values, _ := ops.CumMax(x, ops.Over(1)); return values },
		"Max":    func(x *nd.Array) *nd.Array { return ops.Max(x) },
	} {
		if got, want := f(x.To(d)), f(x); !ops.ArrayEqual(got.To(want.Device()), want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
