package assert_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// printer implements assert.TB.
type printer struct{}

func (printer) Helper()                           {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleAllClose() {
	var t printer
	got := nd.FromSlice([]float64{1, 2.5, 3})
	assert.AllClose(t, got, nd.FromSlice([]int{1, 2, 3}), 1e-6, 0)
	// Output:
	// not within rtol 1e-06 and atol 0: 1 of 3 elements; the first is 2.5 at [1], against 2; maximum difference 0.5, relative 0.25
	// got  float64(3,)
	// [1.  2.5 3. ]
	// want int64(3,)
	// [1 2 3]
}
