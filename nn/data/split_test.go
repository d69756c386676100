package data_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

func TestSub(t *testing.T) {
	d := data.Slice[int]{0, 10, 20, 30, 40}
	equal(t, "neighbours", all(t, data.Sub(d, 1, 3)), []int{10, 20})
	order := []int{4, 3, 2, 1, 0}
	sub := data.Sub(d, 1, 3, data.OrderOptions{Order: order})
	order[1] = 0
	equal(t, "of an order", all(t, sub), []int{30, 20})
	equal(t, "of a part", all(t, data.Sub(sub, 1, 2)), []int{20})
	equal(t, "nothing", data.Sub(d, 5, 5).Len(), 0)
	for _, c := range [][2]int{{-1, 2}, {3, 2}, {0, 6}} {
		refused(t, "does not fit 5 examples", func() { data.Sub(d, c[0], c[1]) })
	}
	refused(t, "the order has 4 indices, want 5", func() { data.Sub(d, 0, 1, data.OrderOptions{Order: []int{0, 1, 2, 3}}) })
	refused(t, "each index of 5 examples once", func() { data.Sub(d, 0, 1, data.OrderOptions{Order: []int{0, 1, 2, 3, 3}}) })
	refused(t, "index 2", func() { _, _ = sub.At(2) })
	refused(t, "index -1", func() { _, _ = data.Sub(d, 1, 3).At(-1) })
}

func TestSplit(t *testing.T) {
	d := data.Slice[int]{0, 1, 2, 3, 4}
	first, rest := data.Split(d, 2, data.OrderOptions{Order: []int{4, 0, 3, 1, 2}})
	equal(t, "first", all(t, first), []int{4, 0})
	equal(t, "rest", all(t, rest), []int{3, 1, 2})
	refused(t, "6 of 5", func() { data.Split(d, 6) })
	refused(t, "-1 of 5", func() { data.SplitRandom(d, -1, nd.NewRand(1)) })
	refused(t, "no stream", func() { data.SplitRandom(d, 1, nil) })
	first, rest = data.SplitRandom(d, 2, nd.NewRand(1))
	again, _ := data.SplitRandom(d, 2, nd.NewRand(1))
	equal(t, "the same seed", all(t, again), all(t, first))
	equal(t, "both parts", slices.Sorted(slices.Values(append(all(t, first), all(t, rest)...))), []int(d))
}

func TestCrossValidation(t *testing.T) {
	d := data.Slice[int]{0, 1, 2, 3, 4, 5, 6}
	var got [][2][]int
	for _, f := range data.CrossValidation(d, 4) {
		got = append(got, [2][]int{all(t, f.Train), all(t, f.Test)})
	}
	equal(t, "folds", got, [][2][]int{
		{{0, 1, 2, 3, 4}, {5, 6}},
		{{5, 6, 0, 1, 2}, {3, 4}},
		{{3, 4, 5, 6, 0}, {1, 2}},
		{{1, 2, 3, 4, 5, 6}, {0}},
	})
	var tested []int
	for _, f := range data.CrossValidationRandom(d, 3, nd.NewRand(1)) {
		equal(t, "both parts", slices.Sorted(slices.Values(append(all(t, f.Train), all(t, f.Test)...))), []int(d))
		tested = append(tested, all(t, f.Test)...)
	}
	slices.Sort(tested)
	equal(t, "all that is tested", tested, []int(d))
	refused(t, "8 folds of 7", func() { data.CrossValidation(d, 8) })
	refused(t, "0 folds", func() { data.CrossValidation(d, 0) })
}
