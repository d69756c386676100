package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

func TestEig(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(2, 5, 5), normal(20, 20), complexNormal(6, 6), complexNormal(2, 3, 3), normal(0, 0),
			nd.Identity(4), nd.Zeros([]int{3, 3}), normal(3, 3).AsType(dtype.Float32), complexNormal(1, 1).AsType(dtype.Complex64)} {
			for layout, a := range layouts(x.To(dev)) {
				w, v := linalg.Eig(a)
				near(t, layout+" a·v", ops.MatMul(a, v), ops.Multiply(v, w.ExpandDims(-2)))
				near(t, layout+" eigenvalues alone", linalg.Eigvals(a), w)
				lengths := ops.Norm(v, ops.Over(-2))
				near(t, layout+" lengths", lengths, nd.OnesLike(lengths))
				if w.DType() != a.DType().Complex() {
					t.Errorf("eigenvalues of %s are %s", a.DType(), w.DType())
				}
			}
		}
		w, v := linalg.Eig(matrix(2, 1, 2, 3, 4).To(dev))
		near(t, "the imaginary parts of real pairs", both(ops.Imag(w), ops.Imag(v)), nd.Zeros([]int{6}))
		w, _ = linalg.Eig(matrix(2, 0, -1, 1, 0).To(dev))
		near(t, "a conjugate pair", ops.Sum(w), nd.Full(nil, complex(0, 0)))
	})
}

// TestEigOfHardMatrices decomposes complex matrices of extreme sizes, and matrices with too few eigenvectors.
func TestEigOfHardMatrices(t *testing.T) {
	for name, entry := range map[string]func(i, j int) complex128{
		"huge": func(i, j int) complex128 {
			return complex(1e150*math.Sin(float64(7*i+j)), 1e150*math.Cos(float64(i-5*j)))
		},
		"tiny":     func(i, j int) complex128 { return complex(1e-300*math.Sin(float64(7*i+j)), 1e-300) },
		"graded":   func(i, j int) complex128 { return complex(math.Pow(10, -float64(i+j)), math.Pow(10, float64(j-i))) },
		"ones":     func(i, j int) complex128 { return 1 + 1i },
		"shift":    func(i, j int) complex128 { return map[bool]complex128{true: 1i}[j == i+1] },
		"cycle":    func(i, j int) complex128 { return map[bool]complex128{true: 1i}[j == (i+1)%12] },
		"triangle": func(i, j int) complex128 { return map[bool]complex128{true: complex(float64(i), float64(j))}[j >= i] },
	} {
		const n = 12
		elements := make([]complex128, n*n)
		for k := range elements {
			elements[k] = entry(k/n, k%n)
		}
		a := nd.FromSlice(elements, n, n)
		w, v := linalg.Eig(a)
		size := nd.Value[float64](ops.Max(ops.Absolute(a)))
		rest := ops.Subtract(ops.MatMul(ops.Divide(a, size), v), ops.Multiply(v, ops.Divide(w, size)))
		if worst := nd.Value[float64](ops.Max(ops.Absolute(rest))); !(worst < 1e-13) {
			t.Errorf("%s: a·v differs from v·w by %g", name, worst)
		}
	}
}
