package nd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Func is the name of a function.
type Func string

// Error is the panic of every misuse: it names the function that refused, the shapes and dtypes it got, and what it
// wanted. Nothing was written when it is raised. [Catch] turns it into an ordinary error.
type Error struct {
	Func   string // such as "ops.Add"
	Msg    string
	Shapes [][]int
	DTypes []dtype.DType
	Err    error // the device's error, if that is the cause
}

// Error names the function, what it wanted, and the operands that it got.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Func, e.Msg)
	if len(e.Shapes) > 0 {
		b.WriteString(" [operands:")
		for i, s := range e.Shapes {
			fmt.Fprintf(&b, " %s%s", e.DTypes[i], broadcast.FormatShape(s))
		}
		b.WriteByte(']')
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes the error of function fn, called with these operands (nil ones are left out). An error among the
// arguments becomes the cause.
func Errorf(fn string, operands []*Array, format string, args ...any) *Error {
	e := &Error{Func: fn, Msg: fmt.Sprintf(format, args...)}
	for _, x := range operands {
		if x != nil {
			e.Shapes = append(e.Shapes, append([]int{}, x.shape...))
			e.DTypes = append(e.DTypes, x.dtype)
		}
	}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.Err = err
		}
	}
	return e
}

// Catch calls f and returns the *[Error] it panics with, if any. Other panics pass through.
func Catch(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			err = e
		case error:
			var nested *Error
			if !errors.As(e, &nested) {
				panic(e)
			}
			err = nested
		default:
			panic(e)
		}
	}()
	f()
	return nil
}
