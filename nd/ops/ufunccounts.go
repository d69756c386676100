package ops

import (
	"reflect"

	"github.com/ndgrad/ndgrad/nd"
)

// UfuncCounts returns how many arrays an elementwise function takes and returns, apart from its options: 1 and 1 for
// Sin, 1 and 2 for Modf, 2 and 1 for [UfuncOf](Add). It panics if f is not a function from arrays to arrays.
// NumPy: ufunc.nin, ufunc.nout. CuPy: ufunc.nin, ufunc.nout.
func UfuncCounts(f any) (nin, nout int) {
	const fn nd.Func = "ops.UfuncCounts"
	t, array := reflect.TypeOf(f), reflect.TypeFor[*nd.Array]()
	if t == nil || t.Kind() != reflect.Func {
		panic(fn.Errorf(nil, "a %T: want a function of arrays", f))
	}
	nin, nout = t.NumIn(), t.NumOut()
	if t.IsVariadic() {
		nin--
	}
	for i := range nin {
		if t.In(i) != array {
			panic(fn.Errorf(nil, "a %T: parameter %d is not an array", f, i))
		}
	}
	for i := range nout {
		if t.Out(i) != array {
			panic(fn.Errorf(nil, "a %T: result %d is not an array", f, i))
		}
	}
	if nin == 0 || nout == 0 {
		panic(fn.Errorf(nil, "a %T: want a function of arrays", f))
	}
	return nin, nout
}
