package catalogue

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// Refusal is the error of a call that was refused. Any other error of a call is a failure: a fault of the library or of a row.
type Refusal struct {
	Kind RefusalKind
	Err  error
	// Called is the library's function that the row called, and that refused by a panic, such as "ops.Sum" or "Array.Index";
	// empty where the row refused.
	Called string
}

// RefusalKind says who refused a call, and why.
type RefusalKind int

// The kinds of refusals. Python raises a TypeError for Misuse and Unfit, and a ValueError for most that are Refused.
const (
	Unknown RefusalKind = iota + 1 // no row has the name
	Misuse                         // the arguments do not go with the signature: one is unknown, missing, or given twice
	Unfit                          // the Go parameter cannot hold an argument: the compiler would refuse it
	Refused                        // the function refused, with an *nd.Error or by returning an error
)

func (r *Refusal) Error() string {
	if r.Kind == Refused {
		return "refused: " + r.Err.Error()
	}
	return r.Err.Error()
}

// Unwrap returns what the call was refused with, such as an *nd.Error.
func (r *Refusal) Unwrap() error { return r.Err }

// Late tells whether an asynchronous device refused, after its launch: what the call wrote is of no account then.
func (r *Refusal) Late() bool {
	var index *device.IndexError
	return errors.As(r.Err, &index) && index.Func != ""
}

// Try calls f, and waits for all devices. An *nd.Error that it panics with, or an index out of range that a device reports then, is a
// [*Refusal], any other panic or fault of a device an error, with the place it came from.
func Try[T any](f func() T) (v T, err error) {
	v, err = try(f)
	for _, d := range device.Opened() { // all of them, so that none keeps what it has to report for another call
		fault := d.Synchronize()
		if fault == nil || err != nil {
			continue
		}
		var index *device.IndexError
		if err = fault; errors.As(fault, &index) {
			refused := &nd.Error{Func: nd.Func(index.Func), Msg: index.Error(), Err: index}
			err = &Refusal{Kind: Refused, Err: refused, Called: index.Func}
		}
	}
	return v, err
}

func try[T any](f func() T) (v T, err error) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		if asError, ok := e.(error); ok {
			var refused *nd.Error
			if errors.As(asError, &refused) {
				err = &Refusal{Refused, refused, functionCalled()}
				return
			}
		}
		err = fmt.Errorf("panic: %v (%s)", e, origin(string(debug.Stack())))
	}()
	return f(), nil
}

// origin finds the line of the library that a panic came from.
func origin(stack string) string {
	_, stack, _ = strings.Cut(stack, "panic(")
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, ".go:") || strings.Contains(line, "/src/runtime/") || strings.Contains(line, "/src/reflect/") {
			continue
		}
		line, _, _ = strings.Cut(line, " ")
		parts := strings.Split(line, "/")
		return strings.Join(parts[max(0, len(parts)-3):], "/")
	}
	return "unknown place"
}

// functionCalled returns the library's function that its caller called, of a function that panics: the outermost on the stack.
func functionCalled() string {
	var pcs [256]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	outermost := ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		symbol, inModule := strings.CutPrefix(f.Function, "github.com/ndgrad/ndgrad/")
		if room, _, _ := strings.Cut(symbol, "/"); inModule && room != "testing" {
			outermost = symbol
		} else if outermost != "" && !strings.HasPrefix(f.Function, "runtime.") {
			break
		}
	}
	_, symbol, _ := strings.Cut(outermost[strings.LastIndexByte(outermost, '/')+1:], "(*") // nd.(*Array).Index
	if symbol != "" {
		return strings.Replace(symbol, ")", "", 1)
	}
	name, _, _ := strings.Cut(outermost[strings.LastIndexByte(outermost, '/')+1:], "[") // nd.FromSlice[...]
	if _, method, _ := strings.Cut(name, "."); strings.Contains(method, ".") && 'A' <= method[0] && method[0] <= 'Z' {
		return method // link.Linear.Apply
	}
	return name
}
