package catalogue

import (
	"iter"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// testingRows is the chapter of assertions, and of loops over dtypes and orders.
var testingRows = []Row{
	{Signature: "cupy.testing.assert_allclose(actual, desired, rtol=1e-07, atol=0, err_msg='', verbose=True)", Func: func(actual, desired *nd.Array, rtol, atol float64) bool {
		return assert.AllClose(silent{}, actual, desired, rtol, atol)
	}, Ignores: messageArguments, NoGrad: true},
	{Signature: "cupy.testing.assert_array_almost_equal(x, y, decimal=6, err_msg='', verbose=True)", Func: func(x, y *nd.Array, decimal int) bool {
		return assert.AlmostEqual(silent{}, x, y, decimal)
	}, Ignores: messageArguments, NoGrad: true},
	{Signature: "cupy.testing.assert_array_almost_equal_nulp(x, y, nulp=1)", Func: func(x, y *nd.Array, nulp float64) bool {
		return assert.Spacings(silent{}, x, y, nulp)
	}, NoGrad: true},
	{Signature: "cupy.testing.assert_array_max_ulp(a, b, maxulp=1, dtype=None)", Func: func(a, b *nd.Array, most uint64, t dtype.DType) bool {
		if t.Valid() {
			a, b = a.AsType(t), b.AsType(t)
		}
		return assert.ULP(silent{}, a, b, most)
	}, NoGrad: true},
	{Signature: "cupy.testing.assert_array_equal(x, y, err_msg='', verbose=True)", Func: func(x, y *nd.Array) bool {
		return assert.Equal(silent{}, x, y)
	}, Ignores: messageArguments, NoGrad: true},
	{Signature: "cupy.testing.assert_array_list_equal(xlist, ylist, err_msg='', verbose=True)", Func: func(xs, ys []*nd.Array) bool {
		return assert.ListEqual(silent{}, xs, ys)
	}, Ignores: messageArguments, NoGrad: true},
	{Signature: "cupy.testing.assert_array_less(x, y, err_msg='', verbose=True)", Func: func(x, y *nd.Array) bool {
		return assert.Less(silent{}, x, y)
	}, Ignores: messageArguments, NoGrad: true},

	{Signature: "cupy.testing.numpy_cupy_allclose(rtol=1e-07, atol=0, err_msg='', verbose=True, name='xp', type_check=True, accept_error=False)",
		Func: func(rtol, atol float64) consistency {
			return consistent(func(t assert.TB, got, want *nd.Array) bool { return assert.AllClose(t, got, want, rtol, atol) })
		}, Ignores: decoratorArguments, NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_almost_equal(decimal=6, err_msg='', verbose=True, name='xp', type_check=True, accept_error=False)",
		Func: func(decimal int) consistency {
			return consistent(func(t assert.TB, got, want *nd.Array) bool { return assert.AlmostEqual(t, got, want, decimal) })
		}, Ignores: decoratorArguments, NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_almost_equal_nulp(nulp=1, name='xp', type_check=True, accept_error=False)",
		Func: func(nulp float64) consistency {
			return consistent(func(t assert.TB, got, want *nd.Array) bool { return assert.Spacings(t, got, want, nulp) })
		}, Ignores: decoratorArguments[2:], NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_max_ulp(maxulp=1, dtype=None, name='xp', type_check=True, accept_error=False)",
		Func: func(most uint64) consistency {
			return consistent(func(t assert.TB, got, want *nd.Array) bool { return assert.ULP(t, got, want, most) })
		}, Ignores: append([]string{"dtype"}, decoratorArguments[2:]...), NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_equal(err_msg='', verbose=True, name='xp', type_check=True, accept_error=False)",
		Func: func() consistency { return consistent(assert.Equal) }, Ignores: decoratorArguments, NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_less(err_msg='', verbose=True, name='xp', type_check=True, accept_error=False)",
		Func: func() consistency { return consistent(assert.Less) }, Ignores: decoratorArguments, NoGrad: true, Note: notDecorator},
	{Signature: "cupy.testing.numpy_cupy_array_list_equal(err_msg='', verbose=True, name='xp')",
		Func: func() consistency { return consistent(assert.Equal) }, Ignores: decoratorArguments[:3], NoGrad: true,
		Note: notDecorator + ", once for each array of a list"},
	{Signature: "cupy.testing.numpy_cupy_raises(name='xp')", Func: func() func(t assert.TB, text string, f func(device.Device)) bool {
		return assert.RaisesOnDevices
	}, Ignores: []string{"name"}, NoGrad: true, Note: notDecorator},

	{Signature: "cupy.testing.for_dtypes(dtypes, name='dtype')", Func: func(dtypes []dtype.DType) []dtype.DType {
		return dtypes
	}, Ignores: []string{"name"}, NoGrad: true, Note: "range over the slice"},
	{Signature: "cupy.testing.for_all_dtypes(name='dtype', no_float16=False, no_bool=False)", Func: func(noFloat16, noBool bool) []dtype.DType {
		return asCuPy(assert.AllDTypes(assert.AllDTypesOptions{NoFloat16: noFloat16, NoBool: noBool, NoComplex: true}))
	}, Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_float_dtypes(name='dtype', no_float16=False)", Func: func(noFloat16 bool) []dtype.DType {
		return asCuPy(assert.FloatDTypes(assert.FloatDTypesOptions{NoFloat16: noFloat16}))
	}, Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_signed_dtypes(name='dtype')", Func: func() []dtype.DType { return asCuPy(assert.SignedDTypes()) },
		Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_unsigned_dtypes(name='dtype')", Func: func() []dtype.DType { return asCuPy(assert.UnsignedDTypes()) },
		Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_int_dtypes(name='dtype', no_bool=False)", Func: func(noBool bool) []dtype.DType {
		return asCuPy(assert.IntDTypes(assert.IntDTypesOptions{NoBool: noBool}))
	}, Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_dtypes_combination(types, names=('dtype',), full=None)", Func: func(types []dtype.DType, names []string, full bool) [][]dtype.DType {
		return combinations(slices.Values(types), names, full)
	}, NoGrad: true},
	{Signature: "cupy.testing.for_all_dtypes_combination(names=('dtyes',), no_float16=False, no_bool=False, full=None)",
		Func: func(names []string, noFloat16, noBool, full bool) [][]dtype.DType {
			return combinations(assert.AllDTypes(assert.AllDTypesOptions{NoFloat16: noFloat16, NoBool: noBool, NoComplex: true}), names, full)
		}, NoGrad: true},
	{Signature: "cupy.testing.for_signed_dtypes_combination(names=('dtype',), full=None)", Func: func(names []string, full bool) [][]dtype.DType {
		return combinations(assert.SignedDTypes(), names, full)
	}, NoGrad: true},
	{Signature: "cupy.testing.for_unsigned_dtypes_combination(names=('dtype',), full=None)", Func: func(names []string, full bool) [][]dtype.DType {
		return combinations(assert.UnsignedDTypes(), names, full)
	}, NoGrad: true},
	{Signature: "cupy.testing.for_int_dtypes_combination(names=('dtype',), no_bool=False, full=None)", Func: func(names []string, noBool, full bool) [][]dtype.DType {
		return combinations(assert.IntDTypes(assert.IntDTypesOptions{NoBool: noBool}), names, full)
	}, NoGrad: true},
	{Signature: "cupy.testing.for_orders(orders, name='order')", Func: orderNames, Ignores: []string{"name"}, NoGrad: true},
	{Signature: "cupy.testing.for_CF_orders(name='order')", Func: func() []string { return orderNames(nil) },
		Ignores: []string{"name"}, NoGrad: true},
}

