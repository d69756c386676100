package argument

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Bounds says which integers an argument may hold, for [Explained].
type Bounds struct {
	Name      string    // the argument
	Values    *nd.Array // its integers; nil if the argument was not given
	Low, High int       // the smallest and the largest one
	Ignored   []int     // integers that are allowed besides
	Want      string    // what the integers are, such as "one of 3 classes"
}

// Explained returns the panic value of a function instead of a refusal, which it has recovered. If that is the error of an
// inner function or a kernel about an index out of range, the result speaks of the argument that the index comes from: the
// first of those that bounds returns that is out of its bounds.
//
//	defer func() {
//		if refusal := recover(); refusal != nil {
//			panic(argument.Explained(refusal, fn, operands, bounds))
//		}
//	}()
func Explained(refusal any, fn nd.Func, operands []*nd.Array, bounds func() []Bounds) any {
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
