package cpu

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// convolutionShape is a convolution of images with all padding that keeps their size, or half of it with stride 2.
type convolutionShape struct{ n, g, m, c, size, taps, stride int }

func (s convolutionShape) String() string {
	return fmt.Sprintf("%dx%dx%dx%d, %d filters of %dx%d, %d groups, stride %d", s.n, s.g*s.c, s.size, s.size, s.g*s.m, s.taps, s.taps, s.g, s.stride)
}

func (s convolutionShape) places() int { return (s.size-1)/s.stride + 1 }

// launch computes a part; y, x and w are dense.
func (s convolutionShape) launch(part device.Part, y, x, w []float32) {
	o, k := s.places(), s.taps
	ys := []int{s.g * s.m * o * o, s.m * o * o, o * o, o, 1, 0, 0, 0}
	xs := []int{s.g * s.c * s.size * s.size, s.c * s.size * s.size, 0, s.size * s.stride, s.stride, s.size * s.size, s.size, 1}
	ws := []int{0, s.m * s.c * k * k, s.c * k * k, 0, 0, k * k, k, 1}
	operands := []array{newStrided(y, 0, ys), newStrided(x, 0, xs), newStrided(w, 0, ws)}
	switch part {
	case device.PartInput:
		operands[0], operands[1] = operands[1], operands[0]
	case device.PartWeight:
		operands[0], operands[1], operands[2] = operands[2], operands[0], operands[1]
	}
	l := launchOf([]int{s.n, s.g, s.m, o, o, s.c, k, k}, operands...)
	l.Part = part
	l.Window = device.Window{Rank: 2, Size: [3]int{s.size, s.size}, Stride: [3]int{s.stride, s.stride}, Dilation: [3]int{1, 1},
		Before: [3]int{k / 2, k / 2}}
	processor{}.Convolve(l)
	l.Recycle()
}

func (s convolutionShape) arrays() (y, x, w []float32) {
	return uniform(s.n * s.g * s.m * s.places() * s.places()), uniform(s.n * s.g * s.c * s.size * s.size), uniform(s.g * s.m * s.c * s.taps * s.taps)
}

// TestWorkersDoNotChangeConvolutions compares the parts of convolutions bit by bit, whichever way they are shared.
func TestWorkersDoNotChangeConvolutions(t *testing.T) {
	defer SetWorkers(SetWorkers(1))
	for _, s := range []convolutionShape{
		{1, 1, 16, 12, 40, 3, 1}, {9, 1, 8, 3, 24, 3, 2}, {2, 24, 1, 1, 30, 3, 1}, {3, 1, 40, 64, 20, 1, 1}, {2, 2, 70, 60, 9, 3, 1},
	} {
		for _, part := range []device.Part{device.PartOutput, device.PartInput, device.PartWeight} {
			var want []float32
			for _, workers := range []int{1, 2, 5} {
				SetWorkers(workers)
				runtime.Gosched()
				y, x, w := s.arrays()
				s.launch(part, y, x, w)
				got := [][]float32{y, x, w}[part]
				if want == nil {
					want = got
				}
				for i := range got {
					if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
						t.Fatalf("%v, part %d: element %d is %v with %d workers, %v with one", s, part, i, got[i], workers, want[i])
					}
				}
			}
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
	} {
		for part, name := range []string{"fwd", "bwd_input", "bwd_weight"} {
			b.Run(c.name+"_"+name, func(b *testing.B) {
				y, x, w := c.arrays()
				b.ReportAllocs()
				for b.Loop() {
					c.launch(device.Part(part), y, x, w)
				}
				products := float64(c.n*c.g*c.m*c.c) * float64(c.places()*c.places()*c.taps*c.taps)
				b.ReportMetric(2*products*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
