package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// ReshapeCodesOptions are the options of ReshapeCodes.
type ReshapeCodesOptions struct {
	// Reverse reads the shape and the codes from the end. The two lengths of -6 then precede it.
	Reverse bool
}

// ReshapeCodes is [nd.Array.Reshape] to a shape that refers to the shape of x. The codes are read one after the other, and
// each consumes the next axis of x, except for those that say otherwise:
//
//	n ≥ 0   an axis of length n
//	-1      an axis with the length that remains, at most once; it consumes an axis, too, if one is left
//	-2      the axis as it is
//	-3      no axis; the length must be 1
//	-4      all axes that are left, possibly none
//	-5      the next two axes as one
//	-6      the axis as two, whose lengths follow; one of them may be -1
//
// An array of shape (8, 3, 4) has the shape (2, 4, 12) after the codes -6, 2, -1, -5.
// MXNet: reshape (with its codes).
func ReshapeCodes(x *nd.Array, codes []int, opts ...ReshapeCodesOptions) *nd.Array {
	const fn nd.Func = "ops.ReshapeCodes"
	fn.Check(x)
	d := decoder{fn: fn, x: x, from: x.Shape(), codes: slices.Clone(codes)}
	reverse := options.Read(fn, opts).Reverse
	if reverse {
		slices.Reverse(d.from)
		slices.Reverse(d.codes)
	}
	for len(d.codes) > 0 {
		d.decode()
	}
	if reverse {
		slices.Reverse(d.to)
	}
	return x.Reshape(d.to...)
}

// decoder replaces the codes of ReshapeCodes by lengths, except for one -1.
type decoder struct {
	fn          nd.Func
	x           *nd.Array
	from, codes []int // what is left of the shape and of the codes
	to          []int
}

// decode reads one code.
func (d *decoder) decode() {
	code := d.codes[0]
	d.codes = d.codes[1:]
	switch code {
	case -2:
		d.to = append(d.to, d.next(code))
	case -3:
		if n := d.next(code); n != 1 {
			d.refuse("-3 drops an axis of length %d: want 1", n)
		}
	case -4:
		d.to, d.from = append(d.to, d.from...), nil
	case -5:
		d.to = append(d.to, broadcast.Product(d.next(code), d.next(code)))
	case -6:
		a, b := d.split(d.next(code))
		d.to = append(d.to, a, b)
	default:
		if code < -6 {
			d.refuse("code %d: want lengths, or codes from -6 to -1", code)
		}
		d.from = d.from[min(1, len(d.from)):]
		d.to = append(d.to, code)
	}
}

// next returns the length of the next axis.
func (d *decoder) next(code int) int {
	if len(d.from) == 0 {
		d.refuse("no axis is left for %d", code)
	}
	n := d.from[0]
	d.from = d.from[1:]
	return n
}

// split reads the two lengths that follow -6, whose product is n.
func (d *decoder) split(n int) (a, b int) {
	if len(d.codes) < 2 {
		d.refuse("two lengths must follow -6")
	}
	a, b = d.codes[0], d.codes[1]
	d.codes = d.codes[2:]
	switch {
	case a == -1 && b > 0:
		a = n / b
	case b == -1 && a > 0:
		b = n / a
	}
	if a < 0 || b < 0 || broadcast.Product(a, b) != n {
		d.refuse("the lengths after -6 do not split %d", n)
	}
	return a, b
}

func (d *decoder) refuse(format string, args ...any) {
	panic(d.fn.Errorf([]*nd.Array{d.x}, format, args...))
}
