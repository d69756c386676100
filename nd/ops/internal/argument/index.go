package argument

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Bounds says which integers an argument may hold, for [Explain].
type Bounds struct {
	Name      string    // the argument
	Values    *nd.Array // its integers; nil if the argument was not given
	Low, High int       // the smallest and the largest one
	Ignored   []int     // integers that are allowed besides
	Want      string    // what the integers are, such as "one of 3 classes"
}

// Explain is for defer. If an inner function or a kernel panics with an error about an index out of range, the function
// panics instead with an error about the argument that the index comes from: the first of those that bounds returns that is
// out of its bounds.
//
//	defer argument.Explain(fn, operands, bounds)
func Explain(fn nd.Func, operands []*nd.Array, bounds func() []Bounds) {
	if refusal := recover(); refusal != nil {
		panic(explained(refusal, fn, operands, bounds))
	}
}

// explained returns the panic value of Explain instead of a refusal.
func explained(refusal any, fn nd.Func, operands []*nd.Array, bounds func() []Bounds) any {
	e, ok := refusal.(*nd.Error)
	var index *device.IndexError
	if !ok || !errors.As(e, &index) || index.Func != "" { // a device that reports late no longer has the arguments
		return refusal
	}
	for _, a := range bounds() {
		if a.Values == nil {
			continue
		}
		if text := a.explain(); text != "" {
			e := fn.Errorf(operands, "%s", text)
			e.Err = index
			return e
		}
	}
	return refusal
}

// explain names the first integer that is out of bounds. It is empty if there is none.
func (a *Bounds) explain() string {
	for i, v := range nd.ToSlice[int64](a.Values.Detach().AsType(dtype.Int64)) {
		if v >= int64(a.Low) && v <= int64(a.High) || slices.Contains(a.Ignored, int(v)) {
			continue
		}
		at := ""
		for axis := a.Values.Rank() - 1; axis >= 0; axis-- {
			n := a.Values.Dim(axis)
			if at = fmt.Sprint(i%n) + at; axis > 0 {
				at = ", " + at
			}
			i /= n
		}
		if at != "" {
			at = "[" + at + "]"
		}
		return fmt.Sprintf("%s%s is %d: want %s", a.Name, at, v, a.Want)
	}
	return ""
}
