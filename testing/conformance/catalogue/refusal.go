package catalogue

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// Refusal is the error of a refused call. Any other error of a call is a fault of the library or of a row: see [Call].
type Refusal struct {
	Kind RefusalKind
	Err  error
	// Called is the library function that the row called and that panicked, such as "ops.Sum" or "Array.Index". It is
	// empty if the row itself refused.
	Called string
}

// RefusalKind tells who refused a call, and why.
type RefusalKind int

// The kinds of refusals. Python raises a TypeError for Misuse and Unfit, and usually a ValueError for Refused.
const (
	Unknown RefusalKind = iota + 1 // no row has the name
	Misuse                         // the arguments do not match the signature: one is unknown, missing, or given twice
	Unfit                          // the Go parameter cannot hold an argument: a compiler would refuse it
	Refused                        // the function refused, with an *nd.Error or by returning an error
)

func (r *Refusal) Error() string {
	if r.Kind == Refused {
		return "refused: " + r.Err.Error()
	}
	return r.Err.Error()
}

// Unwrap returns the underlying error, such as an *nd.Error.
func (r *Refusal) Unwrap() error { return r.Err }

// Late reports whether an asynchronous device refused after the launch; the writes of the call then do not count.
func (r *Refusal) Late() bool {
	var index *device.IndexError
	return errors.As(r.Err, &index) && index.Func != ""
}

// Try calls f and waits for all devices. If f panics with an *nd.Error, or if a device then reports an index that is
// out of range, Try returns a [*Refusal]. For any other panic it returns a [*Panic], and for a device fault the device's
// error.
func Try[T any](f func() T) (v T, err error) {
	v, err = try(f)
	for _, d := range device.Opened() { // all devices, so that no error is left for a later call
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
		err = &Panic{Value: e, Line: origin(string(debug.Stack()))}
	}()
	return f(), nil
}

// origin returns the line of the library that a panic came from.
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
	return "unknown line"
}

// functionCalled returns the outermost library function on the stack of a panic, which the caller called.
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
	return NameInErrors(outermost)
}

// NameInErrors returns the name that errors have for a function of the library, such as "ops.Sum", "Array.Index" or
// "Linear.Apply", for its symbol.
func NameInErrors(symbol string) string {
	symbol = symbol[strings.LastIndexByte(symbol, '/')+1:]
	if _, method, ok := strings.Cut(symbol, "(*"); ok { // nd.(*Array).Index
		return strings.Replace(method, ")", "", 1)
	}
	name, _, _ := strings.Cut(symbol, "[") // nd.FromSlice[...]
	if _, method, _ := strings.Cut(name, "."); strings.Contains(method, ".") && 'A' <= method[0] && method[0] <= 'Z' {
		return method // link.Linear.Apply
	}
	return name
}
