package conv

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// convolutionShape is a convolution of images with padding that keeps their size, or half of their size with stride 2.
type convolutionShape struct{ n, g, m, c, size, taps, stride int }

func (s convolutionShape) String() string {
	return fmt.Sprintf("%dx%dx%dx%d, %d filters of %dx%d, %d groups, stride %d", s.n, s.g*s.c, s.size, s.size, s.g*s.m, s.taps, s.taps, s.g, s.stride)
}

func (s convolutionShape) outSize() int { return (s.size-1)/s.stride + 1 }

// launch computes a part; y, x and w are contiguous.
func (s convolutionShape) launch(part device.Part, y, x, w []float32) {
	s.launchWith(nil, part, y, x, w)
}

// launchWith is launch with what earlier launches have kept of the weights.
func (s convolutionShape) launchWith(kept *device.Kept, part device.Part, y, x, w []float32) {
	o, k := s.outSize(), s.taps
	ys := []int{s.g * s.m * o * o, s.m * o * o, o * o, o, 1, 0, 0, 0}
	xs := []int{s.g * s.c * s.size * s.size, s.c * s.size * s.size, 0, s.size * s.stride, s.stride, s.size * s.size, s.size, 1}
	ws := []int{0, s.m * s.c * k * k, s.c * k * k, 0, 0, k * k, k, 1}
	operands := []launchtest.Array{launchtest.NewStrided(y, 0, ys), launchtest.NewStrided(x, 0, xs), launchtest.NewStrided(w, 0, ws)}
	switch part {
	case device.PartInput:
		operands[0], operands[1] = operands[1], operands[0]
	case device.PartWeight:
		operands[0], operands[1], operands[2] = operands[2], operands[0], operands[1]
	}
	l := launchtest.Launch([]int{s.n, s.g, s.m, o, o, s.c, k, k}, operands...)
	l.Part, l.Kept = part, kept
	l.Window = device.Window{Rank: 2, Size: [3]int{s.size, s.size}, Stride: [3]int{s.stride, s.stride}, Dilation: [3]int{1, 1},
		Before: [3]int{k / 2, k / 2}}
	Convolve(l)
	l.Recycle()
}

func (s convolutionShape) arrays() (y, x, w []float32) {
	return launchtest.Uniform(s.n * s.g * s.m * s.outSize() * s.outSize()), launchtest.Uniform(s.n * s.g * s.c * s.size * s.size), launchtest.Uniform(s.g * s.m * s.c * s.taps * s.taps)
}

// TestWorkersDoNotChangeConvolutions compares the parts of convolutions bit by bit, for all ways of sharing the work.
func TestWorkersDoNotChangeConvolutions(t *testing.T) {
	defer workers.Set(workers.Set(1))
	defer workers.BeEager(workers.BeEager(true))
	for _, s := range []convolutionShape{
		{1, 1, 16, 12, 40, 3, 1}, {9, 1, 8, 3, 24, 3, 2}, {2, 24, 1, 1, 30, 3, 1}, {3, 1, 40, 64, 20, 1, 1}, {2, 2, 70, 60, 9, 3, 1},
		{5, 1, 22, 29, 35, 3, 1}, {2, 1, 43, 23, 52, 3, 1}, {4, 1, 8, 9, 56, 5, 2}, // algorithms that take about the same time
		{1, 1, 32, 128, 14, 3, 1}, {1, 1, 50, 70, 11, 1, 1}, // one block of channels
		{2, 2, 80, 70, 7, 3, 1}, {2, 1, 70, 150, 6, 5, 2}, {3, 2, 40, 30, 3, 3, 1}, {70, 2, 20, 30, 1, 1, 1}, // products of windows
	} {
		for _, part := range []device.Part{device.PartOutput, device.PartInput, device.PartWeight} {
			var want []float32
			for _, count := range []int{1, 2, 3, 5, 8} {
				workers.Set(count)
				y, x, w := s.arrays()
				s.launch(part, y, x, w)
				got := [][]float32{y, x, w}[part]
				if want == nil {
					want = got
				}
				for i := range got {
					if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
						t.Fatalf("%v, part %d: element %d is %v with %d workers, %v with one", s, part, i, got[i], count, want[i])
					}
				}
			}
		}
	}
}

