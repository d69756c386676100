package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Einsum returns sums of products of the operands' elements, as the subscripts say (Einstein's convention). A letter
// names each axis of each operand. Axes with the same letter share one index, and letters that the output does not have
// are summed over.
//
//	"ij,jk->ik"   matrix product          "ii->i"      diagonal, as a view
//	"ii"          trace                   "...ij,...j" matrices times vectors, in batches
//	"i,j->ij"     outer product           "ij->ji"     transpose, as a view
//
// Without "->" the output has the letters that occur once, in alphabetical order. An ellipsis stands for the axes
// without letters; they broadcast, as all axes of length 1 do. Operands are multiplied in pairs, in an order that keeps
// the intermediate products small: [EinsumPath] returns that order. [EinsumWith] takes options, and [Subscripts] turns
// lists of axes into subscripts.
// NumPy: einsum.
func Einsum(subscripts string, operands ...*nd.Array) *nd.Array {
	return contracted("ops.Einsum", subscripts, operands, EinsumOptions{})
}

// EinsumOptions are the options of EinsumWith.
type EinsumOptions struct {
	// Out receives the result, converted to its dtype, which must be able to hold all values of the result's dtype. It
	// must have the shape of the result. Without DType the computation is in the dtype that the operands and Out
	// promote to.
	Out *nd.Array
	// DType is the dtype to compute in, and of the result; it must be able to hold all values of the operands' dtypes.
	// By default it is the dtype that they promote to.
	DType dtype.DType
}

// EinsumWith is Einsum with options.
// NumPy: einsum (with out or dtype).
func EinsumWith(subscripts string, operands []*nd.Array, opts ...EinsumOption) *nd.Array {
	const fn nd.Func = "ops.EinsumWith"
	return contracted(fn, subscripts, operands, options.Of(fn, opts, Output.einsum))
}

func contracted(fn nd.Func, subscripts string, operands []*nd.Array, o EinsumOptions) *nd.Array {
	fn.Check(operands...)
	operands = slices.Clone(operands)
	arguments := make([]**nd.Array, len(operands))
	for k := range operands {
		arguments[k] = &operands[k]
	}
	made := fn.Temporaries(arguments...)
	defer made.Release()
	e := einsum{fn: fn, operands: operands}
	e.parse(subscripts)
	e.measure()
	e.choose(o)
	for i := range e.terms {
		e.prepare(&e.terms[i])
	}
	for i := range e.terms {
		e.sumOut(&e.terms[i], e.neededBeside(i, -1))
	}
	for len(e.terms) > 1 {
		i, j := e.cheapestPair()
		product := e.multiply(e.terms[i], e.terms[j], e.neededBeside(i, j))
		e.terms = append(slices.Delete(slices.Delete(e.terms, j, j+1), i, i+1), product)
	}
	y := e.terms[0].arranged(e.output)
	if o.Out == nil {
		return made.Keep(y)
	}
	o.Out.Assign(y)
	return o.Out
}

// einsum holds the state of one sum of products. Letters are positive labels; the axes of the ellipsis, counted from
// the last one, are -1, -2, ….
type einsum struct {
	fn       nd.Func
	operands []*nd.Array
	terms    []einsumTerm
	output   []int
	sizes    map[int]int
	common   dtype.DType // the dtype to compute in
}

// einsumTerm is an operand, or a product of some operands, with the labels of its axes.
type einsumTerm struct {
	x      *nd.Array
	labels []int
}

func (e *einsum) refuse(format string, args ...any) {
	panic(e.fn.Errorf(e.operands, format, args...))
}

// measure finds the length of every label: that of all axes with the label, except axes of length 1.
func (e *einsum) measure() {
	e.sizes = map[int]int{}
	for k, t := range e.terms {
		for axis, label := range t.labels {
			n := t.x.Dim(axis)
			if first := slices.Index(t.labels, label); n != t.x.Dim(first) {
				e.refuse("operand %d has lengths %d and %d along %q", k, t.x.Dim(first), n, rune(label))
			}
			switch old, seen := e.sizes[label]; {
			case !seen || old == 1:
				e.sizes[label] = n
			case n != 1 && n != old:
				e.refuse("operand %d has length %d along an axis that has length %d in an earlier operand", k, n, old)
			}
		}
	}
}

// choose finds the dtype to compute in. It panics if Out cannot hold the result.
func (e *einsum) choose(o EinsumOptions) {
	e.common = ufunc.CommonType(e.operands)
	if o.DType.Valid() {
		for k, x := range e.operands {
			if !x.Fits(o.DType) || !x.IsScalar() && !dtype.CanCast(x.DType(), o.DType, dtype.CastSafe) {
				e.refuse("operand %d is %s: want a dtype whose values all fit %s", k, x.DType(), o.DType)
			}
		}
		e.common = o.DType
	}
	if o.Out == nil {
		return
	}
	e.fn.Check(append(slices.Clone(e.operands), o.Out)...)
	if !dtype.CanCast(e.common, o.Out.DType(), dtype.CastSafe) {
		e.refuse("the result is %s: want an Out that holds all its values, not one of dtype %s", e.common, o.Out.DType())
	}
	ufunc.CheckOut(e.fn, o.Out, o.Out, e.shape(e.output))
	if !o.DType.Valid() {
		e.common = o.Out.DType()
	}
}

