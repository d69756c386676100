package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// likenessRows is the chapter of MXNet's reshaping functions: by codes, or to match another array.
var likenessRows = []Row{
	{Signature: "mxnet.npx.reshape(a, newshape, reverse=False, order='C')", Func: func(x *nd.Array, codes []int, reverse bool, order string) *nd.Array {
		if order != "C" {
			panic(nd.Func("reshape").Errorf([]*nd.Array{x}, "order %q: want C", order))
		}
		return x.Reshape(decodeShape(x, codes, reverse)...)
	}},
	{Signature: "mxnet.npx.reshape_like(lhs, rhs, lhs_begin=None, lhs_end=None, rhs_begin=None, rhs_end=None)", Func: reshapeLike},
	{Signature: "mxnet.npx.broadcast_like(lhs, rhs, lhs_axes=None, rhs_axes=None)", Func: broadcastLike},
	{Signature: "mxnet.npx.slice_like(data, shape_like, axes=[])", Func: sliceLike},
}

// decodeShape replaces the codes in an MXNet shape by lengths, except for one -1. -2 keeps a length, -3 drops an axis
// of length 1, -4 keeps all remaining axes, -5 multiplies two axes, and -6 splits one axis into the two lengths that
// follow. A length or -1 also consumes one axis.
func decodeShape(x *nd.Array, codes []int, reverse bool) []int {
	from := x.Shape()
	if reverse {
		from, codes = slices.Clone(from), slices.Clone(codes)
		slices.Reverse(from)
		slices.Reverse(codes)
	}
	refuse := func(why string) { panic(nd.Func("reshape").Errorf([]*nd.Array{x}, "codes %v: %s", codes, why)) }
	next := func() int {
		if len(from) == 0 {
			refuse("the shape names more axes than the array has")
		}
		n := from[0]
		from = from[1:]
		return n
	}
	var to []int
	for k := 0; k < len(codes); k++ {
		switch code := codes[k]; code {
		case -2:
			to = append(to, next())
		case -3:
			if next() != 1 {
				refuse("-3 drops an axis whose length is not 1")
			}
		case -4:
			to = append(to, from...)
			from = nil
		case -5:
			to = append(to, next()*next())
		case -6:
			if k+2 >= len(codes) {
				refuse("-6 needs two lengths")
			}
			n, a, b := next(), codes[k+1], codes[k+2]
			k += 2
			if a == -1 && b > 0 {
				a = n / b
			} else if b == -1 && a > 0 {
				b = n / a
			}
			if a < 0 || b < 0 || a*b != n {
				refuse("-6 needs two lengths whose product is the length of the axis")
			}
			to = append(to, a, b)
		default:
			if code < -6 {
				refuse("want codes from -6 on")
			}
			if len(from) > 0 {
				from = from[1:]
			}
			to = append(to, code)
		}
	}
	if reverse {
		slices.Reverse(to)
	}
	return to
}

// reshapeLike gives some axes of x the lengths of some axes of y.
func reshapeLike(x, y *nd.Array, begin, end, begin2, end2 *int) *nd.Array {
	part := func(of *nd.Array, begin, end *int) (int, int) {
		position := func(p *int, def int) int {
			if p == nil {
				return def
			}
			k := *p
			if k < 0 {
				k += of.Rank()
			}
			if k < 0 || k > of.Rank() {
				panic(nd.Func("reshape_like").Errorf([]*nd.Array{x, y}, "axis %d: the array has %d", *p, of.Rank()))
			}
			return k
		}
		b, e := position(begin, 0), position(end, of.Rank())
		if b > e {
			panic(nd.Func("reshape_like").Errorf([]*nd.Array{x, y}, "axes from %d to %d: want a range", b, e))
		}
		return b, e
	}
	b, e := part(x, begin, end)
	b2, e2 := part(y, begin2, end2)
	return x.Reshape(slices.Concat(x.Shape()[:b], y.Shape()[b2:e2], x.Shape()[e:])...)
}

// broadcastLike gives x the shape of y, or some axes the lengths of axes of y.
func broadcastLike(x, y *nd.Array, axes, axes2 []int) *nd.Array {
	if axes == nil && axes2 == nil && x.Rank() == y.Rank() {
		return x.BroadcastTo(y.Shape()...)
	}
	if len(axes) != len(axes2) || len(axes) == 0 {
		panic(nd.Func("broadcast_like").Errorf([]*nd.Array{x, y}, "want arrays with equally many axes, or equally many axes of both"))
	}
	shape := x.Shape()
	for k, axis := range axes {
		if x.Dim(axis) != 1 {
			panic(nd.Func("broadcast_like").Errorf([]*nd.Array{x, y}, "axis %d has length %d, not 1", axis, x.Dim(axis)))
		}
		shape[(axis+len(shape))%len(shape)] = y.Dim(axes2[k])
	}
	return x.BroadcastTo(shape...)
}

// sliceLike slices axes of x (all if none are given) to the lengths that y has.
func sliceLike(x, y *nd.Array, axes []int) *nd.Array {
	if len(axes) == 0 {
		if x.Rank() != y.Rank() {
			panic(nd.Func("slice_like").Errorf([]*nd.Array{x, y}, "want arrays with equally many axes"))
		}
		for k := range x.Rank() {
			axes = append(axes, k)
		}
	}
	ix := slices.Repeat([]nd.Index{nd.All()}, x.Rank())
	for _, axis := range axes {
		k := axis
		if k < 0 {
			k += x.Rank()
		}
		if k < 0 || k >= x.Rank() || k >= y.Rank() || y.Dim(k) > x.Dim(k) {
			panic(nd.Func("slice_like").Errorf([]*nd.Array{x, y}, "axis %d: want an axis of both arrays that is not longer in the second", axis))
		}
		ix[k] = nd.Until(y.Dim(k))
	}
	return x.Index(ix...)
}
