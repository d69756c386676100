package main

import (
	"math"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/bench"
)

// bar is a row of the picture: the ratios of a group of cases.
type bar struct {
	title             string
	released, dropped []float64
}

// titles names the groups in words; a small group shares the title of a similar one.
var titles = []struct{ groups, title string }{
	{"matmul", "matrix products"}, {"matmul_int", "products of integers"}, {"ew", "elementwise"}, {"ew_out", "elementwise, with Out"}, {"bcast bcast_out", "broadcasting"},
	{"red", "reductions"}, {"nn", "softmax, norms, attention"}, {"conv1d conv2d deform2d", "convolutions"}, {"pool boxes", "pooling"}, {"resize grid_sample", "images resized and warped"},
	{"rnn", "LSTM"},
	{"index", "indexing"}, {"sort", "sorting"}, {"layout", "layout, casts"}, {"random", "random numbers"}, {"lapack", "factorisations, linear equations"}, {"alloc", "new arrays"},
	{"dispatch", "small calls"}, {"e2e", "training steps"}, {"update", "optimizers"}, {"chain", "five calls in a row"}, {"natural", "whole programs"},
}

// bars groups the cases of a comparison, in the order of the titles, below the bar of all cases.
func (s saved) bars() []bar {
	all := bar{title: "all cases"}
	groups := map[string]*bar{}
	var order []string
	for _, c := range s.cases {
		group, _, _ := strings.Cut(c.name, "/")
		title := group
		for _, t := range titles {
			if slices.Contains(strings.Fields(t.groups), group) {
				title = t.title
			}
		}
		if groups[title] == nil {
			groups[title] = &bar{title: title}
			order = append(order, title)
		}
		switch b := groups[title]; {
		case strings.HasSuffix(c.name, bench.ScopeForm) && bench.Program.MatchString(c.name):
		case strings.HasSuffix(c.name, bench.ReleasedForm) && bench.Program.MatchString(c.name):
			b.released = append(b.released, c.released)
		case bench.Program.MatchString(c.name):
			b.dropped = append(b.dropped, c.released)
		default:
			b.add(c)
			all.add(c)
		}
	}
	rank := func(title string) int {
		for i, t := range titles {
			if t.title == title {
				return i
			}
		}
		return len(titles)
	}
	slices.SortStableFunc(order, func(a, b string) int { return rank(a) - rank(b) })
	list := []bar{all}
	for _, title := range order {
		list = append(list, *groups[title])
	}
	return list
}

func (b *bar) add(c savedCase) {
	if c.released > 0 {
		b.released = append(b.released, c.released)
	}
	if c.dropped > 0 {
		b.dropped = append(b.dropped, c.dropped)
	}
}

// geometricMean returns the geometric mean of ratios, or 0 if there are none.
func geometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
