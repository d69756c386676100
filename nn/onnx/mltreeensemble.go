package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// treeEnsemble is the form of opset 5, whose leaves are nodes of their own.
func treeEnsemble(n *node) run {
	joins, modes := []string{"AVERAGE", "SUM", "MIN", "MAX"}, []test{notAbove, below, notBelow, above, same, different, member}
	f := &forest{targets: n.int("n_targets", 1), join: "SUM"}
	if k := n.int("aggregate_function", 1); k >= 0 && k < len(joins) {
		f.join = joins[k]
	} else {
		n.refuse("attribute aggregate_function is %d", k)
	}
	list := func(name string) []float64 {
		x, ok := n.tensor(name).(*nd.Array)
		if !ok {
			return nil
		}
		return nd.ToSlice[float64](x.AsType(dtype.Float64))
	}
	tests, splits, features := list("nodes_modes"), list("nodes_splits"), n.ints("nodes_featureids")
	yes, no, yesLeaf, noLeaf := n.ints("nodes_truenodeids"), n.ints("nodes_falsenodeids"), n.ints("nodes_trueleafs"), n.ints("nodes_falseleafs")
	missing, members := n.ints("nodes_missing_value_tracks_true"), list("membership_values")
	targets, weights := n.ints("leaf_targetids"), list("leaf_weights")
	if x, ok := n.tensor("leaf_weights").(*nd.Array); ok {
		f.single = x.DType() != dtype.Float64
	}
	list("nodes_hitrates")
	count := len(features)
	for _, length := range []int{len(tests), len(splits), len(yes), len(no), len(yesLeaf), len(noLeaf)} {
		if length != count {
			n.refuse("lists of nodes of lengths %d and %d", count, length)
			return nil
		}
	}
	if len(targets) != len(weights) {
		n.refuse("%d targets of leaves, and %d weights", len(targets), len(weights))
		return nil
	}
	next := func(k, leaf int) int {
		if leaf != 0 {
			return count + k
		}
		return k
	}
	for i := range features {
		mode := int(tests[i])
		if mode < 0 || mode >= len(modes) || features[i] < 0 {
			n.refuse("a node of mode %d", mode)
			return nil
		}
		b := branch{test: modes[mode], feature: features[i], value: splits[i], missing: i < len(missing) && missing[i] != 0,
			yes: next(yes[i], yesLeaf[i]), no: next(no[i], noLeaf[i])}
		if b.test == member {
			for len(members) > 0 && !math.IsNaN(members[0]) {
				b.members, members = append(b.members, members[0]), members[1:]
			}
			members = members[min(1, len(members)):]
		}
		f.branches = append(f.branches, b)
	}
	for i := range targets {
		f.branches = append(f.branches, branch{isLeaf: true, votes: []vote{{targets[i], weights[i]}}})
	}
	for _, root := range n.ints("tree_roots") {
		if root >= 0 && root < count && yesLeaf[root] != 0 && noLeaf[root] != 0 && yes[root] == no[root] {
			root = count + yes[root] // a tree of one leaf
		}
		f.roots = append(f.roots, root)
	}
	f.check(n)
	transforms := []string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}
	k := n.int("post_transform", 0)
	if k < 0 || k >= len(transforms) {
		n.refuse("attribute post_transform is %d", k)
		return nil
	}
	finish := transformOf(transforms[k])
	return func(c *call) []model.Value {
		t := c.x(0).DType()
		scores, rows := f.predict(c)
		return one(nd.FromSlice(finish(scores, f.targets), rows, f.targets).AsType(t))
	}
}
