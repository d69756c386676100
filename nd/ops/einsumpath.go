package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// EinsumPath returns the order in which Einsum multiplies these operands, and a text that says what it costs. A step of the
// path names two operands by their places in the list of those that are left; they are taken from it, and their product is
// put at its end. numpy.einsum_path.
//
// There is one order, and none to ask for: always the pair whose product has the fewest elements beyond those of its two
// factors, after every operand is added up over what nothing else needs. It is found step by step, without a search for the
// best order of all, so that numpy's path for the same subscripts may be another.
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

// distinct is the labels of an operand after its diagonals are taken and its axes that broadcast are dropped.
func (e *einsum) distinct(t einsumTerm) []int {
	var labels []int
	for axis, label := range t.labels {
		if !slices.Contains(labels, label) && t.x.Dim(axis) == e.sizes[label] {
			labels = append(labels, label)
		}
	}
	return labels
}

// kept is those of the labels that are needed.
func kept(labels []int, needed func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(labels), func(label int) bool { return !needed(label) })
}

// spelled writes labels; those of the ellipsis are one.
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

// Subscripts writes lists of axes as subscripts for Einsum and its kin: a number from 0 to 51 names each axis of each operand,
// and -1 stands for an ellipsis. Where output is nil the result has the axes that stand once, in increasing order. numpy.einsum
// with lists: np.einsum(a, [0, 1], b, [1, 2], [0, 2]) is
//
//	ops.Einsum(ops.Subscripts([][]int{{0, 1}, {1, 2}}, []int{0, 2}), a, b)
func Subscripts(inputs [][]int, output []int) string {
	const fn nd.Func = "ops.Subscripts"
	var text strings.Builder
	write := func(axes []int) {
		for _, axis := range axes {
			switch {
			case axis == -1:
				text.WriteString("...")
			case axis >= 0 && axis < 26: // the order of letters is that of numbers
				text.WriteByte('A' + byte(axis))
			case axis >= 26 && axis < 52:
				text.WriteByte('a' + byte(axis-26))
			default:
				panic(fn.Errorf(nil, "axis %d: want 0 to 51, or -1 for an ellipsis", axis))
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
