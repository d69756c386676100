package eigen

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// General computes the eigenvalues of a square matrix. If vectors has elements, its rows become the transposed eigenvectors, of
// length 1, the largest element of each real. If the matrix is real, eigenvalues that are not real come in conjugate pairs, the
// one with the positive imaginary part first, and the two rows of a pair are the real and the imaginary part of its first
// vector. a is overwritten. General reports whether the iterations converged; they do unless there are infinities or NaNs.
func General[T blas.Number](a blas.Matrix[T], values []complex128, vectors blas.Matrix[T]) bool {
	n := a.Rows
	exponent, finite := bringToRange(a)
	if !finite {
		return false
	}
	var s scratch
	defer s.recycle()
	scales := vector[float64](&s, n)
	balance(a, scales)
	q := schur[T]{h: a}
	reflections, taus := matrix[T](&s, n, n), vector[T](&s, n)
	hessenberg(a, reflections, taus)
	if vectors.Rows > 0 {
		q.ut = zeros[T](&s, n, n)
		for i := range n {
			q.ut.Row(i)[i] = 1
		}
		applyFromLast(q.ut, reflections.Part(0, 0, n-1, n), 1, taus)
	}
	if !q.iterate() {
		return false
	}
	q.eigenvalues(values)
	if vectors.Rows > 0 {
		x := reflections
		q.substitute(x, values)
		clear(vectors.Data)
		blas.AddProduct(vectors, 1, x, q.ut, 0)
		normalise(vectors, values, scales)
	}
	for i, v := range values {
		values[i] = complex(math.Ldexp(real(v), exponent), math.Ldexp(imag(v), exponent))
	}
	return true
}

// normalise undoes the scaling of the rows' elements, sets the rows' lengths to 1, and makes their largest elements real.
func normalise[T blas.Number](vectors blas.Matrix[T], values []complex128, scales []float64) {
	n := vectors.Rows
	for k := 0; k < n; k++ {
		row := vectors.Row(k)
		if isPair := !blas.IsComplex[T]() && imag(values[k]) != 0; isPair {
			normalisePair(row, vectors.Row(k+1), scales)
			k++
			continue
		}
		largest := 0.0
		var at T
		for i, v := range row {
			row[i] = v * blas.Real[T](scales[i])
			if size := cmplx.Abs(complex(blas.Parts(row[i]))); size > largest {
				largest, at = size, row[i]
			}
		}
		sum := 0.0
		for _, v := range row {
			size := cmplx.Abs(complex(blas.Parts(v))) / largest
			sum += size * size
		}
		by := complex(1/math.Sqrt(sum)/largest, 0)
		if blas.IsComplex[T]() {
			z := complex(blas.Parts(at))
			by *= cmplx.Conj(z) / complex(cmplx.Abs(z), 0)
		}
		for i, v := range row {
			z := complex(blas.Parts(v))
			isLargest := v == at
			if z *= by; isLargest && blas.IsComplex[T]() {
				z = complex(real(z), 0)
			}
			row[i] = blas.Complex[T](real(z), imag(z))
		}
	}
}

// normalisePair does this for a vector whose real and imaginary parts are two rows.
func normalisePair[T blas.Number](re, im []T, scales []float64) {
	largest, at := 0.0, 0
	for i := range re {
		by := blas.Real[T](scales[i])
		re[i] *= by
		im[i] *= by
		x, _ := blas.Parts(re[i])
		y, _ := blas.Parts(im[i])
		if size := math.Hypot(x, y); size > largest {
			largest, at = size, i
		}
	}
	sum := 0.0
	for i := range re {
		x, _ := blas.Parts(re[i])
		y, _ := blas.Parts(im[i])
		sum += x/largest*(x/largest) + y/largest*(y/largest)
	}
	x, _ := blas.Parts(re[at])
	y, _ := blas.Parts(im[at])
	turn := complex(x/largest, -y/largest) * complex(1/math.Sqrt(sum)/largest, 0)
	c, s := blas.Real[T](real(turn)), blas.Real[T](imag(turn))
	for i := range re {
		re[i], im[i] = re[i]*c-im[i]*s, re[i]*s+im[i]*c
	}
	im[at] = 0
}
