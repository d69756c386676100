package nd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Error is the panic value of every misuse. It names the function that was called, the shapes and dtypes of its
// operands, and what was expected. Nothing was written when it is raised. The exception is an index out of range on an
// asynchronous device: the error comes when values are read, and names the function that received the index. [Catch]
// turns the panic into an ordinary error.
type Error struct {
	Func   Func // the function that was called, such as "ops.Add"
	Within Func // the inner function that refused the operands, if Func calls another one; else empty
	Msg    string
	Shapes [][]int
	DTypes []dtype.DType
	Err    error // the device's error, if that is the cause
}

// Error names the function, what was expected, and the operands.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Func, e.Msg)
	if len(e.Shapes) > 0 {
		b.WriteString(" [operands")
		if e.Within != "" {
			fmt.Fprintf(&b, " of %s", e.Within)
		}
		b.WriteByte(':')
		for i, s := range e.Shapes {
			fmt.Fprintf(&b, " %s%s", e.DTypes[i], broadcast.FormatShape(s))
		}
		b.WriteByte(']')
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// named adds the name of a function to an error, if there is one.
func named(fn Func, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// Catch calls f and returns the *[Error] that it panics with, if any. Other panics pass through.
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
