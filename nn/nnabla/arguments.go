package nnabla

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// arguments are the fields of a function's message, such as convolution_param. A field that is missing is 0, false or
// empty: NNabla does not write these values.
type arguments struct {
	fields wire.Message
	used   map[string]bool
	batch  bool // a shape begins with the batch size
	err    error
}

// argumentsOf returns the arguments of a function of a network. name is the documented name of the function.
func argumentsOf(f *function, name string) (*arguments, error) {
	a := &arguments{used: map[string]bool{"inplace": true, "seed": true}}
	for _, field := range f.Rest {
		m, isMessage := field.Value.(wire.Message)
		switch {
		case field.Name == "context":
		case field.Name == name+"_param" && isMessage:
			a.fields = append(a.fields, m...)
		default:
			a.fail("the field %q is unknown", field.Name)
		}
	}
	return a, a.err
}

func (a *arguments) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, values...)
	}
}

// unread reports a field that the function does not have.
func (a *arguments) unread() error {
	for _, f := range a.fields {
		if !a.used[f.Name] {
			a.fail("the argument %q is unknown", f.Name)
		}
	}
	return a.err
}

// ignore allows a field that has no meaning here.
func (a *arguments) ignore(names ...string) {
	for _, name := range names {
		a.used[name] = true
	}
}

// words returns the values of a field.
func (a *arguments) words(name string) (all []wire.Word) {
	a.used[name] = true
	for _, f := range a.fields {
		if f.Name != name {
			continue
		}
		if w, ok := f.Value.(wire.Word); ok {
			all = append(all, w)
		} else {
			a.fail("the argument %q is not a number", name)
		}
	}
	return all
}

// word returns the value of a field, or def if it is missing. As everywhere in the format, the last one counts.
func (a *arguments) word(name, def string) wire.Word {
	all := a.words(name)
	if len(all) == 0 {
		return wire.Word(def)
	}
	return all[len(all)-1]
}

func (a *arguments) bool(name string) bool {
	v, err := a.word(name, "false").Bool()
	a.check(name, err)
	return v
}

func (a *arguments) float(name string) float64 {
	v, err := a.word(name, "0").Float()
	a.check(name, err)
	return v
}

func (a *arguments) int(name string) int { return a.whole(name, a.word(name, "0")) }

func (a *arguments) whole(name string, w wire.Word) int {
	v, err := w.Int()
	if err == nil && (v > math.MaxInt32 || v < math.MinInt32) {
		err = fmt.Errorf("%d is out of range", v)
	}
	a.check(name, err)
	return int(v)
}

func (a *arguments) check(name string, err error) {
	if err != nil {
		a.fail("the argument %q: %w", name, err)
	}
}

// ints returns the integers of a repeated field, or of a shape: a message with a field dim. Nil means none.
func (a *arguments) ints(name string) (all []int) {
	a.used[name] = true
	for _, f := range a.fields {
		if f.Name != name {
			continue
		}
		dims := wire.Message{f}
		if m, ok := f.Value.(wire.Message); ok {
			dims, all = m, nil
		}
		for _, d := range dims {
			w, ok := d.Value.(wire.Word)
			if !ok || d.Name != name && d.Name != "dim" {
				a.fail("the argument %q is not a list of integers", name)
				return nil
			}
			all = append(all, a.whole(name, w))
		}
	}
	return all
}

// shape returns a shape. If its first length is negative, it is the batch size of the call.
func (a *arguments) shape(name string) []int {
	shape := a.ints(name)
	if len(shape) > 0 && shape[0] < 0 {
		a.batch = true
	}
	return shape
}

// axis and axes return options. Without axes a function works along none.
func (a *arguments) axis(name string) ops.Axes { return ops.Over(a.int(name)) }

func (a *arguments) axes(name string) ops.Axes { return append(ops.Axes{}, a.ints(name)...) }

func (a *arguments) floats(name string) (all []float64) {
	for _, w := range a.words(name) {
		v, err := w.Float()
		a.check(name, err)
		all = append(all, v)
	}
	return all
}

// text returns one of the given words.
func (a *arguments) text(name string, allowed ...string) string {
	a.used[name] = true
	text := ""
	for _, f := range a.fields {
		if f.Name == name {
			text, _ = f.Value.(string)
		}
	}
	for _, w := range allowed {
		if text == w {
			return text
		}
	}
	a.fail("the argument %q is %q: want one of %s", name, text, strings.Join(allowed, ", "))
	return allowed[0]
}
