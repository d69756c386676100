package ref

import "math"

// sweeps is the maximum number of rotations of every pair of columns; five or six are enough.
const sweeps = 60

// rotation returns the cosine and sine of the rotation that makes the Hermitian matrix (a, c; c̄, b) diagonal. For
// complex entries the sine has c's phase.
func rotation[T entry](a, b float64, c T) (cosine float64, sine T) {
	cotangent := (b - a) / (2 * abs(c))
	tangent := math.Copysign(1, cotangent) / (math.Abs(cotangent) + math.Hypot(1, cotangent))
	cosine = 1 / math.Hypot(1, tangent)
	return cosine, entryOf[T](cosine*tangent) * phase(c)
}

// rotateRows replaces two vectors by their images under a rotation of their plane.
func rotateRows[T entry](v, w []T, cosine float64, sine T) {
	for i := range v {
		v[i], w[i] = turned(v[i], w[i], cosine, sine)
	}
}

func turned[T entry](x, y T, cosine float64, sine T) (T, T) {
	c := entryOf[T](cosine)
	return T(c*x) - T(sine*y), T(conj(sine)*x) + T(c*y)
}