var (
	messageArguments   = []string{"err_msg", "verbose"}
	decoratorArguments = []string{"err_msg", "verbose", "name", "type_check", "accept_error"}
)

const notDecorator = "a decorator there; here a function call that compares devices"

// silent is a test that ignores errors; the assertions return whether they hold.
type silent struct{}

func (silent) Helper()               {}
func (silent) Errorf(string, ...any) {}

// consistency is the equivalent of a decorator: it calls f for every device and compares the results.
type consistency = func(t assert.TB, f func(dev device.Device) *nd.Array) bool

func consistent(same func(t assert.TB, got, want *nd.Array) bool) consistency {
	return func(t assert.TB, f func(dev device.Device) *nd.Array) bool { return assert.OnDevices(t, f, same) }
}

// asCuPy lists dtypes as CuPy's loops do: without bfloat16, and with 64-bit integers twice, for two names of the same
// type.
func asCuPy(dtypes iter.Seq[dtype.DType]) []dtype.DType {
	var list []dtype.DType
	for t := range dtypes {
		if t == dtype.BFloat16 {
			continue
		}
		if list = append(list, t); t == dtype.Int64 || t == dtype.Uint64 {
			list = append(list, t)
		}
	}
	return list
}

func combinations(types iter.Seq[dtype.DType], names []string, full bool) [][]dtype.DType {
	return slices.Collect(assert.Combinations(types, len(names), assert.CombinationsOptions{Full: full}))
}

// orderNames returns the letters of memory orders.
func orderNames(orders []assert.Order) []string {
	return converted(slices.Collect(assert.Orders(orders...)), func(order assert.Order) string { return string(order) })
}
