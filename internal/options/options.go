// Package options reads the options of functions, the last arguments of many. A function has one struct of options, and some of its
// fields may also be given by themselves: ops.Sum(x, ops.Over(1), ops.Into(y)). Each such setting has a type of its own, such as
// ops.Axes, and a function that sets its field.
package options

import (
	"fmt"
	"reflect"
)

// Function is the name of the function that is called, an nd.Func. It is a type parameter, since nd reads options here too.
type Function interface{ RefuseOptions(why string) }

// Read returns the struct of options that a function was called with, or the zero value, which stands for the defaults.
func Read[F Function, T any](fn F, opts []T) (o T) {
	if len(opts) > 1 {
		fn.RefuseOptions(fmt.Sprintf("%d structs of options: want at most one", len(opts)))
	}
	if len(opts) > 0 {
		o = opts[0]
	}
	return o
}

// Of reads options of type O, or one setting by itself, of type A.
func Of[F Function, I, O, A any](fn F, opts []I, a func(A, O) O) O {
	return read(fn, opts, a, nothing[O], nothing[O])
}

// OfTwo is Of for two settings, which a call may combine.
func OfTwo[F Function, I, O, A, B any](fn F, opts []I, a func(A, O) O, b func(B, O) O) O {
	return read(fn, opts, a, nothing[O], b)
}

// OfKept is Of for axes, which the result may keep.
func OfKept[F Function, I, O any, A, K ~[]int](fn F, opts []I, a func(A, O) O, kept func(K, O) O) O {
	return read(fn, opts, a, kept, nothing[O])
}

// OfReduction is OfKept for a function whose calls may also combine the axes with an output.
func OfReduction[F Function, I, O, B any, A, K ~[]int](fn F, opts []I, a func(A, O) O, kept func(K, O) O, b func(B, O) O) O {
	return read(fn, opts, a, kept, b)
}

// none is a setting that no call has.
type none struct{}

func nothing[O any](_ none, o O) O { return o }

// read reads one struct of options, or settings: a or kept, which exclude each other, and b. It looks at what the interfaces hold
// instead of calling their methods, so that nothing is allocated for them.
func read[F Function, I, O, A, K, B any](fn F, opts []I, a func(A, O) O, kept func(K, O) O, b func(B, O) O) (o O) {
	if len(opts) == 1 {
		switch given := any(opts[0]).(type) {
		case O:
			return given
		case *O:
			return *given
		}
	}
	var axes, output, twice bool
	for _, opt := range opts {
		switch given := any(opt).(type) {
		case A:
			o, twice, axes = a(given, o), axes, true
		case K:
			o, twice, axes = kept(given, o), axes, true
		case B:
			o, twice, output = b(given, o), output, true
		case O, *O:
			fn.RefuseOptions(fmt.Sprintf("%d options: a %v stands alone", len(opts), reflect.TypeFor[O]()))
		default:
			fn.RefuseOptions(fmt.Sprintf("an option of type %v: want a %v, or its settings", reflect.TypeOf(given), reflect.TypeFor[O]()))
		}
		if twice {
			fn.RefuseOptions(fmt.Sprintf("a setting of type %v is given twice", reflect.TypeOf(opt)))
		}
	}
	return o
}
