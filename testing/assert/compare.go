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

// TB is what the assertions need of a [testing.TB].
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// comparison is of two arrays of one shape, on the CPU.
type comparison struct {
	got, want *nd.Array
	dtypes    [2]dtype.DType
}

// compared brings two arrays to one place and shape; a text says why that cannot be.
func compared(got, want *nd.Array) (comparison, string) {
	if got == nil || want == nil {
		return comparison{}, fmt.Sprintf("got %s, want %s", described(got), described(want))
	}
	c := comparison{onHost(got), onHost(want), [2]dtype.DType{got.DType(), want.DType()}}
	switch a, b := c.got.Shape(), c.want.Shape(); {
	case broadcast.Equal(a, b):
	case len(a) == 0:
		c.got = c.got.BroadcastTo(b...)
	case len(b) == 0:
		c.want = c.want.BroadcastTo(a...)
	default:
		return c, fmt.Sprintf("the shapes differ: got %s, want %s", described(got), described(want))
	}
	return c, ""
}

func onHost(x *nd.Array) *nd.Array { return x.Detach().To(nd.Empty(nil).Device()) }

func described(x *nd.Array) string {
	if x == nil {
		return "no array"
	}
	return fmt.Sprintf("%s%s", x.DType(), broadcast.FormatShape(x.Shape()))
}

// wide is a pair of arrays as float64, or complex128 where one of them is complex.
func (c comparison) wide() (got, want *nd.Array) {
	t := dtype.Promote(dtype.Promote(c.got.DType(), c.want.DType()), dtype.Float64)
	return c.got.AsType(t), c.want.AsType(t)
}

// bothNaN tells where both arrays are not a number.
func (c comparison) bothNaN() *nd.Array {
	return ops.LogicalAnd(ops.IsNaN(c.got), ops.IsNaN(c.want))
}

// verdict reports an error unless all elements are as they should be.
func (c comparison) verdict(t TB, holds *nd.Array, claim string) bool {
	t.Helper()
	places := ops.FlatNonzero(ops.LogicalNot(holds))
	if places.Size() == 0 {
		return true
	}
	at := position(nd.Value[int](places, 0), holds.Shape())
	t.Errorf("%s: %d of %d elements, the first %v%s against %v%s\ngot  %s%s\nwant %s%s", claim, places.Size(), holds.Size(),
		c.got.Item(at...), written(at), c.want.Item(at...), c.distances(),
		c.dtypes[0], c.values(c.got), c.dtypes[1], c.values(c.want))
	return false
}

// distances says how far the arrays are apart at most.
func (c comparison) distances() string {
	got, want := c.wide()
	apart := ops.Absolute(ops.Subtract(got, want))
	apart = ops.Where(ops.Equal(got, want), nd.Scalar(0.0), apart) // infinities of one sign
	relative := ops.Divide(apart, ops.Absolute(want))
	return fmt.Sprintf("; at most %v apart, relative to the wanted %v", ops.NanMax(apart).Item(), ops.NanMax(relative).Item())
}

// longest is how many elements of an array are shown.
const longest = 24

// values writes the shape, and of a small array the elements.
func (c comparison) values(x *nd.Array) string {
	text := broadcast.FormatShape(x.Shape())
	if x.Size() <= longest {
		text += "\n" + x.String()
	}
	return text
}

// position is where the element of a flattened array stands.
func position(flat int, shape []int) []int {
	at := make([]int, len(shape))
	for k, n := range slices.Backward(shape) {
		at[k] = flat % n
		flat /= n
	}
	return at
}

func written(at []int) string {
	if len(at) == 0 {
		return ""
	}
	return " at " + strings.ReplaceAll(fmt.Sprint(at), " ", ", ")
}