// TestKeptWeights compares launches with kept weights, also for images of another number and size, with launches that pack them.
func TestKeptWeights(t *testing.T) {
	defer workers.Set(workers.Set(1))
	for _, shape := range []convolutionShape{
		{2, 1, 512, 512, 4, 1, 1}, {2, 1, 256, 64, 8, 1, 1}, {1, 1, 64, 600, 16, 1, 2}, {1, 1, 64, 64, 20, 3, 1}, {2, 1, 512, 512, 4, 3, 1},
		{1, 2, 70, 60, 9, 3, 1}, {1, 1, 8, 3, 40, 5, 2}, {2, 24, 1, 1, 30, 3, 1}, {1, 1, 512, 256, 7, 3, 1},
	} {
		kept := new(device.Kept)
		_, _, w := shape.arrays()
		for i := range 6 {
			s := shape
			s.n += i / 3
			s.size += i / 3 * 3
			want, x, _ := s.arrays()
			y := make([]float32, len(want))
			s.launch(device.PartOutput, want, x, w)
			s.launchWith(kept, device.PartOutput, y, x, w)
			for k := range y {
				if math.Float32bits(y[k]) != math.Float32bits(want[k]) {
					t.Fatalf("%v, launch %d: element %d is %v, want %v", s, i, k, y[k], want[k])
				}
			}
		}
	}
}

// TestPaddingTimesInfinity checks that the padding takes part in the sums if a weight is not finite.
func TestPaddingTimesInfinity(t *testing.T) {
	for _, s := range []convolutionShape{{1, 1, 32, 64, 7, 3, 1}, {2, 1, 40, 70, 3, 3, 1}, {2, 1, 3, 2, 7, 3, 1}} {
		y, x, w := s.arrays()
		for i := range x {
			x[i] = 1 + x[i]*x[i]
		}
		w[0] = float32(math.Inf(1)) // of the first filter: the upper left tap
		s.launch(device.PartOutput, y, x, w)
		if inside := y[s.size+1]; !math.IsNaN(float64(y[0])) || !math.IsInf(float64(inside), 1) {
			t.Errorf("%v: the corner is %v, a pixel inside %v", s, y[0], inside)
		}
	}
}

// TestAlgorithmsAgree compares all algorithms for a convolution at each level of instructions with matrix products of windows.
func TestAlgorithmsAgree(t *testing.T) {
	t.Run("float32", testWaysToConvolve[float32])
	t.Run("float64", testWaysToConvolve[float64])
}

