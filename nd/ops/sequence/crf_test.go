package sequence_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// chain has sequences of the lengths 4, 3 and 3, and 1, of three labels.
func chain() (cost *nd.Array, xs, ys []*nd.Array) {
	sizes := []int{4, 3, 3, 1}
	for t, n := range sizes {
		xs = append(xs, normal(uint64(t+1), n, 3))
		ys = append(ys, ops.Remainder(nd.ArangeInt(t, t+2*n, 2), 3))
	}
	return normal(9, 3, 3), xs, ys
}

// TestCRF1DSumsOverAllLabels enumerates all labels of each sequence.
func TestCRF1DSumsOverAllLabels(t *testing.T) {
	cost, xs, ys := chain()
	losses := nd.ToSlice[float64](sequence.CRF1D(cost, xs, ys))
	scores, path := sequence.ArgMaxCRF1D(cost, xs)
	costs := nd.ToSlice[float64](cost)
	for b, length := range []int{4, 3, 3, 1} {
		score := func(labels []int) (sum float64) {
			for t, label := range labels {
				sum += nd.ToSlice[float64](xs[t])[3*b+label]
				if t > 0 {
					sum += costs[3*labels[t-1]+label]
				}
			}
			return sum
		}
		total, best, bestLabels := 0.0, math.Inf(-1), ""
		for number := range int(math.Pow(3, float64(length))) {
			labels := make([]int, length)
			for t := range labels {
				labels[t] = number % 3
				number /= 3
			}
			s := score(labels)
			total += math.Exp(s)
			if s > best {
				best, bestLabels = s, fmt.Sprint(labels)
			}
		}
		given, chosen := make([]int, length), make([]int, length)
		for t := range length {
			given[t], chosen[t] = nd.ToSlice[int](ys[t])[b], nd.ToSlice[int](path[t])[b]
		}
		if want := math.Log(total) - score(given); math.Abs(losses[b]-want) > 1e-12 {
			t.Errorf("loss %d is %v, want %v", b, losses[b], want)
		}
		if s := nd.ToSlice[float64](scores)[b]; fmt.Sprint(chosen) != bestLabels || math.Abs(s-best) > 1e-12 {
			t.Errorf("the best labels of sequence %d are %v of score %v, want %s, %v", b, chosen, s, bestLabels, best)
		}
	}
}

func TestCRF1DGradients(t *testing.T) {
	cost, xs, ys := chain()
	f := func(in ...*nd.Array) *nd.Array { return sequence.CRF1D(in[0], in[1:], ys) }
	gradcheck.Check(t, f, append([]*nd.Array{cost}, xs...)...)
	gradcheck.CheckSecondOrder(t, f, append([]*nd.Array{cost}, xs...)...)
	best := func(in ...*nd.Array) *nd.Array {
		score, _ := sequence.ArgMaxCRF1D(in[0], in[1:])
		return score
	}
	gradcheck.Check(t, best, append([]*nd.Array{cost}, xs...)...)
}

func TestCRF1DRefuses(t *testing.T) {
	cost, xs, ys := chain()
	refuses(t, "(K, K)", func() { sequence.CRF1D(xs[0], xs, ys) })
	refuses(t, "(K, K)", func() { sequence.CRF1D(cost, nil, nil) })
	refuses(t, "no more sequences", func() { sequence.CRF1D(cost, []*nd.Array{xs[1], xs[0]}, ys[:2]) })
	refuses(t, "want as many", func() { sequence.CRF1D(cost, xs, ys[1:]) })
	refuses(t, "integer labels", func() { sequence.CRF1D(cost, xs[:1], xs[:1]) })
	refuses(t, "ys[0][0] is 3", func() { sequence.CRF1D(cost, xs[3:], []*nd.Array{nd.FromSlice([]int{3})}) })
}