// prepare converts a term to the common dtype, takes the diagonals of axes with the same label, and drops the axes that
// broadcast.
func (e *einsum) prepare(t *einsumTerm) {
	if t.x.IsScalar() {
		whole := e.fn.NewLike(e.common, nil, e.operands...)
		whole.Assign(t.x)
		t.x = whole
	}
	t.x = t.x.AsType(e.common)
	for axis := 0; axis < len(t.labels); axis++ {
		label := t.labels[axis]
		if again := slices.Index(t.labels[axis+1:], label); again >= 0 {
			again += axis + 1
			t.x = t.x.Diagonal(0, axis, again)
			t.labels = slices.Delete(slices.Delete(t.labels, again, again+1), axis, axis+1)
			t.labels = append(t.labels, label)
			axis-- // the next axis has moved here
		}
	}
	for axis := len(t.labels) - 1; axis >= 0; axis-- {
		if t.x.Dim(axis) == 1 && e.sizes[t.labels[axis]] != 1 {
			t.x = t.x.Squeeze(axis)
			t.labels = slices.Delete(t.labels, axis, axis+1)
		}
	}
}

// neededBeside returns a function that reports whether a label occurs in the output or in a term other than i and j.
func (e *einsum) neededBeside(i, j int) func(label int) bool {
	needed := map[int]bool{}
	for _, label := range e.output {
		needed[label] = true
	}
	for k, t := range e.terms {
		for _, label := range t.labels {
			needed[label] = needed[label] || k != i && k != j
		}
	}
	return func(label int) bool { return needed[label] }
}

// sumOut sums a term over the labels that are not needed.
func (e *einsum) sumOut(t *einsumTerm, needed func(int) bool) {
	var axes, left []int
	for axis, label := range t.labels {
		if needed(label) {
			left = append(left, label)
		} else {
			axes = append(axes, axis)
		}
	}
	if axes != nil {
		t.x, t.labels = Sum(t.x, ReduceOptions{Axes: axes, DType: t.x.DType()}), left
	}
}

// cheapestPair finds the two terms whose product has the fewest elements beyond those of its factors.
func (e *einsum) cheapestPair() (i, j int) {
	best := 0.0
	for a := range e.terms {
		for b := a + 1; b < len(e.terms); b++ {
			needed := e.neededBeside(a, b)
			room := e.count(union(e.terms[a].labels, e.terms[b].labels), needed)
			if cost := room - e.count(e.terms[a].labels, nil) - e.count(e.terms[b].labels, nil); a == 0 && b == 1 || cost < best {
				best, i, j = cost, a, b
			}
		}
	}
	return i, j
}

// count returns the number of elements along the needed labels; a nil needed means all labels.
func (e *einsum) count(labels []int, needed func(int) bool) float64 {
	n := 1.0
	for _, label := range labels {
		if needed == nil || needed(label) {
			n *= float64(e.sizes[label])
		}
	}
	return n
}

func union(a, b []int) []int {
	all := slices.Clone(a)
	for _, label := range b {
		if !slices.Contains(all, label) {
			all = append(all, label)
		}
	}
	return all
}

// multiply returns the product of two terms, summed over the labels that are not needed. It is a matrix product in
// batches, or an elementwise product if nothing is summed.
func (e *einsum) multiply(a, b einsumTerm, needed func(int) bool) einsumTerm {
	var batch, summed, left, right []int
	for _, label := range a.labels {
		switch {
		case !slices.Contains(b.labels, label):
			left = append(left, label)
		case needed(label):
			batch = append(batch, label)
		default:
			summed = append(summed, label)
		}
	}
	for _, label := range b.labels {
		if !slices.Contains(a.labels, label) {
			right = append(right, label)
		}
	}
	labels := slices.Concat(batch, left, right)
	if summed == nil {
		x := a.arranged(slices.Concat(batch, left)).Reshape(slices.Concat(e.shape(batch), e.shape(left), broadcast.Ones(len(right)))...)
		y := b.arranged(slices.Concat(batch, right)).Reshape(slices.Concat(e.shape(batch), broadcast.Ones(len(left)), e.shape(right))...)
		return einsumTerm{Multiply(x, y), labels}
	}
	m, k, n := broadcast.Size(e.shape(left)), broadcast.Size(e.shape(summed)), broadcast.Size(e.shape(right))
	x := a.arranged(slices.Concat(batch, left, summed)).Reshape(append(e.shape(batch), m, k)...)
	y := b.arranged(slices.Concat(batch, summed, right)).Reshape(append(e.shape(batch), k, n)...)
	return einsumTerm{matMul(e.fn, x, y).Reshape(e.shape(labels)...), labels}
}

// shape returns the lengths of labels.
func (e *einsum) shape(labels []int) []int {
	shape := make([]int, len(labels))
	for k, label := range labels {
		shape[k] = e.sizes[label]
	}
	return shape
}

// arranged returns the term's array with its axes in the order of labels.
func (t einsumTerm) arranged(labels []int) *nd.Array {
	order := make([]int, len(labels))
	for k, label := range labels {
		order[k] = slices.Index(t.labels, label)
	}
	if slices.Equal(order, broadcast.AllAxes(len(order))) {
		return t.x
	}
	return t.x.Transpose(order...)
}
