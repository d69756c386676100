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
	if n == 0 {
		return
	}
	read, written, scale := n, n, 1.0
	if !x.dtype.IsComplex() {
		written = n/2 + 1
	} else if !y.dtype.IsComplex() {
		read = n/2 + 1
	}
	if l.Scale != 0 {
		scale = l.Scale
	}
	roots := make([]complex128, n)
	for turn := range roots {
		roots[turn] = rootOfUnity(turn, n)
		if !l.Inverse {
			roots[turn] = complex(real(roots[turn]), -imag(roots[turn]))
		}
	}
	for _, index := range points(outer) {
		values := x.row(index, read, dtype.Complex128)
		if read < n || !y.dtype.IsComplex() {
			values = hermitian(values, n)
		}
		at, step := y.at(index), y.strides[len(index)]
		for k := range written {
			z := frequency(values, roots, k, 0)
			y.store(at+k*step, value{z: complex(real(z)*scale, imag(z)*scale)}, dtype.Complex128)
		}
	}
}

// hermitian returns the n values of which those from 0 to n/2 are given: value n-k is the conjugate of value k.
func hermitian(half []value, n int) []value {
	values := make([]value, n)
	for k := range half {
		z := half[k].z
		if k == 0 || 2*k == n {
			values[k].z = complex(real(z), 0)
			continue
		}
		values[k].z, values[n-k].z = z, complex(real(z), -imag(z))
	}
	return values
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
