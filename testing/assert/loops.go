package assert

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// AllDTypesOptions are the options of AllDTypes.
type AllDTypesOptions struct {
	// NoFloat16 leaves out float16 and bfloat16.
	NoFloat16 bool
	// NoBool leaves bool out.
	NoBool bool
	// NoComplex leaves out the complex dtypes. CuPy's loops have none.
	NoComplex bool
}

// AllDTypes loops over all dtypes: those of [FloatDTypes], [ComplexDTypes], [SignedDTypes] and [UnsignedDTypes], and
// bool.
// CuPy: testing.for_all_dtypes.
func AllDTypes(opts ...AllDTypesOptions) iter.Seq[dtype.DType] {
	const fn nd.Func = "assert.AllDTypes"
	o := options.Read(fn, opts)
	all := slices.Collect(FloatDTypes(FloatDTypesOptions{NoFloat16: o.NoFloat16}))
	if !o.NoComplex {
		all = slices.AppendSeq(all, ComplexDTypes())
	}
	all = slices.AppendSeq(all, IntDTypes(IntDTypesOptions{NoBool: o.NoBool}))
	return slices.Values(all)
}

// FloatDTypesOptions are the options of FloatDTypes.
type FloatDTypesOptions struct {
	// NoFloat16 leaves out float16 and bfloat16.
	NoFloat16 bool
}

// FloatDTypes loops over float16, bfloat16, float32 and float64.
// CuPy: testing.for_float_dtypes.
func FloatDTypes(opts ...FloatDTypesOptions) iter.Seq[dtype.DType] {
	const fn nd.Func = "assert.FloatDTypes"
	all := []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64}
	if options.Read(fn, opts).NoFloat16 {
		all = all[2:]
	}
	return slices.Values(all)
}

// ComplexDTypes loops over complex64 and complex128.
func ComplexDTypes() iter.Seq[dtype.DType] {
	return slices.Values([]dtype.DType{dtype.Complex64, dtype.Complex128})
}

// SignedDTypes loops over the signed integer dtypes, the narrowest first.
// CuPy: testing.for_signed_dtypes.
func SignedDTypes() iter.Seq[dtype.DType] {
	return slices.Values([]dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64})
}

// UnsignedDTypes loops over the unsigned integer dtypes, the narrowest first.
// CuPy: testing.for_unsigned_dtypes.
func UnsignedDTypes() iter.Seq[dtype.DType] {
	return slices.Values([]dtype.DType{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64})
}

// IntDTypesOptions are the options of IntDTypes.
type IntDTypesOptions struct {
	// NoBool leaves bool out.
	NoBool bool
}

// IntDTypes loops over the integer dtypes, the signed ones first, and bool.
// CuPy: testing.for_int_dtypes.
func IntDTypes(opts ...IntDTypesOptions) iter.Seq[dtype.DType] {
	const fn nd.Func = "assert.IntDTypes"
	all := slices.AppendSeq(slices.Collect(SignedDTypes()), UnsignedDTypes())
	if !options.Read(fn, opts).NoBool {
		all = append(all, dtype.Bool)
	}
	return slices.Values(all)
}

// CombinationsOptions are the options of Combinations.
type CombinationsOptions struct {
	// Full yields every combination, instead of as many lists as there are dtypes.
	Full bool
	// Seed selects other random combinations. It has no effect with Full.
	Seed uint64
}

// Combinations loops over lists of n dtypes, for tests of functions with n arrays. Each dtype occurs once at every
// position of the lists, together with random others. With Full, all combinations occur.
// CuPy: testing.for_dtypes_combination, testing.for_all_dtypes_combination (with AllDTypes),
// testing.for_signed_dtypes_combination (with SignedDTypes), testing.for_unsigned_dtypes_combination (with
// UnsignedDTypes), testing.for_int_dtypes_combination (with IntDTypes).
func Combinations(dtypes iter.Seq[dtype.DType], n int, opts ...CombinationsOptions) iter.Seq[[]dtype.DType] {
	const fn nd.Func = "assert.Combinations"
	o := options.Read(fn, opts)
	types := slices.Collect(dtypes)
	if o.Full {
		return product(types, n)
	}
	random := rand.New(rand.NewPCG(o.Seed, uint64(n)))
	columns := make([][]int, n)
	for k := range columns {
		columns[k] = random.Perm(len(types))
	}
	return func(yield func([]dtype.DType) bool) {
		for i := range types {
			list := make([]dtype.DType, n)
			for k, column := range columns {
				list[k] = types[column[i]]
			}
			if !yield(list) {
				return
			}
		}
	}
}

// product counts through all lists; the last position changes fastest.
func product(types []dtype.DType, n int) iter.Seq[[]dtype.DType] {
	return func(yield func([]dtype.DType) bool) {
		at := make([]int, n)
		for len(types) > 0 {
			list := make([]dtype.DType, n)
			for k, i := range at {
				list[k] = types[i]
			}
			if !yield(list) {
				return
			}
			k := n - 1
			for ; k >= 0; k-- {
				if at[k]++; at[k] < len(types) {
					break
				}
				at[k] = 0
			}
			if k < 0 {
				return
			}
		}
	}
}

// Order is an order of elements in memory.
type Order string

// The orders: C, where the last axis varies fastest; Fortran, where the first axis does; and the order that an array
// has.
const (
	OrderC    Order = "C"
	OrderF    Order = "F"
	OrderKeep Order = "K"
)

// Orders loops over the given orders, or over C and Fortran order if none is given.
// CuPy: testing.for_orders, testing.for_CF_orders.
func Orders(orders ...Order) iter.Seq[Order] {
	if orders == nil {
		orders = []Order{OrderC, OrderF}
	}
	return slices.Values(orders)
}

// InOrder returns a copy of x whose elements have the given order in memory.
func InOrder(x *nd.Array, order Order) *nd.Array {
	switch order {
	case OrderC:
		return filled(nd.Empty(x.Shape(), nd.ArrayOptions{DType: x.DType(), Device: x.Device()}), x)
	case OrderF:
		return x.CopyFortran()
	case OrderKeep:
		return filled(nd.EmptyLike(x), x)
	}
	panic(nd.Func("assert.InOrder").Errorf([]*nd.Array{x}, "order %q: want C, F or K", order))
}

func filled(y, x *nd.Array) *nd.Array {
	y.Assign(x)
	return y
}
