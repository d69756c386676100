package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FFT sums x[j]·exp(-2πi·jk/n), or with l.Inverse x[j]·exp(+2πi·jk/n), for every k, in complex128, and rounds once.
func (d *Device) FFT(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	outer, row := split(l, 1)
	n := row[0]
	roots := make([]complex128, n)
	for turn := range roots {
		roots[turn] = rootOfUnity(turn, n)
		if !l.Inverse {
			roots[turn] = complex(real(roots[turn]), -imag(roots[turn]))
		}
	}
	for _, index := range points(outer) {
		values := x.row(index, n, dtype.Complex128)
		at, step := y.at(index), y.strides[len(index)]
		for k := range n {
			y.store(at+k*step, value{z: frequency(values, roots, k, 0)}, dtype.Complex128)
		}
	}
}

// frequency sums values times the roots for frequency k; first is the number of the first value. It sums both halves
// separately, so that rounding errors stay small.
func frequency(values []value, roots []complex128, k, first int) complex128 {
	if len(values) == 1 {
		turn := uint64(k) * uint64(first) % uint64(len(roots))
		return values[0].z * roots[turn]
	}
	half := len(values) / 2
	return frequency(values[:half], roots, k, first) + frequency(values[half:], roots, k, first+half)
}

// rootOfUnity returns exp(2πi·k/n). It subtracts the nearest number of quarter turns from the angle, which is exact,
// and takes sine and cosine of the rest.
func rootOfUnity(k, n int) complex128 {
	quarters := (8*k + n) / (2 * n)
	sin, cos := math.Sincos(math.Pi / 2 * float64(4*k-quarters*n) / float64(n))
	switch quarters % 4 {
	case 1:
		return complex(-sin, cos)
	case 2:
		return complex(-cos, -sin)
	case 3:
		return complex(sin, -cos)
	}
	return complex(cos, sin)
}
