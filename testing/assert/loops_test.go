package assert_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestLoopsOverDTypes(t *testing.T) {
	for want, loop := range map[string][]dtype.DType{
		"[float32 float64]":                                        slices.Collect(assert.FloatDTypes(assert.FloatDTypesOptions{NoFloat16: true})),
		"[int8 int16 int32 int64]":                                 slices.Collect(assert.SignedDTypes()),
		"[uint8 uint16 uint32 uint64]":                             slices.Collect(assert.UnsignedDTypes()),
		"[complex64 complex128]":                                   slices.Collect(assert.ComplexDTypes()),
		"[int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool]": slices.Collect(assert.IntDTypes()),
	} {
		if got := fmt.Sprint(loop); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	all := slices.Collect(assert.AllDTypes())
	if len(all) != int(dtype.Count)-1 {
		t.Errorf("%d of %d dtypes: %v", len(all), dtype.Count-1, all)
	}
	for dt := range assert.AllDTypes(assert.AllDTypesOptions{NoFloat16: true, NoBool: true, NoComplex: true}) {
		if dt.Size() == 2 && dt.IsFloat() || dt.IsBool() || dt.IsComplex() {
			t.Errorf("%s is not left out", dt)
		}
	}
}

func TestCombinations(t *testing.T) {
	full := slices.Collect(assert.Combinations(assert.ComplexDTypes(), 3, assert.CombinationsOptions{Full: true}))
	if len(full) != 8 || fmt.Sprint(full[1]) != "[complex64 complex64 complex128]" {
		t.Errorf("%v", full)
	}
	some := slices.Collect(assert.Combinations(assert.SignedDTypes(), 2))
	for position := range 2 {
		seen := map[dtype.DType]bool{}
		for _, list := range some {
			seen[list[position]] = true
		}
		if len(some) != 4 || len(seen) != 4 {
			t.Errorf("position %d has the dtypes %v", position, seen)
		}
	}
	again := slices.Collect(assert.Combinations(assert.SignedDTypes(), 2))
	if fmt.Sprint(some) != fmt.Sprint(again) {
		t.Error("the same seed gives different combinations")
	}
	for range assert.Combinations(slices.Values([]dtype.DType(nil)), 2, assert.CombinationsOptions{Full: true}) {
		t.Error("a combination of no dtypes")
	}
	for list := range assert.Combinations(assert.SignedDTypes(), 1, assert.CombinationsOptions{Full: true}) {
		if list[0] == dtype.Int16 {
			break
		}
	}
}

func TestOrders(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3).T()
	for order := range assert.Orders() {
		y := assert.InOrder(x, order)
		if !assert.Equal(t, y, x) || y.IsContiguous() != (order == assert.OrderC) || y.IsFortran() != (order == assert.OrderF) || y.SharesMemory(x) {
			t.Errorf("%s: strides %v", order, y.Strides())
		}
	}
	if got := slices.Collect(assert.Orders(assert.OrderKeep)); len(got) != 1 || !assert.InOrder(x, got[0]).IsFortran() {
		t.Errorf("%v", got)
	}
	assert.Raises(t, "want C, F or K", func() { assert.InOrder(x, "Z") })
}
