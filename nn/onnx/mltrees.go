package onnx

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// trees are the operators of the domain ai.onnx.ml that are ensembles of decision trees.
func trees() map[string]operator {
	return prefixed("ai.onnx.ml.", map[string]operator{"TreeEnsembleRegressor": treeRegressor, "TreeEnsembleClassifier": treeClassifier,
		"TreeEnsemble": treeEnsemble})
}

// branch is a node of a tree: a test of a feature, or a leaf.
type branch struct {
	test    test
	feature int
	value   float64
	members []float64 // of the test member
	missing bool      // a NaN counts as yes
	yes, no int       // indices of branches
	votes   []vote    // of a leaf
	isLeaf  bool
}

// test compares a feature with a value.
type test int

const (
	notAbove test = iota
	below
	notBelow
	above
	same
	different
	member
)

var testNames = map[string]test{"BRANCH_LEQ": notAbove, "BRANCH_LT": below, "BRANCH_GTE": notBelow, "BRANCH_GT": above, "BRANCH_EQ": same,
	"BRANCH_NEQ": different, "BRANCH_MEMBER": member}

// vote is what a leaf adds to a target.
type vote struct {
	target int
	weight float64
}

// forest is an ensemble of trees.
type forest struct {
	branches []branch
	roots    []int
	base     []float64
	targets  int
	join     string // SUM, AVERAGE, MIN or MAX
	single   bool   // sums are rounded to float32, as those of others are: a tie of classes stays one
}

// sum adds two scores.
func (f *forest) sum(a, b float64) float64 {
	if f.single {
		return float64(float32(a + b))
	}
	return a + b
}

// leaf returns the leaf of a row of features.
func (f *forest) leaf(at int, x []float64) *branch {
	for range len(f.branches) + 1 {
		b := &f.branches[at]
		if b.isLeaf {
			return b
		}
		v := math.NaN()
		if b.feature < len(x) {
			v = x[b.feature]
		}
		if b.holds(v) {
			at = b.yes
		} else {
			at = b.no
		}
	}
	return &branch{isLeaf: true} // a circle, which reading refuses
}

func (b *branch) holds(v float64) bool {
	if math.IsNaN(v) {
		return b.missing
	}
	switch b.test {
	case notAbove:
		return v <= b.value
	case below:
		return v < b.value
	case notBelow:
		return v >= b.value
	case above:
		return v > b.value
	case same:
		return v == b.value
	case different:
		return v != b.value
	}
	return slices.Contains(b.members, v)
}

// check refuses trees with circles, and branches to nowhere.
func (f *forest) check(n *node) {
	state := make([]int8, len(f.branches)) // 1: being visited, 2: done
	for _, root := range f.roots {
		stack := []int{root}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			if at < 0 || at >= len(f.branches) {
				n.refuse("a branch to node %d of %d", at, len(f.branches))
				return
			}
			b := &f.branches[at]
			switch {
			case b.isLeaf || state[at] == 2:
				state[at] = 2
				stack = stack[:len(stack)-1]
			case state[at] == 1:
				state[at] = 2
				stack = stack[:len(stack)-1]
			default:
				state[at] = 1
				for _, next := range []int{b.yes, b.no} {
					if next >= 0 && next < len(f.branches) && state[next] == 1 {
						n.refuse("a tree with a circle")
						return
					}
					stack = append(stack, next)
				}
			}
		}
	}
}

// predict returns the sums, or other joins, of the votes for each row.
func (f *forest) predict(c *call) (scores []float64, rows int) {
	x := c.x(0)
	if x.Rank() == 1 {
		x = x.Reshape(1, -1)
	}
	if x.Rank() != 2 {
		c.refuse("want a matrix of features")
	}
	values, width := nd.ToSlice[float64](x.Detach().AsType(dtype.Float64)), x.Dim(1)
	scores = make([]float64, x.Dim(0)*f.targets)
	for r := range x.Dim(0) {
		row := scores[r*f.targets : (r+1)*f.targets]
		seen := make([]bool, f.targets)
		for _, root := range f.roots {
			for _, v := range f.leaf(root, values[r*width:(r+1)*width]).votes {
				if v.target < 0 || v.target >= f.targets {
					c.refuse("a vote for target %d of %d", v.target, f.targets)
				}
				switch {
				case f.join == "MIN" && seen[v.target]:
					row[v.target] = min(row[v.target], v.weight)
				case f.join == "MAX" && seen[v.target]:
					row[v.target] = max(row[v.target], v.weight)
				case f.join == "MIN" || f.join == "MAX":
					row[v.target] = v.weight
				default:
					row[v.target] = f.sum(row[v.target], v.weight)
				}
				seen[v.target] = true
			}
		}
		for k := range row {
			if f.join == "AVERAGE" {
				row[k] /= float64(len(f.roots))
			}
			if len(f.base) == 1 {
				row[k] = f.sum(row[k], f.base[0])
			} else if k < len(f.base) {
				row[k] = f.sum(row[k], f.base[k])
			}
		}
	}
	return scores, x.Dim(0)
}

// wide returns an attribute of floats, or the tensor that may be there instead.
func (n *node) wide(name string) []float64 {
	if v, ok := n.tensor(name + "_as_tensor").(*nd.Array); ok {
		return nd.ToSlice[float64](v.AsType(dtype.Float64))
	}
	var values []float64
	for _, v := range n.floats(name) {
		values = append(values, float64(v))
	}
	return values
}