func testWaysToConvolve[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	few := func(n int) int { return 1 + rng.IntN(n) }
	for trial := range 48 {
		rank := few(3)
		q := convolution{n: few(3), g: few(2), m: few(20), c: few(5), outSize: [3]int{1, 1, 1}, window: [3]int{1, 1, 1}, inSize: [3]int{1, 1, 1}}
		q.stride, q.dilation = q.outSize, q.outSize
		if trial%8 == 0 {
			q.m, q.c = few(100), few(40)
		}
		for axis := 3 - rank; axis < 3; axis++ {
			q.window[axis], q.stride[axis], q.dilation[axis], q.before[axis] = few(4), few(3), few(2), rng.IntN(5)
			q.outSize[axis], q.inSize[axis] = few(9), few(12)
			if rank == 1 || axis == 2 && trial%3 == 0 {
				q.outSize[axis], q.inSize[axis] = few(70), few(70)
			}
		}
		if trial%8 == 5 { // depthwise
			q.g, q.m, q.c = few(4), few(2), 1
			q.window[1], q.stride[1], q.dilation[1], q.outSize[1] = 3+2*rng.IntN(3), 1, 1, few(20)
			q.inSize[1] = few(20)
			if trial%16 == 5 { // of a low image
				q.window[0], q.outSize[0], q.inSize[0], q.before[0] = 1, 1, 1, 0
				q.outSize[1], q.inSize[1], q.before[1], q.stride[1] = few(3), few(3), q.window[1]/2, few(2)
			}
		}
		if trial%8 == 1 { // a signal
			q.n, q.c, q.outSize, q.inSize, q.before, q.dilation[2] = 1, 1, [3]int{1, 1, few(9)}, [3]int{1, 1, 1}, [3]int{}, 1
			q.window, q.stride[2] = [3]int{1, 1, few(20)}, few(30)
			q.inSize[2] = (q.outSize[2]-1)*q.stride[2] + q.window[2] + rng.IntN(3)
		}
		q.pixels, q.taps = broadcast.Size(q.outSize[:]), broadcast.Size(q.window[:])
		q.depth = q.c * q.taps
		q.dtype = dtype.Float32
		if unsafe.Sizeof(T(0)) == 8 {
			q.dtype = dtype.Float64
		}
		room := func(shape ...int) tensor {
			x := tensor{dtype: q.dtype, shape: [6]int(shape)}
			order := []int{0, 1, 2, 3, 4, 5}
			if trial%4 == 3 {
				rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			step := 1
			for axis := 5; axis >= 0; axis-- {
				x.strides[order[axis]] = step
				step *= x.shape[order[axis]]
			}
			values := make([]T, step)
			for i := range values {
				values[i] = T(rng.IntN(9) - 4) // so that sums are exact
			}
			x.base = unsafe.Pointer(&values[0])
			return x
		}
		q.y = room(q.n, q.g, q.m, q.outSize[0], q.outSize[1], q.outSize[2])
		q.x = room(q.n, q.g, q.c, q.inSize[0], q.inSize[1], q.inSize[2])
		q.w = room(q.g, q.m, q.c, q.window[0], q.window[1], q.window[2])
		bias := func() tensor {
			rows := [...]int{q.m, q.c, 0}[q.part]
			if q.part == device.PartWeight || trial%2 == 0 {
				return tensor{}
			}
			b := room(q.g, rows+biasRoom, 1, 1, 1, 1)
			b.shape[1], b.strides = rows, [6]int{rows + biasRoom, 1}
			return b
		}
		for _, q.part = range []device.Part{device.PartOutput, device.PartInput, device.PartWeight} {
			original := *q.target()
			q.bias = bias()
			try := func(do func(q *convolution)) []T {
				p := q
				*p.target() = room(original.shape[:]...)
				p.target().strides = original.strides
				result := memory.Slice[T](p.target().base, original.elements())
				do(&p)
				return result
			}
			equal := func(name string, got, want []T) {
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%s, part %d of %+v: element %d is %v, want %v", name, q.part, q, i, got[i], want[i])
					}
				}
			}
			old := isa.Use(isa.Generic)
			want := try(func(p *convolution) { convolve[T](p) })
			for level := isa.AVX2; level <= isa.Best; level++ {
				isa.Use(level)
				equal(level.String(), try(func(p *convolution) { convolve[T](p) }), want)
				equal(level.String()+" by windows", try(func(p *convolution) {
					result := *p.target()
					convolveWindows(p)
					if p.bias.base != nil && p.part == device.PartInput {
						addBias[T](p)
					}
					p.finish(&result)
				}), want)
				if q.part == device.PartWeight {
					equal(level.String()+" in lanes", try(func(p *convolution) { convolveWeightChannelLanes[T](correlationOf(p)) }), want)
					if q.y.strides[5] == 1 {
						equal(level.String()+" by products", try(func(p *convolution) { convolveWeightByProducts[T](correlationOf(p)) }), want)
					}
					continue
				}
				equal(level.String()+" in lanes", try(func(p *convolution) { correlateChannelLanes[T](correlationOf(p)); p.finish(p.target()) }), want)
				if p := q; correlationOf(&p).hasOnePhase() {
					equal(level.String()+" tap by tap", try(func(p *convolution) { correlateTapByTap[T](correlationOf(p)); p.finish(p.target()) }), want)
				}
				equal(level.String()+" pixel lanes", try(func(p *convolution) {
					correlatePixelLanes[T](correlationOf(p).planPixelLanes(bandPixels))
					p.finish(p.target())
				}), want)
			}
			isa.Use(old)
		}
	}
}

// BenchmarkConvolve has the shapes of convolutional networks.
func BenchmarkConvolve(b *testing.B) {
	for _, c := range []struct {
		name string
		convolutionShape
	}{
		{"k3_64", convolutionShape{32, 1, 64, 64, 56, 3, 1}},
		{"k7s2_3to64", convolutionShape{32, 1, 64, 3, 224, 7, 2}},
		{"dw3_128", convolutionShape{32, 128, 1, 1, 28, 3, 1}},
		{"dw3s2_128", convolutionShape{32, 128, 1, 1, 28, 3, 2}},
		{"k1_256", convolutionShape{32, 1, 256, 256, 28, 1, 1}},
		{"k3_512", convolutionShape{32, 1, 512, 512, 7, 3, 1}},
		{"mnist_k3_32to64", convolutionShape{64, 1, 64, 32, 24, 3, 1}},
		{"lenet_5x5_1to6", convolutionShape{64, 1, 6, 1, 28, 5, 1}},
		{"lenet_5x5_6to16", convolutionShape{64, 1, 16, 6, 10, 5, 1}},
		{"transpose_k4s2", convolutionShape{32, 1, 64, 32, 56, 4, 2}},
		{"k3_512_few", convolutionShape{4, 1, 512, 512, 2, 3, 1}},
		{"k1_256_one", convolutionShape{64, 1, 256, 256, 1, 1, 1}},
	} {
		for part, name := range []string{"fwd", "bwd_input", "bwd_weight"} {
			b.Run(c.name+"_"+name, func(b *testing.B) {
				y, x, w := c.arrays()
				b.ReportAllocs()
				for b.Loop() {
					c.launch(device.Part(part), y, x, w)
				}
				products := float64(c.n*c.g*c.m*c.c) * float64(c.outSize()*c.outSize()*c.taps*c.taps)
				b.ReportMetric(2*products*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
