package cpu_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/attention"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rng"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rowops"
	"github.com/ndgrad/ndgrad/device/cpu/internal/scan"
	"github.com/ndgrad/ndgrad/device/cpu/internal/sorting"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestWorkersDoNotChangeResults runs kernels that are large enough to be split, on several numbers of workers, and
// compares their outputs bit by bit.
func TestWorkersDoNotChangeResults(t *testing.T) {
	defer workers.BeEager(workers.BeEager(true))
	const n = 300_001
	x, y := launchtest.New(launchtest.Uniform(n), n), launchtest.New(launchtest.Uniform(n), n)
	square := launchtest.Uniform(700 * 700)
	indices := make([]int64, n)
	draws := rand.New(rand.NewPCG(3, 4))
	for i := range indices {
		indices[i] = draws.Int64N(n)
	}
	labels := make([]int64, 700)
	for i := range labels {
		labels[i] = int64(i * 7 % 700)
	}
	program := func(t32 dtype.DType, inputs, body string) *device.Program {
		return launchtest.Compile(t, t32, inputs, "T out", body)
	}
	identity := program(dtype.Float32, "T x", "x")
	scaled := program(dtype.Float32, "T x", "x*s+1")
	reducing := func(p *device.Program, c device.Combine, reduced int) func(*device.Launch) {
		return func(l *device.Launch) {
			l.Program, l.Reduced, l.Combine = p, reduced, c
			l.Scalars[0].Re = 0.37
			reduce.Reduce(l)
		}
	}
	rows := launchtest.New(square, 700, 700)
	transposed := launchtest.NewStrided(square, 0, []int{1, 700})
	perRow := func(data []float32) launchtest.Array { return launchtest.NewStrided(data, 0, []int{1, 0}) }
	for _, c := range []struct {
		name   string
		loop   []int
		out    func() launchtest.Array
		inputs []launchtest.Array
		kernel func(*device.Launch)
	}{
		{"add", []int{n}, func() launchtest.Array { return launchtest.New(make([]float32, n), n) }, []launchtest.Array{x, y}, func(l *device.Launch) {
			l.Program = program(dtype.Float32, "T x, T y", "x+y")
			elementwise.Elementwise(l)
		}},
		{"program", []int{n}, func() launchtest.Array { return launchtest.New(make([]float64, n), n) }, []launchtest.Array{x, y}, func(l *device.Launch) {
			l.Program = program(dtype.Float32, "T x, T y", "x*y - tanh(x)*s")
			l.Scalars[0].Re = 1.5
			elementwise.Elementwise(l)
		}},
		{"transposed", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float32, 490_000), 700, 700) }, []launchtest.Array{rows, transposed},
			func(l *device.Launch) {
				l.Program = program(dtype.Float32, "T x, T y", "x-y")
				elementwise.Elementwise(l)
			}},
		{"copy", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float64, 490_000), 700, 700) }, []launchtest.Array{transposed}, copying.Copy},
		{"sum of all", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 1), 0, []int{0}) }, []launchtest.Array{x},
			reducing(scaled, device.CombineSum, 1)},
		{"product of all", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 1), 0, []int{0}) }, []launchtest.Array{x},
			reducing(identity, device.CombineProd, 1)},
		{"squares of all", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 1), 0, []int{0}) }, []launchtest.Array{x},
			reducing(program(dtype.Float32, "T x", "x*x"), device.CombineSum, 1)},
		{"maximum of all", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 1), 0, []int{0}) }, []launchtest.Array{x},
			reducing(identity, device.CombineMax, 1)},
		{"sums of middle axes", []int{30, 100, 100}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 100), 0, []int{0, 1, 0}) },
			[]launchtest.Array{launchtest.New(launchtest.Uniform(n), 30, 100, 100)}, func(l *device.Launch) {
				turn := func(s []int) { s[0], s[1] = s[1], s[0] }
				turn(l.Shape[:])
				turn(l.Operands[0].Strides[:])
				turn(l.Operands[1].Strides[:])
				reducing(identity, device.CombineSum, 2)(l)
			}},
		{"plain sum of rows", []int{700, 700}, func() launchtest.Array { return perRow(make([]float32, 700)) }, []launchtest.Array{rows}, reducing(identity, device.CombineSum, 1)},
		{"plain sum of columns", []int{700, 700}, func() launchtest.Array { return perRow(make([]float32, 700)) }, []launchtest.Array{transposed}, reducing(identity, device.CombineSum, 1)},
		{"sum of rows", []int{700, 700}, func() launchtest.Array { return perRow(make([]float32, 700)) }, []launchtest.Array{rows}, reducing(scaled, device.CombineSum, 1)},
		{"sum of columns", []int{700, 700}, func() launchtest.Array { return perRow(make([]float32, 700)) }, []launchtest.Array{transposed}, reducing(scaled, device.CombineSum, 1)},
		{"sum of few columns", []int{3, 100_000}, func() launchtest.Array { return perRow(make([]float32, 3)) },
			[]launchtest.Array{launchtest.NewStrided(launchtest.Uniform(n), 0, []int{1, 3})}, reducing(identity, device.CombineSum, 1)},
		{"sums of short rows", []int{100_000, 3}, func() launchtest.Array { return perRow(make([]float32, 100_000)) },
			[]launchtest.Array{launchtest.NewStrided(launchtest.Uniform(n), 0, []int{3, 1})}, reducing(identity, device.CombineSum, 1)},
		{"matmul", []int{300, 301, 302}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 300*301), 0, []int{301, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{302, 0, 1}), launchtest.NewStrided(square, 1, []int{0, 1, 301})}, matmul.MatMul},
		{"matmul of a row", []int{1, 690, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 690), 0, []int{690, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{700, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 1, 700})}, matmul.MatMul},
		{"matmul of copied panels", []int{130, 700, 690}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 130*700), 0, []int{700, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{690, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 1, 700})}, matmul.MatMul},
		{"matmul of transposed factors", []int{300, 300, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 300*300), 0, []int{300, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{1, 0, 700}), launchtest.NewStrided(square, 0, []int{0, 700, 1})}, matmul.MatMul},
		{"matmul along lines", []int{9, 611, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 9*611), 0, []int{611, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{700, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 700, 1})}, matmul.MatMul},
		{"inner product", []int{1, 1, n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 1), 0, []int{1, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(launchtest.Uniform(n), 0, []int{0, 0, 1}), launchtest.NewStrided(launchtest.Uniform(n), 0, []int{0, 0, 1})}, matmul.MatMul},
		{"outer product", []int{700, 700, 2}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 490_000), 0, []int{700, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{2, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 1, 700})}, matmul.MatMul},
		{"matmul of few columns", []int{1000, 3, 490}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 3000), 0, []int{3, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{490, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 1, 3})}, matmul.MatMul},
		{"matmul of complex numbers", []int{100, 101, 102}, func() launchtest.Array { return launchtest.NewStrided(make([]complex64, 100*101), 0, []int{101, 1, 0}) },
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{102, 0, 1}), launchtest.NewStrided(square, 0, []int{0, 1, 101})}, matmul.MatMul},
		{"matmul batch", []int{64, 20, 30, 40}, func() launchtest.Array {
			return launchtest.NewStrided(make([]float64, 64*600), 0, []int{600, 30, 1, 0})
		},
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{800, 40, 0, 1}), launchtest.NewStrided(square, 0, []int{1200, 0, 1, 30})}, matmul.MatMul},
		{"gather", []int{n}, func() launchtest.Array { return launchtest.New(make([]float32, n), n) },
			[]launchtest.Array{launchtest.NewStrided(launchtest.Uniform(n), 0, []int{0}), launchtest.New(indices, n)}, func(l *device.Launch) {
				l.Axes[0] = device.IndexAxis{Stride: 1, Size: n}
				index.Gather(l)
			}},
		{"scatter", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, n), 0, []int{0}) },
			[]launchtest.Array{x, launchtest.New(indices, n)}, func(l *device.Launch) {
				l.Axes[0] = device.IndexAxis{Stride: 1, Size: n}
				l.Combine = device.CombineSum
				index.Scatter(l)
			}},
		{"scan", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float32, 490_000), 700, 700) }, []launchtest.Array{rows}, func(l *device.Launch) {
			l.Combine = device.CombineSum
			scan.Scan(l)
		}},
		{"scan of all", []int{n}, func() launchtest.Array { return launchtest.New(make([]float32, n), n) }, []launchtest.Array{x}, func(l *device.Launch) {
			l.Combine = device.CombineSum
			scan.Scan(l)
		}},
		{"exclusive scan of all", []int{n}, func() launchtest.Array { return launchtest.New(make([]float32, n), n) }, []launchtest.Array{x}, func(l *device.Launch) {
			l.Combine, l.Exclusive = device.CombineSum, true
			scan.Scan(l)
		}},
		{"argmin of all", []int{n}, func() launchtest.Array { return launchtest.NewStrided(make([]int64, 1), 0, []int{0}) }, []launchtest.Array{x}, func(l *device.Launch) {
			l.Reduced, l.Combine = 1, device.CombineMin
			reduce.ArgReduce(l)
		}},
		{"scan down", []int{700, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]float32, 490_000), 0, []int{1, 700}) }, []launchtest.Array{transposed},
			func(l *device.Launch) {
				l.Combine = device.CombineSum
				scan.Scan(l)
			}},
		{"argmax", []int{700, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]int64, 700), 0, []int{1, 0}) }, []launchtest.Array{rows}, func(l *device.Launch) {
			l.Reduced, l.Combine = 1, device.CombineMax
			reduce.ArgReduce(l)
		}},
		{"argmin down", []int{700, 700}, func() launchtest.Array { return launchtest.NewStrided(make([]int64, 700), 0, []int{1, 0}) }, []launchtest.Array{transposed}, func(l *device.Launch) {
			l.Reduced, l.Combine = 1, device.CombineMin
			reduce.ArgReduce(l)
		}},
		{"nonzero", []int{n}, func() launchtest.Array { return launchtest.New(make([]int64, n), n) }, []launchtest.Array{x}, func(l *device.Launch) { index.Nonzero(l) }},
		{"sort", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float32, 490_000), 700, 700) }, []launchtest.Array{{}, rows}, sorting.Sort},
		{"normal", []int{n}, func() launchtest.Array { return launchtest.New(make([]float32, n), n) }, nil, func(l *device.Launch) {
			l.Key, l.Counter, l.Distribution = [2]uint32{1, 2}, 1<<32-5, device.DistributionNormal
			rng.Random(l)
		}},
		{"softmax", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float32, 490_000), 700, 700) }, []launchtest.Array{rows}, rowops.Softmax},
		{"softmax gradient", []int{700, 700}, func() launchtest.Array { return launchtest.New(make([]float32, 490_000), 700, 700) }, []launchtest.Array{rows, transposed},
			rowops.SoftmaxGrad},
		{"cross entropy", []int{700, 700}, func() launchtest.Array { return perRow(make([]float32, 700)) },
			[]launchtest.Array{rows, launchtest.NewStrided(labels, 0, []int{1, 0})}, rowops.CrossEntropy},
		{"attention", []int{3, 230, 170, 30, 20}, func() launchtest.Array {
			return launchtest.NewStrided(make([]float32, 13_800), 0, []int{4600, 20, 0, 0, 1})
		},
			[]launchtest.Array{launchtest.NewStrided(square, 0, []int{6900, 30, 0, 1, 0}), launchtest.NewStrided(square, 7, []int{5100, 0, 30, 1, 0}), launchtest.NewStrided(square, 0, []int{0, 0, 20, 0, 1})},
			func(l *device.Launch) {
				copy(l.Operands[2:], l.Operands[1:4]) // there is no room for the weights
				l.Operands[1] = device.Operand{}
				l.N, l.Scale = 5, 0.3
				attention.Attention(l)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []byte
			for _, count := range []int{1, 2, 3, 5, 8} {
				workers.With(count, func() {
					for range 2 {
						out := c.out()
						l := launchtest.Launch(c.loop, append([]launchtest.Array{out}, c.inputs...)...)
						c.kernel(l)
						l.Recycle()
						if want == nil {
							want = out.Bytes
						} else if !bytes.Equal(out.Bytes, want) {
							t.Fatalf("%d workers give another result than one", count)
						}
					}
				})
			}
		})
	}
}
