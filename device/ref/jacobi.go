package ref

import "math"

// sweeps is how often every pair of columns is turned at most; five or six times are enough.
const sweeps = 60

// rotation returns the cosine and sine of the turn that makes the symmetric matrix (a, c; c, b) diagonal.
func rotation(a, b, c float64) (cosine, sine float64) {
	cotangent := (b - a) / (2 * c)
	tangent := math.Copysign(1, cotangent) / (math.Abs(cotangent) + math.Hypot(1, cotangent))
	cosine = 1 / math.Hypot(1, tangent)
	return cosine, cosine * tangent
}

// turn replaces two vectors by their images under a rotation of their plane.
func turn(v, w []float64, cosine, sine float64) {
	for i := range v {
		x, y := v[i], w[i]
		v[i] = float64(cosine*x) - float64(sine*y)
		w[i] = float64(sine*x) + float64(cosine*y)
	}
}
