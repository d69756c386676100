package lanes

import "math"

// Diagonalise rotates each pair of rows and columns of symmetric n×n matrices (a sweep of Jacobi's method), so that the element between them
// becomes 0, in the lanes where it exceeds the limit, and rotates the rows of v, of some columns, too. It reads and writes the upper triangles.
// The result has a bit for each lane with a rotation.
func Diagonalise[T Float](n int, a Rows[T], columns int, v Rows[T], limits []T) (rotated uint32) {
	if columns == 0 {
		v = a
	}
	diagonalise(n, a, columns, v, limits, &rotated)
	return rotated
}

// Orthogonalise rotates each pair of the m rows of matrices (a sweep of Hestenes' method), so that the two become orthogonal, in the lanes where
// the cosine of their angle exceeds the limit, and rotates the rows of u, of some columns, too. The result has a bit for each lane with a rotation.
func Orthogonalise[T Float](m, n int, a Rows[T], columns int, u Rows[T], limit T) (rotated uint32) {
	if columns == 0 {
		u = a
	}
	orthogonalise(m, n, a, columns, u, &limit, &rotated)
	return rotated
}

// turn is a rotation.
type turn[T Float] struct{ c, s, t T }

// turnOf returns the rotation that makes (first, between; between, second) diagonal.
func turnOf[T Float](first, second, between T) turn[T] {
	cotangent := (second - first) / (between + between) // of twice the angle
	length := math.Sqrt(float64(T(cotangent*cotangent) + 1))
	t := 1 / (cotangent + T(math.Copysign(length, float64(cotangent))))
	c := 1 / T(math.Sqrt(float64(T(t*t)+1)))
	return turn[T]{c, t * c, t}
}

func (r turn[T]) rotate(x, y *T) {
	v, w := *x, *y
	*x, *y = T(r.c*v)-T(r.s*w), T(r.s*v)+T(r.c*w)
}

func plainDiagonalise[T Float](n int, a Rows[T], columns int, v Rows[T], limits []T, rotated *uint32) {
	*rotated = 0
	for l := range plainWidth {
		at := func(i, j int) *T { return &a.Data[min(i, j)*a.Row+max(i, j)*a.Column+l] }
		for p := range n {
			for q := p + 1; q < n; q++ {
				between := *at(p, q)
				if !(math.Abs(float64(between)) > float64(limits[l])) {
					continue
				}
				*rotated |= 1 << l
				r := turnOf(*at(p, p), *at(q, q), between)
				*at(p, p) -= T(r.t * between)
				*at(q, q) += T(r.t * between)
				*at(p, q) = 0
				for i := range n {
					if i != p && i != q {
						r.rotate(at(p, i), at(q, i))
					}
				}
				for j := range columns {
					r.rotate(&v.Data[p*v.Row+j*v.Column+l], &v.Data[q*v.Row+j*v.Column+l])
				}
			}
		}
	}
}

func plainOrthogonalise[T Float](m, n int, a Rows[T], columns int, u Rows[T], limit *T, rotated *uint32) {
	*rotated = 0
	for l := range plainWidth {
		for p := range m {
			for q := p + 1; q < m; q++ {
				var first, second, between T
				for j := range n {
					v, w := a.Data[p*a.Row+j*a.Column+l], a.Data[q*a.Row+j*a.Column+l]
					first += T(v * v)
					between += T(v * w)
					second += T(w * w)
				}
				if !(math.Abs(float64(between)) > float64(*limit*T(T(math.Sqrt(float64(first)))*T(math.Sqrt(float64(second)))))) {
					continue
				}
				*rotated |= 1 << l
				r := turnOf(first, second, between)
				for j := range n {
					r.rotate(&a.Data[p*a.Row+j*a.Column+l], &a.Data[q*a.Row+j*a.Column+l])
				}
				for j := range columns {
					r.rotate(&u.Data[p*u.Row+j*u.Column+l], &u.Data[q*u.Row+j*u.Column+l])
				}
			}
		}
	}
}
