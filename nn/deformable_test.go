package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// grouped returns the windows (O, C, K, L) of one group that are equivalent to w (O, C/groups, K, L): zeros between
// groups.
func grouped(w *nd.Array, groups int) *nd.Array {
	o, c := w.Dim(0), w.Dim(1)
	all := nd.Zeros([]int{o, c * groups, w.Dim(2), w.Dim(3)}, dtype.Float64)
	for out := range o {
		first := out / (o / groups) * c
		all.Index(nd.At(out), nd.Span(first, first+c)).Assign(w.Index(nd.At(out)))
	}
	return all
}

// at interpolates x (H, W) between its elements, with zeros outside.
func at(x []float64, h, w int, i, j float64) float64 {
	sum := 0.0
	for row := range h {
		for column := range w {
			sum += x[row*w+column] * max(0, 1-math.Abs(i-float64(row))) * max(0, 1-math.Abs(j-float64(column)))
		}
	}
	return sum
}

func TestDeformableConvolutionAgainstLoops(t *testing.T) {
	const n, c, h, w, o, taps = 2, 4, 5, 6, 6, 6
	x := normal(1, n, c, h, w)
	for _, group := range []int{1, 2} {
		for _, deformable := range []int{0, 2} {
			for _, g := range []geometry{{0, 1, 1}, {1, 2, 2}} {
				rows, columns := (h+2*g.pad-2*g.dilation-1)/g.stride+1, (w+2*g.pad-g.dilation-1)/g.stride+1
				fields := max(deformable, 1)
				offset, mask := normal(2, n, fields*taps*2, rows, columns), normal(3, n, fields*taps, rows, columns)
				s := float64s()
				y := nn.DeformableConvolution(s, x, o, []int{3, 2}, offset, nn.DeformableConvolutionOptions{
					ConvolutionOptions: nn.ConvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride}, Dilation: []int{g.dilation}, Group: group,
						BInit: initializer.Uniform(-1, 1)}, Mask: mask, DeformableGroup: deformable})
				xs, moves, masks := floats(x), floats(offset), floats(mask)
				ws, bs := floats(grouped(s.Get("deformable_conv/W"), group)), floats(s.Get("deformable_conv/b"))
				var want []float64
				positions := rows * columns
				for k := range n * o * positions {
					example, out, position := k/(o*positions), k/positions%o, k%positions
					sum := bs[out]
					for in := range c {
						for tap := range taps {
							field := (example*fields+in/(c/fields))*taps + tap
							i := float64(position/columns*g.stride+tap/2*g.dilation-g.pad) + moves[2*field*positions+position]
							j := float64(position%columns*g.stride+tap%2*g.dilation-g.pad) + moves[(2*field+1)*positions+position]
							image := xs[(example*c+in)*h*w:][:h*w]
							sum += ws[(out*c+in)*taps+tap] * masks[field*positions+position] * at(image, h, w, i, j)
						}
					}
					want = append(want, sum)
				}
				closeTo(t, fmt.Sprint(group, deformable, g), y, want, 1e-12)
			}
		}
	}
}
