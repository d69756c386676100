package dtype

import (
	"unsafe"

	"github.com/x448/float16"
)

// Each loop below is written twice, over slices and over addresses: the first version needs no bounds checks and no
// multiplications, and runs twice as fast.

func (r run) contiguous() bool { return r.dstStride == 1 && r.srcStride == 1 }

// slices returns the elements of a contiguous run.
func slices[S, D any](r run) ([]S, []D) {
	return unsafe.Slice((*S)(r.src), r.n), unsafe.Slice((*D)(r.dst), r.n)
}

// at returns the element i elements after p. Addresses are always computed from the run's own pointers, because one
// step past the last element may leave the allocation.
func at[T any](p unsafe.Pointer, i int) *T {
	var element T
	return (*T)(unsafe.Add(p, i*int(unsafe.Sizeof(element))))
}

func (r run) copy(size int) {
	if r.contiguous() {
		copy(unsafe.Slice((*byte)(r.dst), r.n*size), unsafe.Slice((*byte)(r.src), r.n*size))
		return
	}
	switch size {
	case 1:
		copyStrided[uint8](r)
	case 2:
		copyStrided[uint16](r)
	case 4:
		copyStrided[uint32](r)
	case 8:
		copyStrided[uint64](r)
	case 16:
		copyStrided[[2]uint64](r)
	}
}

func copyStrided[T any](r run) {
	for i := range r.n {
		*at[T](r.dst, i*r.dstStride) = *at[T](r.src, i*r.srcStride)
	}
}

// repeat copies the first of n elements to the other elements.
func repeat(p unsafe.Pointer, size, n int) {
	const chunk = 4096 // a multiple of every size, small enough to stay in cache
	all := unsafe.Slice((*byte)(p), n*size)
	for filled := size; filled < len(all); {
		filled += copy(all[filled:], all[:min(filled, chunk)])
	}
}

// toNumber converts where Go's own conversion follows the package's rules.
func toNumber[S, D real](r run) {
	if r.contiguous() {
		src, dst := slices[S, D](r)
		for i, v := range src {
			dst[i] = D(v)
		}
		return
	}
	for i := range r.n {
		*at[D](r.dst, i*r.dstStride) = D(*at[S](r.src, i*r.srcStride))
	}
}

// toInteger saturates: in Go, the result for a float out of range depends on the processor.
func toInteger[S float, D integer](r run) {
	lowest, highest := limits[D]()
	// Strictly between the bounds, dropping the fraction gives a value of D. S may round the upper bound, up to a power
	// of two; that changes nothing.
	lower, upper := S(lowest), S(highest)
	if r.contiguous() {
		src, dst := slices[S, D](r)
		for i, v := range src {
			if v > lower && v < upper {
				dst[i] = D(v)
			} else {
				dst[i] = saturate(v, lower, lowest, highest)
			}
		}
		return
	}
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		if v > lower && v < upper {
			*at[D](r.dst, i*r.dstStride) = D(v)
		} else {
			*at[D](r.dst, i*r.dstStride) = saturate(v, lower, lowest, highest)
		}
	}
}

// limits returns the smallest and the largest value of an integer type.
func limits[T integer]() (lowest, highest T) {
	if ones := ^T(0); ones > 0 {
		return 0, ones
	}
	lowest = T(1) << (8*unsafe.Sizeof(lowest) - 1)
	return lowest, ^lowest
}

// saturate returns the result for a float beyond the bounds of toInteger.
func saturate[S float, D integer](v, lower S, lowest, highest D) D {
	switch {
	case v <= lower:
		return lowest
	case v != v:
		return 0
	default:
		return highest
	}
}

func toBool[S real](r run) {
	if r.contiguous() {
		src, dst := slices[S, bool](r)
		for i, v := range src {
			dst[i] = v != 0
		}
		return
	}
	for i := range r.n {
		*at[bool](r.dst, i*r.dstStride) = *at[S](r.src, i*r.srcStride) != 0
	}
}

// toComplex writes complex numbers as two parts.
func toComplex[S real, D float](r run) {
	if r.contiguous() {
		src, dst := slices[S, [2]D](r)
		for i, v := range src {
			dst[i] = [2]D{D(v), 0}
		}
		return
	}
	for i := range r.n {
		*at[[2]D](r.dst, i*r.dstStride) = [2]D{D(*at[S](r.src, i*r.srcStride)), 0}
	}
}

// integerToFloat32 converts integers that toNumber would round wrongly: on 32-bit processors Go converts 64-bit
// integers by a routine that errs by one unit for some integers of 2^46 and more.
func integerToFloat32[S integer](r run) {
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		if v < 0 {
			*at[float32](r.dst, i*r.dstStride) = -magnitudeToFloat32(-uint64(v))
		} else {
			*at[float32](r.dst, i*r.dstStride) = magnitudeToFloat32(uint64(v))
		}
	}
}

func integerToComplex64[S integer](r run) {
	var zero float32
	r.dstStride *= 2 // the real parts are every other float, the imaginary ones follow
	integerToFloat32[S](r)
	copyStrided[float32](run{unsafe.Add(r.dst, unsafe.Sizeof(zero)), r.dstStride, unsafe.Pointer(&zero), 0, r.n})
}

func complexToComplex[S, D float](r run) {
	for i := range r.n {
		v := at[[2]S](r.src, i*r.srcStride)
		*at[[2]D](r.dst, i*r.dstStride) = [2]D{D(v[0]), D(v[1])}
	}
}

func complexToBool[S float](r run) {
	for i := range r.n {
		v := at[[2]S](r.src, i*r.srcStride)
		*at[bool](r.dst, i*r.dstStride) = v[0] != 0 || v[1] != 0
	}
}

// integerToHalf rounds correctly by way of float32, which is exact for all integers in float16's range.
func integerToHalf[S integer](r run) {
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		*at[float16.Float16](r.dst, i*r.dstStride) = halfFromFloat32(float32(v))
	}
}

func integerToBFloat16[S integer](r run) {
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		var f float32
		if v < 0 {
			f = -roundIntegerToOdd(-uint64(v))
		} else {
			f = roundIntegerToOdd(uint64(v))
		}
		*at[BF16](r.dst, i*r.dstStride) = BFloat16FromFloat32(f)
	}
}

func floatToHalf[S float](r run) {
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		f := float32(v)
		if unsafe.Sizeof(v) == 8 {
			f = roundToOdd(float64(v))
		}
		*at[float16.Float16](r.dst, i*r.dstStride) = halfFromFloat32(f)
	}
}

func floatToBFloat16[S float](r run) {
	for i := range r.n {
		v := *at[S](r.src, i*r.srcStride)
		f := float32(v)
		if unsafe.Sizeof(v) == 8 {
			f = roundToOdd(float64(v))
		}
		*at[BF16](r.dst, i*r.dstStride) = BFloat16FromFloat32(f)
	}
}

func halfToFloat(r run) {
	for i := range r.n {
		*at[float32](r.dst, i*r.dstStride) = at[float16.Float16](r.src, i*r.srcStride).Float32()
	}
}

func bfloat16ToFloat(r run) {
	if r.contiguous() {
		src, dst := slices[uint16, uint32](r)
		for i, v := range src {
			dst[i] = uint32(v) << 16
		}
		return
	}
	for i := range r.n {
		*at[uint32](r.dst, i*r.dstStride) = uint32(*at[uint16](r.src, i*r.srcStride)) << 16
	}
}
