package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// bidiagonal is an upper bidiagonal matrix that is made diagonal by rotations (Golub and Kahan). The rows of u and v are
// rotated with its rows and columns.
type bidiagonal[R matvec.Float] struct {
	d, e []float64
	u, v blas.Matrix[R]
}

// squeeze makes the extra column of a bidiagonal matrix zero: its element beside the last diagonal element is the last one of
// e. Row len(d) of v becomes the vector that the matrix maps to 0.
func (b *bidiagonal[R]) squeeze() {
	n := len(b.d)
	x := b.e[n-1]
	for k := n - 1; k >= 0 && x != 0; k-- {
		c, s, r := givens(b.d[k], x)
		b.d[k] = r
		b.rotate(b.v, k, n, c, s)
		if k > 0 {
			b.e[k-1], x = c*b.e[k-1], -s*b.e[k-1]
		}
	}
	b.e = b.e[:n-1]
}

// givens returns the rotation (c, s; -s, c) that maps (x, y) to (r, 0). It is near the identity if y is small: then the signs of
// vectors do not change.
func givens(x, y float64) (c, s, r float64) {
	if y == 0 {
		return 1, 0, x
	}
	if r = hypot(x, y); x < 0 && x < -math.Abs(y) {
		r = -r
	}
	if math.Abs(r) < 0x1p-1000 {
		return x / r, y / r, r
	}
	inverse := 1 / r
	return x * inverse, y * inverse, r
}

func (b *bidiagonal[R]) rotate(rows blas.Matrix[R], i, j int, c, s float64) {
	rotateRows(rows.Data[i*rows.Line:], rows.Data[j*rows.Line:], rows.Columns, R(c), R(s))
}

// diagonalise makes d the singular values, none of which is negative, in no order.
func (b *bidiagonal[R]) diagonalise() bool {
	size := 0.0
	for i, v := range b.d {
		size = max(size, math.Abs(v))
		if i < len(b.e) {
			size = max(size, math.Abs(b.e[i]))
		}
	}
	sweeps := mostSweeps * len(b.d)
	for high := len(b.d) - 1; high > 0; {
		low := high
		for low > 0 {
			if math.Abs(b.e[low-1]) <= epsilon*(math.Abs(b.d[low-1])+math.Abs(b.d[low])) {
				b.e[low-1] = 0
				break
			}
			low--
		}
		if low == high {
			high--
			continue
		}
		if sweeps--; sweeps < 0 {
			return false
		}
		if !b.deflateZero(low, high, epsilon*size) {
			b.sweep(low, high)
		}
	}
	for i, v := range b.d {
		if v < 0 {
			b.d[i] = -v
			row := b.v.Row(i)
			for j := range row {
				row[j] = -row[j]
			}
		}
	}
	return true
}

// deflateZero makes the row or column of a negligible diagonal element zero, and reports whether there is one.
func (b *bidiagonal[R]) deflateZero(low, high int, least float64) bool {
	for i := low; i <= high; i++ {
		if math.Abs(b.d[i]) > least {
			continue
		}
		b.d[i] = 0
		if i < high {
			x := b.e[i]
			b.e[i] = 0
			for k := i + 1; k <= high; k++ {
				c, s, r := givens(b.d[k], x)
				b.d[k] = r
				b.rotate(b.u, k, i, c, s)
				if k < high {
					b.e[k], x = c*b.e[k], -s*b.e[k]
				}
			}
			return true
		}
		x := b.e[high-1]
		b.e[high-1] = 0
		for k := high - 1; k >= low; k-- {
			c, s, r := givens(b.d[k], x)
			b.d[k] = r
			b.rotate(b.v, k, high, c, s)
			if k > low {
				b.e[k-1], x = c*b.e[k-1], -s*b.e[k-1]
			}
		}
		return true
	}
	return false
}

// sweep is one step with implicit shift for the rows from low to high.
func (b *bidiagonal[R]) sweep(low, high int) {
	d, e := b.d, b.e
	a := d[high-1] * d[high-1]
	if high-1 > low {
		a += e[high-2] * e[high-2]
	}
	coupling := d[high-1] * e[high-1]
	last := d[high]*d[high] + e[high-1]*e[high-1]
	half := (a - last) / 2
	shift := last
	if coupling != 0 {
		shift -= coupling * (coupling / (half + math.Copysign(hypot(half, coupling), half)))
	}
	x, y := d[low]*d[low]-shift, d[low]*e[low]
	var cosines, sines [2][smallest]R // of the columns, and of the rows
	for k := low; k < high; k++ {
		c, s, r := givens(x, y)
		if k > low {
			e[k-1] = r
		}
		cosines[0][k-low], sines[0][k-low] = R(c), R(s)
		x, e[k] = c*d[k]+s*e[k], c*e[k]-s*d[k]
		y, d[k+1] = s*d[k+1], c*d[k+1]
		c, s, r = givens(x, y)
		d[k] = r
		cosines[1][k-low], sines[1][k-low] = R(c), R(s)
		x, d[k+1] = c*e[k]+s*d[k+1], c*d[k+1]-s*e[k]
		if k < high-1 {
			y, e[k+1] = s*e[k+1], c*e[k+1]
		}
	}
	e[high-1] = x
	for i, rows := range [2]blas.Matrix[R]{b.v, b.u} {
		matvec.RotateChain(rows.Data, low*rows.Line, rows.Line, rows.Columns, cosines[i][:high-low], sines[i][:high-low])
	}
}
