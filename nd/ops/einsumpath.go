package ops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// EinsumPath returns the order in which Einsum multiplies these operands, and a text about its cost. A step of the path
// gives the indices of two operands in the list of remaining operands; both are removed from the list, and their
// product is appended to it.
//
// The order is fixed; there are no strategies to choose from. Every operand is first summed over the letters that
// nothing else needs. Then each step takes the pair whose product has the fewest elements beyond those of its two
// factors. This is a greedy choice, not a search for the best order of all, so NumPy's path for the same subscripts may
// differ.
// NumPy: einsum_path.
func EinsumPath(subscripts string, operands ...*nd.Array) (path [][]int, text string) {
	const fn nd.Func = "ops.EinsumPath"
	fn.Check(operands...)
	e := einsum{fn: fn, operands: operands}
	e.parse(subscripts)
	e.measure()
	var all []int
	for i, t := range e.terms {
		all = union(all, t.labels)
		e.terms[i] = einsumTerm{labels: e.distinct(t)}
	}
	for i, t := range e.terms {
		e.terms[i].labels = kept(t.labels, e.neededBeside(i, -1))
	}
	n := len(e.terms)
	if n == 1 {
		path = append(path, []int{0})
	}
	var steps strings.Builder
	work, largest := 0.0, e.count(e.output, nil)
	for len(e.terms) > 1 {
		i, j := e.cheapestPair()
		a, b := e.terms[i], e.terms[j]
		both := union(a.labels, b.labels)
		product := einsumTerm{labels: kept(both, e.neededBeside(i, j))}
		work += e.count(both, nil)
		largest = max(largest, e.count(product.labels, nil))
		path = append(path, []int{i, j})
		e.terms = append(slices.Delete(slices.Delete(e.terms, j, j+1), i, i+1), product)
		fmt.Fprintf(&steps, "  (%d, %d)  %s,%s->%s  %.0f\n", i, j, spelled(a.labels), spelled(b.labels), spelled(product.labels), e.count(both, nil))
	}
	text = fmt.Sprintf("%s\nmultiplications, all at once: %.0f\nmultiplications, in this order: %.0f\nelements of the largest product: %.0f\n%s",
		subscripts, float64(n-1)*e.count(all, nil), work, largest, steps.String())
	return path, text
}

// distinct returns the labels of an operand after its diagonals are taken and its axes that broadcast are dropped.
func (e *einsum) distinct(t einsumTerm) []int {
	var labels []int
	for axis, label := range t.labels {
		if !slices.Contains(labels, label) && t.x.Dim(axis) == e.sizes[label] {
			labels = append(labels, label)
		}
	}
	return labels
}

// kept returns the needed labels.
func kept(labels []int, needed func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(labels), func(label int) bool { return !needed(label) })
}

// spelled writes labels as letters; those of the ellipsis become one "...".
func spelled(labels []int) string {
	var text strings.Builder
	hidden := false
	for _, label := range labels {
		switch {
		case label > 0:
			text.WriteRune(rune(label))
		case !hidden:
			text.WriteString("...")
			hidden = true
		}
	}
	return text.String()
}

// EllipsisAxis stands for an ellipsis in the lists of [Subscripts].
const EllipsisAxis = math.MinInt

// Subscripts writes lists of axes as subscripts for Einsum, EinsumWith and EinsumPath. A number from 0 to 51 names each
// axis of each operand, and [EllipsisAxis] stands for an ellipsis. If output is nil the result has the axes that occur once, in
// increasing order. NumPy's np.einsum(a, [0, 1], b, [1, 2], [0, 2]) is
//
//	ops.Einsum(ops.Subscripts([][]int{{0, 1}, {1, 2}}, []int{0, 2}), a, b)
//
// NumPy: einsum (with lists).
func Subscripts(inputs [][]int, output []int) string {
	const fn nd.Func = "ops.Subscripts"
	var text strings.Builder
	write := func(axes []int) {
		for _, axis := range axes {
			switch {
			case axis == EllipsisAxis:
				text.WriteString("...")
			case axis >= 0 && axis < 26: // letters sort in the order of their numbers
				text.WriteByte('A' + byte(axis))
			case axis >= 26 && axis < 52:
				text.WriteByte('a' + byte(axis-26))
			default:
				panic(fn.Errorf(nil, "axis %d: want 0 to 51, or EllipsisAxis", axis))
			}
		}
	}
	for k, axes := range inputs {
		if k > 0 {
			text.WriteByte(',')
		}
		write(axes)
	}
	if output != nil {
		text.WriteString("->")
		write(output)
	}
	return text.String()
}
