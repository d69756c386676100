package assert

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Equal reports an error unless all elements are equal; not-a-numbers are. cupy.testing.assert_array_equal.
func Equal(t TB, got, want *nd.Array) bool {
	t.Helper()
	c, why := compared(got, want)
	if why != "" {
		t.Errorf("not equal: %s", why)
		return false
	}
	return c.verdict(t, ops.LogicalOr(ops.Equal(c.got, c.want), c.bothNaN()), "not equal")
}

// ListEqual reports an error unless two lists have one length and their arrays are equal, as Equal says.
// cupy.testing.assert_array_list_equal.
func ListEqual(t TB, got, want []*nd.Array) bool {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d arrays, want %d", len(got), len(want))
		return false
	}
	for i := range got {
		if !Equal(labelled{t, fmt.Sprintf("array %d: ", i)}, got[i], want[i]) {
			return false
		}
	}
	return true
}

// labelled puts a text before the messages.
type labelled struct {
	TB
	text string
}

func (l labelled) Errorf(format string, args ...any) {
	l.Helper()
	l.TB.Errorf("%s%s", l.text, fmt.Sprintf(format, args...))
}

// AllClose reports an error unless |got - want| ≤ atol + rtol·|want| for all elements; infinities are close to themselves,
// and not-a-numbers to each other. NumPy's tolerances are 1e-7 and 0. cupy.testing.assert_allclose.
func AllClose(t TB, got, want *nd.Array, rtol, atol float64) bool {
	t.Helper()
	c, why := compared(got, want)
	claim := fmt.Sprintf("not within rtol %v and atol %v", rtol, atol)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	a, b := c.wide()
	return c.verdict(t, ops.IsClose(a, b, ops.IsCloseOptions{RTol: nd.Scalar(rtol), ATol: nd.Scalar(atol), EqualNaN: true}), claim)
}

// AlmostEqual reports an error unless |got - want| < 1.5·10^-decimal for all elements; infinities are close to themselves,
// and not-a-numbers to each other. NumPy's decimal is 6. cupy.testing.assert_array_almost_equal.
func AlmostEqual(t TB, got, want *nd.Array, decimal int) bool {
	t.Helper()
	c, why := compared(got, want)
	claim := fmt.Sprintf("not equal to %d decimals", decimal)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	a, b := c.wide()
	limit := 1.5 * math.Pow(10, float64(-decimal))
	near := ops.Less(ops.Absolute(ops.Subtract(a, b)), nd.Scalar(limit))
	return c.verdict(t, ops.LogicalOr(ops.LogicalOr(ops.Equal(a, b), near), c.bothNaN()), claim)
}

// Less reports an error unless got < want for all elements; not-a-numbers in the same place do not count.
// cupy.testing.assert_array_less.
func Less(t TB, got, want *nd.Array) bool {
	t.Helper()
	c, why := compared(got, want)
	if why != "" {
		t.Errorf("not less: %s", why)
		return false
	}
	return c.verdict(t, ops.LogicalOr(ops.Less(c.got, c.want), c.bothNaN()), "not less")
}

// Spacings reports an error unless |got - want| ≤ n·s for all elements, s being the distance from the larger of |got| and
// |want| to the next number of the dtype that both promote to; a not-a-number is near nothing.
// cupy.testing.assert_array_almost_equal_nulp.
func Spacings(t TB, got, want *nd.Array, n float64) bool {
	t.Helper()
	c, why := compared(got, want)
	claim := fmt.Sprintf("not within %v spacings", n)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	p := floatType(c)
	a, b := c.got.AsType(p), c.want.AsType(p)
	larger := ops.Maximum(ops.Absolute(a), ops.Absolute(b))
	limit := ops.Multiply(ops.Spacing(larger), nd.Scalar(n))
	return c.verdict(t, ops.LessEqual(ops.Absolute(ops.Subtract(a, b)), limit), claim)
}

// ULP reports an error unless at most n-1 numbers of the float dtype that both promote to lie between got and want, for all
// elements; not-a-numbers are equal, and zeros of either sign. It is for real numbers.
// cupy.testing.assert_array_max_ulp.
func ULP(t TB, got, want *nd.Array, n uint64) bool {
	t.Helper()
	c, why := compared(got, want)
	claim := fmt.Sprintf("not within %d ulp", n)
	if p := floatType(c); why == "" && p.IsComplex() {
		why = fmt.Sprintf("got %s, want %s: complex numbers have no neighbours", c.dtypes[0], c.dtypes[1])
	}
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	p := floatType(c)
	a, b := ranks(c.got.AsType(p)), ranks(c.want.AsType(p))
	holds := make([]bool, len(a))
	for i := range a {
		lo, hi := min(a[i], b[i]), max(a[i], b[i])
		holds[i] = uint64(hi)-uint64(lo) <= n
	}
	near := nd.FromSlice(holds, c.got.Shape()...)
	numbers := ops.LogicalNot(ops.LogicalOr(ops.IsNaN(c.got), ops.IsNaN(c.want)))
	return c.verdict(t, ops.LogicalOr(ops.LogicalAnd(near, numbers), c.bothNaN()), claim)
}

// floatType is the dtype that both arrays promote to, or float64 where that is not a float's.
func floatType(c comparison) dtype.DType {
	if c.got == nil {
		return dtype.Float64
	}
	t := dtype.Promote(c.got.DType(), c.want.DType())
	if !t.IsInexact() {
		return dtype.Float64
	}
	return t
}

// ranks numbers the floats in their order, so that neighbours differ by 1.
func ranks(x *nd.Array) []int64 {
	whole := map[int]dtype.DType{2: dtype.Int16, 4: dtype.Int32, 8: dtype.Int64}[x.DType().Size()]
	list := nd.ToSlice[int64](x.Contiguous().View(whole).AsType(dtype.Int64))
	least := int64(-1) << (8*x.DType().Size() - 1)
	for i, v := range list {
		if v < 0 {
			list[i] = least - v
		}
	}
	return list
}

// Raises calls f and reports an error unless it panics with an [nd.Error] whose message has the given text in it; it
// returns that error. Other panics pass.
func Raises(t TB, text string, f func()) *nd.Error {
	t.Helper()
	var refused *nd.Error
	switch err := nd.Catch(f); {
	case !errors.As(err, &refused):
		t.Errorf("it was not refused, want an error with %q", text)
	case !strings.Contains(refused.Error(), text):
		t.Errorf("refused with %q, want an error with %q", refused, text)
	}
	return refused
}
