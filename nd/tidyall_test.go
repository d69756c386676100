package nd_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestTidyAllReleasesReplacedStates: TidyAll releases states that it left in the variable itself, and no others.
func TestTidyAllReleasesReplacedStates(t *testing.T) {
	for _, n := range sizes {
		first := nd.Full([]int{n}, 1.0)
		x := first
		double := func() { x = ops.Add(x, x) }
		nd.TidyAll(double, &x)
		second, view, data := x, x.Flip(), nd.Data[float64](x)
		nd.TidyAll(double, &x)
		refused(t, func() { ops.Absolute(second) }, "made by ops.Add", "nd.TidyAll has replaced it", "Copy")
		copied := x.Copy()
		nd.TidyAll(double, &x)
		churn(n)
		intact(t, "the first state", nd.ToSlice[float64](first), 1)
		intact(t, "a view of a state", nd.ToSlice[float64](view), 2)
		intact(t, "a slice of a state", data, 2)
		intact(t, "a copy of a state", nd.ToSlice[float64](copied), 4)
		intact(t, "the state", nd.ToSlice[float64](x), 8)
	}
}

// TestTidyAllLeavesStatesOfOthers: a function that holds its argument in its own variable does not release the caller's
// array.
func TestTidyAllLeavesStatesOfOthers(t *testing.T) {
	x := nd.Full([]int{100}, 1.0)
	power := func(x *nd.Array) *nd.Array {
		for range 3 {
			nd.TidyAll(func() { x = ops.Square(x) }, &x)
		}
		return x
	}
	for range 3 {
		nd.TidyAll(func() { x = ops.Add(x, x) }, &x)
		before := x
		power(x)
		y := power(x)
		nd.TidyAll(func() { y = ops.Add(x, y) }, &y)
		intact(t, "the result", nd.ToSlice[float64](y)[:1], nd.Value[float64](before, 0)+nd.Value[float64](power(x), 0))
	}
	intact(t, "the state", nd.ToSlice[float64](x), 8)
}

// TestTidyAllVariables: all kinds of contents of variables, before and after.
func TestTidyAllVariables(t *testing.T) {
	a, b := nd.Full([]int{100}, 1.0), nd.Full([]int{100}, 2.0)
	one, two := a, b
	read := func(x *nd.Array) float64 { return nd.Value[float64](x, 50) }
	check := func(what string, wantA, wantB float64) {
		t.Helper()
		churn(100)
		if read(a) != wantA || read(b) != wantB || read(one) != 1 || read(two) != 2 {
			t.Errorf("%s: %v and %v, of %v and %v", what, read(a), read(b), read(one), read(two))
		}
	}
	nd.TidyAll(func() {}, &a, &b)
	check("left alone", 1, 2)
	if a != one || b != two {
		t.Error("unchanged variables have other arrays")
	}
	for round := range 3 {
		nd.TidyAll(func() { a, b = b, a }, &a, &b)
		check("exchanged", 2, 1)
		nd.TidyAll(func() { a, b = b, a }, &a, &b, &a)
		check("exchanged again, one given twice", 1, 2)
		nd.TidyAll(func() { a, b = ops.Absolute(a), ops.Absolute(b) }, &a, &b)
		check("replaced", 1, 2)
		best := a
		nd.TidyAll(func() { best, a = a, ops.Add(a, b) }, &best, &a, &b)
		check("moved on", 3, 2)
		nd.TidyAll(func() { a, b = best, ops.Subtract(b, best) }, &a, &b, &best)
		check("the same in two", 1, 1)
		if a != best {
			t.Error("two variables with the same array have different ones")
		}
		nd.TidyAll(func() {
			if a != best {
				t.Error("two variables with the same array have different ones inside")
			}
			b = ops.Add(a, best)
		}, &a, &b, &best)
		check("of the same in two", 1, 2)
		nd.TidyAll(func() { a = one; b = two.Flip() }, &a, &b)
		check("arrays of others, round "+string(rune('0'+round)), 1, 2)
	}
	var result, none *nd.Array
	nd.TidyAll(func() { result = ops.Add(a, b) }, &a, &b, &result, &none)
	if read(result) != 3 || none != nil {
		t.Errorf("results %v and %v", result, none)
	}
	gone := result
	nd.TidyAll(func() { result = nil }, &result)
	if result != nil || !gone.IsReleased() {
		t.Error("the array of a variable that became nil is not released")
	}
	s := nd.Scalar(2.0)
	nd.TidyAll(func() { a = ops.Add(a, s); s = ops.Square(s) }, &a, &s)
	if read(a) != 3 || nd.Value[float64](s) != 4 {
		t.Errorf("with a Scalar: %v and %v", read(a), s)
	}
	refused(t, func() { nd.TidyAll(nil, &a) }, "nd.TidyAll", "no function")
	refused(t, func() { nd.TidyAll(func() {}, &a, nil) }, "nd.TidyAll", "variable 1", "nil")
	gone = ops.Absolute(one)
	gone.Release()
	refused(t, func() { nd.TidyAll(func() {}, &a, &gone) }, "nd.TidyAll", "released", "ops.Absolute")
}
