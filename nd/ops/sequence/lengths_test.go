package sequence_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// Errors name the length or the label that the caller gave; a length 0 has no last step, and a negative label no class.
func TestErrorsNameLengthsAndLabels(t *testing.T) {
	x := normal(1, 3, 2, 4)
	for _, c := range []struct {
		values []int
		want   string
	}{
		{values: []int{3, 9}, want: "sequence.Last: lengths[1] is 9: want a number of time steps from 1 to 3 [operands: float64(3, 2, 4) int64(2,)]"},
		{values: []int{0, 3}, want: "sequence.Last: lengths[0] is 0: want"},
		{values: []int{3, -1}, want: "sequence.Last: lengths[1] is -1: want"},
	} {
		refuses(t, c.want, func() { sequence.Last(x, nd.FromSlice(c.values)) })
	}
	refuses(t, "sequence.Last: lengths[0] is 3: want a number of time steps from 1 to 2", func() { sequence.Last(x, nd.FromSlice([]int{3, 1, 1}), ops.Over(1)) })
	refuses(t, "sequence.Reverse: lengths[1] is 4: want a number of time steps from 0 to 3", func() { sequence.Reverse(x, nd.FromSlice([]int{0, 4})) })
	near(t, "the last steps", sequence.Last(x, nd.FromSlice([]float64{3, 1})), ops.Stack([]*nd.Array{
		x.Index(nd.At(2), nd.At(0)), x.Index(nd.At(0), nd.At(1))}))

	cost, scores := normal(2, 3, 3), []*nd.Array{normal(3, 2, 3), normal(4, 1, 3)}
	refuses(t, "sequence.CRF1D: ys[1][0] is 3: want one of the labels 0 to 2", func() {
		sequence.CRF1D(cost, scores, []*nd.Array{nd.FromSlice([]int{0, 2}), nd.FromSlice([]int{3})})
	})
	refuses(t, "sequence.CRF1D: ys[0][1] is -1: want one of the labels 0 to 2", func() {
		sequence.CRF1D(cost, scores, []*nd.Array{nd.FromSlice([]int{0, -1}), nd.FromSlice([]int{0})})
	})
}
