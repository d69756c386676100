package archive

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// take returns the value of a name from the file. A missing value is an error, unless Lenient is set or a Report takes it.
func (a *Archive) take(name string) (entry, bool) {
	full := a.prefix + name
	k, ok := a.index[full]
	if !ok {
		switch {
		case a.report != nil:
			a.report.Missing = append(a.report.Missing, full)
		case !a.lenient:
			a.fail(fmt.Errorf("%q is missing", full))
		}
		return entry{}, false
	}
	a.used[full] = true
	return a.entries[k], true
}

// takeArray is take for an array.
func (a *Archive) takeArray(name string) (*nd.Array, bool) {
	e, ok := a.take(name)
	if ok && e.array == nil {
		a.fail(fmt.Errorf("%q is a text, want an array", e.name))
		return nil, false
	}
	return e.array, ok
}

// Array saves x, or assigns the values of the file to x. They must have x's shape, and x's dtype or a dtype that
// same_kind casting converts to it, such as float64 to float32.
func (a *Archive) Array(name string, x *nd.Array) {
	if !a.loading {
		a.add(entry{name: a.prefix + name, array: x})
		return
	}
	y, ok := a.takeArray(name)
	switch {
	case !ok:
	case !broadcast.Equal(y.Shape(), x.Shape()):
		a.fail(fmt.Errorf("%q has shape %s, want %s", name, broadcast.FormatShape(y.Shape()), broadcast.FormatShape(x.Shape())))
	case !dtype.CanCast(y.DType(), x.DType(), dtype.CastSameKind):
		a.fail(fmt.Errorf("%q has dtype %s, which same_kind casting does not convert to %s", name, y.DType(), x.DType()))
	default:
		a.AfterLoad(func() {
			there := y.AsType(x.DType()).To(x.Device())
			x.Assign(there)
		})
	}
}

// NewArray saves *x unless it is nil. It restores *x as a new array on the CPU, or as nil if the file has no such
// value. With LoadOptions.Lenient or LoadOptions.Report, *x stays as it is then.
func (a *Archive) NewArray(name string, x **nd.Array) {
	if !a.loading {
		if *x != nil {
			a.add(entry{name: a.prefix + name, array: *x})
		}
		return
	}
	k, ok := a.index[a.prefix+name]
	if !ok {
		if !a.lenient && a.report == nil {
			a.AfterLoad(func() { *x = nil })
		}
		return
	}
	shared := a.entries[k].shared
	if y, ok := a.takeArray(name); ok {
		a.AfterLoad(func() {
			if *x = y; shared {
				*x = y.Copy()
			}
		})
	}
}

// Int saves or restores a whole number.
func (a *Archive) Int(name string, p *int) {
	number(a, name, *p, func(x *nd.Array) bool { return x.DType().IsInteger() }, func(v int) { *p = v })
}

// Float saves or restores a number.
func (a *Archive) Float(name string, p *float64) {
	real := func(x *nd.Array) bool { return x.DType().IsFloat() || x.DType().IsInteger() }
	number(a, name, *p, real, func(v float64) { *p = v })
}

// Bool saves or restores a bool.
func (a *Archive) Bool(name string, p *bool) {
	number(a, name, *p, func(x *nd.Array) bool { return x.DType() == dtype.Bool }, func(v bool) { *p = v })
}

// number saves a value as a 0-d array, or restores it from an array with one element that fits.
func number[T dtype.Element | int](a *Archive, name string, v T, fits func(x *nd.Array) bool, set func(T)) {
	if !a.loading {
		a.add(entry{name: a.prefix + name, array: nd.FromSlice([]T{v}).Reshape()})
		return
	}
	x, ok := a.takeArray(name)
	if !ok {
		a.partial = true // what the object asks for may depend on the number
		return
	}
	if x.Size() != 1 || !fits(x) {
		a.Fail(fmt.Errorf("%q is %s%s, want one number that fits %T", name, x.DType(), broadcast.FormatShape(x.Shape()), v))
		return
	}
	read := nd.Value[T](x)
	a.AfterLoad(func() { set(read) })
}

// Ints saves or restores a list of whole numbers.
func (a *Archive) Ints(name string, p *[]int) {
	if !a.loading {
		a.add(entry{name: a.prefix + name, array: nd.FromSlice(slices.Clone(*p), len(*p))})
		return
	}
	x, ok := a.takeArray(name)
	if !ok {
		a.partial = true
		return
	}
	if x.Rank() != 1 || !x.DType().IsInteger() {
		a.Fail(fmt.Errorf("%q is %s%s, want a list of whole numbers", name, x.DType(), broadcast.FormatShape(x.Shape())))
		return
	}
	list := nd.ToSlice[int](x)
	a.AfterLoad(func() { *p = list })
}

// Text saves or restores a text.
func (a *Archive) Text(name string, p *string) {
	if !a.loading {
		a.add(entry{name: a.prefix + name, text: *p})
		return
	}
	e, ok := a.take(name)
	if !ok {
		a.partial = true
		return
	}
	if e.array != nil {
		a.Fail(fmt.Errorf("%q is an array, want a text", name))
		return
	}
	a.AfterLoad(func() { *p = e.text })
}

// Stream is the state of a stream of random numbers: a restored stream continues with the numbers that the saved one
// would have drawn.
func Stream(r *nd.Rand) Object {
	return Func(func(a *Archive) {
		const name = "state"
		if !a.loading {
			raw, err := r.MarshalBinary()
			if err != nil {
				a.Fail(err)
			}
			a.add(entry{name: a.prefix + name, array: nd.FromSlice(raw)})
			return
		}
		x, ok := a.takeArray(name)
		if !ok {
			return
		}
		if x.DType() != dtype.Uint8 || x.Rank() != 1 {
			a.Fail(fmt.Errorf("%q is %s%s, want a list of bytes", name, x.DType(), broadcast.FormatShape(x.Shape())))
			return
		}
		var read nd.Rand
		if err := read.UnmarshalBinary(nd.ToSlice[byte](x)); err != nil {
			a.Fail(fmt.Errorf("%q: %w", name, err))
			return
		}
		a.AfterLoad(func() { *r = read })
	})
}