// forest reads the trees of the older operators, whose leaves have the votes named kind.
func (n *node) forest(kind, target string) *forest {
	f := &forest{join: "SUM", base: n.wide("base_values"), single: !n.has(kind + "_weights_as_tensor")}
	ids, treeIDs := n.ints("nodes_nodeids"), n.ints("nodes_treeids")
	modes, features, values := n.texts("nodes_modes"), n.ints("nodes_featureids"), n.wide("nodes_values")
	yes, no, missing := n.ints("nodes_truenodeids"), n.ints("nodes_falsenodeids"), n.ints("nodes_missing_value_tracks_true")
	n.wide("nodes_hitrates")
	count := len(ids)
	for _, length := range []int{len(treeIDs), len(modes), len(features), len(values), len(yes), len(no)} {
		if length != count {
			n.refuse("lists of nodes of lengths %d and %d", count, length)
			return nil
		}
	}
	at := map[[2]int]int{}
	for i, id := range ids {
		at[[2]int{treeIDs[i], id}] = i
	}
	find := func(tree, id int) int {
		if k, ok := at[[2]int{tree, id}]; ok {
			return k
		}
		return -1
	}
	roots := map[int]bool{}
	for i := range ids {
		b := branch{isLeaf: modes[i] == "LEAF", feature: features[i], value: values[i], missing: i < len(missing) && missing[i] != 0}
		if !b.isLeaf {
			var ok bool
			if b.test, ok = testNames[modes[i]]; !ok || b.test == member || b.feature < 0 {
				n.refuse("a node of mode %q", modes[i])
				return nil
			}
			b.yes, b.no = find(treeIDs[i], yes[i]), find(treeIDs[i], no[i])
		}
		if !roots[treeIDs[i]] {
			roots[treeIDs[i]] = true
			f.roots = append(f.roots, i)
		}
		f.branches = append(f.branches, b)
	}
	voteIDs, voteTrees, voteTargets, weights := n.ints(kind+"_nodeids"), n.ints(kind+"_treeids"), n.ints(target), n.wide(kind+"_weights")
	if len(voteTrees) != len(voteIDs) || len(voteTargets) != len(voteIDs) || len(weights) != len(voteIDs) {
		n.refuse("lists of votes of different lengths")
		return nil
	}
	for i, id := range voteIDs {
		k := find(voteTrees[i], id)
		if k < 0 {
			n.refuse("a vote of node %d, which tree %d does not have", id, voteTrees[i])
			return nil
		}
		f.branches[k].votes = append(f.branches[k].votes, vote{voteTargets[i], weights[i]})
	}
	f.check(n)
	return f
}

func treeRegressor(n *node) run {
	f := n.forest("target", "target_ids")
	if f == nil {
		return nil
	}
	f.targets, f.join = n.int("n_targets", 1), n.text("aggregate_function", "SUM", "SUM", "AVERAGE", "MIN", "MAX")
	finish := n.transform()
	return func(c *call) []model.Value {
		scores, rows := f.predict(c)
		return one(float32s(finish(scores, f.targets), rows, f.targets))
	}
}

// float32s returns rows of numbers as an array.
func float32s(values []float64, rows, columns int) *nd.Array {
	return nd.FromSlice(values, rows, columns).AsType(dtype.Float32)
}

func treeClassifier(n *node) run {
	f := n.forest("class", "class_ids")
	labels, post := n.classes("classlabels_int64s"), n.text("post_transform", "NONE")
	finish := n.transform()
	if f == nil {
		return nil
	}
	binary := len(f.voted()) == 1
	f.targets = len(labels)
	return func(c *call) []model.Value {
		width := max(len(labels), 1)
		if binary && width == 2 {
			base := f.base
			only := f.voted()[0]
			g := *f
			g.base = nil
			scores, rows := g.predict(c)
			for r := range rows {
				s := scores[2*r+only]
				if len(base) > 0 {
					s = g.sum(s, base[len(base)-1])
				}
				scores[2*r+1] = s
				if post == "NONE" || post == "PROBIT" {
					scores[2*r] = 1 - s
				} else {
					scores[2*r] = -s
				}
			}
			finish(scores, 2)
			return []model.Value{largest(scores, 2, labels), float32s(scores, rows, 2)}
		}
		scores, rows := f.predict(c)
		finish(scores, width)
		return []model.Value{largest(scores, width, labels), float32s(scores, rows, width)}
	}
}

// voted returns the targets that leaves vote for.
func (f *forest) voted() []int {
	var all []int
	for _, b := range f.branches {
		for _, v := range b.votes {
			if !slices.Contains(all, v.target) {
				all = append(all, v.target)
			}
		}
	}
	return all
}

// classes returns the labels of a classifier: integers or texts.
func (n *node) classes(integers string) (labels []any) {
	for _, s := range n.texts("classlabels_strings") {
		labels = append(labels, s)
	}
	for _, v := range n.ints(integers) {
		labels = append(labels, int64(v))
	}
	return labels
}

// largest returns the label of the largest score of each row.
func largest(scores []float64, width int, labels []any) model.Value {
	var chosen []any
	for row := range slices.Chunk(scores, width) {
		best := 0
		for k, v := range row {
			if v > row[best] {
				best = k
			}
		}
		if best < len(labels) {
			chosen = append(chosen, labels[best])
		} else {
			chosen = append(chosen, int64(best))
		}
	}
	return labelsOf(chosen, []int{len(chosen)})
}
