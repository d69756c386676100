package link_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestHuffmanTree(t *testing.T) {
	for want, counts := range map[string]map[int]float64{
		"((3, 1), (2, 0))":           {0: 8, 1: 5, 2: 6, 3: 4},
		"7":                          {7: 2},
		"((0, 1), (2, 3))":           {0: 1, 1: 1, 2: 1, 3: 1},
		"(5, ((2, 3), ((0, 1), 4)))": {0: 5, 1: 9, 2: 12, 3: 13, 4: 16, 5: 45},
		"(((1, 9), 4), 2)":           {1: 0, 9: 0.5, 4: 0.75, 2: 8},
	} {
		if got := link.HuffmanTree(counts).String(); got != want {
			t.Errorf("of %v the tree is %s, want %s", counts, got, want)
		}
	}
	for what, counts := range map[string]map[int]float64{
		"no labels": nil, "label -1": {-1: 1, 2: 1}, "occurs -1 times": {0: 1, 1: -1}, "occurs NaN times": {0: math.NaN()},
		"occurs +Inf times": {0: 1, 1: math.Inf(1)},
	} {
		assert.Raises(t, what, func() { link.HuffmanTree(counts) })
	}
	assert.Raises(t, "want two", func() { link.Branch(link.Leaf(0), nil) })
}

func TestBinaryHierarchicalSoftmax(t *testing.T) {
	// Nodes are numbered 0 (the root), 1 (over 5 and 0) and 2 (over 2 and 9).
	tree := link.Branch(link.Branch(link.Leaf(5), link.Leaf(0)), link.Branch(link.Leaf(2), link.Leaf(9)))
	ways := map[int64][]struct {
		node int
		turn float64
	}{5: {{0, 1}, {1, 1}}, 0: {{0, 1}, {1, -1}}, 2: {{0, -1}, {2, 1}}, 9: {{0, -1}, {2, -1}}}
	s, l := doubles(), link.BinaryHierarchicalSoftmax{InSize: 3, Tree: tree}
	x, labels := normals(1, 5, 3), []int64{9, 5, 0, 2, 9}
	got := l.Apply(s, x, nd.FromSlice(labels))
	want := 0.0
	for b, label := range labels {
		for _, step := range ways[label] {
			score := 0.0
			for i, v := range rowOf(x, b) {
				score += v * s.Get("W").Float(step.node, i)
			}
			want -= math.Log(sigma(step.turn * score))
		}
	}
	assert.AllClose(t, got, nd.Scalar(want), 1e-12, 0)

	total := 0.0 // the probabilities of all labels sum to 1
	for label := range ways {
		total += math.Exp(-l.Apply(s, x.Index(nd.Until(1)), nd.FromSlice([]int64{label})).Float())
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("the probabilities add up to %v", total)
	}
	if y := l.Apply(s, normals(1, 0, 3), nd.FromSlice([]int64{}, 0)); y.Rank() != 0 || y.Float() != 0 {
		t.Errorf("of no examples %v", y)
	}

	t1 := nd.FromSlice([]int{2})
	twice := link.Branch(link.Leaf(2), link.Leaf(2))
	for want, call := range map[string]func(s *nn.Scope){
		"no label 1":          func(s *nn.Scope) { l.Apply(s, normals(1, 1, 3), nd.FromSlice([]int{1})) },
		"have the same":       func(s *nn.Scope) { link.BinaryHierarchicalSoftmax{Tree: twice}.Apply(s, normals(1, 1, 3), t1) },
		"a tree without a":    func(s *nn.Scope) { link.BinaryHierarchicalSoftmax{Tree: link.Leaf(2)}.Apply(s, normals(1, 1, 3), t1) },
		"at least two labels": func(s *nn.Scope) { link.BinaryHierarchicalSoftmax{}.Apply(s, normals(1, 1, 3), t1) },
		"InSize 3":            func(s *nn.Scope) { l.Apply(s, normals(1, 1, 4), t1) },
		"labels (B)":          func(s *nn.Scope) { l.Apply(s, normals(1, 2, 3), t1) },
		"of integers":         func(s *nn.Scope) { l.Apply(s, normals(1, 1, 3), normals(1, 1)) },
		"examples (B, inpu":   func(s *nn.Scope) { l.Apply(s, normals(1, 1, 3, 1), t1) },
	} {
		s := nn.NewScope()
		assert.Raises(t, want, func() { call(s) })
		if s.Names() != nil {
			t.Errorf("%s: created %q", want, s.Names())
		}
	}
}

