package assert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TB is the part of [testing.TB] that the assertions need.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// comparison holds two arrays of the same shape, on the CPU, and their original dtypes.
type comparison struct {
	got, want *nd.Array
	dtypes    [2]dtype.DType
}

// align moves two arrays to the CPU and broadcasts a 0-d array to the other's shape. If the arrays cannot be
// compared, it returns the reason as text.
func align(got, want *nd.Array) (comparison, string) {
	if got == nil || want == nil {
		return comparison{}, fmt.Sprintf("got %s, want %s", describe(got), describe(want))
	}
	c := comparison{onHost(got), onHost(want), [2]dtype.DType{got.DType(), want.DType()}}
	switch a, b := c.got.Shape(), c.want.Shape(); {
	case broadcast.Equal(a, b):
	case len(a) == 0:
		c.got = c.got.BroadcastTo(b...)
	case len(b) == 0:
		c.want = c.want.BroadcastTo(a...)
	default:
		return c, fmt.Sprintf("shapes differ: got %s, want %s", describe(got), describe(want))
	}
	return c, ""
}

func onHost(x *nd.Array) *nd.Array { return x.Detach().To(nd.Empty(nil).Device()) }

func describe(x *nd.Array) string {
	if x == nil {
		return "no array"
	}
	return fmt.Sprintf("%s%s", x.DType(), broadcast.FormatShape(x.Shape()))
}

// wide returns both arrays as float64, or as complex128 if one of them is complex.
func (c comparison) wide() (got, want *nd.Array) {
	t := dtype.Promote(dtype.Promote(c.got.DType(), c.want.DType()), dtype.Float64)
	return c.got.AsType(t), c.want.AsType(t)
}

// bothNaN returns a mask of the elements that are NaN in both arrays.
func (c comparison) bothNaN() *nd.Array {
	return ops.LogicalAnd(ops.IsNaN(c.got), ops.IsNaN(c.want))
}

// report reports an error unless holds is true for all elements.
func (c comparison) report(t TB, holds *nd.Array, claim string) bool {
	t.Helper()
	failures := ops.FlatNonzero(ops.LogicalNot(holds))
	if failures.Size() == 0 {
		return true
	}
	at := unflatten(nd.Value[int](failures, 0), holds.Shape())
	t.Errorf("%s: %d of %d elements; the first is %v%s, against %v%s\ngot  %s%s\nwant %s%s", claim, failures.Size(), holds.Size(),
		c.got.Item(at...), formatIndex(at), c.want.Item(at...), c.distances(),
		c.dtypes[0], c.values(c.got), c.dtypes[1], c.values(c.want))
	return false
}

// distances describes the largest absolute and relative differences of the arrays.
func (c comparison) distances() string {
	got, want := c.wide()
	apart := ops.Absolute(ops.Subtract(got, want))
	apart = ops.Where(ops.Equal(got, want), 0.0, apart) // equal infinities
	relative := ops.Divide(apart, ops.Absolute(want))
	return fmt.Sprintf("; maximum difference %v, relative %v", ops.NanMax(apart).Item(), ops.NanMax(relative).Item())
}

// longest is the largest size of an array whose elements are shown.
const longest = 24

// values returns the shape as text, for a small array followed by the elements.
func (c comparison) values(x *nd.Array) string {
	text := broadcast.FormatShape(x.Shape())
	if x.Size() <= longest {
		text += "\n" + x.String()
	}
	return text
}

// unflatten returns the index of an element from its index in the flattened array.
func unflatten(flat int, shape []int) []int {
	at := make([]int, len(shape))
	for k, n := range slices.Backward(shape) {
		at[k] = flat % n
		flat /= n
	}
	return at
}

func formatIndex(at []int) string {
	if len(at) == 0 {
		return ""
	}
	return " at " + strings.ReplaceAll(fmt.Sprint(at), " ", ", ")
}
