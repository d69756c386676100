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

// Equal reports an error unless all elements are equal. NaNs are equal to each other.
// CuPy: testing.assert_array_equal.
func Equal(t TB, got, want *nd.Array) bool {
	t.Helper()
	c, why := align(got, want)
	if why != "" {
		t.Errorf("not equal: %s", why)
		return false
	}
	return c.report(t, ops.LogicalOr(ops.Equal(c.got, c.want), c.bothNaN()), "not equal")
}

// ListEqual reports an error unless both lists have the same length and their arrays are equal by [Equal].
// CuPy: testing.assert_array_list_equal.
func ListEqual(t TB, got, want []*nd.Array) bool {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("got %d arrays, want %d", len(got), len(want))
		return false
	}
	for i := range got {
		if !Equal(prefixed{t, fmt.Sprintf("array %d: ", i)}, got[i], want[i]) {
			return false
		}
	}
	return true
}

// prefixed prefixes error messages with a text.
type prefixed struct {
	TB
	text string
}

func (l prefixed) Errorf(format string, args ...any) {
	l.Helper()
	l.TB.Errorf("%s%s", l.text, fmt.Sprintf(format, args...))
}

// AllClose reports an error unless |got - want| ≤ atol + rtol·|want| for all elements. Equal infinities are close, and
// so are two NaNs. NumPy's default tolerances are 1e-7 (rtol) and 0 (atol).
// CuPy: testing.assert_allclose.
func AllClose(t TB, got, want *nd.Array, rtol, atol float64) bool {
	t.Helper()
	c, why := align(got, want)
	claim := fmt.Sprintf("not within rtol %v and atol %v", rtol, atol)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	a, b := c.wide()
	return c.report(t, ops.IsClose(a, b, ops.IsCloseOptions{RTol: nd.Scalar(rtol), ATol: nd.Scalar(atol), EqualNaN: true}), claim)
}

// AlmostEqual reports an error unless |got - want| < 1.5·10^-decimal for all elements. Equal infinities are close, and
// so are two NaNs. NumPy's default for decimal is 6.
// CuPy: testing.assert_array_almost_equal.
func AlmostEqual(t TB, got, want *nd.Array, decimal int) bool {
	t.Helper()
	c, why := align(got, want)
	claim := fmt.Sprintf("not equal to %d decimals", decimal)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	a, b := c.wide()
	limit := 1.5 * math.Pow(10, float64(-decimal))
	near := ops.Less(ops.Absolute(ops.Subtract(a, b)), limit)
	return c.report(t, ops.LogicalOr(ops.LogicalOr(ops.Equal(a, b), near), c.bothNaN()), claim)
}

// Less reports an error unless got < want for all elements. Elements that are NaN in both arrays are ignored.
// CuPy: testing.assert_array_less.
func Less(t TB, got, want *nd.Array) bool {
	t.Helper()
	c, why := align(got, want)
	if why != "" {
		t.Errorf("not less: %s", why)
		return false
	}
	return c.report(t, ops.LogicalOr(ops.Less(c.got, c.want), c.bothNaN()), "not less")
}

// Spacings reports an error unless |got - want| ≤ n·s for all elements. The spacing s is the distance from the larger
// of
// |got| and |want| to the next number of the dtype that both promote to. NaN is never near anything, not even NaN.
// CuPy: testing.assert_array_almost_equal_nulp.
func Spacings(t TB, got, want *nd.Array, n float64) bool {
	t.Helper()
	c, why := align(got, want)
	claim := fmt.Sprintf("not within %v spacings", n)
	if why != "" {
		t.Errorf("%s: %s", claim, why)
		return false
	}
	p := floatType(c)
	a, b := c.got.AsType(p), c.want.AsType(p)
	larger := ops.Maximum(ops.Absolute(a), ops.Absolute(b))
	limit := ops.Multiply(ops.Spacing(larger), n)
	return c.report(t, ops.LessEqual(ops.Absolute(ops.Subtract(a, b)), limit), claim)
}

// ULP reports an error unless, for all elements, at most n-1 numbers lie between got and want. The numbers are those of
// the float dtype that both promote to. NaNs are equal to each other, and so are zeros of either sign. Complex dtypes
// are an error.
// CuPy: testing.assert_array_max_ulp.
func ULP(t TB, got, want *nd.Array, n uint64) bool {
	t.Helper()
	c, why := align(got, want)
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
	return c.report(t, ops.LogicalOr(ops.LogicalAnd(near, numbers), c.bothNaN()), claim)
}

// floatType returns the dtype that both arrays promote to, or float64 if that is no float or complex dtype.
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

// ranks maps the floats to integers in the same order, so that neighbouring floats differ by 1.
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

// Raises calls f and reports an error unless f panics with an [nd.Error] whose message contains text. It returns that
// error. Raises does not recover other panics.
func Raises(t TB, text string, f func()) *nd.Error {
	t.Helper()
	var refused *nd.Error
	switch err := nd.Catch(f); {
	case !errors.As(err, &refused):
		t.Errorf("f did not panic: want an error that contains %q", text)
	case !strings.Contains(refused.Error(), text):
		t.Errorf("f panicked with %q: want an error that contains %q", refused, text)
	}
	return refused
}
