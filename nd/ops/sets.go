package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// IsInOptions are the options of IsIn.
type IsInOptions struct {
	// Invert returns whether the elements are not in the set, instead.
	Invert bool
}

// IsIn returns, for every element of x, whether it equals an element of a set, an array of any shape. NaN equals
// nothing. No gradient flows.
// NumPy: isin.
func IsIn(x, set *nd.Array, opts ...IsInOptions) *nd.Array {
	const fn nd.Func = "ops.IsIn"
	fn.Check(x, set)
	if x.IsScalar() {
		x = x.Copy()
	}
	t := ufunc.CommonType([]*nd.Array{x, set})
	made := fn.Temporaries(&x, &set)
	defer made.Release()
	if !set.Fits(t) { // a number that no element equals
		set = made.Own(fn.NewLike(t, []int{0}, x))
	}
	x, set = x.Detach().AsType(t), set.Detach().AsType(t).Ravel()
	found := fn.NewFilled(dtype.Bool, x.Shape(), 0, x)
	if table, least, most := setTable(fn, x, set); table != nil {
		found = inTable(fn, x, table, least, most)
	} else if set.Size() > 0 {
		set = Sort(set)
		at := Minimum(SearchSorted(set, x), set.Size()-1)
		found = Equal(Take(set, at), x)
	}
	if options.Read(fn, opts).Invert {
		return made.Keep(LogicalNot(found))
	}
	return made.Keep(found)
}

// setTable returns which numbers from the least to the most of a set of integers are in it, and false after them. The table is nil if it
// does not pay: if the set is not of integers, if its numbers are far apart, or on another device than the CPU, which would be waited for.
func setTable(fn nd.Func, x, set *nd.Array) (table *nd.Array, least, most int64) {
	const leastSize = 512
	t := set.DType()
	if !onCPU(x) || !t.IsInteger() || t == dtype.Uint64 || set.Size() == 0 || x.Size() < leastSize {
		return nil, 0, 0
	}
	least, most = extremes[int64](fn, set)
	if uint64(most)-uint64(least) >= uint64(x.Size()) {
		return nil, 0, 0
	}
	table = fn.NewFilled(dtype.Bool, []int{int(most-least) + 2}, 0, set)
	at := Subtract(set.AsType(dtype.Int64), int(least))
	return fn.Scatter(device.CombineAssign, table, []int{0}, 0, []*nd.Array{at}, fn.NewFilled(dtype.Bool, nil, 1, set), device.BoundsRaise), least, most
}

// inTable looks the elements of x up in a table of setTable, in blocks that stay in the caches.
func inTable(fn nd.Func, x, table *nd.Array, least, most int64) *nd.Array {
	found := fn.NewLike(dtype.Bool, []int{x.Size()}, x)
	flat := x.AsType(dtype.Int64).Ravel()
	limits := []device.Scalar{{Int: least}, {Int: most}}
	for from := 0; from < flat.Size(); from += cachedBlock {
		part := nd.Span(from, min(from+cachedBlock, flat.Size()))
		some := flat.Index(part)
		at := ufunc.Run(fn, entryOf.Program(dtype.Int64), limits, ufunc.Options{}, []*nd.Array{some})
		is := Take(table, at)
		found.Assign(is, part)
		release.Operands(nil, some, at, is)
	}
	return found.Reshape(x.Shape()...)
}

// entryOf is the number of an element's entry in a table: the last one for elements outside.
var entryOf = ufunc.Definition{Fn: "ops.IsIn", In: "T x", Scalars: "int64 least, int64 most", Out: "int64",
	Body: "x < least || x > most ? most - least + 1 : x - least"}

// cachedBlock is the number of elements of the blocks in which functions of several passes compute: the blocks of their intermediate
// arrays stay in the second-level cache.
const cachedBlock = 1 << 15

// onCPU reports whether x is on the CPU, where several passes over short blocks are faster than over whole arrays, and waiting costs little.
func onCPU(x *nd.Array) bool { return x.Device().Name() == "cpu" }

// Union1D returns the unique elements that are in a or in b, sorted. It waits for the device.
// NumPy: union1d.
func Union1D(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "ops.Union1D"
	fn.Check(a, b)
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	return made.Keep(Unique(concatenate(fn, []*nd.Array{a.Ravel(), b.Ravel()}, JoinOptions{})))
}

// Intersect1D returns the unique elements that are both in a and in b, sorted. It waits for the device.
// NumPy: intersect1d.
func Intersect1D(a, b *nd.Array) *nd.Array {
	common, inA, inB := intersect("ops.Intersect1D", a, b)
	return release.Operands(common, inA, inB)
}

// Intersect1DWithIndex returns the result of Intersect1D, and the indices (int64) at which each element first occurs in
// the flattened a and in the flattened b.
// NumPy: intersect1d (with return_indices).
func Intersect1DWithIndex(a, b *nd.Array) (common, inA, inB *nd.Array) {
	return intersect("ops.Intersect1DWithIndex", a, b)
}

func intersect(fn nd.Func, a, b *nd.Array) (common, inA, inB *nd.Array) {
	fn.Check(a, b)
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	t := ufunc.CommonType([]*nd.Array{a, b})
	ua, ub := UniqueAll(a.AsType(t)), UniqueAll(b.AsType(t))
	both := IsIn(ua.Values, ub.Values)
	common = Compress(both, ua.Values)
	return made.Keep(common), made.Keep(Compress(both, ua.Indices)), made.Keep(Compress(IsIn(ub.Values, ua.Values), ub.Indices))
}

// SetDiff1D returns the unique elements of a that are not in b, sorted. It waits for the device.
// NumPy: setdiff1d.
func SetDiff1D(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "ops.SetDiff1D"
	fn.Check(a, b)
	u := Unique(a)
	left := IsIn(u, b, IsInOptions{Invert: true})
	return release.Operands(Compress(left, u), u, left)
}

// SetXor1D returns the unique elements that are in exactly one of a and b, sorted. It waits for the device.
// NumPy: setxor1d.
func SetXor1D(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "ops.SetXor1D"
	fn.Check(a, b)
	parts := []*nd.Array{SetDiff1D(a, b), SetDiff1D(b, a)}
	all := release.Operands(concatenate(fn, parts, JoinOptions{}), parts...)
	return release.Replace(all, Sort(all))
}
