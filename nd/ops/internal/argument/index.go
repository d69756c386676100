package argument

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
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

// Explain replaces the error of an inner function or a kernel about an index out of range. The new error speaks of the
// argument that the index comes from: the first of those that bounds returns that is out of its bounds. Defer it.
func Explain(fn nd.Func, operands []*nd.Array, bounds func() []Bounds) {
	refusal := recover()
	if refusal == nil {
		return
	}
	e, ok := refusal.(*nd.Error)
	var index *device.IndexError
	if !ok || !errors.As(e, &index) || index.Func != "" { // a device that reports late no longer has the arguments
		panic(refusal)
	}
	for _, a := range bounds() {
		if a.Values == nil {
			continue
		}
		if text := a.explain(); text != "" {
			e := fn.Errorf(operands, "%s", text)
			e.Err = index
			panic(e)
		}
	}
	panic(refusal)
}

// explain names the first integer that is out of bounds. It is empty if there is none.
func (a *Bounds) explain() string {
	for i, v := range nd.ToSlice[int64](a.Values.Detach().AsType(dtype.Int64)) {
		if v >= int64(a.Low) && v <= int64(a.High) || slices.Contains(a.Ignored, int(v)) {
			continue
		}
		at := ""
		if shape := a.Values.Shape(); len(shape) > 0 {
			at = strings.ReplaceAll(fmt.Sprint(broadcast.Unravel(i, shape, nil)), " ", ", ")
		}
		return fmt.Sprintf("%s%s is %d: want %s", a.Name, at, v, a.Want)
	}
	return ""
}
