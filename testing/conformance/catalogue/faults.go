package catalogue

import "fmt"

// Panic is the error of a call that panicked with anything but an *nd.Error.
type Panic struct {
	Value any    // of the panic
	Line  string // of the library that it came from: "ops/sum.go:12"
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v (%s)", p.Value, p.Line) }

// Unwrap returns the value of the panic if that is an error, such as a runtime.Error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Leak is the error of a call that changed an argument which is not in the row's Writes.
type Leak struct{ Argument string }

func (l *Leak) Error() string {
	return fmt.Sprintf("the function changed its argument %s, which is not in the row's Writes", l.Argument)
}

// EarlyWrite is the error of a call that changed an argument before it was refused. It does not unwrap to the refusal:
// the call was not refused as it should.
type EarlyWrite struct {
	Argument string
	Refusal  *Refusal
}

func (w *EarlyWrite) Error() string {
	return fmt.Sprintf("the function wrote to its argument %s before it refused the call: %v", w.Argument, w.Refusal)
}
