package lapack

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
)

// complexEig balances the matrix, reduces it by reflections to Hessenberg form (0 below the subdiagonal), and makes it
// triangular by shifted QR steps (Francis). It finds the vectors of the triangle by substitution, and transforms them
// back.
func complexEig(f factorisation) {
	n := f.n
	values, vectors, matrices := f.operand(0), f.operand(1), f.operand(2)
	f.each(25*complexCost*cube(n), 2*(3*n*n+3*n)+n, func(batch int, w workspace) {
		s := schur{t: w.complexMatrix(n, n), eigenvalues: w.complexes(n)}
		scales, column, row := w.vector(n), w.complexes(n), w.complexes(n)
		matrices.loadComplex(batch, s.t)
		finite := allFiniteComplex(s.t.data)
		exponent := 0
		if finite {
			exponent = scaleToOne(s.t)
			balance(s.t, scales)
		}
		if f.has(1) {
			s.axes = w.complexMatrix(n, n)
			setComplexIdentity(s.axes)
		}
		if !finite || !s.reduce(column, row) || !s.iterate() {
			panic(&device.MatrixError{Kernel: "Eig", Msg: "the eigenvalues did not converge"})
		}
		for k, z := range s.eigenvalues {
			s.eigenvalues[k] = complex(math.Ldexp(real(z), exponent), math.Ldexp(imag(z), exponent))
		}
		values.storeComplex(batch, complexMatrix{n, 1, s.eigenvalues})
		if f.has(1) {
			v := w.complexMatrix(n, n)
			s.vectors(v, scales, column)
			vectors.storeComplex(batch, v)
		}
	})
}

// schur is a matrix that is being made triangular. The rows of axes, if needed, are the axes to which it has been
// transformed: A = Σ axesᵢᵀ·tᵢⱼ·conj(axesⱼ).
type schur struct {
	t, axes     complexMatrix
	eigenvalues []complex128
}

// scaleToOne divides a by a power of two, so that its largest part is about 1, and returns the exponent.
func scaleToOne(a complexMatrix) (exponent int) {
	largest := 0.0
	for _, z := range a.data {
		largest = max(largest, math.Abs(real(z)), math.Abs(imag(z)))
	}
	_, exponent = math.Frexp(largest)
	for i, z := range a.data {
		a.data[i] = complex(math.Ldexp(real(z), -exponent), math.Ldexp(imag(z), -exponent))
	}
	return exponent
}

// balance scales rows and columns by powers of two, D⁻¹·A·D, so that row k and column k have about the same norm
// (Parlett and Reinsch), and stores D.
func balance(a complexMatrix, scales []float64) {
	for i := range scales {
		scales[i] = 1
	}
	for changed := true; changed; {
		changed = false
		for i := range a.rows {
			row, column := 0.0, 0.0
			for j := range a.rows {
				if j != i {
					row = max(row, cmplx.Abs(a.row(i)[j]))
					column = max(column, cmplx.Abs(a.row(j)[i]))
				}
			}
			if row == 0 || column == 0 {
				continue
			}
			_, exponent := math.Frexp(math.Sqrt(row) / math.Sqrt(column))
			by := math.Ldexp(1, exponent)
			if scaled := scales[i] * by; column*by+row/by >= 0.95*(column+row) || math.IsInf(by, 0) || scaled < 1e-150 || scaled > 1e150 {
				continue
			}
			changed = true
			scales[i] *= by
			for j := range a.rows {
				a.row(i)[j] *= complex(1/by, 0)
				a.row(j)[i] *= complex(by, 0)
			}
		}
	}
}

// reduce makes t zero below the subdiagonal. It reports whether all elements stayed finite.
func (s *schur) reduce(column, row []complex128) bool {
	n := s.t.rows
	for j := 0; j < n-1; j++ {
		v := below(s.t, j+1, j, column)
		beta, tau := reflect(v)
		reflectRows(s.t.from(j+1), j+1, v, cmplx.Conj(tau), row)
		s.t.row(j + 1)[j] = complex(beta, 0)
		for i := j + 2; i < n; i++ {
			s.t.row(i)[j] = 0
		}
		// The axes are transformed as the columns of t are, but they are rows: by Hᵀ.
		if s.axes.data != nil {
			conjugate(v)
			reflectRows(s.axes.from(j+1), 0, v, tau, row)
			conjugate(v)
		}
		conjugate(v)
		reflectColumns(s.t, j+1, v, tau)
	}
	return allFiniteComplex(s.t.data)
}

// iterate makes t triangular, from its last row upwards. It reports whether it succeeded, within some 30 steps per row.
func (s *schur) iterate() bool {
	t, n := s.t, s.t.rows
	for hi, steps := n-1, 0; hi >= 0; steps++ {
		lo := hi
		for lo > 0 && !s.splits(lo) {
			lo--
		}
		if lo > 0 {
			t.row(lo)[lo-1] = 0
		}
		if lo == hi {
			s.eigenvalues[hi] = t.row(hi)[hi]
			hi, steps = hi-1, -1
			continue
		}
		if steps > 30*max(10, n) {
			return false
		}
		shift := s.shift(hi)
		if steps%10 == 9 { // the iteration goes round in circles
			shift = t.row(hi)[hi] + complex(0.75*math.Abs(real(t.row(hi)[hi-1])), 0)
		}
		s.step(lo, hi, shift)
	}
	return true
}