func TestSampledLosses(t *testing.T) {
	const classes, in = 4, 3
	s, x := doubles(), normals(1, 2, in)
	s.Set("W", normals(2, classes, in))
	labels, samples := []int64{2, 0}, [][]int64{{1, 3}, {3, 3}}
	score := func(b int, class int64) (sum float64) {
		for i, v := range rowOf(x, b) {
			sum += v * s.Get("W").Float(int(class), i)
		}
		return sum
	}
	var negative, black []float64
	for b, label := range labels {
		all := math.Exp(score(b, label))
		for _, n := range samples[b] {
			all += math.Exp(score(b, n))
		}
		one, two := -math.Log(sigma(score(b, label))), -math.Log(math.Exp(score(b, label))/all)
		for _, n := range samples[b] {
			one -= math.Log(sigma(-score(b, n)))
			two -= math.Log(1 - math.Exp(score(b, n))/all)
		}
		negative, black = append(negative, one), append(black, two)
	}
	sampler, given, classesOf := random.NewWalkerAlias(nd.Ones([]int{classes})), nd.FromRows(samples), nd.FromSlice(labels)
	l := link.NegativeSampling{Sampler: sampler, SampleSize: 2, Samples: given, Reduce: "no"}
	assert.AllClose(t, l.Apply(s, x, classesOf), nd.FromSlice(negative), 1e-12, 0)
	assert.AllClose(t, l.Apply(s, x, nd.FromSlice([]int{2, -1})), nd.FromSlice([]float64{negative[0], 0}), 1e-12, 0)
	l.Reduce = ""
	assert.AllClose(t, l.Apply(s, x, classesOf), nd.Scalar(negative[0]+negative[1]), 1e-12, 0)
	blackOut := link.BlackOut{Sampler: sampler, SampleSize: 2, Samples: given}
	assert.AllClose(t, blackOut.Apply(s, x, classesOf), nd.Scalar((black[0]+black[1])/2), 1e-12, 0)

	// Without given samples each call draws new ones from the stream of the step.
	l.Samples, blackOut.Samples = nil, nil
	model := s.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)})
	if a, b := l.Apply(model, x, classesOf).Float(), l.Apply(model, x, classesOf).Float(); a == b {
		t.Errorf("two draws gave %v both", a)
	}
	blackOut.Apply(model, x, classesOf)

	fresh := nn.NewScope()
	l.Samples = given
	l.Apply(fresh, x, classesOf)
	if w := fresh.Get("W"); ops.Any(w).Float() != 0 || w.Dim(0) != classes {
		t.Errorf("initial weights %v, want %d rows of zeros", w, classes)
	}
	for want, call := range map[string]func(s *nn.Scope){
		"no stream of random":                    func(s *nn.Scope) { blackOut.Apply(s, x, classesOf) },
		"want sum or no":                         func(s *nn.Scope) { link.NegativeSampling{Sampler: sampler, Reduce: "mean"}.Apply(s, x, classesOf) },
		"want a sampler":                         func(s *nn.Scope) { link.BlackOut{SampleSize: 1}.Apply(s, x, classesOf) },
		"-2 samples":                             func(s *nn.Scope) { link.BlackOut{SampleSize: -2, Sampler: sampler}.Apply(s, x, classesOf) },
		"labels from 0 to 4: want those from -1": func(s *nn.Scope) { l.Apply(s, x, nd.FromSlice([]int{4, 0})) },
		"want those from 0":                      func(s *nn.Scope) { blackOut.Apply(s, x, nd.FromSlice([]int{-1, 0})) },
		"samples of shape (2, 2)": func(s *nn.Scope) {
			link.BlackOut{Sampler: sampler, SampleSize: 2, Samples: nd.FromSlice([]int{1, 2})}.Apply(s, x, classesOf)
		},
	} {
		s := nn.NewScope()
		assert.Raises(t, want, func() { call(s) })
		if s.Names() != nil {
			t.Errorf("%s: created %q", want, s.Names())
		}
	}
}

