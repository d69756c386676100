package nd_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// extremes are integers that cannot be the length of an axis, or that overflow when lengths are multiplied.
var extremes = []int{-1, 1 << 40, 1 << 62, math.MaxInt - 1, math.MaxInt, math.MinInt, math.MinInt + 1}

// worksOrRefuses reports a panic other than an *nd.Error.
func worksOrRefuses(t *testing.T, call string, f func()) {
	t.Helper()
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			var refusal *nd.Error
			if !errors.As(e, &refusal) {
				t.Errorf("%s: panic: %v", call, e)
			}
		default:
			t.Errorf("%s: panic: %v", call, e)
		}
	}()
	f()
}

// TestExtremeIntegersInMethods calls the methods of arrays and streams with extreme integers.
func TestExtremeIntegersInMethods(t *testing.T) {
	for _, receiver := range []any{nd.ArangeInt(0, 6, 1).Reshape(2, 3), nd.Zeros([]int{0, 2}), nd.Zeros(nil), nd.NewRand(1)} {
		v := reflect.ValueOf(receiver)
		for k := range v.NumMethod() {
			m, name := v.Method(k), v.Type().Method(k).Name
			for slot := range m.Type().NumIn() {
				for _, extreme := range extremes {
					for _, in := range extremeArguments(m.Type(), slot, extreme) {
						worksOrRefuses(t, fmt.Sprintf("%s of %v with argument %d %v", name, receiver, slot, in[slot]), func() {
							if m.Type().IsVariadic() {
								m.CallSlice(in)
							} else {
								m.Call(in)
							}
						})
					}
				}
			}
		}
	}
}

// extremeArguments returns lists of arguments of a method: zero values and 0-d arrays, except for the argument at slot,
// which is, or lists, an extreme integer. It returns nothing if the type at slot has no integers.
func extremeArguments(method reflect.Type, slot, extreme int) [][]reflect.Value {
	var values []any
	switch method.In(slot) {
	case reflect.TypeFor[int]():
		values = []any{extreme}
	case reflect.TypeFor[[]int]():
		values = []any{[]int{extreme}, []int{extreme, 2}, []int{2, extreme}, []int{extreme, extreme}, []int{2, extreme, extreme}}
	case reflect.TypeFor[[]nd.Index]():
		values = []any{
			[]nd.Index{nd.At(extreme)}, []nd.Index{nd.From(extreme)}, []nd.Index{nd.Until(extreme)}, []nd.Index{nd.All().By(extreme)},
			[]nd.Index{nd.Span(1, extreme).By(extreme)}, []nd.Index{nd.Span(extreme, 1).By(-1)}, []nd.Index{nd.From(1).By(extreme)},
		}
	}
	var all [][]reflect.Value
	for _, value := range values {
		in := make([]reflect.Value, method.NumIn())
		for k := range in {
			in[k] = reflect.Zero(method.In(k))
			if method.In(k) == reflect.TypeFor[*nd.Array]() {
				in[k] = reflect.ValueOf(nd.Zeros(nil))
			}
		}
		in[slot] = reflect.ValueOf(value)
		all = append(all, in)
	}
	return all
}

