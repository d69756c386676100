package sweeps

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// isOptions matches the names of options types.
var isOptions = regexp.MustCompile(`(Options?|^Axes)$`)

// refusesOptions knows the refusals of several structs of options, and of interfaces without one.
var refusesOptions = regexp.MustCompile(`structs of options|stands alone|is given twice|an option of type <nil>`)

// TestSweepOptionsTwice passes the options twice. Every function must refuse this before it does anything else.
func TestSweepOptionsTwice(t *testing.T) {
	sweep(t, func(s *subject) error {
		f := reflect.TypeOf(s.fn.Row.Func)
		if !f.IsVariadic() || !isOptions.MatchString(f.In(f.NumIn()-1).Elem().Name()) {
			return nil
		}
		twice, err := catalogue.Bind(withOptionsTwice(s.fn.Row))
		if err != nil {
			return err
		}
		o := (&subject{fn: twice, f: s.f, c: s.c}).call(setting{})
		if o.err == nil {
			return fmt.Errorf("two sets of options were not refused")
		}
		if !o.refused() || !refusesOptions.MatchString(o.err.Error()) {
			return fmt.Errorf("two sets of options: %w", o.err)
		}
		return nil
	})
}

// withOptionsTwice returns a row that calls the function of row with its options twice.
func withOptionsTwice(row *catalogue.Row) *catalogue.Row {
	f, changed := reflect.ValueOf(row.Func), *row
	changed.Func = reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		opts := in[len(in)-1]
		if opts.Len() == 0 {
			opts = reflect.MakeSlice(opts.Type(), 1, 1)
		}
		in[len(in)-1] = reflect.AppendSlice(opts, opts)
		return f.CallSlice(in)
	}).Interface()
	return &changed
}
