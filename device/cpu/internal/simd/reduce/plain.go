package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// The reference implementations of the routines. They process rows as slices.

func ahead[T any](p *T, n int) *T {
	var zero T
	return (*T)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(zero))))
}

func row[T any](p *T, i, n, pitch int) []T { return unsafe.Slice(ahead(p, i*pitch), n) }

func plainRows[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	z := unsafe.Slice(dst, rows)
	for i := range z {
		x := row(a, i, n, pitch)
		switch op {
		case Sum:
			z[i] = Total(x)
		case Prod:
			z[i] = Product(x)
		case Squares:
			z[i] = totalOf(x, x, func(v, w T) T { return v * w })
		case Magnitudes:
			z[i] = totalOf(x, x, func(v, _ T) T { return scalar.Abs(v) })
		default:
			z[i] = extreme(op, x)
		}
	}
}

// extreme returns the largest or smallest element. Max and Min keep the first NaN. FMax and FMin replace a NaN by the
// first number.
func extreme[T scalar.Float](op Op, x []T) T {
	v := x[0]
	switch op {
	case Max:
		for _, w := range x[1:] {
			if !(v >= w) && v == v {
				v = w
			}
		}
	case Min:
		for _, w := range x[1:] {
			if !(v <= w) && v == v {
				v = w
			}
		}
	case FMax:
		for _, w := range x[1:] {
			if !(v >= w) && w == w {
				v = w
			}
		}
	case FMin:
		for _, w := range x[1:] {
			if !(v <= w) && w == w {
				v = w
			}
		}
	}
	return v
}

// Number is a type that can be added and multiplied.
type Number interface {
	scalar.Integer | scalar.Float | ~complex64 | ~complex128
}

// leafLen is how many values are added with eight running sums. The sums of such leaves are added pairwise.
const leafLen = 128

// Total adds values pairwise. An empty x gives 0.
func Total[T Number](x []T) (total T) {
	if len(x) > leafLen {
		half := len(x) / 2 &^ 7
		return Total(x[:half]) + Total(x[half:])
	}
	if len(x) < 8 {
		if len(x) > 0 {
			total = x[0] // -0 stays -0
			for _, v := range x[1:] {
				total += v
			}
		}
		return total
	}
	s0, s1, s2, s3, s4, s5, s6, s7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
	for x = x[8:]; len(x) >= 8; x = x[8:] {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
	}
	for _, w := range x {
		s0 += w
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// Product multiplies values. There must be at least one.
func Product[T scalar.Integer | scalar.Float](x []T) T {
	if len(x) < 4 {
		v := x[0]
		for _, w := range x[1:] {
			v *= w
		}
		return v
	}
	p0, p1, p2, p3 := x[0], x[1], x[2], x[3]
	for x = x[4:]; len(x) >= 4; x = x[4:] {
		p0 *= x[0]
		p1 *= x[1]
		p2 *= x[2]
		p3 *= x[3]
	}
	for _, w := range x {
		p0 *= w
	}
	return (p0 * p1) * (p2 * p3)
}

// totalOf adds up f(x[i], y[i]).
func totalOf[T scalar.Float](x, y []T, f func(v, w T) T) (total T) {
	var terms [leafLen]T
	if len(x) > leafLen {
		half := len(x) / 2 &^ 7
		return totalOf(x[:half], y[:half], f) + totalOf(x[half:], y[half:], f)
	}
	for i, v := range x {
		terms[i] = f(v, y[i])
	}
	return Total(terms[:len(x)])
}

func plainPairRows[T scalar.Float](op PairOp, dst, a, b *T, rows, n, pitch, pitchB int) {
	z := unsafe.Slice(dst, rows)
	for i := range z {
		x := row(a, i, n, pitch)
		switch op {
		case Products:
			z[i] = totalOf(x, row(b, i, n, pitchB), func(v, w T) T { return v * w })
		case Differences:
			z[i] = totalOf(x, row(b, i, n, pitchB), func(v, w T) T { return (v - w) * (v - w) })
		case Deviations:
			mean := *ahead(b, i*pitchB)
			z[i] = totalOf(x, x, func(v, _ T) T { return (v - mean) * (v - mean) })
		}
	}
}

func plainColumns[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	z := unsafe.Slice(dst, n)
	for i := range rows {
		x := row(a, i, n, pitch)[:len(z)]
		switch op {
		case Sum:
			for k, w := range x {
				z[k] += w
			}
		case Prod:
			for k, w := range x {
				z[k] *= w
			}
		case Max:
			for k, w := range x {
				z[k] = scalar.Max(z[k], w)
			}
		case Min:
			for k, w := range x {
				z[k] = scalar.Min(z[k], w)
			}
		case FMax:
			for k, w := range x {
				z[k] = scalar.FMax(z[k], w)
			}
		case FMin:
			for k, w := range x {
				z[k] = scalar.FMin(z[k], w)
			}
		}
	}
}

// correctAllNaN corrects FMax and FMin of rows that contain only NaN. For these the routines give an infinity.
func correctAllNaN[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	if op != FMax && op != FMin {
		return
	}
	for i, v := range unsafe.Slice(dst, rows) {
		if v-v != 0 {
			*ahead(dst, i) = extreme(op, row(a, i, n, pitch))
		}
	}
}