// TestExtremeIntegersInCreation calls the functions that make arrays with extreme integers.
func TestExtremeIntegersInCreation(t *testing.T) {
	for _, a := range extremes {
		for _, b := range append([]int{0, 1, 3}, extremes...) {
			for name, f := range map[string]func(){
				"Zeros":     func() { nd.Zeros([]int{a, b}) },
				"Full":      func() { nd.Full([]int{b, a}, 1) },
				"Eye":       func() { nd.Eye(a, b, 0) },
				"Eye k":     func() { nd.Eye(2, 3, a) },
				"Tri":       func() { nd.Tri(b, a, 0) },
				"Tri k":     func() { nd.Tri(2, 3, a) },
				"Identity":  func() { nd.Identity(a) },
				"Linspace":  func() { nd.Linspace(0, 1, a) },
				"Logspace":  func() { nd.Logspace(0, 1, a, 10, nd.SpaceOptions{Endpoint: new(false)}) },
				"SpaceStep": func() { nd.SpaceStep(0, 1, a) },
				"Arange":    func() { nd.Arange(0, float64(a), 1) },
				"Indices":   func() { nd.Indices([]int{a, b}) },
				"FromSlice": func() { nd.FromSlice([]int{1, 2}, a, b) },
			} {
				worksOrRefuses(t, fmt.Sprintf("%s with %d and %d", name, a, b), f)
			}
		}
	}
	for _, stop := range []float64{math.Inf(1), 1e300, math.MaxFloat64} {
		for _, step := range []float64{1, 1e-300, math.Inf(1)} {
			worksOrRefuses(t, fmt.Sprintf("Arange to %v by %v", stop, step), func() { nd.Arange(-stop, stop, step) })
		}
	}
	if y := nd.Catch(func() { nd.Arange(0, math.Inf(1), math.Inf(1)) }); y == nil {
		t.Error("infinitely many numbers are not refused")
	}
	if step := nd.SpaceStep(0, 1, math.MinInt); step == step {
		t.Errorf("an empty range has a distance of %v", step)
	}
	if nd.Catch(func() { nd.Indices([]int{-1}) }) == nil {
		t.Error("indices of a negative length are not refused")
	}
}

// TestArangeIntOfAnyInts compares the number of elements, and the elements, with exact arithmetic.
func TestArangeIntOfAnyInts(t *testing.T) {
	ints := append([]int{0, 1, -5, 1 << 61, -1 << 62}, extremes...)
	for _, start := range ints {
		for _, stop := range ints {
			for _, step := range ints {
				distance := new(big.Int).Sub(big.NewInt(int64(stop)), big.NewInt(int64(start)))
				if step == 0 {
					continue
				}
				count := new(big.Int)
				if distance.Sign() == big.NewInt(int64(step)).Sign() { // round up: both have the same sign
					count.Abs(distance).Sub(count, big.NewInt(1))
					count.Div(count, new(big.Int).Abs(big.NewInt(int64(step)))).Add(count, big.NewInt(1))
				}
				if few, many := big.NewInt(1<<17), big.NewInt(1<<34); count.Cmp(few) > 0 && count.Cmp(many) < 0 && !(start == math.MinInt && stop == math.MaxInt && step == 1<<40) {
					continue // too long for a test
				}
				var y *nd.Array
				err := nd.Catch(func() { y = nd.ArangeInt(start, stop, step) })
				if err != nil {
					if count.IsInt64() && count.Int64() < 1<<34 {
						t.Errorf("ArangeInt(%d, %d, %d), of %d numbers: %v", start, stop, step, count, err)
					}
					continue
				}
				if int64(y.Size()) != count.Int64() {
					t.Errorf("ArangeInt(%d, %d, %d) has %d numbers, want %d", start, stop, step, y.Size(), count)
				} else if n := y.Size(); n > 0 {
					last := new(big.Int).Mul(big.NewInt(int64(n-1)), big.NewInt(int64(step)))
					if got, want := y.Index(nd.At(n-1)), last.Add(last, big.NewInt(int64(start))).Int64(); nd.Value[int64](got) != want {
						t.Errorf("ArangeInt(%d, %d, %d) ends with %v, want %d", start, stop, step, got, want)
					}
				}
				y.Release()
			}
		}
	}
}

// TestTooLargeIsRefused checks sizes for which Go's make would end the program.
func TestTooLargeIsRefused(t *testing.T) {
	for _, n := range []int{-1, math.MinInt, 1 << 50, math.MaxInt} {
		if err := nd.Catch(func() { nd.Func("test").CheckAllocatable(dtype.Float64, n) }); err == nil {
			t.Errorf("an array of %d is not refused", n)
		}
	}
	if err := nd.Catch(func() { nd.Func("test").CheckAllocatable(dtype.Int8, 1<<31, 1<<32, 0) }); err != nil {
		t.Error(err)
	}
}