// splits reports whether the element left of the diagonal in a row is only a rounding error.
func (s *schur) splits(i int) bool {
	size := func(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }
	around := size(s.t.row(i - 1)[i-1]) + size(s.t.row(i)[i])
	if around == 0 {
		around = size(s.t.row(i)[i-1]) + size(s.t.row(i - 1)[i])
	}
	below := size(s.t.row(i)[i-1])
	return below == 0 || below <= 0x1p-53*around || below < 0x1p-1020
}

// shift returns the eigenvalue of the last two rows and columns that is nearer to the last diagonal element
// (Wilkinson).
func (s *schur) shift(hi int) complex128 {
	a, b := s.t.row(hi - 1)[hi-1], s.t.row(hi - 1)[hi]
	c, d := s.t.row(hi)[hi-1], s.t.row(hi)[hi]
	product := cmplx.Sqrt(b) * cmplx.Sqrt(c)
	half := (a - d) / 2
	root := cmplx.Sqrt(half+product*1i) * cmplx.Sqrt(half-product*1i) // the root of half² + product²
	far := half + root
	if other := half - root; cmplx.Abs(other) > cmplx.Abs(far) {
		far = other
	}
	if far == 0 {
		return d
	}
	return d - product/far*product
}

// step rotates the rows and columns from lo to hi pair by pair, which is one step of the QR algorithm with a shift.
func (s *schur) step(lo, hi int, shift complex128) {
	t := s.t
	x, y := t.row(lo)[lo]-shift, t.row(lo + 1)[lo]
	first, last := 0, t.columns
	if s.axes.data == nil {
		first, last = lo, hi+1
	}
	for k := lo; k < hi; k++ {
		if k > lo {
			x, y = t.row(k)[k-1], t.row(k + 1)[k-1]
		}
		c, sine, r := rotationOf(x, y)
		if k > lo {
			t.row(k)[k-1], t.row(k + 1)[k-1] = r, 0
		}
		turn(t.row(k)[k:last], t.row(k + 1)[k:last], c, sine)
		for i := first; i <= min(k+2, hi); i++ {
			pair := t.row(i)[k : k+2]
			pair[0], pair[1] = complex(c, 0)*pair[0]+cmplx.Conj(sine)*pair[1], complex(c, 0)*pair[1]-sine*pair[0]
		}
		if s.axes.data != nil {
			turn(s.axes.row(k), s.axes.row(k+1), c, cmplx.Conj(sine))
		}
	}
}

// rotationOf returns the rotation (c, s; -s̄, c) that maps (x, y) to (r, 0); c is real.
func rotationOf(x, y complex128) (c float64, s, r complex128) {
	if y == 0 {
		return 1, 0, x
	}
	if x == 0 {
		return 0, cmplx.Conj(y) / complex(cmplx.Abs(y), 0), complex(cmplx.Abs(y), 0)
	}
	length := math.Hypot(cmplx.Abs(x), cmplx.Abs(y))
	phase := x / complex(cmplx.Abs(x), 0)
	return cmplx.Abs(x) / length, phase * cmplx.Conj(y) / complex(length, 0), phase * complex(length, 0)
}

// turn replaces two rows by c·x + s·y and c·y - s̄·x.
func turn(x, y []complex128, c float64, s complex128) {
	for i, v := range x {
		w := y[i]
		x[i] = complex(c, 0)*v + s*w
		y[i] = complex(c, 0)*w - cmplx.Conj(s)*v
	}
}

// vectors stores the eigenvectors as columns. They have length 1, and their largest element is real.
func (s *schur) vectors(v complexMatrix, scales []float64, x []complex128) {
	n := s.t.rows
	largest := 0.0
	for _, z := range s.t.data {
		largest = max(largest, cmplx.Abs(z))
	}
	least := max(0x1p-52*largest, 0x1p-1000)
	for k := range n {
		s.substitute(k, x[:k+1], least)
		// The vector is Σ xᵢ·axesᵢ.
		column := v.row(k)
		clear(column)
		for i, c := range x[:k+1] {
			addTimes(column, c, s.axes.row(i))
		}
		normalise(column, scales)
	}
	transposeSquare(v)
}

// substitute finds the eigenvector of the triangle for the eigenvalue k; its last element is set to 1. Equal
// eigenvalues count as minimally different.
func (s *schur) substitute(k int, x []complex128, least float64) {
	x[k] = 1
	for i := k - 1; i >= 0; i-- {
		row := s.t.row(i)
		var sum complex128
		for j := i + 1; j <= k; j++ {
			sum += row[j] * x[j]
		}
		gap := row[i] - s.t.row(k)[k]
		if cmplx.Abs(gap) < least {
			gap = complex(least, 0)
		}
		if x[i] = -sum / gap; cmplx.Abs(x[i]) > 1e100 {
			for j := i; j <= k; j++ {
				x[j] *= 1e-100
			}
		}
	}
}

// normalise undoes the scaling, sets the length to 1, and makes the largest element real.
func normalise(x []complex128, scales []float64) {
	size, largest := 0.0, 0
	for i := range x {
		x[i] *= complex(scales[i], 0)
		if abs := cmplx.Abs(x[i]); abs > size {
			size, largest = abs, i
		}
	}
	sum := 0.0
	for i := range x {
		x[i] /= complex(size, 0)
		sum += real(x[i])*real(x[i]) + imag(x[i])*imag(x[i])
	}
	by := cmplx.Conj(x[largest]) / complex(math.Sqrt(sum)*cmplx.Abs(x[largest]), 0)
	for i := range x {
		x[i] *= by
	}
	x[largest] = complex(real(x[largest]), 0)
}

func transposeSquare(a complexMatrix) {
	for i := range a.rows {
		for j := range i {
			a.row(i)[j], a.row(j)[i] = a.row(j)[i], a.row(i)[j]
		}
	}
}