// The probabilities of the usual sampler are counts raised to a power.
func TestNegativeSampler(t *testing.T) {
	draws := link.NegativeSampler(nd.FromSlice([]int{16, 0, 1}), 0.5).Sample(nd.NewRand(1), []int{5000})
	first := ops.CountNonzero(ops.Equal(draws, 0)).Float() / 5000
	if none := ops.CountNonzero(ops.Equal(draws, 1)).Float(); math.Abs(first-0.8) > 0.03 || none != 0 {
		t.Errorf("drawn with probability %v, want 0.8; %v of those that do not occur", first, none)
	}
	assert.Raises(t, "NewWalkerAlias", func() { link.NegativeSampler(nd.FromSlice([]int{-1, 2}), 0.5) })
	assert.Raises(t, "link.NegativeSampler", func() { link.NegativeSampler(nil, 0.5) })
}

// The loss agrees with the sum over all labelings, one by one.
func TestCRF1d(t *testing.T) {
	const classes = 3
	s := doubles()
	xs := []*nd.Array{normals(1, 2, classes), normals(2, 2, classes), normals(3, 1, classes)}
	ys := []*nd.Array{nd.FromSlice([]int{2, 0}), nd.FromSlice([]int{1, 1}), nd.FromSlice([]int{0})}
	s.Set("cost", normals(4, classes, classes))
	score := func(b int, labels []int) float64 {
		sum := 0.0
		for step, label := range labels {
			sum += xs[step].Float(b, label)
			if step > 0 {
				sum += s.Get("cost").Float(labels[step-1], label)
			}
		}
		return sum
	}
	best, paths, losses := []float64{math.Inf(-1), math.Inf(-1)}, [2][]int{}, []float64{}
	for b, length := range []int{3, 2} {
		all, total := make([]int, length), 0.0
		for n := range int(math.Pow(classes, float64(length))) {
			for step := range all {
				all[step], n = n%classes, n/classes
			}
			v := score(b, all)
			if total += math.Exp(v); v > best[b] {
				best[b], paths[b] = v, append([]int{}, all...)
			}
		}
		given := make([]int, length)
		for step := range given {
			given[step] = int(ys[step].Float(b))
		}
		losses = append(losses, math.Log(total)-score(b, given))
	}
	l := link.CRF1d{NLabel: classes, Reduce: "no"}
	assert.AllClose(t, l.Apply(s, xs, ys), nd.FromSlice(losses), 1e-12, 1e-12)
	l.Reduce = "mean"
	assert.AllClose(t, l.Apply(s, xs, ys), nd.Scalar((losses[0]+losses[1])/2), 1e-12, 1e-12)
	scores, path := l.Argmax(s, xs)
	assert.AllClose(t, scores, nd.FromSlice(best), 1e-12, 1e-12)
	for step, y := range path {
		for b := range y.Dim(0) {
			if got := int(y.Float(b)); got != paths[b][step] {
				t.Errorf("sequence %d, time %d: label %d, want %d", b, step, got, paths[b][step])
			}
		}
	}
	for want, call := range map[string]func(s *nn.Scope){
		"want mean or no":       func(s *nn.Scope) { link.CRF1d{NLabel: 3, Reduce: "sum"}.Apply(s, xs, ys) },
		"0 labels":              func(s *nn.Scope) { link.CRF1d{}.Apply(s, xs, ys) },
		"at 0 times":            func(s *nn.Scope) { l.Argmax(s, nil) },
		"labels at 1: want eq":  func(s *nn.Scope) { l.Apply(s, xs, ys[:1]) },
		"shape (2,) at time 1":  func(s *nn.Scope) { l.Apply(s, xs[:2], []*nd.Array{ys[0], ys[2]}) },
		"labels from 0 to 3":    func(s *nn.Scope) { l.Apply(s, xs[:1], []*nd.Array{nd.FromSlice([]int{0, 3})}) },
		"no more sequences":     func(s *nn.Scope) { l.Argmax(s, []*nd.Array{xs[2], xs[0]}) },
		"scores of shape (B_t,": func(s *nn.Scope) { link.CRF1d{NLabel: 4}.Argmax(s, xs) },
	} {
		s := nn.NewScope()
		assert.Raises(t, want, func() { call(s) })
		if s.Names() != nil {
			t.Errorf("%s: created %q", want, s.Names())
		}
	}
}
