package fft

import (
	"math"
	"unsafe"
)

// The plain forms do the operations of the routines in the same order, with the same fused multiplications: the results
// are equal bit for bit. Products are converted to their own type where a sum follows, because on some processors the compiler
// fuses them otherwise.

// fma returns a·b + c, rounded once.
func fma[T Float](a, b, c T) T {
	if unsafe.Sizeof(a) == 8 {
		return T(math.FMA(float64(a), float64(b), float64(c)))
	}
	product, summand := float64(a)*float64(b), float64(c) // the product is exact
	sum := product + summand
	// The last bit of the sum stands for everything below it, so that rounding to float32 sees what was cut off.
	part := sum - product
	rest := (product - (sum - part)) + (summand - part)
	if bits := math.Float64bits(sum); rest != 0 && bits&1 == 0 && !math.IsInf(sum, 0) && !math.IsNaN(rest) {
		if (rest > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return T(sum)
}

// columns are the numbers of one transform.
type columns[T Float] struct{ re, im [largestRadix]T }

func plainPass[T Float](lanes, radix, m, s int, x []T, xStep, xStride int, y []T, yStep, yStride int, w []T) {
	var in, out columns[T]
	xAt, yAt := 0, 0
	for p := range m {
		for range s {
			for l := range lanes {
				for j := range radix {
					at := xAt + j*xStride + l
					in.re[j], in.im[j] = x[at], x[at+lanes]
				}
				out.transform(radix, &in)
				for k := range radix {
					at := yAt + k*yStride + l
					re, im := out.re[k], out.im[k]
					if w != nil && k > 0 {
						f := w[2*((radix-1)*p+k-1):]
						re, im = multiplied(re, im, f[0], f[1])
					}
					y[at], y[at+lanes] = re, im
				}
			}
			xAt += 2 * lanes
			yAt += 2 * lanes
		}
		xAt += xStep
		yAt += yStep
	}
}

func multiplied[T Float](re, im, wr, wi T) (T, T) {
	return fma(-im, wi, T(re*wr)), fma(im, wr, T(re*wi))
}

func (y *columns[T]) transform(radix int, x *columns[T]) {
	switch radix {
	case 2:
		y.re[0], y.im[0] = x.re[0]+x.re[1], x.im[0]+x.im[1]
		y.re[1], y.im[1] = x.re[0]-x.re[1], x.im[0]-x.im[1]
	case 4:
		y.four(x, 0, 1)
	case 8:
		y.eight(x)
	case 16:
		y.sixteen(x)
	default:
		y.odd(radix, x)
	}
}

// four transforms the first four numbers of x. The results go to every step-th number of y from first on.
func (y *columns[T]) four(x *columns[T], first, step int) {
	ar, ai, br, bi := x.re[0], x.im[0], x.re[1], x.im[1]
	cr, ci, dr, di := x.re[2], x.im[2], x.re[3], x.im[3]
	pr, pi, qr, qi := ar+cr, ai+ci, br+dr, bi+di
	y.put(first, pr+qr, pi+qi)
	y.put(first+2*step, pr-qr, pi-qi)
	pr, pi, qr, qi = ar-cr, ai-ci, br-dr, bi-di
	y.put(first+step, pr+qi, pi-qr)
	y.put(first+3*step, pr-qi, pi+qr)
}

// eight is a transform of the sums of x[j] and x[j+4], and one of their differences times exp(-2πi·j/8).
func (y *columns[T]) eight(x *columns[T]) {
	var sum, d columns[T]
	for j := range 4 {
		sum.re[j], sum.im[j] = x.re[j]+x.re[j+4], x.im[j]+x.im[j+4]
		d.re[j], d.im[j] = x.re[j]-x.re[j+4], x.im[j]-x.im[j+4]
	}
	y.four(&sum, 0, 2)
	y.fourEighths(&d, 1, 2)
}

// fourEighths transforms the numbers x[j]·exp(-2πi·j/8).
func (y *columns[T]) fourEighths(x *columns[T], first, step int) {
	ar, ai := x.re[1]+x.im[1], x.im[1]-x.re[1] // √2·exp(-2πi/8)·x[1]
	br, bi := x.im[3]-x.re[3], x.im[3]+x.re[3] // √2·exp(-2πi·3/8)·x[3], with the opposite imaginary part
	pr, pi, qr, qi := ar+br, ai-bi, ar-br, ai+bi
	evenRe, evenIm := x.re[0]+x.im[2], x.im[0]-x.re[2]
	oddRe, oddIm := x.re[0]-x.im[2], x.im[0]+x.re[2]
	half := T(math.Sqrt(0.5))
	y.put(first, fma(pr, half, evenRe), fma(pi, half, evenIm))
	y.put(first+2*step, fma(-pr, half, evenRe), fma(-pi, half, evenIm))
	y.put(first+step, fma(qi, half, oddRe), fma(-qr, half, oddIm))
	y.put(first+3*step, fma(-qi, half, oddRe), fma(qr, half, oddIm))
}

// sixteen is 4 transforms of every fourth number, and 4 of their results times roots of unity.
func (y *columns[T]) sixteen(x *columns[T]) {
	var results [4]columns[T]
	for j := range 4 {
		var part, result columns[T]
		for i := range 4 {
			part.put(i, x.re[j+4*i], x.im[j+4*i])
		}
		result.four(&part, 0, 1)
		for c := range 4 {
			results[c].put(j, result.re[c], result.im[c])
		}
	}
	y.four(&results[0], 0, 4)
	y.fourSixteenths(1, &results[1])
	y.fourEighths(&results[2], 2, 4)
	y.fourSixteenths(3, &results[3])
}

// fourSixteenths transforms the numbers x[j]·exp(-2πi·c·j/16). A product with cos - i·sin is cos·(1 - i·tan): the cosines
// are factors of later sums.
func (y *columns[T]) fourSixteenths(c int, x *columns[T]) {
	turned := func(j int) (re, im, cos T) {
		w := &roots[16][c*j]
		tan := T(w[1] / w[0])
		return fma(x.im[j], tan, x.re[j]), fma(-x.re[j], tan, x.im[j]), T(w[0])
	}
	br, bi, cos := turned(1)
	cr, ci, middle := turned(2)
	dr, di, _ := turned(3)
	ratio := T(roots[16][3*c][0] / roots[16][c][0])
	sr, si, tr, ti := fma(dr, ratio, br), fma(di, ratio, bi), fma(-dr, ratio, br), fma(-di, ratio, bi)
	pr, pi := fma(cr, middle, x.re[0]), fma(ci, middle, x.im[0])
	qr, qi := fma(-cr, middle, x.re[0]), fma(-ci, middle, x.im[0])
	y.put(c, fma(sr, cos, pr), fma(si, cos, pi))
	y.put(c+8, fma(-sr, cos, pr), fma(-si, cos, pi))
	y.put(c+4, fma(ti, cos, qr), fma(-tr, cos, qi))
	y.put(c+12, fma(-ti, cos, qr), fma(tr, cos, qi))
}

func (y *columns[T]) put(i int, re, im T) { y.re[i], y.im[i] = re, im }

// odd uses the symmetry of the roots of unity: results k and r-k are sums of cosines minus and plus sums of sines.
func (y *columns[T]) odd(radix int, x *columns[T]) {
	half := (radix - 1) / 2
	var sum, d columns[T]
	y.re[0], y.im[0] = x.re[0], x.im[0]
	for j := 1; j <= half; j++ {
		sum.re[j], sum.im[j] = x.re[j]+x.re[radix-j], x.im[j]+x.im[radix-j]
		d.re[j], d.im[j] = x.re[j]-x.re[radix-j], x.im[j]-x.im[radix-j]
		y.re[0] += sum.re[j]
		y.im[0] += sum.im[j]
	}
	for k := 1; k <= half; k++ {
		evenRe, evenIm, oddRe, oddIm := x.re[0], x.im[0], T(0), T(0)
		for j := 1; j <= half; j++ {
			at := &roots[radix][j*k%radix]
			cos, sin := T(at[0]), T(at[1])
			evenRe, evenIm = fma(sum.re[j], cos, evenRe), fma(sum.im[j], cos, evenIm)
			if j == 1 {
				oddRe, oddIm = T(d.re[j]*sin), T(d.im[j]*sin)
			} else {
				oddRe, oddIm = fma(d.re[j], sin, oddRe), fma(d.im[j], sin, oddIm)
			}
		}
		y.re[k], y.im[k] = evenRe+oddIm, evenIm-oddRe
		y.re[radix-k], y.im[radix-k] = evenRe-oddIm, evenIm+oddRe
	}
}

// roots holds the cosine and the sine of 2π·k/n. The sines of k and n-k are opposite.
var roots [largestRadix + 1][largestRadix][2]float64

func init() {
	for _, n := range []int{3, 5, 7, 11, 13, 16} {
		for k := 1; k < n; k++ {
			sin, cos := math.Sincos(2 * math.Pi * float64(min(k, n-k)) / float64(n))
			if 2*k > n {
				sin = -sin
			}
			roots[n][k] = [2]float64{cos, sin}
		}
	}
}
