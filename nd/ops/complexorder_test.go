package ops_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// inComplexOrder lists numbers made of some parts in NumPy's order: those with NaN last, and among these first the ones
// with a real part, then the ones with an imaginary part, then the ones with neither.
func inComplexOrder(parts ...float64) (all []complex128) {
	nan := math.NaN()
	for _, re := range parts {
		for _, im := range parts {
			all = append(all, complex(re, im))
		}
	}
	for _, re := range parts {
		all = append(all, complex(re, nan))
	}
	for _, im := range parts {
		all = append(all, complex(nan, im))
	}
	return append(all, complex(nan, nan))
}

// TestComplexOrder sorts shuffled complex numbers by every function that orders.
func TestComplexOrder(t *testing.T) {
	inf := math.Inf(1)
	sorted := inComplexOrder(-inf, -2, 0, 1, inf)
	n := len(sorted)
	shuffled, indices := make([]complex128, n), rand.New(rand.NewPCG(1, 2)).Perm(n)
	for i, k := range indices {
		shuffled[k] = sorted[i]
	}
	for _, name := range device.Names() {
		dev, err := device.Get(name)
		if err != nil {
			continue
		}
		on := func(x *nd.Array) *nd.Array { return x.To(dev) }
		for _, dt := range []dtype.DType{dtype.Complex64, dtype.Complex128} {
			x, inOrder, at := on(nd.FromSlice(shuffled).AsType(dt)), on(nd.FromSlice(sorted).AsType(dt)), on(nd.FromSlice(indices))
			same := func(what string, got, wanted *nd.Array) {
				t.Helper()
				if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", wanted); g != w {
					t.Errorf("%s of %s on %s:\ngot  %s\nwant %s", what, dt, name, g, w)
				}
			}
			same("Sort", ops.Sort(x), inOrder)
			same("ArgSort", ops.ArgSort(x), at)
			same("Partition", ops.Partition(x, []int{3}), inOrder)
			same("ArgPartition", ops.ArgPartition(x, []int{3}), at)
			same("LexSort", ops.LexSort([]*nd.Array{x}), at)
			same("Unique", ops.Unique(ops.Tile(x, 2), ops.UniqueOptions{EqualNaN: new(false)}).Index(nd.Until(25)), inOrder.Index(nd.Until(25)))
			same("Unique", ops.Unique(ops.Tile(x, 2)), inOrder.Index(nd.Until(26)))
			u := ops.UniqueAll(x, ops.UniqueOptions{EqualNaN: new(false)})
			same("UniqueAll", u.Values, inOrder)
			same("UniqueAll's indices", u.Indices, at)
			numbers := on(nd.ArangeInt(0, n, 1))
			same("SearchSorted", ops.SearchSorted(inOrder, x), ops.ArgSort(at))
			same("SearchSorted", ops.SearchSorted(inOrder, inOrder), numbers)
			same("SearchSorted on the right", ops.SearchSorted(inOrder, inOrder, ops.SearchOptions{Right: true}), ops.Add(numbers, 1))
			down := ops.Sort(x, ops.SortOptions{Descending: true})
			same("Sort, descending", down.Index(nd.Until(25)), inOrder.Index(nd.Span(0, 25)).Flip(0))
			same("Sort, descending", down.Index(nd.Span(25, 30)), inOrder.Index(nd.Span(25, 30)).Flip(0))
			same("Sort, descending", down.Index(nd.Span(30, 35)), inOrder.Index(nd.Span(30, 35)).Flip(0))
		}
	}
}
